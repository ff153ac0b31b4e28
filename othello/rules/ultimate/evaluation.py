"""What positions of ultimate tic-tac-toe are worth: marks and won boards by their lines."""

from __future__ import annotations

from typing import Final

import numpy as np

from othello.kernel.bits import ONE, ZERO, as_int64, popcount
from othello.kernel.jit import implements, kernel
from othello.rules import compiled
from othello.rules.ultimate.kernels import NINE, UltimateState, cells_of, opponent_won_of, own_won_of

# What a mark, or a won board, is worth by its place: the centre lies on four lines, a corner on three, a side on two.
_PLACES: Final = np.array([3, 2, 3, 2, 4, 2, 3, 2, 3])
_LINES: Final = np.array([0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100])
_TWO_OPEN: Final = 8
_WON_BOARD: Final = 40
_TWO_BOARDS: Final = 120


@kernel
def _nine_worth(own: np.uint64, blocked: np.uint64, two_open: int) -> int:
    """The value of nine places: each counts by its lines, and two places of an open line count extra.

    Args:
        own: the places that one side has.
        blocked: the places that the side can no longer get.
        two_open: the value of two places of a line if the third can still be taken.
    """
    worth = as_int64(0)
    for place in range(9):
        if (own >> np.uint64(place)) & ONE:
            worth += _PLACES[place]
    for index in range(len(_LINES)):
        line = np.uint64(_LINES[index])
        if (blocked & line) == ZERO and popcount(own & line) == 2:
            worth += two_open
    return worth


@kernel
def _side_worth(
    low: np.uint64, high: np.uint64, other_low: np.uint64, other_high: np.uint64, won: np.uint64, lost: np.uint64
) -> int:
    """The value of marks and boards for one side; `lost` are the boards that this side can no longer win."""
    worth = _WON_BOARD * _nine_worth(won, lost, _TWO_BOARDS // _WON_BOARD)
    for index in range(9):
        board = np.uint64(index)
        if ((won | lost) >> board) & ONE == ZERO:
            own, other = cells_of(low, high, board), cells_of(other_low, other_high, board)
            worth += _PLACES[index] * _nine_worth(own, other, _TWO_OPEN)
    return worth


@implements(compiled.evaluate, UltimateState)
def evaluate(state: UltimateState) -> int:
    own_won, opponent_won = own_won_of(state), opponent_won_of(state)
    low, high = state.own_low | state.opponent_low, state.own_high | state.opponent_high
    full = ZERO
    for index in range(9):
        board = np.uint64(index)
        full |= np.uint64(cells_of(low, high, board) == NINE) << board
    own = _side_worth(
        state.own_low, state.own_high, state.opponent_low, state.opponent_high, own_won, opponent_won | full & ~own_won
    )
    opponent = _side_worth(
        state.opponent_low,
        state.opponent_high,
        state.own_low,
        state.own_high,
        opponent_won,
        own_won | full & ~opponent_won,
    )
    return own - opponent
