"""The JSON Schema of config.json, put together from what settings, players and rules say of themselves.

`python -m othello.config_schema` writes it to config-schema.json, for editors, whenever one of them has changed.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import Any

from othello.config import Comparison, Config, Figures, SprtConfig, TournamentConfig
from othello.players.registry import OPTIONS, PLAYERS
from othello.resources import schema_path
from othello.rules.registry import GAMES
from othello.schema import Option, Value, object_schema, options_of


@cache
def config_schema() -> dict[str, Any]:
    """The schema as a document."""
    settings = object_schema(
        [
            *options_of(Config).values(),
            *(replace(option, name=option.shared_key) for option in OPTIONS.values() if not option.is_personal),
        ]
    )["properties"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Othello configuration",
        "description": "Who plays whom, how strongly, how often, and where the results go.",
        "type": "object",
        "required": ["players"],
        "additionalProperties": False,
        "properties": {
            "$schema": {
                "description": "Where editors find this schema. The program does not read it.",
                "type": "string",
            },
            **settings,
            "game": Option("game", "Which game is played.", dict.fromkeys(GAMES, "")).schema,
            "rules": _rules(),
            "tournament": _tournament(),
            "players": {
                "description": "The players: two for a match, two or more for a tournament. The first is black unless "
                "both have a colour.",
                "type": "array",
                "minItems": 2,
                "maxItems": 64,
                "items": _player(),
            },
        },
    }


def _rules() -> dict[str, Any]:
    """The options of every game."""
    options = [option for game in GAMES.values() for option in game.options]
    return object_schema(options, description="The rules of the game.", default={})


def _tournament() -> dict[str, Any]:
    tournament = object_schema(
        options_of(TournamentConfig).values(),
        description="How a tournament is played. Without effect on a match.",
        default={},
    )
    tournament["properties"]["sprt"] = object_schema(
        options_of(SprtConfig).values(),
        description="Ends a tournament of two players as soon as a sequential probability ratio test has an answer. "
        "null: all games are played.",
        type=["object", "null"],
        default=None,
    )
    compare = object_schema(
        options_of(Comparison).values(),
        description="Figures of another experiment with the same players, shown beside this one's. null: none.",
        type=["object", "null"],
        default=None,
        required=["label", "players"],
    )
    compare["properties"]["players"] = {
        "description": "By player's name, or by colour: its disc balance, points and seconds a game.",
        "type": "object",
        "additionalProperties": object_schema(options_of(Figures).values()),
    }
    tournament["properties"]["compare"] = compare
    return tournament


def _player() -> dict[str, Any]:
    """An entry of `players`; an option that can be set for all has no default of its own there."""
    types: dict[Value, str] = {name: kind.description for name, kind in PLAYERS.items()}
    player_type = Option("player_type", "What plays.", types, is_required=True).schema
    entry = object_schema(_as_own(option) for option in OPTIONS.values())
    return entry | {"required": ["player_type"], "properties": {"player_type": player_type} | entry["properties"]}


def _as_own(option: Option) -> Option:
    if option.is_personal:
        return option
    timed = ", or no bound but time where the player has a time limit" if option.is_bound else ""
    return replace(
        option, description=f"{option.description} Left out: {option.shared_key} of the file{timed}.", is_required=True
    )


def text() -> str:
    """The schema as the file has it."""
    return json.dumps(config_schema(), indent=2) + "\n"


if __name__ == "__main__":
    schema_path().write_text(text(), encoding="utf-8")
