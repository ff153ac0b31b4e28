"""Ten opponents, from a beginner to the full engine, and how the weaker ones make mistakes.

A weak level looks less far ahead and then chooses its move at random: the more a move loses, the less often the level
plays it. What one move decides, it sees. The settings and the measured strengths of all levels are in
`assets/levels.json`, which `training.levels` writes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from othello.engine.engine import Bounds
from othello.reading import measured_levels
from othello.rules.othello.othello_kernels import OthelloState
from othello.rules.othello.scalar_bits import flips, mobility
from othello.rules.protocol import Move
from othello.search.blunders import safe_moves, sample_softmax

COUNT: Final = 10

_OPENING: Final = 51  # empty squares down to which no level plays the same game twice
_OPENING_SPREAD: Final = 0.7
_OPENING_DEPTH: Final = 8
_END: Final = 16  # empty squares from which people err less
_CALM: Final = 0.6
_CORNERS: Final = 0x8100000000000081


@dataclass(frozen=True, slots=True)
class Level:
    """How an opponent plays, and its strength."""

    name: str
    depth: int  # plies that it looks ahead
    exact_empties: int  # with this many empty squares or fewer, it searches to the end
    nodes: int | None  # positions after which it looks no deeper; None: no bound
    spread: float  # discs by which a move may be worse to be played 1/e times as often as the best; 0: it does not err
    guards_corners: bool  # whether, where it errs, it lets the opponent take no corner at once that it can guard
    elo: int = 0  # measured strength, random play being 0
    margin: int = 0  # half of the 95 % interval of `elo`
    games: int = 0  # from which `elo` was measured

    def spread_at(self, empties: int) -> float:
        """People make more mistakes in the middle game than at the end, and strong players vary their openings too."""
        if empties >= _OPENING:
            return max(self.spread, _OPENING_SPREAD)
        return self.spread * (_CALM if empties <= _END else 1.0)

    def bounds(self, empties: int) -> Bounds:
        """How far it searches a position."""
        depth = min(self.depth, _OPENING_DEPTH) if empties >= _OPENING else self.depth
        return Bounds(depth, self.exact_empties, self.nodes)

    def pick(self, values: Mapping[Move, int], own: int, opponent: int, random: np.random.Generator) -> Move:
        """The move that it plays; `values` are of all moves, the best first."""
        best = next(iter(values))
        spread = self.spread_at(64 - (own | opponent).bit_count())
        if spread == 0.0:
            return best
        moves = safe_moves(OthelloState(np.uint64(own), np.uint64(opponent)), list(values))
        if self.guards_corners:
            moves = [move for move in moves if not _gives(own, opponent, move)] or moves
        return sample_softmax({move: values[move] for move in moves}, spread, random)


def _gives(own: int, opponent: int, move: Move) -> bool:
    """Whether a move lets the opponent take a corner at once."""
    turned = flips(own, opponent, move)
    return bool(mobility(opponent ^ turned, own | turned | 1 << move) & _CORNERS)


@cache
def levels() -> tuple[Level, ...]:
    """The ten levels, the weakest first; KnowledgeError: the file of levels cannot be read, or is damaged."""
    return measured_levels("levels.json", lambda document: tuple(Level(**entry) for entry in document["levels"]))
