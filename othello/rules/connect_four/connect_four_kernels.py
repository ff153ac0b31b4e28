"""Connect Four as kernels; the same rules as `othello.rules.connect_four`.

A row of a board has eight bits, the top row the lowest ones. The eighth bit is always 0, so that shifts along rows and
diagonals do not reach the other side of the board.
"""

from typing import NamedTuple

import numpy as np

from othello.kernel.bits import ONE, ZERO, as_int64, lowest_square, nth_bit, popcount
from othello.kernel.decorators import Ints, Moves, Words, implements, inlined
from othello.kernel.random import RandomState, below_lane
from othello.rules import compiled

_COLUMNS = 7
_ROW = np.uint64(8)
_STEPS = (ONE, np.uint64(7), _ROW, np.uint64(9))  # across, on the two diagonals, down
_AREA = np.uint64(0x7F7F7F7F7F7F)
_BOTTOM = np.uint64(0x7F0000000000)
_LEFT = np.uint64(0x010101010101)
_TWO, _SIX = np.uint64(2), np.uint64(6)


class DropState(NamedTuple):
    """A position, seen from the side to move."""

    own: np.uint64
    opponent: np.uint64


def drop_state(own: int, opponent: int) -> DropState:
    """Return a state from boards whose bit n is square n."""

    def spread(squares: int) -> np.uint64:
        return np.uint64(sum((squares >> 7 * row & 0x7F) << 8 * row for row in range(6)))

    return DropState(spread(own), spread(opponent))


@inlined
def _fours(board: np.uint64) -> np.uint64:
    """Return 0 if no four discs are in a row."""
    fours = ZERO
    for step in _STEPS:
        pairs = board & (board >> step)
        fours |= pairs & (pairs >> (_TWO * step))
    return fours


@inlined
def _open(own: np.uint64, opponent: np.uint64) -> np.uint64:
    """Return the lowest free square of each column; none if the opponent has won."""
    taken = own | opponent
    free = _AREA & ~taken & (taken >> _ROW | _BOTTOM)
    return free if _fours(opponent) == ZERO else ZERO


@implements(compiled.write_moves, DropState)
def write_moves(state: DropState, moves: Moves) -> int:
    free = _open(state.own, state.opponent)
    written = as_int64(0)
    while free:
        square = lowest_square(free)
        moves[written] = square - square // 8
        written += 1
        free &= free - ONE
    return written


@implements(compiled.is_over, DropState)
def is_over(state: DropState) -> bool:
    return bool(_open(state.own, state.opponent) == ZERO)


@implements(compiled.mobility, DropState)
def mobility(state: DropState) -> int:
    return popcount(_open(state.own, state.opponent))


@implements(compiled.play, DropState)
def play(state: DropState, move: int) -> DropState:
    square = as_int64(move)
    return DropState(state.opponent, state.own | ONE << np.uint64(square + square // _COLUMNS))


@implements(compiled.final_difference, DropState)
def final_difference(state: DropState) -> int:
    return as_int64(_fours(state.own) != ZERO) - as_int64(_fours(state.opponent) != ZERO)


@inlined
def _chances(own: np.uint64, opponent: np.uint64) -> int:
    """Return the value of all rows of four that can still be filled: 1, 4 or 16 for one, two or three discs."""
    worth = as_int64(0)
    for step in _STEPS:
        free = _AREA & ~opponent
        free &= free >> step
        free &= free >> (_TWO * step)
        second = own >> step
        both, one = own & second, own ^ second  # of the first two squares of the row that begins at each bit
        last_both, last_one = both >> (_TWO * step), one >> (_TWO * step)
        none, last_none = ~(both | one), ~(last_both | last_one)
        worth += popcount(free & ((one & last_none) | (none & last_one)))
        worth += 4 * popcount(free & ((both & last_none) | (none & last_both) | (one & last_one)))
        worth += 16 * popcount(free & ((both & last_one) | (one & last_both)))
    return worth


@implements(compiled.evaluate, DropState)
def evaluate(state: DropState) -> int:
    return _chances(state.own, state.opponent) - _chances(state.opponent, state.own)


@implements(compiled.playout_lanes, DropState)
def playout_lanes(example: DropState, words: Words, count: int, lanes: RandomState, differences: Ints) -> None:
    """Drop one disc in each lane at each step. In a finished lane only the sides are swapped."""
    width = compiled.fill_lanes(lanes, words, count, len(example))
    sign = as_int64(1)
    any_move = ONE
    while any_move:
        any_move = ZERO
        for lane in range(width):
            own: np.uint64 = lanes[2, lane]
            opponent: np.uint64 = lanes[3, lane]
            free = _open(own, opponent)
            free = ZERO if _fours(own) != ZERO else free
            move = nth_bit(free, below_lane(lanes, lane, popcount(free)))
            lanes[2, lane] = opponent
            lanes[3, lane] = own | move
            any_move |= move
        sign = -sign
    for lane in range(count):
        won = as_int64(_fours(lanes[2, lane]) != ZERO) - as_int64(_fours(lanes[3, lane]) != ZERO)
        differences[lane] = sign * won


@implements(compiled.is_possible, DropState)
def is_possible(state: DropState) -> bool:
    taken = state.own | state.opponent
    ahead = popcount(state.opponent) - popcount(state.own)
    is_board = (state.own & state.opponent) | (taken & ~_AREA) | (taken & ~(taken >> _ROW | _BOTTOM)) == ZERO
    return bool(is_board and 0 <= ahead <= 1 and _fours(state.own) == ZERO)


@inlined
def _mirrored(board: np.uint64) -> np.uint64:
    """Return a board with left and right exchanged."""
    mirrored = ZERO
    for column in range(_COLUMNS):
        mirrored |= ((board >> np.uint64(column)) & _LEFT) << (_SIX - np.uint64(column))
    return mirrored


@implements(compiled.canonical, DropState)
def canonical(state: DropState) -> tuple[DropState, int]:
    image = DropState(_mirrored(state.own), _mirrored(state.opponent))
    return (image, as_int64(1)) if image < state else (state, as_int64(0))


@implements(compiled.original_move, DropState)
def original_move(example: DropState, move: int, symmetry: int) -> int:
    square = as_int64(move)
    return square + _COLUMNS - 1 - 2 * (square % _COLUMNS) if symmetry else square
