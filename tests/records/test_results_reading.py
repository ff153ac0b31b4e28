"""Results files of older versions and of other programs."""

import json
import math
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from othello.config import ExistingOutput
from othello.errors import FileError, ResultsError
from othello.files import open_locked, remove_locked
from othello.game import Game
from othello.records.record import GameRecord
from othello.records.results import ResultsReader, ResultsWriter
from othello.records.transcript import parse_transcript
from othello.rules.protocol import Color, Move
from tests.positions import RULES, parse_board
from tests.results_files import RECORD, write_results

HEADER = b"black,white,black_points,white_points,result"


def game(black_points: int, white_points: int, **values: str) -> bytes:
    """Return a line of a .jsonl file."""
    names = {"black": "a", "white": "b"}
    return json.dumps({**names, **values, "black_points": black_points, "white_points": white_points}).encode() + b"\n"


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.jsonl", b"{}\n", "line 1: black is missing"),
        ("a.jsonl", game(21, 43, result="draw"), "line 1: result is draw, which 21 and 43 discs contradict"),
        (
            "a.jsonl",
            game(43, 21, result="black", rules="goal=fewest"),
            "line 1: result is black, which 43 and 21 discs contradict",
        ),
        ("a.jsonl", game(43, 21, result="black", rules="goal=none"), "line 1: rules.goal: is"),
        ("a.jsonl", b"[]\n", "line 1"),
        ("a.jsonl", b"\x00\x00\n", "line 1"),
        ("a.jsonl", b"\xff\n", "line 1: byte 0xff is not UTF-8"),
        ("a.jsonl", b"[" * 100_000 + b"\n", "line 1: lists and objects are nested too deeply"),
        ("a.jsonl", b'{"black": ' + b"9" * 5000 + b"}\n", "line 1: a number has too many digits"),
        ("a.csv", b"black;white;black_points;white_points;result\n", "line 1: not a results file"),
        ("a.csv", HEADER + b"\n,b,1,2,draw\n", "line 2: black is empty"),
        ("a.csv", HEADER + b"\na,b\x1b[31m,1,2,draw\n", "line 2: white holds control"),
        ("a.csv", HEADER + b"\na,b,1.5,2,draw\n", 'line 2: black_points is "1.5"'),
        ("a.csv", b"name,age\n", "line 1: not a results file"),
        ("a.csv", b"a" * 200_000 + b",b\n", "line 1: not CSV: field larger"),
        ("a.jsonl", b" " * (1 << 20) + b"{}\n", "line 1: is longer than 1048576 bytes"),
        ("a.csv", HEADER + b"\na,b,1\n", "line 2: 3 columns"),
        ("a.csv", HEADER + b"\na,b,1,2,won\n", 'line 2: result is "won"'),
        ("a.csv", HEADER + b"\na,b,x,2,draw\n", "line 2"),
        ("a.csv", HEADER + b"\na,b,60,9,black\n", "line 2: 60 and 9 discs are more"),
        ("a.csv", HEADER + b",reason\na,b,60,5,black,late\n", "line 2: 60 and 5 discs"),
        ("a.csv", HEADER + b"\na,b,-1,9,draw\n", "line 2"),
        ("a.jsonl", game(1, 2, result="white", black="a\x01" + 900_000 * "x"), "line 1: black holds control"),
    ],
)
def test_a_fault_names_its_line(name: str, content: bytes, words: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises((FileError, ResultsError), match=words) as caught:
        list(ResultsReader(file))
    assert len(str(caught.value)) < 700
    with pytest.raises((FileError, ResultsError)):
        ResultsWriter(file, ExistingOutput.RESUME)
    assert file.read_bytes() == content


NUMBERS: list[object] = [True, None, [], "nan", -1, "1e999", 10**400]
NAMES = ["a\nb", "a\x1b[31mb", "\ud800", "", " ", "a\u202eb", "a\u2028b", "a" * 101]


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        *(("black_seconds", value, "black_seconds") for value in NUMBERS),
        *(("seed", value, r"seed is .*; it must be a whole number from 0") for value in (*NUMBERS, 7.5, "7.5", "1e3")),
        ("seed", math.nan, "seed is .*"),
        *(("white", value, "^white ") for value in NAMES),
        ("black", "x" * 101, "at most 100 characters"),
        ("start", "XO X", "needed: 64 squares"),
    ],
)
def test_invalid_values_are_refused(key: str, value: object, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        GameRecord.from_values({**asdict(RECORD), key: value})


def test_reasons_are_cleaned_and_shortened_and_round_trip(tmp_path: Path) -> None:
    game = Game.new(RULES)
    record = GameRecord.of(game, ("a", "b"), 1, (0.0, 0.0), ended=(Color.WHITE, "black raised\n\x1b[31m\ud800"))
    assert record.reason == r"black raised \x1b[31m\ud800"
    long = GameRecord.of(game, ("a", "b"), 1, (0.0, 0.0), ended=(Color.WHITE, "raised ValueError: " + 100_000 * "x"))
    assert long.reason.startswith("raised ValueError: x")
    assert len(long.reason) <= 200
    for name in ("games.csv", "games.jsonl"):
        write_results(tmp_path / name, record)
        assert list(ResultsReader(tmp_path / name)) == [record]


def test_a_last_line_without_a_line_break_is_read_in_jsonl(tmp_path: Path) -> None:
    """In a .csv, a truncated last cell looks like a complete one."""
    for name, torn in (("games.jsonl", False), ("games.csv", True)):
        file = tmp_path / name
        write_results(file, replace(RECORD, game=1), replace(RECORD, game=2))
        whole = file.read_bytes()
        file.write_bytes(whole[:-1])
        reader = ResultsReader(file)
        assert [record.game for record in reader] == ([1] if torn else [1, 2])
        assert (reader.is_cut_off, reader.lacks_end) == (torn, not torn)
        write_results(file, RECORD, existing=ExistingOutput.RESUME)
        assert [record.game for record in ResultsReader(file)] == ([1, 3] if torn else [1, 2, 3])


@pytest.mark.parametrize(
    "text",
    [
        'result,black,white,black_points,white_points,comment\r\ndraw,"A, or B",C,32,32,nice\r\n',
        '"result", "black","white","black_points","white_points"\n"draw","A, or B","C",32,32\n',
    ],
)
def test_foreign_files_need_five_columns_only(text: str, tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    file.write_bytes(text.encode())
    (record,) = ResultsReader(file)
    assert (record.black, record.white, record.winner, record.transcript) == ("A, or B", "C", None, "")


MOVES = (
    "f5f4d3c4b5g6g5d2g7e6g4c3e2g3g2e3d6f2f3h5d7g8b3c5e1c8b4b6h6b2"
    "c2c1a6h7f7h2a2e8h4a3c6a5b1f1g1b7c7e7h8h3a8a1a4a7d8d1f6h1b8f8"
)
FIRST_FILES = {
    "games.csv": """\
game,series,black,white,seed,opening_plies,transcript,black_points,white_points,result,reason,black_seconds,white_seconds,\
version,experiment
1,1,random 1,random 2,4883677456897387,0,MOVES,28,36,white,,0.000644,0.00065,0.1.0,5-85ed08f89753
""",
    "games.jsonl": """\
{"game": 1, "series": 1, "black": "random 1", "white": "random 2", "seed": 4883677456897387, "opening_plies": 0, \
"transcript": "MOVES", "black_points": 28, "white_points": 36, "result": "white", "reason": "", \
"black_seconds": 0.000644, "white_seconds": 0.00065, "version": "0.1.0", "experiment": "5-85ed08f89753"}
""",
}


@pytest.mark.parametrize("name", FIRST_FILES)
def test_the_oldest_files_can_still_be_read(name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text(FIRST_FILES[name].replace("MOVES", MOVES))
    (record,) = ResultsReader(file)
    assert (record.game, record.black, record.white, record.result) == (1, "random 1", "random 2", "white")
    assert (record.seed, record.black_points, record.white_points) == (4883677456897387, 28, 36)
    assert (record.black_seconds, record.white_seconds) == (0.000644, 0.00065)
    assert (record.version, record.experiment) == ("0.1.0", "5-85ed08f89753")
    game = parse_transcript(record.transcript, RULES)
    assert game.rules.score(game.position) == (28, 36)


def test_a_record_of_a_game() -> None:
    limits = GameRecord.from_values({**asdict(RECORD), "seed": "9223372036854775807", "black": "x" * 100})
    assert (limits.seed, limits.black) == ((1 << 63) - 1, "x" * 100)
    game = Game.new(RULES, parse_board("-OX" + "-" * 61 + " X"))
    with pytest.raises(ValueError, match="not over"):
        GameRecord.of(game, ("a", "b"), 1, (0.0, 0.0))
    lost = GameRecord.of(game, ("a", "b"), 1, (0.0, 0.0), ended=(Color.WHITE, "did\nnot move"))
    assert (lost.result, lost.reason, lost.replayed()) == ("white", "did not move", game)
    record = GameRecord.of(game.play(Move(0)), ("a", "b"), 7, (0.1, 0.2), game=4)
    assert (record.game, record.result, record.black_points, record.white_points) == (4, "black", 3, 0)
    assert record.transcript == "a1"
    assert json.loads(json.dumps(asdict(record)))["seed"] == 7


def test_a_record_counts_the_moves_that_each_side_chose(tmp_path: Path) -> None:
    game = Game.new(RULES, parse_board("-OX" + "-" * 53 + "XO------ X")).play(Move(0))
    game = game.play(game.legal_moves()[0]).play(Move(58))
    assert game.is_over
    counts = [
        (record.black_moves, record.white_moves)
        for plies in (0, 1)
        for record in [GameRecord.of(game, ("a", "b"), 7, (0.1, 0.2), opening_plies=plies)]
    ]
    assert counts == [(2, 0), (1, 0)]
    for suffix in (".csv", ".jsonl"):
        file = tmp_path / f"games{suffix}"
        write_results(file, RECORD, replace(RECORD, black_moves=2, white_moves=1))
        assert [record.black_moves for record in ResultsReader(file)] == [None, 2]
    old = {name: value for name, value in asdict(RECORD).items() if not name.endswith("_moves")}
    assert GameRecord.from_values(old) == RECORD
    with pytest.raises(ValueError, match=r"black_moves is 1\.5"):
        GameRecord.from_values({**old, "black_moves": 1.5})


def test_a_record_of_a_game_with_its_own_start_replays() -> None:
    game = Game.new(RULES, parse_board("-OX" + "-" * 61 + " X")).play(Move(0))
    record = GameRecord.of(game, ("a", "b"), 7, (0.1, 0.2))
    assert record.start == "-OX" + "-" * 61 + " X"
    assert GameRecord.from_values(asdict(record)).replayed() == game


def test_only_the_file_that_is_locked_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "x"
    file, is_new = open_locked(path)
    assert is_new
    with file:
        path.rename(tmp_path / "y")
        path.write_text("another's")
        remove_locked(file, path)
    assert path.read_text() == "another's"
    file, is_new = open_locked(path)
    with file:
        assert not is_new
        remove_locked(file, path)
    assert not path.exists()
