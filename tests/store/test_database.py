"""The store: its counts agree with a slow count, and it recovers from interruption and damage."""

import contextlib
import errno
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from statistics import mean
from types import SimpleNamespace
from unittest.mock import Mock

import pytest

from othello import files as lock
from othello.config import ExistingOutput
from othello.errors import FileError, OutputError, StoreError
from othello.game import AnyGame, Game, GameTree
from othello.records.formats.parsed_game import ParsedGame
from othello.records.game_file import GameFile, PositionData
from othello.records.openings import opening_name_of
from othello.records.readers import WRITTEN, read_game, read_games
from othello.records.record import GameRecord
from othello.records.transcript import parse_transcript
from othello.resources import asset
from othello.rules.protocol import Move, Position
from othello.rules.registry import game_spec, rules_of
from othello.store import database, game_rows, store_file
from othello.store.database import ALL, SHIPPED, GameFilter, Source, Store
from othello.store.import_job import ImportProgress
from othello.study.explorer import Explorer, ExplorerQuery
from tests.command_line import CommandLine
from tests.positions import RULES, SPEC, START, image_of_move
from tests.published import played_games
from tests.results_files import write_results
from tests.waiting import wait_until

_LEAF = 13  # type of a page with the rows of a table
EIGHT = [[image_of_move(Move(square), image) for square in range(64)] for image in range(8)]
GAMES: list[AnyGame] = [  # tournament games in the orientations that have the same start
    Game.new(RULES).after(image_of_move(move, (0, 2, 6, 7)[number % 4]) for move in parse_transcript(text, RULES).moves)
    for number, (_, text) in enumerate(played_games()[:12])
]
PLAYERS = [(f"Ann {number % 3}", f"Bob {number % 2}") for number in range(len(GAMES))]
Counts = dict[object, tuple[float, ...]]
"""By position after a move: games, black's wins, draws, white's wins and mean disc lead."""


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    played = zip(GAMES, PLAYERS, strict=True)
    parsed_games = [ParsedGame(RULES, game.moves, players=pair, date="1996", event="Open") for game, pair in played]
    path = tmp_path / "games_1996.wtb"
    WRITTEN[".wtb"].save(path, parsed_games)
    return path


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """Return a store with small transactions."""
    for name, n in (("import_job._BATCH", 3), ("import_job._TOLD", 1), ("game_rows.FULL", 6), ("game_rows._CHUNK", 64)):
        monkeypatch.setattr(f"othello.store.{name}", n)
    with closing(Store(tmp_path / "store.sqlite")) as opened:
        yield opened


@cache
def plain(position: Position) -> tuple[object, ...]:
    """Return a key that is equal for the eight images of a position, computed square by square."""
    marks = [-1 if mark is None else int(mark) for mark in RULES.owners(position)]
    return position.to_move, min(tuple(marks[square] for square in image) for image in EIGHT)


def counted(position: Position, wanted: set[int]) -> Counts:
    """Count one game after the other."""
    leads: dict[object, list[int]] = {}
    for game in (GAMES[number] for number in wanted):
        assert game.outcome is not None
        black, white = game.outcome.counted
        for before, after in pairwise(game.positions):
            if RULES.moves_made(before) == RULES.moves_made(position) and plain(before) == plain(position):
                leads.setdefault(plain(after), []).append(black - white)
    return {
        after: (len(all_), *(sum((lead > 0) - (lead < 0) == sign for lead in all_) for sign in (1, 0, -1)), mean(all_))
        for after, all_ in leads.items()
    }


def moves_in(store: Store) -> list[bytes]:
    return [bytes(parsed.moves) for parsed in store.parsed_games() if isinstance(parsed, ParsedGame)]


def assert_counts(store: Store, games: set[int] | None = None, wanted: GameFilter = ALL) -> None:
    numbers = set(range(len(GAMES))) if games is None else games
    for position in (*GAMES[0].positions[:20], *GAMES[5].positions[:12], *GAMES[7].positions[::9]):
        assert {
            plain(RULES.play(position, each.move)): (each.games, each.black, each.draws, each.white, each.discs or 0.0)
            for each in store.played(SPEC, position, wanted)
        } == {after: pytest.approx(counts) for after, counts in counted(position, numbers).items()}


def test_counts_equal_a_slow_count(store: Store, archive: Path) -> None:
    source = store.add([archive])
    assert store.connection.execute("SELECT games FROM segments").fetchall() == [(6,), (6,)]
    assert (source.name, source.games, source.first_year) == ("games", len(GAMES), 1996)
    assert_counts(store)
    entries, _ = game_rows.entries_of([ParsedGame(RULES, game.moves) for game in GAMES])
    assert entries["ply"].tolist() == [ply for game in GAMES for ply in range(game.ply + 1)]
    ann = {number for number, (name, _) in enumerate(PLAYERS) if name == "Ann 1"}
    assert_counts(store, ann, GameFilter(player="1 ann"))
    black = {number for number, game in enumerate(GAMES) if game.outcome and game.outcome.difference > 0}
    assert_counts(store, black, GameFilter(result="black", years=(1996, 1996)))
    assert not store.played(SPEC, START, GameFilter(years=(1997, 2000)))
    assert not store.played(SPEC, START, GameFilter(sources=frozenset()))
    assert [move.move for move in store.played(SPEC, START)] == [RULES.parse_move(START, "f5")]


def test_games_are_found_and_are_whole(store: Store, archive: Path) -> None:
    source = store.add([archive])
    position = GAMES[3].positions[30]
    line = next(line for line in store.games(SPEC, position, ALL, 0, 100) if line.black == PLAYERS[3][0])
    assert RULES.play(position, line.move or Move(0)) == GAMES[3].positions[31]
    assert store.game(line.number).tree.game.positions[30] in GAMES[3].positions
    assert len(store.games(SPEC, START, ALL, 10, 2)) == 2
    assert [found.black for found in store.search(GameFilter(player="ANN 2"), 0, 100)] == ["Ann 2"] * 4
    assert moves_in(store) == [bytes(game.moves) for game in GAMES]
    store.close()
    size = store.path.stat().st_size
    store.remove(source.number)
    assert (store.sources(), store.played(SPEC, START), store.search(ALL, 0, 1)) == ((), (), ())
    assert store.path.stat().st_size < size


def test_an_interrupted_import_continues(store: Store, archive: Path) -> None:
    """After a stop or a crash, reading continues, and no game is lost or duplicated."""
    seen: list[ImportProgress] = []
    assert store.add([archive], "A", seen.append, lambda: len(seen) > 3).games == 4
    with pytest.raises(KeyboardInterrupt):
        store.add([archive], "A", Mock(side_effect=KeyboardInterrupt))
    with Store(store.path) as other:
        assert other.add([archive], "A", seen.append).games == len(GAMES)
        assert [each.games for each in seen if each.file == archive.name] == [*range(1, 13), 12], "all games count"
        assert other.add([archive], "A").games == len(GAMES)
    assert_counts(store)


def test_a_file_without_games_stops_no_other_file(store: Store, archive: Path) -> None:
    readme, left_out = archive.parent / "A readme", list[Path]()
    readme.write_text("These are games.")
    source = store.add([archive, readme, archive], fault=lambda path, _: left_out.append(path))
    assert (source.games, left_out) == (len(GAMES), [readme])
    (archive.parent / "cup.ggf").write_text("(;GM[Othello]TY[8]B[A1];)\n(;GM[Othello]TY[8]B[F5];)")
    explorer = Explorer(lambda: store)
    for path in (archive.parent / "cup.ggf", readme):
        assert explorer.failure is None
        explorer.add([path])
        wait_until(lambda: explorer.progress is None)
    assert "A readme" in str(explorer.failure), "a file without a game is a failure, a faulty game is not"
    explorer.close()


def test_an_answer_that_began_before_an_import_ends_is_not_the_last() -> None:
    before, after = ((Source(number, "A", "archive"),) for number in (1, 2))

    def sources() -> tuple[Source, ...]:
        if explorer.answer is not None:
            return after
        explorer.refresh()  # as at the end of an import
        return before

    explorer = Explorer(lambda: Mock(notice="repaired", sources=sources))
    question = ExplorerQuery(SPEC, START, is_of_people=True)
    explorer.ask(question)
    wait_until(lambda: explorer.answer)
    explorer.ask(question)
    wait_until(lambda: explorer.failure and explorer.answer and explorer.answer.sources == after)
    explorer.close()


def test_a_changed_file_takes_the_place_of_its_old_games(store: Store, archive: Path) -> None:
    store.add([archive], "A")
    parsed_games = [parsed for parsed in read_games(archive, SPEC) if isinstance(parsed, ParsedGame)]
    WRITTEN[".wtb"].save(archive, parsed_games[4:])
    assert store.add([archive], "A").games == len(GAMES) - 4
    assert_counts(store, set(range(4, len(GAMES))))
    WRITTEN[".wtb"].save(archive, parsed_games[:2])  # fewer than are written at once
    assert store.add([archive], "A").games == 2
    with pytest.raises(FileError):
        store.add([archive.with_name("none.wtb")])
    assert [source.name for source in store.sources()] == ["A"]


def test_a_new_edition_takes_the_place_of_the_shipped_games(
    store: Store, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed_games = [parsed for parsed in read_games(archive, SPEC) if isinstance(parsed, ParsedGame)]
    for first in (0, 4):
        folder = tmp_path / str(first)
        folder.mkdir()
        WRITTEN[".wtb"].save(folder / "levels-and-engine.wtb", parsed_games[first:])
        monkeypatch.setattr(database, "asset", lambda _, folder=folder: folder)
        store.add_shipped()
        store.add([archive], "A")
    assert [(source.name, source.games) for source in store.sources()] == [("A", len(GAMES)), (SHIPPED, len(GAMES) - 4)]


def test_a_damaged_file_is_set_aside_and_its_games_recovered(store: Store, archive: Path) -> None:
    store.add([archive])
    store.close()
    data = store.path.read_bytes()
    unreadable = data.replace(b"tablenamesnames", b"table\xf8\xf8mesnames")  # SQLite quotes that as it is
    two_pages = data[:28] + (2).to_bytes(4, "big") + data[32:]  # as many as the header counts
    for damaged in (data[:-5000], bytes(4096) + data[4096:], data[:40] + bytes(80) + data[120:], two_pages, unreadable):
        store.path.write_bytes(damaged)
        with Store(store.path) as found:
            assert "damaged" in str(found.notice)
            assert_counts(found)
    assert store.path.with_name("store.damaged.sqlite").read_bytes() == data[:-5000]
    for path in (store.path, store.path.with_name("store.sqlite.new")):  # the second one by an interrupted repair
        path.write_bytes(b"no database at all" * 1000)
    with Store(store.path) as found:
        shrinks = [*found.connection.execute("PRAGMA auto_vacuum")] == [(2,)]
        assert (found.notice is not None, found.sources(), shrinks) == (True, (), True)


def fail(code: int) -> Mock:
    """Return a function that raises an error of SQLite."""
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = code
    return Mock(side_effect=error)


@pytest.mark.parametrize("code", [sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_IOERR_SHMSIZE])
@pytest.mark.parametrize("begun", ["", "empty", "without tables"])
def test_a_store_waits_for_disk_space(begun: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "store.sqlite"
    if begun:
        path.touch()
    if begun == "without tables":
        with closing(sqlite3.connect(path)) as direct:
            direct.execute("PRAGMA journal_mode = WAL")
    with monkeypatch.context() as patched:
        patched.setattr(store_file, "_create_tables", fail(code))
        patched.setattr(store_file, "_disk_fault", lambda _: OSError(errno.ENOSPC, "no space"))
        opened = Store(path)
        for _ in range(2):
            with pytest.raises(StoreError, match="the disk is full"):
                opened.update_value("name", lambda _: b"text")
        assert opened.get_value("name") is None
        assert [*opened.own.listed()] == []
    with closing(opened):
        opened.update_value("name", lambda _: b"text")
        assert opened.get_value("name") == b"text"
    with Store(path) as again:
        assert (again.notice, again.get_value("name")) == (None, b"text")


def test_a_full_disk_during_a_repair_is_an_error(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.close()
    store.path.write_bytes(bytes(4096))
    before = {*store.path.parent.iterdir()}
    monkeypatch.setattr(store_file, "_salvage", fail(sqlite3.SQLITE_FULL))
    with pytest.raises(OutputError, match="full"):
        Store(store.path)
    assert {*store.path.parent.iterdir()} == before


def test_damage_found_later_is_repaired(store: Store, archive: Path) -> None:
    store.add([archive])
    store.close()
    data = bytearray(store.path.read_bytes())
    for place in range(5 * 4096, len(data), 4096):  # all but the roots of the tables
        data[place : place + 8] = bytes(8)
    store.path.write_bytes(data)
    with Store(store.path) as found:
        assert found.notice is None
        with pytest.raises(StoreError, match="damaged"):
            list(found.parsed_games())
        assert list(found.parsed_games()) is not None, "they can be read after the repair"


@pytest.mark.parametrize("is_cut", [True, False], ids=["truncated", "two damaged pages"])
def test_games_on_whole_pages_are_recovered(tmp_path: Path, is_cut: bool) -> None:
    file, path = tmp_path / "many.pgn", tmp_path / "many.sqlite"
    file.write_text("".join(f'[Event "Cup {number:03}"]\n\n1. f5 d6 2. c3 d3\n\n' for number in range(600)))
    with Store(path) as store:
        store.add([file])
    data = bytearray(path.read_bytes())
    starts = [start for start in range(0, len(data), 4096) if data[start] == _LEAF]
    events = {start: {*re.findall(rb"Cup \d\d\d", data[start : start + 4096])} for start in starts}
    first, before, *between, after, last = (start for start, found in events.items() if found)
    if is_cut:
        del data[last + 1000 :]
    for page in () if is_cut else (before, after):
        data[page : page + 8] = bytes(8)
    path.write_bytes(data)
    whole = [*between, *((first, before, after) if is_cut else ())]
    assert between
    with Store(path) as store:
        with contextlib.suppress(StoreError):
            list(store.parsed_games())
        recovered = {each.event.encode() for each in store.parsed_games() if isinstance(each, ParsedGame)}
    assert recovered >= set().union(*(events[page] for page in whole))


def test_a_damaged_row_stops_no_other_game(store: Store, archive: Path) -> None:
    store.add([archive])
    changes = "more = x'00'", f"number = {1 << 32}", "black = x'ff'", "game = 'x'"
    with sqlite3.connect(store.path) as direct:
        for number, change in enumerate(changes, 1):
            direct.execute(f"UPDATE games SET {change} WHERE number = ?", (number,))
    are_sound = [isinstance(each, ParsedGame) for each in store.parsed_games()]
    assert are_sound == [*[False] * 3, *[True] * (len(GAMES) - 4), False]
    with sqlite3.connect(store.path) as direct:
        (entries_,) = direct.execute("SELECT entries FROM chunks").fetchone()
        direct.execute("UPDATE chunks SET entries = ?", (bytes((entries_[0] ^ 1, *entries_[1:])),))
    with pytest.raises(StoreError, match="damaged"):
        store.played(SPEC, START)
    assert store.played(SPEC, START)[0].games == len(GAMES) - 3  # one is sound but for what is not indexed
    store.add([archive])
    assert_counts(store)
    assert len(store.games(SPEC, START, ALL, 0, 100)) == len(GAMES), "they have numbers of 32 bits"


@pytest.mark.slow
def test_a_program_that_is_killed_loses_nothing_that_was_written(tmp_path: Path, archive: Path) -> None:
    """Another process continues at any point, without duplicates."""
    script = f"""
from pathlib import Path
from othello.store import database, game_rows, import_job
import_job._BATCH = game_rows.FULL = 2
print("begun", flush=True)
database.Store(Path({str(tmp_path / "store.sqlite")!r})).add([Path({str(archive)!r})])
"""
    for milliseconds in range(0, 200, 10):
        with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"begun\n"
            time.sleep(milliseconds / 1000)
            process.kill()
        with Store(tmp_path / "store.sqlite") as store:
            assert store.notice is None
    with Store(tmp_path / "store.sqlite") as store:
        store.add([archive])
        assert moves_in(store) == [bytes(game.moves) for game in GAMES]
        assert_counts(store)


def test_a_change_that_fails_is_undone(store: Store) -> None:
    for _ in range(2):  # the second time, the table would exist
        with contextlib.suppress(KeyError), store.writing() as database:
            database.execute("CREATE TABLE lost (number)")
            raise KeyError


def test_a_store_of_a_newer_program_is_left_alone(store: Store) -> None:
    store.close()
    with sqlite3.connect(store.path) as direct:
        direct.execute("PRAGMA user_version = 6")
    before = store.path.read_bytes()
    with pytest.raises(StoreError, match="newer"):
        Store(store.path)
    assert store.path.read_bytes() == before


def test_opening_a_store_waits_for_another_window(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two windows that repair it at once would take each other's work for damage."""
    paused, _ = lock.open_locked(tmp_path / "store.sqlite.lock")
    naps = []

    def sleep(_: float) -> None:
        naps.append(1.0)
        if len(naps) == 60:
            paused.close()

    monkeypatch.setattr(lock, "time", SimpleNamespace(monotonic=lambda: sum(naps), sleep=sleep))
    with Store(tmp_path / "store.sqlite"):
        assert len(naps) == 60


def test_a_connection_is_not_closed_while_another_thread_reads(store: Store, archive: Path) -> None:
    store.add([archive])
    games = store.parsed_games()
    first = next(games)
    with sqlite3.connect(store.path) as direct:
        direct.execute("UPDATE chunks SET entries = x'09'")
    with ThreadPoolExecutor(1) as threads, pytest.raises(StoreError, match="damaged"):
        threads.submit(store.played, SPEC, START).result()
    assert len([first, *games]) == len(GAMES)
    assert_counts(store)


def test_a_store_that_cannot_be_written_is_read(store: Store, archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store.add([archive])
    store.close()
    monkeypatch.setattr("os.access", lambda *_: False)
    with Store(store.path) as found:
        assert_counts(found)
        with pytest.raises(StoreError, match="read"):
            found.remove(1)
        (store.path.parent / "a folder").mkdir()
        with pytest.raises(StoreError, match="is a folder"):
            Store(store.path.parent / "a folder")
        new = store_file.StoreFile(store.path.parent / "new.sqlite", lambda _: None)
        with pytest.raises(StoreError) as refused, new.writing():
            pass
        assert refused.value.reason.sentence() == f"Files cannot be created in {store.path.parent}."
    with Store(store.path.with_name("none.sqlite")) as none:
        assert none.sources() == ()


def own(game: AnyGame, ended: bool = True) -> GameFile:
    players = {"player_type": "user", "name": "Me"}, {"player_type": "engine", "level": 3}
    result = {"winner": "black", "black": 40, "white": 24} if ended else {}
    return GameFile(GameTree.of(game, PositionData()), players, "2026-01-31T18:30:00", result=result)


def record_of(number: int) -> GameRecord:
    return GameRecord.of(GAMES[number], ("A", "B"), number - 1, (0.0, 0.0))


def test_own_games_and_tournaments_appear_when_they_end(store: Store) -> None:
    results = store.path.parent / "tournaments"
    results.mkdir()

    def sources() -> dict[str, int]:
        store.add_tournaments()
        return {source.kind: source.games for source in store.sources()}

    first = store.own.write(own(GAMES[0]), None, 0, "", is_played=False)
    second = store.own.write(own(GAMES[1].at(20), ended=False), None, 0, "", is_played=False)
    assert sources() == {"own": 1}
    assert store.own.write(own(GAMES[1]), *second, "", is_played=False) == (second[0], 2)
    for number in (2, 3):
        write_results(results / "duel.jsonl", record_of(number), existing=ExistingOutput.RESUME)
        assert sources() == {"own": 2, "tournament": number - 1}
    store.own.delete(first[0], "window")
    assert sources() == {"own": 1, "tournament": 2}
    assert_counts(store, {2, 3}, GameFilter(sources=frozenset({store.source("Tournaments").number})))
    (line,) = store.search(GameFilter(player="me"), 0, 100)
    assert store.game(line.number).players == own(GAMES[1]).players
    assert store.played(SPEC, START, GameFilter(player="me"))[0].games == 1
    store.own.restore(first[0])
    store.own.restore(first[0])
    assert sources() == {"own": 2, "tournament": 2}, "two windows bring a game back"
    for change in (lambda: store.remove(store.source("My games").number), lambda: store.add([store.path], "My games")):
        with pytest.raises(StoreError, match="your own games"):
            change()
    with sqlite3.connect(store.path) as direct:
        direct.execute("UPDATE documents SET document = x'00'")
    assert store.own.read(first[0])[0].tree.game.moves == GAMES[0].moves, "the index has the moves"


def test_repair_keeps_own_games_and_training(store: Store, archive: Path) -> None:
    """Tournaments with lost games are read again."""
    store.add([archive])
    results = store.path.parent / "tournaments"
    results.mkdir()
    write_results(results / "duel.jsonl", *map(record_of, (2, 3)))
    store.add_tournaments()
    for ended in (True, False):
        store.own.write(own(GAMES[ended], ended=ended), None, 0, "running-1", is_played=not ended)
    store.update_value("training.json", lambda _: b"all that was missed")
    counts = {source.name: source.games for source in store.sources()}
    with sqlite3.connect(store.path) as direct:
        direct.execute("UPDATE games SET moves = x'09' WHERE source != 1 OR number = 1")
        direct.executescript("UPDATE chunks SET entries = x'09'; DELETE FROM sources WHERE kind = 'own'")
    with pytest.raises(StoreError, match="damaged"):
        store.played(SPEC, START)
    store.add_tournaments()
    assert {source.name: source.games for source in store.sources()} == {**counts, "games": len(GAMES) - 1}
    assert [store.own.read(listed.number)[0].tree.game.ply > 0 for listed in store.own.listed()] == [True, True]
    assert store.played(SPEC, START, GameFilter(player="me"))[0].games == 1
    assert store.get_value("training.json") == b"all that was missed"
    left = store.own.abandoned_game(lambda _: True)
    assert left is not None
    assert not left.headers.result
    with sqlite3.connect(store.path) as direct:
        direct.executescript(
            "DELETE FROM own_games; DELETE FROM files; DELETE FROM names; UPDATE chunks SET entries = x'09'"
        )
    with pytest.raises(StoreError, match="damaged"):
        store.played(SPEC, START)
    assert len(store.own.listed()) == 2
    store.add_tournaments()
    assert {source.name: source.games for source in store.sources()} == {**counts, "games": len(GAMES) - 1}
    assert len(store.search(GameFilter(player="ann"), 0, 100)) == len(GAMES) - 1


def test_a_game_that_cannot_be_written_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("othello.files.os.fsync", Mock(side_effect=OSError(errno.ENOSPC, "full")))
    with pytest.raises(OutputError):
        WRITTEN[".ggf"].save_each(tmp_path, [ParsedGame(RULES, GAMES[0].moves)])
    assert [*tmp_path.iterdir()] == []


@pytest.mark.usefixtures("data_dir")
def test_games_are_exported_by_their_format(archive: Path, tmp_path: Path, cli: CommandLine) -> None:
    cli("archive", "add", "--name", "Mine", archive)
    (found,) = cli.json("archive", "moves", "--moves", "f5", "--source", "Mine", "--json")
    assert found["games"] == 12 == sum(move["games"] for move in found["moves"])
    cli("archive", "export", tmp_path / "out.ggf", "--player", "ann 1")
    assert sum(isinstance(each, ParsedGame) for each in read_games(tmp_path / "out.ggf", SPEC)) == 4
    names = tmp_path / "out.jou"
    names.write_text("of others")
    cli("archive", "export", names.with_suffix(".wtb"), status=2)
    assert names.read_text() == "of others"


@pytest.mark.usefixtures("data_dir")
def test_own_games_are_exported_to_a_file_each(tmp_path: Path, cli: CommandLine) -> None:
    name = "\u68cb" * 60
    with Store() as store:
        for ply in (30, 30, 31):
            game = replace(own(GAMES[0].at(ply), ended=False), players=({"player_type": "user", "name": name},) * 2)
            store.own.write(game, None, 0, "", is_played=False)
        small = GameTree.of(Game.new(rules_of(game_spec("tictactoe"))), PositionData())
        store.own.write(GameFile(small, date="2026-02-01T00:00:00"), None, 0, "", is_played=False)
    cli("archive", "export", tmp_path, "--source", "My games")
    files = tmp_path.glob(f"2026-01-31T183000 {name[:58]}*.othello.json")
    written = [read_game(file, SPEC).tree.game for file in files]
    assert {(game, written.count(game)) for game in written} == {(GAMES[0].at(30), 2), (GAMES[0].at(31), 1)}
    cli("archive", "export", tmp_path / "out.wtb", "--source", "My games", status=2)
    assert ": game 4, WTHOR does not support" in cli.errors


def test_the_games_that_come_with_the_program_are_added_once(tmp_path: Path) -> None:
    assert sum(file.stat().st_size for file in asset("games").iterdir()) <= 400_000
    with Store(tmp_path / "new" / "data" / "games.sqlite") as store:
        for _ in range(2):
            store.add_shipped()
            (source,) = store.sources()
            assert (source.name, source.kind, source.games) == (SHIPPED, "tournament", 5000)
        games = [each for each in store.parsed_games() if isinstance(each, ParsedGame)]
        assert len(games) == 5000
        assert len({opening_name_of(each.opened.tree.game) for each in games[::10]}) > 60
        players = {player for each in games for player in each.players}
        assert players == {*(f"Level {number}" for number in range(1, 10)), "Engine depth 10"}
        store.remove(source.number)
        store.add_shipped()
        assert store.sources() == ()
