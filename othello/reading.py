"""Files that a person brings, read within bounds: none takes all memory, and no device or pipe waits for ever."""

from __future__ import annotations

import io
import os
import select
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from othello.errors import FileError, reason_of

_PATIENCE_SECONDS: Final = 10.0  # with a pipe that nobody writes to


def read_bytes(path: Path, most_bytes: int) -> bytes:
    """A whole file, or all that comes out of a pipe.

    Raises:
        FileError: it cannot be read, or is larger.
    """
    data = bytearray()
    with _opened(path) as file:
        while len(data) <= most_bytes:
            _await(path, file)
            part = file.read(most_bytes + 1 - len(data))
            if not part:
                break
            data += part
    if len(data) > most_bytes:
        raise FileError(
            "{path}: larger than {most} bytes, more than is read of such files", "too_large", path=path, most=most_bytes
        )
    return bytes(data)


def read_text(path: Path, most_bytes: int) -> str:
    """The same as text without its byte order mark.

    Raises:
        FileError: it cannot be read, is larger, or is not UTF-8.
    """
    data = read_bytes(path, most_bytes)
    try:
        return data.decode("utf-8-sig")  # editors on Windows like to write a byte order mark
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileError(
            "{path}: line {line}: byte {byte:#04x} is not UTF-8",
            "no_text",
            path=path,
            line=line,
            byte=data[error.start],
        ) from None


def read_lines(path: Path, most_bytes: int) -> Iterator[bytes]:
    """The lines of a file of any size, each with its end.

    Raises:
        FileError: it cannot be read, is a device or a pipe, or a line in it is longer than `most_bytes`.
    """
    check_file(path)
    with _opened(path) as file:
        lines = io.BufferedReader(file)
        number = 0
        while line := lines.readline(most_bytes + 1):
            number += 1
            if len(line) > most_bytes:
                raise FileError(
                    "{path}: line {line}: longer than {most} bytes, more than is read of a line",
                    "long_line",
                    path=path,
                    line=number,
                    most=most_bytes,
                )
            yield line


def check_file(path: Path) -> None:
    """Refuse what cannot be read, or might have no end.

    Raises:
        FileError: it is not there, or is a folder, a device, or a pipe.
    """
    with _opened(path) as file:
        if not _has_end(file):
            raise FileError("{path}: is a device or a pipe, not a file", "no_file", path=path)


@contextmanager
def _opened(path: Path) -> Iterator[io.FileIO]:
    try:
        with io.FileIO(path, opener=_open) as file:
            yield file
    except FileNotFoundError:
        raise FileError("{path}: no such file", "no_such_file", path=path) from None
    except IsADirectoryError:
        raise FileError("{path}: is a folder, not a file", "folder", path=path) from None
    except (OSError, ValueError) as error:
        raise FileError("{path}: cannot be read: {reason}", "unreadable", path=path, reason=reason_of(error)) from None


def _open(path: str, flags: int) -> int:
    """Open a file at once; a pipe would wait here for its writer."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _has_end(file: io.FileIO) -> bool:
    return stat.S_ISREG(os.fstat(file.fileno()).st_mode)


def _await(path: Path, file: io.FileIO) -> None:
    """Wait until something can be read, or the end is known."""
    if sys.platform != "win32" and not _has_end(file) and not select.select([file], [], [], _PATIENCE_SECONDS)[0]:
        raise FileError(
            "{path}: nothing has come out of it for {seconds:g} seconds",
            "silent_pipe",
            path=path,
            seconds=_PATIENCE_SECONDS,
        )
