"""`othello perft` and `othello analyse`."""

import json
from pathlib import Path

import pytest

from othello.cli import main
from tests.command_line import START
from tests.positions import RULES, format_board


def test_perft(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "6"]) == 0
    assert "8200" in capsys.readouterr().out.split()
    assert main(["perft", "0"]) == 0
    assert capsys.readouterr().out.split()[1] == "1"


def test_perft_of_a_board_that_begins_with_a_dash_and_has_a_pass(capsys: pytest.CaptureFixture[str]) -> None:
    board = "-" * 62 + "XO" + " X"  # black cannot move, white can
    assert main(["perft", "1", "--board", board, "--divide"]) == 0
    assert capsys.readouterr().out.split()[:2] == ["pass", "1"]


def test_perft_divide_adds_up(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "5", "--divide"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [line[0] for line in lines[:4]] == ["d3", "c4", "f5", "e6"]
    assert sum(int(line[1]) for line in lines[:4]) == int(lines[4][1]) == 1396


@pytest.mark.parametrize(("rules", "leaves"), [({}, 8200), ({"start": "alternate"}, 9696), ({"start": "reversi"}, 320)])
def test_perft_by_the_rules_of_a_config(
    rules: dict[str, str], leaves: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["perft", "6", "--config", str(config_with(rules, tmp_path))]) == 0
    assert capsys.readouterr().out.split()[1] == str(leaves)


def config_with(rules: dict[str, str], folder: Path) -> Path:
    file = folder / "config.json"
    file.write_text(json.dumps({"players": [{"player_type": "random"}] * 2, "rules": rules}))
    return file


def test_moves_before_a_position_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "4", "--moves", "f5 d6"]) == 0
    position = RULES.play(
        RULES.play(RULES.start(), RULES.parse_move(RULES.start(), "f5")), RULES.parse_move(RULES.start(), "d6")
    )
    assert main(["perft", "4", "--board", format_board(position)]) == 0
    first, second = capsys.readouterr().out.split("leaves ")[1:]
    assert first.split()[0] == second.split()[0]
    assert main(["perft", "4", "--moves", "f5f5"]) == 2


@pytest.mark.slow
def test_analyse_and_solve_by_the_rules_of_a_config(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The only move wins everything by the usual rules, and so loses everything where the fewest discs win."""
    board = "X" + "O" * 6 + "-" + "X" * 56 + " X"
    problem = tmp_path / "one.obf"
    problem.write_text(board)
    config = str(config_with({"goal": "fewest"}, tmp_path))
    more: list[str]
    for more, score in (([], 64), (["--config", config], -64)):
        assert main(["solve", str(problem), "--json", *more]) == 0
        assert json.loads(capsys.readouterr().out)["score"] == score
        assert main(["analyse", "--board", board, "--json", *more]) == 0
        assert json.loads(capsys.readouterr().out)["value"] == (10_064 if score > 0 else -10_064)


def test_perft_of_a_finished_game(capsys: pytest.CaptureFixture[str]) -> None:
    for divide in ([], ["--divide"]):
        assert main(["perft", "4", "--board", "X" * 64 + " O", *divide]) == 0
        assert capsys.readouterr().out.split()[1] == "1"


def test_analyse_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", "--board", START, "--player", "random", "--seed", "3", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert list(report) == [
        "player", "board", "move", "value", "moves", "simulations", "nodes", "depth", "pv", "seconds",
    ]  # fmt: skip
    assert report["board"] == START
    assert [stats["move"] for stats in report["moves"]] == ["d3", "c4", "f5", "e6"]
    assert all(list(stats) == ["move", "visits", "value"] for stats in report["moves"])
    assert report["move"] in ("d3", "c4", "f5", "e6")


@pytest.mark.parametrize("player", ["mcts_uct", "mcts_ucb1", "mcts_grouping"])
def test_analyse_shows_the_terms_of_the_bound(player: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", "--board", START, "--player", player, "--json"]) == 0
    for stats in json.loads(capsys.readouterr().out)["moves"]:
        assert stats["bound"] == stats["mean"] + stats["bonus"] > stats["mean"] == stats["value"]
        assert ("variance" in stats) == (player == "mcts_ucb1")


def test_analyse_of_a_forced_pass(capsys: pytest.CaptureFixture[str]) -> None:
    board = "OX" + "-" * 62 + " X"
    assert main(["analyse", "--board", board, "--player", "random", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["move"] == "pass"


@pytest.mark.parametrize(
    ("player", "columns"),
    [
        ("random", []),
        ("mcts_uct", ["mean", "bonus", "bound"]),
        ("mcts_ucb1", ["mean", "bonus", "bound", "variance"]),
    ],
)
def test_analyse_as_a_table(player: str, columns: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", "--board", START.lower().replace("-", "."), "--player", player]) == 0
    told, _, titles, *rows = capsys.readouterr().out.splitlines()
    assert f"{player} plays" in told
    assert titles.split() == ["move", "value", "visits", *columns]
    for row in rows[:4]:
        _, *figures = row.replace(" %", "").split()
        assert len(figures) == 2 + len(columns)
        if columns:
            value, _, mean, bonus, bound, *_ = map(float, figures)
            assert value == mean
            assert bound == pytest.approx(mean + bonus, abs=0.11)


@pytest.mark.parametrize(
    ("options", "notice"),
    [
        (["--player", "random", "--simulations", "5"], "--simulations: ignored for random; only used by mcts_"),
        (["--player", "random", "--level", "5"], "--level: ignored for random; only used by engine"),
        (["--player", "simple_heuristic", "--depth", "5"], "--depth: ignored for simple_heuristic; only used by heu"),
        (["--player", "heuristic", "--depth", "2"], ""),
        (["--player", "random", "--time", "1", "--seed", "3"], ""),
    ],
)
def test_ignored_options_give_notices(options: list[str], notice: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", "--board", START, "--json", *options]) == 0
    out, error = capsys.readouterr()
    assert json.loads(out)["player"] == options[1]
    assert error.count("\n") == bool(notice)
    assert notice in error


@pytest.mark.slow
def test_learners_count_episodes_and_both_results_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", "--board", START, "--player", "q_learning"]) == 0
    told = capsys.readouterr().out
    assert "episodes    5000 (" in told
    assert "simulations" not in told
    wiped_out = "XO" + "-" * 62 + " X"
    assert main(["analyse", "--board", wiped_out, "--player", "engine"]) == 0
    assert "plays c1 for black, value +64, on the board 3 : 0" in capsys.readouterr().out
    assert main(["analyse", "--board", wiped_out, "--moves", "c1"]) == 2
    assert "black wins, 3 : 0, 64 : 0 with the empty squares" in capsys.readouterr().err


def test_analyse_searches_every_position_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "positions.txt"
    file.write_text(f"f5d6\n{'X' * 64} O\nf5f6\nf5a1\n")
    words = ["analyse", str(file), "--player", "heuristic", "--depth", "2", "--json"]
    assert main(words) == 2
    out, error = capsys.readouterr()
    rows = [json.loads(line) for line in out.splitlines()]
    assert [row["index"] for row in rows] == [1, 3]
    assert [set(row) - {"index"} for row in rows] == [set(rows[0]) - {"index"}] * 2
    for row, moves in zip(rows, ("f5d6", "f5f6"), strict=True):
        assert main(["analyse", "--moves", moves, "--player", "heuristic", "--depth", "2", "--json"]) == 0
        alone = json.loads(capsys.readouterr().out)
        assert {**row, "seconds": 0} == {"index": row["index"], **alone, "seconds": 0}
    faults = error.splitlines()
    assert "game 2" in faults[0]
    assert "is over" in faults[0] or "ended" in faults[0] or "won" in faults[0]
    assert "a1" in faults[1]
    assert faults[2] == "othello: games skipped: 2 of 4"
    assert main(["analyse", str(file), "--moves", "f5"]) == 2
    assert main(["analyse", str(tmp_path / "none.txt")]) == 2


@pytest.mark.slow
@pytest.mark.parametrize(("book", "has_book"), [("true", True), ("false", False)])
def test_analyse_without_the_book(
    book: str, has_book: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "positions.obf"
    file.write_text(f"{START};\n")
    assert main(["analyse", str(file), "--player", "engine", "--depth", "4", "--json", "--book", book]) == 0
    assert ("source" in json.loads(capsys.readouterr().out)) is has_book
