"""Which root move is played after a search by simulations."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from othello.players.player import settle
from othello.rules.protocol import Move
from othello.search.report import MoveStats

if TYPE_CHECKING:
    from numpy.random import SeedSequence

FINAL_MOVES: Final = {
    "robust": "most visits",
    "max": "highest mean",
    "max_robust": "both; the search goes on for a while if they differ",
    "secure": "highest lower confidence bound",
}
_CAUTION: Final = 1.0  # `secure` judges a move by its mean minus this over the root of its visits


def agree(moves: Sequence[MoveStats]) -> bool:
    """Whether one move has both the most visits and the highest mean."""
    moves = _sound(moves)
    most = max(stats.visits for stats in moves)
    highest = max(stats.value or 0.0 for stats in moves)
    return any(stats.visits == most and (stats.value or 0.0) == highest for stats in moves)


def is_settled(moves: Sequence[MoveStats]) -> bool:
    """Whether nothing is left to find out: a move is proven to win, or all moves are proven."""
    return all(stats.is_proven for stats in moves) or any(stats.certainty > 0 for stats in moves)


def _sound(moves: Sequence[MoveStats]) -> Sequence[MoveStats]:
    """The moves that are proven to win; else the moves that are not proven to lose; else all."""
    best = max(stats.certainty for stats in moves)
    return [stats for stats in moves if stats.certainty == best]


def pick_move(moves: Sequence[MoveStats], final_move: str, seed: SeedSequence, ties: str = "random") -> Move:
    """The move to play after a search, a proven win above all and a proven loss last.

    Args:
        moves: every root move.
        final_move: one of FINAL_MOVES; `max_robust` takes the most visits where the two differ.
        seed: for a draw among equals.
        ties: one of FINAL_TIES.

    Source: Chaslot et al., "Progressive Strategies for Monte-Carlo Tree Search", 2008, section 2.4.
    """

    def merit(stats: MoveStats) -> tuple[float, ...]:
        visits, value = stats.visits, stats.value
        if value is None:
            return (-math.inf, -math.inf)
        secure = value - _CAUTION / math.sqrt(visits)
        return {"max": (value,), "secure": (secure,), "max_robust": (visits, value)}.get(final_move, (visits,))

    sound = _sound(moves)
    best = max(merit(stats) for stats in sound)
    return settle([stats.move for stats in sound if merit(stats) == best], ties, seed)
