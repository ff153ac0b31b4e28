"""The user's games, saved after every move, the game to resume at the start, and recently used files."""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, replace
from errno import EEXIST
from pathlib import Path
from threading import Event
from typing import IO, TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from othello.errors import GameFileError, OthelloError, OutputError, Reason, errors_as
from othello.files import is_file, open_locked, remove_locked
from othello.play.history import History, Tree
from othello.play.session import Session
from othello.records.formats.parsed_game import FileItem
from othello.records.game_file import GameFile, GameListEntry
from othello.study.game_file_conversion import game_file_from
from othello.study.store_writer import StoredValue, StoreWriter

if TYPE_CHECKING:
    from othello.store.database import Store

_NOTES_SECONDS: Final = 3.0  # shortest time between saves of notes and analyses
_SAVE_SECONDS: Final = 2.0  # how long quitting waits for the disk
_RECENT: Final = "games/recent.json"
_MAX_RECENT: Final = 12
_WINDOW: Final = r"running-[\w-]+"


@dataclass(eq=False)
class _StoredGames:
    """The saved state of a game. Only the writing thread changes number and version."""

    number: int | None = None  # row in the store; None before the first save
    version: int = 0
    tree: Tree | None = None  # as last saved
    state: object = None  # as last saved
    at: float = 0.0
    is_listed: bool = True  # True if the game is in the list of games, or will be


class Library:
    """Saves the games of one window, and lists the games of all windows.

    Attributes:
        store_writer: the store.
        notice: why the last game could not be saved; None if all is well.
        left: the game in progress when the program last ended; None if there was none.
        is_beginning: True until `left` is known.
    """

    def __init__(self, store_writer: StoreWriter) -> None:
        self.notice: Reason | None = None
        self.abandoned_game: GameListEntry | None = None
        self.is_beginning = False
        self.store_writer = store_writer
        self._recent = StoredValue[tuple[str, ...]](store_writer, _RECENT, (), _paths, json.dumps)
        self._games: WeakKeyDictionary[History, _StoredGames] = WeakKeyDictionary()
        self._played: _StoredGames | None = None
        self._is_users = False  # True if the user has moved in that game
        # deleted games, and deleted files with their old and new names
        self.deleted: list[GameListEntry | tuple[Path, Path]] = []
        # changes of the list that are not in the store yet; False: deleted
        self._changes: list[tuple[GameListEntry, bool]] = []
        self._name = f"running-{os.getpid()}-{secrets.token_hex()}"
        self._lock: tuple[IO[bytes], Path] | None = None  # locked until the process ends
        self._marked: int | None = None  # row of the game in progress, as the store has it
        store_writer.last_jobs.append(self._end)

    def begin(self) -> None:
        """Look for a game to resume."""
        self.is_beginning = True
        self.store_writer.do("begin", self._begin, self._on_begun)

    # Saving.

    def adopt(self, history: History, number: int | None = None, version: int = 0) -> None:
        """Continue an opened game.

        Games without a number are saved when the user plays on or writes a note.

        Args:
            history: the game.
            number: its row in the store, None if it has none.
            version: of the row.
        """
        is_listed = number is not None
        self._games[history] = _StoredGames(number, version, history.tree, _state(history), is_listed=is_listed)

    def follow(self, session: Session, now: float, ended: Sequence[History] = ()) -> None:
        """Save changes of the current game; `ended`: the games that have ended since the last call."""
        history = session.history
        if session.referee.job.is_rated:
            return
        if self._is_due(history, now, has_ended=any(candidate is history for candidate in ended)):
            self._save_history(history, now)
        has_user = any(seat.is_user for seat in history.referee.players.values())
        self._is_users = has_user and history.undo_ply is not None
        played = None if history.referee.is_over else self._games.get(history)
        if played is not self._played:
            self._played = played
            self.store_writer.do("mark", self._mark_played, self._set_notice)

    def _is_due(self, history: History, now: float, *, has_ended: bool) -> bool:
        """Return whether changes of a game have to be saved: moves at once, notes after a pause."""
        game = self._games.get(history)
        if game is None or game.state != _state(history):
            return history.is_begun or (game is not None and game.is_listed)
        if has_ended:
            return game.is_listed
        is_wanted = game.is_listed or bool(history.edits)
        return is_wanted and game.tree is not history.tree and now >= game.at + _NOTES_SECONDS

    def forget_left(self) -> None:
        """Stop offering the game to resume."""
        from othello.store.own_games import LEFT

        self.store_writer.do("left", lambda store: store.own.mark_as_open(None, LEFT), self._set_notice)

    def flush(self, session: Session, now: float) -> None:
        """Save all changes of the current game."""
        history = session.history
        game = self._games.get(history)
        if game is not None and game.is_listed and (game.tree is not history.tree or game.state != _state(history)):
            self._save_history(history, now)

    def save(self, session: Session, now: float) -> Reason | None:
        """Save the current game and wait for the disk; return why that failed, None if it did not."""
        self.flush(session, now)
        is_written = Event()
        self.store_writer.do(object(), lambda _: None, lambda _: is_written.set())  # runs after the game is saved
        is_written.wait(_SAVE_SECONDS)
        return self.notice

    def _save_history(self, history: History, now: float) -> None:
        game = self._games.setdefault(history, _StoredGames())
        game.tree, game.state, game.at, game.is_listed = history.tree, _state(history), now, True
        self._played = None if history.referee.is_over else game
        tree, referee, date = history.tree, copy(history.referee), history.date

        def tell(error: OthelloError | None) -> None:
            self.notice = None if error is None else error.reason
            game.tree = game.tree if error is None else None  # None: save again

        self.store_writer.do(game, lambda store: self._write(store, game, game_file_from(tree, referee, date)), tell)

    def _set_notice(self, error: OthelloError | None) -> None:
        """Show the error of another job."""
        self.notice = self.notice if error is None else error.reason

    # In the writing thread.

    def _begin(self, store: Store) -> None:
        folder = store.path.parent
        self.abandoned_game = store.own.abandoned_game(lambda window: _is_closed(folder, window))
        for path in folder.glob("running-*"):  # left by windows that crashed without a game in progress
            _is_closed(folder, path.name)

    def _on_begun(self, error: OthelloError | None) -> None:
        self.is_beginning = False
        self._set_notice(error)

    def _write(self, store: Store, game: _StoredGames, file: GameFile) -> None:
        is_played = game is self._played
        window = self._window(store)
        game.number, game.version = store.own.write(file, game.number, game.version, window, is_played=is_played)
        self._mark_played(store)

    def _mark_played(self, store: Store) -> None:
        """Store which game is in progress."""
        number = None if self._played is None else self._played.number
        if number != self._marked:
            store.own.mark_as_open(number, self._window(store))
            self._marked = number

    def _window(self, store: Store) -> str:
        """Return this window's name in the store: that of a file that stays locked until the process ends."""
        if self._lock is None:
            place = store.path.with_name(self._name)
            with suppress(OSError):  # games are saved even without the lock
                self._lock = open_locked(place)[0], place
        return self._name

    def _end(self, store: Store) -> None:
        """Keep the user's unfinished game for the next start."""
        try:
            if not self._is_users:
                self._played = None
                self._mark_played(store)
            if any(isinstance(item, GameListEntry) for item in self.deleted):
                store.own.purge([self._window(store)])
        finally:
            if self._lock is not None:
                file, place = self._lock
                remove_locked(file, place)
                file.close()

    # The lists.

    def recent(self) -> list[Path]:
        """Return the recently used files that still exist, the newest first."""
        return [path for path in map(Path, self._recent.value) if is_file(path)]

    def remember(self, path: Path) -> None:
        """Add a file to the top of the recently used ones."""
        first = str(path.absolute())
        self._recent.change(lambda known: (first, *(other for other in known if other != first))[:_MAX_RECENT])

    def games(self) -> list[GameListEntry]:
        """Return all games, the newest first; an empty list if the store cannot be read."""
        changes = [*self._changes]  # copied first: a job that ends during the query may be missing in its result
        try:
            games = self.store_writer.ask(lambda store: store.own.listed())
        except OthelloError as error:
            self._set_notice(error)
            return []
        for change, is_there in changes:
            games = [listed for listed in games if listed.number != change.number] + [change] * is_there
            games.sort(key=lambda listed: (listed.headers.date, listed.number), reverse=True)
        return games

    def game(self, number: int) -> tuple[GameFile, int]:
        """Return a game and its version; raise an OthelloError if it cannot be read."""
        return self.store_writer.ask(lambda store: store.own.read(number))

    def parsed_games(self) -> list[FileItem]:
        """Return all games, the oldest first, and an error for each damaged one."""
        return self.store_writer.ask(lambda store: [*store.own.parsed_games()])

    # Renaming and deleting.

    def rename(self, entry: GameListEntry | Path, name: str) -> GameListEntry | Path:
        """Rename a game or a file and return it; raise an OutputError if that fails."""
        if isinstance(entry, Path):
            return _move(entry, entry.with_name(name))
        listed = replace(entry, name=name)
        self._change(listed, lambda store: store.own.rename(listed.number, name))
        return listed

    def delete(self, entry: GameListEntry | Path) -> None:
        """Hide a game or a file until the window closes; raise an OutputError if that fails."""
        if isinstance(entry, Path):
            hidden = entry.with_name(f".{entry.name}.{os.getpid()}-{len(self.deleted)}.deleted")
            self.deleted.append((entry, _move(entry, hidden)))
        else:
            self.deleted.append(entry)
            self._change(entry, lambda store: store.own.delete(entry.number, self._window(store)), is_there=False)

    def restore(self) -> GameListEntry | Path:
        """Restore the game or file deleted last and return it; raise an OutputError if that fails."""
        last = self.deleted[-1]
        if isinstance(last, GameListEntry):
            self._change(last, lambda store: store.own.restore(last.number))
        else:
            _move(last[1], last[0])
        self.deleted.pop()
        return last if isinstance(last, GameListEntry) else last[0]

    def _change(self, listed: GameListEntry, job: Callable[[Store], None], *, is_there: bool = True) -> None:
        """Change a game in the list at once, and in the store soon."""
        change = listed, is_there

        def on_done(error: OthelloError | None) -> None:
            self._changes.remove(change)
            self._set_notice(error)

        self._changes.append(change)
        self.store_writer.do(object(), job, on_done)


def _move(path: Path, target: Path) -> Path:
    """Rename a file; raise an OutputError if the new name is taken."""
    with errors_as(OutputError, "unwritable", OSError, path=target):
        if os.path.lexists(target):
            raise FileExistsError(EEXIST, os.strerror(EEXIST))
        path.rename(target)
    return target


def _paths(text: str) -> tuple[str, ...]:
    """Parse a JSON list of file names. They can contain lone surrogates."""
    try:
        listed = json.loads(text)
    except (ValueError, RecursionError):
        listed = None
    if not isinstance(listed, list):
        raise GameFileError("foreign_format", format="[]")
    return tuple(item for item in listed if isinstance(item, str))


def _is_closed(folder: Path, window: str) -> bool:
    """Return whether a window has closed, which its unlocked file shows."""
    place = folder / window
    if not re.fullmatch(_WINDOW, window):
        return True
    try:
        file, _ = open_locked(place)
    except OSError:
        return False
    with file:
        remove_locked(file, place)
    return True


def _state(history: History) -> object:
    """Return the part of a game's state that is saved at once when it changes."""
    return history.game.moves, history.referee.players
