"""Othello for searches: the same rules as `othello.rules.othello`, compiled.

A state is two boards seen from the side to move; playing swaps them, and a pass is nothing but the swap. Squares
are 0-63 from a1, row by row; bit n of a board is square n.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias, cast

import numpy as np
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from othello.kernel import vectors
from othello.kernel.bits import ONE, ZERO, lowest_square, popcount
from othello.kernel.jit import implements, inlined
from othello.rules import protocol

Bitboard: TypeAlias = np.uint64

PASS = 64


class OthelloState(NamedTuple):
    """A position from the side of the one to move; the boards are disjoint."""

    own: Bitboard
    opponent: Bitboard


def othello_state(own: int, opponent: int) -> OthelloState:
    """A state from plain integers."""
    return OthelloState(np.uint64(own), np.uint64(opponent))


# The four lines through a square, as the step from square to square: along the row, the column and both diagonals.
_LINES: Final = (1, 8, 7, 9)
_STEP: Final = vectors.constants(*_LINES)
_TWO_STEPS: Final = vectors.constants(*(2 * step for step in _LINES))
# No run of captured discs along a row or a diagonal leaves the inner columns; along a column it may be anywhere.
_INNER_COLUMNS: Final = 0x7E7E7E7E7E7E7E7E
_BETWEEN: Final = vectors.constants(_INNER_COLUMNS, 0xFFFFFFFFFFFFFFFF, _INNER_COLUMNS, _INNER_COLUMNS)


def _runs(builder: Any, shift: Any, start: Any, between: Any) -> Any:
    """The run of `between` that begins beside `start`, on each of the four lines in the direction of `shift`.

    Source: parallel-prefix fill, https://www.chessprogramming.org/Parallel_Prefix_Algorithms
    """
    run = builder.and_(between, shift(start, _STEP))
    run = builder.or_(run, builder.and_(between, shift(run, _STEP)))
    pairs = builder.and_(between, shift(between, _STEP))
    run = builder.or_(run, builder.and_(pairs, shift(run, _TWO_STEPS)))
    return builder.or_(run, builder.and_(pairs, shift(run, _TWO_STEPS)))


def _mobility(_typing: Any, own: Any, opponent: Any) -> Any:
    if own != types.uint64 or opponent != types.uint64:
        return None  # no such call

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        own, opponent = arguments
        start = vectors.broadcast(builder, own, 4)
        between = builder.and_(vectors.broadcast(builder, opponent, 4), _BETWEEN)
        up, down = builder.shl, builder.lshr
        beyond = builder.or_(
            up(_runs(builder, up, start, between), _STEP), down(_runs(builder, down, start, between), _STEP)
        )
        return builder.and_(vectors.united(builder, beyond), builder.not_(builder.or_(own, opponent)))

    return types.uint64(types.uint64, types.uint64), generate


def _flips(_typing: Any, own: Any, opponent: Any, move: Any) -> Any:
    if own != types.uint64 or opponent != types.uint64 or move != types.uint64:
        return None  # no such call

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        own, opponent, move = (vectors.broadcast(builder, board, 4) for board in arguments)
        between = builder.and_(opponent, _BETWEEN)
        captured = vectors.ZEROS
        for shift in (builder.shl, builder.lshr):
            run = _runs(builder, shift, move, between)
            closing = builder.and_(own, shift(run, _STEP))
            captured = builder.or_(captured, vectors.where_nonzero(builder, closing, run))
        return vectors.united(builder, captured)

    return types.uint64(types.uint64, types.uint64, types.uint64), generate


_mobility_of_four_lines = cast(Callable[[Bitboard, Bitboard], Bitboard], intrinsic(_mobility))
_flips_of_four_lines = cast(Callable[[Bitboard, Bitboard, Bitboard], Bitboard], intrinsic(_flips))


@inlined
def mobility(own: Bitboard, opponent: Bitboard) -> Bitboard:
    """The squares where the owner of `own` may play, four lines at a time."""
    return _mobility_of_four_lines(own, opponent)


@inlined
def flips(own: Bitboard, opponent: Bitboard, move: Bitboard) -> Bitboard:
    """Discs that playing `move` would turn over, four lines at a time.

    Args:
        own: discs of the side to move.
        opponent: the other side's discs; disjoint from `own`.
        move: exactly one bit, on an empty square; or 0, which captures nothing.

    Returns:
        The captured discs, 0 when the move is illegal.
    """
    return _flips_of_four_lines(own, opponent, move)


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
_SQUARES_OF_WEIGHT: Final = {
    120: 0x8100000000000081,  # corners
    -40: 0x0042000000004200,  # X squares
    -20: 0x4281000000008142,  # C squares
    20: 0x2400810000810024,  # A squares
    5: 0x1800008181000018,  # B squares
    -5: 0x003C424242423C00,  # second ring
    15: 0x0000240000240000,  # inner corners
    3: 0x0000183C3C180000,  # the other inner squares
}


def _positional_score(_typing: Any, own: Any, opponent: Any) -> Any:
    if own != types.uint64 or opponent != types.uint64:
        return None  # no such call

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        squares, weights = vectors.constants(*_SQUARES_OF_WEIGHT.values()), vectors.constants(*_SQUARES_OF_WEIGHT)
        mine, theirs = (
            vectors.bit_counts(builder, builder.and_(vectors.broadcast(builder, board, 8), squares))
            for board in arguments
        )
        return vectors.total(builder, builder.mul(builder.sub(mine, theirs), weights))

    return types.int64(types.uint64, types.uint64), generate


_difference_of_weights = cast(Callable[[Bitboard, Bitboard], int], intrinsic(_positional_score))


@implements(protocol.evaluate, OthelloState)
def evaluate(state: OthelloState) -> int:
    return _difference_of_weights(state.own, state.opponent)


@implements(protocol.mobility, OthelloState)
def count_moves(state: OthelloState) -> int:
    return popcount(mobility(state.own, state.opponent))


@implements(protocol.word_count, OthelloState)
def word_count(like: OthelloState) -> int:
    return 2


@implements(protocol.pack, OthelloState)
def pack(state: OthelloState, words: NDArray[np.uint64]) -> None:
    words[0] = state.own
    words[1] = state.opponent


@implements(protocol.unpack, OthelloState)
def unpack(like: OthelloState, words: NDArray[np.uint64]) -> OthelloState:
    return OthelloState(words[0], words[1])


@implements(protocol.is_possible, OthelloState)
def is_possible(state: OthelloState) -> bool:
    return not state.own & state.opponent
