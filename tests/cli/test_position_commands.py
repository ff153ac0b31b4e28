"""Commands about positions: `othello perft`, `analyse`, `solve` and `trace`."""

import json
from pathlib import Path
from unittest.mock import Mock

import pytest
from PIL import Image

from othello.cli import position_commands
from tests.command_line import START, CommandLine, write_config
from tests.positions import RULES, format_board, random_game_of, with_empties, with_forced_pass
from tests.small_tictactoe import RULES as TICTACTOE, exact_value

POSITIONS = with_empties(3, 6)
BOARDS = [format_board(position) for position in POSITIONS]
PASSING = format_board(with_forced_pass(1, most_empties=8)[0])
MOVE = RULES.move_text(POSITIONS[2], RULES.legal_moves(POSITIONS[2])[0]).upper()
FILE = Path("some.obf")
PLAYERS = [{"player_type": "mcts_ucb1", "simulation_count": 40}, {"player_type": "heuristic", "depth": 5}]


@pytest.fixture(autouse=True)
def current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_config(tmp_path, game="tictactoe", players=PLAYERS, seed=3)


def test_leaves_are_counted_once_to_compile_before_the_time_is_measured(
    monkeypatch: pytest.MonkeyPatch, cli: CommandLine
) -> None:
    monkeypatch.setattr(position_commands, "_leaves", leaves := Mock(return_value=60))
    monkeypatch.setattr(position_commands, "time", Mock(perf_counter=lambda: float(leaves.call_count**2)))
    assert cli("perft", 3).split() == ["leaves", "60", "seconds", "3.000000", "leaves/s", "20"]
    assert [call.args[-1] for call in leaves.call_args_list] == [2, 3], "the first count takes no time worth mentioning"


@pytest.mark.slow
def test_analyse_and_solve_by_the_rules_of_a_config(tmp_path: Path, cli: CommandLine) -> None:
    """The only move wins everything by the usual rules, and so loses everything where the fewest discs win."""
    board, problem = "X" + "O" * 6 + "-" + "X" * 56 + " X", tmp_path / "one.obf"
    problem.write_text(board)
    fewest = ["--config", write_config(tmp_path, rules={"goal": "fewest"})]
    for more, score in (([], 64), (fewest, -64)):
        assert cli.json("solve", problem, "--json", *more)[0]["score"] == score
        assert cli.json("analyse", "--board", board, "--json", *more)[0]["value"] == (10_064 if score > 0 else -10_064)


@pytest.mark.slow
def test_learners_count_episodes_and_both_results_are_shown(cli: CommandLine) -> None:
    table = cli("analyse", "--board", START, "--player", "q_learning")
    assert "episodes    5000 (" in table
    assert "simulations" not in table
    wiped_out = "XO" + "-" * 62 + " X"
    table = cli("analyse", "--board", wiped_out, "--player", "engine")
    assert "plays c1 for black, value +64, on the board 3 : 0" in table
    error = cli.error("analyse", "--board", wiped_out, "--moves", "c1")
    assert "black wins, 3 : 0, 64 : 0 with the empty squares" in error


def test_analyse_searches_every_position_of_a_file(cli: CommandLine) -> None:
    file, options = Path("positions.txt"), ("--player", "heuristic", "--depth", 2, "--json")
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
    cli("analyse", "none.txt", status=2)


@pytest.mark.parametrize(("book", "has_book"), [("true", True), ("false", False)])
def test_analyse_without_the_book(book: str, has_book: bool, cli: CommandLine) -> None:
    FILE.write_text(f"{START};\n")
    (row,) = cli.json("analyse", FILE, "--player", "engine", "--depth", 4, "--json", "--book", book)
    assert ("source" in row) is has_book


@pytest.mark.parametrize(("line", "fault"), [(b"nonsense", "“N” on square 1"), (b"\xff", "byte 0xff is not UTF-8")])
def test_a_bad_line_does_not_stop_the_others(line: bytes, fault: str, cli: CommandLine) -> None:
    FILE.write_bytes(b"\n".join([BOARDS[0].encode(), line, BOARDS[1].encode() + b"; % caf\xe9"]))
    rows = cli.json("solve", FILE, "--json", status=2)
    assert [(row["index"], row["board"]) for row in rows] == [(1, BOARDS[0]), (3, BOARDS[1])]
    assert cli.errors.startswith(f"othello: {FILE}: line 2: {fault}")
    assert cli.errors.count("\n") == 1


@pytest.mark.usefixtures("restored_language")
def test_notices_are_in_the_language_of_the_system(cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    FILE.write_text(f"{BOARDS[0]}; a1:x; {MOVE}:+2;\nnonsense\nmore")
    table = cli("solve", FILE, status=2)
    assert table.splitlines()[1].startswith("1 Stellung, ")
    assert "Knoten/s" in table
    assert "wird ausgelassen: das ist kein Ergebnis eines Zuges" in cli.errors
    assert cli.errors.endswith("auch ungültig: Zeilen 3\n")


def test_small_games_are_solved_to_their_end(tmp_path: Path, cli: CommandLine) -> None:
    """Random positions, and every position on the lines that were found, have the values of plain minimax."""
    lines = [random_game_of(TICTACTOE, seed) for seed in range(21)]
    games = [line.at(min(line.ply, plies)) for line, plies in zip(lines, (1, 3, 4, 5, 6, 7, 9) * 3, strict=True)]
    FILE.write_text("\n".join(TICTACTOE.format_position(game.position) for game in games))
    rows = cli.json("solve", FILE, "--config", write_config(tmp_path, game="tictactoe"), "--json")
    for game, row in zip(games, rows, strict=True):
        score = row["score"]
        assert exact_value(game.position) == score
        for move in row["pv"]:
            game, score = game.play(TICTACTOE.parse_move(game.position, move)), -score
            assert exact_value(game.position) == score
        assert game.outcome is not None


@pytest.mark.parametrize(("player", "kinds"), [(1, {"select", "expand", "playout", "backup"}), (2, {"node"})])
def test_steps_as_json(player: int, kinds: set[str], cli: CommandLine) -> None:
    cli("trace", "--player", player, "--moves", "b2", "--out", "steps.jsonl")
    first, *rows, last = [json.loads(line) for line in Path("steps.jsonl").read_text().splitlines()]
    assert (first["type"], first["game"], first["to_move"], first["seed"]) == ("search", "tictactoe", "white", 3)
    assert first["player"]["player_type"] == PLAYERS[player - 1]["player_type"]
    if player == 1:
        assert (first["player"]["mcts_batch"], first["player"]["mcts_solver"]) == (1, True), "what the search used"
    assert last["type"] == "result"
    assert last["move"] in [child["move"] for child in last["children"]]
    assert {row["type"] for row in rows} == kinds
    for row in rows:
        if row["type"] == "select":
            bounds = {child["move"]: child["bound"] for child in row["children"]}
            assert bounds[row["chosen"]] == max(bounds.values())


def test_steps_as_a_page_and_as_an_animation(cli: CommandLine) -> None:
    cli("trace", "--simulations", "2", "--out", "steps.html")
    page = Path("steps.html").read_text()
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")
    cli("trace", "--simulations", "2", "--out", "steps.gif")
    with Image.open("steps.gif") as film:
        assert getattr(film, "n_frames", 1) == 6
