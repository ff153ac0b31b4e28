"""What the end-game search remembers of positions: bounds of the score and the two best moves.

Places are three words, and two places a bucket: the first for the position with most empties, the second for the
newest. Source: Breuker, Uiterwijk and van den Herik, "Replacement Schemes for Transposition Tables", ICCA Journal
17:4, 1994 ("TwoBig1").
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from othello.kernel.bits import as_int64, popcount
from othello.kernel.hashing import place_of
from othello.kernel.jit import inlined
from othello.rules.othello_kernels import Bitboard

NO_MOVE: Final = 64

Table: TypeAlias = NDArray[np.uint64]
"""Shape (places, 3): own and opponent's discs, none at all where the place is free, and what is known of the position.

What is known is packed into one word, from the lowest byte: lower bound + 64, upper bound + 64, best move, second best.
"""

_BYTE = np.uint64(0xFF)
_S8, _S16, _S24 = np.uint64(8), np.uint64(16), np.uint64(24)


def new_table(places: int) -> Table:
    """An empty table; `places` is a power of two."""
    return np.zeros((places, 3), np.uint64)


@inlined
def _bucket(table: Table, own: Bitboard, opponent: Bitboard) -> int:
    return place_of(own, opponent, len(table)) & ~1


@inlined
def find(table: Table, own: Bitboard, opponent: Bitboard) -> int:
    """The place of a known position, -1 where it is not known."""
    place = _bucket(table, own, opponent)
    if table[place, 0] == own and table[place, 1] == opponent:
        return place
    if table[place + 1, 0] == own and table[place + 1, 1] == opponent:
        return place + 1
    return -1


@inlined
def lower_bound(table: Table, place: int) -> int:
    return as_int64(table[place, 2] & _BYTE) - 64


@inlined
def upper_bound(table: Table, place: int) -> int:
    return as_int64(table[place, 2] >> _S8 & _BYTE) - 64


@inlined
def best_move(table: Table, place: int) -> int:
    return as_int64(table[place, 2] >> _S16 & _BYTE)


@inlined
def second_move(table: Table, place: int) -> int:
    return as_int64(table[place, 2] >> _S24 & _BYTE)


@inlined
def remember(table: Table, own: Bitboard, opponent: Bitboard, alpha: int, score: int, move: int) -> None:
    """Keep what a null-window search found out: score > alpha is a lower bound, otherwise it is an upper one."""
    place = find(table, own, opponent)
    lower, upper, second = -64, 64, NO_MOVE
    if place >= 0:
        lower, upper = lower_bound(table, place), upper_bound(table, place)
        second = best_move(table, place)
        if second == move:
            second = second_move(table, place)
    else:
        place = _bucket(table, own, opponent)
        discs = popcount(table[place, 0] | table[place, 1])
        if discs > 0 and discs < popcount(own | opponent):
            place += 1
        table[place, 0] = own
        table[place, 1] = opponent
    if score > alpha:
        lower = max(lower, score)
    else:
        upper = min(upper, score)
    known = (lower + 64) | (upper + 64) << 8 | move << 16 | second << 24
    table[place, 2] = np.uint64(known)
