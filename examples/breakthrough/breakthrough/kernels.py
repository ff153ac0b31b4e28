"""Breakthrough as kernels; the same rules as `breakthrough`."""

from typing import NamedTuple

import numpy as np

from othello.kernel.bits import ONE, ZERO, as_int64, byteswap, lowest_square, nth_bit, popcount
from othello.kernel.decorators import Ints, Moves, Words, implements, inlined
from othello.kernel.random import RandomState, below_lane
from othello.rules import compiled

_ROW = np.uint64(0xFF)  # the first row
_LEFT = np.uint64(0x0101010101010101)  # the first column
_RIGHT = np.uint64(0x8080808080808080)
_SEVEN, _EIGHT, _NINE = np.uint64(7), np.uint64(8), np.uint64(9)
_WORTH = (9, 10, 11, 13, 17, 24, 40)  # of a pawn, by the rows behind it


class BreakthroughState(NamedTuple):
    """A position, seen from the side to move; bit n of a board is square n."""

    own: np.uint64
    opponent: np.uint64
    is_white: np.uint64  # 1 if white is to move, down the board


@inlined
def _has_lost(own: np.uint64, opponent: np.uint64, is_white: np.uint64) -> bool:
    """Return whether the side to move has no pawn left, or the opponent has arrived."""
    goal = _ROW if is_white else byteswap(_ROW)
    return bool(own == ZERO or opponent & goal != ZERO)


@implements(compiled.is_over, BreakthroughState)
def is_over(state: BreakthroughState) -> bool:
    return _has_lost(state.own, state.opponent, state.is_white)


@implements(compiled.write_moves, BreakthroughState)
def write_moves(state: BreakthroughState, moves: Moves) -> int:
    written = as_int64(0)
    pawns = ZERO if is_over(state) else state.own
    step = as_int64(8) if state.is_white else as_int64(-8)
    while pawns:
        origin = lowest_square(pawns)
        pawns &= pawns - ONE
        for aside in range(-1, 2):
            target = origin + step + aside
            blocked = state.own if aside else state.own | state.opponent
            if 0 <= origin % 8 + aside < 8 and not blocked >> np.uint64(target) & ONE:
                moves[written] = 64 * origin + target
                written += 1
    return written


@implements(compiled.play, BreakthroughState)
def play(state: BreakthroughState, move: int) -> BreakthroughState:
    origin, target = ONE << np.uint64(as_int64(move) // 64), ONE << np.uint64(as_int64(move) % 64)
    return BreakthroughState(state.opponent & ~target, state.own & ~origin | target, state.is_white ^ ONE)


@implements(compiled.final_difference, BreakthroughState)
def final_difference(state: BreakthroughState) -> int:
    return as_int64(-1)  # the last move won


@implements(compiled.is_possible, BreakthroughState)
def is_possible(state: BreakthroughState) -> bool:
    is_turn = state.is_white <= ONE and not _has_lost(state.opponent, state.own, state.is_white ^ ONE)
    return bool(is_turn and state.own & state.opponent == ZERO)


@inlined
def _worth(pawns: np.uint64) -> int:
    """Return the value of pawns that move up: those that have come far, and those that still guard the last row."""
    worth = as_int64(0)
    for row in range(7):
        worth += _WORTH[row] * popcount(pawns & byteswap(_ROW << np.uint64(8 * row)))
    return worth + 3 * popcount(pawns & byteswap(_ROW))


@implements(compiled.evaluate, BreakthroughState)
def evaluate(state: BreakthroughState) -> int:
    if state.is_white:
        return _worth(byteswap(state.own)) - _worth(state.opponent)
    return _worth(state.own) - _worth(byteswap(state.opponent))


@implements(compiled.playout_lanes, BreakthroughState)
def playout_lanes(example: BreakthroughState, words: Words, count: int, lanes: RandomState, differences: Ints) -> None:
    """Make one move in each lane at each step, always up the board, which is turned after it.

    In a finished lane only the sides are swapped.
    """
    width = compiled.fill_lanes(lanes, words, count, len(example))
    for lane in range(width):
        if lanes[4, lane]:
            lanes[2, lane], lanes[3, lane] = byteswap(lanes[2, lane]), byteswap(lanes[3, lane])
    sign = as_int64(1)
    any_move = ONE
    while any_move:
        any_move = ZERO
        for lane in range(width):
            own: np.uint64 = lanes[2, lane]
            opponent: np.uint64 = lanes[3, lane]
            is_over = own == ZERO or opponent == ZERO or (opponent & byteswap(_ROW) | own & _ROW) != ZERO
            pawns = ZERO if is_over else own
            # the squares that can be entered from the right, from below and from the left
            from_right = (pawns & ~_LEFT) >> _NINE & ~own
            from_below = pawns >> _EIGHT & ~(own | opponent)
            from_left = (pawns & ~_RIGHT) >> _SEVEN & ~own
            rights, belows = np.uint64(popcount(from_right)), np.uint64(popcount(from_below))
            rank = below_lane(lanes, lane, popcount(from_right) + popcount(from_below) + popcount(from_left))
            is_right, is_left = rank < rights, rank >= rights + belows
            targets = from_right if is_right else from_left if is_left else from_below
            rank -= ZERO if is_right else rights + belows if is_left else rights
            target = nth_bit(targets, rank)
            origin = target << (_NINE if is_right else _SEVEN if is_left else _EIGHT)
            lanes[2, lane] = byteswap(opponent & ~target)
            lanes[3, lane] = byteswap(own & ~origin | target)
            any_move |= target
        sign = -sign
    for lane in range(count):
        has_lost = lanes[2, lane] == ZERO or lanes[3, lane] & byteswap(_ROW) != ZERO
        differences[lane] = -sign if has_lost else sign
