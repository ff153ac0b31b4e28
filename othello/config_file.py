"""Read config.json, and build its schema from the options of settings, players and games."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from othello.aliases import renamed
from othello.config import FREE_LENGTH_FORMATS, Config, PlayerConfig, SprtConfig, TournamentConfig
from othello.engine import solves
from othello.errors import ConfigError, KnowledgeError, OthelloError, Reason, errors_as
from othello.files import read_text
from othello.machine import cores, memory_megabytes
from othello.players.player_registry import OPTIONS, PLAYERS, SHARED_OPTIONS, configure, unsupported_reason, unused
from othello.programs.program_registry import COMMAND_KEYS, program_of
from othello.records.openings import book_of, read_openings
from othello.resources import default_config, schema_path, shipped_config
from othello.rules.protocol import Color, GameSpec
from othello.rules.registry import DEFAULT_GAME, GAMES, OWN_GAMES, game_spec, rules_of
from othello.schema import Option, Value, check, nearest, object_schema, options_of, read, wrong_number
from othello.strict_json import MAX_BYTES, join, read as read_json
from othello.sweep import unfold

# The keys that start a program, with the type of player that they are for.
STARTED: Final = {"command": "external", "class": "python"}
_OUR_KEY: Final = re.compile(r'"(players|player_type)"\s*:|/config-schema\.json"')
_IN_MATCH: Final = ("adjudicate", "time_margin_seconds", "compare")  # keys of `tournament` that a match uses
_MIN_TREE_MEGABYTES: Final = 16
_PROCESS_MEGABYTES: Final = 200  # memory of a tournament process without search trees
T = TypeVar("T", PlayerConfig, TournamentConfig)


@cache
def config_schema(*, may_start: bool = False, games: Sequence[str] = tuple(OWN_GAMES)) -> dict[str, Any]:
    """Return the JSON schema of a config; with `may_start`, players may also describe programs to start."""
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
            "$schema": Option("", "Where editors find this schema. The program does not read it.", default="").schema,
            **settings,
            "game": Option("game", "Which game to play.", dict.fromkeys(games, "")).schema,
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
        "allOf": [_rules_schema(game) for game in games],
    }


def _games(document: Any) -> Sequence[str]:
    """Return the games that a config can name. Packages are only searched if its game is not one of our own."""
    game = document.get("game", DEFAULT_GAME) if isinstance(document, Mapping) else DEFAULT_GAME
    return tuple(OWN_GAMES if isinstance(game, str) and game in OWN_GAMES else GAMES)


def _rules_schema(game: str) -> dict[str, Any]:
    """Return the schema of `rules` for a game. The default game also applies without the key `game`."""
    named = [] if game == DEFAULT_GAME else ["game"]
    return {
        "if": {"properties": {"game": {"enum": [game]}}, "required": named},
        "then": {"properties": {"rules": object_schema(GAMES[game].options)}},
    }


def _player_schema(*, may_start: bool) -> dict[str, Any]:
    """Return the schema of an entry of `players`. Options that can be set for all players have no default there."""
    types: dict[Value, str] = {name: kind.description for name, kind in PLAYERS.items()}
    player_type = Option("player_type", "The type of the player.", types, is_required=True).schema
    entry = object_schema(_as_own(option) for option in OPTIONS.values())
    started = COMMAND_KEYS if may_start else {}
    properties = {"player_type": player_type, **started, **entry["properties"]}
    return entry | {"required": ["player_type"], "properties": properties}


def _as_own(option: Option) -> Option:
    if option.is_personal:
        return option
    timed = ", or only the time limit if the player has one" if option.is_bound else ""
    description = f"{option.description} Left out: {option.shared_key} of the file{timed}."
    return replace(option, description=description, is_required=True)


class ConfigFile(NamedTuple):
    """The config that is read if the command line names none."""

    path: Path
    document: Any = None  # None if the file is damaged, or not read yet
    notice: Reason | None = None  # the current folder has another program's config


def find_config() -> ConfigFile:
    """Return config.json of the current folder if it is this program's, else the shipped config."""
    path, shipped, document = default_config(), shipped_config(), None
    with suppress(OthelloError):
        document = read_json(path)
    if path == shipped or _is_ours(path, document):
        return ConfigFile(path, document)
    return ConfigFile(shipped, notice=Reason("foreign_config", {"path": path}))


def _is_ours(path: Path, document: Any) -> bool:
    """Return whether a config is this program's. Of a damaged one, whose user wants to know, the keys are searched."""
    if document is None:
        with suppress(OthelloError):
            return _OUR_KEY.search(read_text(path, MAX_BYTES)) is not None
    if not isinstance(document, dict):
        return False
    schema = document.get("$schema")
    return "players" in document or (isinstance(schema, str) and schema.endswith(schema_path().name))


def load(
    path: Path,
    overrides: Mapping[str, Any] | None = None,
    *,
    document: Any = None,
    may_start: bool = False,
    tunes: bool = False,
) -> Config:
    """Load a config file, which follows config-schema.json.

    Args:
        path: the file.
        overrides: valid values that replace top-level keys of the file.
        document: the file's content if it is already read.
        may_start: True if the file may describe programs to start. Otherwise it may only name registered programs.
        tunes: True if notices name the settings that `othello tune` does not use.

    Raises:
        ConfigError: the file cannot be read, is not JSON, or breaks the schema or the rules between keys.
    """
    written = renamed(read_json(path, takes_pipes=True) if document is None else document)
    with errors_as(ConfigError, "in_file", ConfigError, path=path):
        unfolded = unfold(written)
    document = unfolded.document
    try:
        if unfolded.given > len(unfolded.labels):  # `unfold` stopped before the last player
            raise ConfigError(wrong_number("players", unfolded.given, config_schema()["properties"]["players"]))
        if not may_start:
            _refuse_programs(document)
        check(document, config_schema(may_start=may_start, games=_games(document)), ConfigError)
        if unfolded.repeated is not None:  # a list has a value twice, but each value is a player
            option, _, value = unfolded.labels[unfolded.repeated].partition("=")
            place = join(f"players[{unfolded.repeated}]", option)
            raise ConfigError("listed_twice", place=place, value=value)
        config, limits = _config({**document, **(overrides or {})}, unfolded.labels)
        _check_knowledge(document["players"], config)
    except ConfigError as error:
        raise ConfigError("in_file", path=path, reason=unfolded.in_file(error.reason)) from None
    notices = dict.fromkeys(str(unfolded.in_file(notice)) for notice in (*limits, *_notices(document, tunes=tunes)))
    return replace(config, notices=tuple(f"{path}: {notice}" for notice in notices))


def config_of(document: Mapping[str, Any], *, may_lack: bool = False) -> Config:
    """Return the config of a document without lists of values.

    Args:
        document: the document, as JSON.
        may_lack: True if programs may be missing on this machine.

    Raises:
        ConfigError: the document breaks the schema or the rules between keys.
    """
    document = renamed(document)
    _refuse_programs(document)
    check(document, config_schema(games=_games(document)), ConfigError)
    config, limits = _config(document, [""] * len(document["players"]), may_lack=may_lack)
    return replace(config, notices=tuple(map(str, limits)))


def _refuse_programs(document: Any) -> None:
    """Refuse programs that a document describes itself: it may only name registered ones."""
    players = document.get("players") if isinstance(document, dict) else None
    for index, entry in enumerate(players if isinstance(players, list) else ()):
        keys = sorted(entry.keys() & (COMMAND_KEYS.keys() - OPTIONS.keys())) if isinstance(entry, dict) else []
        if keys and (_starting(entry) or entry.get("player_type") in STARTED.values()):
            raise ConfigError("program_in_file", place=f"players[{index}].{_starting(entry) or keys[0]}")


def _starting(entry: Mapping[str, Any]) -> str | None:
    """Return the key that says what to start, or None."""
    return next((key for key in STARTED if key in entry), None)


def _config(
    document: Mapping[str, Any], labels: Sequence[str], *, may_lack: bool = False
) -> tuple[Config, list[Reason]]:
    """Return the config of a valid document, and notices about settings above the limits of this machine."""
    players, notices = list[PlayerConfig](), list[Reason]()
    for index, (entry, label) in enumerate(zip(document["players"], labels, strict=True)):
        player = player_of(entry, document)
        if label not in ("", f"program={player.name}"):
            player = replace(player, name=f"{player.name} {label}", number=None)
        place = {key: join(f"players[{index}]", key) if key in entry else key for key in OPTIONS}
        players.append(_limited(player, _player_limits(), place, notices))
    game = game_spec(document.get("game", DEFAULT_GAME), document.get("rules", {}))
    for index, player in enumerate(players):
        reason = None if may_lack and player.player_type == "external" else unsupported_reason(player, game)
        if reason is not None:
            raise ConfigError("at_place", place=f"players[{index}]", reason=reason)
    is_match = _is_match(document)
    _check_memories(document["players"], players, is_match)
    if is_match and len(players) != 2:
        _check_labels(labels)
    named = _named(_seated(players) if is_match else players)
    config = read(Config, {**document, "game_type": "match" if is_match else "tournament"}, players=named, game=game)
    _check_tournament(config, document.get("tournament", {}))
    config = replace(config, tournament=replace(config.tournament, opening_book=_book(config)))
    if not is_match:
        settings = replace(config.tournament, processes=config.tournament.processes or cores())
        settings = _limited(settings, _process_limit(players), {"processes": "tournament.processes"}, notices)
        config = replace(config, tournament=settings)
    return config, notices


def _check_labels(labels: Sequence[str]) -> None:
    """Refuse the players of a match that come from a list of values."""
    for index, label in enumerate(labels):
        if label:
            listed = join(f"players[{index}]", label.partition("=")[0])
            raise ConfigError("sweep_in_match", place=listed, given=len(labels))


def _player_limits() -> Mapping[str, int]:
    """Return the limits of options. Two search trees may take half of the memory."""
    return {"search_threads": cores(), "mcts_memory_mb": max(_MIN_TREE_MEGABYTES, memory_megabytes() // 4)}


def _process_limit(players: Sequence[PlayerConfig]) -> Mapping[str, int]:
    """Return the limit of processes: the number of cores, and of processes that fit in half of the memory."""
    needs = sorted(player.memory_megabytes for player in players)
    per_process = _PROCESS_MEGABYTES + sum(needs[-2:])
    return {"processes": max(1, min(cores(), memory_megabytes() // 2 // per_process))}


def _limited(value: T, limits: Mapping[str, int], places: Mapping[str, str], notices: list[Reason]) -> T:
    """Return a part of a config with its options lowered to their limits, and add a notice for each."""
    for key, limit in limits.items():
        given = getattr(value, key, None)
        if given and given > limit:
            notices.append(Reason("machine_limit", {"place": places[key], "given": given, "limit": limit}))
            changes: dict[str, Any] = {key: limit}
            value = replace(value, **changes)
    return value


def _book(config: Config) -> tuple[str, ...]:
    """Return the transcripts of `openings`, each repeated by its weight, or of the openings file in its order."""
    rules, file = rules_of(config.game), config.tournament.openings
    with errors_as(ConfigError, "at_place", place="openings" if file is None else "tournament.openings"):
        book = book_of(config.openings or {}, rules) if file is None else read_openings(file, rules)
        first = config.tournament.openings_start - 1
        if 0 < first >= len(book):
            raise ConfigError("openings_start", number=len(book))
        return book[first:] + book[:first]


def config_of_game(entries: Sequence[Mapping[str, Any]], game: GameSpec) -> Config:
    """Return the config of a played game. Raises a ConfigError if one of its players does not play such a game."""
    document = {"players": list(entries), "game": game.game, "rules": dict(game.options)}
    return config_of(document, may_lack=True)


def entry_of(player: PlayerConfig, *, has_files: bool = False, is_whole: bool = False) -> dict[str, Any]:
    """Return a player as an entry of `players`, without options that have their default values.

    Args:
        player: the player.
        has_files: True to include options that name files on this machine.
        is_whole: True to include default values, and leave out the name.
    """
    entry: dict[str, Any] = {"player_type": player.player_type}
    defaults = {part.name: part.default for part in fields(player)}
    is_timed = player.time_limit_seconds is not None or player.clock_seconds is not None
    for name, option in options_of(type(player)).items():
        value, is_included = getattr(player, name), has_files or not option.is_memory
        is_named = name != "name" or (player.is_named and not is_whole)
        is_bound = option.is_bound and is_timed  # `player_of` reads a time without a count as no other limit
        if (is_whole or is_bound or value != defaults[name]) and is_named and is_included and name != "player_color":
            entry[name] = value.name.lower() if isinstance(value, Enum) else value
    return entry


def player_of(entry: Mapping[str, Any], document: Mapping[str, Any]) -> PlayerConfig:
    """Return the player of an entry of `players`. Top-level keys of the document replace missing options."""
    options = options_of(PLAYERS[entry["player_type"]].config_type)
    shared = {key: document.get(option.shared_key) for key, option in options.items() if not option.is_personal}
    values = {key: value for key, value in {**shared, **entry}.items() if key in options and value is not None}
    if "time_limit_seconds" in values or "clock_seconds" in values:
        # A time limit alone replaces the default limits of depth and simulations.
        values = {key: option.maximum for key, option in options.items() if option.is_bound} | values
    read_values = {key: options[key].read(value) for key, value in values.items()}
    if (key := _starting(entry)) is not None:  # only if programs may be started
        read_values |= _inline_program(entry, key)
    return configure(entry["player_type"], **read_values)


def _inline_program(entry: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Return the options of a player whose program is described in its entry, by `key`."""
    if entry["player_type"] != STARTED[key]:
        users = {"player_type": entry["player_type"], "users": STARTED[key]}
        raise ConfigError("at_place", place=key, reason=Reason("unused_key", users))
    described = {name: entry[name] for name in COMMAND_KEYS if entry.get(name) is not None}
    usual = entry["class"].rpartition(":")[2] if key == "class" else Path(entry["command"][0]).stem
    name = entry.get("program") or entry.get("name") or usual
    usually = {"folder": str(Path.cwd())} if key == "class" else {"protocol": "gtp"}
    return {"program": name, "inline_program": program_of(name, usually | described)}


def _is_match(document: Mapping[str, Any]) -> bool:
    """Return whether a document describes a match. Without game_type, settings of a tournament make it one."""
    return bool(document.get("game_type", "tournament" if "tournament" in document else "match") == "match")


def _notices(document: Mapping[str, Any], *, tunes: bool) -> Iterator[Reason]:
    """Yield keys without effect. They are not errors: a user may try another type of player and keep the keys."""
    players, is_match = document["players"], _is_match(document)
    for key in (key for key in SHARED_OPTIONS if document.get(key) is not None):
        users = _users_of(key)
        if not any(entry["player_type"] in users for entry in players):
            yield Reason("unused_by_all", {"place": key, "users": ", ".join(users)})
    yield from _tournament_notices(document.get("tournament", {}), is_match=is_match, tunes=tunes)
    if document.get("tune") is not None and not tunes:
        yield Reason("unused_tune")
    for index, entry in enumerate(players):
        yield from _notices_of(entry, f"players[{index}]", is_match=is_match)


def _tournament_notices(entry: Mapping[str, Any], *, is_match: bool, tunes: bool) -> Iterator[Reason]:
    """Yield the settings of a tournament without effect."""
    for key in (key for key, value in entry.items() if value is not None):
        if is_match and key not in _IN_MATCH:
            yield Reason("unused_in_match", {"place": f"tournament.{key}"})
        if tunes and not is_match and key == "compare":  # other settings are also in the config that tuning writes
            yield Reason("unused_in_tuning", {"place": "tournament.compare"})


def _users_of(key: str) -> Sequence[str]:
    """Return the types of players with the option of a top-level key."""
    options = {name: options_of(kind.config_type).values() for name, kind in PLAYERS.items()}
    return [name for name, values in options.items() if any(option.shared_key == key for option in values)]


def _notices_of(entry: Mapping[str, Any], place: str, *, is_match: bool) -> Iterator[Reason]:
    """Yield the keys of a player without effect."""
    started = COMMAND_KEYS if _starting(entry) is not None else {}
    for key in (key for key, value in entry.items() if value is not None and key != "player_type"):
        reason = unused(key, entry["player_type"])
        if reason and key not in started:
            yield Reason("at_place", {"place": join(place, key), "reason": reason})
        elif key == "player_color" and not is_match:
            yield Reason("unused_in_tournament", {"place": join(place, key)})


def _check_memories(entries: Sequence[Mapping[str, Any]], players: Sequence[PlayerConfig], is_match: bool) -> None:
    """Refuse a file of learned values that two players share, or in a tournament."""
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


def _check_knowledge(entries: Sequence[Mapping[str, Any]], config: Config) -> None:
    """Refuse files of learned values that belong to another search, before anything is played."""
    from othello.players.slicing_player import check_file  # needs numpy

    for player in config.players:
        for key, file in player.memory_files.items():
            index = next(at for at, entry in enumerate(entries) if entry.get(key) and Path(entry[key]) == file)
            with errors_as(ConfigError, "at_place", KnowledgeError, place=f"players[{index}].{key}"):
                check_file(player, config.game, file)


def _check_tournament(config: Config, entry: Mapping[str, Any]) -> None:
    """Refuse settings of a tournament that contradict each other, the players or the game."""
    settings = config.tournament
    if "games_per_pair" in entry and settings.format not in FREE_LENGTH_FORMATS:
        raise ConfigError("free_length", formats=", ".join(FREE_LENGTH_FORMATS), format=settings.format)
    if "series_per_pair" in entry and not settings.is_best_of_3:
        raise ConfigError("series_of_3", format=settings.format)
    if settings.openings is not None and settings.opening_plies:
        raise ConfigError("openings_plies")
    if config.openings and (settings.openings is not None or settings.opening_plies):
        raise ConfigError("openings_twice")
    if settings.adjudicate and not solves(rules_of(config.game)):
        raise ConfigError("adjudicate_game", game=rules_of(config.game).name)
    if settings.sprt is not None:
        _check_sprt(settings, settings.sprt, len(config.players))
    if settings.compare is not None:
        _check_compared(settings.compare.players, [player.name for player in config.players])


def _check_compared(compared: Iterable[str], players: Sequence[str]) -> None:
    names = [*players, *(color.label for color in Color)]
    for name in compared:
        if name not in names:
            hint = nearest(name, names) or Reason("allowed", {"words": ", ".join(names)})
            raise ConfigError("stranger", place=join("tournament.compare.players", name), hint=hint)


def _check_sprt(settings: TournamentConfig, sprt: SprtConfig, players: int) -> None:
    if players != 2 or settings.is_best_of_3 or settings.games_per_pair % 2 == 1:
        raise ConfigError("sprt_players")
    if sprt.elo0 >= sprt.elo1:
        raise ConfigError("sprt_order")


def _seated(players: list[PlayerConfig]) -> list[PlayerConfig]:
    """Return the two players of a match, black first."""
    if len(players) != 2:
        raise ConfigError("two_players", given=len(players))
    first, second = (player.player_color for player in players)
    if first is not None and first == second:
        raise ConfigError("at_place", place="players[1].player_color", reason=Reason("two_colors"))
    if first is Color.WHITE and second is Color.BLACK:
        players = players[::-1]
    return [replace(player, player_color=color) for player, color in zip(players, Color, strict=True)]


def _named(players: list[PlayerConfig]) -> tuple[PlayerConfig, ...]:
    """Return the players with unique names: the given name or the type, numbered if two players have the type."""
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
