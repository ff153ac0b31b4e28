"""Read files with size limits and timeouts, and refuse devices and endless pipes."""

import io
import json
import os
import select
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, TypeVar

from othello.errors import FileError, KnowledgeError, MissingError, UnreadableError, reason_of
from othello.resources import asset

Levels = TypeVar("Levels")

_PATIENCE_SECONDS: Final = 10.0  # for a pipe without data


def read_bytes(path: Path, most_bytes: int, *, takes_pipes: bool = False) -> bytes:
    """Read a file, or with `takes_pipes` a pipe to its end.

    Raises:
        UnreadableError: the file cannot be read.
        FileError: the file has more than `most_bytes`.
    """
    data = bytearray()
    with _open_file(path) as file:
        if not takes_pipes:
            _refuse_endless(path, file)
        while len(data) <= most_bytes:
            _wait_for_data(path, file)
            part = file.read(most_bytes + 1 - len(data))
            if not part:
                break
            data += part
    if len(data) > most_bytes:
        raise FileError("too_large", path=path, most=most_bytes)
    return bytes(data)


def read_start(path: Path, most_bytes: int) -> bytes:
    """Return at most the first `most_bytes` of a file; raise an UnreadableError if it cannot be read."""
    with _open_file(path) as file:
        _refuse_endless(path, file)
        return io.BufferedReader(file).read(most_bytes)


def read_text(path: Path, most_bytes: int, *, takes_pipes: bool = False) -> str:
    """Read a UTF-8 text without its byte order mark.

    Raises:
        UnreadableError: the file cannot be read.
        FileError: the file has more than `most_bytes`, or another encoding.
    """
    data = read_bytes(path, most_bytes, takes_pipes=takes_pipes)
    try:
        return data.decode("utf-8-sig")  # editors on Windows may write a byte order mark
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileError("no_text", path=path, line=line, byte=data[error.start]) from None


def read_lines(path: Path, most_bytes: int) -> Iterator[bytes]:
    """Yield the lines of a file of any size, with line breaks; raise a FileError if a line exceeds `most_bytes`."""
    with _open_file(path) as file:
        _refuse_endless(path, file)
        lines = io.BufferedReader(file)
        number = 0
        while line := lines.readline(most_bytes + 1):
            number += 1
            if len(line) > most_bytes:
                raise FileError("long_line", path=path, line=number, most=most_bytes)
            yield line


def is_file(path: Path) -> bool:
    """Return whether a regular file can be read."""
    try:
        with _open_file(path) as file:
            _refuse_endless(path, file)
    except FileError:
        return False
    return True


def is_folder(path: Path) -> bool:
    """Return whether a folder exists, False if the system cannot tell."""
    with suppress(OSError, ValueError):
        return path.is_dir()
    return False


def _refuse_endless(path: Path, file: io.FileIO) -> None:
    if not _has_end(file):
        raise UnreadableError("no_file", path=path)


@contextmanager
def _open_file(path: Path) -> Iterator[io.FileIO]:
    try:
        with io.FileIO(path, opener=_open) as file:
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


def _wait_for_data(path: Path, file: io.FileIO) -> None:
    """Wait until data or the end of the file is available."""
    if sys.platform != "win32" and not _has_end(file) and not select.select([file], [], [], _PATIENCE_SECONDS)[0]:
        raise UnreadableError("silent_pipe", path=path, seconds=_PATIENCE_SECONDS)


def measured_levels(name: str, make: Callable[[Any], Levels]) -> Levels:
    """Return what `make` reads from a JSON file in `assets/`; raise a KnowledgeError if it is missing or damaged."""
    file = asset(name)
    try:
        return make(json.loads(file.read_text(encoding="utf-8")))
    except OSError as error:
        raise KnowledgeError("unreadable", path=file, reason=reason_of(error)) from error
    except (LookupError, TypeError, ValueError) as error:
        raise KnowledgeError("damaged", path=file, fault=repr(error)) from error
