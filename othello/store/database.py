"""The store of all that a person keeps: own games, archives, tournaments, exercises; and what the games say.

A game is a row with its moves; `entries` is the index of its positions.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Self
from zlib import crc32

import numpy as np

from othello.errors import FileError, OthelloError, ResultsError, StoreError
from othello.frozen import Frozen
from othello.records.formats.replaying import replayed
from othello.records.formats.sheet import Found
from othello.records.game_file import GameFile
from othello.records.recognition import count_games
from othello.resources import asset, data_folder
from othello.rules.protocol import NO_MOVE, GameSpec, Move, Position
from othello.rules.registry import rules_of
from othello.schema import nearest
from othello.store.adding import Adding, Progress, files_of, has_results, name_of
from othello.store.file import StoreFile
from othello.store.own import OWN, OwnGames, after_rebuilding, before_rebuilding
from othello.store.rows import DAMAGED, RESULTS, UNKNOWN, WHOLE, Entries, entries_at, rebuild, sheet_of, source_number

STORE_NAME: Final = "games.sqlite"
SHIPPED: Final = "Levels and engine"
"""The source of the games that come with the program, which `training.games` makes."""

_TOURNAMENTS: Final = "Tournaments"
_MOVES: Final = NO_MOVE + 1
_TEXTS: Final = ", ".join(f"CAST({column} AS TEXT)" for column in ("black", "white", "winner", "event"))
_LINE: Final = f"SELECT number, CAST(year AS INTEGER), black_points, white_points, source, {_TEXTS} FROM games"


class Source(Frozen):
    """Games that came together."""

    number: int
    name: str
    kind: str  # "own", "archive", or "tournament" for games between computers
    games: int = 0
    first_year: int | None = None
    last_year: int | None = None


class Wanted(Frozen):
    """Which games are asked for."""

    sources: frozenset[int] | None = None  # by number; None: all
    years: tuple[int, int] | None = None  # the first and the last
    player: str = ""  # words of the name of either side
    result: str | None = None  # "black", "draw" or "white"
    event: str = ""  # words of the tournament's name


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


class Store(StoreFile):
    """All games, and where every position occurred.

    Queries may come from any thread, and files may be added by one thread while others ask.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Open the user's store, or the one in a file; only to be read where the file cannot be written.

        StoreError: a newer program has written the file.
        """
        super().__init__(data_folder() / STORE_NAME if path is None else path, _rebuild)
        self.own = OwnGames(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Questions.

    def sources(self) -> tuple[Source, ...]:
        """All sources, own games first."""
        with self.reading() as database:
            years = [
                f"(SELECT {one}(year) FROM games WHERE source = sources.number AND year > 0)" for one in ("min", "max")
            ]
            games = "(SELECT coalesce(sum(games), 0) FROM segments WHERE source = sources.number)"
            columns = f"number, CAST(name AS TEXT), CAST(kind AS TEXT), {games}, {', '.join(years)}"
            text = f"SELECT {columns} FROM sources ORDER BY kind != 'own', number"
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
        with self.reading() as database:
            text = f"{_LINE} WHERE number IN (SELECT value FROM json_each(?))"
            lines = {row[0]: row for row in database.execute(text, (json.dumps([*moves]),))}
        return tuple(
            _line(lines[number], None if move == NO_MOVE else meaning[move])
            for number, move in moves.items()
            if number in lines
        )

    def search(self, wanted: Wanted, offset: int = 0, limit: int = 100) -> tuple[GameLine, ...]:
        """Games by source, year, player and result, the newest first."""
        with self.reading() as database:
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
        with self.reading() as database:
            if game is not None and position is not None:
                found, _ = self._entries(game, position, wanted)
                numbers = np.sort(found["game"]).tolist()
            else:
                where, values = _where(database, wanted)
                rows = database.execute(f"SELECT number FROM games WHERE {where} ORDER BY year, number", values)
                numbers = [number for (number,) in rows]
            for number in numbers:
                row = database.execute(f"{WHOLE} WHERE number = ?", (number,)).fetchone()
                if row is not None:
                    try:
                        yield sheet_of(row)
                    except DAMAGED:
                        yield StoreError("store_damaged_game", number=number)

    def game(self, number: int) -> GameFile:
        """A whole game; StoreError where there is none of that number."""
        with self.reading() as database:
            row = database.execute(f"{WHOLE} WHERE number = ?", (number,)).fetchone()
        if row is None:
            raise StoreError("store_no_game", number=number)
        try:
            return sheet_of(row).opened
        except DAMAGED:
            raise StoreError("store_damaged_game", number=number) from None

    def _entries(self, game: GameSpec, position: Position, wanted: Wanted) -> tuple[Entries, Sequence[Move]]:
        """The entries of a position in the games that are wanted, and what their moves mean in it."""
        key, meaning = rules_of(game).key_of(position)
        with self.reading() as database:
            found = entries_at(database, key, wanted.sources)
            if wanted.years is not None:
                first, last = wanted.years
                found = found[(found["year"] >= first) & (found["year"] <= last)]
            if wanted.result is not None:
                found = found[found["result"] == RESULTS.index(wanted.result)]
            if (wanted.player.strip() or wanted.event.strip()) and len(found):
                where, values = _where(database, Wanted(player=wanted.player, event=wanted.event))
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
            StoreError: the store cannot be written, or the name is that of the person's own games.
        """
        files = [file for path in paths for file in files_of(path)]
        if not files:
            raise FileError("no_such_file", path=paths[0])
        name = name or name_of(files)
        if name == OWN:
            raise StoreError("store_own", name=name)
        kind = "tournament" if name == SHIPPED or all(map(has_results, files)) else "archive"
        counts = [None if has_results(file) else count_games(file) for file in files]
        known = [count for count in counts if count is not None]
        of = sum(known) if len(known) == len(counts) else None
        with self.writing() as database:
            number = source_number(database, name, kind)
        work = Adding(self, number, Progress(0, of, ""), progress, stopped, fault)
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
            with self.writing() as database:
                text = "DELETE FROM sources WHERE number = ? AND NOT EXISTS (SELECT 1 FROM games WHERE source = ?)"
                database.execute(text, (number, number))

    def add_tournaments(self) -> None:
        """Add the tournaments of computers that were played since the last time: results files beside the store."""
        if not self.can_write:
            return
        with suppress(OSError):
            for file in sorted(filter(has_results, (self.path.parent / "tournaments").iterdir())):
                self._add_tournament(file, file.name.encode(errors="replace").decode())

    def add_shipped(self) -> None:
        """Add the games that come with the program, once for each edition: the user may remove them."""
        file = asset("games") / "levels-and-engine.wtb"
        key, stamp = ("shipped", file.name), str(crc32(file.read_bytes()))
        if self.can_write and not self._is_taken(key, stamp):
            for source in self.sources():
                if source.name == SHIPPED:
                    self.remove(source.number)
            self._take(file, SHIPPED, key, stamp)

    def _add_tournament(self, file: Path, name: str) -> None:
        """Add a tournament, unless its file is unchanged since the last time."""
        with suppress(OSError):
            found = file.stat()
            key, stamp = ("tournament", name), f"{found.st_size} {found.st_mtime_ns}"
            if not self._is_taken(key, stamp):
                self._take(file, _TOURNAMENTS, key, stamp)

    def _is_taken(self, key: tuple[str, str], stamp: str) -> bool:
        with self.reading() as database:
            known = "SELECT stamp FROM taken WHERE kind = ? AND name = ?"
            return bool(database.execute(known, key).fetchone() == (stamp,))

    def _take(self, file: Path, source: str, key: tuple[str, str], stamp: str) -> None:
        with suppress(FileError, ResultsError):
            self.add([file], source)
        with self.writing() as database:
            database.execute("INSERT OR REPLACE INTO taken VALUES (?, ?, ?)", (*key, stamp))

    # Values.

    def kept(self, name: str) -> bytes | None:
        """Return the value of a name, None if there is none."""
        with self.reading() as database:
            text = "SELECT CAST(coalesce(value, '') AS BLOB) FROM kept WHERE name = ?"
            found = database.execute(text, (name,)).fetchone()
        return None if found is None else bytes(found[0])

    def keep(self, name: str, change: Callable[[bytes | None], bytes]) -> None:
        """Change a value. Where `change` raises OthelloError, the value is damaged: it gets another name.

        Then the change begins with None.
        """
        with self.writing() as database:
            data = self.kept(name)
            try:
                changed = change(data)
            except OthelloError:
                database.execute("INSERT INTO kept VALUES (?, ?)", (self.aside(name), data))
                changed = change(None)
            database.execute("INSERT OR REPLACE INTO kept VALUES (?, ?)", (name, changed))

    def aside(self, name: str) -> str:
        """What a damaged value will be called."""
        with self.reading() as database:
            taken = {name for (name,) in database.execute("SELECT name FROM kept")}
        path = Path(name)
        numbers = ("", *(f"-{number}" for number in range(2, len(taken) + 3)))
        names = (str(path.with_name(f"{path.stem}.damaged{number}{path.suffix}")) for number in numbers)
        return next(name for name in names if name not in taken)

    def remove(self, source: int) -> None:
        """Take a source and all its games out of the store; StoreError where they are the person's own."""
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
    """Make all that follows from the rows that could be recovered."""
    before_rebuilding(database)
    rebuild(database)
    after_rebuilding(database)


def _line(row: Sequence[Any], move: Move | None) -> GameLine:
    number, year, black_points, white_points, source, black, white, winner, event = row
    points = None if black_points is None else (black_points, white_points)
    return GameLine(number, year or None, black, white, points, winner, move, event, source)


def _with_words(database: sqlite3.Connection, text: str, words: str) -> str:
    """Return a JSON list of the texts that a query finds, as far as they have all these words."""
    wanted = words.casefold().split()
    return json.dumps([name for (name,) in database.execute(text) if all(word in name.casefold() for word in wanted)])


def _where(database: sqlite3.Connection, wanted: Wanted) -> tuple[str, list[Any]]:
    """The condition for games in SQL, and its values."""
    conditions, values = ["1"], list[Any]()
    if wanted.player.strip():
        found = _with_words(database, "SELECT CAST(name AS TEXT) FROM names", wanted.player)
        some = "(SELECT value FROM json_each(?))"
        either = f"SELECT number FROM games WHERE black IN {some} UNION SELECT number FROM games WHERE white IN {some}"
        conditions.append(f"number IN ({either})")
        values += [found, found]
    if wanted.event.strip():
        conditions.append("event IN (SELECT value FROM json_each(?))")
        values.append(_with_words(database, "SELECT DISTINCT CAST(event AS TEXT) FROM games", wanted.event))
    if wanted.years is not None:
        conditions.append("year BETWEEN ? AND ?")
        values += wanted.years
    if wanted.sources is not None:
        conditions.append(f"source IN ({', '.join(map(str, wanted.sources))})")
    if wanted.result is not None:
        conditions.append("winner = ?")
        values.append(wanted.result)
    return " AND ".join(conditions), values
