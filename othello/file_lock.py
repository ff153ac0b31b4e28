"""Files that one program at a time writes to."""

import errno
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

_PATIENCE: Final = 5.0  # seconds for which another program may be writing
_NAP: Final = 0.02


def open_locked(path: Path) -> tuple[IO[bytes], bool]:
    """Open a file to append to it, and keep other writers out until it is closed, where the system can.

    Returns whether the file is new and empty, too. OSError: the file cannot be written, or another program has it.
    ValueError: its name is none.
    """
    while True:
        is_new = not path.exists()
        file = path.open("ab", buffering=0)
        try:
            _lock(file)
            if _is_at(file, path):
                size = os.fstat(file.fileno()).st_size
                if size:
                    file.seek(0, os.SEEK_END)  # another program may have written since it was opened
                return file, is_new and not size
        except BaseException:
            file.close()
            raise
        file.close()  # its last owner has removed it in between


def try_lock(file: IO[bytes], path: Path) -> bool:
    """Lock an open file where the system can; return False if another program has locked or removed it."""
    with suppress(OSError):
        _lock(file)
        return _is_at(file, path)
    return False


def remove_unlocked(path: Path) -> None:
    """Remove a file, unless a program has it open and locked."""
    with suppress(OSError):
        if sys.platform == "win32":
            path.unlink()  # fails if a program has the file open
        elif path.is_file():
            with path.open("r+b") as file:
                if _lock(file):
                    path.unlink()


def remove_locked(file: IO[bytes], path: Path) -> None:
    """Remove a file that is locked, and so nobody else's; a link to it stays."""
    with suppress(OSError):  # some systems remove no open file
        if _is_at(file, path):
            path.resolve().unlink()


@contextmanager
def alone(path: Path, patience: float = _PATIENCE) -> Iterator[None]:
    """Keep other windows from writing a file meanwhile, where the system can. A lock file stands beside the file.

    Another window has so many seconds to be done.
    """
    lock, end = path.with_name(f"{path.name}.lock"), time.monotonic() + patience
    file = None
    while file is None and (lock.is_file() or not os.path.lexists(lock)):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            file, _ = open_locked(lock)
        except OSError as error:
            if error.errno != errno.EBUSY or time.monotonic() > end:
                break  # writing the file itself will fail and say why
            time.sleep(_NAP)
    try:
        yield
    finally:
        if file is not None:
            remove_locked(file, lock)
            file.close()


def _lock(file: IO[bytes]) -> bool:
    """Lock a file; False if the system cannot. OSError: another program has it."""
    if sys.platform != "win32":
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            raise OSError(errno.EBUSY, "another othello is writing it") from None
        except OSError:
            pass  # a file system without locks
    return False


def _is_at(file: IO[bytes], path: Path) -> bool:
    """Whether an open file is still the one of this name."""
    return path.exists() and os.path.samestat(os.fstat(file.fileno()), path.stat())
