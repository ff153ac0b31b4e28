"""The user's own games: one row each, indexed by position once they have ended."""

import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from time import time
from typing import Final

from othello.errors import OthelloError, StoreError
from othello.records.formats.parsed_game import FileItem, ParsedGame
from othello.records.game_file import GameFile, GameListEntry, format_game, parse_game
from othello.store import game_rows
from othello.store.store_file import StoreFile

OWN: Final = "My games"
LEFT: Final = "running-before"  # takes the place of a window: the game is offered at the next start
# the cast returns text even if the name is damaged
_LISTED: Final = "SELECT head, number, CAST(coalesce(name, '') AS TEXT) FROM own_games"


class OwnGames:
    """The games of all windows.

    A window overwrites a game only if no other window has written it since. A window is identified by the name of a
    file that it keeps locked.
    """

    def __init__(self, file: StoreFile) -> None:
        self._file = file

    # Reading.

    def listed(self) -> list[GameListEntry]:
        """Return all games that are not deleted, the newest first."""
        with self._file.reading() as database:
            rows = database.execute(f"{_LISTED} WHERE deleted = '' ORDER BY date DESC, number DESC")
            return [GameListEntry(*row) for row in rows]

    def read(self, number: int) -> tuple[GameFile, int]:
        """Return a game and its version; raise a StoreError if it is missing or damaged."""
        with self._file.reading() as database:
            text = "SELECT version, document, game FROM own_games LEFT JOIN documents USING (number) WHERE number = ?"
            row = database.execute(text, (number,)).fetchone()
            if row is None:
                raise StoreError("store_no_game", number=number)
            version, document, game = row
            with suppress(*game_rows.DAMAGED):
                return parse_game(zlib.decompress(document).decode()), version
            row = database.execute(f"{game_rows.WHOLE} WHERE number = ?", (game,)).fetchone()
        with suppress(*game_rows.DAMAGED):
            if row is not None:
                return game_rows.parse_row(row, is_bare=True).opened, version
        raise StoreError("store_damaged_game", number=number)

    def parsed_games(self) -> Iterator[FileItem]:
        """Yield all games, the oldest first, finished or not, and an error for each damaged one."""
        for number, listed in enumerate(reversed(self.listed()), 1):
            try:
                yield ParsedGame.of(self.read(listed.number)[0], number)
            except OthelloError as error:
                yield error

    # Writing.

    def write(
        self, file: GameFile, number: int | None, version: int, window: str, *, is_played: bool
    ) -> tuple[int, int]:
        """Write a game, as a new row if `number` is None or another window has changed the row.

        Args:
            file: the game.
            number: of its row.
            version: of the row when this window last read or wrote it.
            window: the window that writes.
            is_played: True if the window is playing the game.

        Returns:
            The number and the new version of the row.
        """
        game = _Prepared(file)
        listed = game.listed
        with self._file.writing() as database:
            row = None
            if number is not None:
                text = "SELECT game, deleted FROM own_games WHERE number = ? AND version = ?"
                row = database.execute(text, (number, version)).fetchone()
            indexed, deleted = row or (None, "")
            is_deleted = deleted == window != ""  # deleted in a window that did not know that the game goes on
            head = listed.headers.date, listed.headers_json
            if number is None or row is None:
                text = "INSERT INTO own_games (date, head) VALUES (?, ?) RETURNING number"
                (number,) = database.execute(text, head).fetchone()
            text = (
                "UPDATE own_games SET date = ?, head = ?, deleted = ?, version = version + 1, written = ?, "
                "playing = CASE WHEN ? THEN ? WHEN playing = ? THEN '' ELSE playing END WHERE number = ? "
                "RETURNING version"
            )
            values = *head, window if is_deleted else "", time(), is_played, window, window, number
            ((version,),) = database.execute(text, values).fetchall()
            database.execute("INSERT OR REPLACE INTO documents VALUES (?, ?)", (number, game.document))
            game.index(database, number, indexed, is_present=not is_deleted)
        return number, version

    def rename(self, number: int, name: str) -> None:
        text = name.encode(errors="replace").decode()
        with self._file.writing() as database:
            database.execute("UPDATE own_games SET name = ? WHERE number = ?", (text, number))

    def delete(self, number: int, window: str) -> None:
        """Hide a game until the window closes."""
        with self._file.writing() as database:
            database.execute("UPDATE own_games SET deleted = ? WHERE number = ?", (window, number))
            if database.execute("SELECT game FROM own_games WHERE number = ?", (number,)).fetchone() != (None,):
                _remove_from_index(database, number)

    def restore(self, number: int) -> None:
        """Restore a deleted game."""
        game = None
        with suppress(StoreError):  # a damaged game stays in the list
            game = _Prepared(self.read(number)[0])
        with self._file.writing() as database:
            text = "UPDATE own_games SET deleted = '' WHERE number = ? RETURNING game"
            row = database.execute(text, (number,)).fetchone()
            if row is None:
                raise StoreError("store_no_game", number=number)
            if game is not None:
                game.index(database, number, *row)  # another window may have restored the game, too

    def purge(self, windows: Iterable[str]) -> None:
        """Delete for good the games that were deleted in closed windows."""
        with self._file.writing() as database:
            for window in windows:
                gone = "SELECT number FROM own_games WHERE deleted = ?"
                database.execute(f"DELETE FROM documents WHERE number IN ({gone})", (window,))
                database.execute("DELETE FROM own_games WHERE deleted = ?", (window,))

    # Games in progress.

    def mark_as_open(self, number: int | None, window: str) -> None:
        """Store which game a window is playing; None: no game."""
        with self._file.writing() as database:
            database.execute("UPDATE own_games SET playing = '' WHERE playing = ?", (window,))
            database.execute("UPDATE own_games SET playing = ? WHERE number = ?", (window, number))

    def abandoned_game(self, is_closed: Callable[[str], bool]) -> GameListEntry | None:
        """Return the newest game that was in progress when its window closed, and stop offering all others.

        The game is offered again until a window plays it or the mark `LEFT` is removed.
        """
        if not self._file.can_write:
            return None
        with self._file.reading() as database:
            words = (f"SELECT CAST({column} AS TEXT) FROM own_games" for column in ("playing", "deleted"))
            windows = database.execute(" UNION ".join(words))
            closed = [window for (window,) in windows.fetchall() if window and is_closed(window)]
        if not closed:
            return None
        self.purge(closed)
        marks = ", ".join("?" * len(closed))
        with self._file.writing() as database:
            text = f"{_LISTED} WHERE playing IN ({marks}) AND deleted = '' ORDER BY written"
            left = database.execute(text, closed).fetchall()
            database.execute(f"UPDATE own_games SET playing = '' WHERE playing IN ({marks})", closed)
            newest = GameListEntry(*left[-1]) if left else None
            if newest is not None:
                database.execute("UPDATE own_games SET playing = ? WHERE number = ?", (LEFT, newest.number))
        return newest


class _Prepared:
    """A game and its rows, prepared before the database is locked."""

    def __init__(self, file: GameFile) -> None:
        self.listed = GameListEntry.of(file)
        self.document = zlib.compress(format_game(file).encode(errors="replace"))
        self._ended = [ParsedGame.of(file)] if file.result else []
        self._entries, self._ends = game_rows.entries_of(self._ended)

    def index(
        self, database: sqlite3.Connection, number: int, indexed: int | None = None, *, is_present: bool = True
    ) -> None:
        """Index the game if it has ended, in place of its old entries.

        Args:
            database: in a transaction.
            number: of the row in `own_games`.
            indexed: the old row in `games`; None if there is none.
            is_present: False removes the game from the index.
        """
        ended = self._ended if is_present else []
        if ended:
            source = game_rows.source_number(database, OWN, "own")
            row = game_rows.row_of(source, None, replace(ended[0], whole=None), self._ends[0])
            if indexed is not None and game_rows.is_like(database, indexed, row):
                return
        if indexed is not None:
            _remove_from_index(database, number)
        if ended:
            game = game_rows.insert(database, source, [row], self._entries)
            database.execute("UPDATE own_games SET game = ? WHERE number = ?", (game, number))


def before_rebuilding(database: sqlite3.Connection) -> None:
    """Remove indexed own games that have no row in `own_games`, before the index is rebuilt."""
    linked = "SELECT game FROM own_games WHERE game IS NOT NULL"
    source = database.execute("SELECT number FROM sources WHERE name = ?", (OWN,)).fetchone()
    if source is None and database.execute(linked).fetchone() is None:
        return
    if source is None:
        highest = "SELECT number FROM sources UNION SELECT source FROM games"
        database.execute(f"INSERT INTO sources SELECT coalesce(max(number), 0) + 1, ?, 'own' FROM ({highest})", (OWN,))
        source = database.execute("SELECT number FROM sources WHERE name = ?", (OWN,)).fetchone()
    database.execute(f"UPDATE games SET source = ? WHERE number IN ({linked})", source)
    database.execute(f"DELETE FROM games WHERE source = ? AND file IS NULL AND number NOT IN ({linked})", source)


def after_rebuilding(database: sqlite3.Connection) -> None:
    """Restore the rows of own games from their documents, and index the games that have ended."""
    database.execute("UPDATE own_games SET game = NULL WHERE game NOT IN (SELECT number FROM games)")
    database.execute("DELETE FROM own_games WHERE game IS NULL AND number NOT IN (SELECT number FROM documents)")
    lost = "game IS NULL AND coalesce(deleted, '') = ''"
    numbers = database.execute(f"SELECT number FROM documents LEFT JOIN own_games USING (number) WHERE {lost}")
    for (number,) in numbers.fetchall():
        (document,) = database.execute("SELECT document FROM documents WHERE number = ?", (number,)).fetchone()
        with suppress(*game_rows.DAMAGED):
            game = _Prepared(parse_game(zlib.decompress(document).decode()))
            database.execute("BEGIN")
            text = "INSERT OR IGNORE INTO own_games (number, date, head) VALUES (?, ?, ?)"
            database.execute(text, (number, game.listed.headers.date, game.listed.headers_json))
            game.index(database, number)
            database.execute("COMMIT")


def _remove_from_index(database: sqlite3.Connection, number: int) -> None:
    source = game_rows.source_number(database, OWN, "own")
    game_rows.delete_games(database, source, "SELECT game FROM own_games WHERE number = ?", number)
    database.execute("UPDATE own_games SET game = NULL WHERE number = ?", (number,))
