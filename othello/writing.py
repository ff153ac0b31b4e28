"""Files are written whole or not at all, and in the background where a slow disk must not hold up the window."""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

from othello.errors import OutputError, reason_of


def write_text(path: Path, text: str) -> None:
    """Write a text as a file; see `write_bytes`. A half of a character, which is no text, becomes a question mark."""
    write_bytes(path, text.encode(errors="replace"))


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file; OutputError where that fails: the file that was there stays as it was."""
    path = path.resolve()  # a link stays one
    draft: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        draft = Path(name)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o644)
        draft.replace(path)
    except OSError as error:
        if draft is not None:
            with suppress(OSError):
                draft.unlink()
        raise _unwritable(path, error) from None


def claim(path: Path, suffix: str) -> Path:
    """Make an empty file. Where the name is taken, a number goes before the suffix: no two programs get one file."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for claimed in _numbered(path.with_name(path.name.removesuffix(suffix)), suffix):
            with suppress(FileExistsError):
                claimed.open("x").close()
                return claimed
    except OSError as error:
        raise _unwritable(path, error) from None
    raise AssertionError("there is always one more number")


class BackgroundWriter:
    """Does jobs one after the other in a thread of its own, which begins with the first job."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._jobs: dict[object, Callable[[], None]] = {}
        self._changed = threading.Condition()
        self._is_closed = False
        self._thread: threading.Thread | None = None

    def do(self, key: object, job: Callable[[], None]) -> None:
        """Do a job soon. A job of the same key that still waits is dropped."""
        with self._changed:
            self._jobs[key] = job
            self._changed.notify()
            if self._thread is None or not (self._thread.is_alive() or self._is_closed):  # a job has ended it
                self._thread = threading.Thread(target=self._work, name=self._name, daemon=True)
                self._thread.start()

    def close(self, seconds: float) -> bool:
        """Wait until all jobs are done, at most this many seconds; whether they are."""
        with self._changed:
            self._is_closed = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join(seconds)
        return self._thread is None or not self._thread.is_alive()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._jobs or self._is_closed)
                if not self._jobs:
                    return
                job = self._jobs.pop(next(iter(self._jobs)))
            job()


def set_aside(path: Path) -> str:
    """Give a damaged file another name, so that nothing in it is lost; what the file is called now."""
    names = _numbered(path.with_name(f"{path.stem}.damaged"), path.suffix)
    aside = next(name for name in names if not os.path.lexists(name))
    with suppress(OSError):
        path.replace(aside)
    return str(aside)


def _numbered(path: Path, suffix: str) -> Iterator[Path]:
    """Names of files: the plain name, then the same with 2, 3 and so on."""
    yield path.with_name(f"{path.name}{suffix}")
    for number in count(2):
        yield path.with_name(f"{path.name}-{number}{suffix}")


def _unwritable(path: Path, error: OSError) -> OutputError:
    return OutputError("unwritable", path=path, reason=reason_of(error))
