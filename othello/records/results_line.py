"""A record as one line of a results file, and back."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import asdict
from pathlib import Path

from othello.records.record import COLUMNS, NEEDED, GameRecord, current_name


def is_csv(path: Path) -> bool:
    """Whether the file has columns; else every line is a JSON object."""
    return path.suffix.lower() == ".csv"


def header(path: Path) -> bytes:
    """How a file begins."""
    return (",".join(COLUMNS) + "\n").encode() if is_csv(path) else b""


def line_of(record: GameRecord, path: Path) -> bytes:
    """The line of a record, with its end."""
    values = asdict(record)
    if not is_csv(path):
        return json.dumps(values, ensure_ascii=False).encode() + b"\n"
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(values.values())
    return line.getvalue().encode()


def decoded(line: bytes) -> str:
    """A line as text.

    Raises:
        ValueError: it is none.
    """
    try:
        return line.decode("utf-8-sig").strip()
    except UnicodeDecodeError as error:
        raise ValueError(f"byte {line[error.start]:#04x} is not UTF-8") from None


def read_header(text: str) -> list[str]:
    """The columns that a .csv file has.

    Raises:
        ValueError: one that is needed is missing.
    """
    columns = [current_name(name.strip()) for name in _cells(text, skipinitialspace=True)]
    missing = [name for name in NEEDED if name not in columns]
    if missing:
        raise ValueError(f"not a results file, for it has no column {missing[0]}")
    return columns


def _cells(text: str, *, skipinitialspace: bool = False) -> list[str]:
    try:
        return next(csv.reader([text], skipinitialspace=skipinitialspace), [])
    except csv.Error as error:
        raise ValueError(f"not CSV: {error}") from None


def read_csv(text: str, columns: list[str]) -> GameRecord:
    """The record in a line of a .csv file.

    Raises:
        ValueError: there is none.
    """
    cells = _cells(text)
    if len(cells) != len(columns):
        raise ValueError(f"{len(cells)} columns where the first line has {len(columns)}")
    return GameRecord.from_values(dict(zip(columns, cells, strict=True)))


def read_json(text: str) -> GameRecord:
    """The record in a line of a .jsonl file.

    Raises:
        ValueError: there is none.
    """
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


def is_whole_json(line: bytes) -> bool:
    """Whether a line that lacks its end lacks nothing else: an editor, not a crash, has left it out."""
    try:
        read_json(decoded(line))
    except ValueError:
        return False
    return True
