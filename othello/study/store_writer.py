"""Access to the store with all writing in one background thread, because disks can be slow."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from othello.errors import OthelloError, Reason
from othello.files import BackgroundWriter
from othello.frozen_dataclass import FrozenDataclass

if TYPE_CHECKING:
    from othello.store.database import Store

    _Job: TypeAlias = Callable[[Store], object]

T = TypeVar("T")


class StoreWriter:
    """The store of one window.

    Args:
        path: the file; None: the user's own store.

    Attributes:
        notice: a message about a repair of the store; None if there was none.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.notice: Reason | None = None
        self._path = path
        self._lock = Lock()
        self._opened: Store | None = None
        self._refused: OthelloError | None = None
        self._writer = BackgroundWriter("store")
        self.last_jobs: list[Callable[[Store], None]] = []  # run when the window closes

    @property
    def store(self) -> Store:
        """The store, opened on first access; raises an OthelloError if it cannot be opened."""
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
        """Run a job at once, again if the store had to be repaired; raise an OthelloError if it fails."""
        try:
            return job(self.store)
        except OthelloError:
            if self._opened is None or self._opened.notice is self.notice:
                raise
            return job(self.store)

    def do(self, key: object, job: _Job, tell: Callable[[OthelloError | None], None], opens: bool = True) -> None:
        """Queue a job in place of a waiting job with the same key.

        Args:
            key: identifies jobs that replace each other.
            job: called with the store.
            tell: called with the error, or None after success.
            opens: open the store if nothing has needed it before; otherwise the job is left out then.
        """

        def work() -> None:
            try:
                if opens or self._opened is not None:
                    self.ask(job)
            except OthelloError as error:
                tell(error)
            else:
                tell(None)

        self._writer.do(key, work)

    def close(self, seconds: float = 5.0) -> None:
        """Write everything that is waiting."""
        for job in self.last_jobs:
            self.do(job, job, lambda _error: None, opens=False)
        self.last_jobs.clear()
        if self._writer.close(seconds) and self._opened is not None:
            self._opened.close()


class DamagedValue(FrozenDataclass):
    """A value that could not be read, the name of its backup, and the reason."""

    name: str
    reason: Reason


class StoredValue(Generic[T]):
    """A value in the store that several windows share. Changes are applied to the stored value.

    Args:
        store_writer: the store; None: the value is not stored.
        name: of the value in the store.
        empty: the initial value.
        read: parses a text; raises an OthelloError if it is damaged.
        format_value: formats a value as text.
    """

    def __init__(
        self,
        store_writer: StoreWriter | None,
        name: str,
        empty: T,
        read: Callable[[str], T],
        format_value: Callable[[T], str],
    ) -> None:
        self._store_writer, self._name, self._empty = store_writer, name, empty
        self._parse, self._format = read, format_value
        # the backup of a damaged value, or why the value cannot be stored; None if all is well
        self.notice: DamagedValue | OthelloError | None = None
        self._waiting: list[Callable[[T], T]] = []

    @cached_property
    def value(self) -> T:
        """The value as this window has it."""
        if self._store_writer is None:
            return self._empty
        try:
            data = self._store_writer.ask(lambda store: store.get_value(self._name))
        except OthelloError as error:  # the value is not stored
            self.notice, self._store_writer = error, None
            return self._empty
        try:
            return self._read(data)
        except OthelloError as error:
            self.notice = DamagedValue(self._store_writer.store.backup_name(self._name), error.reason)
            self.value = self._empty
            self._store_writer.do(self, self._write, self._set_notice)
            return self._empty

    def change(self, change: Callable[[T], T]) -> None:
        """Change the value here and in the store."""
        self.value = change(self.value)
        if self._store_writer is not None:
            self._waiting.append(change)
            self._store_writer.do(self, self._write, self._set_notice)

    def _write(self, store: Store) -> None:
        """Apply the changes to the stored value. If that fails, they are tried again with the next change."""
        count = len(self._waiting)

        def changed(data: bytes | None) -> bytes:
            value = self.value if data is None else self._read(data)
            for change in self._waiting[:count]:
                value = change(value)
            return self._format(value).encode(errors="replace")

        store.update_value(self._name, changed)
        del self._waiting[:count]

    def _set_notice(self, error: OthelloError | None) -> None:
        self.notice = error or (None if isinstance(self.notice, OthelloError) else self.notice)

    def _read(self, data: bytes | None) -> T:
        """Parse a stored value; raise an OthelloError if it is damaged."""
        return self._empty if data is None else self._parse(data.decode(errors="replace").removeprefix("\ufeff"))
