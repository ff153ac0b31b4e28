"""A person's games, each a file in one folder, written after every move; and the game to go on with.

A thread of its own writes the files: a slow disk holds up no move.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field
from errno import EEXIST
from pathlib import Path
from typing import IO, Any, Final, TypeAlias
from weakref import WeakKeyDictionary

from othello.errors import OthelloError, OutputError, Reason, legible, reason_of
from othello.frozen import Frozen
from othello.play.archive import kept
from othello.play.history import Ended, History, Tree
from othello.play.session import Session
from othello.reading import is_file, read_start, read_text
from othello.records.game_file import FORMAT, MOST_BYTES, SUFFIX, GameFile, format_game
from othello.records.lock import alone, open_locked, remove_locked
from othello.rules.protocol import Color
from othello.strict_json import parse
from othello.writing import BackgroundWriter, claim, write_text

Stamp: TypeAlias = tuple[int, int, int]

_NOTES_SECONDS: Final = 3.0  # what is only noted or analysed is written this often at most
_USUAL_HEAD: Final = 1 << 16
_MOVES: Final = b',\n  "moves": ['
_NAME: Final = "games"  # of the lock with which one window at a time writes
_RECENT: Final = "recent.json"
_MOST_RECENT: Final = 12


class Listed(Frozen):
    """A game in the list, as the beginning of its file tells of it."""

    path: Path
    date: str  # when it began, as 2026-01-31T18:30:00
    game: str
    players: tuple[dict[str, Any], dict[str, Any]]  # the entries of black and white, as in config.json
    result: dict[str, Any]  # how it ended, as the file has it; empty where it has not
    rules: dict[str, Any] = field(default_factory=dict)  # the options that are not the usual ones
    counts: bool = True  # whether its players made all moves themselves, from the usual start

    @property
    def person(self) -> Color | None:
        """The side of the one person who played, None where that was nobody or both, or others made some moves."""
        if self.result.get("counts") is False:
            return None
        people = [color for color, entry in zip(Color, self.players, strict=True) if entry.get("player_type") == "user"]
        return people[0] if len(people) == 1 else None

    @property
    def persons_accuracy(self) -> float | None:
        """The share of right moves of the one person who played, None where it is not known."""
        found = None if self.person is None else self.result.get(f"{self.person.label}_accuracy")
        return float(found) if isinstance(found, int | float) and 0 <= found <= 1 else None


@dataclass(eq=False, slots=True)
class _Kept:
    """A game and its file."""

    path: Path  # of the file; the thread that writes may choose another name
    stamp: Stamp | None = None  # the file as it was read or written last, None where the game has no file yet
    tree: Tree | None = None  # what was given to be written last
    state: object = None  # likewise
    at: float = 0.0
    is_filed: bool = True  # whether the game has a file in the list, or is to have one


class Library:
    """Keeps the games of one window, and lists those of all windows.

    A game never takes the place of another: two windows write two files, and a window whose file another window has
    changed writes a new file beside it.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder  # where the games are
        self.notice: Reason | None = None  # why the last game could not be written, None while all is well
        self._games: WeakKeyDictionary[History, _Kept] = WeakKeyDictionary()
        self._writer = BackgroundWriter("library")
        self._played: _Kept | None = None
        self._is_persons = False  # whether a person has moved in that game
        self._deleted: list[tuple[Path, Path]] = []
        self._heads: dict[Path, tuple[Stamp | None, Listed | None]] = {}
        self._mark: tuple[IO[bytes], Path] | None = None
        self._marked = ""
        # the game that was being played when a program ended; None where none was
        self.left = self._find_left()

    # Keeping.

    def adopt(self, history: History, path: Path | None = None, stamp: Stamp | None = None) -> None:
        """Go on with a game that was opened: in its own file where the file is one of the list.

        `stamp` is that of the file before it was read. Any other game is kept once it changes.
        """
        is_filed = path is not None and path.parent == self.folder
        path, stamp = (path, stamp) if path is not None and is_filed else (self._new_path(), None)
        self._games[history] = _Kept(path, stamp, history.tree, _state(history), is_filed=is_filed)

    def follow(self, session: Session, now: float, ended: Sequence[Ended] = ()) -> None:
        """Keep what has changed in the game on the table; `ended`: what the session has told since the last time."""
        history = session.history
        if session.referee.job.is_rated:
            return
        game = self._games.get(history)
        if game is None or game.state != _state(history) or any(event.history is history for event in ended):
            is_due = history.is_begun or (game is not None and game.is_filed)
        else:
            is_due = game.tree is not history.tree and now >= game.at + _NOTES_SECONDS
        if is_due:
            self._keep(history, now)
        has_person = any(seat.is_user for seat in history.referee.seats.values())
        self._is_persons = has_person and history.undo_ply is not None
        played = None if history.referee.is_over else self._games.get(history)
        if played is not self._played:
            self._played = played
            self._writer.do("mark", self._set_mark)

    def flush(self, session: Session, now: float) -> None:
        """Keep all that is known of the game on the table."""
        history = session.history
        game = self._games.get(history)
        if game is not None and game.is_filed and (game.tree is not history.tree or game.state != _state(history)):
            self._keep(history, now)

    def _keep(self, history: History, now: float) -> None:
        game = self._games.setdefault(history, _Kept(self._new_path()))
        game.tree, game.state, game.at, game.is_filed = history.tree, _state(history), now, True
        self._played = None if history.referee.is_over else game
        tree, referee, date = history.tree, copy(history.referee), history.date
        self._writer.do(game, lambda: self._write(game, kept(tree, referee, date)))

    def _new_path(self) -> Path:
        return self.folder / f"{time.strftime('%Y-%m-%dT%H%M%S')}{SUFFIX}"

    def _write(self, game: _Kept, file: GameFile) -> None:
        try:
            text = format_game(file)
            with alone(self.folder / _NAME):
                if game.stamp is None or stamp_of(game.path) not in (None, game.stamp):
                    game.path = claim(game.path, SUFFIX)
                    game.stamp = stamp_of(game.path)
                    self._set_mark()
                write_text(game.path, text)
                game.stamp = stamp_of(game.path)
            self.notice = None
        except OthelloError as error:
            self.notice = error.reason
        self._set_mark()

    def close(self, seconds: float = 5.0) -> None:
        """Write what waits to be written. A game that a person has not finished is offered at the next start."""
        self._writer.close(seconds)
        for _, hidden in self._deleted:
            with suppress(OSError):
                hidden.unlink()
        if not self._is_persons:
            self._played = None
        self._set_mark()
        if self._mark is not None:
            file, path = self._mark
            if self._played is None:
                remove_locked(file, path)
            file.close()
            self._mark = None

    # What is offered at the next start.

    def _set_mark(self) -> None:
        """Name the game that is being played in a file that is locked as long as this process lives."""
        played = self._played
        name = "" if played is None or played.stamp is None else played.path.name
        if name == self._marked:
            return
        self._marked = name
        with suppress(OSError):  # the game itself is written all the same
            if self._mark is None:
                self.folder.mkdir(parents=True, exist_ok=True)
                place = self.folder / f"running-{os.getpid()}"
                self._mark = open_locked(place)[0], place
            self._mark[0].write(os.fsencode(f"{name}\n"))

    def _find_left(self) -> Path | None:
        """The newest game that nobody plays any more and nobody has finished."""
        found = []
        for mark in self._named("running-*"):
            with suppress(OSError, ValueError):
                if not mark.is_file():
                    continue
                file, _ = open_locked(mark)
                with file:
                    *_, name = [b"", *mark.read_bytes()[-1000:].splitlines()]
                    remove_locked(file, mark)
                path = self.folder / os.fsdecode(name)
                if name and path.parent == self.folder and path.is_file():
                    found.append((path.stat().st_mtime, path))
        return max(found)[1] if found else None

    # The lists.

    def recent(self) -> list[Path]:
        """Files that were opened or saved, the newest first, as far as they are still there."""
        try:
            listed = json.loads(read_text(self.folder / _RECENT, MOST_BYTES))
        except (OthelloError, ValueError, RecursionError):
            return []
        paths = [Path(text) for text in listed if isinstance(text, str)] if isinstance(listed, list) else []
        return [path for path in paths if is_file(path)][:_MOST_RECENT]

    def remember(self, path: Path) -> None:
        """Put a file at the top of those that were opened."""
        paths = [path.absolute(), *(other for other in self.recent() if other != path.absolute())]
        with suppress(OthelloError):
            write_text(self.folder / _RECENT, json.dumps([str(path) for path in paths[:_MOST_RECENT]], indent=1))

    def games(self) -> list[Listed]:
        """All games that can be read, the newest first."""
        found: dict[Path, tuple[Stamp | None, Listed | None]] = {}
        for path in self._named(f"*{SUFFIX}"):
            stamp, before = stamp_of(path), self._heads.get(path)
            found[path] = before if before is not None and before[0] == stamp else (stamp, head_of(path))
        self._heads = found
        heads = [head for _, head in found.values() if head is not None]
        return sorted(heads, key=lambda head: (head.date, head.path.name), reverse=True)

    # Names.

    def rename(self, path: Path, name: str) -> Path:
        """Give a file another name in its folder, and say what it is called now; OutputError where that fails."""
        return self._move(path, path.with_name(name))

    def delete(self, path: Path) -> None:
        """Hide a file until the window is closed; OutputError where that fails."""
        hidden = path.with_name(f".{path.name}.{os.getpid()}-{len(self._deleted)}.deleted")
        self._deleted.append((path, self._move(path, hidden)))

    @property
    def can_restore(self) -> bool:
        return bool(self._deleted)

    def restore(self) -> Path:
        """Bring back what was deleted last; OutputError where that fails."""
        path, hidden = self._deleted[-1]
        self._move(hidden, path)
        self._deleted.pop()
        return path

    def _move(self, path: Path, target: Path) -> Path:
        """Give a file another name that no file has."""
        try:
            with alone(self.folder / _NAME):
                if os.path.lexists(target):
                    raise FileExistsError(EEXIST, os.strerror(EEXIST))
                path.rename(target)
                for game in self._games.values():
                    game.path = target if game.path == path else game.path
        except OSError as error:
            raise OutputError("unwritable", path=target, reason=reason_of(error)) from None
        return target

    def _named(self, pattern: str) -> list[Path]:
        try:
            return sorted(self.folder.glob(pattern), key=lambda path: path.name, reverse=True)
        except OSError:
            return []


def _state(history: History) -> object:
    """What must be written at once when it changes."""
    return history.game.moves, history.referee.seats


def stamp_of(path: Path) -> Stamp | None:
    """Equal as long as nobody writes the file; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def head_of(path: Path) -> Listed | None:
    """What stands before the moves of a file that this program wrote; None where that cannot be made out."""
    try:
        head, separator, _ = read_start(path, _USUAL_HEAD).partition(_MOVES)
        if not separator:
            head, _, _ = read_start(path, MOST_BYTES).partition(_MOVES)
        document = parse(f"{head.decode()}}}")
        if document["format"] != FORMAT:
            return None
        players, result, rules = (document.get(name, {}) for name in ("players", "result", "rules"))
        black, white = (
            {key: legible(value) if isinstance(value, str) else value for key, value in players.get(side, {}).items()}
            for side in ("black", "white")
        )
        counts = "start" not in document and result.get("counts", True) is True
        date, game = (legible(str(document.get(name, ""))) for name in ("date", "game"))
        return Listed(path, date, game, (black, white), dict(result), dict(rules), counts)
    except (OthelloError, LookupError, TypeError, ValueError, AttributeError):
        return None
