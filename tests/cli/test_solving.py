"""`othello solve`."""

import json
import random
from pathlib import Path

import pytest

from othello import texts
from othello.cli import main
from othello.game import AnyGame, Game
from othello.rules.registry import game_spec, rules_of
from tests.positions import RULES, format_board, with_empties, with_forced_pass

POSITIONS = with_empties(3, 6)
BOARDS = [format_board(position) for position in POSITIONS]
PASSING = format_board(with_forced_pass(1, most_empties=8)[0])
MOVE = RULES.move_text(POSITIONS[2], RULES.legal_moves(POSITIONS[2])[0]).upper()


def test_one_line_of_json_a_position(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "some.obf"
    file.write_text("\n".join([BOARDS[0], "", f"{BOARDS[1]};", f"{BOARDS[2]}; {MOVE}:+2; a remark; % a comment"]))
    assert main(["solve", str(file), "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["index"] for row in rows] == [1, 2, 3]
    assert [row["board"] for row in rows] == BOARDS
    for row in rows:
        assert set(row) == {"index", "board", "move", "score", "pv", "nodes", "seconds"}
        assert row["pv"][0] == row["move"]


def test_the_table_shows_agreement(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "some.obf"
    file.write_text(BOARDS[0])
    assert main(["solve", str(file), "--json"]) == 0
    row = json.loads(capsys.readouterr().out)
    file.write_text(f"{BOARDS[0]}; {row['move']}:{row['score']:+d};\n{BOARDS[0]}; {row['move']}:+64;\n")
    assert main(["solve", str(file)]) == 0
    out = capsys.readouterr().out
    assert "as listed" in out
    assert "listed: +64" in out
    assert "1 of 2 as listed" in out
    assert "nodes/s" in out


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "holds no positions"),
        (b"nonsense\nmore\n\nyet more", "line 1: “N” on square 1 is not a piece"),
        (b"nonsense\nmore\n\nyet more", "also invalid: lines 2, 4"),
        (b"\n -\xff", "line 2: byte 0xff is not UTF-8"),
    ],
)
def test_bad_files_are_one_line(
    content: bytes, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bad.obf"
    file.write_bytes(content)
    assert main(["solve", str(file)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize(("line", "fault"), [(b"nonsense", "“N” on square 1"), (b"\xff", "byte 0xff is not UTF-8")])
def test_a_bad_line_does_not_stop_the_others(
    line: bytes, fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "some.obf"
    file.write_bytes(b"\n".join([BOARDS[0].encode(), line, BOARDS[1].encode() + b"; % caf\xe9"]))
    assert main(["solve", str(file), "--json"]) == 2
    captured = capsys.readouterr()
    rows = [json.loads(line) for line in captured.out.splitlines()]
    assert [(row["index"], row["board"]) for row in rows] == [(1, BOARDS[0]), (3, BOARDS[1])]
    assert captured.err.startswith(f"othello: {file}: line 2: {fault}")
    assert captured.err.count("\n") == 1


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
    board: str, listed: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "some.obf"
    file.write_text(f"{BOARDS[1]}\n{board}; {listed};\n")
    assert main(["solve", str(file), "--json"]) == 0
    captured = capsys.readouterr()
    assert len(captured.out.splitlines()) == 2
    assert captured.err.startswith(f'othello: {file}: line 2: ignoring "{listed}": {reason}')
    assert captured.err.count("\n") == 1


def test_notices_are_in_the_language_of_the_system(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    monkeypatch.setitem(texts._chosen, "language", texts.language())  # so that it is English again afterwards
    file = tmp_path / "some.obf"
    file.write_text(f"{BOARDS[0]}; a1:x; {MOVE}:+2;\nnonsense\nmore")
    assert main(["solve", str(file)]) == 2
    out, error = capsys.readouterr()
    assert out.splitlines()[1].startswith("1 Stellung, ")
    assert "Knoten/s" in out
    assert "wird ausgelassen: das ist kein Ergebnis eines Zuges" in error
    assert error.endswith("auch ungültig: Zeilen 3\n")


def test_the_number_of_notices_is_limited(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "some.obf"
    file.write_text(f"{BOARDS[0]}{'; a1:x' * 500};\n")
    assert main(["solve", str(file), "--json"]) == 0
    error = capsys.readouterr().err
    assert error.count("\n") == 21
    assert "480 more listed values" in error


def test_an_endless_device_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    if not Path("/dev/zero").exists():
        pytest.skip("there is no /dev/zero here")
    assert main(["solve", "/dev/zero"]) == 2
    assert capsys.readouterr().err == "othello: /dev/zero: is larger than 16777216 bytes, the limit for such files\n"


def test_windows_line_ends_and_marks_are_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "some.obf"
    file.write_bytes(f"\N{BYTE ORDER MARK}{BOARDS[0]};\r\n\r\n% a remark\r\n{BOARDS[1]}\r\n".encode())
    assert main(["solve", str(file), "--json"]) == 0
    assert [json.loads(line)["board"] for line in capsys.readouterr().out.splitlines()] == BOARDS[:2]


def test_finished_games_and_passes_have_scores(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "some.obf"
    file.write_text(f"{'X' * 64} O;\n{'-' * 64} X;\n{PASSING};\n")
    assert main(["solve", str(file), "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["move"], row["score"]) for row in rows[:2]] == [(None, -64), (None, 0)]
    assert rows[2]["move"] == "pass"
    file.write_text(f"{PASSING}; PS:{rows[2]['score']}\n")
    assert main(["solve", str(file)]) == 0
    assert "1 of 1 as listed" in capsys.readouterr().out


def winner_of(game: AnyGame) -> int:
    """1, 0 or -1 for the side to move, with best play."""
    if game.outcome is not None:
        winner = game.outcome.winner
        return 0 if winner is None else 1 if winner is game.to_move else -1
    return max(-winner_of(game.play(move)) for move in game.legal_moves())


@pytest.mark.slow
def test_small_games_are_solved_to_their_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """From random positions on, as plain minimax has them; and so is every position on the line."""
    rules, luck = rules_of(game_spec("tictactoe")), random.Random(1)
    games = []
    for plies in (1, 3, 4, 5, 6, 7, 9) * 3:
        game: AnyGame = Game.new(rules)
        while game.ply < plies and game.outcome is None:
            game = game.play(luck.choice(game.legal_moves()))
        games.append(game)
    (tmp_path / "some.obf").write_text("\n".join(rules.format_position(game.position) for game in games))
    (tmp_path / "config.json").write_text(json.dumps({"game": "tictactoe", "players": [{"player_type": "random"}] * 2}))
    assert main(["solve", str(tmp_path / "some.obf"), "--config", str(tmp_path / "config.json"), "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    for game, row in zip(games, rows, strict=True):
        sign = 1
        for move in (None, *row["pv"]):
            if move is not None:
                game, sign = game.play(rules.parse_move(game.position, move)), -sign
            assert winner_of(game) == sign * row["score"]
        assert game.outcome is not None


def test_positions_not_solved_in_time_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "--moves", "f5", "--time", "0.01"]) == 2
    assert capsys.readouterr() == ("", "othello: not solved within 0.01 s (raise --time): line 1\n")


@pytest.mark.parametrize("argv", [[], ["some.obf", "--moves", "f5"]])
def test_positions_come_from_one_place(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", *argv]) == 2
    assert "needs a FILE of positions, or one position given by --board or --moves" in capsys.readouterr().err


def test_a_missing_file_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "missing.obf"]) == 2
    assert "missing.obf: there is no such file" in capsys.readouterr().err
