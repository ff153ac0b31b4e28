"""config.json, validated once, at the door."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Final

from othello.config import (
    FREE_LENGTH_FORMATS,
    MCTS_TYPES,
    UNBOUNDED_DEPTH,
    UNBOUNDED_SIMULATIONS,
    Comparison,
    Config,
    Figures,
    PlayerConfig,
    SprtConfig,
    TournamentConfig,
    unused,
)
from othello.errors import ConfigError
from othello.rules.protocol import Color
from othello.rules.registry import DEFAULT_GAME, game_spec
from othello.schema import first_fault, nearest
from othello.strict_json import join, read

_NUMBERS: Final = {"int": int, "float": float}


def load(path: Path, overrides: Mapping[str, Any] | None = None) -> Config:
    """The configuration in a file.

    Args:
        path: a JSON file that follows config-schema.json.
        overrides: valid values of top-level keys that win over the file's.

    Raises:
        ConfigError: the file cannot be read, is no JSON, or breaks the schema or the rules between keys.
    """
    document = read(path)
    fault = first_fault(document)
    if fault is not None:
        raise ConfigError(f"{path}: {fault}")
    try:
        config = _config({**document, **(overrides or {})})
        return replace(config, notices=tuple(f"{path}: {notice}" for notice in _notices(document["players"])))
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None


def _config(document: Mapping[str, Any]) -> Config:
    """The dataclasses of a document that the schema allows."""
    given = _given(Config, document)
    players = [_player(entry, document) for entry in document["players"]]
    if given.get("game_type", "match") == "match":
        players = _seated(players)
    _check_tree_files(players, given.get("game_type", "match"))
    given["players"] = _named(players)
    given["game"] = game_spec(document.get("game", DEFAULT_GAME), document.get("rules", {}))
    given["tournament"] = _tournament(document.get("tournament", {}), given["players"])
    if "output_file" in given:
        given["output_file"] = Path(given["output_file"])
    return Config(**given)


def _player(entry: Mapping[str, Any], document: Mapping[str, Any]) -> PlayerConfig:
    """One player, with the top-level keys where it has none of its own."""
    color = entry.get("player_color")
    merged = {
        "simulation_count": document.get("mcts_simulation_count"),
        "depth": document.get("heuristic_simulation_depth"),
        **document,
        **entry,
    }
    if merged.get("time_limit_seconds") is not None or merged.get("clock_seconds") is not None:
        # "Instead": who gives a time and no count wants all that the time allows.
        merged["simulation_count"] = merged["simulation_count"] or UNBOUNDED_SIMULATIONS
        merged["depth"] = merged["depth"] or UNBOUNDED_DEPTH
    merged["player_color"] = None if color is None else Color[color.upper()]
    return PlayerConfig(**_given(PlayerConfig, merged))


def _notices(players: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Keys without effect. They are no error: who changes a player's type to and fro keeps what the other needs."""
    for index, entry in enumerate(players):
        for key in entry:
            reason = unused(key, entry["player_type"])
            if reason:
                yield f"{join(f'players[{index}]', key)}: {reason}"


def _check_tree_files(players: Sequence[PlayerConfig], game_type: str) -> None:
    """A file of one search's knowledge, kept from game to game, is for one player at a time."""
    files: list[Path] = []
    for index, player in enumerate(players):
        if player.mcts_tree_file is None:
            continue
        place = f"players[{index}].mcts_tree_file"
        if player.player_type not in MCTS_TYPES:
            raise ConfigError(f"{place}: {player.player_type} keeps no tree; allowed for {', '.join(MCTS_TYPES)}")
        if game_type == "tournament":
            raise ConfigError(f"{place}: games of a tournament must not depend on each other; allowed in a match")
        if player.search_threads > 1:
            raise ConfigError(f"{place}: is the tree of one thread; search_threads is {player.search_threads}")
        file = Path(player.mcts_tree_file).resolve()
        if file in files:
            raise ConfigError(f"{place}: is the other player's file too; each needs its own")
        files.append(file)


def _tournament(entry: Mapping[str, Any], players: tuple[PlayerConfig, ...]) -> TournamentConfig:
    """The tournament's settings, with what the schema cannot say checked."""
    given = _given(TournamentConfig, entry)
    format_ = given.get("format", TournamentConfig().format)
    if "games_per_pair" in given and format_ not in FREE_LENGTH_FORMATS:
        raise ConfigError(
            f"tournament.games_per_pair: is for {' and '.join(FREE_LENGTH_FORMATS)}; the format is {format_}"
        )
    if entry.get("sprt"):
        given["sprt"] = SprtConfig(**_given(SprtConfig, entry["sprt"]))
        if len(players) != 2 or format_ == "best_of_3":
            raise ConfigError("tournament.sprt: takes two players, and a format other than best_of_3")
        if given["sprt"].elo0 >= given["sprt"].elo1:
            raise ConfigError("tournament.sprt.elo1: must be above elo0")
    if entry.get("compare"):
        figures = entry["compare"]["players"]
        names = [player.name for player in players] + [color.label for color in Color]
        stranger = next((name for name in figures if name not in names), None)
        if stranger is not None:
            hint = nearest(stranger, names) or f"; players: {', '.join(names)}"
            raise ConfigError(f"{join('tournament.compare.players', stranger)}: is no player here{hint}")
        by_name = {name: Figures(**_given(Figures, values)) for name, values in figures.items()}
        given["compare"] = Comparison(entry["compare"]["label"], by_name)
    return TournamentConfig(**given)


def _given(cls: type, document: Mapping[str, Any]) -> dict[str, Any]:
    """The plain values that a document gives for a dataclass, numbers in the declared type: JSON says 1 for 1.0."""
    given = {}
    for field in fields(cls):
        value = document.get(field.name)
        if value is not None and not isinstance(value, dict | list):
            number = _NUMBERS.get(str(field.type).split(" ", maxsplit=1)[0])
            given[field.name] = number(value) if number else value
    return given


def _seated(players: list[PlayerConfig]) -> list[PlayerConfig]:
    """The two players of a match, black first."""
    if len(players) != 2:
        raise ConfigError(f"players: {len(players)} given; a match takes exactly two")
    first, second = (player.player_color for player in players)
    if first is not None and first == second:
        raise ConfigError(
            f"players[1].player_color: is {first.label} as is players[0]'s; a match takes one black and one white"
        )
    if first is Color.WHITE and second is Color.BLACK:
        players = players[::-1]
    return [replace(player, player_color=color) for player, color in zip(players, Color, strict=True)]


def _named(players: list[PlayerConfig]) -> tuple[PlayerConfig, ...]:
    """Every player with a name of its own: the one it was given, or its type, numbered where that occurs twice."""
    taken: set[str] = set()
    for index, player in enumerate(players):
        if player.name in taken:
            raise ConfigError(f"players[{index}].name: {player.name!r} is another player's name already")
        taken |= {player.name} - {""}
    unnamed = Counter(player.player_type for player in players if not player.name)
    named = []
    for player in players:
        name, number = player.name or player.player_type, 0
        while not player.name and (name in taken or (number == 0 and unnamed[player.player_type] > 1)):
            number += 1
            name = f"{player.player_type} {number}"
        taken.add(name)
        named.append(replace(player, name=name))
    return tuple(named)
