"""Results files: one line a game, as .jsonl or .csv by suffix.

A line reaches the file whole or not at all; what a crash may leave of a last line is recognised by its missing
end and dropped, unless it is a whole JSON object. So a file can be read, and gone on with, at any moment.
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
from othello.file_lock import open_locked, remove_locked
from othello.reading import read_lines
from othello.records.record import COLUMNS, NEEDED, GameRecord
from othello.schema import nearest

SUFFIXES: Final = (".csv", ".jsonl")
_LONGEST_LINE: Final = 1 << 20
_SYNC_SECONDS: Final = 0.5  # so much is at stake when the power fails; a crash of the program loses nothing


@dataclass(slots=True)
class ResultsReader:
    """The records of a file, one at a time."""

    path: Path
    lines: Iterable[bytes] | None = None  # of the file, if it is read already
    line: int = 0  # the number of the last line that was read
    end: int = 0  # bytes in whole lines; known once the file is read
    torn: bool = False  # whether the last line is, or may be, only the beginning of one; it is left out
    lacks_end: bool = False  # whether the last line is whole, but for its end

    def __iter__(self) -> Iterator[GameRecord]:
        """Read the file from its beginning. FileError: it cannot be read. ResultsError: a whole line is no record."""
        self.end, self.torn, self.lacks_end = 0, False, False
        columns: list[str] = []
        in_columns = _is_csv(self.path)
        lines = read_lines(self.path, _LONGEST_LINE) if self.lines is None else self.lines
        for number, line in enumerate(lines, 1):
            self.line = number
            if number == 1 and self.lines is not None:
                in_columns = not line.lstrip(b"\xef\xbb\xbf").startswith(b"{")
            if not line.endswith(b"\n"):
                self.lacks_end = not in_columns and _is_whole_json(line)
                self.torn = not self.lacks_end
                if self.torn:
                    return
            self.end += len(line)
            try:
                text = _decoded(line)
                if in_columns and not columns:
                    columns = _read_header(text)
                elif text:
                    yield _read_csv(text, columns) if in_columns else _read_json(text)
            except ValueError as error:
                raise ResultsError("no_record", path=self.path, line=number, fault=error) from None


class ResultsWriter:
    """Appends records to a results file, which is locked first, and is not touched before there is a record to write.

    So a run that is refused, or is stopped before its first game is over, leaves the file as it was, or leaves none.
    Use as a context manager, or call `close`. Open it before the first game begins, so that a path that cannot be
    written is known in time.
    """

    def __init__(
        self,
        path: Path,
        existing: ExistingOutput = ExistingOutput.REFUSE,
        on_held: Callable[[int, GameRecord], None] | None = None,
    ) -> None:
        """Open or create the file.

        Args:
            path: its suffix decides the format.
            existing: what to do with games that the file holds already. `RESUME` appends to them.
            on_held: called, with `RESUME`, with every game that the file holds, and its line's number.

        Raises:
            OutputError: the file cannot be written, or holds something and must not be touched.
            FileError: with `RESUME`, the file cannot be read.
            ResultsError: with `RESUME`, the file holds something that is no record.
        """
        suffix = path.suffix.lower()
        if suffix not in SUFFIXES:
            raise OutputError("results_suffix", path=path, suffixes=", ".join(SUFFIXES), hint=nearest(suffix, SUFFIXES))
        self.torn = False  # with `RESUME`, whether the file ended in the middle of a line, which will be dropped
        self._path = path
        self._keep, self._start = 0, _header(path)
        self._has_begun = False
        self._written: dict[str, dict[str, Any]] = {}  # the parts of `GameRecord.setup` that the file has
        self._synced = time.monotonic()
        try:
            self._file, self._is_new = open_locked(path)
        except (OSError, ValueError) as error:
            raise _cannot_write(path, error) from None
        try:
            if existing is ExistingOutput.REFUSE:
                self._refuse_games()
            elif existing is ExistingOutput.RESUME:
                self._read(on_held)
        except BaseException:
            self.close()
            raise

    def _refuse_games(self) -> None:
        try:
            is_free = self._file.tell() == 0 or _begins_with(self._path, self._start, alone=True)
        except OSError as error:
            raise _cannot_write(self._path, error) from None
        if not is_free:
            raise OutputError("taken", path=self._path)

    def _read(self, on_held: Callable[[int, GameRecord], None] | None) -> None:
        """Find out where to go on."""
        reader = ResultsReader(self._path)
        for record in reader:
            self._new_setup(record)
            if on_held is not None:
                on_held(reader.line, record)
        self.torn = reader.torn
        self._keep = reader.end
        if reader.end:
            if not _begins_with(self._path, self._start):
                raise ResultsError("other_columns", path=self._path)
            self._start = b"\n" if reader.lacks_end else b""

    def append(self, record: GameRecord) -> None:
        """Write one game; when this returns, the record outlives the program.

        OutputError: the disk is full, or gone. The records before stay whole.
        """
        line = _line_of(replace(record, setup=self._new_setup(record)), self._path)
        if not self._has_begun:
            with suppress(OSError):  # devices and pipes have no length
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
        found: dict[str, dict[str, Any]] = {}
        for kind, part in record.setup.items():
            written = self._written.setdefault(kind, {})
            if new := {name: value for name, value in part.items() if written.get(name, ...) != value}:
                found[kind] = new
                written.update(new)
        return found

    def close(self) -> None:
        """Bring everything to the disk; a file that was made in vain is gone. Closing twice is fine."""
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
        with suppress(OSError):  # a device that cannot; a disk that fails says so at the next write
            os.fsync(self._file.fileno())


def check_output(path: Path, existing: ExistingOutput = ExistingOutput.REFUSE) -> None:
    """Find out whether results can be written, and leave no trace; OutputError says why not."""
    if existing is ExistingOutput.RESUME:
        existing = ExistingOutput.OVERWRITE  # what the file holds is read when the games begin
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
    """Whether the file has columns; else every line is a JSON object."""
    return path.suffix.lower() == ".csv"


def _header(path: Path) -> bytes:
    return (",".join(COLUMNS) + "\n").encode() if _is_csv(path) else b""


def _line_of(record: GameRecord, path: Path) -> bytes:
    values = asdict(record)
    if not _is_csv(path):
        return json.dumps(values, ensure_ascii=False).encode() + b"\n"
    line = io.StringIO()
    values["setup"] = json.dumps(values["setup"], ensure_ascii=False) if values["setup"] else ""
    csv.writer(line, lineterminator="\n").writerow(values.values())
    return line.getvalue().encode()


# All readers of a line raise ValueError where the line is none.


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
