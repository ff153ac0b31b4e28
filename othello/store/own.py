"""The person's own games: a row each while they are played, found by position as soon as they have ended."""

from __future__ import annotations

import json
import logging
import os
import re
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import count
from pathlib import Path
from time import monotonic, time
from typing import Any, Final

from othello.errors import OthelloError, StoreError
from othello.reading import read_text
from othello.records.formats.sheet import Found, Sheet
from othello.records.game_file import MOST_BYTES, SUFFIX, GameFile, format_game, parse_game
from othello.records.listed import Listed
from othello.records.lock import open_locked
from othello.store.entries import entries_of
from othello.store.file import StoreFile
from othello.store.rows import DAMAGED, WHOLE, insert, is_like, lose, row_of, sheet_of, source_number

OWN: Final = "My games"
_FOLDER: Final = "games"  # in which older versions kept each game in a file
_LEFT: Final = "running-before"  # who plays a game that was left while it was in a file: nobody
_AT_ONCE: Final = 0.5  # seconds for which files are read until what was read is written
_USUAL_NAME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d{6}(-\d+)?")  # of a file that nobody has given a name
_LISTED: Final = "SELECT head, number, CAST(coalesce(name, '') AS TEXT) FROM own_games"  # a text even if it is damaged

_log = logging.getLogger(__name__)


class OwnGames:
    """The games of all windows.

    A game never takes the place of another: a window writes over a game only as long as no other window has written it
    since. A window is called by the name of a file that it keeps locked.
    """

    def __init__(self, file: StoreFile) -> None:
        self._file = file

    # Reading.

    def listed(self) -> list[Listed]:
        """All games that are not deleted, the newest first."""
        with self._file.reading() as database:
            rows = database.execute(f"{_LISTED} WHERE deleted = '' ORDER BY date DESC, number DESC")
            return [Listed(*row) for row in rows]

    def read(self, number: int) -> tuple[GameFile, int]:
        """A whole game, and how often it was written; StoreError where there is none of that number."""
        with self._file.reading() as database:
            text = "SELECT version, document, game FROM own_games LEFT JOIN documents USING (number) WHERE number = ?"
            row = database.execute(text, (number,)).fetchone()
            if row is None:
                raise StoreError("store_no_game", number=number)
            version, document, game = row
            with suppress(*DAMAGED):
                return _parsed(document), version
            row = database.execute(f"{WHOLE} WHERE number = ?", (game,)).fetchone()
        with suppress(*DAMAGED):
            if row is not None:
                return sheet_of(row, is_bare=True).opened, version
        raise StoreError("store_damaged_game", number=number)

    def sheets(self) -> Iterator[Found]:
        """All games, the oldest first, whether or not they have ended."""
        for number, listed in enumerate(reversed(self.listed()), 1):
            try:
                yield Sheet.of(self.read(listed.number)[0], number)
            except OthelloError as error:
                yield error

    # Writing.

    def write(
        self, file: GameFile, number: int | None, version: int, window: str, *, is_played: bool
    ) -> tuple[int, int]:
        """Write a game, in a row of its own where `number` is None or another window has written the row since.

        Args:
            file: the game.
            number: of its row.
            version: how often the row was written when the window has read or written it last.
            window: that writes.
            is_played: whether the game is being played there.

        Returns:
            The number of the row, and how often it was written.
        """
        game = _Prepared([file])
        with self._file.writing() as database:
            found = None
            if number is not None:
                text = "SELECT game, deleted FROM own_games WHERE number = ? AND version = ?"
                found = database.execute(text, (number, version)).fetchone()
            if number is None or found is None:
                number, indexed, is_deleted = game.add(database), None, False
            else:
                listed, (indexed, deleted) = game.listed[0], found
                is_deleted = deleted == window != ""  # another window has only not known that the game goes on
                database.execute(
                    "UPDATE own_games SET date = ?, head = ?, deleted = ? WHERE number = ?",
                    (listed.date, listed.head, deleted if is_deleted else "", number),
                )
            database.execute(
                "UPDATE own_games SET version = version + 1, written = ?, "
                "playing = CASE WHEN ? THEN ? WHEN playing = ? THEN '' ELSE playing END WHERE number = ?",
                (time(), is_played, window, window, number),
            )
            game.document(database, number)
            game.index(database, [number], [indexed], wanted=not is_deleted)
            (version,) = database.execute("SELECT version FROM own_games WHERE number = ?", (number,)).fetchone()
        return number, version

    def rename(self, number: int, name: str) -> None:
        with self._file.writing() as database:
            database.execute("UPDATE own_games SET name = ? WHERE number = ?", (_text(name), number))

    def delete(self, number: int, window: str) -> None:
        """Hide a game until the window is closed."""
        with self._file.writing() as database:
            database.execute("UPDATE own_games SET deleted = ? WHERE number = ?", (window, number))
            if database.execute("SELECT game FROM own_games WHERE number = ?", (number,)).fetchone() != (None,):
                _unindex(database, [number])

    def restore(self, number: int) -> None:
        """Bring back a game that was deleted."""
        files = []
        with suppress(StoreError):  # one that is damaged stays in the list
            files.append(self.read(number)[0])
        game = _Prepared(files)
        with self._file.writing() as database:
            text = "UPDATE own_games SET deleted = '' WHERE number = ? RETURNING game"
            found = database.execute(text, (number,)).fetchone()
            if found is None:
                raise StoreError("store_no_game", number=number)
            game.index(database, [number], found)  # another window may have brought the game back

    def purge(self, windows: Iterable[str]) -> None:
        """Forget what was deleted in windows that are closed."""
        with self._file.writing() as database:
            for window in windows:
                gone = "SELECT number FROM own_games WHERE deleted = ?"
                database.execute(f"DELETE FROM documents WHERE number IN ({gone})", (window,))
                database.execute("DELETE FROM own_games WHERE deleted = ?", (window,))

    # What is being played.

    def mark(self, number: int | None, window: str) -> None:
        """Say which game a window plays; None: none."""
        with self._file.writing() as database:
            database.execute("UPDATE own_games SET playing = '' WHERE playing = ?", (window,))
            database.execute("UPDATE own_games SET playing = ? WHERE number = ?", (window, number))

    def left(self, is_closed: Callable[[str], bool]) -> Listed | None:
        """The newest game that a window was playing which is closed now; from then on nobody plays these games."""
        if not self._file.can_write:
            return None
        with self._file.reading() as database:
            words = (f"SELECT CAST({column} AS TEXT) FROM own_games" for column in ("playing", "deleted"))
            found = database.execute(" UNION ".join(words))
            closed = [window for (window,) in found.fetchall() if window and is_closed(window)]
        if not closed:
            return None
        self.purge(closed)
        marks = ", ".join("?" * len(closed))
        with self._file.writing() as database:
            text = f"{_LISTED} WHERE playing IN ({marks}) AND deleted = '' ORDER BY written"
            left = database.execute(text, closed).fetchall()
            database.execute(f"UPDATE own_games SET playing = '' WHERE playing IN ({marks})", closed)
        return Listed(*left[-1]) if left else None

    # Files of older versions.

    def take_over(self) -> bool:
        """Take some more games over from the files of older versions, each once; whether there may be more.

        The files stay as they are. One that holds no game is left out until somebody changes it.
        """
        folder, end = self._file.path.parent / _FOLDER, monotonic() + _AT_ONCE
        if not self._file.can_write:
            return False
        with self._file.reading() as database:
            known = dict(database.execute("SELECT name, stamp FROM taken WHERE kind = 'game'"))
        files = [
            file
            for file in _files_in(folder, f"*{SUFFIX}")
            if (stamp := known.get(_text(file.name))) is None or (stamp and stamp != _stamp_of(file))
        ]
        left = {*_marked(folder)} if files else set()
        found: list[tuple[Path, str, GameFile]] = []
        refused: list[Path] = []
        for file in sorted(files, key=lambda file: (file.name not in left, file.name)):
            try:
                found.append((file, text := read_text(file, MOST_BYTES), parse_game(text)))
            except OthelloError as error:
                refused.append(file)
                _log.warning("%s is left out: %s", file, error)
            if monotonic() > end:
                break
        if files:
            games = _Prepared([game for _, _, game in found], [text for _, text, _ in found])
            self._take([file for file, _, _ in found], games, left, refused)
        return bool(files)

    def _take(self, files: Sequence[Path], games: _Prepared, left: set[str], refused: Sequence[Path]) -> None:
        with self._file.writing() as database:
            taken = "SELECT 1 FROM taken WHERE kind = 'game' AND name = ? AND stamp = ''"
            if any(database.execute(taken, (_text(file.name),)).fetchone() for file in files):
                return  # another window has been at it meanwhile
            numbers = [games.add(database, each) for each in range(len(files))]
            for each, (file, number) in enumerate(zip(files, numbers, strict=True)):
                name = file.name.removesuffix(SUFFIX)
                shown = "" if _USUAL_NAME.fullmatch(name) else _text(name)
                playing, written = _LEFT if file.name in left else "", _changed_at(file)
                database.execute(
                    "UPDATE own_games SET name = ?, playing = ?, written = ? WHERE number = ?",
                    (shown, playing, written, number),
                )
                games.document(database, number, each)
            games.index(database, numbers, [None] * len(numbers))
            rows = [
                *((_text(file.name), "") for file in files),
                *((_text(file.name), _stamp_of(file)) for file in refused),
            ]
            database.executemany("INSERT OR REPLACE INTO taken VALUES ('game', ?, ?)", rows)


class _Prepared:
    """Games, and all of their rows that can be known before the database is asked."""

    def __init__(self, files: Sequence[GameFile], texts: Sequence[str] = ()) -> None:
        self.listed = [Listed.of(file) for file in files]
        self._documents = [zlib.compress(text.encode(errors="replace")) for text in texts or map(format_game, files)]
        self._ended = [number for number, file in enumerate(files) if file.result]
        self._sheets = [Sheet.of(files[number]) for number in self._ended]
        self._entries, self._ends = entries_of(self._sheets)

    def add(self, database: sqlite3.Connection, which: int = 0) -> int:
        """Add a row for a game; its number."""
        listed = self.listed[which]
        number = database.execute(
            "INSERT INTO own_games (date, head) VALUES (?, ?)", (listed.date, listed.head)
        ).lastrowid
        assert number is not None
        return number

    def document(self, database: sqlite3.Connection, number: int, which: int = 0) -> None:
        database.execute("INSERT OR REPLACE INTO documents VALUES (?, ?)", (number, self._documents[which]))

    def index(
        self,
        database: sqlite3.Connection,
        numbers: Sequence[int],
        indexed: Sequence[int | None],
        *,
        wanted: bool = True,
    ) -> None:
        """Let the games that have ended be found by position, in place of what was found of them before.

        Args:
            numbers: of the rows.
            indexed: the games that were found until now.
            wanted: whether they are to be found.
        """
        ended = self._ended if wanted else []
        if not ended and not any(indexed):
            return
        source = source_number(database, OWN, "own")
        rows = [
            row_of(source, None, replace(sheet, whole=None), end)
            for sheet, end in zip(self._sheets, self._ends, strict=True)
        ]
        if len(numbers) == 1 and ended and indexed[0] is not None and is_like(database, indexed[0], rows[0]):
            return
        if any(indexed):
            _unindex(database, numbers)
        if ended:
            games = count(insert(database, source, rows, self._entries))
            found = [(game, numbers[which]) for game, which in zip(games, ended, strict=False)]
            database.executemany("UPDATE own_games SET game = ? WHERE number = ?", found)


def before_rebuilding(database: sqlite3.Connection) -> None:
    """Leave out own games of the index that belong to no row, in a database that is recovered."""
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
    """Make all rows of own games again that can be made, and let ended games be found that are not."""
    database.execute("UPDATE own_games SET game = NULL WHERE game NOT IN (SELECT number FROM games)")
    database.execute("DELETE FROM own_games WHERE game IS NULL AND number NOT IN (SELECT number FROM documents)")
    lost = "game IS NULL AND coalesce(deleted, '') = ''"
    numbers = database.execute(f"SELECT number FROM documents LEFT JOIN own_games USING (number) WHERE {lost}")
    for (number,) in numbers.fetchall():
        (document,) = database.execute("SELECT document FROM documents WHERE number = ?", (number,)).fetchone()
        with suppress(*DAMAGED):
            game = _Prepared([_parsed(document)])
            listed = game.listed[0]
            database.execute("BEGIN")
            database.execute(
                "INSERT OR IGNORE INTO own_games (number, date, head) VALUES (?, ?, ?)",
                (number, listed.date, listed.head),
            )
            game.index(database, [number], [None])
            database.execute("COMMIT")


def _parsed(document: Any) -> GameFile:
    """A game as it is kept; raises one of DAMAGED."""
    return parse_game(zlib.decompress(document).decode())


def _unindex(database: sqlite3.Connection, numbers: Sequence[int]) -> None:
    """Let games be found no longer."""
    some = "number IN (SELECT value FROM json_each(?))"
    lose(database, source_number(database, OWN, "own"), f"SELECT game FROM own_games WHERE {some}", json.dumps(numbers))
    database.execute(f"UPDATE own_games SET game = NULL WHERE {some}", (json.dumps(numbers),))


def _text(name: str) -> str:
    """A file's name as text, whatever its bytes are."""
    return os.fsencode(name).decode(errors="backslashreplace")


def _files_in(folder: Path, pattern: str) -> list[Path]:
    try:
        return [*folder.glob(pattern)]
    except OSError:
        return []


def _changed_at(file: Path) -> float:
    with suppress(OSError):
        return file.stat().st_mtime
    return 0.0


def _stamp_of(file: Path) -> str:
    """The same as long as nobody writes the file; never empty."""
    return str(_changed_at(file))


def _marked(folder: Path) -> Iterator[str]:
    """The files of games that windows of older versions were playing when they ended."""
    for mark in _files_in(folder, "running-*"):
        with suppress(OSError, ValueError):
            if mark.is_file():
                with open_locked(mark)[0]:
                    yield os.fsdecode((mark.read_bytes()[-1000:].splitlines() or [b""])[-1])
