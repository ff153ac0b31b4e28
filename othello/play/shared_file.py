"""What a person learns from, in a file that several windows share."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Generic, TypeVar

from othello.errors import MissingError, OthelloError, Reason, UnreadableError
from othello.frozen import Frozen
from othello.records.lock import alone
from othello.writing import BackgroundWriter, set_aside, write_text

T = TypeVar("T")


class Damage(Frozen):
    """A file that could not be read, was given another name, and why."""

    path: str
    reason: Reason


class SharedFile(Generic[T]):
    """A value in a file. A thread writes the file, and puts this window's changes into what is there.

    Args:
        path: the file, which is read when it is needed; None: the value lasts as long as the program runs.
        empty: the value where there is no file.
        read: reads a file; OthelloError where the file cannot be read, or is damaged.
        text_of: what a file says of a value.
    """

    def __init__(self, path: Path | None, empty: T, read: Callable[[Path], T], text_of: Callable[[T], str]) -> None:
        self._path, self._empty, self._reader, self._text_of = path, empty, read, text_of
        # the file that was damaged and is called so now, or why the value cannot be kept; None: all is well
        self.notice: Damage | OthelloError | None = None
        self._waiting: list[Callable[[T], T]] = []
        self._writer = BackgroundWriter(type(self).__name__.lower())

    @cached_property
    def value(self) -> T:
        """The value as this window has it."""
        kept = self._read()
        return self._empty if kept is None else kept

    def change(self, change: Callable[[T], T]) -> None:
        """Change the value, here and in the file."""
        self.value = change(self.value)
        path = self._path
        if path is not None:
            self._waiting.append(change)
            self._writer.do("change", lambda: self._write(path))

    def close(self, seconds: float = 5.0) -> None:
        """Write what waits to be written."""
        self._writer.close(seconds)

    def _write(self, path: Path) -> None:
        """Put the changes into the file. Changes that cannot be written are tried again with the next change."""
        count = len(self._waiting)
        try:
            with alone(path):
                kept = self._read()
                if self._path is None:
                    return
                kept = self.value if kept is None else kept
                for change in self._waiting[:count]:
                    kept = change(kept)
                write_text(path, self._text_of(kept))
        except OthelloError as error:
            self.notice = error
        else:
            del self._waiting[:count]
            self.notice = None if isinstance(self.notice, OthelloError) else self.notice

    def _read(self) -> T | None:
        """The value in the file. None where there is no file, or a damaged one, which gets another name.

        A file that nobody may read is left alone: from then on the value lasts as long as the program runs.
        """
        path = self._path
        try:
            return self._empty if path is None else self._reader(path)
        except MissingError:
            pass
        except UnreadableError as error:
            self.notice, self._path = error, None
        except OthelloError as error:
            assert path is not None
            self.notice = Damage(set_aside(path), error.reason)
        return None
