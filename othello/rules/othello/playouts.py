"""Random games of Othello, one at a time and many in lock-step."""

from __future__ import annotations

import numpy as np

from othello.kernel.bits import ONE, ZERO, nth_bit, popcount
from othello.kernel.jit import Ints, Words, implements
from othello.kernel.random import RandomState, below, next_random_lane
from othello.rules import compiled
from othello.rules.othello.kernels import (
    ENDS_WITHOUT_MOVE,
    AnyState,
    Bitboard,
    OthelloState,
    VariantState,
    captures,
    centre_to_fill,
    lead,
    mobility,
    options_of,
    places,
)
from othello.rules.othello.lanes import lane_flips, lane_mobility

_HALF = np.uint64(32)
_ALL = ~ZERO


@implements(compiled.playout, OthelloState, VariantState)
def playout(state: AnyState, random: RandomState) -> int:
    options = options_of(state)
    own, opponent = state.own, state.opponent
    sign = 1
    while True:
        moves = places(options, own, opponent)
        if moves == ZERO:
            own, opponent, sign = opponent, own, -sign
            moves = ZERO if options & ENDS_WITHOUT_MOVE else mobility(own, opponent)
            if moves == ZERO:
                return sign * lead(options, own, opponent)
        for _ in range(below(random, popcount(moves))):
            moves &= moves - ONE
        move = moves & (ZERO - moves)
        captured = captures(options, own, opponent, move)
        own, opponent, sign = opponent ^ captured, own | captured | move, -sign


@implements(compiled.playout_lanes, OthelloState, VariantState)
def playout_lanes(like: AnyState, words: Words, count: int, lanes: RandomState, differences: Ints) -> None:
    """Two rows of boards and a loop over their columns.

    Every step plays one move in every lane; a lane without a move passes, and a finished lane passes for ever. By rules
    without passes, a lane remembers that it had no move and is finished.

    The loop over the lanes has no branch and no call, so the compiler turns it into vector instructions: eight games
    per register of 512 bits. All lanes have made the same number of swaps at any time, so the number of steps tells
    which side the boards belong to.
    """
    width = (count + 7) & ~7  # whole registers
    options = options_of(like)
    own, opponent, finished = 2, 3, 4  # rows of `lanes`
    for lane in range(width):
        lanes[finished, lane] = ZERO
        lanes[own, lane] = words[lane, 0] if lane < count else ZERO
        lanes[opponent, lane] = words[lane, 1] if lane < count else ZERO
    sign = 1
    moved_before = True
    while True:
        any_moves = ZERO
        for lane in range(width):
            mine: Bitboard = lanes[own, lane]
            theirs: Bitboard = lanes[opponent, lane]
            centre = centre_to_fill(options, mine, theirs)
            moves = centre if centre else lane_mobility(mine, theirs)
            if options & ENDS_WITHOUT_MOVE:
                moves &= ~lanes[finished, lane]
                lanes[finished, lane] = ZERO if moves else _ALL
            bits = next_random_lane(lanes, lane)
            rank = ((bits >> _HALF) * np.uint64(popcount(moves))) >> _HALF
            move = nth_bit(moves, rank)
            captured = ZERO if centre else lane_flips(mine, theirs, move)
            lanes[own, lane] = theirs ^ captured
            lanes[opponent, lane] = mine | captured | move
            any_moves |= moves
        sign = -sign
        moved = any_moves != ZERO
        if not moved and not moved_before:
            break
        moved_before = moved
    for lane in range(count):
        differences[lane] = sign * lead(options, lanes[own, lane], lanes[opponent, lane])
