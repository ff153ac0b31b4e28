"""Options with lists of values: an entry of `players` becomes one player for each value."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from othello.errors import ConfigError, Reason
from othello.frozen import Frozen
from othello.players.registry import OPTIONS

_LABEL: Final = re.compile(r"(.+) ([a-z_]+)=(\S+)")
_PLACE: Final = re.compile(r"\bplayers\[(\d+)\]")
_MOST_PLAYERS: Final = 1000  # limits the memory for configs that are refused later
_MOST_KEYS: Final = 100
_SINGLE: Final = ("name", "player_color")


class Unfolded(Frozen):
    """A config's document without lists of values."""

    document: Any  # one entry per player
    labels: list[str]  # `option=value` of each entry; empty without a list
    origins: list[int]  # index of each entry's original in the file
    given: int = 0  # number of players in the file; the document has at most 1000

    @property
    def repeated(self) -> int | None:
        """The index of the first entry with a repeated value, or None."""
        entries = list(zip(self.origins, self.labels, strict=True))
        return next((index for index, entry in enumerate(entries) if entry in entries[:index]), None)

    def in_file(self, reason: Reason) -> Reason:
        """Return a reason with the places of entries replaced by those in the file."""
        parts = dict(reason.parts)
        if isinstance(place := parts.get("place"), str):
            parts["place"] = _PLACE.sub(lambda found: f"players[{self.origins[int(found[1])]}]", place)
        return Reason(reason.name, parts)


def unfold(document: Any) -> Unfolded:
    """Replace each entry that has a list by one entry per value. Raises a ConfigError if an entry has two lists."""
    if not isinstance(document, dict) or not isinstance(document.get("players"), list):
        return Unfolded(document, [], [])
    for index, entry in enumerate(document["players"]):
        if len(keys := list(_listed(entry))) > 1:
            raise ConfigError("two_lists", place=f"players[{index}]", keys=", ".join(keys))
    every = ((index, *one) for index, entry in enumerate(document["players"]) for one in _unfolded(entry))
    found = list(islice(every, _MOST_PLAYERS))
    varied = [(entry, _varied(entry)) for entry in document["players"]]
    given = sum(1 if key is None else len(entry[key]) for entry, key in varied)
    unfolded = {**document, "players": [entry for _, entry, _ in found]}
    return Unfolded(unfolded, [label for _, _, label in found], [index for index, _, _ in found], given)


def _unfolded(entry: Any) -> Iterator[tuple[Any, str]]:
    key = _varied(entry)
    if key is None:
        yield entry, ""
        return
    for value in entry[key]:
        yield {**entry, key: value}, f"{key}={f'{value:.6g}' if isinstance(value, float) else value}"


def _varied(entry: Any) -> str | None:
    """Return the option of an entry that has a list, or None."""
    return next(_listed(entry), None)


def _listed(entry: Any) -> Iterator[str]:
    options = entry.items() if isinstance(entry, dict) and len(entry) <= _MOST_KEYS else ()
    return (key for key, value in options if takes_list(key) and isinstance(value, list) and value)


def takes_list(key: str) -> bool:
    """Return whether an option may have a list of values."""
    return key in OPTIONS and key not in _SINGLE and not OPTIONS[key].is_memory


def read_label(name: str) -> tuple[str, str, str] | None:
    """Split a player's name into name, option and value; None for a name without `option=value`."""
    found = _LABEL.fullmatch(name)
    return (found[1], found[2], found[3]) if found is not None and takes_list(found[2]) else None
