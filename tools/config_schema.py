"""The JSON schema of config.json for editors, which see lists of values before they become several players.

`python -m tools.config_schema` writes config-schema.json. Run it when an option has changed.
"""

import copy
import json
from collections.abc import Mapping
from typing import Any, Final

from othello.aliases import NAMES
from othello.config import PlayerConfig
from othello.config_file import config_schema
from othello.players.player_registry import OPTIONS
from othello.programs.program_registry import COMMAND_KEYS
from othello.resources import schema_path
from othello.schema import options_of
from othello.sweep import takes_list

_NO_LIST: Final = {"command": True}  # a key whose single value is an array
_LISTED: Final = {"not": {"properties": _NO_LIST, "additionalProperties": {"not": {"type": "array", "minItems": 2}}}}
"""The schema of an entry that makes more than one player."""

_FORMER_NAMES: Final = [(*former.rpartition(".")[::2], name) for former, name in NAMES.items()]
"""The former names of keys and values: the key that they belong to, or "" for any, the former name, and the new one."""


def text() -> str:
    """Return the schema as the text of config-schema.json."""
    schema = copy.deepcopy(config_schema())
    players = schema["properties"]["players"]
    players["items"] = items = _with_lists(players["items"])
    for key in (key for key in COMMAND_KEYS if key not in items["properties"]):
        described = f"Only with --allow-programs. {COMMAND_KEYS[key]['description']}"
        items["properties"][key] = {**COMMAND_KEYS[key], "description": described}
    players |= {"minItems": 1, "anyOf": [{"minItems": players["minItems"]}, {"contains": _LISTED}]}
    named = {"properties": {"game_type": {"const": "tournament"}}, "required": ["game_type"]}
    implied = {"properties": {"tournament": {"type": "object"}, "game_type": False}, "required": ["tournament"]}
    tournament = {"anyOf": [named, implied]}
    color = options_of(PlayerConfig)["player_color"]
    same = (
        {"items": {"properties": {color.name: {"const": side}}, "required": [color.name]}} for side in color.choices
    )
    longer = {"minItems": 2, "contains": _LISTED}  # three players or more
    short = {"properties": {"command": True}, "additionalProperties": {"maxItems": 2}}
    two = {"maxItems": 2, "items": short, "not": {"anyOf": [longer, *same]}}
    memory = {key: {"const": None} for key, option in OPTIONS.items() if option.is_memory}
    then, otherwise = ({"properties": {"players": rule}} for rule in ({"items": {"properties": memory}}, two))
    schema["allOf"].append({"if": tournament, "then": then, "else": otherwise})
    return json.dumps(_with_former_names(schema), indent=2) + "\n"


def _with_former_names(part: Any, place: str = "") -> Any:
    """Return the schema of the value of a key, `place`, that also allows former names."""
    if isinstance(part, list):
        return [_with_former_names(each, place) for each in part]
    if not isinstance(part, dict):
        return part
    part = {word: value if word == "properties" else _with_former_names(value, place) for word, value in part.items()}
    if "properties" in part:
        part["properties"] = {name: _with_former_names(value, name) for name, value in part["properties"].items()}
        for key, former, name in _FORMER_NAMES:
            value = part["properties"].get(name)
            if value is not None and key in ("", place):
                deprecated = {"description": f"The former name of {name}.", "deprecated": True}
                part["properties"][former] = value if value is True else deprecated
    if "enum" in part:
        part["enum"] += [old for key, old, new in _FORMER_NAMES if key and key == place and new in part["enum"]]
    return part


def _with_lists(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of an entry of `players` that allows one option to be a list."""
    others = {"additionalProperties": {"not": {"type": "array"}}}  # one list an entry
    return {
        **schema,
        "properties": {key: _or_list(key, part) for key, part in schema["properties"].items()},
        "anyOf": [{"properties": {key: True, **_NO_LIST}, **others} for key in schema["properties"] if takes_list(key)],
    }


def _or_list(key: str, part: Mapping[str, Any]) -> Mapping[str, Any]:
    if not takes_list(key):
        return part
    told = {word: value for word, value in part.items() if word in ("description", "default")}
    value = {word: value for word, value in part.items() if word not in told}
    return {**told, "anyOf": [value, {"type": "array", "minItems": 1, "uniqueItems": True, "items": value}]}


if __name__ == "__main__":
    schema_path().write_text(text(), encoding="utf-8")
