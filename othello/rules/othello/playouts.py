"""Random games of Othello, one at a time and many in lock-step."""

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


# `kernels.mobility` and `flips` spread the lines of one position over a vector register. In a loop over positions it is
# better to fill the register with positions: the compiler can vectorise the functions here.

_INNER_COLUMNS = np.uint64(0x7E7E7E7E7E7E7E7E)  # no run of captured discs along a row or diagonal leaves b-g
_S1, _S2 = np.uint64(1), np.uint64(2)
_S7, _S14 = np.uint64(7), np.uint64(14)
_S8, _S16 = np.uint64(8), np.uint64(16)
_S9, _S18 = np.uint64(9), np.uint64(18)


@inlined
def _runs(start: Bitboard, between: Bitboard, single: Bitboard, double: Bitboard) -> tuple[Bitboard, Bitboard]:
    """The runs of `between` that begin beside `start`, towards higher and lower squares along one line.

    Source: parallel-prefix fill, https://www.chessprogramming.org/Parallel_Prefix_Algorithms
    """
    up = between & (start << single)
    down = between & (start >> single)
    up |= between & (up << single)
    down |= between & (down >> single)
    pair_up = between & (between << single)
    pair_down = between & (between >> single)
    up |= pair_up & (up << double)
    down |= pair_down & (down >> double)
    up |= pair_up & (up << double)
    down |= pair_down & (down >> double)
    return up, down


@inlined
def _reach(own: Bitboard, between: Bitboard, single: Bitboard, double: Bitboard) -> Bitboard:
    """The squares one step beyond the runs that begin beside `own`."""
    up, down = _runs(own, between, single, double)
    return (up << single) | (down >> single)


@inlined
def _lane_mobility(own: Bitboard, opponent: Bitboard) -> Bitboard:
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
def _captured(own: Bitboard, between: Bitboard, move: Bitboard, single: Bitboard, double: Bitboard) -> Bitboard:
    """The runs that begin beside `move` and end beside an own disc."""
    up, down = _runs(move, between, single, double)
    return (up if own & (up << single) else ZERO) | (down if own & (down >> single) else ZERO)


@inlined
def _lane_flips(own: Bitboard, opponent: Bitboard, move: Bitboard) -> Bitboard:
    """`kernels.flips` for loops."""
    inner = opponent & _INNER_COLUMNS
    return (
        _captured(own, inner, move, _S1, _S2)
        | _captured(own, opponent, move, _S8, _S16)
        | _captured(own, inner, move, _S7, _S14)
        | _captured(own, inner, move, _S9, _S18)
    )


@implements(compiled.playout_lanes, OthelloState, VariantState)
def playout_lanes(like: AnyState, words: Words, count: int, lanes: RandomState, differences: Ints) -> None:
    """Two rows of boards and a loop over their columns.

    Every step plays one move in every lane; a lane without a move passes, and a finished lane passes for ever. By rules
    without passes, a lane remembers that it had no move and is finished.

    The loop over the lanes has no branch and no call, so the compiler turns it into vector instructions: eight games
    per register of 512 bits. All lanes have made the same number of swaps at any time, so the number of steps tells
    which side the boards belong to.
    """
    width = compiled.fill_lanes(lanes, words, count, 2)
    options = othello_kernels.options_of(like)
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
