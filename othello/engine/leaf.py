"""Evaluation of MCTS leaves by the engine instead of by playouts.

MCTS counts wins and losses, so a leaf counts as a win with the probability that the evaluation expects.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello.engine.engine import shipped_weights
from othello.engine.evaluation import Numbers, Weights, evaluate, write_numbers
from othello.engine.patterns import LANES
from othello.engine.win_probability import win_probability
from othello.kernel.bits import as_int64, popcount
from othello.kernel.decorators import Ints, Words, implements
from othello.kernel.random import RandomState, next_random_lane
from othello.rules.othello.othello_kernels import OthelloState
from othello.search import mcts

_MAX_DISCS: Final = 64
_HALF = np.uint64(32)
_RANGE: Final = 2.0**32


class EvaluationLeaf(NamedTuple):
    """The data to evaluate leaves."""

    weights: Weights
    numbers: Numbers  # one ply of scratch memory
    chances: NDArray[np.uint32]  # [empties, discs + 64]: probability to win, times 2**32


def evaluation_leaf() -> EvaluationLeaf:
    """Return the data with the shipped weights."""
    by_discs = range(-_MAX_DISCS, _MAX_DISCS + 1)
    chances = np.array([[win_probability(discs, empties, 0) for discs in by_discs] for empties in range(65)])
    shares = np.minimum(chances * _RANGE, _RANGE - 1).astype(np.uint32)
    return EvaluationLeaf(shipped_weights(), np.zeros((1, 2, LANES), np.uint16), shares)


@implements(mcts.evaluate_leaves, EvaluationLeaf)
def _evaluate(
    leaf: EvaluationLeaf, root: OthelloState, words: Words, count: int, lanes: RandomState, differences: Ints
) -> None:
    for index in range(count):
        own, opponent = words[index, 0], words[index, 1]
        write_numbers(own, opponent, leaf.numbers, 0)
        discs = evaluate(own, opponent, leaf.numbers, 0, leaf.weights)
        chance = as_int64(leaf.chances[64 - popcount(own | opponent), discs + _MAX_DISCS])
        drawn = as_int64(next_random_lane(lanes, index) >> _HALF)
        differences[index] = 1 if drawn < chance else -1
