"""Options with lists of values: an entry of `players` becomes one player for each value."""

import re
from collections.abc import Iterator
from typing import Any, Final

from othello.errors import ConfigError, Reason
from othello.frozen_dataclass import FrozenDataclass
from othello.players.player_registry import OPTIONS

_LABEL: Final = re.compile(r"(.+) ([a-z_]+)=(\S+)")
_PLACE: Final = re.compile(r"\bplayers\[(\d+)\]")
_MAX_PLAYERS: Final = 1000  # limits the memory for configs that are refused later
_MAX_KEYS: Final = 100
_SINGLE: Final = ("name", "player_color")


class Unfolded(FrozenDataclass):
    """A config's document without lists of values."""

    document: Any  # one entry per player
    labels: list[str]  # `option=value` of each entry; empty without a list
    origins: list[int]  # index of each entry's original in the file
    given: int  # number of players in the file; the document has at most 1000

    @property
    def repeated(self) -> int | None:
        """The index of the first entry with a repeated value, or None."""
        entries = list(zip(self.origins, self.labels, strict=True))
        return next((index for index, entry in enumerate(entries) if entry in entries[:index]), None)

    def in_file(self, reason: Reason) -> Reason:
        """Return a reason with the places of entries replaced by those in the file."""
        parts = dict(reason.parts)
        if isinstance(place := parts.get("place"), str):
            parts["place"] = _PLACE.sub(lambda match: f"players[{self.origins[int(match[1])]}]", place)
        return Reason(reason.name, parts)


def unfold(document: Any) -> Unfolded:
    """Replace each entry that has a list by one entry per value. Raises a ConfigError if an entry has two lists."""
    if not isinstance(document, dict) or not isinstance(document.get("players"), list):
        return Unfolded(document, [], [], 0)
    entries, labels, origins, given = list[Any](), list[str](), list[int](), 0
    for index, entry in enumerate(document["players"]):
        keys = _listed(entry)
        if len(keys) > 1:
            raise ConfigError("two_lists", place=f"players[{index}]", keys=", ".join(keys))
        given += len(entry[keys[0]]) if keys else 1
        for changed, label in _variants(entry, keys[0]) if keys else [(entry, "")]:
            if len(entries) < _MAX_PLAYERS:
                entries.append(changed)
                labels.append(label)
                origins.append(index)
    return Unfolded({**document, "players": entries}, labels, origins, given)


def _variants(entry: dict[str, Any], key: str) -> Iterator[tuple[dict[str, Any], str]]:
    for value in entry[key]:
        yield {**entry, key: value}, f"{key}={f'{value:.6g}' if isinstance(value, float) else value}"


def _listed(entry: Any) -> list[str]:
    """Return the options of an entry that have a list."""
    options = entry.items() if isinstance(entry, dict) and len(entry) <= _MAX_KEYS else ()
    return [key for key, value in options if takes_list(key) and isinstance(value, list) and value]


def takes_list(key: str) -> bool:
    """Return whether an option may have a list of values."""
    return key in OPTIONS and key not in _SINGLE and not OPTIONS[key].is_memory


def read_label(name: str) -> tuple[str, str, str] | None:
    """Split a player's name into name, option and value; None for a name without `option=value`."""
    match = _LABEL.fullmatch(name)
    return (match[1], match[2], match[3]) if match is not None and takes_list(match[2]) else None
