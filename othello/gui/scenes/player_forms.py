"""Forms for players: what they say at first, the player that they describe, and the config file that keeps it."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from othello.config import PlayerConfig
from othello.config_file import config_of
from othello.errors import ConfigError, OthelloError, Reason
from othello.gui import theme, wording
from othello.gui.choices import Select
from othello.gui.controls import Button, Field
from othello.gui.scenes.player_options import (
    entries_of,
    fill_options,
    further_options,
    main_options,
    slider,
    title,
    values_in,
)
from othello.gui.sheet import Page
from othello.players.registry import PLAYERS, configure
from othello.rules.protocol import Color, GameSpec, Position, Rules
from othello.rules.registry import game_spec
from othello.schema import options_of
from othello.strict_json import read as read_json
from othello.texts import say
from othello.writing import write_text

SAME_NAME: Final = Reason("same_name")


def fill_form(
    page: Page,
    rules: Rules[Position],
    at: tuple[float, float],
    width: float,
    color: Color,
    form: Mapping[str, Any],
    cost: str,
) -> float:
    """Write one player's form with its upper left corner at a point, and what its moves cost; how far it reaches."""
    x, y = at
    name = color.label
    page.text(wording.side(rules, color), x + 16, y + 20, size=14, bold=True)
    if color is Color.BLACK:
        after = page.style.width(wording.side(rules, color), 14, bold=True) / page.style.scale
        page.text(say("new_game.first"), x + 24 + after, y + 20, size=12, color=theme.MUTED)
    else:
        swap = page.style.width(say("new_game.swap"), 13) / page.style.scale + 4
        page.add(Button("swap", page.rect(x + width - 16 - swap, y + 6, swap, 28), say("new_game.swap"), "link"))
    left, room = x + 112, width - 128
    y += 44
    kinds = tuple((kind, type_words(kind)) for kind in PLAYERS)
    rows: list[tuple[str, Any]] = [
        (say("new_game.player"), Select(f"{name}.type", page.rect(left, y, room, 32), kinds, form["player_type"])),
    ]
    y += 40
    field = Field(f"{name}.name", page.rect(left, y, room, 32), form["name"], own_name(form))
    rows.append((say("new_game.name"), field))
    y += 40
    main = main_options(form["player_type"])
    for option in main:
        rows.append((title(option.name), slider(page, name, option, (left, y), room, form)))
        y += 40
    if form["player_type"] != "user" or form["time_limit_seconds"]:
        seconds = Field(
            f"{name}.time_limit_seconds",
            page.rect(left, y, min(room, 110), 32),
            form["time_limit_seconds"],
            say("new_game.no_limit"),
            is_number=True,
            is_wrong=seconds_of(form["time_limit_seconds"]) is False,
        )
        rows.append((say("new_game.time_limit"), seconds))
        y += 40
    for label, control in rows:
        page.text(label, x + 16, control.rect.centery / page.style.scale, size=12, color=theme.MUTED, width=92)
        page.add(control)
    if cost:
        page.text(cost, left, y + 4, size=12, color=theme.MUTED, width=room)
        y += 20
    more = say("new_game.less" if form.get("more") else "new_game.more")
    link = page.width_of(more) + 4
    page.add(Button(f"{name}.more", page.rect(x + width - 16 - link, y, link, 28), more, "link"))
    y += 32
    if form.get("more"):
        y = fill_options(page, name, further_options(form["player_type"], main), (x + 16, y), width - 32, form)
    return y


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


def type_words(player_type: str) -> str:
    title = wording.type_title(player_type)
    return title if player_type == "user" else f"{title} ({player_type})"


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


def seconds_of(text: str) -> float | bool | None:
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
    seconds = seconds_of(form["time_limit_seconds"])
    if seconds is False:
        raise OthelloError(say("new_game.no_number"))
    name = form["name"] or ("" if _level(form) is None else free_name(own_name(form), taken))
    if name:
        chosen |= {"name": name, "number": None}
    return configure(kind, **{**chosen, **timed}, time_limit_seconds=seconds)
