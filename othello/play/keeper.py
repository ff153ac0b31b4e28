"""Access to the store of a window, written by one thread: a slow disk holds up no move and no picture."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Generic, TypeVar

from othello.errors import OthelloError, Reason
from othello.frozen import Frozen
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
                    self._opened = Store(self._path)
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


class Damage(Frozen):
    """A value that could not be read, what it is called now, and why."""

    name: str
    reason: Reason


class SharedValue(Generic[T]):
    """A value in the store. This window's changes are put into what is there.

    Args:
        keeper: where the value is kept, and read when it is needed; None: it lasts as long as the program runs.
        name: what it is called there.
        empty: the value where there is none.
        read: reads a text; OthelloError where that is damaged.
        text_of: what is kept of a value.
    """

    def __init__(
        self, keeper: Keeper | None, name: str, empty: T, read: Callable[[str], T], text_of: Callable[[T], str]
    ) -> None:
        self._keeper, self._name, self._empty, self._parse, self._text_of = keeper, name, empty, read, text_of
        # the value that was damaged, or why the value cannot be kept; None: all is well
        self.notice: Damage | OthelloError | None = None
        self._waiting: list[Callable[[T], T]] = []

    @cached_property
    def value(self) -> T:
        """The value as this window has it."""
        if self._keeper is None:
            return self._empty
        try:
            data = self._keeper.ask(lambda store: store.kept(self._name))
        except OthelloError as error:  # it lasts as long as the program runs
            self.notice, self._keeper = error, None
            return self._empty
        try:
            return self._read(data)
        except OthelloError as error:
            self.notice = Damage(self._keeper.store.aside(self._name), error.reason)
            self.value = self._empty
            self._keeper.do(self, self._write, self._told)
            return self._empty

    def change(self, change: Callable[[T], T]) -> None:
        """Change the value, here and in the store."""
        self.value = change(self.value)
        if self._keeper is not None:
            self._waiting.append(change)
            self._keeper.do(self, self._write, self._told)

    def _write(self, store: Store) -> None:
        """Put the changes into the store. Changes that cannot be written are tried again with the next change."""
        count = len(self._waiting)

        def changed(data: bytes | None) -> bytes:
            value = self.value if data is None else self._read(data)
            for change in self._waiting[:count]:
                value = change(value)
            return self._text_of(value).encode(errors="replace")

        store.keep(self._name, changed)
        del self._waiting[:count]

    def _told(self, error: OthelloError | None) -> None:
        self.notice = error or (None if isinstance(self.notice, OthelloError) else self.notice)

    def _read(self, data: bytes | None) -> T:
        """The value that is kept; OthelloError where it is damaged."""
        return self._empty if data is None else self._parse(data.decode(errors="replace").removeprefix("\ufeff"))
