"""Translations of the user: catalogues in the settings folder, such as `de.json` or `pt_BR.json`.

They have the format of `assets/texts/` and may be incomplete: missing texts are English. A text with other parts than
the English text is refused.
"""

import re
from pathlib import Path
from string import Formatter
from typing import Any, Final

from othello import texts
from othello.aliases import TEXT_NAMES, renamed
from othello.errors import OthelloError, Reason, is_printable
from othello.strict_json import read

_CODE: Final = re.compile(r"[a-z]{2,3}([_-][A-Za-z0-9]{1,8})?")  # matches no settings file and no config
_MAX_LENGTH: Final = 500  # characters of a text
_MAX_NAMES: Final = 3  # names in a message


def read_languages(folder: Path) -> list[Reason]:
    """Load the catalogues of a folder, and return the faults of its files."""
    found, problems = {}, []
    for path in sorted(folder.glob("*.json")):
        if not _CODE.fullmatch(path.stem):
            continue
        try:
            valid, refused = _validated(renamed(read(path), table=TEXT_NAMES))
        except OthelloError as error:
            problems.append(error.reason)
            continue
        names = ", ".join(refused[:_MAX_NAMES]) + ("…" if len(refused) > _MAX_NAMES else "")
        reason = Reason("texts_refused", {"names": names}) if refused else None
        if valid.keys() & texts.catalogue(texts.ENGLISH).keys():
            found[path.stem] = valid
        else:
            reason = Reason("no_language")
        if reason is not None:
            problems.append(Reason("in_file", {"path": path, "reason": reason}))
    texts.add(found)
    return problems


def _validated(document: Any) -> tuple[dict[str, Any], list[str]]:
    """Return the valid texts of a catalogue by their full names, and the names of all others."""
    given = dict(texts.flattened(document if isinstance(document, dict) else {}))
    valid = {name: value for name, value in given.items() if _is_valid(name, value)}
    return valid, [name for name in given if name not in valid]


def _is_valid(name: str, value: Any) -> bool:
    """Return whether a value is a text with no other parts than the English one: a part can access attributes."""
    if name == texts.PLURALS:
        return isinstance(value, dict) and all(map(texts.is_rule, value.values()))
    english = texts.catalogue(texts.ENGLISH).get(name, "")
    if isinstance(value, dict) and isinstance(english, str):
        return False  # there is no number to select a form
    known = {part for form in _forms(english) for part in _parts(form)}
    try:
        return all(
            isinstance(form, str) and len(form) <= _MAX_LENGTH and is_printable(form) and _parts(form) <= known
            for form in _forms(value)
        )
    except ValueError:  # unbalanced braces
        return False


def _forms(text: Any) -> list[Any]:
    return list(text.values()) if isinstance(text, dict) else [text]


def _parts(form: str) -> set[tuple[str | None, ...]]:
    return {part[1:] for part in Formatter().parse(form) if part[1] is not None}
