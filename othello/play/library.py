"""A person's games, each a file in one folder, written after every move; and what a crash has left behind there.

Writing is done in a thread of its own: a slow disk holds up no move. What it reads never changes.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final
from weakref import WeakKeyDictionary

import platformdirs

from othello.errors import OthelloError, Reason
from othello.play.archive import kept
from othello.play.history import History, Tree
from othello.play.session import Session
from othello.records.game_file import FORMAT, SUFFIX, GameFile, format_game
from othello.records.lock import open_locked, remove_locked
from othello.rules.protocol import Color
from othello.strict_json import read as read_json
from othello.writing import write_text

_NOTES_SECONDS: Final = 3.0  # what is only noted or analysed is written this often at most
_LONGEST_HEAD: Final = 1 << 16
_MOST_LISTED: Final = 500
_RECENT: Final = "recent.json"
_MOST_RECENT: Final = 12


def data_folder() -> Path:
    """Where the person's games are kept."""
    folder = os.environ.get("OTHELLO_DATA_DIR")
    return (Path(folder) if folder else platformdirs.user_data_path("othello", appauthor=False)) / "games"


@dataclass(frozen=True, slots=True)
class Listed:
    """A game in the list, as the beginning of its file tells of it.

    Attributes:
        path: of the file.
        date: when it began, as 2026-01-31T18:30:00.
        game: what was played.
        players: the entries of black and white, as in config.json.
        result: how it ended, as the file has it; empty where it has not.
        rules: the options that are not the usual ones.
        counts: whether its players made all moves themselves, from the usual start.
    """

    path: Path
    date: str
    game: str
    players: tuple[dict[str, Any], dict[str, Any]]
    result: dict[str, Any]
    rules: dict[str, Any] = field(default_factory=dict)
    counts: bool = True

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
        return float(found) if isinstance(found, int | float) else None


class Library:
    """Keeps the games of one window, and lists those of all.

    Attributes:
        folder: where they are.
        notice: why the last game could not be written, empty while all is well.
        left: the game that was being played when a program ended unasked; None where none was.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.notice: Reason | None = None
        self._paths: WeakKeyDictionary[History, Path] = WeakKeyDictionary()
        self._written: WeakKeyDictionary[History, tuple[Tree, object, float]] = WeakKeyDictionary()
        self._waiting: dict[Path, Callable[[], GameFile]] = {}
        self._changed = threading.Condition()
        self._is_closed = False
        self._mark: tuple[IO[bytes], Path] | None = None
        self._marked: Path | None = None
        self.left = self._find_left()
        self._thread = threading.Thread(target=self._write_all, name="library", daemon=True)
        self._thread.start()

    # Keeping.

    def adopt(self, history: History, path: Path) -> None:
        """A game that was opened goes on in its own file, where that is one of the list."""
        if path.parent == self.folder:
            self._paths[history] = path
        self._written[history] = (history.tree, _state(history), 0.0)

    def follow(self, session: Session, now: float) -> None:
        """Keep what has changed in the game on the table."""
        history = session.history
        if session.is_rated:
            return
        tree, state, at = self._written.get(history, (None, None, now))
        if state == _state(history):
            is_due = tree is not history.tree and now >= at + _NOTES_SECONDS
        else:
            is_due = history.is_begun or history in self._paths
        if is_due:
            self._keep(history, now)
        self._set_mark(None if history.referee.is_over else self._paths.get(history))

    def flush(self, session: Session, now: float) -> None:
        """Keep all that is known of the game on the table."""
        if session.history in self._paths:
            self._keep(session.history, now)

    def _keep(self, history: History, now: float) -> None:
        if history not in self._paths:
            self._paths[history] = self._new_path()
        self._written[history] = (history.tree, _state(history), now)
        path = self._paths[history]
        tree, referee, date = history.tree, copy(history.referee), history.date
        with self._changed:
            self._waiting[path] = lambda: kept(tree, referee, date)
            self._changed.notify()

    def _new_path(self) -> Path:
        name = time.strftime("%Y-%m-%dT%H%M%S")
        taken = set(self._paths.values())
        paths = (self.folder / f"{name}{number}{SUFFIX}" for number in ("", *(f"-{n}" for n in range(2, 1000))))
        return next(path for path in paths if path not in taken and not path.exists())

    def _write_all(self) -> None:
        """What the thread does."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._is_closed)
                if not self._waiting:
                    return
                path = next(iter(self._waiting))
                file = self._waiting.pop(path)
            try:
                write_text(path, format_game(file()))
                self.notice = None
            except OthelloError as error:
                self.notice = error.reason

    def close(self, seconds: float = 5.0) -> None:
        """Write what waits to be written. The game was ended as it should be: it is not offered again."""
        with self._changed:
            self._is_closed = True
            self._changed.notify()
        self._thread.join(seconds)
        self._set_mark(None)
        if self._mark is not None:
            file, path = self._mark
            remove_locked(file, path)
            file.close()
            self._mark = None

    # What a crash leaves behind.

    def _set_mark(self, path: Path | None) -> None:
        """Name the game that is being played in a file that is locked as long as this process lives."""
        if path == self._marked:
            return
        self._marked = path
        with suppress(OSError):  # the game itself is written, or told not to be
            if self._mark is None:
                self.folder.mkdir(parents=True, exist_ok=True)
                place = self.folder / f"running-{os.getpid()}"
                self._mark = open_locked(place)[0], place
            self._mark[0].write(f"{'' if path is None else path.name}\n".encode())

    def _find_left(self) -> Path | None:
        """The newest game that nobody plays any more and nobody ended."""
        found = []
        for mark in sorted(self.folder.glob("running-*")) if self.folder.is_dir() else []:
            with suppress(OSError, ValueError):
                file, _ = open_locked(mark)
                with file:
                    name = mark.read_bytes()[-1000:].decode("utf-8", "replace").splitlines()[-1:]
                    remove_locked(file, mark)
                path = self.folder / "".join(name)
                if name and name[0] and path.parent == self.folder and path.is_file():
                    found.append(path)
        return max(found, key=lambda path: path.stat().st_mtime, default=None)

    # The lists.

    def recent(self) -> list[Path]:
        """Files that were opened or saved, the newest first, as far as they are still there."""
        try:
            paths = read_json(self.folder / _RECENT)
            return [path for path in map(Path, paths) if path.is_file()][:_MOST_RECENT]
        except (OthelloError, OSError, TypeError, ValueError):
            return []

    def remember(self, path: Path) -> None:
        """Put a file at the top of those that were opened."""
        paths = [path.absolute(), *(other for other in self.recent() if other != path.absolute())]
        with suppress(OthelloError):
            write_text(self.folder / _RECENT, json.dumps([str(path) for path in paths[:_MOST_RECENT]], indent=1))

    def games(self) -> list[Listed]:
        """All that can be read, the newest first."""
        try:
            paths = sorted(self.folder.glob(f"*{SUFFIX}"), key=lambda path: path.name, reverse=True)
        except OSError:
            return []
        listed = (head_of(path) for path in paths[:_MOST_LISTED])
        return [each for each in listed if each is not None]


def _state(history: History) -> object:
    """What must be written at once when it changes."""
    return history.game.moves, history.referee.is_over, history.referee.seats


def head_of(path: Path) -> Listed | None:
    """What stands before the moves of a file that this program wrote."""
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(_LONGEST_HEAD)
        head = json.loads(text.partition(',\n  "moves": [')[0] + "}") if '"moves": [' in text else {}
        if head.get("format") != FORMAT:
            return None
        players = head.get("players", {})
        entries = players.get("black", {}), players.get("white", {})
        result, rules = head.get("result", {}), head.get("rules", {})
        if not all(isinstance(part, dict) for part in (*entries, result, rules)):
            return None
        counts = "start" not in head and result.get("counts", True) is True
        return Listed(path, str(head.get("date", "")), str(head.get("game", "")), entries, result, rules, counts)
    except (OSError, ValueError, AttributeError):
        return None
