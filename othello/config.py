"""config.json as frozen dataclasses, validated once, at the door."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from enum import Enum
from pathlib import Path
from typing import Any, Final

from othello.errors import ConfigError
from othello.rules.protocol import Color
from othello.schema import first_fault, nearest
from othello.strict_json import read

PLAYER_TYPES: Final = (
    "user",
    "random",
    "simple_heuristic",
    "heuristic",
    "mcts_uct",
    "mcts_ucb1",
    "mcts_grouping",
)
MCTS_TYPES: Final = ("mcts_uct", "mcts_ucb1", "mcts_grouping")
FINAL_MOVES: Final = ("robust", "max", "max_robust", "secure")
OUTPUT_SUFFIXES: Final = (".csv", ".jsonl")

UNBOUNDED_SIMULATIONS: Final = 1_000_000_000
"""`simulation_count` of a player that only its time limit bounds."""
UNBOUNDED_DEPTH: Final = 60
"""`depth` of a player that only its time limit bounds; no game has more plies left but by passing."""

_NUMBERS: Final[dict[str, type[int] | type[float]]] = {
    "game_repetitions": int,
    "seed": int,
    "simulation_count": int,
    "depth": int,
    "grouping_opening_plies": int,
    "time_limit_seconds": float,
    "move_delay_seconds": float,
    "mcts_exploration": float,
    "grouping_opening_share": float,
}


class ExistingOutput(Enum):
    """What to do with a results file that already holds games."""

    REFUSE = "refuse"
    OVERWRITE = "overwrite"
    RESUME = "resume"


@dataclass(frozen=True, slots=True)
class PlayerConfig:
    """One entry of `players`, with the file's defaults filled in. Ranges are the schema's."""

    player_type: str
    player_color: Color | None = None
    name: str = ""  # never empty, and no one else's, once loaded
    simulation_count: int = 300
    depth: int = 6
    time_limit_seconds: float | None = None
    mcts_exploration: float = math.sqrt(2.0)
    mcts_final_move: str = "robust"
    grouping_opening_plies: int = 12
    grouping_opening_share: float = 0.7

    @property
    def is_user(self) -> bool:
        return self.player_type == "user"


@dataclass(frozen=True, slots=True)
class RulesConfig:
    """Which variant of the game is played."""

    no_legal_move: str = "pass"
    start: str = "standard"
    goal: str = "most"


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that config.json and the command line say.

    Attributes:
        players: in the order of the file; for a match black, then white.
        existing_output: comes from the command line alone.
    """

    players: tuple[PlayerConfig, ...]
    game_type: str = "match"
    game_repetitions: int = 1
    seed: int | None = None
    show_visualisation: bool = True
    output_file: Path | None = None
    move_delay_seconds: float = 0.8
    rules: RulesConfig = RulesConfig()
    existing_output: ExistingOutput = ExistingOutput.REFUSE

    @property
    def opens_window(self) -> bool:
        return self.show_visualisation or any(player.is_user for player in self.players)


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
        return _config({**document, **(overrides or {})})
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None


def check_output_name(path: Path) -> None:
    """Raise `ConfigError` for a results file whose format its name does not tell."""
    suffix = path.suffix.lower()
    if suffix not in OUTPUT_SUFFIXES:
        hint = nearest(suffix, OUTPUT_SUFFIXES)
        raise ConfigError(f"output_file: {str(path)!r} must end in {' or '.join(OUTPUT_SUFFIXES)}{hint}")


def _config(document: Mapping[str, Any]) -> Config:
    """The dataclasses of a document that the schema allows."""
    players = [_player(entry, document) for entry in document["players"]]
    game_type = document.get("game_type", "match")
    output = document.get("output_file")
    if output is not None:
        check_output_name(Path(output))
    return Config(
        players=_named(_seated(players) if game_type == "match" else players),
        game_type=game_type,
        output_file=None if output is None else Path(output),
        rules=RulesConfig(**document.get("rules", {})),
        **_settings(document, ("game_repetitions", "seed", "show_visualisation", "move_delay_seconds")),
    )


def _player(entry: Mapping[str, Any], document: Mapping[str, Any]) -> PlayerConfig:
    """One player, with the top-level keys where it has none of its own."""
    color = entry.get("player_color")
    merged = {
        "simulation_count": document.get("mcts_simulation_count"),
        "depth": document.get("heuristic_simulation_depth"),
        **document,
        **entry,
    }
    if merged.get("time_limit_seconds") is not None:
        # "Instead": who gives a time and no count wants all that the time allows.
        merged["simulation_count"] = merged["simulation_count"] or UNBOUNDED_SIMULATIONS
        merged["depth"] = merged["depth"] or UNBOUNDED_DEPTH
    keys = (field.name for field in fields(PlayerConfig) if field.name not in ("player_type", "player_color"))
    return PlayerConfig(
        player_type=entry["player_type"],
        player_color=None if color is None else Color[color.upper()],
        **_settings(merged, keys),
    )


def _settings(document: Mapping[str, Any], keys: Iterable[str]) -> dict[str, Any]:
    """The keys that are given, as keyword arguments, with numbers of the declared type: JSON says 1 for 1.0."""
    given = {key: document[key] for key in keys if document.get(key) is not None}
    return {key: _NUMBERS[key](value) if key in _NUMBERS else value for key, value in given.items()}


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
