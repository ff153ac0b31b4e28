"""The ten playing levels, from beginner to the full engine.

A weak level searches less deeply and then chooses its move at random, worse moves with lower probability. It does not
overlook what one move decides. `training.levels` writes the settings and the measured strengths to
`assets/levels.json`.
"""

from collections.abc import Mapping
from functools import cache
from typing import Final

import numpy as np

from othello.engine.engine import Bounds
from othello.files import measured_levels
from othello.frozen_dataclass import FrozenDataclass
from othello.rules.othello.othello_kernels import OthelloState
from othello.rules.othello.scalar_bits import flips, mobility
from othello.rules.protocol import Move
from othello.search.blunders import safe_moves, sample_softmax

COUNT: Final = 10

_OPENING: Final = 51  # empties down to which all levels vary their play
_OPENING_TEMPERATURE: Final = 0.7
_OPENING_DEPTH: Final = 8
_END: Final = 16  # empties from which a level makes fewer mistakes
_CALM: Final = 0.6
_CORNERS: Final = 0x8100000000000081


class Level(FrozenDataclass):
    """The settings of a level, and its strength."""

    name: str
    depth: int  # search depth in plies
    exact_empties: int  # with at most this many empties it searches to the end
    nodes: int | None  # node limit; None: no limit
    temperature: float  # temperature of the move choice in discs; 0: always the best
    guards_corners: bool  # never chooses a move that allows a corner if there is another
    elo: int = 0  # measured strength; random play: 0
    margin: int = 0  # half of the 95 % confidence interval of `elo`
    games: int = 0  # games of the measurement

    def temperature_at(self, empties: int) -> float:
        """Return the temperature of the move choice: lower in the end game, higher in the opening, for variety."""
        if empties >= _OPENING:
            return max(self.temperature, _OPENING_TEMPERATURE)
        return self.temperature * (_CALM if empties <= _END else 1.0)

    def bounds(self, empties: int) -> Bounds:
        """Return the limits of its search."""
        depth = min(self.depth, _OPENING_DEPTH) if empties >= _OPENING else self.depth
        return Bounds(depth, self.exact_empties, self.nodes)

    def pick(self, values: Mapping[Move, int], own: int, opponent: int, random: np.random.Generator) -> Move:
        """Return the move to play. `values`: of all moves, best first."""
        best = next(iter(values))
        temperature = self.temperature_at(64 - (own | opponent).bit_count())
        if temperature == 0.0:
            return best
        moves = safe_moves(OthelloState(np.uint64(own), np.uint64(opponent)), list(values))
        if self.guards_corners:
            moves = [move for move in moves if not _gives_corner(own, opponent, move)] or moves
        return sample_softmax({move: values[move] for move in moves}, temperature, random)


def _gives_corner(own: int, opponent: int, move: Move) -> bool:
    """Return whether a move allows the opponent to take a corner at once."""
    turned = flips(own, opponent, move)
    return bool(mobility(opponent ^ turned, own | turned | 1 << move) & _CORNERS)


@cache
def levels() -> tuple[Level, ...]:
    """Return the ten levels, the weakest first.

    Raises:
        KnowledgeError: the file of levels cannot be read or is damaged.
    """
    return measured_levels("levels.json", lambda document: tuple(Level(**entry) for entry in document["levels"]))
