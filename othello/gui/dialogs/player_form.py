"""Forms for players: what they say at first, the player that they describe, and the config file that keeps it."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from othello.config import PlayerConfig
from othello.config_file import config_of
from othello.errors import ConfigError, OthelloError, Reason
from othello.gui import wording
from othello.gui.dialogs.player_options import (
    entries_of,
    further_options,
    main_options,
    option_rows,
    slider,
    title,
    values_in,
)
from othello.gui.toolkit.button import Button
from othello.gui.toolkit.card import Card
from othello.gui.toolkit.field import Field
from othello.gui.toolkit.layout import Column, Row, Space
from othello.gui.toolkit.panel import Panel
from othello.gui.toolkit.style import Style
from othello.gui.toolkit.switches import Select
from othello.gui.toolkit.words import Label
from othello.players.registry import PLAYERS, configure
from othello.rules.protocol import Color, GameSpec, Position, Rules
from othello.rules.registry import game_spec
from othello.schema import options_of
from othello.strict_json import read as read_json
from othello.texts import say
from othello.writing import write_text

SAME_NAME: Final = Reason("same_name")
_LABEL: Final = 96


def player_form(style: Style, rules: Rules[Position], color: Color, form: Mapping[str, Any], cost: str) -> Panel:
    """One player's form.

    Args:
        style: of the window.
        rules: of the game.
        color: of the player.
        form: what was chosen.
        cost: what a move of the player costs, in words; empty where that is unknown.
    """
    name, kind, muted = color.label, form["player_type"], style.palette.muted
    first = Label(say("new_game.first"), 12, muted, grow=1, height=28)
    beside = [first] if color is Color.BLACK else [Space(grow=1), link("swap", say("new_game.swap"))]
    main = main_options(kind)
    rows: list[tuple[str, Panel]] = [
        (say("new_game.player"), Select(kinds(), kind, name=f"{name}.type", grow=1)),
        (say("new_game.name"), Field(form["name"], own_name(form), name=f"{name}.name", grow=1)),
        *((title(option.name), slider(name, option, form)) for option in main),
    ]
    if kind != "user" or form["time_limit_seconds"]:
        rows.append((say("new_game.time_limit"), time_limit(name, form, 110)))
    more = link(f"{name}.more", say("new_game.less" if form.get("more") else "new_game.more"))
    parts = [
        Row((Label(wording.side(rules, color), 14, bold=True), *beside)),
        *(Row((Label(label, 12, muted, width=_LABEL), control), gap=0) for label, control in rows),
        *([Row((Space(width=_LABEL), Label(cost, 12, muted, grow=1)), gap=0)] if cost else []),
        Row((Space(grow=1), more)),
        *([option_rows(name, further_options(kind, main), form, muted)] if form.get("more") else []),
    ]
    return Card(Column(parts), (16, 0), grow=1)


def link(name: str, words: str) -> Button:
    """A button that is only words."""
    return Button(words, kind="link", name=name, height=28)


def time_limit(name: str, form: Mapping[str, Any], width: float) -> Field:
    """The field for how many seconds a move may take."""
    text = form["time_limit_seconds"]
    is_wrong = _seconds_of(text) is False
    return Field(text, say("new_game.no_limit"), True, is_wrong, name=f"{name}.time_limit_seconds", width=width)


def save(path: Path, parts: Mapping[str, Any]) -> None:
    """Write keys of a config file; whatever else is in it stays. A key whose value is None is left out.

    Raises:
        OthelloError: what is there cannot be read or does not go with them, or the file cannot be written.
    """
    merged = {**_existing(path), **parts}
    document = {key: value for key, value in merged.items() if value is not None or key not in parts}
    try:
        config_of(document)
    except ConfigError as error:
        raise ConfigError("in_file", path=path, reason=error.reason) from None
    write_text(path, json.dumps(document, indent=2, ensure_ascii=False) + "\n")


def parts_of(spec: GameSpec, players: Sequence[PlayerConfig]) -> dict[str, Any]:
    """A game and its players as keys of the config file."""
    usual = dict(game_spec(spec.game).options)
    rules = {name: value for name, value in spec.options if usual[name] != value}
    return {"game": spec.game, "rules": rules or None, "players": [_entry(player) for player in players]}


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


def kinds() -> tuple[tuple[str, str], ...]:
    """All types of players, with their titles and the names that config files have for them."""
    titles = ((kind, wording.type_title(kind)) for kind in PLAYERS)
    return tuple((kind, words if kind == "user" else f"{words} ({kind})") for kind, words in titles)


def form_of(player: PlayerConfig) -> dict[str, Any]:
    """What a form says of a player to begin with. The name of a level is nobody's own."""
    limit = player.time_limit_seconds
    is_given = player.is_named and not wording.is_level_name(player.name, player.strength.get("level"))
    form: dict[str, Any] = {
        "player_type": player.player_type,
        "name": player.name if is_given else "",
        "time_limit_seconds": "" if limit is None else f"{limit:g}",
    }
    return form | entries_of(player)


def _seconds_of(text: str) -> float | bool | None:
    """A number of seconds, None for none, False where it is no such number."""
    try:
        seconds = float(text) if text else None
    except ValueError:
        return False
    return seconds if seconds is None or 0.001 <= seconds <= 86400 else False


def _level(form: Mapping[str, Any]) -> int | None:
    kind = PLAYERS[form["player_type"]].config_type
    return form.get("level") or None if "level" in options_of(kind) else None


def own_name(form: Mapping[str, Any]) -> str:
    """What a player is called to whom nobody gives a name."""
    level = _level(form)
    return wording.type_title(form["player_type"]) if level is None else say(f"levels.{level}")


def free_name(name: str, taken: Collection[str]) -> str:
    """A name like this one that nobody has."""
    numbered = (f"{name} {number}" for number in range(2, len(taken) + 3))
    return next(each for each in (name, *numbered) if each not in taken)


def player_of(form: Mapping[str, Any], timed: Mapping[str, Any], taken: Collection[str] = ()) -> PlayerConfig:
    """The player that a form describes.

    Args:
        form: what was chosen.
        timed: a clock that wins over its own.
        taken: names that a level without one of its own may not have.

    Raises:
        OthelloError: there is no such player.
    """
    kind = form["player_type"]
    chosen = values_in(form)
    seconds = _seconds_of(form["time_limit_seconds"])
    if seconds is False:
        raise OthelloError(say("new_game.no_number"))
    name = form["name"] or ("" if _level(form) is None else free_name(own_name(form), taken))
    if name:
        chosen |= {"name": name, "number": None}
    return configure(kind, **{**chosen, **timed}, time_limit_seconds=seconds)
