"""Random games of ultimate tic-tac-toe, one at a time and many in lock-step."""

from __future__ import annotations

import numpy as np

from othello.kernel.bits import ONE, ZERO, as_int64, lowest_square, nth_bit, popcount
from othello.kernel.jit import Ints, Words, implements
from othello.kernel.random import RandomState, below, next_random_lane
from othello.rules import compiled
from othello.rules.ultimate.kernels import (
    ANY,
    BITS,
    BOTH_WON,
    CELLS,
    LOW_BITS,
    NINE,
    NINTH,
    RULE,
    TARGET,
    TARGET_MASK,
    WORDS,
    UltimateState,
    after,
    board_mask,
    cells_of,
    free_cells,
    has_rows,
    opponent_won_of,
    own_won_of,
    result_of,
)

_HALF = np.uint64(32)
_WORD = np.uint64(63)


@implements(compiled.playout, UltimateState)
def playout(state: UltimateState, random: RandomState) -> int:
    sign = as_int64(1)
    while True:
        low, high = free_cells(state)
        below_high = popcount(low)
        free = below_high + popcount(high)
        if free == 0:
            return sign * result_of(own_won_of(state), opponent_won_of(state), state.boards >> RULE)
        rank = below(random, free)
        word = low if rank < below_high else high
        for _ in range(rank if rank < below_high else rank - below_high):
            word &= word - ONE
        place = lowest_square(word) + (0 if rank < below_high else 45)
        state = after(state, np.uint64(place))
        sign = -sign


@implements(compiled.playout_lanes, UltimateState)
def playout_lanes(like: UltimateState, words: Words, count: int, lanes: RandomState, differences: Ints) -> None:
    """Every lane holds a packed state. Every step plays one move in every lane; a finished lane only swaps its sides.

    The loop over the lanes has no branch and no call: it selects where `free_cells` and `after` branch.
    """
    width = (count + 7) & ~7  # whole registers
    for lane in range(width):
        for word in range(WORDS):
            lanes[2 + word, lane] = words[lane, word] if lane < count else ZERO
    sign = as_int64(1)
    while True:
        any_move = ZERO
        for lane in range(width):
            own_low: np.uint64 = lanes[2, lane]
            own_high: np.uint64 = lanes[3, lane]
            opponent_low: np.uint64 = lanes[4, lane]
            opponent_high: np.uint64 = lanes[5, lane]
            boards: np.uint64 = lanes[6, lane]
            own_won = boards & NINE
            opponent_won = (boards >> BOTH_WON) & NINE
            target = (boards >> TARGET) & TARGET_MASK
            finished = own_won | opponent_won
            at_low, at_high = board_mask(target)
            is_won = (has_rows(own_won) | has_rows(opponent_won)) != ZERO
            low = ZERO if is_won else at_low & ~(own_low | opponent_low | CELLS[0, finished])
            high = ZERO if is_won else at_high & ~(own_high | opponent_high | CELLS[1, finished])
            in_low = np.uint64(popcount(low))
            bits = next_random_lane(lanes, lane)
            rank = ((bits >> _HALF) * (in_low + np.uint64(popcount(high)))) >> _HALF
            is_low = rank < in_low
            move = nth_bit(low if is_low else high, rank if is_low else rank - in_low)
            place = (np.uint64(popcount(move - ONE)) & _WORD) + (ZERO if is_low else LOW_BITS)
            own_low |= move if is_low else ZERO
            own_high |= ZERO if is_low else move
            board = (place * NINTH) >> BITS
            cell = place - board * BITS
            row = has_rows(cells_of(own_low, own_high, board))
            own_won |= np.uint64((row != ZERO) & (move != ZERO)) << board
            finished = own_won | opponent_won
            taken = cells_of(own_low | opponent_low, own_high | opponent_high, cell)
            is_closed = (taken == NINE) | ((finished >> cell) & ONE != ZERO)
            target = ANY if is_closed else cell
            lanes[2, lane] = opponent_low
            lanes[3, lane] = opponent_high
            lanes[4, lane] = own_low
            lanes[5, lane] = own_high
            lanes[6, lane] = opponent_won | (own_won << BOTH_WON) | (target << TARGET)
            any_move |= move
        sign = -sign
        if any_move == ZERO:
            break
    rule = like.boards >> RULE
    for lane in range(count):
        won: np.uint64 = lanes[6, lane]
        differences[lane] = sign * result_of(won & NINE, (won >> BOTH_WON) & NINE, rule)
