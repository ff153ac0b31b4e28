"""A person's games, each written after every move, and the game to go on with; files that were opened before."""

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
from othello.file_lock import open_locked, remove_locked
from othello.play.archive import kept
from othello.play.history import Ended, History, Tree
from othello.play.keeper import Keeper, SharedValue
from othello.play.session import Session
from othello.reading import is_file
from othello.records.formats.sheet import Found
from othello.records.game_file import GameFile, Listed

if TYPE_CHECKING:
    from othello.store.database import Store

_NOTES_SECONDS: Final = 3.0  # what is only noted or analysed is written this often at most
_SAVE_SECONDS: Final = 2.0  # how long quitting waits for the disk
_RECENT: Final = "games/recent.json"
_MOST_RECENT: Final = 12
_WINDOW: Final = r"running-[\w-]+"


@dataclass(eq=False, slots=True)
class _Kept:
    """A game and its row. What the row is called, and how often it was written, only the thread that writes changes."""

    number: int | None = None  # None where the game has no row yet
    version: int = 0
    tree: Tree | None = None  # what was given to be written last
    state: object = None  # likewise
    at: float = 0.0
    is_listed: bool = True  # whether the game is in the list, or is to be


class Library:
    """Keeps the games of one window, and lists those of all windows.

    Attributes:
        keeper: where they are kept.
        notice: why the last game could not be written, None while all is well.
        left: the game that was being played when a program ended, None where none was.
        is_beginning: whether it is still to be found out which.
    """

    def __init__(self, keeper: Keeper) -> None:
        self.notice: Reason | None = None
        self.left: Listed | None = None
        self.is_beginning = False
        self.keeper = keeper
        self._recent = SharedValue[tuple[str, ...]](keeper, _RECENT, (), _paths, json.dumps)
        self._games: WeakKeyDictionary[History, _Kept] = WeakKeyDictionary()
        self._played: _Kept | None = None
        self._is_persons = False  # whether a person has moved in that game
        self._deleted: list[Listed | tuple[Path, Path]] = []  # games, and files with the names that they have now
        self._changes: list[tuple[Listed, bool]] = []  # games in the list that are still to be changed in the store
        self._name = f"running-{os.getpid()}-{secrets.token_hex(4)}"
        self._lock: tuple[IO[bytes], Path] | None = None  # held as long as this process lives
        self._marked: int | None = None  # the game that is played, as the store knows it
        keeper.at_last(self._end)

    def begin(self) -> None:
        """Find the game that was left."""
        self.is_beginning = True
        self.keeper.do("begin", self._begin, self._begun)

    @property
    def recovered(self) -> Reason | None:
        """What was wrong with the store, None where all was well."""
        return self.keeper.notice

    # Keeping.

    def adopt(self, history: History, number: int | None = None, version: int = 0) -> None:
        """Go on with a game that was opened: the one of that number in the list, as it was after so many writings.

        Any other game is kept once somebody plays on, or writes a note.
        """
        self._games[history] = _Kept(number, version, history.tree, _state(history), is_listed=number is not None)

    def follow(self, session: Session, now: float, ended: Sequence[Ended] = ()) -> None:
        """Keep what has changed in the game on the table; `ended`: what the session has told since the last time."""
        history = session.history
        if session.referee.job.is_rated:
            return
        game = self._games.get(history)
        if game is None or game.state != _state(history):
            is_due = history.is_begun or (game is not None and game.is_listed)
        elif any(event.history is history for event in ended):
            is_due = game.is_listed
        else:
            is_wanted = game.is_listed or history.is_edited
            is_due = is_wanted and game.tree is not history.tree and now >= game.at + _NOTES_SECONDS
        if is_due:
            self._keep(history, now)
        has_person = any(seat.is_user for seat in history.referee.seats.values())
        self._is_persons = has_person and history.undo_ply is not None
        played = None if history.referee.is_over else self._games.get(history)
        if played is not self._played:
            self._played = played
            self.keeper.do("mark", self._mark, self._complain)

    def forget_left(self) -> None:
        """Do not offer the game again that was left."""
        from othello.store.own import LEFT

        self.keeper.do("left", lambda store: store.own.mark(None, LEFT), self._complain)

    def flush(self, session: Session, now: float) -> None:
        """Keep all that is known of the game on the table."""
        history = session.history
        game = self._games.get(history)
        if game is not None and game.is_listed and (game.tree is not history.tree or game.state != _state(history)):
            self._keep(history, now)

    def save(self, session: Session, now: float) -> Reason | None:
        """Write the game on the table at once; return why it cannot be written, None if all is well."""
        self.flush(session, now)
        is_written = Event()
        self.keeper.do(object(), lambda _: None, lambda _: is_written.set())  # after the game
        is_written.wait(_SAVE_SECONDS)
        return self.notice

    def _keep(self, history: History, now: float) -> None:
        game = self._games.setdefault(history, _Kept())
        game.tree, game.state, game.at, game.is_listed = history.tree, _state(history), now, True
        self._played = None if history.referee.is_over else game
        tree, referee, date = history.tree, copy(history.referee), history.date

        def tell(error: OthelloError | None) -> None:
            self.notice = None if error is None else error.reason
            game.tree = game.tree if error is None else None  # it is tried again

        self.keeper.do(game, lambda store: self._write(store, game, kept(tree, referee, date)), tell)

    def _complain(self, error: OthelloError | None) -> None:
        """Say that something else could not be done, if so."""
        self.notice = self.notice if error is None else error.reason

    # In the thread that writes.

    def _begin(self, store: Store) -> None:
        folder = store.path.parent
        self.left = store.own.left(lambda window: _is_closed(folder, window))
        for path in folder.glob("running-*"):  # of windows that were killed while they played nothing
            _is_closed(folder, path.name)

    def _begun(self, error: OthelloError | None) -> None:
        self.is_beginning = False
        self._complain(error)

    def _write(self, store: Store, game: _Kept, file: GameFile) -> None:
        is_played = game is self._played
        window = self._window(store)
        game.number, game.version = store.own.write(file, game.number, game.version, window, is_played=is_played)
        self._mark(store)

    def _mark(self, store: Store) -> None:
        """Say which game is being played."""
        number = None if self._played is None else self._played.number
        if number != self._marked:
            store.own.mark(number, self._window(store))
            self._marked = number

    def _window(self, store: Store) -> str:
        """What the store calls this window: a file beside the store, locked as long as this process lives."""
        if self._lock is None:
            place = store.path.with_name(self._name)
            with suppress(OSError):  # the game itself is written all the same
                self._lock = open_locked(place)[0], place
        return self._name

    def _end(self, store: Store) -> None:
        """A game that a person has not finished is offered at the next start."""
        try:
            if not self._is_persons:
                self._played = None
                self._mark(store)
            if any(isinstance(each, Listed) for each in self._deleted):
                store.own.purge([self._window(store)])
        finally:
            if self._lock is not None:
                file, place = self._lock
                remove_locked(file, place)
                file.close()

    # The lists.

    def recent(self) -> list[Path]:
        """Files that were opened or saved, the newest first, as far as they are still there."""
        return [path for path in map(Path, self._recent.value) if is_file(path)]

    def remember(self, path: Path) -> None:
        """Put a file at the top of those that were opened."""
        first = str(path.absolute())
        self._recent.change(lambda known: (first, *(other for other in known if other != first))[:_MOST_RECENT])

    def games(self) -> list[Listed]:
        """All games, the newest first; none where the store cannot be read."""
        changes = [*self._changes]  # first: what is written meanwhile may not be among what is read
        try:
            found = self.keeper.ask(lambda store: store.own.listed())
        except OthelloError as error:
            self._complain(error)
            return []
        for change, is_there in changes:
            found = [listed for listed in found if listed.number != change.number] + [change] * is_there
            found.sort(key=lambda listed: (listed.date, listed.number), reverse=True)
        return found

    def game(self, number: int) -> tuple[GameFile, int]:
        """A game of the list, and how often it was written; OthelloError where it cannot be read."""
        return self.keeper.ask(lambda store: store.own.read(number))

    def sheets(self) -> list[Found]:
        """All games with all that is known of them, the oldest first, and what is wrong with those that are damaged."""
        return self.keeper.ask(lambda store: [*store.own.sheets()])

    # Names.

    def rename(self, which: Listed | Path, name: str) -> Listed | Path:
        """Give a game of the list or a file another name, and say what it is now; OutputError where that fails."""
        if isinstance(which, Path):
            return _move(which, which.with_name(name))
        listed = replace(which, name=name)
        self._change(listed, lambda store: store.own.rename(listed.number, name))
        return listed

    def delete(self, which: Listed | Path) -> None:
        """Hide a game of the list or a file until the window is closed; OutputError where that fails."""
        if isinstance(which, Path):
            hidden = which.with_name(f".{which.name}.{os.getpid()}-{len(self._deleted)}.deleted")
            self._deleted.append((which, _move(which, hidden)))
        else:
            self._deleted.append(which)
            self._change(which, lambda store: store.own.delete(which.number, self._window(store)), is_there=False)

    @property
    def can_restore(self) -> bool:
        return bool(self._deleted)

    def restore(self) -> Listed | Path:
        """Bring back what was deleted last; OutputError where that fails."""
        last = self._deleted[-1]
        if isinstance(last, Listed):
            self._change(last, lambda store: store.own.restore(last.number))
        else:
            _move(last[1], last[0])
        self._deleted.pop()
        return last if isinstance(last, Listed) else last[0]

    def _change(self, listed: Listed, job: Callable[[Store], None], *, is_there: bool = True) -> None:
        """Change a game in the store soon, and in the list at once."""
        change = listed, is_there

        def told(error: OthelloError | None) -> None:
            self._changes.remove(change)
            self._complain(error)

        self._changes.append(change)
        self.keeper.do(object(), job, told)


def _move(path: Path, target: Path) -> Path:
    """Give a file another name that no file has."""
    with errors_as(OutputError, "unwritable", OSError, path=target):
        if os.path.lexists(target):
            raise FileExistsError(EEXIST, os.strerror(EEXIST))
        path.rename(target)
    return target


def _paths(text: str) -> tuple[str, ...]:
    """The names of files in a JSON list. They may hold halves of characters, where they are no text."""
    try:
        listed = json.loads(text)
    except (ValueError, RecursionError):
        listed = None
    if not isinstance(listed, list):
        raise GameFileError("foreign_format", format="[]")
    return tuple(each for each in listed if isinstance(each, str))


def _is_closed(folder: Path, window: str) -> bool:
    """Whether a window has ended, which kept a file of its name locked."""
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
    """What must be written at once when it changes."""
    return history.game.moves, history.referee.seats
