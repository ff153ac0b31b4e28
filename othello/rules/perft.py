"""Counting the leaves of the game tree, the classic proof of a move generator.

A pass is a ply of its own, and a finished game counts as one leaf at whatever depth it ends.
"""

from __future__ import annotations

from othello.kernel.bits import ZERO, popcount
from othello.kernel.jit import kernel
from othello.rules.othello_kernels import Bitboard, flips, mobility, othello_state


@kernel
def _perft(own: Bitboard, opponent: Bitboard, depth: int) -> int:
    """Leaves at `depth` >= 1 plies; the last ply is counted without being played."""
    moves = mobility(own, opponent)
    if moves == ZERO:
        if mobility(opponent, own) == ZERO or depth == 1:
            return 1
        return _perft(opponent, own, depth - 1)
    if depth == 1:
        return popcount(moves)
    leaves = 0
    while moves:
        move = moves & (ZERO - moves)
        moves ^= move
        captured = flips(own, opponent, move)
        leaves += _perft(opponent ^ captured, own | captured | move, depth - 1)
    return leaves


def perft(own: int, opponent: int, depth: int) -> int:
    """The number of leaves `depth` >= 0 plies below a position, seen from the side to move."""
    if depth == 0:
        return 1
    state = othello_state(own, opponent)
    return int(_perft(state.own, state.opponent, depth))
