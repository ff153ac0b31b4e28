"""The words that people read, in the window and in the terminal: one catalogue a language in `assets/texts/`.

A catalogue is JSON: names lead to a text, or to more names. A text has `{named}` parts. Where its form depends on a
number, it is an object of the language's plural forms instead, and its part `n` chooses among them.
"""

from __future__ import annotations

import json
import locale
import logging
import os
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, Final, TypeAlias

from othello.resources import asset

_log = logging.getLogger(__name__)

Text: TypeAlias = str | dict[str, str]

SYSTEM: Final = "system"  # stands for the language of the system, as far as there is a catalogue for it
ENGLISH: Final = "en"
_LONG_NAMES: Final = {"polish": "pl"}  # as Windows has them
_chosen: Final = {"language": ENGLISH}
_BLANKS: Final = re.compile(r"(?<=[0-9])\s(?=[0-9]{3}(?![0-9]))|^\s+|\s+$")  # between thousands, and at the ends
_MINUS: Final = str.maketrans("–−", "--")
_THOUSANDS: Final = re.compile(r"-?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]*)?")
_NUMBER: Final = re.compile(r"-?([0-9]+\.?[0-9]*|\.[0-9]+)")


def _english(n: float) -> str:
    return "one" if n == 1 else "other"


def _polish(n: float) -> str:
    if n != int(n):
        return "other"
    tens, ones = n % 100, n % 10
    return "one" if n == 1 else "few" if 2 <= ones <= 4 and not 12 <= tens <= 14 else "many"


PLURALS: Final[dict[str, tuple[tuple[str, ...], Callable[[float], str]]]] = {
    "en": (("one", "other"), _english),
    "pl": (("one", "few", "many", "other"), _polish),
}
"""The plural forms of a language, and which of them a number takes. A language that is not listed counts as English
does. Every language has `other`."""


def use(language: str) -> str:
    """Choose the language in use, and return it. Words that were said before stay as they are."""
    chosen = system_language() if language == SYSTEM else language
    _chosen["language"] = chosen if chosen in languages() else ENGLISH
    return _chosen["language"]


def system_language() -> str:
    """The system's language, or English where there is no catalogue for it."""
    named = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), locale.getlocale()[0] or "")
    name = re.split("[_.@]", named.lower())[0]
    code = _LONG_NAMES.get(name, name)
    return code if code in languages() else ENGLISH


@cache
def languages() -> tuple[str, ...]:
    """The languages that there are catalogues of, by their codes."""
    return tuple(sorted(path.stem for path in asset("texts").glob("*.json") if _is_sound(path.stem)))


def _is_sound(language: str) -> bool:
    try:
        catalogue(language)
    except (OSError, AttributeError, RecursionError, TypeError, ValueError) as error:
        _log.warning("%s: %r", language, error)
        return False
    return True


def language() -> str:
    return _chosen["language"]


@cache
def catalogue(language: str) -> dict[str, Text]:
    """All texts of a language by their full names, such as `status.paused`."""
    tree = json.loads(asset(f"texts/{language}.json").read_text(encoding="utf-8"))
    return dict(_flattened(tree, ""))


def _flattened(tree: dict[str, Any], prefix: str) -> Iterator[tuple[str, Text]]:
    for name, value in tree.items():
        if isinstance(value, str) or "other" in value:
            yield prefix + name, value
        else:
            yield from _flattened(value, f"{prefix}{name}.")


def text_of(name: str, language: str) -> Text | None:
    """A text as the language's catalogue has it, or else the English one; None where there is none."""
    text = catalogue(language).get(name)
    return catalogue(ENGLISH).get(name) if text is None else text


def say(name: str, otherwise: str | None = None, /, **parts: object) -> str:
    """A text in the language in use, with its parts filled in; the part `n` chooses a plural form.

    Words that no catalogue has are said as `otherwise` has them: a file may have brought them.
    """
    text = text_of(name, language())
    if text is None:
        if otherwise is None:
            raise KeyError(name)
        return otherwise
    return fill(text, language(), parts)


def number(value: float, form: str = "g") -> str:
    """A number with the decimal point or comma of the language in use; `form` as in a format string."""
    return format(value, form).replace(".", say("numbers.point"))


def number_of(text: str) -> float | None:
    """The number that somebody has typed in the language in use, None where it is none.

    Blanks may separate thousands. So may commas where the language has a decimal point.
    """
    digits = _BLANKS.sub("", text).translate(_MINUS)
    if say("numbers.point") == "." and _THOUSANDS.fullmatch(digits):
        digits = digits.replace(",", "")
    digits = digits.replace(",", ".")
    return float(digits) if _NUMBER.fullmatch(digits) else None


def fill(text: Text, language: str, parts: Mapping[str, object]) -> str:
    """A text of a catalogue with its parts. The parts themselves are never read for braces."""
    if isinstance(text, dict):
        n = parts["n"]
        assert isinstance(n, (int, float))
        form = PLURALS.get(language, PLURALS[ENGLISH])[1](n)
        text = text.get(form, text["other"])
    return text.format_map(parts)
