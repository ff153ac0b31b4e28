"""The store of games: what was added to it, and what it answers.

A game is a row with its moves; `entries` is the index of its positions. Archives are added file by file, some thousand
games in one transaction: whoever is interrupted has lost the games of one transaction, and goes on with the next.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from itertools import count, islice
from pathlib import Path
from typing import Any, Final, Self

import numpy as np

from othello.errors import FileError, OthelloError, Reason, ResultsError, StoreError
from othello.frozen import Frozen
from othello.reading import read_bytes, read_start
from othello.records.formats.format import MOST_BYTES
from othello.records.formats.replaying import replayed
from othello.records.formats.sheet import Detail, Found, Sheet
from othello.records.formats.written import words_of
from othello.records.game_file import SUFFIX, GameFile, document_of, game_of
from othello.records.recognition import count_games, read_game, read_games
from othello.records.results import SUFFIXES, ResultsReader
from othello.records.transcript import parse_transcript
from othello.resources import data_folder
from othello.rules.protocol import NO_MOVE, GameSpec, Move, Position
from othello.rules.registry import game_spec, rules_of, spec_of, unusual_options
from othello.schema import nearest
from othello.store.entries import (
    FULL,
    RESULTS,
    UNKNOWN,
    Ended,
    Entries,
    entries_at,
    entries_of,
    forget,
    write_segment,
    year_of,
)
from othello.store.file import StoreFile

STORE_NAME: Final = "games.sqlite"
_OWN: Final = "My games"
_TOURNAMENTS: Final = "Tournaments"
_OWN_AT_ONCE: Final = 64  # files
_YEAR: Final = re.compile(r"[-_ ]*(19|20)\d\d$")
_MOVES: Final = NO_MOVE + 1
_TOLD: Final = 512  # games after which progress is told
_COLUMNS: Final = (
    *("source", "year", "date", "black", "white", "event", "winner", "black_points", "white_points"),
    *("game", "rules", "start", "moves", "more", "file"),
)
_WHOLE: Final = f"SELECT number, {', '.join(_COLUMNS[:-1])} FROM games"  # older versions have no `file`
_DAMAGED: Final = (OthelloError, TypeError, ValueError, zlib.error)  # what a damaged row raises
_words_of: Final = lru_cache(maxsize=1 << 14)(words_of)  # the same names come again and again
_INSERT: Final = f"INSERT INTO games (number, {', '.join(_COLUMNS)}) VALUES ({', '.join('?' * (len(_COLUMNS) + 1))})"
_LINE: Final = "SELECT number, year, black, white, black_points, white_points, winner, event, source FROM games"


class Source(Frozen):
    """Games that came together."""

    number: int
    name: str
    kind: str  # "own", "archive" or "tournament"
    games: int = 0
    first_year: int | None = None
    last_year: int | None = None


class Wanted(Frozen):
    """Which games are asked for."""

    sources: frozenset[int] | None = None  # by number; None: all
    years: tuple[int, int] | None = None  # the first and the last
    player: str = ""  # words of the name of either side
    result: str | None = None  # "black", "draw" or "white"


ALL: Final = Wanted()


class PlayedMove(Frozen):
    """What became of a move in all games in which it was played."""

    move: Move  # in the position that was asked for
    games: int
    black: int  # how many black won
    draws: int
    white: int
    discs: float | None  # black's minus white's at the end on the mean, None where nobody knows


class GameLine(Frozen):
    """A game in a list."""

    number: int
    year: int | None
    black: str
    white: str
    discs: tuple[int, int] | None  # points of black and white at the end
    winner: str  # "black", "draw", "white", empty where the game has not ended
    move: Move | None  # played in the position that was asked for
    event: str
    source: int


class Progress(Frozen):
    """How far adding files is."""

    games: int  # that are in the store now, of all files
    of: int | None  # games in all files, as far as the files say that
    file: str  # that is read
    left_out: int = 0  # games with a fault


class Store:
    """All games, and where every position occurred.

    Queries may come from any thread, and files may be added by one thread while others ask.
    """

    def __init__(self, file: StoreFile) -> None:
        self._file = file

    @classmethod
    def open(cls, path: Path | None = None) -> Self:
        """The user's store, or the one in a file; only to be read where the file cannot be written.

        StoreError: a newer program has written the file.
        """
        return cls(StoreFile(data_folder() / STORE_NAME if path is None else path, _rebuild))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections; they open again when something is asked."""
        self._file.close()

    @property
    def path(self) -> Path:
        return self._file.path

    @property
    def notice(self) -> Reason | None:
        """What was wrong with the file, None where all is well."""
        return self._file.notice

    @property
    def can_write(self) -> bool:
        return self._file.can_write

    # Questions.

    def sources(self) -> tuple[Source, ...]:
        """All sources, own games first."""
        with self._file.reading() as database:
            years = [
                f"(SELECT {one}(year) FROM games WHERE source = sources.number AND year > 0)" for one in ("min", "max")
            ]
            games = "(SELECT coalesce(sum(games), 0) FROM segments WHERE source = sources.number)"
            text = f"SELECT number, name, kind, {games}, {', '.join(years)} FROM sources ORDER BY kind != 'own', number"
            rows = database.execute(text)
            return tuple(Source(*row) for row in rows)

    def source(self, name: str) -> Source:
        """The source of a name; StoreError where there is none."""
        sources = {source.name: source for source in self.sources()}
        if name not in sources:
            raise StoreError("store_no_source", name=name, hint=nearest(name, [*sources]))
        return sources[name]

    def played(self, game: GameSpec, position: Position, wanted: Wanted = ALL) -> tuple[PlayedMove, ...]:
        """Every move that was played in a position and its images, the one of most games first."""
        found, meaning = self._entries(game, position, wanted)
        played, results = found["move"].astype(np.intp), np.minimum(found["result"], len(RESULTS) - 1)
        counts = np.bincount(played * len(RESULTS) + results, minlength=_MOVES * len(RESULTS)).reshape(_MOVES, -1)
        known = found["discs"] != UNKNOWN
        told = np.bincount(played[known], minlength=_MOVES)
        sums = np.bincount(played[known], found["discs"][known], minlength=_MOVES)
        legal = rules_of(game).legal_moves(position)
        moves = []
        for move in np.flatnonzero(counts.sum(axis=1)).tolist():
            if meaning[move] in legal:  # else the game ends here, or another position has the same number
                _, black, draws, white = counts[move].tolist()
                mean = float(sums[move] / told[move]) if told[move] else None
                moves.append(PlayedMove(meaning[move], int(counts[move].sum()), black, draws, white, mean))
        return tuple(sorted(moves, key=lambda played: (-played.games, played.move)))

    def count(self, game: GameSpec, position: Position, wanted: Wanted = ALL) -> int:
        """How many games came to a position or one of its images."""
        return len(self._entries(game, position, wanted)[0])

    def games(
        self,
        game: GameSpec,
        position: Position,
        wanted: Wanted = ALL,
        offset: int = 0,
        limit: int = 100,
    ) -> tuple[GameLine, ...]:
        """Games in which a position or one of its images occurred, the newest first."""
        found, meaning = self._entries(game, position, wanted)
        age = -(found["year"].astype(np.int64) << 32 | found["game"])
        end = offset + limit
        first = np.argpartition(age, end)[:end] if end < len(age) else np.arange(len(age))
        order = first[np.argsort(age[first])][offset:]
        moves = dict(zip(found["game"][order].tolist(), found["move"][order].tolist(), strict=True))
        with self._file.reading() as database:
            text = f"{_LINE} WHERE number IN (SELECT value FROM json_each(?))"
            lines = {row[0]: row for row in database.execute(text, (json.dumps([*moves]),))}
        return tuple(
            _line(lines[number], None if move == NO_MOVE else meaning[move])
            for number, move in moves.items()
            if number in lines
        )

    def search(self, wanted: Wanted, offset: int = 0, limit: int = 100) -> tuple[GameLine, ...]:
        """Games by source, year, player and result, the newest first."""
        with self._file.reading() as database:
            where, values = _where(database, wanted)
            text = f"{_LINE} WHERE {where} ORDER BY year DESC, number DESC LIMIT ? OFFSET ?"
            return tuple(_line(row, None) for row in database.execute(text, (*values, limit, offset)))

    def sheets(
        self,
        wanted: Wanted = ALL,
        game: GameSpec | None = None,
        position: Position | None = None,
    ) -> Iterator[Found]:
        """Whole games, the oldest first; those in which a position occurred, where one is named.

        What is wrong with a damaged game stands in its place.
        """
        return replayed(self._sheets(wanted, game, position))

    def _sheets(self, wanted: Wanted, game: GameSpec | None, position: Position | None) -> Iterator[Found]:
        with self._file.reading() as database:
            if game is not None and position is not None:
                found, _ = self._entries(game, position, wanted)
                numbers = np.sort(found["game"]).tolist()
            else:
                where, values = _where(database, wanted)
                rows = database.execute(f"SELECT number FROM games WHERE {where} ORDER BY year, number", values)
                numbers = [number for (number,) in rows]
            for number in numbers:
                row = database.execute(f"{_WHOLE} WHERE number = ?", (number,)).fetchone()
                if row is not None:
                    try:
                        yield _sheet_of(row)
                    except _DAMAGED:
                        yield StoreError("store_damaged_game", number=number)

    def game(self, number: int) -> GameFile:
        """A whole game; StoreError where there is none of that number."""
        with self._file.reading() as database:
            row = database.execute(f"{_WHOLE} WHERE number = ?", (number,)).fetchone()
        if row is None:
            raise StoreError("store_no_game", number=number)
        try:
            return _sheet_of(row).opened
        except _DAMAGED:
            raise StoreError("store_damaged_game", number=number) from None

    def _entries(self, game: GameSpec, position: Position, wanted: Wanted) -> tuple[Entries, Sequence[Move]]:
        """The entries of a position in the games that are wanted, and what their moves mean in it."""
        key, meaning = rules_of(game).key_of(position)
        with self._file.reading() as database:
            found = entries_at(database, key, wanted.sources)
            if wanted.years is not None:
                first, last = wanted.years
                found = found[(found["year"] >= first) & (found["year"] <= last)]
            if wanted.result is not None:
                found = found[found["result"] == RESULTS.index(wanted.result)]
            if wanted.player.strip() and len(found):
                where, values = _where(database, Wanted(player=wanted.player))
                numbers = [number for (number,) in database.execute(f"SELECT number FROM games WHERE {where}", values)]
                found = found[np.isin(found["game"], np.array(numbers, np.uint32))]
        return found, meaning

    # Changes.

    def add(
        self,
        paths: Sequence[Path],
        name: str | None = None,
        progress: Callable[[Progress], None] = lambda _progress: None,
        stopped: Callable[[], bool] = lambda: False,
        fault: Callable[[Path, OthelloError], None] = lambda _path, _error: None,
    ) -> Source:
        """Add the games of files, and of all files in folders, to the source of a name, or to a new one.

        A file that is there already is left out, one that was added in part is gone on with, and the games of one that
        has changed since take the place of its old ones. Games with a fault are told to `fault` and left out, and so
        are files that cannot be read or tell of no games, as a folder may have them beside others.

        Raises:
            FileError, ResultsError: no file can be read, or tells of games.
            StoreError: the store cannot be written.
        """
        files = [file for path in paths for file in _files_of(path)]
        if not files:
            raise FileError("no_such_file", path=paths[0])
        name = name or _name_of(files)
        kind = "tournament" if all(map(_has_results, files)) else "archive"
        counts = [None if _has_results(file) else count_games(file) for file in files]
        known = [count for count in counts if count is not None]
        of = sum(known) if len(known) == len(counts) else None
        with self._file.writing() as database:
            number = _source_number(database, name, kind)
        work = _Adding(self._file, number, Progress(0, of, ""), progress, stopped, fault)
        refused = 0
        try:
            for file in files:
                try:
                    work.add(file)
                except (FileError, ResultsError) as error:
                    refused += 1
                    if refused == len(files):
                        raise
                    fault(file, error)
                if stopped():
                    break
            return self.source(name)
        finally:
            with self._file.writing() as database:
                text = "DELETE FROM sources WHERE number = ? AND NOT EXISTS (SELECT 1 FROM games WHERE source = ?)"
                database.execute(text, (number, number))

    def take_over(self) -> None:
        """Add what the person has played since the last time: games that have ended, and tournaments of computers.

        Both lie in folders beside the store: `games`, a file each, and `tournaments`, results files.
        """
        if not self.can_write:
            return
        folders = (("games", SUFFIX), *(("tournaments", suffix) for suffix in SUFFIXES))
        files = {file.name: file for folder, suffix in folders for file in _listed(self.path.parent / folder, suffix)}
        with self._file.reading() as database:
            known = dict(database.execute("SELECT name, stamp FROM own"))
        stamps = {name: stamp for name, file in files.items() if (stamp := _stamp_of(file))}
        changed = [name for name in sorted(known | stamps) if known.get(name) != stamps.get(name)]
        for name in changed:
            if name in stamps and _has_results(files[name]):
                with suppress(FileError, ResultsError):
                    self.add([files[name]], _TOURNAMENTS)
        for first in range(0, len(changed), _OWN_AT_ONCE):
            some = changed[first : first + _OWN_AT_ONCE]
            self._replace_own([(name, stamps.get(name), _ended_game(files.get(name))) for name in some])

    def _replace_own(self, games: Sequence[tuple[str, str | None, Sheet | None]]) -> None:
        """Write own games by the names of their files in place of what was known of them; no stamp: a file is gone."""
        sheets = [sheet for _, _, sheet in games if sheet is not None]
        entries, ended = entries_of(sheets)
        with self._file.writing() as database:
            source = _source_number(database, _OWN, "own")
            names = json.dumps([name for name, _, _ in games])
            _lose(database, source, "SELECT game FROM own WHERE name IN (SELECT value FROM json_each(?))", names)
            database.execute("DELETE FROM own WHERE name IN (SELECT value FROM json_each(?))", (names,))
            rows = [_row(source, None, sheet, end) for sheet, end in zip(sheets, ended, strict=True)]
            numbers = count(_insert(database, source, rows, entries) if rows else 0)
            kept = [(name, stamp, sheet and next(numbers)) for name, stamp, sheet in games if stamp is not None]
            database.executemany("INSERT INTO own VALUES (?, ?, ?)", kept)

    def remove(self, source: int) -> None:
        """Take a source and all its games out of the store."""
        with self._file.writing() as database:
            segments = "SELECT number FROM segments WHERE source = ?"
            database.execute(f"DELETE FROM chunks WHERE segment IN ({segments})", (source,))
            for table in ("segments", "games", "files"):
                database.execute(f"DELETE FROM {table} WHERE source = ?", (source,))
            database.execute("DELETE FROM sources WHERE number = ?", (source,))
        with self._file.reading() as database:
            database.executescript("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)")


class _Adding:
    """Adds files to a source."""

    def __init__(
        self,
        file: StoreFile,
        source: int,
        told: Progress,
        progress: Callable[[Progress], None],
        stopped: Callable[[], bool],
        fault: Callable[[Path, OthelloError], None],
    ) -> None:
        self._file = file
        self._source = source
        self._progress = progress
        self._stopped = stopped
        self._fault = fault
        self._told = told  # last

    def add(self, path: Path) -> None:
        """Add the games of a file that are not there yet."""
        self._told = replace(self._told, file=path.name)
        digest = _digest_of(path)
        with self._file.writing() as database:
            key = (self._source, digest)
            values = (*key, path.name, _text_of(path))
            database.execute(
                "INSERT OR IGNORE INTO files (source, digest, name, path, done, left_out, is_whole) "
                "VALUES (?, ?, ?, ?, 0, 0, 0)",
                values,
            )
            text = "SELECT number, done, is_whole FROM files WHERE source = ? AND digest = ?"
            number, done, is_whole = database.execute(text, key).fetchone()
        if is_whole:
            return
        read = _recorded(path) if _has_results(path) else read_games(path, game_spec())
        found = islice(read, done, None)
        while True:
            batch, faults = self._batch(path, found)
            is_whole = not self._stopped() and len(batch) + faults < FULL
            if batch or faults or is_whole:
                self._write(number, done, batch, faults, is_whole and not _has_results(path))
            done += len(batch) + faults
            if is_whole or self._stopped():
                return

    def _batch(self, path: Path, found: Iterator[Found]) -> tuple[list[Sheet], int]:
        """The next games, and how many have a fault."""
        sheets: list[Sheet] = []
        faults = 0
        while len(sheets) + faults < FULL and not self._stopped():
            some = [*islice(found, min(_TOLD, FULL - len(sheets) - faults))]
            for each in some:
                if isinstance(each, Sheet):
                    sheets.append(each)
                else:
                    faults += 1
                    self._fault(path, each)
            told = self._told
            self._progress(replace(told, games=told.games + len(sheets), left_out=told.left_out + faults))
            if not some:
                break
        return sheets, faults

    def _write(self, number: int, done: int, sheets: list[Sheet], faults: int, is_whole: bool) -> None:
        """Write games and what is known of their file, or nothing of both."""
        entries, ended = entries_of(sheets)
        rows = [_row(self._source, number, sheet, end) for sheet, end in zip(sheets, ended, strict=True)]
        with self._file.writing() as database:
            text = "UPDATE files SET done = ?, left_out = left_out + ?, is_whole = ? WHERE number = ? AND done = ?"
            values = (done + len(sheets) + faults, faults, is_whole, number, done)
            if not database.execute(text, values).rowcount:
                raise StoreError("store_added_elsewhere")
            if sheets:
                _insert(database, self._source, rows, entries)
            if is_whole:
                _lose_older(database, self._source, number)
        told = self._told
        self._told = replace(told, games=told.games + len(sheets), left_out=told.left_out + faults)


def _insert(database: sqlite3.Connection, source: int, rows: Sequence[Sequence[Any]], entries: Entries) -> int:
    """Write games and their entries; the number of the first one."""
    last = database.execute("SELECT seq FROM sqlite_sequence WHERE name = 'games'").fetchone()
    first = 1 if last is None else last[0] + 1
    database.executemany(_INSERT, ((number, *row) for number, row in enumerate(rows, first)))
    _name(database, (name for row in rows for name in row[3:5]))
    entries["game"] += first
    write_segment(database, source, entries, len(rows))
    return int(first)


def _rebuild(database: sqlite3.Connection) -> None:
    """Make the index and the names again out of the games, and leave out those that are none."""
    rows = database.execute(f"{_WHOLE} ORDER BY source, number")
    while batch := rows.fetchmany(FULL):
        for source in {row[1] for row in batch}:
            read = [sheet for row in batch if row[1] == source and (sheet := _bare(row)) is not None]
            sound = [sheet for sheet in replayed(read) if isinstance(sheet, Sheet)]
            entries, _ = entries_of(sound)
            entries["game"] = np.array([sheet.number for sheet in sound], np.uint32)[entries["game"]]
            database.execute("BEGIN")
            lost = {row[0] for row in batch if row[1] == source} - {sheet.number for sheet in sound}
            database.executemany("DELETE FROM games WHERE number = ?", ((number,) for number in lost))
            database.execute("INSERT OR IGNORE INTO sources VALUES (?, ?, 'archive')", (source, f"recovered {source}"))
            _name(database, (name for sheet in sound for name in sheet.players))
            if sound:
                write_segment(database, source, entries, len(sound))
            database.execute("COMMIT")
    # A file that has lost games counts as changed: whoever adds it again gets them back.
    lost_games = "done - left_out != (SELECT count(*) FROM games WHERE file = files.number)"
    archives = "SELECT number FROM sources WHERE kind = 'archive'"
    database.execute(
        f"UPDATE files SET digest = randomblob(32) WHERE path != '' AND {lost_games} AND source IN ({archives})"
    )
    database.execute("DELETE FROM own WHERE game NOT IN (SELECT number FROM games)")
    database.execute("UPDATE sqlite_sequence SET seq = (SELECT coalesce(max(number), 0) FROM games)")


def _bare(row: Sequence[Any]) -> Sheet | None:
    """The sheet of a row as far as it is indexed, None where the row is damaged."""
    try:
        return _sheet_of(row, is_bare=True)
    except _DAMAGED:
        return None


def _name(database: sqlite3.Connection, names: Iterable[str]) -> None:
    """Add names of players."""
    database.executemany("INSERT OR IGNORE INTO names VALUES (?)", ((name,) for name in {*names} - {""}))


def _lose(database: sqlite3.Connection, source: int, numbers: str, value: object) -> None:
    """Take games of a source out of the store, by the SQL for their numbers."""
    lost = [number for (number,) in database.execute(numbers, (value,)) if number is not None]
    database.executemany("DELETE FROM games WHERE number = ?", ((number,) for number in lost))
    if lost:
        forget(database, lost, source)


def _lose_older(database: sqlite3.Connection, source: int, file: int) -> None:
    """Take out what a file held before it was changed and added again."""
    text = (
        "SELECT old.number FROM files old JOIN files new USING (source, path) WHERE new.number = ? AND old.number != ?"
    )
    for (older,) in database.execute(text, (file, file)).fetchall():
        _lose(database, source, "SELECT number FROM games WHERE file = ?", older)
        database.execute("DELETE FROM files WHERE number = ?", (older,))


def _text_of(path: Path) -> str:
    """A path as text, whatever its bytes are."""
    return os.fsencode(path.absolute()).decode(errors="backslashreplace")


def _source_number(database: sqlite3.Connection, name: str, kind: str) -> int:
    """The number of a source, which is made where there is none of that name."""
    database.execute("INSERT OR IGNORE INTO sources (name, kind) VALUES (?, ?)", (name, kind))
    return int(database.execute("SELECT number FROM sources WHERE name = ?", (name,)).fetchone()[0])


def _files_of(path: Path) -> list[Path]:
    """A file, or those in a folder that may hold games."""
    if not path.is_dir():
        return [path]
    beside = (".jou", ".trn")
    return sorted(each for each in path.iterdir() if each.is_file() and each.suffix.lower() not in beside)


def _name_of(files: Sequence[Path]) -> str:
    """The name that all files have before a year, as WTH_1985.wtb and WTH_1996.wtb have WTH, or else their folder's."""
    names = {_YEAR.sub("", file.name.split(".")[0]) for file in files}
    return (names.pop() if len(names) == 1 else "") or files[0].absolute().parent.name or files[0].name


def _listed(folder: Path, suffix: str) -> list[Path]:
    try:
        return sorted(folder.glob(f"*{suffix}"))
    except OSError:
        return []


def _stamp_of(path: Path) -> str | None:
    """The same as long as nobody writes the file, None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return f"{found.st_size} {found.st_mtime_ns}"


def _ended_game(path: Path | None) -> Sheet | None:
    """The game in a file of our own, None where it has not ended or cannot be read."""
    try:
        file = None if path is None or _has_results(path) else read_game(path, game_spec())
    except OthelloError:
        return None
    return Sheet.of(file) if file is not None and file.result else None


def _digest_of(path: Path) -> bytes:
    """Tells whether a file was added before. To a results file more can be written, so its beginning has to do."""
    if not _has_results(path):
        return sha256(read_bytes(path, MOST_BYTES)).digest()
    first = read_start(path, 1 << 12).splitlines()[: 2 if path.suffix.lower() == ".csv" else 1]  # with the first game
    return sha256(b"\n".join((os.fsencode(path.absolute()), *first))).digest()


def _has_results(path: Path) -> bool:
    return path.suffix.lower() in SUFFIXES


def _recorded(path: Path) -> Iterator[Found]:
    """The games of a results file."""
    return replayed(_sheets_of_records(path))


def _sheets_of_records(path: Path) -> Iterator[Found]:
    for number, record in enumerate(ResultsReader(path), 1):
        try:
            rules = rules_of(record.spec)
            start = rules.parse_position(record.start) if record.start else None
            moves = bytes(parse_transcript(record.transcript, rules, start).moves)
        except OthelloError as error:
            yield error
            continue
        result: dict[str, Any] = {"winner": record.result}
        if not record.reason or record.is_adjudicated:
            result |= {"black": record.black_points, "white": record.white_points}
        yield Sheet(rules, moves, start=start, players=(record.black, record.white), result=result, number=number)


# Games as rows.


def _row(source: int, file: int | None, sheet: Sheet, end: Ended) -> tuple[Any, ...]:
    black_points, white_points = (None, None) if end.points is None else end.points
    spec, (black, white, event) = sheet.rules.spec, map(_words_of, (*sheet.players, sheet.event))
    start = "" if sheet.start is None else sheet.rules.format_position(sheet.start)
    more: dict[str, Any] = {}
    if sheet.file is not None:
        more["game"] = document_of(sheet.file)
    elif sheet.details or "fault" in sheet.result:
        more = {"details": [*map(list, sheet.details)], "result": dict(sheet.result)}
    return (
        *(source, year_of(sheet), sheet.date, black, white, event, end.winner, black_points, white_points),
        *(spec.game, unusual_options(spec), start, sheet.moves),
        *(zlib.compress(json.dumps(more, separators=(",", ":")).encode()) if more else None, file),
    )


def _sheet_of(row: Sequence[Any], is_bare: bool = False) -> Sheet:
    """The inverse of `_row`; a bare one is without what is not indexed. Raises one of _DAMAGED."""
    told = dict(zip(("number", *_COLUMNS[:-1]), row, strict=True))
    number, black, white = (told[name] for name in ("number", "black_points", "white_points"))
    texts = (told[name] for name in ("black", "white", "date", "event", "winner"))
    if not (
        all(type(text) is str for text in texts)
        and all(type(each) is int for each in (number, told["source"], black or 0, white or 0))
        and type(told["moves"]) is bytes
        and (black is None) is (white is None)
        and told["winner"] in RESULTS
        and 0 < number < 1 << 32
    ):
        raise ValueError
    more = json.loads(zlib.decompress(told["more"])) if told["more"] and not is_bare else {}
    if "game" in more:
        return Sheet.of(game_of(more["game"]), number)
    rules = rules_of(spec_of(told["game"], told["rules"]))
    result = {"winner": told["winner"]} if told["winner"] else {}
    if result and black is not None:
        result |= {"black": black, "white": white}
    return Sheet(
        rules,
        told["moves"],
        start=rules.parse_position(told["start"]) if told["start"] else None,
        players=(told["black"], told["white"]),
        date=told["date"],
        event=told["event"],
        result=more.get("result") or result,
        details=[Detail(*detail) for detail in more.get("details", ())],
        number=number,
    )


def _line(row: Sequence[Any], move: Move | None) -> GameLine:
    number, year, black, white, black_points, white_points, winner, event, source = row
    points = None if black_points is None else (black_points, white_points)
    return GameLine(number, year or None, black, white, points, winner, move, event, source)


def _where(database: sqlite3.Connection, wanted: Wanted) -> tuple[str, list[Any]]:
    """The condition for games in SQL, and its values."""
    conditions, values = ["1"], list[Any]()
    if wanted.player.strip():
        words = wanted.player.casefold().split()
        names = [name for (name,) in database.execute("SELECT CAST(name AS TEXT) FROM names")]
        found = json.dumps([name for name in names if all(word in name.casefold() for word in words)])
        some = "(SELECT value FROM json_each(?))"
        either = f"SELECT number FROM games WHERE black IN {some} UNION SELECT number FROM games WHERE white IN {some}"
        conditions.append(f"number IN ({either})")
        values += [found, found]
    if wanted.years is not None:
        conditions.append("year BETWEEN ? AND ?")
        values += wanted.years
    if wanted.sources is not None:
        conditions.append(f"source IN ({', '.join(map(str, wanted.sources))})")
    if wanted.result is not None:
        conditions.append("winner = ?")
        values.append(wanted.result)
    return " AND ".join(conditions), values
