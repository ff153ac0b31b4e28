"""Reading config.json, and its schema, which is made from the options of settings, players and games.

`python -m othello.config_file` writes config-schema.json for editors. Run it when an option has changed.
"""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, Final

from othello.config import FREE_LENGTH_FORMATS, Config, PlayerConfig
from othello.engine import solves
from othello.errors import ConfigError, OthelloError, Reason
from othello.players.registry import OPTIONS, PLAYERS, SHARED_OPTIONS, configure, refusal, unused
from othello.programs.registered import COMMAND_KEYS, program_of
from othello.records.openings import book_of, read_openings
from othello.resources import schema_path
from othello.rules.protocol import Color, GameSpec
from othello.rules.registry import DEFAULT_GAME, GAMES, game_spec, rules_of
from othello.schema import Option, Value, check, nearest, object_schema, options_of, read, wrong_number
from othello.strict_json import join
from othello.strict_json import read as read_json
from othello.sweep import LISTED, unfold, with_lists

STARTED: Final = {"command": "external", "class": "python"}
"""What starts a program, by the key of an entry, and the type of player that it is for."""


@cache
def config_schema(*, may_start: bool = False) -> dict[str, Any]:
    """What a config may say; `may_start`: what to start, too."""
    shared = (replace(option, name=key) for key, option in SHARED_OPTIONS.items())
    settings = object_schema([*options_of(Config).values(), *shared])["properties"]
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
            "game": Option("game", "Which game to play.", dict.fromkeys(GAMES, "")).schema,
            "rules": {"type": "object", "description": "The rules of the game.", "default": {}},
            "players": {
                "description": "The players: two for a match, two or more for a tournament. The first is black unless "
                "both have a colour.",
                "type": "array",
                "minItems": 2,
                "maxItems": 64,
                "items": _player_schema(may_start=may_start),
            },
        },
        "allOf": [_rules_schema(game) for game in GAMES],
    }


def _rules_schema(game: str) -> dict[str, Any]:
    """What `rules` may say where that game is played; the usual one is also where none is named."""
    named = [] if game == DEFAULT_GAME else ["game"]
    return {
        "if": {"properties": {"game": {"enum": [game]}}, "required": named},
        "then": {"properties": {"rules": object_schema(GAMES[game].options)}},
    }


def _player_schema(*, may_start: bool) -> dict[str, Any]:
    """An entry of `players`; an option that can be set for all has no default of its own there."""
    types: dict[Value, str] = {name: kind.description for name, kind in PLAYERS.items()}
    player_type = Option("player_type", "What kind of player this is.", types, is_required=True).schema
    entry = object_schema(_as_own(option) for option in OPTIONS.values())
    started = COMMAND_KEYS if may_start else {}
    properties = {"player_type": player_type, **started, **entry["properties"]}
    return entry | {"required": ["player_type"], "properties": properties}


def _as_own(option: Option) -> Option:
    if option.is_personal:
        return option
    timed = ", or only the time limit if the player has one" if option.is_bound else ""
    return replace(
        option, description=f"{option.description} Left out: {option.shared_key} of the file{timed}.", is_required=True
    )


def load(path: Path, overrides: Mapping[str, Any] | None = None, *, may_start: bool = False) -> Config:
    """The configuration in a file that follows config-schema.json; valid `overrides` win over its top-level keys.

    A file may describe programs to be started only where it `may_start` them: others name registered programs.

    ConfigError: the file cannot be read, is no JSON, or breaks the schema or the rules between keys.
    """
    unfolded = unfold(read_json(path, takes_pipes=True))
    document = unfolded.document
    try:
        if unfolded.given > len(unfolded.labels):  # `unfold` stopped before the last player
            raise ConfigError(wrong_number("players", unfolded.given, config_schema()["properties"]["players"]))
        if not may_start:
            _refuse_programs(document)
        check(document, config_schema(may_start=may_start), ConfigError)
        if unfolded.repeated is not None:  # a value that a list has twice: each value makes a player of its own
            option, _, value = unfolded.labels[unfolded.repeated].partition("=")
            place = join(f"players[{unfolded.repeated}]", option)
            raise ConfigError("listed_twice", place=place, value=value)
        config = _config({**document, **(overrides or {})}, unfolded.labels)
    except ConfigError as error:
        raise ConfigError("in_file", path=path, reason=unfolded.in_file(error.reason)) from None
    notices = dict.fromkeys(str(unfolded.in_file(notice)) for notice in _notices(document["players"]))
    return replace(config, notices=tuple(f"{path}: {notice}" for notice in notices))


def config_of(document: Mapping[str, Any], *, may_lack: bool = False) -> Config:
    """The configuration that a document without lists of values describes; errors as `load`.

    `may_lack`: programs may play in it that are not registered here, until they are asked for a move.
    """
    _refuse_programs(document)
    check(document, config_schema(), ConfigError)
    return _config(document, [""] * len(document["players"]), may_lack=may_lack)


def _refuse_programs(document: Any) -> None:
    """A document that nobody vouches for may name registered programs, and nothing else that can be started."""
    players = document.get("players") if isinstance(document, dict) else None
    for index, entry in enumerate(players if isinstance(players, list) else ()):
        if isinstance(entry, dict) and (key := _starting(entry)) is not None:
            raise ConfigError("program_in_file", place=f"players[{index}].{key}")


def _starting(entry: Mapping[str, Any]) -> str | None:
    """The key that tells what to start, None where an entry starts nothing itself."""
    return next((key for key in STARTED if key in entry), None)


def _config(document: Mapping[str, Any], labels: Sequence[str], *, may_lack: bool = False) -> Config:
    players = [
        player
        if label in ("", f"program={player.name}")
        else replace(player, name=f"{player.name} {label}", number=None)
        for player, label in zip((player_of(entry, document) for entry in document["players"]), labels, strict=True)
    ]
    game = game_spec(document.get("game", DEFAULT_GAME), document.get("rules", {}))
    for index, player in enumerate(players):
        reason = None if may_lack and player.player_type == "external" else refusal(player, game)
        if reason is not None:
            raise ConfigError("at_place", place=f"players[{index}]", reason=reason)
    is_match = document.get("game_type") != "tournament"
    _check_memories(document["players"], players, is_match)
    if is_match and len(players) != 2 and any(labels):
        raise ConfigError("sweep_in_match", given=len(players))
    named = _named(_seated(players) if is_match else players)
    config = read(Config, document, players=named, game=game)
    _check_tournament(config, document.get("tournament", {}))
    return replace(config, tournament=replace(config.tournament, opening_book=_book(config)))


def _book(config: Config) -> tuple[str, ...]:
    """The transcripts of all openings, each as often as its weight, or those of the file, in its order."""
    rules, file = rules_of(config.game), config.tournament.openings
    try:
        return book_of(config.openings or {}, rules) if file is None else read_openings(file, rules)
    except OthelloError as error:
        place = "openings" if file is None else "tournament.openings"
        raise ConfigError("at_place", place=place, reason=error.reason) from None


def players_of(entries: Sequence[Mapping[str, Any]], game: GameSpec) -> tuple[PlayerConfig, ...]:
    """Black and white of a game that was played; ConfigError where one of them does not play such a game."""
    document = {"players": list(entries), "game": game.game, "rules": dict(game.options)}
    return config_of(document, may_lack=True).players


def entry_of(player: PlayerConfig, *, has_files: bool = False) -> dict[str, Any]:
    """A player as an entry of `players`: what is not as usual; `has_files`: also what names files on this machine."""
    entry: dict[str, Any] = {"player_type": player.player_type}
    defaults = {part.name: part.default for part in fields(player)}
    for name, option in options_of(type(player)).items():
        value, is_told = getattr(player, name), has_files or not option.is_memory
        is_named = name != "name" or player.is_named
        if value != defaults[name] and is_named and is_told and name != "player_color":
            entry[name] = value.name.lower() if isinstance(value, Enum) else value
    return entry


def player_of(entry: Mapping[str, Any], document: Mapping[str, Any]) -> PlayerConfig:
    """One player as an entry of `players` has it, with the document's top-level keys where it has none of its own."""
    options = options_of(PLAYERS[entry["player_type"]].config_type)
    shared = {key: document.get(option.shared_key) for key, option in options.items() if not option.is_personal}
    values = {key: value for key, value in {**shared, **entry}.items() if key in options and value is not None}
    if "time_limit_seconds" in values or "clock_seconds" in values:
        # A time without a count means: as much as the time allows.
        values = {key: option.maximum for key, option in options.items() if option.is_bound} | values
    read_values = {key: options[key].read(value) for key, value in values.items()}
    if (key := _starting(entry)) is not None:  # of a document that may start programs
        if entry["player_type"] != STARTED[key]:
            users = {"player_type": entry["player_type"], "users": STARTED[key]}
            raise ConfigError("at_place", place=key, reason=Reason("unused_key", users))
        described = {key: entry[key] for key in COMMAND_KEYS if entry.get(key) is not None}
        usual = entry["class"].rpartition(":")[2] if key == "class" else Path(entry["command"][0]).stem
        name = entry.get("program") or entry.get("name") or usual
        usually = {"folder": str(Path.cwd())} if key == "class" else {"protocol": "gtp"}
        read_values |= {"program": name, "lent": program_of(name, usually | described)}
    return configure(entry["player_type"], **read_values)


def _notices(players: Sequence[Mapping[str, Any]]) -> Iterator[Reason]:
    """Keys without effect. They are no error: a person who tries another type keeps the keys of the first."""
    for index, entry in enumerate(players):
        for key, value in entry.items():
            reason = unused(key, entry["player_type"])
            is_started = _starting(entry) is not None and key in COMMAND_KEYS
            if reason and value is not None and key != "player_type" and not is_started:
                yield Reason("at_place", {"place": join(f"players[{index}]", key), "reason": reason})


def _check_memories(entries: Sequence[Mapping[str, Any]], players: Sequence[PlayerConfig], is_match: bool) -> None:
    """A file of a player's knowledge is for one player at a time."""
    files: set[Path] = set()
    for index, (entry, player) in enumerate(zip(entries, players, strict=True)):
        for key in (key for key, option in OPTIONS.items() if option.is_memory and entry.get(key) is not None):
            place = f"players[{index}].{key}"
            if key not in player.memory_files:
                raise ConfigError("at_place", place=place, reason=unused(key, player.player_type))
            if not is_match:
                raise ConfigError("dependent_games", place=place)
            file = player.memory_files[key].resolve()
            if file in files:
                raise ConfigError("shared_file", place=place)
            files.add(file)


def _check_tournament(config: Config, entry: Mapping[str, Any]) -> None:
    settings = config.tournament
    if "games_per_pair" in entry and settings.format not in FREE_LENGTH_FORMATS:
        formats = ", ".join(FREE_LENGTH_FORMATS)
        raise ConfigError("free_length", formats=formats, format=settings.format)
    if "series_per_pair" in entry and not settings.is_best_of_3:
        raise ConfigError("series_of_3", format=settings.format)
    if settings.openings is not None and settings.opening_plies:
        raise ConfigError("openings_plies")
    if config.openings and (settings.openings is not None or settings.opening_plies):
        raise ConfigError("openings_twice")
    if settings.adjudicate and not solves(rules_of(config.game)):
        raise ConfigError("adjudicate_game", game=rules_of(config.game).name)
    if settings.sprt is not None:
        is_odd = settings.format in FREE_LENGTH_FORMATS and settings.games_per_pair % 2 == 1
        if len(config.players) != 2 or settings.is_best_of_3 or is_odd:
            raise ConfigError("sprt_players")
        if settings.sprt.elo0 >= settings.sprt.elo1:
            raise ConfigError("sprt_order")
    if settings.compare is not None:
        names = [player.name for player in config.players] + [color.label for color in Color]
        stranger = next((name for name in settings.compare.players if name not in names), None)
        if stranger is not None:
            hint = nearest(stranger, names) or Reason("allowed", {"words": ", ".join(names)})
            place = join("tournament.compare.players", stranger)
            raise ConfigError("stranger", place=place, hint=hint)


def _seated(players: list[PlayerConfig]) -> list[PlayerConfig]:
    """The two players of a match, black first."""
    if len(players) != 2:
        raise ConfigError("two_players", given=len(players))
    first, second = (player.player_color for player in players)
    if first is not None and first == second:
        raise ConfigError("at_place", place="players[1].player_color", reason=Reason("two_colors"))
    if first is Color.WHITE and second is Color.BLACK:
        players = players[::-1]
    return [replace(player, player_color=color) for player, color in zip(players, Color, strict=True)]


def _named(players: list[PlayerConfig]) -> tuple[PlayerConfig, ...]:
    """The players, each with a name of its own: the given name or the type, numbered where the type occurs twice."""
    taken: set[str] = set()
    for index, player in enumerate(players):
        if player.is_named and player.name in taken:
            raise ConfigError("name_taken", place=f"players[{index}].name", name=player.name)
        taken |= {player.name} if player.is_named else set()
    unnamed = Counter(player.usual_name for player in players if not player.is_named)
    named = []
    for player in players:
        name, number = player.name, 0
        while not player.is_named and (name in taken or (number == 0 and unnamed[player.usual_name] > 1)):
            number += 1
            name = f"{player.usual_name} {number}"
        taken.add(name)
        named.append(player if player.is_named else replace(player, name=name, number=number))
    return tuple(named)


def text() -> str:
    """The schema for editors, which see players before lists of values are unfolded."""
    schema = copy.deepcopy(config_schema())
    players = schema["properties"]["players"]
    players["items"] = items = with_lists(players["items"])
    for key in (key for key in COMMAND_KEYS if key not in items["properties"]):
        described = f"Only with --allow-programs. {COMMAND_KEYS[key]['description']}"
        items["properties"][key] = {**COMMAND_KEYS[key], "description": described}
    players |= {"minItems": 1, "anyOf": [{"minItems": players["minItems"]}, {"contains": LISTED}]}
    tournament = {"properties": {"game_type": {"const": "tournament"}}, "required": ["game_type"]}
    color = options_of(PlayerConfig)["player_color"]
    same = (
        {"items": {"properties": {color.name: {"const": side}}, "required": [color.name]}} for side in color.choices
    )
    longer = {"minItems": 2, "contains": LISTED}  # three players or more
    short = {"properties": {"command": True}, "additionalProperties": {"maxItems": 2}}
    two = {"maxItems": 2, "items": short, "not": {"anyOf": [longer, *same]}}
    kept = {key: {"const": None} for key, option in OPTIONS.items() if option.is_memory}
    then, otherwise = ({"properties": {"players": rule}} for rule in ({"items": {"properties": kept}}, two))
    schema["allOf"].append({"if": tournament, "then": then, "else": otherwise})
    return json.dumps(schema, indent=2) + "\n"


if __name__ == "__main__":
    schema_path().write_text(text(), encoding="utf-8")
