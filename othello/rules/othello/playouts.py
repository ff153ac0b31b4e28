"""Playouts of Othello, one at a time and many in parallel."""

import operator
from collections.abc import Callable

import numpy as np

from othello.kernel.bits import ONE, ZERO, nth_bit, popcount
from othello.kernel.decorators import Ints, Words, implements, inlined
from othello.kernel.random import RandomState, below, below_lane
from othello.rules import compiled
from othello.rules.othello import othello_kernels
from othello.rules.othello.othello_kernels import ENDS_WITHOUT_MOVE, AnyState, Bitboard, OthelloState, VariantState

_ALL = ~ZERO


@implements(compiled.playout, OthelloState, VariantState)
def playout(state: AnyState, random: RandomState) -> int:
    options = othello_kernels.options_of(state)
    own, opponent = state.own, state.opponent
    sign = 1
    while True:
        moves = othello_kernels.places(options, own, opponent)
        if moves == ZERO:
            own, opponent, sign = opponent, own, -sign
            moves = ZERO if options & ENDS_WITHOUT_MOVE else othello_kernels.places(options, own, opponent)
            if moves == ZERO:
                return sign * othello_kernels.lead(options, own, opponent)
        for _ in range(below(random, popcount(moves))):
            moves &= moves - ONE
        move = moves & (ZERO - moves)
        captured = othello_kernels.captures(options, own, opponent, move)
        own, opponent, sign = opponent ^ captured, own | captured | move, -sign


# `othello_kernels.mobility` and `flips` fill a vector register with the four lines of one position. In a loop over
# positions it is faster to fill it with positions. LLVM can vectorise the functions here for that.

_INNER_COLUMNS = np.uint64(0x7E7E7E7E7E7E7E7E)  # columns b to g: discs that rows and diagonals can capture
_S1, _S2 = np.uint64(1), np.uint64(2)
_S7, _S14 = np.uint64(7), np.uint64(14)
_S8, _S16 = np.uint64(8), np.uint64(16)
_S9, _S18 = np.uint64(9), np.uint64(18)


@inlined
def _reach(own: Bitboard, between: Bitboard, single: Bitboard, double: Bitboard) -> Bitboard:
    """Return the squares behind each run of `between` that begins next to `own`, in both directions of a line.

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
def _lane_mobility(own: Bitboard, opponent: Bitboard) -> Bitboard:
    """Return the legal moves, as `othello_kernels.mobility` does, in a form that loops can vectorise."""
    inner = opponent & _INNER_COLUMNS
    reached = (
        _reach(own, inner, _S1, _S2)
        | _reach(own, opponent, _S8, _S16)
        | _reach(own, inner, _S7, _S14)
        | _reach(own, inner, _S9, _S18)
    )
    return reached & ~(own | opponent)


def _capturing(shift: Callable[[Bitboard, Bitboard], Bitboard]) -> Callable[..., Bitboard]:
    """Return a kernel for the discs that a move captures in one direction."""

    @inlined
    def captured(own: Bitboard, between: Bitboard, move: Bitboard, single: Bitboard, double: Bitboard) -> Bitboard:
        run = between & shift(move, single)
        run |= between & shift(run, single)
        pair = between & shift(between, single)
        run |= pair & shift(run, double)
        run |= pair & shift(run, double)
        return run if own & shift(run, single) else ZERO

    return captured


_captured_up, _captured_down = _capturing(operator.lshift), _capturing(operator.rshift)


@inlined
def _lane_flips(own: Bitboard, opponent: Bitboard, move: Bitboard) -> Bitboard:
    """Return captured discs, as `othello_kernels.flips` does, in a form that loops can vectorise."""
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


@implements(compiled.playout_lanes, OthelloState, VariantState)
def playout_lanes(example: AnyState, words: Words, count: int, lanes: RandomState, differences: Ints) -> None:
    """Play one move in each lane at each step. A lane without a move passes, a finished one for ever.

    If the rules have no passes, a lane records that it had no move and is finished.

    The loop over the lanes has no branches and calls, so that LLVM vectorises it: eight games in a register of 512
    bits. All lanes swap their boards at each step, so that the number of steps determines whose boards they are.
    """
    width = compiled.fill_lanes(lanes, words, count, 2)
    options = othello_kernels.options_of(example)
    board = othello_kernels.board_of(options)
    own, opponent, finished = 2, 3, 4  # rows of `lanes`
    lanes[finished, :width] = ZERO
    sign = 1
    moved_before = True
    while True:
        any_moves = ZERO
        for lane in range(width):
            mine: Bitboard = lanes[own, lane]
            theirs: Bitboard = lanes[opponent, lane]
            centre = othello_kernels.centre_to_fill(options, mine, theirs)
            moves = centre if centre else _lane_mobility(mine, theirs) & board
            if options & ENDS_WITHOUT_MOVE:
                moves &= ~lanes[finished, lane]
                lanes[finished, lane] = ZERO if moves else _ALL
            move = nth_bit(moves, below_lane(lanes, lane, popcount(moves)))
            captured = ZERO if centre else _lane_flips(mine, theirs, move)
            lanes[own, lane] = theirs ^ captured
            lanes[opponent, lane] = mine | captured | move
            any_moves |= moves
        sign = -sign
        moved = any_moves != ZERO
        if not moved and not moved_before:
            break
        moved_before = moved
    for lane in range(count):
        differences[lane] = sign * othello_kernels.lead(options, lanes[own, lane], lanes[opponent, lane])
