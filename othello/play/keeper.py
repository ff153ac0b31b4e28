"""What keeps all that a person has in the store, written by one thread: a slow disk holds up no move and no picture."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

from othello.errors import OthelloError, Reason
from othello.writing import BackgroundWriter

if TYPE_CHECKING:
    from othello.store.database import Store

T = TypeVar("T")


class Keeper:
    """The store of one window.

    Args:
        path: the file; None: the user's own.

    Attributes:
        notice: what was wrong with the store, None where all was well.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.notice: Reason | None = None
        self._path = path
        self._lock = Lock()
        self._opened: Store | None = None
        self._refused: OthelloError | None = None
        self._writer = BackgroundWriter("store")
        self._last: list[Callable[[Store], None]] = []

    @property
    def store(self) -> Store:
        """The store, which is opened when it is first asked for; OthelloError where it cannot be."""
        from othello.store.database import Store

        with self._lock:
            if self._refused is not None:
                raise self._refused
            if self._opened is None:
                try:
                    self._opened = Store.open(self._path)
                except OthelloError as error:
                    self._refused = error
                    raise
            self.notice = self._opened.notice
            return self._opened

    def ask(self, job: Callable[[Store], T]) -> T:
        """Do a job at once; OthelloError where that fails. It is done again where the store had to be mended."""
        try:
            return job(self.store)
        except OthelloError:
            if self._opened is None or self._opened.notice is self.notice:
                raise
            return job(self.store)

    def do(self, key: object, job: Callable[[Store], object], tell: Callable[[OthelloError | None], None]) -> None:
        """Do a job soon; one of the same key that still waits is dropped. `tell` hears why it failed, or None."""

        def work() -> None:
            try:
                self.ask(job)
            except OthelloError as error:
                tell(error)
            else:
                tell(None)

        self._writer.do(key, work)

    def at_last(self, job: Callable[[Store], None]) -> None:
        """Do a job when the window is closed."""
        self._last.append(job)

    def close(self, seconds: float = 5.0) -> None:
        """Write what waits to be written."""
        for job in self._last:
            if self._opened is not None:
                self.do(job, job, lambda _error: None)
        self._last.clear()
        if self._writer.close(seconds) and self._opened is not None:
            self._opened.close()
