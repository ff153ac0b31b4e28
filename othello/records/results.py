"""Results files: one game per line, as .jsonl or .csv depending on the suffix.

A line is written completely or not at all. A line that a crash has cut off lacks its line break and is dropped, unless
it is a complete JSON object. A file can therefore be read and continued at any time.
"""

import csv
import io
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, Self

from othello.config import ExistingOutput
from othello.errors import OutputError, Reason, ResultsError, reason_of
from othello.files import open_locked, read_lines, remove_locked
from othello.records.record import COLUMNS, NEEDED, GameRecord
from othello.schema import nearest

SUFFIXES: Final = (".csv", ".jsonl")
_LONGEST_LINE: Final = 1 << 20
_SYNC_SECONDS: Final = 0.5  # at most this much is lost in a power cut; a crash of the program loses nothing


@dataclass
class ResultsReader:
    """Iterates over the records of a file."""

    path: Path
    lines: Iterable[bytes] | None = None  # content of the file, if it was read before
    line: int = 0  # number of the last line read
    end: int = 0  # bytes in complete lines; valid after the iteration
    is_cut_off: bool = False  # True if the last line is incomplete; its record is skipped
    lacks_end: bool = False  # True if only the line break of the last line is missing

    def __iter__(self) -> Iterator[GameRecord]:
        """Read the file from its beginning.

        Raises:
            FileError: the file cannot be read.
            ResultsError: a complete line is not a record.
        """
        self.end, self.is_cut_off, self.lacks_end = 0, False, False
        columns: list[str] = []
        in_columns = _is_csv(self.path)
        lines = read_lines(self.path, _LONGEST_LINE) if self.lines is None else self.lines
        for number, line in enumerate(lines, 1):
            self.line = number
            if number == 1 and self.lines is not None:
                in_columns = not line.lstrip(b"\xef\xbb\xbf").startswith(b"{")
            if not line.endswith(b"\n"):
                self.lacks_end = not in_columns and _is_whole_json(line)
                self.is_cut_off = not self.lacks_end
                if self.is_cut_off:
                    return
            self.end += len(line)
            try:
                text = _decode(line)
                if in_columns and not columns:
                    columns = _read_header(text)
                elif text:
                    yield _read_csv(text, columns) if in_columns else _read_json(text)
            except ValueError as error:
                raise ResultsError("no_record", path=self.path, line=number, fault=error) from None


class ResultsWriter:
    """Appends records to a results file, which stays locked until it is closed.

    The file is not changed before the first record. A run that is refused or stopped before its first game ends leaves
    no trace. Open the file before the first game to find out early whether it can be written. Use as a context manager,
    or call `close`.
    """

    def __init__(
        self,
        path: Path,
        existing: ExistingOutput = ExistingOutput.REFUSE,
        on_held: Callable[[int, GameRecord], None] | None = None,
    ) -> None:
        """Open or create the file.

        Args:
            path: .csv or .jsonl; the suffix decides the format.
            existing: the treatment of games in the file. `RESUME` appends to them.
            on_held: with `RESUME`, is called with the line number and record of every game in the file.

        Raises:
            OutputError: the file cannot be written, or has games and must not be changed.
            FileError: with `RESUME`, the file cannot be read.
            ResultsError: with `RESUME`, a line is not a record.
        """
        suffix = path.suffix.lower()
        if suffix not in SUFFIXES:
            raise OutputError("results_suffix", path=path, suffixes=", ".join(SUFFIXES), hint=nearest(suffix, SUFFIXES))
        self.is_cut_off = False  # with `RESUME`: True if the last line is incomplete and will be dropped
        self._path = path
        self._keep, self._start = 0, f"{','.join(COLUMNS)}\n".encode() if _is_csv(path) else b""
        self._has_begun = False
        self._written: dict[str, dict[str, Any]] = {}  # parts of `GameRecord.setup` that the file already has
        self._synced = time.monotonic()
        try:
            self._file, self._is_new = open_locked(path)
        except (OSError, ValueError) as error:
            raise _cannot_write(path, error) from None
        try:
            if existing is ExistingOutput.REFUSE:
                self._refuse_existing()
            elif existing is ExistingOutput.RESUME:
                self._read(on_held)
        except BaseException:
            self.close()
            raise

    def _refuse_existing(self) -> None:
        try:
            is_free = self._file.tell() == 0 or _begins_with(self._path, self._start, alone=True)
        except OSError as error:
            raise _cannot_write(self._path, error) from None
        if not is_free:
            raise OutputError("taken", path=self._path)

    def _read(self, on_held: Callable[[int, GameRecord], None] | None) -> None:
        """Read the existing records, and find the position at which to continue."""
        reader = ResultsReader(self._path)
        for record in reader:
            self._new_setup(record)
            if on_held is not None:
                on_held(reader.line, record)
        self.is_cut_off = reader.is_cut_off
        self._keep = reader.end
        if reader.end:
            if not _begins_with(self._path, self._start):
                raise ResultsError("other_columns", path=self._path)
            self._start = b"\n" if reader.lacks_end else b""

    def append(self, record: GameRecord) -> None:
        """Write a record. It then survives a crash of the program.

        Raises:
            OutputError: the disk is full or was removed. Earlier records stay complete.
        """
        line = _line_of(replace(record, setup=self._new_setup(record)), self._path)
        if not self._has_begun:
            with suppress(OSError):  # devices and pipes cannot be truncated
                self._file.truncate(self._keep)
                self._file.seek(self._keep)
            line = self._start + line
        start = self._file.tell()
        try:
            written = 0
            while written < len(line):
                written += self._file.write(line[written:])
            self._has_begun = True  # from here on the file is worth keeping
            if time.monotonic() - self._synced > _SYNC_SECONDS:
                self._sync()
        except OSError as error:
            self._written.clear()
            with suppress(OSError):
                self._file.truncate(start)
            raise _cannot_write(self._path, error) from None

    def _new_setup(self, record: GameRecord) -> dict[str, dict[str, Any]]:
        """Return the parts of a record's setup that no earlier line has."""
        new_parts: dict[str, dict[str, Any]] = {}
        for kind, part in record.setup.items():
            written = self._written.setdefault(kind, {})
            if new := {name: value for name, value in part.items() if written.get(name, ...) != value}:
                new_parts[kind] = new
                written.update(new)
        return new_parts

    def close(self) -> None:
        """Flush the file to disk, or remove it if it is new and empty. Can be called twice."""
        if self._file.closed:
            return
        if self._has_begun:
            self._sync()
        elif self._is_new:
            remove_locked(self._file, self._path)
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _sync(self) -> None:
        self._synced = time.monotonic()
        with suppress(OSError):  # devices cannot be synchronised; a failing disk raises at the next write
            os.fsync(self._file.fileno())


def check_output(path: Path, existing: ExistingOutput = ExistingOutput.REFUSE) -> None:
    """Check that results can be written, without leaving a trace; raise an OutputError if not."""
    if existing is ExistingOutput.RESUME:
        existing = ExistingOutput.OVERWRITE  # the content is read when the games begin
    ResultsWriter(path, existing).close()


def _begins_with(path: Path, content: bytes, *, alone: bool = False) -> bool:
    with path.open("rb") as file:
        return file.read(len(content)) == content and not (alone and file.read(1))


def _cannot_write(path: Path, error: OSError | ValueError) -> OutputError:
    reason = reason_of(error)
    if isinstance(error, FileNotFoundError) and not path.parent.is_dir():
        reason = Reason("no_folder", {"folder": path.parent})
    return OutputError("unwritable", path=path, reason=reason)


# Lines.


def _is_csv(path: Path) -> bool:
    return path.suffix.lower() == ".csv"


def _line_of(record: GameRecord, path: Path) -> bytes:
    values = asdict(record)
    if not _is_csv(path):
        return json.dumps(values, ensure_ascii=False).encode() + b"\n"
    line = io.StringIO()
    values["setup"] = json.dumps(values["setup"], ensure_ascii=False) if values["setup"] else ""
    csv.writer(line, lineterminator="\n").writerow(values.values())
    return line.getvalue().encode()


# The readers of a line raise a ValueError if the line is invalid.


def _decode(line: bytes) -> str:
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
    """Return whether a line without a line break is complete, as some editors leave it."""
    try:
        _read_json(_decode(line))
    except ValueError:
        return False
    return True
