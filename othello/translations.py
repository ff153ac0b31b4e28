"""Languages that a person adds: catalogues of texts beside the settings, such as `de.json` or `pt_BR.json`.

Such a file looks like those in `assets/texts/` and need not be complete: English stands in for what is missing.
Whatever a file says, its words are nothing but words, with the same parts as the English ones.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Any, Final

from othello import texts
from othello.errors import OthelloError, Reason, is_legible
from othello.strict_json import read

_CODE: Final = re.compile(r"[a-z]{2,3}([_-][A-Za-z0-9]{1,8})?")  # so no settings, and no config
_LONGEST: Final = 500
_MOST_TOLD: Final = 3


def read_languages(folder: Path) -> list[Reason]:
    """Speak the languages in a folder from now on; what is wrong with its files."""
    found, faults = {}, []
    for path in sorted(folder.glob("*.json")):
        if not _CODE.fullmatch(path.stem):
            continue
        try:
            sound, refused = _sorted_out(read(path))
        except OthelloError as error:
            faults.append(error.reason)
            continue
        if sound.keys() & texts.catalogue(texts.ENGLISH).keys():
            found[path.stem] = sound
        else:
            faults.append(Reason("in_file", {"path": path, "reason": Reason("no_language")}))
            continue
        if refused:
            names = ", ".join(refused[:_MOST_TOLD]) + ("…" if len(refused) > _MOST_TOLD else "")
            faults.append(Reason("in_file", {"path": path, "reason": Reason("texts_refused", {"names": names})}))
    texts.add(found)
    return faults


def _sorted_out(document: Any) -> tuple[dict[str, Any], list[str]]:
    """The texts of a catalogue by their full names, and the names of those that cannot be used."""
    sound, refused, english = {}, [], texts.catalogue(texts.ENGLISH)
    for name, value in _leaves(document if isinstance(document, dict) else {}):
        is_sound = _are_rules(value) if name == texts.PLURALS else _is_text(value, english.get(name, ""))
        if is_sound:
            sound[name] = value
        else:
            refused.append(name)
    return sound, refused


def _leaves(tree: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in tree.items():
        if isinstance(value, dict) and "other" not in value and prefix + name != texts.PLURALS:
            yield from _leaves(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def _are_rules(value: Any) -> bool:
    return isinstance(value, dict) and all(map(texts.is_rule, value.values()))


def _is_text(value: Any, english: texts.Text) -> bool:
    """Whether a value has words alone, and no other parts than the English text: a part can reach into the program."""
    if isinstance(value, dict) and isinstance(english, str):
        return False  # nobody says how many
    known = {part for form in _forms(english) for part in _parts(form)}
    try:
        return all(
            isinstance(form, str) and len(form) <= _LONGEST and is_legible(form) and _parts(form) <= known
            for form in _forms(value)
        )
    except ValueError:  # braces that do not match
        return False


def _forms(text: Any) -> list[Any]:
    return list(text.values()) if isinstance(text, dict) else [text]


def _parts(form: str) -> set[tuple[str | None, ...]]:
    return {part[1:] for part in Formatter().parse(form) if part[1] is not None}
