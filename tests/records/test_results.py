"""Results files: whole lines, whatever happens."""

from __future__ import annotations

import json
import math
import signal
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from othello.config import ExistingOutput
from othello.errors import FileError, OutputError, ResultsError
from othello.game import Game
from othello.records.record import GameRecord
from othello.records.results import ResultsReader, ResultsWriter, check_output
from othello.records.transcript import parse_transcript
from othello.rules.othello import parse_board
from othello.rules.protocol import Color
from tests.positions import RULES

RECORD = GameRecord(
    game=3,
    series=2,
    black='a "b", c',
    white="größer",
    seed=(1 << 53) - 1,
    transcript="f5d6c3",
    black_discs=40,
    white_discs=24,
    result="black",
    black_seconds=0.25,
    white_seconds=1e-06,
)
SUFFIXES = pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".CSV"])


@SUFFIXES
def test_what_is_written_is_read(suffix: str, tmp_path: Path) -> None:
    file = tmp_path / f"games{suffix}"
    with ResultsWriter(file) as writer:
        for number in range(5):
            writer.append(GameRecord(**{**asdict(RECORD), "game": number}))
            assert len(list(ResultsReader(file))) == number + 1, "a record is there as soon as it is written"
    assert list(ResultsReader(file)) == [GameRecord(**{**asdict(RECORD), "game": number}) for number in range(5)]


NAMES = st.text(st.characters(exclude_categories=["Cc", "Cf", "Cs", "Zl", "Zp"]), max_size=100).filter(str.strip)


@given(NAMES, st.booleans())
def test_any_name_survives(tmp_path_factory: pytest.TempPathFactory, name: str, as_csv: bool) -> None:
    file = tmp_path_factory.mktemp("names") / ("games.csv" if as_csv else "games.jsonl")
    record = GameRecord(black=name, white="w", black_discs=1, white_discs=2, result="white")
    with ResultsWriter(file) as writer:
        writer.append(record)
    assert list(ResultsReader(file)) == [record]


def test_two_writers_do_not_mix(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    with ResultsWriter(file) as writer:
        writer.append(RECORD)
        with pytest.raises(OutputError, match="another othello is writing it"):
            ResultsWriter(file, ExistingOutput.RESUME)
        writer.append(RECORD)
    assert len(list(ResultsReader(file))) == 2


@SUFFIXES
def test_a_torn_last_line_is_left_out_and_written_over(suffix: str, tmp_path: Path) -> None:
    file = tmp_path / f"games{suffix}"
    with ResultsWriter(file) as writer:
        writer.append(RECORD)
        writer.append(RECORD)
    whole = file.read_bytes()
    second = whole.index(b"\n", whole.index(b"f5d6c3")) + 1
    for cut in range(second, len(whole) - 1):
        file.write_bytes(whole[:cut])
        reader = ResultsReader(file)
        assert list(reader) == [RECORD]
        assert (reader.torn, reader.end) == (cut > second, second)
        with ResultsWriter(file, ExistingOutput.RESUME) as writer:
            writer.append(RECORD)
        assert file.read_bytes() == whole


@SUFFIXES
def test_a_torn_or_missing_header_is_written_again(suffix: str, tmp_path: Path) -> None:
    file = tmp_path / f"games{suffix}"
    with ResultsWriter(file) as writer:
        writer.append(RECORD)
    whole = file.read_bytes()
    for start in (b"", b"game,se"):
        file.write_bytes(start)
        with ResultsWriter(file, ExistingOutput.RESUME) as writer:
            writer.append(RECORD)
        assert file.read_bytes() == whole


@SUFFIXES
def test_games_are_not_overwritten_unasked(suffix: str, tmp_path: Path) -> None:
    file = tmp_path / f"games{suffix}"
    with ResultsWriter(file):
        pass
    with ResultsWriter(file) as writer:  # no game in it yet
        writer.append(RECORD)
    with pytest.raises(OutputError, match="already holds games"):
        ResultsWriter(file)
    other = replace(RECORD, game=9)
    with ResultsWriter(file, ExistingOutput.OVERWRITE) as writer:
        assert list(ResultsReader(file)) == [RECORD], "nothing is touched before there is something to write"
        writer.append(other)
    assert list(ResultsReader(file)) == [other]


@SUFFIXES
@pytest.mark.parametrize("existing", ExistingOutput)
def test_a_writer_without_records_leaves_everything_as_it_was(
    suffix: str, existing: ExistingOutput, tmp_path: Path
) -> None:
    new, old, link = (tmp_path / f"{name}{suffix}" for name in ("new", "old", "link"))
    link.symlink_to(tmp_path / f"target{suffix}")
    with ResultsWriter(old) as writer:
        writer.append(RECORD)
    whole = old.read_bytes()
    cut = whole + b"3,2,torn"
    old.write_bytes(cut)
    for path in (new, link):
        with ResultsWriter(path, existing):
            assert path.exists()
    if existing is not ExistingOutput.REFUSE:
        with ResultsWriter(old, existing):
            pass
    assert old.read_bytes() == cut
    assert sorted(path.name for path in tmp_path.iterdir()) == [link.name, old.name]
    assert not link.exists()


def test_a_lock_is_taken_before_anything_is_read(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    with ResultsWriter(file) as writer:
        writer.append(RECORD)
    seen = []

    def look(line: int, record: GameRecord) -> None:
        seen.append((line, record))
        with pytest.raises(OutputError, match="another othello is writing it"):
            ResultsWriter(file, ExistingOutput.RESUME)

    with ResultsWriter(file, ExistingOutput.RESUME, look):
        assert seen == [(1, RECORD)]


def test_a_writer_that_is_refused_lets_go(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text("nonsense\n")
    for existing in (ExistingOutput.REFUSE, ExistingOutput.RESUME):
        with pytest.raises((OutputError, ResultsError)):
            ResultsWriter(file, existing)
    with ResultsWriter(file, ExistingOutput.OVERWRITE) as writer:
        writer.append(RECORD)
    assert list(ResultsReader(file)) == [RECORD]


def test_other_columns_are_not_gone_on_with(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    content = "result,black,white,black_discs,white_discs\ndraw,A,B,32,32\n"
    file.write_text(content)
    with pytest.raises(ResultsError, match="line 1: has other columns"):
        ResultsWriter(file, ExistingOutput.RESUME)
    assert file.read_text() == content


CHECKER = """
import sys
from pathlib import Path
from othello.errors import OutputError
from othello.records.results import check_output
print(flush=True)
while True:
    try:
        check_output(Path(sys.argv[1]))
    except OutputError:
        pass
"""


def test_a_check_takes_nothing_away_from_another_process(tmp_path: Path) -> None:
    checker = subprocess.Popen([sys.executable, "-c", CHECKER, str(tmp_path / "a.jsonl")], stdout=subprocess.PIPE)
    assert checker.stdout is not None
    checker.stdout.readline()
    try:
        written = 0
        while written < 200:
            file = tmp_path / "a.jsonl"
            try:
                writer = ResultsWriter(file)
            except OutputError:
                continue  # it was looking at the file just then
            with writer:
                writer.append(RECORD)
                assert list(ResultsReader(file)) == [RECORD]
            assert list(ResultsReader(file)) == [RECORD]
            file.unlink()
            written += 1
    finally:
        checker.kill()
        checker.communicate()


@SUFFIXES
def test_not_even_a_few_bytes_of_something_else_are_overwritten_unasked(suffix: str, tmp_path: Path) -> None:
    file = tmp_path / f"games{suffix}"
    file.write_text("a,b\n")
    with pytest.raises(OutputError, match="something else"):
        ResultsWriter(file)
    assert file.read_text() == "a,b\n"


def test_a_link_to_a_file_that_is_not_there_yet_stays_a_link(tmp_path: Path) -> None:
    link, target = tmp_path / "link.jsonl", tmp_path / "games.jsonl"
    link.symlink_to(target)
    check_output(link)
    assert link.is_symlink()
    assert not target.exists()


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.jsonl", b"{}\n", "line 1: black is missing"),
        (
            "a.jsonl",
            b'{"black":"a","white":"b","black_discs":21,"white_discs":43,"result":"draw"}\n',
            "line 1: result is draw, which 21 and 43 discs contradict",
        ),
        (
            "a.jsonl",
            b'{"black":"a","white":"b","black_discs":43,"white_discs":21,"result":"black","rules":"goal=fewest"}\n',
            "line 1: result is black, which 43 and 21 discs contradict",
        ),
        (
            "a.jsonl",
            b'{"black":"a","white":"b","black_discs":43,"white_discs":21,"result":"black","rules":"goal=none"}\n',
            "line 1: rules.goal: is",
        ),
        ("a.jsonl", b"[]\n", "line 1"),
        ("a.jsonl", b"\x00\x00\n", "line 1"),
        ("a.jsonl", b"\xff\n", "line 1: byte 0xff is not UTF-8"),
        ("a.jsonl", b"[" * 100_000 + b"\n", "line 1: lists and objects are nested too deeply"),
        ("a.jsonl", b'{"black": ' + b"9" * 5000 + b"}\n", "line 1: a number has too many digits"),
        ("a.csv", b"black;white;black_discs;white_discs;result\n", "line 1: not a results file"),
        ("a.csv", b"black,white,black_discs,white_discs,result\n,b,1,2,draw\n", "line 2: black is empty"),
        ("a.csv", b"black,white,black_discs,white_discs,result\na,b\x1b[31m,1,2,draw\n", "line 2: white holds control"),
        (
            "a.csv",
            b"black,white,black_discs,white_discs,result\na,b,1.5,2,draw\n",
            'line 2: black_discs is "1.5"',
        ),
        ("a.csv", b"name,age\n", "line 1: not a results file"),
        ("a.csv", b"a" * 200_000 + b",b\n", "line 1: not CSV: field larger"),
        ("a.jsonl", b" " * (1 << 20) + b"{}\n", "line 1: longer than 1048576 bytes"),
        ("a.csv", b"black,white,black_discs,white_discs,result\na,b,1\n", "line 2: 3 columns"),
        ("a.csv", b"black,white,black_discs,white_discs,result\na,b,1,2,won\n", 'line 2: result is "won"'),
        ("a.csv", b"black,white,black_discs,white_discs,result\na,b,x,2,draw\n", "line 2"),
        ("a.csv", b"black,white,black_discs,white_discs,result\na,b,60,9,draw\n", "line 2"),
        ("a.csv", b"black,white,black_discs,white_discs,result\na,b,-1,9,draw\n", "line 2"),
    ],
)
def test_damage_is_told_with_its_line(name: str, content: bytes, words: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises((FileError, ResultsError), match=words):
        list(ResultsReader(file))
    with pytest.raises((FileError, ResultsError)):
        ResultsWriter(file, ExistingOutput.RESUME)
    assert file.read_bytes() == content


@pytest.mark.parametrize("value", [True, None, [], "nan", -1, "1e999", 10**400])
def test_numbers_are_numbers(value: object) -> None:
    for name in ("black_seconds", "seed"):
        with pytest.raises(ValueError, match=name):
            GameRecord.from_values({**asdict(RECORD), name: value})


@pytest.mark.parametrize("value", [7.5, "7.5", "1e3", math.nan])
def test_whole_numbers_are_whole(value: object) -> None:
    with pytest.raises(ValueError, match=r"seed is .*; it must be a whole number from 0"):
        GameRecord.from_values({**asdict(RECORD), "seed": value})
    assert GameRecord.from_values({**asdict(RECORD), "seed": "9223372036854775807"}).seed == (1 << 63) - 1


@pytest.mark.parametrize("name", ["a\nb", "a\x1b[31mb", "\ud800", "", " ", "a\u202eb", "a\u2028b", "a" * 101])
def test_names_are_text_that_can_be_written(name: str) -> None:
    with pytest.raises(ValueError, match=r"^white "):
        GameRecord.from_values({**asdict(RECORD), "white": name})


def test_what_a_player_raises_is_kept_in_short() -> None:
    reason = "raised ValueError: " + 100_000 * "x"
    record = GameRecord.of(Game.new(RULES), ("a", "b"), 1, (0.0, 0.0), forfeit=(Color.BLACK, reason))
    assert record.reason.startswith("raised ValueError: x")
    assert len(record.reason) <= 200


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no /dev/zero")
@SUFFIXES
def test_a_device_is_no_results_file(suffix: str, tmp_path: Path) -> None:
    link = tmp_path / f"games{suffix}"
    link.symlink_to("/dev/zero")
    with pytest.raises(FileError, match="is a device or a pipe"):
        list(ResultsReader(link))


def test_a_message_names_a_long_value_in_short(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(json.dumps({**asdict(RECORD), "black": "a\x01" + 900_000 * "x"}) + "\n")
    with pytest.raises(ResultsError, match="line 1: black holds control characters") as caught:
        list(ResultsReader(file))
    assert len(str(caught.value)) < 700


def test_what_a_player_raises_can_be_read_again(tmp_path: Path) -> None:
    game = Game.new(RULES)
    record = GameRecord.of(game, ("a", "b"), 1, (0.0, 0.0), forfeit=(Color.BLACK, "black raised\n\x1b[31m\ud800"))
    assert record.reason == r"black raised \x1b[31m\ud800"
    for name in ("games.csv", "games.jsonl"):
        with ResultsWriter(tmp_path / name) as writer:
            writer.append(record)
        assert list(ResultsReader(tmp_path / name)) == [record]


def test_a_last_line_that_lacks_its_end_alone_counts_in_jsonl(tmp_path: Path) -> None:
    """In a .csv, a last cell that is cut off cannot be told from a whole one."""
    for name, torn in (("games.jsonl", False), ("games.csv", True)):
        file = tmp_path / name
        with ResultsWriter(file) as writer:
            writer.append(replace(RECORD, game=1))
            writer.append(replace(RECORD, game=2))
        whole = file.read_bytes()
        file.write_bytes(whole[:-1])
        reader = ResultsReader(file)
        assert [record.game for record in reader] == ([1] if torn else [1, 2])
        assert (reader.torn, reader.lacks_end) == (torn, not torn)
        with ResultsWriter(file, ExistingOutput.RESUME) as writer:
            writer.append(RECORD)
        assert [record.game for record in ResultsReader(file)] == ([1, 3] if torn else [1, 2, 3])


def test_files_of_others_need_five_columns_only(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    file.write_bytes(b"result,black,white,black_discs,white_discs,comment\r\ndraw,A,B,32,32,nice\r\n")
    (record,) = ResultsReader(file)
    assert (record.black, record.winner, record.transcript) == ("A", None, "")


MOVES = (
    "f5f4d3c4b5g6g5d2g7e6g4c3e2g3g2e3d6f2f3h5d7g8b3c5e1c8b4b6h6b2"
    "c2c1a6h7f7h2a2e8h4a3c6a5b1f1g1b7c7e7h8h3a8a1a4a7d8d1f6h1b8f8"
)
FIRST_FILES = {
    "games.csv": """\
game,series,black,white,seed,opening_plies,transcript,black_discs,white_discs,result,reason,black_seconds,white_seconds,\
version,experiment
1,1,random 1,random 2,4883677456897387,0,MOVES,28,36,white,,0.000644,0.00065,0.1.0,5-85ed08f89753
""",
    "games.jsonl": """\
{"game": 1, "series": 1, "black": "random 1", "white": "random 2", "seed": 4883677456897387, "opening_plies": 0, \
"transcript": "MOVES", "black_discs": 28, "white_discs": 36, "result": "white", "reason": "", \
"black_seconds": 0.000644, "white_seconds": 0.00065, "version": "0.1.0", "experiment": "5-85ed08f89753"}
""",
}
"""What the first programs with results files wrote."""


@pytest.mark.parametrize("name", FIRST_FILES)
def test_the_oldest_files_can_still_be_read(name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text(FIRST_FILES[name].replace("MOVES", MOVES))
    (record,) = ResultsReader(file)
    assert (record.game, record.black, record.white, record.result) == (1, "random 1", "random 2", "white")
    assert (record.seed, record.black_discs, record.white_discs) == (4883677456897387, 28, 36)
    assert (record.black_seconds, record.white_seconds) == (0.000644, 0.00065)
    assert (record.version, record.experiment) == ("0.1.0", "5-85ed08f89753")
    game = parse_transcript(record.transcript, RULES)
    assert game.rules.score(game.position) == (28, 36)


def test_headers_may_be_quoted(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    file.write_bytes(b'"result", "black","white","black_discs","white_discs"\n"draw","A, or B","C",32,32\n')
    (record,) = ResultsReader(file)
    assert (record.black, record.white) == ("A, or B", "C")


def test_a_check_leaves_no_trace(tmp_path: Path) -> None:
    check_output(tmp_path / "new.csv")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "folder.csv").mkdir()
    for name in ("folder.csv", "absent/new.csv", "new.txt"):
        with pytest.raises(OutputError, match="output_file"):
            check_output(tmp_path / name)


def test_a_full_disk_is_an_error_that_can_be_read(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    link = tmp_path / "games.jsonl"
    link.symlink_to("/dev/full")
    with ResultsWriter(link) as writer, pytest.raises(OutputError, match="No space left"):
        writer.append(RECORD)


def test_a_record_of_a_game() -> None:
    game = Game.new(RULES, parse_board("-OX" + "-" * 61 + " X"))
    with pytest.raises(ValueError, match="not over"):
        GameRecord.of(game, ("a", "b"), 1, (0.0, 0.0))
    lost = GameRecord.of(game, ("a", "b"), 1, (0.0, 0.0), forfeit=(Color.BLACK, "did\nnot move"))
    assert (lost.result, lost.reason) == ("white", "did not move")
    record = GameRecord.of(game.play(0), ("a", "b"), 7, (0.1, 0.2), game=4)
    assert (record.game, record.result, record.black_discs, record.white_discs) == (4, "black", 3, 0)
    assert record.transcript == "a1"
    assert json.loads(json.dumps(asdict(record)))["seed"] == 7


def test_the_transcript_of_a_record_replays() -> None:
    rules = RULES
    game = parse_transcript("f5d6c3d3c4", rules)
    lost = GameRecord.of(game, ("a", "b"), 1, (0.0, 0.0), forfeit=(Color.WHITE, "late"))
    assert parse_transcript(lost.transcript, rules) == lost.replayed() == game


def test_a_record_of_a_game_from_elsewhere_replays() -> None:
    game = Game.new(RULES, parse_board("-OX" + "-" * 61 + " X")).play(0)
    record = GameRecord.of(game, ("a", "b"), 7, (0.1, 0.2))
    assert record.start == "-OX" + "-" * 61 + " X"
    assert GameRecord.from_values(asdict(record)).replayed() == game
    with pytest.raises(ValueError, match="needed are 64 squares"):
        GameRecord.from_values({**asdict(record), "start": "XO X"})


def test_a_line_that_fits_only_in_part_is_taken_back(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource", reason="limits of the file size are set otherwise here")
    file = tmp_path / "games.jsonl"
    with ResultsWriter(tmp_path / "one.jsonl") as writer:
        writer.append(RECORD)
    whole = 1000 // (tmp_path / "one.jsonl").stat().st_size
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
        with ResultsWriter(file) as writer:
            for _ in range(whole):
                writer.append(RECORD)
            with pytest.raises(OutputError, match="too large"):
                writer.append(RECORD)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    reader = ResultsReader(file)
    assert list(reader) == [RECORD] * whole
    assert not reader.torn
