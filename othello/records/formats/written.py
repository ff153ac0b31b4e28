"""What people and programs have written, as sheets have it: lines, dates, names, notes."""

import re
from collections.abc import Callable, Iterator
from typing import Final

from othello.errors import is_legible

LONGEST_NAME: Final = 40  # as players have in config.json
_LONGEST_WORDS: Final = 200
_LONGEST_NOTE: Final = 10_000
_DATE: Final = re.compile(r"(\d{4})(?:[-./](\d\d?)[-./](\d\d?)(?:[T_ ]+(\d\d?):(\d\d)(?::(\d\d))?)?)?")
_LINE: Final = re.compile(r"[^\r\n]+")
_END_OF_LINE: Final = re.compile(r"[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]+")


def counted_lines(text: str) -> Callable[[int], int]:
    """The number of the line of a place; the places must come in order."""
    before, line = 0, 1

    def line_at(place: int) -> int:
        nonlocal before, line
        line += text.count("\n", before, place)
        before = place
        return line

    return line_at


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """The lines with something in them, with their numbers."""
    line_at = counted_lines(text)
    for found in _LINE.finditer(text):
        if words := found[0].strip():
            yield line_at(found.start()), words


def date_of(text: str) -> str:
    """A date as sheets have it, however it is written; empty where that is none."""
    found = _DATE.search(text)
    if found is None:
        return ""
    year, month, day, hour, minute, second = (int(part or 0) for part in found.groups())
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return f"{year:04}"
    date = f"{year:04}-{month:02}-{day:02}"
    is_timed = found[4] is not None and max(hour - 23, minute - 59, second - 59) <= 0
    return f"{date}T{hour:02}:{minute:02}:{second:02}" if is_timed else date


def words_of(text: str) -> str:
    """A name or the like as others have written it, in one line that can be shown."""
    return _legible(" ".join(text.split()))[:_LONGEST_WORDS].strip()


def legible_name(text: str) -> str:
    """A player's name as config.json may have it."""
    return words_of(text)[:LONGEST_NAME].strip()


def noted(text: str) -> str:
    """A note in one line, as far as our own file holds it."""
    return _legible(_END_OF_LINE.sub(" ", text))[:_LONGEST_NOTE]


def _legible(text: str) -> str:
    return text if is_legible(text) else "".join(filter(is_legible, text))


def joined(note: str, more: str) -> str:
    """Two notes in one, as far as our own file holds them."""
    return note if len(note) >= _LONGEST_NOTE else f"{note} {more}".strip()[:_LONGEST_NOTE]
