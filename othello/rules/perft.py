"""Counting the leaves of any game's tree, the classic proof of a move generator."""

from __future__ import annotations

from typing import Any

import numpy as np

from othello.kernel.jit import Bytes, kernel
from othello.rules import compiled


@kernel
def _leaves(state: Any, depth: int, moves: Bytes) -> int:
    """Leaves at `depth` >= 1 plies; the last ply is counted without being played. `moves` has a row for every depth."""
    if depth == 1:
        moves_left: int = compiled.mobility(state)
        return max(1, moves_left)  # a pass and a finished game are a leaf
    row = moves[depth]
    count: int = compiled.write_moves(state, row)
    leaves = 0
    for index in range(count):
        leaves += _leaves(compiled.play(state, row[index]), depth - 1, moves)
    return max(1, leaves)


def perft(state: Any, depth: int, max_moves: int) -> int:
    """The number of leaves below a state of any game; no position has more than `max_moves` moves."""
    return int(_leaves(state, depth, np.empty((depth + 1, max_moves), np.uint8))) if depth else 1
