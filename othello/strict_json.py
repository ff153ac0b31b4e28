"""JSON as the standard has it, read without surprises: every fault is one line that says where it is.

Python's own reader takes NaN, numbers beyond any range and keys given twice without a word.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from othello.errors import ConfigError

_MAX_BYTES: Final = 1 << 20
_MAX_DEPTH: Final = 20
_MAX_DIGITS: Final = 300  # longer numbers are beyond every range; Python refuses to convert them from 4300 on


_HALF_CHARACTER: Final = re.compile("[\ud800-\udfff]")


class _Object(dict[str, Any]):
    """A JSON object that remembers which of its keys came more than once."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.repeated = [key for key, times in Counter(key for key, _ in pairs).items() if times > 1]


def read(path: Path) -> Any:
    """The document in a file.

    Raises:
        ConfigError: it cannot be read, or it is not JSON.
    """
    text = _text(path)
    try:
        document = json.loads(text, object_pairs_hook=_Object, parse_int=_integer)
    except json.JSONDecodeError as error:
        raise ConfigError(f"{path}: line {error.lineno}, column {error.colno}: {_reason(text, error)}") from None
    except RecursionError:
        raise ConfigError(f"{path}: lists and objects are nested too deeply") from None
    for place, depth, value in _walk(document):
        if isinstance(value, float) and not math.isfinite(value):
            raise ConfigError(f"{path}: {place or 'document'}: NaN, infinity and numbers too large are not allowed")
        if isinstance(value, str) and _HALF_CHARACTER.search(value):
            raise ConfigError(f"{path}: {place or 'document'}: \\ud800 to \\udfff are halves of characters, not text")
        if isinstance(value, _Object) and value.repeated:
            raise ConfigError(f"{path}: {join(place, value.repeated[0])}: the key is given twice")
        if depth > _MAX_DEPTH:
            raise ConfigError(f"{path}: lists and objects are nested too deeply")
    return document


def join(place: str, key: str | int) -> str:
    """The name of what lies one level below `place`, such as `players[1].player_type`."""
    if isinstance(key, int):
        return f"{place}[{key}]"
    shown = key if key.isidentifier() or key.startswith("$") else json.dumps(key)
    return f"{place}.{shown}" if place else shown


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
    except FileNotFoundError:
        raise ConfigError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise ConfigError(f"{path}: is a folder, not a config file") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise ConfigError(f"{path}: cannot be read: {reason}") from None
    if len(data) > _MAX_BYTES:
        raise ConfigError(f"{path}: larger than {_MAX_BYTES} bytes; that is no config file")
    if not data.strip():
        raise ConfigError(f"{path}: the file is empty; it must hold a JSON object")
    try:
        return data.decode("utf-8-sig")  # editors on Windows like to write a byte order mark
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{path}: line {line}: byte {data[error.start]:#04x} is not UTF-8") from None


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= _MAX_DIGITS else math.inf


def _reason(text: str, error: json.JSONDecodeError) -> str:
    """What the parser says, or what people usually did to make it say so."""
    rest = text[error.pos :].lstrip()
    if rest.startswith(("//", "/*", "#")):
        return "not JSON: comments are not allowed"
    before = text[: error.pos].rstrip()
    if "trailing comma" in error.msg or (rest.startswith(("]", "}")) and before.endswith(",")):
        return "not JSON: a comma too many"
    if rest.startswith("'"):
        return "not JSON: strings and keys take double quotes"
    if not rest:
        return "not JSON: the file ends too early"
    return f"not JSON: {error.msg[0].lower()}{error.msg[1:]}"


def _walk(document: Any) -> Iterator[tuple[str, int, Any]]:
    """(place, depth, value) of everything, parents first. Iterative, for documents deeper than Python's stack."""
    waiting: list[tuple[str, int, Any]] = [("", 0, document)]
    while waiting:
        place, depth, value = waiting.pop()
        yield place, depth, value
        children: list[tuple[str | int, Any]] = []
        if isinstance(value, dict):
            children = list(value.items())
        elif isinstance(value, list):
            children = list(enumerate(value))
        waiting += [(join(place, key), depth + 1, child) for key, child in reversed(children)]
