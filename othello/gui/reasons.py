"""Why something cannot be, in the language of the window."""

from __future__ import annotations

import logging
from functools import lru_cache
from typing import Final

from othello.errors import Reason, legible
from othello.gui.texts import catalogue, language, say
from othello.players.registry import PLAYERS

_log = logging.getLogger(__name__)
_LONGEST_PART: Final = 200


def words(reason: Reason) -> str:
    """The words of a reason. One for which there are none is told in the log, and in English where that is spoken."""
    name = reason.name
    if name.startswith("os_") and f"errors.{name}" not in catalogue(language()):
        name = "os_other"
    if f"errors.{name}" in catalogue(language()):
        return say(f"errors.{name}", **{key: _part(key, value) for key, value in reason.parts.items()})
    _note(str(reason))
    return str(reason) if language() == "en" else say("errors.unknown")


def sentence(reason: Reason) -> str:
    """The same as a sentence of its own. What begins with a name keeps it as it is."""
    text = words(reason)
    return f"{text[:1].upper() if _begins_itself(reason) else text[:1]}{text[1:]}."


def _begins_itself(reason: Reason) -> bool:
    """Whether the first word is one of the catalogue's, and not a file's name or another's word."""
    text, inner = catalogue(language()).get(f"errors.{reason.name}"), reason.parts.get("reason")
    if isinstance(text, str) and text.startswith("{reason}") and isinstance(inner, Reason):
        return _begins_itself(inner)
    return language() != "en" if text is None else isinstance(text, str) and not text.startswith("{")


@lru_cache(maxsize=64)
def _note(english: str) -> None:
    """Write to the log what is shown in other words, once: the window asks for its words again and again."""
    _log.warning("%s", english)


def _part(key: str, value: object) -> object:
    """What the words speak of, as the window calls it."""
    match key, value:
        case _, Reason():
            return words(value)
        case "game", str():
            return say(f"games.{value}.title", value)
        case "player", str():
            return say(f"player_types.{value}", PLAYERS[value].title if value in PLAYERS else value)
        case _, int() | float():
            return value
    return legible(str(value), _LONGEST_PART)
