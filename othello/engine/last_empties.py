"""Exact scores of positions with one to four empty squares, without loops over moves.

Scores are final disc differences for the side to move, with empty squares counted for the winner. All functions search
a null window: the result is a bound of the score that is > alpha exactly if the score is.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from othello.engine.stable_discs import captures, ray
from othello.kernel.bits import ONE, ZERO, as_int64, lowest_square, popcount
from othello.kernel.decorators import Ints, Words, inlined, kernel
from othello.rules.othello.othello_kernels import Bitboard, mobility

NO_SCORE: Final = -127  # less than any score

_COLUMN = np.uint64(0x0101010101010101)
_TO_BYTE = np.uint64(0x0102040810204080)  # a factor that collects the bits of a column in the highest byte
_LOW_BYTE = np.uint64(0xFF)
_TOP = np.uint64(56)
_ROW_SHIFT = np.uint64(0x38)
_COLUMN_SHIFT = np.uint64(7)


def _line_counts() -> NDArray[np.int8]:
    """Return the discs that the last disc of a line captures in it, by [index in the line, own discs as bits]."""
    counts = np.zeros((8, 256), np.int8)
    for place in range(8):
        for own in range(256):
            for step in (-1, 1):
                cursor = place + step
                while 0 <= cursor < 8 and not own >> cursor & 1:
                    cursor += step
                if 0 <= cursor < 8:
                    counts[place, own] += abs(cursor - place) - 1
    return counts


def _diagonals(step: int) -> Words:
    """Return the squares of the diagonal of each square. `step`: columns to the right for each row up."""
    return np.array([ray(square, step, 1) | ray(square, -step, -1) | 1 << square for square in range(64)], np.uint64)


_LINE_COUNTS: Final = _line_counts()
_RISING: Final = _diagonals(1)
_FALLING: Final = _diagonals(-1)

# The quarters of the board at a1, h1, a8 and h8.
QUADRANTS: Final = tuple(np.uint64(0x0F0F0F0F << shift) for shift in (0, 4, 32, 36))


@inlined
def odd_quadrants(empty: Bitboard) -> Bitboard:
    """Return the squares of quadrants with an odd number of empty squares.

    A move there is good because the same side then also makes the last move in the quadrant.

    Source: https://www.chessprogramming.org/Othello, "parity".
    """
    odd = ZERO
    for quadrant in QUADRANTS:
        if popcount(empty & quadrant) & 1:
            odd |= quadrant
    return odd


@inlined
def _last_captures(own: Bitboard, square: int) -> int:
    """Return the number of discs that `own` captures on the last empty square. The opponent has all other squares."""
    place = np.uint64(square)
    row, column = place & _ROW_SHIFT, place & _COLUMN_SHIFT
    return as_int64(
        _LINE_COUNTS[square & 7, (own >> row) & _LOW_BYTE]
        + _LINE_COUNTS[square >> 3, (((own >> column) & _COLUMN) * _TO_BYTE) >> _TOP]
        + _LINE_COUNTS[square & 7, ((own & _RISING[square]) * _COLUMN) >> _TOP]
        + _LINE_COUNTS[square & 7, ((own & _FALLING[square]) * _COLUMN) >> _TOP]
    )


@inlined
def final_score(own: Bitboard, opponent: Bitboard) -> int:
    """Return the score of a finished game."""
    mine, theirs = popcount(own), popcount(opponent)
    if mine > theirs:
        return 64 - 2 * theirs
    if mine < theirs:
        return 2 * mine - 64
    return 0


@inlined
def side_with_moves(own: Bitboard, opponent: Bitboard, alpha: int) -> tuple[Bitboard, Bitboard, int, int, Bitboard]:
    """Return the side to move, perhaps after a pass: own discs, opposing discs, alpha, sign of scores, moves."""
    moves = mobility(own, opponent)
    if moves:
        return own, opponent, alpha, 1, moves
    return opponent, own, -alpha - 1, -1, mobility(opponent, own)


@kernel
def last_one(own: Bitboard, square: int) -> int:
    """Return the exact score of a position with one empty square."""
    mine = 2 * popcount(own)
    captured = _last_captures(own, square)
    if captured:
        return mine + 2 * captured + 2 - 64
    captured = _last_captures(~own & ~(ONE << np.uint64(square)), square)
    if captured:
        return mine - 2 * captured - 64
    return mine - 64 + (2 if mine >= 64 else 0)


@kernel
def last_two(own: Bitboard, opponent: Bitboard, alpha: int, first: int, second: int) -> int:
    best = NO_SCORE
    captured = captures(own, opponent, first)
    if captured:
        best = -last_one(opponent ^ captured, second)
        if best > alpha:
            return best
    captured = captures(own, opponent, second)
    if captured:
        return max(best, -last_one(opponent ^ captured, first))
    if best > NO_SCORE:
        return best
    # A pass: the opponent wants a low score.
    worst = -NO_SCORE
    captured = captures(opponent, own, first)
    if captured:
        worst = last_one(own ^ captured, second)
        if worst <= alpha:
            return worst
    captured = captures(opponent, own, second)
    if captured:
        return min(worst, last_one(own ^ captured, first))
    return worst if worst < -NO_SCORE else final_score(own, opponent)


@kernel
def last_three(own: Bitboard, opponent: Bitboard, alpha: int, first: int, second: int, third: int) -> int:
    mover, other, sign = own, opponent, 1
    for _ in range(2):
        best = NO_SCORE
        bound = alpha if sign == 1 else -alpha - 1
        square, a, b = first, second, third
        for _ in range(3):
            captured = captures(mover, other, square)
            if captured:
                after = mover | captured | ONE << np.uint64(square)
                best = max(best, -last_two(other ^ captured, after, -bound - 1, a, b))
                if best > bound:
                    return sign * best
            square, a, b = a, b, square
        if best > NO_SCORE:
            return sign * best
        mover, other, sign = other, mover, -sign  # a pass
    return final_score(own, opponent)


@kernel
def last_four(own: Bitboard, opponent: Bitboard, alpha: int, nodes: Ints) -> int:
    """Return a bound of the score of a position with four empty squares. Odd quadrants are tried first."""
    nodes[0] += 1
    mover, other, bound, sign, moves = side_with_moves(own, opponent, alpha)
    if moves == ZERO:
        return final_score(own, opponent)
    empty = ~(own | opponent)
    odd = odd_quadrants(empty)
    best = NO_SCORE
    todo, later = moves & odd, moves & ~odd
    if todo == ZERO:
        todo, later = later, todo
    while todo:
        square = lowest_square(todo)
        move = todo & (ZERO - todo)
        todo ^= move
        if todo == ZERO:
            todo, later = later, todo
        captured = captures(mover, other, square)
        # The other three squares, odd quadrants first.
        left = (empty ^ move) & odd
        rest = (empty ^ move) & ~odd
        if left == ZERO:
            left, rest = rest, left
        a = lowest_square(left)
        left &= left - ONE
        if left == ZERO:
            left, rest = rest, left
        b = lowest_square(left)
        left &= left - ONE
        c = lowest_square(left | rest)
        nodes[0] += 1
        best = max(best, -last_three(other ^ captured, mover | captured | move, -bound - 1, a, b, c))
        if best > bound:
            break
    return sign * best
