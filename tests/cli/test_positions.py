"""`othello perft` and `othello analyse`."""

from pathlib import Path
from typing import Any

import pytest

from othello.records.transcript import parse_transcript
from tests.command_line import START, CommandLine, write_config
from tests.positions import RULES, format_board

AFTER_F5_D6 = format_board(parse_transcript("f5d6", RULES).position)


@pytest.mark.parametrize(
    ("words", "rules", "line"),
    [
        (["6"], {}, ["leaves", "8200"]),
        (["0"], {}, ["leaves", "1"]),
        (["6"], {"start": "alternate"}, ["leaves", "9696"]),
        (["6"], {"start": "reversi"}, ["leaves", "320"]),
        (["1", "--board", "-" * 62 + "XO X", "--divide"], {}, ["pass", "1"]),  # black cannot move, white can
        (["4", "--board", "X" * 64 + " O"], {}, ["leaves", "1"]),
        (["4", "--board", "X" * 64 + " O", "--divide"], {}, ["leaves", "1"]),
    ],
)
def test_perft(words: list[str], rules: dict[str, Any], line: list[str], tmp_path: Path, cli: CommandLine) -> None:
    assert cli("perft", *words, "--config", write_config(tmp_path, rules=rules)).split()[:2] == line


def test_perft_divide_adds_up(cli: CommandLine) -> None:
    lines = [line.split() for line in cli("perft", 5, "--divide").splitlines()]
    assert [line[0] for line in lines[:4]] == ["d3", "c4", "f5", "e6"]
    assert sum(int(line[1]) for line in lines[:4]) == int(lines[4][1]) == 1396
    assert [line[0] for line in lines[4:]] == ["leaves", "seconds", "leaves/s"]


def test_perft_of_moves_is_that_of_their_position(cli: CommandLine) -> None:
    by_moves, by_board = cli("perft", 4, "--moves", "f5 d6"), cli("perft", 4, "--board", AFTER_F5_D6)
    assert by_moves.split()[:2] == by_board.split()[:2]
    cli("perft", 4, "--moves", "f5f5", status=2)


@pytest.mark.slow
def test_analyse_and_solve_by_the_rules_of_a_config(tmp_path: Path, cli: CommandLine) -> None:
    """The only move wins everything by the usual rules, and so loses everything where the fewest discs win."""
    board = "X" + "O" * 6 + "-" + "X" * 56 + " X"
    problem = tmp_path / "one.obf"
    problem.write_text(board)
    fewest = ["--config", write_config(tmp_path, rules={"goal": "fewest"})]
    for more, score in (([], 64), (fewest, -64)):
        assert cli.json("solve", problem, "--json", *more)[0]["score"] == score
        assert cli.json("analyse", "--board", board, "--json", *more)[0]["value"] == (10_064 if score > 0 else -10_064)


def test_analyse_as_json(cli: CommandLine) -> None:
    (report,) = cli.json("analyse", "--board", START, "--player", "random", "--seed", 3, "--json")
    assert list(report) == [
        "player", "board", "move", "value", "moves", "simulations", "nodes", "depth", "pv", "seconds",
    ]  # fmt: skip
    assert report["board"] == START
    assert [stats["move"] for stats in report["moves"]] == ["d3", "c4", "f5", "e6"]
    assert all(list(stats) == ["move", "visits", "value"] for stats in report["moves"])
    assert report["move"] in ("d3", "c4", "f5", "e6")
    assert cli.json("analyse", "--board", "OX" + "-" * 62 + " X", "--player", "random", "--json")[0]["move"] == "pass"


@pytest.mark.parametrize(
    ("player", "columns"),
    [
        ("random", []),
        ("mcts_uct", ["mean", "bonus", "bound"]),
        ("mcts_grouping", ["mean", "bonus", "bound"]),
        ("mcts_ucb1", ["mean", "bonus", "bound", "variance"]),
    ],
)
def test_analyse_shows_the_terms_of_the_bound(player: str, columns: list[str], cli: CommandLine) -> None:
    board = START.lower().replace("-", ".")
    summary, _, titles, *rows = cli("analyse", "--board", board, "--player", player, "--seed", 1).splitlines()
    (report,) = cli.json("analyse", "--board", board, "--player", player, "--seed", 1, "--json")
    assert f"{player} plays" in summary
    assert titles.split() == ["move", "value", "visits", *columns]
    reported = {stats["move"]: stats for stats in report["moves"]}
    for row in rows[:4]:
        move, value, visits, *terms = row.replace(" %", "").split()
        stats = reported.pop(move)
        assert {*columns} == {"mean", "bonus", "bound", "variance"} & {*stats}
        if columns:
            assert stats["bound"] == stats["mean"] + stats["bonus"] > stats["mean"] == stats["value"]
            assert int(visits) == stats["visits"]
            numbers = [100 * stats[name] for name in ("value", "mean", "bonus", "bound")]
            assert [float(text) for text in (value, *terms[:3])] == pytest.approx(numbers, abs=0.051)


@pytest.mark.parametrize(
    ("options", "notice"),
    [
        ("random --simulations 5", "--simulations: ignored for random; only used by mcts_"),
        ("random --level 5", "--level: ignored for random; only used by engine"),
        ("simple_heuristic --depth 5", "--depth: ignored for simple_heuristic; only used by heu"),
        ("heuristic --depth 2", ""),
        ("random --time 1 --seed 3", ""),
    ],
)
def test_ignored_options_give_notices(options: str, notice: str, cli: CommandLine) -> None:
    player, *more = options.split()
    assert cli.json("analyse", "--board", START, "--json", "--player", player, *more)[0]["player"] == player
    assert cli.errors.count("\n") == bool(notice)
    assert notice in cli.errors


@pytest.mark.slow
def test_learners_count_episodes_and_both_results_are_shown(cli: CommandLine) -> None:
    table = cli("analyse", "--board", START, "--player", "q_learning")
    assert "episodes    5000 (" in table
    assert "simulations" not in table
    wiped_out = "XO" + "-" * 62 + " X"
    table = cli("analyse", "--board", wiped_out, "--player", "engine")
    assert "plays c1 for black, value +64, on the board 3 : 0" in table
    assert "black wins, 3 : 0, 64 : 0 with the empty squares" in cli.error(
        "analyse", "--board", wiped_out, "--moves", "c1"
    )


def test_analyse_searches_every_position_of_a_file(tmp_path: Path, cli: CommandLine) -> None:
    file, options = tmp_path / "positions.txt", ("--player", "heuristic", "--depth", 2, "--json")
    file.write_text(f"f5d6\n{'X' * 64} O\nf5f6\nf5a1\n")
    rows = cli.json("analyse", file, *options, status=2)
    over, illegal, skipped = cli.errors.splitlines()
    assert ("game 2" in over, "the game is over" in over, "a1" in illegal) == (True, True, True)
    assert skipped == "othello: games skipped: 2 of 4"
    assert [row.pop("index") for row in rows] == [1, 3]
    for row, moves in zip(rows, ("f5d6", "f5f6"), strict=True):
        (alone,) = cli.json("analyse", "--moves", moves, *options)
        assert row | {"seconds": 0} == alone | {"seconds": 0}
    cli("analyse", file, "--moves", "f5", status=2)
    cli("analyse", tmp_path / "none.txt", status=2)


@pytest.mark.slow
@pytest.mark.parametrize(("book", "has_book"), [("true", True), ("false", False)])
def test_analyse_without_the_book(book: str, has_book: bool, tmp_path: Path, cli: CommandLine) -> None:
    file = tmp_path / "positions.obf"
    file.write_text(f"{START};\n")
    (row,) = cli.json("analyse", file, "--player", "engine", "--depth", 4, "--json", "--book", book)
    assert ("source" in row) is has_book
