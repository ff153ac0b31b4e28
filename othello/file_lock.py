"""Locks that give one program at a time write access to a file."""

import errno
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

_PATIENCE: Final = 5.0  # seconds to wait for another program
_NAP: Final = 0.02


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
                size = os.fstat(file.fileno()).st_size
                if size:
                    file.seek(0, os.SEEK_END)  # another program may have written in the meantime
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
def exclusive_lock(path: Path, patience: float = _PATIENCE) -> Iterator[None]:
    """Exclude other windows from a file during the block, if the system has locks. The lock is a file beside it.

    Args:
        path: the file.
        patience: seconds to wait for another window.
    """
    lock, end = path.with_name(f"{path.name}.lock"), time.monotonic() + patience
    file = None
    while file is None and (lock.is_file() or not os.path.lexists(lock)):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            file, _ = open_locked(lock)
        except OSError as error:
            if error.errno != errno.EBUSY or time.monotonic() > end:
                break  # writing the file will fail and give the reason
            time.sleep(_NAP)
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
