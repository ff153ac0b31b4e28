"""`othello solve`."""

from pathlib import Path

import pytest

from tests.command_line import CommandLine, write_config
from tests.positions import RULES, format_board, random_game_of, with_empties, with_forced_pass
from tests.small_tictactoe import RULES as TICTACTOE, exact_value

POSITIONS = with_empties(3, 6)
BOARDS = [format_board(position) for position in POSITIONS]
PASSING = format_board(with_forced_pass(1, most_empties=8)[0])
MOVE = RULES.move_text(POSITIONS[2], RULES.legal_moves(POSITIONS[2])[0]).upper()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return the path of a file of positions, which the test writes."""
    return tmp_path / "some.obf"


def test_one_line_of_json_a_position(file: Path, cli: CommandLine) -> None:
    file.write_text("\n".join([BOARDS[0], "", f"{BOARDS[1]};", f"{BOARDS[2]}; {MOVE}:+2; a remark; % a comment"]))
    rows = cli.json("solve", file, "--json")
    assert [(row["index"], row["board"]) for row in rows] == [*enumerate(BOARDS, 1)]
    for row in rows:
        assert set(row) == {"index", "board", "move", "score", "pv", "nodes", "seconds"}
        assert row["pv"][0] == row["move"]


def test_the_table_shows_agreement(file: Path, cli: CommandLine) -> None:
    file.write_text(BOARDS[0])
    (row,) = cli.json("solve", file, "--json")
    file.write_text(f"{BOARDS[0]}; {row['move']}:{row['score']:+d};\n{BOARDS[0]}; {row['move']}:+64;\n")
    table = cli("solve", file)
    assert all(words in table for words in ("as listed", "listed: +64", "1 of 2 as listed", "nodes/s"))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["missing.obf"], "missing.obf: there is no such file"),
        (["/dev/zero"], "/dev/zero: is larger than 16777216 bytes, the limit for such files\n"),
        (["--moves", "f5", "--time", "0.01"], "othello: not solved within 0.01 s (raise --time): line 1\n"),
        ([], "needs a FILE of positions, or one position given by --board or --moves"),
        (["some.obf", "--moves", "f5"], "needs a FILE of positions, or one position given by --board or --moves"),
    ],
)
def test_invalid_requests_are_one_line(words: list[str], message: str, cli: CommandLine) -> None:
    assert message in cli.error("solve", *words)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "holds no positions"),
        (b"nonsense\nmore\n\nyet more", "line 1: “N” on square 1 is not a piece"),
        (b"nonsense\nmore\n\nyet more", "also invalid: lines 2, 4"),
        (b"\n -\xff", "line 2: byte 0xff is not UTF-8"),
    ],
)
def test_bad_files_are_one_line(content: bytes, message: str, file: Path, cli: CommandLine) -> None:
    file.write_bytes(content)
    assert message in cli.error("solve", file)


@pytest.mark.parametrize(("line", "fault"), [(b"nonsense", "“N” on square 1"), (b"\xff", "byte 0xff is not UTF-8")])
def test_a_bad_line_does_not_stop_the_others(line: bytes, fault: str, file: Path, cli: CommandLine) -> None:
    file.write_bytes(b"\n".join([BOARDS[0].encode(), line, BOARDS[1].encode() + b"; % caf\xe9"]))
    rows = cli.json("solve", file, "--json", status=2)
    assert [(row["index"], row["board"]) for row in rows] == [(1, BOARDS[0]), (3, BOARDS[1])]
    assert cli.errors.startswith(f"othello: {file}: line 2: {fault}")
    assert cli.errors.count("\n") == 1


@pytest.mark.parametrize(
    ("board", "listed", "reason"),
    [
        (BOARDS[0], "a1:x", "must be a move and its score"),
        (BOARDS[0], "z9:+4", "must be a move and its score"),
        (BOARDS[0], "d4:+4", "d4 is not a legal move here; legal: "),
        (BOARDS[0], "--:-127", "pass is not a legal move here; legal: "),
        (PASSING, "--:-127", "-127 is not a possible score of a game"),
        (f"{'X' * 64} O", "a1:+4", "a1 is not a legal move here; legal: none: the game is over"),
    ],
)
def test_an_impossible_listed_score_is_skipped(
    board: str, listed: str, reason: str, file: Path, cli: CommandLine
) -> None:
    file.write_text(f"{BOARDS[1]}\n{board}; {listed};\n")
    assert len(cli.json("solve", file, "--json")) == 2
    assert cli.errors.startswith(f'othello: {file}: line 2: ignoring "{listed}": {reason}')
    assert cli.errors.count("\n") == 1


@pytest.mark.usefixtures("restored_language")
def test_notices_are_in_the_language_of_the_system(
    file: Path, cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    file.write_text(f"{BOARDS[0]}; a1:x; {MOVE}:+2;\nnonsense\nmore")
    table = cli("solve", file, status=2)
    assert table.splitlines()[1].startswith("1 Stellung, ")
    assert "Knoten/s" in table
    assert "wird ausgelassen: das ist kein Ergebnis eines Zuges" in cli.errors
    assert cli.errors.endswith("auch ungültig: Zeilen 3\n")


def test_the_number_of_notices_is_limited(file: Path, cli: CommandLine) -> None:
    file.write_text(f"{BOARDS[0]}{'; a1:x' * 500};\n")
    cli("solve", file, "--json")
    assert cli.errors.count("\n") == 21
    assert "480 more listed values" in cli.errors


def test_windows_line_ends_and_marks_are_read(file: Path, cli: CommandLine) -> None:
    file.write_bytes(f"\N{BYTE ORDER MARK}{BOARDS[0]};\r\n\r\n% a remark\r\n{BOARDS[1]}\r\n".encode())
    assert [row["board"] for row in cli.json("solve", file, "--json")] == BOARDS[:2]


def test_finished_games_and_passes_have_scores(file: Path, cli: CommandLine) -> None:
    file.write_text(f"{'X' * 64} O;\n{'-' * 64} X;\n{PASSING};\n")
    won, empty, passing = cli.json("solve", file, "--json")
    assert [(row["move"], row["score"]) for row in (won, empty)] == [(None, -64), (None, 0)]
    assert passing["move"] == "pass"
    file.write_text(f"{PASSING}; PS:{passing['score']}\n")
    assert "1 of 1 as listed" in cli("solve", file)


@pytest.mark.slow
def test_small_games_are_solved_to_their_end(file: Path, tmp_path: Path, cli: CommandLine) -> None:
    """Random positions, and every position on the lines that were found, have the values of plain minimax."""
    lines = [random_game_of(TICTACTOE, seed) for seed in range(21)]
    games = [line.at(min(line.ply, plies)) for line, plies in zip(lines, (1, 3, 4, 5, 6, 7, 9) * 3, strict=True)]
    file.write_text("\n".join(TICTACTOE.format_position(game.position) for game in games))
    rows = cli.json("solve", file, "--config", write_config(tmp_path, game="tictactoe"), "--json")
    for game, row in zip(games, rows, strict=True):
        score = row["score"]
        assert exact_value(game.position) == score
        for move in row["pv"]:
            game, score = game.play(TICTACTOE.parse_move(game.position, move)), -score
            assert exact_value(game.position) == score
        assert game.outcome is not None
