"""Files: reads with limits and timeouts, atomic and background writes, and locks against other programs."""

import errno
import glob
import io
import json
import os
import secrets
import select
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import IO, Any, Final, TypeVar

from othello.errors import FileError, KnowledgeError, MissingError, OutputError, UnreadableError, errors_as, reason_of
from othello.resources import asset

Levels = TypeVar("Levels")

_PIPE_SECONDS: Final = 10.0  # to wait for data of a pipe
_DRAFT: Final = ".draft"
_LOCK_SECONDS: Final = 5.0  # to wait for another program
_POLL_SECONDS: Final = 0.02


def read_bytes(path: Path, max_bytes: int, *, takes_pipes: bool = False) -> bytes:
    """Read a file, or with `takes_pipes` a pipe to its end.

    Raises:
        UnreadableError: the file cannot be read.
        FileError: the file has more than `max_bytes`.
    """
    data = bytearray()
    with open_file(path, takes_pipes=takes_pipes) as file:
        while len(data) <= max_bytes and (part := _read_part(path, file, max_bytes + 1 - len(data))):
            data += part
    if len(data) > max_bytes:
        raise FileError("too_large", path=path, maximum=max_bytes)
    return bytes(data)


def read_start(path: Path, max_bytes: int) -> bytes:
    """Return at most the first `max_bytes` of a file; raise an UnreadableError if it cannot be read."""
    with open_file(path) as file, io.BufferedReader(file) as buffered:
        return buffered.read(max_bytes)


def read_text(path: Path, max_bytes: int, *, takes_pipes: bool = False) -> str:
    """Read a UTF-8 text without its byte order mark.

    Raises:
        UnreadableError: the file cannot be read.
        FileError: the file has more than `max_bytes`, or another encoding.
    """
    data = read_bytes(path, max_bytes, takes_pipes=takes_pipes)
    try:
        return data.decode("utf-8-sig")  # editors on Windows may write a byte order mark
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileError("no_text", path=path, line=line, byte=data[error.start]) from None


def read_lines(path: Path, max_bytes: int) -> Iterator[bytes]:
    """Yield the lines of a file of any size, with line breaks; raise a FileError if a line exceeds `max_bytes`."""
    with open_file(path) as file, io.BufferedReader(file) as lines:
        number = 0
        while line := lines.readline(max_bytes + 1):
            number += 1
            if len(line) > max_bytes:
                raise FileError("long_line", path=path, line=number, maximum=max_bytes)
            yield line


def is_file(path: Path) -> bool:
    """Return whether a regular file can be read."""
    with suppress(FileError), open_file(path):
        return True
    return False


def is_folder(path: Path) -> bool:
    """Return whether a folder exists, False if the system cannot tell."""
    with suppress(OSError, ValueError):
        return path.is_dir()
    return False


@contextmanager
def open_file(path: Path, *, takes_pipes: bool = False) -> Iterator[io.FileIO]:
    """Open a file for reading; raise an UnreadableError if it cannot be read, or is a device or an unwanted pipe."""
    try:
        with io.FileIO(path, opener=_open) as file:
            if not (takes_pipes or _has_end(file)):
                raise UnreadableError("no_file", path=path)
            yield file
    except (FileNotFoundError, NotADirectoryError):
        raise MissingError("no_such_file", path=path) from None
    except IsADirectoryError:
        raise UnreadableError("folder", path=path) from None
    except (OSError, ValueError) as error:
        reason = reason_of(error)
        raise UnreadableError("unreadable", path=path, reason=reason) from None


def _open(path: str, flags: int) -> int:
    """Open a file without waiting for the writer of a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _has_end(file: io.FileIO) -> bool:
    return stat.S_ISREG(os.fstat(file.fileno()).st_mode)


def _read_part(path: Path, file: io.FileIO, max_bytes: int) -> bytes:
    """Wait for data, and return at most `max_bytes`; no bytes at the end of the file."""
    if sys.platform != "win32" and not _has_end(file) and not select.select([file], [], [], _PIPE_SECONDS)[0]:
        raise UnreadableError("silent_pipe", path=path, seconds=_PIPE_SECONDS)
    return file.read(max_bytes)


def measured_levels(name: str, make: Callable[[Any], Levels]) -> Levels:
    """Return what `make` reads from a JSON file in `assets/`; raise a KnowledgeError if it is missing or damaged."""
    file = asset(name)
    try:
        return make(json.loads(file.read_text(encoding="utf-8")))
    except OSError as error:
        raise KnowledgeError("unreadable", path=file, reason=reason_of(error)) from error
    except (LookupError, TypeError, ValueError) as error:
        raise KnowledgeError("damaged", path=file, fault=repr(error)) from error


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
        for claimed in numbered(path.with_name(path.name.removesuffix(suffix)), suffix):
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
        """Wait at most `seconds` for all jobs to end; return True if they have ended."""
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
    names = numbered(path.with_name(f"{path.stem}.damaged"), path.suffix)
    aside = next(name for name in names if not os.path.lexists(name))
    with errors_as(OutputError, "unwritable", OSError, path=path):
        path.replace(aside)
    return aside.name


def numbered(path: Path, suffix: str) -> Iterator[Path]:
    """Yield file names: without a number, then with 2, 3 and so on."""
    yield path.with_name(f"{path.name}{suffix}")
    for number in count(2):
        yield path.with_name(f"{path.name}-{number}{suffix}")


def open_locked(path: Path) -> tuple[IO[bytes], bool]:
    """Open a file for appending, locked against other writers until it is closed, if the system has locks.

    Returns:
        The file, and True if it is new and empty.

    Raises:
        OSError: the file cannot be written, or another program has locked it.
        ValueError: the name is invalid.
    """
    while True:
        is_new = not path.exists()
        file = path.open("ab", buffering=0)
        try:
            _lock(file)
            if _is_at(file, path):
                size = file.seek(0, os.SEEK_END)  # another program may have written in the meantime
                return file, is_new and not size
        except BaseException:
            file.close()
            raise
        file.close()  # the previous owner has removed the file before it was locked


def try_lock(file: IO[bytes], path: Path) -> bool:
    """Lock an open file if the system has locks; return False if another program has locked or removed it."""
    with suppress(OSError):
        _lock(file)
        return _is_at(file, path)
    return False


def remove_unlocked(path: Path) -> None:
    """Remove a file unless another program has it open and locked."""
    with suppress(OSError):
        if sys.platform == "win32":
            path.unlink()  # fails if another program has the file open
        elif path.is_file():
            with path.open("r+b") as file:
                if _lock(file):
                    path.unlink()


def remove_locked(file: IO[bytes], path: Path) -> None:
    """Remove a locked file, but not a link to it."""
    with suppress(OSError):  # some systems cannot remove an open file
        if _is_at(file, path):
            path.resolve().unlink()


@contextmanager
def exclusive_lock(path: Path, timeout: float = _LOCK_SECONDS) -> Iterator[None]:
    """Exclude other windows from a file during the block, if the system has locks. The lock is a file beside it.

    Args:
        path: the file.
        timeout: seconds to wait for another window.
    """
    lock, end = path.with_name(f"{path.name}.lock"), time.monotonic() + timeout
    file = None
    while file is None and (lock.is_file() or not os.path.lexists(lock)):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            file, _ = open_locked(lock)
        except OSError as error:
            if error.errno != errno.EBUSY or time.monotonic() > end:
                break  # writing the file will fail and give the reason
            time.sleep(_POLL_SECONDS)
    try:
        yield
    finally:
        if file is not None:
            remove_locked(file, lock)
            file.close()


def _lock(file: IO[bytes]) -> bool:
    """Lock a file and return True, or False if the system has no locks; raise an OSError if another program has it."""
    if sys.platform != "win32":
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            raise OSError(errno.EBUSY, "another othello is writing it") from None
        except OSError:
            pass  # the file system has no locks
    return False


def _is_at(file: IO[bytes], path: Path) -> bool:
    """Return whether an open file still has this name."""
    return path.exists() and os.path.samestat(os.fstat(file.fileno()), path.stat())
