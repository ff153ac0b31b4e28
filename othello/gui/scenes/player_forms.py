"""Forms for players: what they say at first, the player that they describe, and the config file that keeps it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from othello.config import PlayerConfig
from othello.errors import OthelloError
from othello.gui import wording
from othello.gui.texts import say
from othello.players import levels
from othello.players.registry import PLAYERS, configure
from othello.rules.protocol import GameSpec
from othello.rules.registry import game_spec
from othello.schema import options_of
from othello.strict_json import read as read_json
from othello.writing import write_text

_COUNTS: Final = (*(round(base * 10**power) for power in range(1, 7) for base in (1, 1.5, 2, 3, 5, 7)), 10_000_000)
_DEPTHS: Final = tuple(range(1, 21))
SLIDERS: Final = {"simulation_count": _COUNTS, "depth": _DEPTHS, "level": tuple(range(1, levels.COUNT + 1))}
"""The options of players that a form has, and what their sliders offer."""


def save(path: Path, spec: GameSpec, players: Sequence[PlayerConfig]) -> None:
    """Write a game and its players to a config file; whatever else is in it stays.

    Raises:
        OthelloError: what is there cannot be read, or the file cannot be written.
    """
    document = _existing(path)
    usual = game_spec(spec.game)
    rules = {name: value for name, value in spec.options if dict(usual.options)[name] != value}
    document |= {"game": spec.game, "rules": rules, "players": [_entry(player) for player in players]}
    if not rules:
        del document["rules"]
    write_text(path, json.dumps(document, indent=2, ensure_ascii=False) + "\n")


def _existing(path: Path) -> dict[str, Any]:
    document = read_json(path) if path.exists() else {}
    return document if isinstance(document, dict) else {}


def _entry(player: PlayerConfig) -> dict[str, Any]:
    """A player as an entry of the config file: what is not as usual."""
    usual = configure(player.player_type)
    entry: dict[str, Any] = {"player_type": player.player_type}
    for key in options_of(type(player)):
        value = getattr(player, key)
        if value != getattr(usual, key) and key != "player_color" and (key != "name" or player.is_named):
            entry[key] = value
    return entry


def type_words(player_type: str) -> str:
    title = wording.type_title(player_type)
    return title if player_type == "user" else f"{title} ({player_type})"


def form_of(player: PlayerConfig) -> dict[str, Any]:
    """What a form says of a player to begin with."""
    limit = player.time_limit_seconds
    form: dict[str, Any] = {
        "player_type": player.player_type,
        "name": player.name if player.is_named else "",
        "time_limit_seconds": "" if limit is None else f"{limit:g}",
    }
    return form | {key: getattr(player, key, None) for key in SLIDERS}


def seconds_of(text: str) -> float | bool | None:
    """A number of seconds, None for none, False where it is no such number."""
    try:
        seconds = float(text) if text else None
    except ValueError:
        return False
    return seconds if seconds is None or 0.001 <= seconds <= 86400 else False


def player_of(form: Mapping[str, Any], timed: Mapping[str, Any]) -> PlayerConfig:
    """The player that a form describes.

    Raises:
        OthelloError: there is no such player.
    """
    kind = form["player_type"]
    known = options_of(PLAYERS[kind].config_type)
    chosen = {key: form[key] for key in SLIDERS if key in known and form.get(key) is not None}
    seconds = seconds_of(form["time_limit_seconds"]) if kind != "user" else None
    if seconds is False:
        raise OthelloError(say("new_game.no_number"))
    if form["name"]:
        chosen |= {"name": form["name"], "number": None}
    return configure(kind, **chosen, **timed, time_limit_seconds=seconds)
