"""Othello's moves in plain instructions, for loops over many games at once.

`kernels.mobility` and `flips` spread the lines of one position over a vector register. In a loop over positions it is
better to fill the register with positions: the compiler can vectorise the functions here.
"""

from __future__ import annotations

import numpy as np

from othello.kernel.bits import ZERO
from othello.kernel.jit import inlined
from othello.rules.othello.kernels import Bitboard

_INNER_COLUMNS = np.uint64(0x7E7E7E7E7E7E7E7E)  # no run of captured discs along a row or diagonal leaves b-g
_S1, _S2 = np.uint64(1), np.uint64(2)
_S7, _S14 = np.uint64(7), np.uint64(14)
_S8, _S16 = np.uint64(8), np.uint64(16)
_S9, _S18 = np.uint64(9), np.uint64(18)


@inlined
def _reach(own: Bitboard, between: Bitboard, single: Bitboard, double: Bitboard) -> Bitboard:
    """Squares one step beyond every run of `between` that starts beside `own`, both ways along one line.

    Source: parallel-prefix fill, https://www.chessprogramming.org/Parallel_Prefix_Algorithms
    """
    up = between & (own << single)
    down = between & (own >> single)
    up |= between & (up << single)
    down |= between & (down >> single)
    pair_up = between & (between << single)
    pair_down = between & (between >> single)
    up |= pair_up & (up << double)
    down |= pair_down & (down >> double)
    up |= pair_up & (up << double)
    down |= pair_down & (down >> double)
    return (up << single) | (down >> single)


@inlined
def lane_mobility(own: Bitboard, opponent: Bitboard) -> Bitboard:
    """The squares where the owner of `own` may play."""
    inner = opponent & _INNER_COLUMNS
    reached = (
        _reach(own, inner, _S1, _S2)
        | _reach(own, opponent, _S8, _S16)
        | _reach(own, inner, _S7, _S14)
        | _reach(own, inner, _S9, _S18)
    )
    return reached & ~(own | opponent)


@inlined
def _captured_up(own: Bitboard, between: Bitboard, move: Bitboard, single: Bitboard, double: Bitboard) -> Bitboard:
    """The run of `between` from `move` towards higher squares, if an own disc ends it."""
    run = between & (move << single)
    run |= between & (run << single)
    pair = between & (between << single)
    run |= pair & (run << double)
    run |= pair & (run << double)
    return run if own & (run << single) else ZERO


@inlined
def _captured_down(own: Bitboard, between: Bitboard, move: Bitboard, single: Bitboard, double: Bitboard) -> Bitboard:
    """The run of `between` from `move` towards lower squares, if an own disc ends it."""
    run = between & (move >> single)
    run |= between & (run >> single)
    pair = between & (between >> single)
    run |= pair & (run >> double)
    run |= pair & (run >> double)
    return run if own & (run >> single) else ZERO


@inlined
def lane_flips(own: Bitboard, opponent: Bitboard, move: Bitboard) -> Bitboard:
    """Discs that playing `move` would turn over.

    Args:
        own: discs of the side to move.
        opponent: the other side's discs; disjoint from `own`.
        move: exactly one bit, on an empty square.

    Returns:
        The captured discs, 0 when the move is illegal.

    Source: parallel-prefix fill, https://www.chessprogramming.org/Parallel_Prefix_Algorithms
    """
    inner = opponent & _INNER_COLUMNS
    return (
        _captured_up(own, inner, move, _S1, _S2)
        | _captured_down(own, inner, move, _S1, _S2)
        | _captured_up(own, opponent, move, _S8, _S16)
        | _captured_down(own, opponent, move, _S8, _S16)
        | _captured_up(own, inner, move, _S7, _S14)
        | _captured_down(own, inner, move, _S7, _S14)
        | _captured_up(own, inner, move, _S9, _S18)
        | _captured_down(own, inner, move, _S9, _S18)
    )
