"""Clean-up of text from files: lines, dates, names and notes."""

import re
from collections.abc import Callable, Iterator
from typing import Final

from othello.errors import is_printable

LONGEST_NAME: Final = 40  # characters; the limit of names in config.json
_LONGEST_WORDS: Final = 200
_LONGEST_NOTE: Final = 10_000
_DATE: Final = re.compile(r"(\d{4})(?:[-./](\d\d?)[-./](\d\d?)(?:[T_ ]+(\d\d?):(\d\d)(?::(\d\d))?)?)?")
_LINE: Final = re.compile(r"[^\r\n]+")
_END_OF_LINE: Final = re.compile(r"[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]+")


def counted_lines(text: str) -> Callable[[int], int]:
    """Return a function that maps an index to a line number; the indices must increase."""
    before, line = 0, 1

    def line_at(index: int) -> int:
        nonlocal before, line
        line += text.count("\n", before, index)
        before = index
        return line

    return line_at


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not blank, with their numbers."""
    line_at = counted_lines(text)
    for match in _LINE.finditer(text):
        if words := match[0].strip():
            yield line_at(match.start()), words


def date_of(text: str) -> str:
    """Return a date in ISO format, whatever separators it has; "" if the text is not a date."""
    match = _DATE.search(text)
    if match is None:
        return ""
    year, month, day, hour, minute, second = (int(part or 0) for part in match.groups())
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return f"{year:04}"
    date = f"{year:04}-{month:02}-{day:02}"
    is_timed = match[4] is not None and max(hour - 23, minute - 59, second - 59) <= 0
    return f"{date}T{hour:02}:{minute:02}:{second:02}" if is_timed else date


def words_of(text: str) -> str:
    """Return a name or title as one printable line."""
    return _legible(" ".join(text.split()))[:_LONGEST_WORDS].strip()


def legible_name(text: str) -> str:
    """Return a player's name in the form that config.json allows."""
    return words_of(text)[:LONGEST_NAME].strip()


def noted(text: str) -> str:
    """Return a note as one printable line of limited length."""
    return _legible(_END_OF_LINE.sub(" ", text))[:_LONGEST_NOTE]


def _legible(text: str) -> str:
    return text if is_printable(text) else "".join(filter(is_printable, text))


def joined(note: str, more: str) -> str:
    """Join two notes, up to the length limit."""
    return note if len(note) >= _LONGEST_NOTE else f"{note} {more}".strip()[:_LONGEST_NOTE]
