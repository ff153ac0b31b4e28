"""The words that people read, in the window and in the terminal: one catalogue a language in `assets/texts/`.

A catalogue is JSON: names lead to a text, or to more names. A text has `{named}` parts. Where its form depends on a
number, it is an object of the language's plural forms instead, and its part `n` chooses among them. `plurals` says
which numbers a form is for, as Unicode's CLDR does: the first rule that holds gives the form, and `other` the rest.
"""

import json
import locale
import logging
import os
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final, TypeAlias

from othello.resources import asset

_log = logging.getLogger(__name__)

Text: TypeAlias = str | dict[str, str]

SYSTEM: Final = "system"  # stands for the language of the system, as far as there is a catalogue for it
ENGLISH: Final = "en"
_chosen: Final = {"language": ENGLISH, "person": ""}
_added: Final[dict[str, dict[str, Any]]] = {}  # catalogues that are not the program's own
_BLANKS: Final = re.compile(r"(?<=[0-9])\s(?=[0-9]{3}(?![0-9]))|^\s+|\s+$")  # between thousands, and at the ends
_MINUS: Final = str.maketrans("–−", "--")
_NUMBER: Final = re.compile(r"-?([0-9]+\.?[0-9]*|\.[0-9]+)")
PLURALS: Final = "plurals"
_RANGE: Final = r"([0-9]{1,9})(?:\.\.([0-9]{1,9}))?"
_RELATION: Final = re.compile(rf"([niv])(?: % ([1-9][0-9]{{0,8}}))? (!?=) ({_RANGE}(?:,{_RANGE})*)")


def use(language: str) -> str:
    """Choose the language in use, and return it. Words that were said before stay as they are."""
    chosen = system_language() if language == SYSTEM else language
    _chosen["language"] = chosen if chosen in languages() else ENGLISH
    return _chosen["language"]


def set_person(name: str) -> None:
    """Set what the user is called; empty: "You" in the language in use."""
    _chosen["person"] = name.strip()


def person() -> str:
    """Return the name from the settings, or "You" in the language in use."""
    return _chosen["person"] or say("players.you")


def system_language() -> str:
    """The system's language, or English where there is no catalogue for it. Windows has long names: Polish_Poland."""
    named = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), locale.getlocale()[0] or "")
    name = re.split("[.@]", named.lower())[0]
    first = name.split("_")[0]
    known = {code.lower().replace("-", "_"): code for code in languages()}
    return known.get(name) or known.get(locale.locale_alias.get(first, first).split("_")[0], ENGLISH)


@cache
def languages() -> tuple[str, ...]:
    """The languages that there are catalogues of, by their codes, in the order of their names."""
    found = {path.stem for path in asset("texts").glob("*.json")} | _added.keys()
    return tuple(sorted(filter(_is_sound, found), key=lambda code: name_of(code).lower()))


def name_of(language: str) -> str:
    """What a language calls itself."""
    return str(catalogue(language).get("language", language))


def _is_sound(language: str) -> bool:
    try:
        catalogue(language)
    except (OSError, AttributeError, RecursionError, TypeError, ValueError) as error:
        _log.warning("%s: %r", language, error)
        return False
    return True


def add(trees: Mapping[str, dict[str, Any]]) -> None:
    """Take these catalogues, by their languages, instead of those that were added before.

    They come before the program's own of the same language, and need not be complete.
    """
    if trees != _added:
        _added.clear()
        _added.update(trees)
        for cached in (languages, catalogue, plural_rules):
            cached.cache_clear()
        use(language())  # or English, where that language is gone


def language() -> str:
    return _chosen["language"]


@cache
def catalogue(language: str) -> dict[str, Text]:
    """All texts of a language by their full names, such as `status.paused`."""
    return {name: text for tree in _trees(language) for name, text in flattened(tree)}


@cache
def plural_rules(language: str) -> dict[str, str]:
    """Which numbers a language's plural forms are for. A language that does not say counts as English does."""
    given = [tree[PLURALS] for tree in _trees(language) if PLURALS in tree]
    return dict(given[-1]) if given else plural_rules(ENGLISH)


def _trees(language: str) -> list[dict[str, Any]]:
    """The program's own catalogue, and what was added."""
    path, added = asset(f"texts/{language}.json"), _added.get(language)
    own = [json.loads(path.read_text(encoding="utf-8"))] if added is None or path.exists() else []
    return own if added is None else [*own, added]


def flattened(tree: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Text]]:
    """The texts of a catalogue by their full names."""
    for name, value in tree.items():
        if isinstance(value, str) or "other" in value:
            yield prefix + name, value
        elif prefix + name != PLURALS:
            yield from flattened(value, f"{prefix}{name}.")


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


def side_name(game: str, label: str) -> str:
    """Return what "black" or "white" is called in a game."""
    return say(f"games.{game}.{label}", say(f"sides.{label}"))


def number(value: float, form: str = "g") -> str:
    """A number with the signs of the language in use for decimals and thousands; `form` as in a format string."""
    return format(value, form).translate({ord("."): say("numbers.point"), ord(","): say("numbers.thousands")})


def percent(digits: str) -> str:
    """A number of hundredths, as the language in use writes that."""
    return say("numbers.percent", n=digits)


def joined(*sentences: str) -> str:
    """Sentences one after the other, with what the language in use puts between them; empty ones are left out."""
    return say("gap").join(filter(None, sentences))


def number_of(text: str) -> float | None:
    """The number that somebody has typed in the language in use, None where it is none.

    Blanks may separate thousands, and so may the language's own sign. A point or a comma is a decimal one otherwise.
    """
    digits = _BLANKS.sub("", text).translate(_MINUS)
    point, thousands = re.escape(say("numbers.point")), re.escape(say("numbers.thousands"))
    if re.fullmatch(rf"-?[1-9][0-9]{{0,2}}({thousands}[0-9]{{3}})+({point}[0-9]*)?", digits):
        digits = digits.replace(say("numbers.thousands"), "")
    digits = digits.replace(",", ".")
    return float(digits) if _NUMBER.fullmatch(digits) else None


def fill(text: Text, language: str, parts: Mapping[str, object]) -> str:
    """A text of a catalogue with its parts. The parts themselves are never read for braces."""
    if isinstance(text, dict):
        n = parts["n"]
        assert isinstance(n, (int, float))
        text = text.get(plural_form(language, n), text["other"])
    return text.format_map(parts)


def plural_form(language: str, n: float) -> str:
    """The plural form that a number takes."""
    return next((form for form, rule in plural_rules(language).items() if _holds(rule, n)), "other")


def is_rule(rule: object) -> bool:
    """Whether that says which numbers a plural form is for, such as `v = 0 and i % 10 = 2..4 and i % 100 != 12..14`."""
    return isinstance(rule, str) and all(map(_RELATION.fullmatch, re.split(" and | or ", rule)))


def _holds(rule: str, n: float) -> bool:
    return any(all(_is_so(relation, abs(n)) for relation in way.split(" and ")) for way in rule.split(" or "))


def _is_so(relation: str, n: float) -> bool:
    """Whether a relation holds for a number. `n` stands for the number, `i` for its whole part, `v` for decimals."""
    found = _RELATION.fullmatch(relation)
    assert found is not None
    name, divisor, sign, ranges = found.group(1, 2, 3, 4)
    value = {"n": n, "i": n // 1, "v": float(n % 1 != 0)}[name] % int(divisor or 10**9)
    is_in = any(int(low) <= value <= int(high or low) and value % 1 == 0 for low, high in re.findall(_RANGE, ranges))
    return is_in == (sign == "=")
