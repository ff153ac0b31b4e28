"""Results files: written, read, converted, of older versions and of other programs."""

import errno
import json
import re
import signal
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import pytest
from hypothesis import given, strategies as st

from othello import files
from othello.config import Config, ExistingOutput, TournamentConfig
from othello.errors import FileError, OutputError, ResultsError
from othello.game import Game
from othello.play.referee import Fault
from othello.players.player_registry import configure
from othello.records.formats.parsed_game import MoveInfo, ParsedGame, search_words, searched
from othello.records.readers import read_games
from othello.records.record import FAULTS, GameRecord
from othello.records.results import ResultsReader, ResultsWriter, check_output
from othello.records.transcript import parse_transcript
from othello.rules.protocol import Color, Move
from othello.tournament.executor import SerialExecutor
from othello.tournament.experiment import Experiment
from tests.command_line import CommandLine
from tests.positions import RULES, SPEC, parse_board
from tests.results_files import RECORD, write_results


@pytest.fixture(params=[".csv", ".jsonl", ".CSV"])
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return tmp_path / f"games{request.param}"


def test_results_round_trip(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.fsync", synced := Mock())
    with ResultsWriter(file) as writer:
        for number in range(5):
            monkeypatch.setattr("othello.records.results._SYNC_SECONDS", -1.0 if number > 2 else 1000.0)
            writer.append(replace(RECORD, game=number))
            assert len(list(ResultsReader(file))) == number + 1, "a record is there as soon as it is written"
    assert synced.call_count == 2 + 1, "at the end, too"
    assert list(ResultsReader(file)) == [replace(RECORD, game=number) for number in range(5)]


NAMES = st.text(st.characters(exclude_categories=["Cc", "Cf", "Cs", "Zl", "Zp"]), max_size=100).filter(str.strip)


@given(NAMES, st.booleans())
def test_any_name_survives(tmp_path_factory: pytest.TempPathFactory, name: str, as_csv: bool) -> None:
    file = tmp_path_factory.mktemp("names") / ("games.csv" if as_csv else "games.jsonl")
    record = GameRecord(black=name, white="w", black_points=1, white_points=2, result="white")
    write_results(file, record)
    assert list(ResultsReader(file)) == [record]


def test_a_torn_last_line_is_left_out_and_written_over(file: Path) -> None:
    write_results(file, RECORD, RECORD)
    whole = file.read_bytes()
    second = whole.index(b"\n", whole.index(b"f5d6c3")) + 1
    for cut in (*range(second, len(whole) - 1, 5), len(whole) - 2):
        file.write_bytes(whole[:cut])
        reader = ResultsReader(file)
        assert list(reader) == [RECORD]
        assert (reader.is_cut_off, reader.end) == (cut > second, second)
        write_results(file, RECORD, existing=ExistingOutput.RESUME)
        assert file.read_bytes() == whole
    for start in (b"", b"game,se"):  # of a header
        file.write_bytes(start)
        write_results(file, RECORD, RECORD, existing=ExistingOutput.RESUME)
        assert file.read_bytes() == whole


def test_foreign_files_are_only_overwritten_on_request(tmp_path: Path) -> None:
    file, five_columns = tmp_path / "games.csv", "result,black,white,black_points,white_points\ndraw,A,B,32,32\n"
    for content, existing, words in (
        ("a,b\n", ExistingOutput.REFUSE, "other data"),
        (five_columns, ExistingOutput.RESUME, "has other columns"),
        ("nonsense\n", ExistingOutput.RESUME, "line 1"),
    ):
        file.write_text(content)
        with pytest.raises((OutputError, ResultsError), match=words):
            ResultsWriter(file, existing)
        assert file.read_text() == content
        write_results(file, RECORD, existing=ExistingOutput.OVERWRITE)  # the refused writer has released its lock
        assert list(ResultsReader(file)) == [RECORD]


def test_games_are_only_overwritten_on_request(file: Path) -> None:
    write_results(file)
    write_results(file, RECORD)  # no game is in the file yet
    with pytest.raises(OutputError, match="already contains games"):
        ResultsWriter(file)
    other = replace(RECORD, game=9)
    with ResultsWriter(file, ExistingOutput.OVERWRITE) as writer:
        assert list(ResultsReader(file)) == [RECORD], "nothing is touched before there is something to write"
        writer.append(other)
    assert list(ResultsReader(file)) == [other]


@pytest.mark.parametrize("existing", ExistingOutput)
def test_a_writer_without_records_changes_no_file(file: Path, existing: ExistingOutput, tmp_path: Path) -> None:
    new, old, link = (file.with_stem(name) for name in ("new", "old", "link"))
    link.symlink_to(file.with_stem("target"))
    write_results(old, RECORD)
    cut = old.read_bytes() + b"3,2,torn"
    old.write_bytes(cut)
    for path in (new, link):
        with ResultsWriter(path, existing):
            assert path.exists()
    if existing is not ExistingOutput.REFUSE:
        write_results(old, existing=existing)
    assert old.read_bytes() == cut
    assert sorted(path.name for path in tmp_path.iterdir()) == [link.name, old.name]
    assert not link.exists()


def test_a_file_is_locked_before_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    write_results(file, RECORD)
    seen = []

    def look(line: int, record: GameRecord) -> None:
        seen.append((line, record))
        for use in (check_output, partial(ResultsWriter, existing=ExistingOutput.RESUME)):
            with pytest.raises(OutputError, match="another program is using it"):
                use(file)

    with ResultsWriter(file, ExistingOutput.RESUME, look):
        assert seen == [(1, RECORD)]


def test_other_programs_may_write_move_or_remove_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, lock = tmp_path / "a.jsonl", files._lock
    monkeypatch.setattr(files, "_lock", lambda _: path.write_bytes(b"{}\n"))
    with pytest.raises(OutputError):
        check_output(path)
    assert path.read_bytes() == b"{}\n"
    monkeypatch.setattr(files, "_lock", lock)
    with ResultsWriter(tmp_path / "b.jsonl"):
        (tmp_path / "b.jsonl").rename(tmp_path / "c.jsonl")
        (tmp_path / "b.jsonl").write_text("another's")
    assert (tmp_path / "b.jsonl").read_text() == "another's"
    removed = [path.unlink, path.unlink]
    monkeypatch.setattr(files, "_lock", lambda file: lock(file) if not removed else removed.pop()())
    with ResultsWriter(path) as writer:
        writer.append(RECORD)
    assert list(ResultsReader(path)) == [RECORD]


def test_a_check_leaves_no_file_and_keeps_links(tmp_path: Path) -> None:
    check_output(tmp_path / "new.csv")
    assert list(tmp_path.iterdir()) == []
    link = tmp_path / "link.jsonl"
    link.symlink_to(tmp_path / "games.jsonl")
    check_output(link)
    assert [*tmp_path.iterdir()] == [link]
    (tmp_path / "folder.csv").mkdir()
    for name in ("folder.csv", "absent/new.csv", "new.txt"):
        with pytest.raises(OutputError, match=r"cannot be written|unknown ending"):
            check_output(tmp_path / name)


def test_a_full_disk_at_the_first_game_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.csv"
    with ResultsWriter(path) as writer, monkeypatch.context() as patch:
        full = Mock(wraps=writer._file)
        full.write.side_effect = OSError(errno.ENOSPC, "full")
        patch.setattr(writer, "_file", full)
        with pytest.raises(OutputError, match="the disk is full"):
            writer.append(replace(RECORD, setup={"sprt": {"elo0": 0}}))
    assert (path.exists(), writer._written) == (False, {}), "the next game has the settings"


def test_a_line_that_fits_only_in_part_is_removed(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource", reason="limits of the file size are set otherwise here")
    file = tmp_path / "games.jsonl"
    write_results(tmp_path / "one.jsonl", RECORD)
    whole = 1000 // (tmp_path / "one.jsonl").stat().st_size
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
        with pytest.raises(OutputError, match="too large"):
            write_results(file, *[RECORD] * (whole + 1))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    reader = ResultsReader(file)
    assert (list(reader), reader.is_cut_off) == ([RECORD] * whole, False)


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
        ("a.jsonl", game(43, 21, result="black", rules="goal=fewest"), "line 1: result is black, which 43 and 21"),
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
        ("a.jsonl", game(1, 2, result="white", black="x" * 101), "a name has at most 100 characters"),
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


@pytest.mark.parametrize("key", ["black_seconds", "seed"])
def test_numbers_beyond_every_range_are_refused(key: str) -> None:
    with pytest.raises(ValueError, match=f"^{key} is .*; it must be a "):
        GameRecord.from_values({**asdict(RECORD), key: 10**400})


def test_reasons_are_cleaned_and_shortened_and_round_trip(tmp_path: Path) -> None:
    game = Game.new(RULES)
    record = GameRecord.of(game, ("a", "b"), 1, (0.0, 0.0), ended=(Color.WHITE, "black raised\n\x1b[31m\ud800"))
    assert record.reason == r"black raised \x1b[31m\ud800"
    long = GameRecord.of(game, ("a", "b"), 1, (0.0, 0.0), ended=(Color.WHITE, "raised ValueError: " + 100_000 * "x"))
    assert (long.reason[:20], len(long.reason)) == ("raised ValueError: x", 199)
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


def test_foreign_files_need_five_columns_only(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    for text in (
        'result,black,white,black_points,white_points,comment\r\ndraw,"A, or B",C,32,32,nice\r\n',
        '"result", "black","white","black_points","white_points"\n"draw","A, or B","C",32,32\n',
    ):
        file.write_bytes(text.encode())
        (record,) = ResultsReader(file)
        assert (record.black, record.white, record.winner, record.transcript) == ("A, or B", "C", None, "")


OLDEST: dict[str, object] = {
    **{"game": 1, "series": 1, "black": "random 1", "white": "random 2", "seed": 4883677456897387, "opening_plies": 0},
    "transcript": "f5f4d3c4b5g6g5d2g7e6g4c3e2g3g2e3d6f2f3h5d7g8b3c5e1c8b4b6h6b2"
    "c2c1a6h7f7h2a2e8h4a3c6a5b1f1g1b7c7e7h8h3a8a1a4a7d8d1f6h1b8f8",
    **{"black_points": 28, "white_points": 36, "result": "white", "reason": ""},
    **{"black_seconds": 0.000644, "white_seconds": 0.00065, "version": "0.1.0", "experiment": "5-85ed08f89753"},
}


def test_the_oldest_files_can_still_be_read(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(f"{','.join(OLDEST)}\n{','.join(map(str, OLDEST.values()))}\n")
    (tmp_path / "a.jsonl").write_text(json.dumps(OLDEST) + "\n")
    for file in tmp_path.iterdir():
        (record,) = ResultsReader(file)
        assert {name: getattr(record, name) for name in OLDEST} == OLDEST
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
    game = game.play(Move(0))
    record = GameRecord.of(game, ("a", "b"), 7, (1 / 3, 2 / 3), game=4)
    assert (record.game, record.result, record.black_points, record.white_points) == (4, "black", 3, 0)
    assert (record.black_seconds, record.white_seconds, record.black_moves) == (0.333333, 0.666667, 1)
    assert (record.transcript, record.start) == ("a1", "-OX" + "-" * 61 + " X")
    assert GameRecord.from_values(asdict(record)).replayed() == game
    assert json.loads(json.dumps(asdict(record)))["seed"] == 7


def test_a_record_counts_the_moves_that_each_side_chose(tmp_path: Path) -> None:
    game = Game.new(RULES, parse_board("-OX" + "-" * 53 + "XO------ X")).play(Move(0))
    game = game.play(game.legal_moves()[0]).play(Move(58))
    assert game.is_over
    whole, played = (GameRecord.of(game, ("a", "b"), 7, (0.1, 0.2), opening_plies=plies) for plies in (0, 1))
    assert [(record.black_moves, record.white_moves) for record in (whole, played)] == [(2, 0), (1, 0)]
    for file in (tmp_path / "games.csv", tmp_path / "games.jsonl"):
        write_results(file, RECORD, replace(RECORD, black_moves=2, white_moves=1))
        assert [record.black_moves for record in ResultsReader(file)] == [None, 2]
    old = {name: value for name, value in asdict(RECORD).items() if not name.endswith("_moves")}
    assert GameRecord.from_values(old) == RECORD
    with pytest.raises(ValueError, match=r"black_moves is 1\.5"):
        GameRecord.from_values({**old, "black_moves": 1.5})


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> list[GameRecord]:
    file = tmp_path_factory.mktemp("played") / "games.jsonl"
    players = configure("engine", name="Deep", depth=2), configure("mcts_uct", name="Wide", simulation_count=20)
    paired = TournamentConfig("paired", opening_plies=4)
    config = Config(players, "tournament", 1, 7, output_file=file, tournament=paired)
    assert [*Experiment(config).play(SerialExecutor())]
    return list(ResultsReader(file))


def parsed_games_of(file: Path) -> list[ParsedGame]:
    found = [each for each in read_games(file, SPEC) if isinstance(each, ParsedGame)]
    assert len(found) == len([*read_games(file, SPEC)])
    return found


def test_records_have_value_depth_and_time_of_every_move(records: list[GameRecord]) -> None:
    for record in records:
        values = record.searches.split()
        assert len(values) == len(record.transcript) // 2
        assert values[:4] == ["-"] * 4, "the opening was drawn"
        deep = values[4:][0 if record.black == "Deep" else 1]
        assert re.fullmatch(r"[-+]\d+\.\d\d/[1-9]\d*/\d+\.\d{3}", deep)
        assert all(each == "-" or each.count("/") == 2 for each in values)
        assert any("%/" in each for each in values), "the other player counts wins"


@pytest.mark.parametrize("source", ["games.jsonl", "games.csv", "renamed.txt"])
@pytest.mark.parametrize("target", ["all.pgn", "all.ggf", "all.sgf", "all.txt", "all.othello.json"])
def test_results_convert(records: list[GameRecord], tmp_path: Path, source: str, target: str, cli: CommandLine) -> None:
    file, out = tmp_path / source, tmp_path / target
    written = tmp_path / ("games.csv" if source.endswith("csv") else "games.jsonl")
    write_results(written, *records)
    written.rename(file)
    cli("convert", file, out)
    for record, parsed in zip(records, parsed_games_of(out), strict=True):
        assert bytes(parsed.moves) == bytes(record.replayed().moves)
        if target == "all.txt":
            continue
        assert parsed.players == (record.black, record.white)
        assert parsed.date[:10] == record.date[:10]
        assert parsed.event == file.stem
        assert parsed.difference == record.black_points - record.white_points
        if target != "all.sgf":
            values = [detail for detail in parsed.all_details if detail.seconds is not None]
            assert any(detail.value is not None for detail in values)
            assert target != "all.pgn" or any("%" in detail.note for detail in values), "values of UCT"
            if target != "all.ggf":
                assert any(detail.depth for detail in values)


@pytest.mark.parametrize(
    ("reason", "fault"),
    [
        ("white resigned", "resigned"),
        ("white has run out of time", "out_of_time"),
        ("white took 3.00 s for a move; 1 s are allowed", "too_slow"),
        ("white hangs; 1 s per move are allowed", "hangs"),
        ("white failed: it said nonsense", "failed"),
    ],
)
def test_a_results_file_keeps_forfeits(records: list[GameRecord], tmp_path: Path, reason: str, fault: str) -> None:
    file = tmp_path / "games.jsonl"
    moves = records[0].transcript[:20]
    write_results(file, replace(records[0], transcript=moves, result="black", reason=reason, fault=fault))
    (parsed,) = parsed_games_of(file)
    assert parsed.result == {"winner": "black", "fault": fault}
    assert [each.name.lower() for each in Fault] == [*FAULTS]


@pytest.mark.parametrize(
    ("note", "detail"),
    [
        ("+3.20/12 0.034s", MoveInfo(3.2, 0.034, depth=12)),
        ("-0.50", MoveInfo(-0.5)),
        ("1.500s a good move", MoveInfo(None, 1.5, "a good move")),
        ("+3.20/12 0.034s well done", MoveInfo(3.2, 0.034, "well done", 12)),
        ("+3 is better", MoveInfo(note="+3 is better")),
        ("3.200 seconds", MoveInfo(note="3.200 seconds")),
        ("", MoveInfo()),
    ],
)
def test_search_comments_as_chess_programs_write_them(note: str, detail: MoveInfo) -> None:
    assert searched(note) == detail
    assert f"{search_words(detail)} {detail.note}".strip() == note


def test_damaged_searches_are_left_out(records: list[GameRecord], tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    write_results(file, replace(records[0], searches="- +1e9/x/y 5 // /3/ +2.00/4/1.25"))
    (parsed,) = parsed_games_of(file)
    assert parsed.start is None
    assert [*parsed.details][:6] == [*[MoveInfo()] * 4, MoveInfo(depth=3), MoveInfo(2.0, 1.25, "", 4)]
