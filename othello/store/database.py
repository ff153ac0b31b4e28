"""The store: a database of games from all sources, with an index of all positions.

A game is a row with its moves; `entries` is the index of positions.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Self
from zlib import crc32

import numpy as np

from othello.errors import FileError, OthelloError, ResultsError, StoreError
from othello.files import numbered
from othello.frozen_dataclass import FrozenDataclass
from othello.records.formats.parsed_game import FileItem
from othello.records.formats.replaying import replayed
from othello.records.game_file import GameFile
from othello.records.readers import count_games
from othello.resources import asset, data_folder
from othello.rules.protocol import NO_MOVE, GameSpec, Move, Position
from othello.rules.registry import rules_of
from othello.schema import nearest
from othello.store import game_rows
from othello.store.game_rows import Entries
from othello.store.import_job import ImportJob, ImportProgress, files_of, has_results, name_of
from othello.store.own_games import OWN, OwnGames, after_rebuilding, before_rebuilding
from othello.store.store_file import StoreFile

STORE_NAME: Final = "games.sqlite"
SHIPPED: Final = "Levels and engine"
"""The source of the games that are shipped with the program; `training.games` creates them."""

_TOURNAMENTS: Final = "Tournaments"
_MOVES: Final = NO_MOVE + 1
_TEXTS: Final = ", ".join(f"CAST({column} AS TEXT)" for column in ("black", "white", "winner", "event"))
_LINE: Final = f"SELECT number, CAST(year AS INTEGER), black_points, white_points, source, {_TEXTS} FROM games"


class Source(FrozenDataclass):
    """A named group of games, such as an archive."""

    number: int
    name: str
    kind: str  # own, archive, or tournament for games between computers
    games: int = 0
    first_year: int | None = None
    last_year: int | None = None


class GameFilter(FrozenDataclass):
    """A filter for games."""

    sources: frozenset[int] | None = None  # numbers; None: all
    years: tuple[int, int] | None = None  # first and last year
    player: str = ""  # words in the name of either player
    result: str | None = None  # black, draw or white
    event: str = ""  # words in the name of the tournament


ALL: Final = GameFilter()


class PlayedMove(FrozenDataclass):
    """Statistics of a move over all games in which it was played."""

    move: Move  # in the position of the query
    games: int
    black: int  # games that black won
    draws: int
    white: int
    discs: float | None  # mean final disc lead of black; None if no result is known


class GameLine(FrozenDataclass):
    """A game in a list of query results."""

    number: int
    year: int | None
    black: str
    white: str
    discs: tuple[int, int] | None  # final points of black and white
    winner: str  # black, draw or white; empty if the game is unfinished
    move: Move | None  # in the position of the query; None if the game ended there
    event: str
    source: int


class Store(StoreFile):
    """The games of all sources, and an index of their positions.

    Any thread may query. One thread may add files at the same time.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Open a store, read-only if the file cannot be written.

        Args:
            path: the file; None: the user's own store.

        Raises:
            StoreError: a newer version of the program has written the file.
        """
        super().__init__(data_folder() / STORE_NAME if path is None else path, _rebuild)
        self.own = OwnGames(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Questions.

    def sources(self) -> tuple[Source, ...]:
        """Return all sources, the user's own games first."""
        with self.reading() as database:
            years = "FROM games WHERE source = sources.number AND year > 0"
            games = "(SELECT coalesce(sum(games), 0) FROM segments WHERE source = sources.number)"
            numbers = f"{games}, (SELECT min(year) {years}), (SELECT max(year) {years})"
            columns = f"number, CAST(name AS TEXT), CAST(kind AS TEXT), {numbers}"
            text = f"SELECT {columns} FROM sources ORDER BY kind != 'own', number"
            return tuple(Source(*row) for row in database.execute(text))

    def source(self, name: str) -> Source:
        """Return a source by name; raise a StoreError if there is none."""
        sources = {source.name: source for source in self.sources()}
        if name not in sources:
            raise StoreError("store_no_source", name=name, hint=nearest(name, [*sources]))
        return sources[name]

    def played(self, game: GameSpec, position: Position, game_filter: GameFilter = ALL) -> tuple[PlayedMove, ...]:
        """Return all moves played in a position or its symmetric images, the most frequent first."""
        entries, meaning = self._entries(game, position, game_filter)
        kinds = len(game_rows.RESULTS)
        played, results = entries["move"].astype(np.intp), np.minimum(entries["result"], kinds - 1)
        counts = np.bincount(played * kinds + results, minlength=_MOVES * kinds).reshape(_MOVES, kinds)
        known = entries["discs"] != game_rows.UNKNOWN
        counted = np.bincount(played[known], minlength=_MOVES)
        sums = np.bincount(played[known], entries["discs"][known], minlength=_MOVES)
        legal = rules_of(game).legal_moves(position)
        moves = []
        for move in np.flatnonzero(counts.sum(axis=1)).tolist():
            if meaning.get(move) in legal:  # otherwise the game ends here, or two positions share a key
                _, black, draws, white = counts[move].tolist()
                mean = float(sums[move] / counted[move]) if counted[move] else None
                moves.append(PlayedMove(meaning[move], int(counts[move].sum()), black, draws, white, mean))
        return tuple(sorted(moves, key=lambda played: (-played.games, played.move)))

    def count(self, game: GameSpec, position: Position, game_filter: GameFilter = ALL) -> int:
        """Return the number of games with a position or one of its symmetric images."""
        return len(self._entries(game, position, game_filter)[0])

    def games(
        self, game: GameSpec, position: Position, game_filter: GameFilter, offset: int, limit: int
    ) -> tuple[GameLine, ...]:
        """Return the games with a position or one of its symmetric images, the newest first."""
        entries, meaning = self._entries(game, position, game_filter)
        age = -(entries["year"].astype(np.int64) << 32 | entries["game"])
        end = offset + limit
        first = np.argpartition(age, end)[:end] if end < len(age) else np.arange(len(age))
        order = first[np.argsort(age[first])][offset:]
        moves = dict(zip(entries["game"][order].tolist(), entries["move"][order].tolist(), strict=True))
        with self.reading() as database:
            text = f"{_LINE} WHERE number IN (SELECT value FROM json_each(?))"
            lines = {row[0]: row for row in database.execute(text, (json.dumps([*moves]),))}
        rows = ((lines[number], move) for number, move in moves.items() if number in lines)
        return tuple(_game_line(row, meaning.get(move)) for row, move in rows)

    def search(self, game_filter: GameFilter, offset: int, limit: int) -> tuple[GameLine, ...]:
        """Return the games that match a filter, the newest first."""
        with self.reading() as database:
            where, values = _condition(database, game_filter)
            text = f"{_LINE} WHERE {where} ORDER BY year DESC, number DESC LIMIT ? OFFSET ?"
            return tuple(_game_line(row, None) for row in database.execute(text, (*values, limit, offset)))

    def parsed_games(
        self,
        game_filter: GameFilter = ALL,
        game: GameSpec | None = None,
        position: Position | None = None,
    ) -> Iterator[FileItem]:
        """Yield the games that match a filter, the oldest first, and an error for each damaged game.

        With `game` and `position`, only games with that position are returned.
        """
        return replayed(self._parsed_games(game_filter, game, position))

    def _parsed_games(
        self, game_filter: GameFilter, game: GameSpec | None, position: Position | None
    ) -> Iterator[FileItem]:
        with self.reading() as database:
            if game is not None and position is not None:
                entries, _ = self._entries(game, position, game_filter)
                numbers = np.sort(entries["game"]).tolist()
            else:
                where, values = _condition(database, game_filter)
                rows = database.execute(f"SELECT number FROM games WHERE {where} ORDER BY year, number", values)
                numbers = [number for (number,) in rows]
            for number in numbers:
                row = database.execute(f"{game_rows.WHOLE} WHERE number = ?", (number,)).fetchone()
                if row is not None:
                    try:
                        yield game_rows.parse_row(row)
                    except game_rows.DAMAGED:
                        yield StoreError("store_damaged_game", number=number)

    def game(self, number: int) -> GameFile:
        """Return a game; raise a StoreError if it is missing or damaged."""
        with self.reading() as database:
            row = database.execute(f"{game_rows.WHOLE} WHERE number = ?", (number,)).fetchone()
        if row is None:
            raise StoreError("store_no_game", number=number)
        try:
            return game_rows.parse_row(row).opened
        except game_rows.DAMAGED:
            raise StoreError("store_damaged_game", number=number) from None

    def _entries(
        self, game: GameSpec, position: Position, game_filter: GameFilter
    ) -> tuple[Entries, Mapping[int, Move]]:
        """Return the index entries of a position that match a filter, and the moves that their numbers stand for."""
        key, meaning = rules_of(game).key_of(position)
        with self.reading() as database:
            entries = game_rows.entries_at(database, key, game_filter.sources)
            if game_filter.years is not None:
                first, last = game_filter.years
                entries = entries[(entries["year"] >= first) & (entries["year"] <= last)]
            if game_filter.result is not None:
                entries = entries[entries["result"] == game_rows.RESULTS.index(game_filter.result)]
            if (game_filter.player.strip() or game_filter.event.strip()) and len(entries):
                where, values = _condition(database, GameFilter(player=game_filter.player, event=game_filter.event))
                numbers = [number for (number,) in database.execute(f"SELECT number FROM games WHERE {where}", values)]
                entries = entries[np.isin(entries["game"], np.array(numbers, np.uint32))]
        return entries, meaning

    # Writing.

    def add(
        self,
        paths: Sequence[Path],
        name: str | None = None,
        progress: Callable[[ImportProgress], None] = lambda _progress: None,
        stopped: Callable[[], bool] = lambda: False,
        fault: Callable[[Path, OthelloError], None] = lambda _path, _error: None,
    ) -> Source:
        """Add the games of files and folders to a source.

        Files that were added before are skipped, and partly added files are continued. If a file has changed, its games
        replace the old ones. Invalid games and files without games are reported and skipped.

        Args:
            paths: files and folders.
            name: of the source, which may be new; None: derived from the names of the files.
            progress: called repeatedly with the progress.
            stopped: polled; True ends the work after the current transaction.
            fault: called with the file and the error of every skipped game or file.

        Returns:
            The source.

        Raises:
            FileError, ResultsError: no file can be read.
            StoreError: the store cannot be written, or the name is that of the user's own games.
        """
        files = [file for path in paths for file in files_of(path)]
        if not files:
            raise FileError("no_such_file", path=paths[0])
        name = name or name_of(files)
        if name == OWN:
            raise StoreError("store_own", name=name)
        kind = "tournament" if name == SHIPPED or all(map(has_results, files)) else "archive"
        counts = [count_games(file) for file in files]
        of = None if None in counts else sum(filter(None, counts))
        with self.writing() as database:
            number = game_rows.source_number(database, name, kind)
        try:
            ImportJob(self, number, ImportProgress(0, of, ""), progress, stopped, fault).add_all(files)
            return self.source(name)
        finally:
            with self.writing() as database:
                text = "DELETE FROM sources WHERE number = ? AND NOT EXISTS (SELECT 1 FROM games WHERE source = ?)"
                database.execute(text, (number, number))

    def add_tournaments(self) -> None:
        """Add the results files of computer tournaments beside the store that are new or have changed."""
        if not self.can_write:
            return
        with suppress(OSError):
            for file in sorted(filter(has_results, (self.path.parent / "tournaments").iterdir())):
                with suppress(OSError):
                    status = file.stat()
                    key = "tournament", file.name.encode(errors="replace").decode()
                    self._add_once(file, _TOURNAMENTS, key, f"{status.st_size} {status.st_mtime_ns}")

    def add_shipped(self) -> None:
        """Add the games that are shipped with the program, once per edition: the user may have removed them."""
        file = asset("games") / "levels-and-engine.wtb"
        if self.can_write:
            self._add_once(file, SHIPPED, ("shipped", file.name), str(crc32(file.read_bytes())))

    def _add_once(self, file: Path, source: str, key: tuple[str, str], stamp: str) -> None:
        """Add a file unless it was added with the same stamp. A shipped file replaces its former edition."""
        with self.reading() as database:
            known = "SELECT stamp FROM taken WHERE kind = ? AND name = ?"
            if database.execute(known, key).fetchone() == (stamp,):
                return
        for former in self.sources() if source == SHIPPED else ():
            if former.name == SHIPPED:
                self.remove(former.number)
        with suppress(FileError, ResultsError):
            self.add([file], source)
        with self.writing() as database:
            database.execute("INSERT OR REPLACE INTO taken VALUES (?, ?, ?)", (*key, stamp))

    # Values.

    def get_value(self, name: str) -> bytes | None:
        """Return a named value, None if there is none."""
        with self.reading() as database:
            text = "SELECT CAST(coalesce(value, '') AS BLOB) FROM kept WHERE name = ?"
            row = database.execute(text, (name,)).fetchone()
        return None if row is None else bytes(row[0])

    def update_value(self, name: str, change: Callable[[bytes | None], bytes]) -> None:
        """Update a named value. If `change` raises an OthelloError, the old value is stored under another name.

        Args:
            name: of the value.
            change: called with the old value, or with None if there is none or it is damaged; returns the new value.
        """
        with self.writing() as database:
            data = self.get_value(name)
            try:
                changed = change(data)
            except OthelloError:
                database.execute("INSERT INTO kept VALUES (?, ?)", (self.backup_name(name), data))
                changed = change(None)
            database.execute("INSERT OR REPLACE INTO kept VALUES (?, ?)", (name, changed))

    def backup_name(self, name: str) -> str:
        """Return an unused name for the backup of a damaged value."""
        with self.reading() as database:
            taken = {name for (name,) in database.execute("SELECT name FROM kept")}
        path = Path(name)
        names = map(str, numbered(path.with_name(f"{path.stem}.damaged"), path.suffix))
        return next(name for name in names if name not in taken)

    def remove(self, source: int) -> None:
        """Remove a source with all its games; raise a StoreError if they are the user's own."""
        with self.writing() as database:
            if database.execute("SELECT 1 FROM sources WHERE number = ? AND name = ?", (source, OWN)).fetchone():
                raise StoreError("store_own", name=OWN)
            segments = "SELECT number FROM segments WHERE source = ?"
            database.execute(f"DELETE FROM chunks WHERE segment IN ({segments})", (source,))
            for table in ("segments", "games", "files"):
                database.execute(f"DELETE FROM {table} WHERE source = ?", (source,))
            database.execute("DELETE FROM sources WHERE number = ?", (source,))
        with self.reading() as database:
            database.executescript("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)")


def _rebuild(database: sqlite3.Connection) -> None:
    """Rebuild the derived tables from the recovered rows."""
    before_rebuilding(database)
    game_rows.rebuild(database)
    after_rebuilding(database)


def _game_line(row: Sequence[Any], move: Move | None) -> GameLine:
    number, year, black_points, white_points, source, black, white, winner, event = row
    points = None if black_points is None else (black_points, white_points)
    return GameLine(number, year or None, black, white, points, winner, move, event, source)


def _with_words(database: sqlite3.Connection, text: str, words: str) -> str:
    """Return a JSON list of those results of a query that contain all words."""
    game_filter = words.casefold().split()
    return json.dumps(
        [name for (name,) in database.execute(text) if all(word in name.casefold() for word in game_filter)]
    )


def _condition(database: sqlite3.Connection, game_filter: GameFilter) -> tuple[str, list[Any]]:
    """Return an SQL condition for a filter, and its values."""
    conditions, values = ["1"], list[Any]()
    if game_filter.player.strip():
        names = _with_words(database, "SELECT CAST(name AS TEXT) FROM names", game_filter.player)
        some = "(SELECT value FROM json_each(?))"
        either = f"SELECT number FROM games WHERE black IN {some} UNION SELECT number FROM games WHERE white IN {some}"
        conditions.append(f"number IN ({either})")
        values += [names, names]
    if game_filter.event.strip():
        conditions.append("event IN (SELECT value FROM json_each(?))")
        values.append(_with_words(database, "SELECT DISTINCT CAST(event AS TEXT) FROM games", game_filter.event))
    if game_filter.years is not None:
        conditions.append("year BETWEEN ? AND ?")
        values += game_filter.years
    if game_filter.sources is not None:
        conditions.append(f"source IN ({', '.join(map(str, game_filter.sources))})")
    if game_filter.result is not None:
        conditions.append("winner = ?")
        values.append(game_filter.result)
    return " AND ".join(conditions), values
