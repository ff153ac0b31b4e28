"""Files are written whole or not at all, and in the background where a slow disk must not hold up the window."""

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

from othello.errors import OutputError, reason_of
from othello.file_lock import remove_unlocked, try_lock

_DRAFT: Final = ".draft"


def write_text(path: Path, text: str, *, is_private: bool = False) -> None:
    """Write a text as a file; see `replacing`. A half of a character, which is no text, becomes a question mark."""
    write_bytes(path, text.encode(errors="replace"), is_private=is_private)


def write_bytes(path: Path, data: bytes, *, is_private: bool = False) -> None:
    """Write a file; see `replacing`."""
    with replacing(path, is_private=is_private) as file:
        file.write(data)


@contextmanager
def replacing(path: Path, *, is_private: bool = False) -> Iterator[IO[bytes]]:
    """Open a draft that becomes the file at `path` after the block. If the block fails, the old file stays as it was.

    A symbolic link stays a link, and a file keeps its mode. The user's umask decides the mode of a new file; others
    can never read a private file. Drafts of programs that were killed are removed.

    Raises:
        OutputError: the file cannot be written.
    """
    path = path.resolve()
    try:
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
                    file.close()  # Windows renames no open file; elsewhere the lock is held until the end
                draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise _unwritable(path, error) from None


def _open_draft(path: Path, mode: int) -> tuple[IO[bytes], Path]:
    """Open a new file beside `path`. Its lock shows other programs that its writer is alive."""
    while True:
        draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}{_DRAFT}")
        file = io.BufferedWriter(io.FileIO(draft, "x", opener=partial(os.open, mode=mode)))
        if try_lock(file, draft):
            return file, draft
        file.close()  # another program has removed it in between


def refuse_existing(*files: Path) -> None:
    """Raise an `OutputError` if one of the files exists."""
    for file in files:
        if os.path.lexists(file):
            raise OutputError("taken_file", path=file)


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
    """Give a damaged file another name, so that nothing in it is lost, and return the name.

    Raises:
        OutputError: the file cannot be renamed.
    """
    names = _numbered(path.with_name(f"{path.stem}.damaged"), path.suffix)
    aside = next(name for name in names if not os.path.lexists(name))
    try:
        path.replace(aside)
    except OSError as error:
        raise _unwritable(path, error) from None
    return aside.name


def _numbered(path: Path, suffix: str) -> Iterator[Path]:
    """Names of files: the plain name, then the same with 2, 3 and so on."""
    yield path.with_name(f"{path.name}{suffix}")
    for number in count(2):
        yield path.with_name(f"{path.name}-{number}{suffix}")


def _unwritable(path: Path, error: OSError) -> OutputError:
    return OutputError("unwritable", path=path, reason=reason_of(error))
