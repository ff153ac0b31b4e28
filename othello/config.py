"""Everything that config.json can say, as frozen dataclasses. `config_file` reads them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

from othello.rules.protocol import Color, GameSpec
from othello.rules.registry import game_spec

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
TOURNAMENT_FORMATS: Final = ("best_of_3", "paired", "round_robin", "gauntlet")
FREE_LENGTH_FORMATS: Final = ("round_robin", "gauntlet")
"""Formats that take a number of games a pair."""

TYPES_THAT_USE: Final[Mapping[str, tuple[str, ...]]] = {
    "simulation_count": MCTS_TYPES,
    "depth": ("heuristic",),
    "mcts_exploration": ("mcts_uct", "mcts_grouping"),  # UCB1-tuned has the variance in its place
    "mcts_final_move": MCTS_TYPES,
    "mcts_reuse_tree": MCTS_TYPES,
    "search_threads": MCTS_TYPES,
    "endgame_empties": PLAYER_TYPES[1:],
    "grouping_opening_plies": ("mcts_grouping",),
    "grouping_opening_share": ("mcts_grouping",),
}
"""Keys of a player that mean nothing to other types of player. Keys that are not here concern everyone."""

UNBOUNDED_SIMULATIONS: Final = 1_000_000_000
"""`simulation_count` of a player that only its time limit bounds."""
UNBOUNDED_DEPTH: Final = 60
"""`depth` of a player that only its time limit bounds; no game has more plies left but by passing."""
_USUAL_GAME: Final = game_spec()


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
    mcts_reuse_tree: bool = False
    mcts_tree_file: str | None = None
    search_threads: int = 1
    endgame_empties: int = 0
    clock_seconds: float | None = None
    increment_seconds: float = 0.0
    grouping_opening_plies: int = 12
    grouping_opening_share: float = 0.7

    @property
    def is_user(self) -> bool:
        return self.player_type == "user"


def unused(key: str, player_type: str) -> str:
    """Why a player of this type makes nothing of a key, empty where it does."""
    users = TYPES_THAT_USE.get(key, PLAYER_TYPES)
    return "" if player_type in users else f"{player_type} does not use it; it is for {', '.join(users)}"


@dataclass(frozen=True, slots=True)
class SprtConfig:
    """A sequential probability ratio test of the first player's strength against the second's, in Elo."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05


@dataclass(frozen=True, slots=True)
class Figures:
    """What another experiment found for a player, or for a colour."""

    points: float | None = None
    balance: float | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Another experiment's figures.

    Attributes:
        label: what it is called.
        players: its figures by player's name; those of the colours by "black" and "white".
    """

    label: str
    players: Mapping[str, Figures]


@dataclass(frozen=True, slots=True)
class TournamentConfig:
    """How a tournament is played."""

    format: str = "best_of_3"
    games_per_pair: int = 2
    opening_plies: int = 0
    processes: int | None = None
    time_margin_seconds: float = 0.5
    sprt: SprtConfig | None = None
    compare: Comparison | None = None


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that config.json and the command line say.

    Attributes:
        players: in the order of the file; for a match black, then white.
        existing_output: comes from the command line alone.
        notices: what the file says in vain, a line each.
    """

    players: tuple[PlayerConfig, ...]
    game_type: str = "match"
    game_repetitions: int = 1
    seed: int | None = None
    show_visualisation: bool = True
    output_file: Path | None = None
    move_delay_seconds: float = 0.8
    game: GameSpec = _USUAL_GAME
    tournament: TournamentConfig = TournamentConfig()
    existing_output: ExistingOutput = ExistingOutput.REFUSE
    notices: tuple[str, ...] = ()

    @property
    def opens_window(self) -> bool:
        return self.show_visualisation or any(player.is_user for player in self.players)
