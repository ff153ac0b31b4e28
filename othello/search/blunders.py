"""Move choice of weak levels: random, but with moves that lose or win at once taken into account."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from othello.kernel.bits import as_int64, moves_buffer
from othello.kernel.decorators import Ints, kernel
from othello.rules import compiled
from othello.rules.protocol import Move


@kernel
def prospects(state: Any, moves: Ints, found: Ints) -> None:
    """Write 1 for each move that wins at once, -1 for each that allows a win in one move, 0 for the others."""
    replies = moves_buffer()
    for index in range(len(moves)):
        is_certain, difference = compiled.decided_in_one(compiled.play(state, moves[index]), replies)
        found[index] = as_int64(difference < 0) - as_int64(difference > 0) if is_certain else as_int64(0)


def safe_moves(state: NamedTuple, moves: Sequence[Move]) -> list[Move]:
    """Return the moves that win at once; otherwise those that allow no win in one move; otherwise all."""
    found = np.empty(len(moves), np.int64)
    prospects(state, np.array(moves, np.int64), found)
    best = found.max()
    return [move for move, prospect in zip(moves, found.tolist(), strict=True) if prospect == best]


def sample_softmax(values: Mapping[Move, float], temperature: float, random: np.random.Generator) -> Move:
    """Return a random move, with probabilities proportional to exp(value / temperature)."""
    best = max(values.values())
    chances = np.array([math.exp((value - best) / temperature) for value in values.values()])
    return list(values)[int(random.choice(len(values), p=chances / chances.sum()))]
