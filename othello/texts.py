"""Translated texts of the window and the terminal: one catalogue per language in `assets/texts/`.

A catalogue is a tree of names in JSON, with texts as leaves. A text has `{named}` parts. A text that depends on a
number is an object of plural forms, and its part `n` selects the form. `plurals` has the rules in the syntax of
Unicode's CLDR: the first matching rule gives the form, otherwise it is `other`.
"""

import json
import locale
import logging
import os
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources.abc import Traversable
from typing import Any, Final, TypeAlias

from othello.resources import asset

_log = logging.getLogger(__name__)

Text: TypeAlias = str | dict[str, str]

SYSTEM: Final = "system"  # the language of the system, if there is a catalogue
ENGLISH: Final = "en"
_chosen: Final = {"language": ENGLISH, "person": ""}
_added: Final[dict[str, dict[str, Any]]] = {}  # catalogues of the user
_games: Final[dict[str, Traversable]] = {}  # folders with texts of games from packages
_BLANKS: Final = re.compile(r"(?<=[0-9])\s(?=[0-9]{3}(?![0-9]))|^\s+|\s+$")  # in thousands and at both ends
_MINUS: Final = str.maketrans("–−", "--")
_NUMBER: Final = re.compile(r"-?([0-9]+\.?[0-9]*|\.[0-9]+)")
PLURALS: Final = "plurals"
_RANGE: Final = r"([0-9]{1,9})(?:\.\.([0-9]{1,9}))?"
_RELATION: Final = re.compile(rf"([niv])(?: % ([1-9][0-9]{{0,8}}))? (!?=) ({_RANGE}(?:,{_RANGE})*)")


def use(language: str) -> str:
    """Set the language in use, and return it. Texts that were formatted before do not change."""
    chosen = system_language() if language == SYSTEM else language
    _chosen["language"] = chosen if chosen in languages() else ENGLISH
    return _chosen["language"]


def set_user(name: str) -> None:
    """Set the user's name. Empty: "You" in the language in use."""
    _chosen["person"] = name.strip()


def person() -> str:
    """Return the user's name, or "You" in the language in use."""
    return _chosen["person"] or tr("players.you")


def system_language() -> str:
    """Return the system's language, or English without a catalogue. Windows has long names such as Polish_Poland."""
    named = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), locale.getlocale()[0] or "")
    name = re.split("[.@]", named.lower())[0]
    first = name.split("_")[0]
    known = {code.lower().replace("-", "_"): code for code in languages()}
    return known.get(name) or known.get(locale.locale_alias.get(first, first).split("_")[0], ENGLISH)


@cache
def languages() -> tuple[str, ...]:
    """Return the codes of all languages with a catalogue, ordered by their names."""
    found = {path.stem for path in asset("texts").glob("*.json")} | _added.keys()
    return tuple(sorted(filter(_is_readable, found), key=lambda code: name_of(code).lower()))


def name_of(language: str) -> str:
    """Return the name of a language in that language."""
    return str(catalogue(language).get("language", language))


def _is_readable(language: str) -> bool:
    try:
        catalogue(language)
    except (OSError, AttributeError, RecursionError, TypeError, ValueError) as error:
        _log.warning("%s: %r", language, error)
        return False
    return True


def add(trees: Mapping[str, dict[str, Any]]) -> None:
    """Replace the catalogues of the user, given by language.

    Their texts override those of the program's own catalogue. They may be incomplete.
    """
    if trees != _added:
        _added.clear()
        _added.update(trees)
        for cached in (languages, catalogue, plural_rules):
            cached.cache_clear()
        use(language())  # falls back to English if the language is gone


def add_game(game: str, folder: Traversable) -> None:
    """Add a game's texts from a folder with a catalogue for each language, such as `en.json`.

    Only texts about the game are used, such as `games.GAME.title`, `how_to_play.GAME.goal` or `tasks.GAME`.
    """
    _games[game] = folder
    catalogue.cache_clear()


def language() -> str:
    return _chosen["language"]


@cache
def catalogue(language: str) -> dict[str, Text]:
    """Return all texts of a language by their full names, such as `status.paused`."""
    texts = {name: text for tree in _trees(language) for name, text in flattened(tree) if name != PLURALS}
    for game, folder in _games.items():
        texts |= {name: text for name, text in _game_texts(game, folder, language).items() if name not in texts}
    if not all(isinstance(text, str | dict) for text in texts.values()):
        raise TypeError("a text is neither a string nor a table of plural forms")
    return texts


@cache
def plural_rules(language: str) -> dict[str, str]:
    """Return the rule of each plural form of a language. Without rules, those of English apply."""
    given = [tree[PLURALS] for tree in _trees(language) if PLURALS in tree]
    return dict(given[-1]) if given else plural_rules(ENGLISH)


def _trees(language: str) -> list[dict[str, Any]]:
    """Return the program's own catalogue and the user's."""
    path, added = asset(f"texts/{language}.json"), _added.get(language)
    own = [json.loads(path.read_text(encoding="utf-8"))] if added is None or path.exists() else []
    return own if added is None else [*own, added]


def _game_texts(game: str, folder: Traversable, language: str) -> dict[str, Text]:
    """Return the valid texts about a game from its package."""
    file = folder / f"{language}.json"
    try:
        tree = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
        known = dict(flattened(tree))
    except (OSError, AttributeError, RecursionError, TypeError, ValueError) as error:
        _log.warning("%s: %r", file, error)
        return {}
    about_game = (name for name in known if name.split(".")[1:2] == [game])
    return {name: known[name] for name in about_game if isinstance(known[name], str | dict)}


def flattened(tree: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the texts and the plural rules of a catalogue with their full names."""
    for name, value in tree.items():
        if isinstance(value, dict) and "other" not in value and prefix + name != PLURALS:
            yield from flattened(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def find_text(name: str, language: str) -> Text | None:
    """Return a text in a language or else in English; None if there is no such text."""
    text = catalogue(language).get(name)
    return catalogue(ENGLISH).get(name) if text is None else text


def tr(name: str, otherwise: str | None = None, /, **parts: object) -> str:
    """Return a text in the language in use.

    Args:
        name: the full name of the text.
        otherwise: the result if no catalogue has the text. None: raise a KeyError.
        **parts: the parts of the text; `n` selects a plural form.
    """
    text = find_text(name, language())
    if text is None:
        if otherwise is None:
            raise KeyError(name)
        return otherwise
    return fill(text, language(), parts)


def side_name(game: str, label: str) -> str:
    """Return the name of "black" or "white" in a game."""
    return tr(f"games.{game}.{label}", tr(f"sides.{label}"))


def number(value: float, form: str = "g") -> str:
    """Format a number with the separators of the language in use; `form` is a format specification."""
    return format(value, form).translate({ord("."): tr("numbers.point"), ord(","): tr("numbers.thousands")})


def percent(digits: str) -> str:
    """Format a percentage in the language in use."""
    return tr("numbers.percent", n=digits)


def joined(*sentences: str) -> str:
    """Join sentences with the separator of the language in use. Empty ones are skipped."""
    return tr("gap").join(filter(None, sentences))


def number_of(text: str) -> float | None:
    """Parse a number typed in the language in use; None if the text is not a number.

    Blanks and the language's own separator may separate thousands. Otherwise a point or a comma is the decimal sign.
    """
    digits = _BLANKS.sub("", text).translate(_MINUS)
    point, thousands = re.escape(tr("numbers.point")), re.escape(tr("numbers.thousands"))
    if re.fullmatch(rf"-?[1-9][0-9]{{0,2}}({thousands}[0-9]{{3}})+({point}[0-9]*)?", digits):
        digits = digits.replace(tr("numbers.thousands"), "")
    digits = digits.replace(",", ".")
    return float(digits) if _NUMBER.fullmatch(digits) else None


def fill(text: Text, language: str, parts: Mapping[str, object]) -> str:
    """Fill in the parts of a text. Braces in the parts themselves have no effect."""
    if isinstance(text, dict):
        n = parts["n"]
        assert isinstance(n, (int, float))
        text = text.get(plural_form(language, n), text["other"])
    return text.format_map(parts)


def plural_form(language: str, n: float) -> str:
    """Return the name of the plural form for a number."""
    return next((form for form, rule in plural_rules(language).items() if _holds(rule, n)), "other")


def is_rule(rule: object) -> bool:
    """Return whether this is a valid plural rule, such as `v = 0 and i % 10 = 2..4 and i % 100 != 12..14`."""
    return isinstance(rule, str) and all(map(_RELATION.fullmatch, re.split(" and | or ", rule)))


def _holds(rule: str, n: float) -> bool:
    return any(all(_matches(relation, abs(n)) for relation in way.split(" and ")) for way in rule.split(" or "))


def _matches(relation: str, n: float) -> bool:
    """Return whether a relation holds. `n` is the number, `i` its integer part, `v` whether it has decimals."""
    match = _RELATION.fullmatch(relation)
    assert match is not None
    name, divisor, sign, ranges = match.group(1, 2, 3, 4)
    value = {"n": n, "i": n // 1, "v": float(n % 1 != 0)}[name] % float(divisor or "inf")
    is_in = any(int(low) <= value <= int(high or low) and value % 1 == 0 for low, high in re.findall(_RANGE, ranges))
    return is_in == (sign == "=")
