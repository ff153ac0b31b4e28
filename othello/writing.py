"""Write files atomically, and in the background if a slow disk must not block the window."""

import glob
import io
import os
import secrets
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import IO, Final

from othello.errors import OutputError, errors_as
from othello.file_lock import remove_unlocked, try_lock

_DRAFT: Final = ".draft"


def write_text(path: Path, text: str, *, is_private: bool = False) -> None:
    """Write a text file with `replacing`. Lone surrogates become question marks."""
    write_bytes(path, text.encode(errors="replace"), is_private=is_private)


def write_bytes(path: Path, data: bytes, *, is_private: bool = False) -> None:
    """Write a file with `replacing`."""
    with replacing(path, is_private=is_private) as file:
        file.write(data)


@contextmanager
def replacing(path: Path, *, is_private: bool = False) -> Iterator[IO[bytes]]:
    """Open a draft that replaces the file at `path` after the block. If the block fails, the file is unchanged.

    A symbolic link stays a link, and a file keeps its mode. A private file is never readable for other users. Drafts of
    crashed programs are removed.

    Raises:
        OutputError: the file cannot be written.
    """
    path = path.resolve()
    with errors_as(OutputError, "unwritable", OSError, path=path):
        path.parent.mkdir(parents=True, exist_ok=True)
        for abandoned in path.parent.glob(f".{glob.escape(path.name)}.*{_DRAFT}"):
            remove_unlocked(abandoned)
        old_mode = path.stat().st_mode & 0o777 if path.exists() and not is_private else None
        file, draft = _open_draft(path, 0o600 if is_private else 0o666 if old_mode is None else old_mode)
        try:
            with file:
                yield file
                file.flush()
                os.fsync(file.fileno())
                if old_mode is not None:
                    draft.chmod(old_mode)
                if sys.platform == "win32":
                    file.close()  # Windows cannot rename an open file; other systems keep the lock until the end
                draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)


def _open_draft(path: Path, mode: int) -> tuple[IO[bytes], Path]:
    """Open a new locked file beside `path`. The lock shows other programs that its writer is running."""
    while True:
        draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}{_DRAFT}")
        file = io.BufferedWriter(io.FileIO(draft, "x", opener=partial(os.open, mode=mode)))
        if try_lock(file, draft):
            return file, draft
        file.close()  # another program has removed the file before it was locked


def refuse_existing(*files: Path) -> None:
    """Raise an OutputError if one of the files exists."""
    for file in files:
        if os.path.lexists(file):
            raise OutputError("taken_file", path=file)


def claim(path: Path, suffix: str) -> Path:
    """Create an empty file whose name is new: a number before the suffix avoids existing names."""
    with errors_as(OutputError, "unwritable", OSError, path=path):
        path.parent.mkdir(parents=True, exist_ok=True)
        for claimed in _numbered(path.with_name(path.name.removesuffix(suffix)), suffix):
            with suppress(FileExistsError):
                claimed.open("x").close()
                return claimed
    raise AssertionError("there is always one more number")


class BackgroundWriter:
    """Runs jobs one by one in a thread, which starts with the first job."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._jobs: dict[object, Callable[[], None]] = {}
        self._changed = threading.Condition()
        self._is_closed = False
        self._thread: threading.Thread | None = None

    def do(self, key: object, job: Callable[[], None]) -> None:
        """Queue a job in place of a waiting job with the same key."""
        with self._changed:
            self._jobs[key] = job
            self._changed.notify()
            # an exception in a job has ended the thread
            if self._thread is None or not (self._thread.is_alive() or self._is_closed):
                self._thread = threading.Thread(target=self._work, name=self._name, daemon=True)
                self._thread.start()

    def close(self, seconds: float) -> bool:
        """Wait at most `seconds` for all jobs to end; return whether they have."""
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
    """Rename a damaged file to keep its data, and return its new name.

    Raises:
        OutputError: the file cannot be renamed.
    """
    names = _numbered(path.with_name(f"{path.stem}.damaged"), path.suffix)
    aside = next(name for name in names if not os.path.lexists(name))
    with errors_as(OutputError, "unwritable", OSError, path=path):
        path.replace(aside)
    return aside.name


def _numbered(path: Path, suffix: str) -> Iterator[Path]:
    """Yield file names: without a number, then with 2, 3 and so on."""
    yield path.with_name(f"{path.name}{suffix}")
    for number in count(2):
        yield path.with_name(f"{path.name}-{number}{suffix}")
