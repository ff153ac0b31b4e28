"""Othello for searches: the same rules as `othello.rules.othello`, compiled.

A state is two boards seen from the side to move; playing swaps them, and a pass is nothing but the swap. Squares
are 0-63 from a1, row by row; bit n of a board is square n.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from othello.kernel.bits import ONE, ZERO, lowest_square, popcount
from othello.kernel.jit import implements, inlined, kernel
from othello.rules import protocol

Bitboard: TypeAlias = np.uint64

PASS = 64
_INNER_COLUMNS = np.uint64(0x7E7E7E7E7E7E7E7E)  # no run of captured discs along a row or diagonal leaves b-g
_NOT_A = np.uint64(0xFEFEFEFEFEFEFEFE)
_NOT_H = np.uint64(0x7F7F7F7F7F7F7F7F)
_S1, _S2 = np.uint64(1), np.uint64(2)
_S7, _S14 = np.uint64(7), np.uint64(14)
_S8, _S16 = np.uint64(8), np.uint64(16)
_S9, _S18 = np.uint64(9), np.uint64(18)


class OthelloState(NamedTuple):
    """A position from the side of the one to move; the boards are disjoint."""

    own: Bitboard
    opponent: Bitboard


def othello_state(own: int, opponent: int) -> OthelloState:
    """A state from plain integers."""
    return OthelloState(np.uint64(own), np.uint64(opponent))


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
def mobility(own: Bitboard, opponent: Bitboard) -> Bitboard:
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
def flips(own: Bitboard, opponent: Bitboard, move: Bitboard) -> Bitboard:
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


@implements(protocol.write_moves, OthelloState)
def write_moves(state: OthelloState, moves: NDArray[np.uint8]) -> int:
    board = mobility(state.own, state.opponent)
    if board == ZERO:
        if mobility(state.opponent, state.own) == ZERO:
            return 0
        moves[0] = PASS
        return 1
    count = 0
    while board:
        moves[count] = lowest_square(board)
        board &= board - ONE
        count += 1
    return count


@implements(protocol.is_over, OthelloState)
def is_over(state: OthelloState) -> bool:
    if mobility(state.own, state.opponent):
        return False
    return not mobility(state.opponent, state.own)


@implements(protocol.play, OthelloState)
def play(state: OthelloState, move: int) -> OthelloState:
    placed = ZERO if move == PASS else ONE << np.uint64(move)
    captured = flips(state.own, state.opponent, placed)
    return OthelloState(state.opponent ^ captured, state.own | captured | placed)


@implements(protocol.final_difference, OthelloState)
def final_difference(state: OthelloState) -> int:
    return popcount(state.own) - popcount(state.opponent)


# The squares of each weight of the positional score.
_CORNERS = np.uint64(0x8100000000000081)  # 120
_X_SQUARES = np.uint64(0x0042000000004200)  # -40
_C_SQUARES = np.uint64(0x4281000000008142)  # -20
_A_SQUARES = np.uint64(0x2400810000810024)  # 20
_B_SQUARES = np.uint64(0x1800008181000018)  # 5
_SECOND_RING = np.uint64(0x003C424242423C00)  # -5
_INNER_CORNERS = np.uint64(0x0000240000240000)  # 15
_INNER = np.uint64(0x0000183C3C180000)  # 3


@kernel
def _weigh(board: Bitboard) -> int:
    return (
        120 * popcount(board & _CORNERS)
        - 40 * popcount(board & _X_SQUARES)
        - 20 * popcount(board & _C_SQUARES)
        + 20 * popcount(board & _A_SQUARES)
        + 5 * popcount(board & _B_SQUARES)
        - 5 * popcount(board & _SECOND_RING)
        + 15 * popcount(board & _INNER_CORNERS)
        + 3 * popcount(board & _INNER)
    )


@implements(protocol.evaluate, OthelloState)
def evaluate(state: OthelloState) -> int:
    return _weigh(state.own) - _weigh(state.opponent)


@implements(protocol.pack, OthelloState)
def pack(state: OthelloState, words: NDArray[np.uint64]) -> None:
    words[0] = state.own
    words[1] = state.opponent


@implements(protocol.unpack, OthelloState)
def unpack(like: OthelloState, words: NDArray[np.uint64]) -> OthelloState:
    return OthelloState(words[0], words[1])
