"""Results files: one line a game, as .jsonl or .csv by suffix.

A line reaches the file whole or not at all; what a crash may leave of a last line is recognised by its missing
end and dropped, unless it is a whole JSON object. So a file can be read, and gone on with, at any moment.
"""

from __future__ import annotations

import csv
import errno
import io
import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

from othello.config import ExistingOutput
from othello.errors import OutputError, ResultsError
from othello.reading import read_lines
from othello.records.record import COLUMNS, NEEDED, GameRecord
from othello.schema import nearest

SUFFIXES: Final = (".csv", ".jsonl")
_LONGEST_LINE: Final = 1 << 20
_SYNC_SECONDS: Final = 0.5  # so much is at stake when the power fails; a crash of the program loses nothing


@dataclass(slots=True)
class ResultsReader:
    """The records of a file, one at a time.

    Attributes:
        path: the file.
        line: the number of the last line that was read.
        end: bytes in whole lines; known once the file is read.
        torn: whether the last line is, or may be, only the beginning of one; it is left out.
        lacks_end: whether the last line is whole, but for its end.
    """

    path: Path
    line: int = 0
    end: int = 0
    torn: bool = False
    lacks_end: bool = False

    def __iter__(self) -> Iterator[GameRecord]:
        """Read the file from its beginning.

        Raises:
            FileError: it cannot be read.
            ResultsError: a whole line in it is no record.
        """
        self.end, self.torn, self.lacks_end = 0, False, False
        columns: list[str] = []
        is_csv = _is_csv(self.path)
        for number, line in enumerate(read_lines(self.path, _LONGEST_LINE), 1):
            self.line = number
            if not line.endswith(b"\n"):
                self.lacks_end = not is_csv and _is_whole_json(line)
                self.torn = not self.lacks_end
                if self.torn:
                    return
            self.end += len(line)
            try:
                text = _decoded(line)
                if is_csv and not columns:
                    columns = _read_header(text)
                elif text:
                    yield _read_csv(text, columns) if is_csv else _read_json(text)
            except ValueError as error:
                raise ResultsError(f"{self.path}: line {number}: {error}") from None


class ResultsWriter:
    """Appends records to a results file.

    Use as a context manager, or call `close`. Open it before the first game begins, so that a path that cannot
    be written is known in time.
    """

    def __init__(self, path: Path, existing: ExistingOutput = ExistingOutput.REFUSE) -> None:
        """Open or create the file.

        Args:
            path: its suffix decides the format.
            existing: what to do with games that the file holds already. `RESUME` appends to them.

        Raises:
            OutputError: the file cannot be written, or holds something and must not be touched.
            ResultsError: with `RESUME`, the file holds something that is no record.
        """
        check_output(path, existing)
        keep, lacks_end = 0, False
        if existing is ExistingOutput.RESUME and path.exists():
            reader = ResultsReader(path)
            for _ in reader:
                pass
            keep, lacks_end = reader.end, reader.lacks_end
        self._path = path
        self._synced = time.monotonic()
        try:
            self._file = path.open("ab", buffering=0)
            _lock(self._file)
            with suppress(OSError):  # devices and pipes have no length
                self._file.truncate(keep)
        except OSError as error:
            raise _cannot_write(path, error) from None
        if lacks_end:
            self._write(b"\n")
        elif not keep:
            self._write(_header(path))

    def append(self, record: GameRecord) -> None:
        """Write one game; when this returns, the record outlives the program.

        Raises:
            OutputError: the disk is full, or gone. The records before stay whole.
        """
        self._write(_line(record, self._path))

    def close(self) -> None:
        """Bring everything to the disk. Closing twice is fine."""
        if not self._file.closed:
            self._sync()
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _write(self, data: bytes) -> None:
        start = self._file.tell()
        try:
            written = 0
            while written < len(data):
                written += self._file.write(data[written:])
            if time.monotonic() - self._synced > _SYNC_SECONDS:
                self._sync()
        except OSError as error:
            with suppress(OSError):
                self._file.truncate(start)
            raise _cannot_write(self._path, error) from None

    def _sync(self) -> None:
        self._synced = time.monotonic()
        with suppress(OSError):  # a device that cannot; a disk that fails says so at the next write
            os.fsync(self._file.fileno())


def _lock(file: IO[bytes]) -> None:
    """Keep other writers out until the file is closed, where the system can.

    Raises:
        OSError: another one has it.
    """
    if sys.platform != "win32":
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise OSError(errno.EBUSY, "another othello is writing it") from None
        except OSError:
            pass  # a file system without locks


def check_output(path: Path, existing: ExistingOutput = ExistingOutput.REFUSE) -> None:
    """Find out whether results can be written, and leave no trace.

    Raises:
        OutputError: why not.
    """
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise OutputError(f"output_file: {str(path)!r} must end in {' or '.join(SUFFIXES)}{nearest(suffix, SUFFIXES)}")
    try:
        target = path.resolve()  # a link stays where it is
        is_new = not target.exists()
        with target.open("ab") as file:
            size = file.tell()
        if is_new:
            target.unlink()
        holds_games = size > 0 and not _has_only(target, _header(path))
    except (OSError, ValueError) as error:
        raise _cannot_write(path, error) from None
    if existing is ExistingOutput.REFUSE and holds_games:
        raise OutputError(
            f"output_file: {path} already holds games, or something else; --overwrite replaces it, "
            "--resume goes on with a tournament"
        )


def _has_only(path: Path, content: bytes) -> bool:
    with path.open("rb") as file:
        return file.read(len(content) + 1) == content


def _cannot_write(path: Path, error: OSError | ValueError) -> OutputError:
    reason = str(error)
    if isinstance(error, FileNotFoundError) and not path.parent.is_dir():
        reason = f"there is no folder {path.parent}"
    elif isinstance(error, OSError):
        reason = error.strerror or reason
    return OutputError(f"output_file: {str(path)!r} cannot be written: {reason}")


def _is_csv(path: Path) -> bool:
    return path.suffix.lower() == ".csv"


def _header(path: Path) -> bytes:
    return (",".join(COLUMNS) + "\n").encode() if _is_csv(path) else b""


def _line(record: GameRecord, path: Path) -> bytes:
    values = asdict(record)
    if not _is_csv(path):
        return json.dumps(values, ensure_ascii=False).encode() + b"\n"
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(values.values())
    return line.getvalue().encode()


def _decoded(line: bytes) -> str:
    try:
        return line.decode("utf-8-sig").strip()
    except UnicodeDecodeError as error:
        raise ValueError(f"byte {line[error.start]:#04x} is not UTF-8") from None


def _read_header(text: str) -> list[str]:
    columns = [name.strip() for name in _cells(text, skipinitialspace=True)]
    missing = [name for name in NEEDED if name not in columns]
    if missing:
        raise ValueError(f"not a results file, for it has no column {missing[0]}")
    return columns


def _cells(text: str, *, skipinitialspace: bool = False) -> list[str]:
    try:
        return next(csv.reader([text], skipinitialspace=skipinitialspace), [])
    except csv.Error as error:
        raise ValueError(f"not CSV: {error}") from None


def _read_csv(text: str, columns: list[str]) -> GameRecord:
    cells = _cells(text)
    if len(cells) != len(columns):
        raise ValueError(f"{len(cells)} columns where the first line has {len(columns)}")
    return GameRecord.from_values(dict(zip(columns, cells, strict=True)))


def _read_json(text: str) -> GameRecord:
    try:
        values = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: column {error.colno}: {error.msg}") from None
    except ValueError:
        raise ValueError("a number has too many digits") from None
    except RecursionError:
        raise ValueError("lists and objects are nested too deeply") from None
    if not isinstance(values, dict):
        raise ValueError("not a JSON object")
    return GameRecord.from_values(values)


def _is_whole_json(line: bytes) -> bool:
    """Whether a line that lacks its end lacks nothing else: an editor, not a crash, has left it out."""
    try:
        _read_json(_decoded(line))
    except ValueError:
        return False
    return True
