"""Strict JSON: every error is one line that names the place.

Python's own parser accepts NaN, numbers out of range and duplicate keys.
"""

import functools
import json
import math
import re
from collections import Counter
from pathlib import Path
from typing import Any, Final, TypeAlias

from othello.errors import ConfigError, Reason, errors_as, printable
from othello.files import read_text

MAX_BYTES: Final = 1 << 20
_MAX_DEPTH: Final = 20
_MAX_EXACT: Final = 1 << 53  # floats represent all integers up to this one
_LONGEST_KEY: Final = 60

# A JSON path as a linked list: the path of the parent, and the key or index; None is the document.
_Path: TypeAlias = "tuple[_Path, str | int] | None"

_WORD: Final = re.compile(r"(true|false|null|none|nil|yes|no)\b", re.IGNORECASE)
_CURLY: Final = re.compile(r"[“”„‟«»]\s*[,:}\]]|[,:{\[]\s*[“”„‟«»]")  # typographic quotes
_HALF_CHARACTER: Final = re.compile("[\ud800-\udfff]")


class _Ambiguous(dict[str, Any]):
    """A JSON object with a duplicate key."""

    key = ""  # the duplicate key


def read(path: Path, max_bytes: int = MAX_BYTES, *, takes_pipes: bool = False) -> Any:
    """Read a JSON file.

    Raises:
        FileError: the file cannot be read.
        ConfigError: the content is not JSON.
    """
    text = read_text(path, max_bytes, takes_pipes=takes_pipes)
    if not text.strip():
        raise ConfigError("empty_file", path=path)
    with errors_as(ConfigError, "in_file", path=path):
        return parse(text)


def format_document(document: Any) -> str:
    """Return the text of a JSON file that people may edit."""
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def parse(text: str) -> Any:
    """Parse a JSON text; raise a ConfigError if it is invalid."""
    try:
        document = json.loads(text, object_pairs_hook=_object, parse_int=_integer, parse_float=_number)
    except json.JSONDecodeError as error:
        raise ConfigError("at_line", line=error.lineno, column=error.colno, reason=_reason(text, error)) from None
    except RecursionError:
        raise ConfigError("too_deep") from None
    _check(document, None, 0)
    return document


def join(place: str, key: str | int) -> str:
    """Return the name of a child of `place`, such as `players[1].player_type`."""
    if isinstance(key, int):
        return f"{place}[{key}]"
    shown = printable(key if key.isidentifier() or key.startswith("$") else json.dumps(key), _LONGEST_KEY)
    return f"{place}.{shown}" if place else shown


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) == len(pairs):
        return document
    ambiguous = _Ambiguous(document)
    (ambiguous.key, _), *_ = Counter(key for key, _ in pairs).most_common()
    return ambiguous


def _integer(digits: str) -> int | float:
    return int(digits) if math.isfinite(float(digits)) else math.inf  # Python does not convert 4300 digits or more


def _number(text: str) -> int | float:
    """Return a whole number as an int, even if it is written 8.0."""
    value = float(text)
    return int(value) if value.is_integer() and abs(value) <= _MAX_EXACT else value


def _reason(text: str, error: json.JSONDecodeError) -> Reason:
    """Return the parser's message, or a hint about a usual cause."""
    rest = text[error.pos :].lstrip()
    if rest.startswith(("//", "/*", "#")):
        return Reason("json_comment")
    before = text[: error.pos].rstrip()
    if "trailing comma" in error.msg or (rest.startswith(("]", "}")) and before.endswith(",")):
        return Reason("json_comma")
    word = _WORD.match(rest)
    if word and word.group() not in ("true", "false", "null"):
        return Reason("json_word")
    line = before.rpartition("\n")[2] + rest.partition("\n")[0]
    if rest.startswith("'") or _CURLY.search(line):
        return Reason("json_quotes")
    if not rest:
        return Reason("json_end")
    return Reason("json_fault", {"fault": error.msg[0].lower() + error.msg[1:]})


def _check(value: Any, path: _Path, depth: int) -> None:
    """Raise a ConfigError if a value, or a value inside it, is not allowed."""
    if isinstance(value, float) and not math.isfinite(value):
        raise ConfigError("no_number", place=_name_of(path))
    if isinstance(value, str) and _HALF_CHARACTER.search(value):
        raise ConfigError("half_character", place=_name_of(path))
    if isinstance(value, _Ambiguous):
        raise ConfigError("key_twice", place=_name_of((path, value.key)))
    if depth > _MAX_DEPTH:
        raise ConfigError("too_deep")
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, child in children:
        _check(child, (path, step), depth + 1)


def _name_of(path: _Path) -> str:
    """Return a path as text. Only errors need it: the names of all children of a long key would fill the memory."""
    keys: list[str | int] = []
    while path is not None:
        path, key = path
        keys.append(key)
    return functools.reduce(join, reversed(keys), "") or "document"
