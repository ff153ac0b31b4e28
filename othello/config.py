"""config.json as frozen dataclasses, validated once, at the door."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from othello.rules.protocol import Color

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


@dataclass(frozen=True, slots=True)
class PlayerConfig:
    """One entry of `players`, with the file's defaults filled in. Ranges are the schema's."""

    player_type: str
    player_color: Color | None = None
    name: str = ""  # never empty once loaded
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
class Config:
    """Everything that config.json says."""

    players: tuple[PlayerConfig, ...]
    game_type: str = "match"
    game_repetitions: int = 1
    seed: int | None = None
    show_visualisation: bool = True
    output_file: Path | None = None
    move_delay_seconds: float = 0.8

    @property
    def opens_window(self) -> bool:
        return self.show_visualisation or any(player.is_user for player in self.players)
