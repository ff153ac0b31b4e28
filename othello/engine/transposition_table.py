"""The transposition table: bounds of a position's score, the depth and care behind them, and the two best moves.

Middle game and end game share a table, and so do threads. A place has three words: the entry and the position's two
boards, each board mixed with the entry. If two threads write a place at once, the words do not fit together and are not
found (Hyatt and Mann, "A Lockless Transposition Table Implementation for Parallel Search", ICGA Journal 25:1, 2002).

Two places are a bucket: the first for what took longest to find, the second for the newest. Source: Breuker, Uiterwijk
and van den Herik, "Replacement Schemes for Transposition Tables", ICCA Journal 17:4, 1994 ("TwoBig1").
"""

from typing import Final, TypeAlias

import numpy as np

from othello.kernel.bits import ZERO, as_int64
from othello.kernel.decorators import Words, inlined, kernel
from othello.kernel.hashing import place_of
from othello.rules.othello.othello_kernels import Bitboard

NO_MOVE: Final = 64

EXACT: Final = 5
"""The confidence of an exact search. A selective search has less, down to 0. Other programs say selectivity."""

Table: TypeAlias = Words
"""Shape (places, 4): own discs and the opponent's, both exclusive-or the entry, and the entry, 0 in a free place. The
fourth word is unused: with it a bucket fills one line of the processor's cache, and is fetched at once.

The entry is one word, from the lowest byte: lower bound + 64, upper bound + 64, best move, second best, depth in plies,
confidence, and the age of the search that wrote it.
"""

Known: TypeAlias = np.uint64
"""The last word of a place; 0: nothing."""

_LINE_WORDS: Final = 8  # of a line of the processor's cache
_BYTE = np.uint64(0xFF)
_S8, _S16, _S24, _S32, _S40, _S48 = (np.uint64(8 * n) for n in range(1, 7))


def new_table(places: int) -> Table:
    """An empty table; `places` is a power of two."""
    words = np.zeros(4 * places + _LINE_WORDS, np.uint64)
    start = -words.ctypes.data // words.itemsize % _LINE_WORDS
    return words[start : start + 4 * places].reshape(places, 4)


@inlined
def _bucket(table: Table, own: Bitboard, opponent: Bitboard) -> int:
    return place_of(own, opponent, len(table)) & ~1


@inlined
def probe(table: Table, own: Bitboard, opponent: Bitboard) -> Known:
    """The entry of a position."""
    place = _bucket(table, own, opponent)
    for index in range(place, place + 2):
        known: Known = table[index, 2]
        if table[index, 0] ^ known == own and table[index, 1] ^ known == opponent:
            return known
    return ZERO


@inlined
def bounds_of(known: Known) -> tuple[int, int]:
    """The lower and the upper bound."""
    return as_int64(known & _BYTE) - 64, as_int64(known >> _S8 & _BYTE) - 64


@inlined
def moves_of(known: Known) -> tuple[int, int]:
    """The best move and the second best."""
    return as_int64(known >> _S16 & _BYTE), as_int64(known >> _S24 & _BYTE)


@kernel
def expected_move(table: Table, own: Bitboard, opponent: Bitboard) -> int:
    """The best move of a position, NO_MOVE if none is known."""
    known = probe(table, own, opponent)
    return moves_of(known)[0] if known else NO_MOVE


@inlined
def is_usable(known: Known, depth: int, confidence: int) -> bool:
    """Whether the bounds come from a search that was deep and careful enough."""
    return as_int64(known >> _S32 & _BYTE) >= depth and as_int64(known >> _S40 & _BYTE) >= confidence


@inlined
def _worth(known: Known) -> int:
    """Age first, then depth and confidence."""
    return as_int64((known >> _S48) << _S16 | (known >> _S32 & _BYTE) << _S8 | known >> _S40 & _BYTE)


@inlined
def store(
    table: Table,
    own: Bitboard,
    opponent: Bitboard,
    alpha: int,
    beta: int,
    score: int,
    move: int,
    depth: int,
    confidence: int,
    age: int,
) -> None:
    """Store the result of a search of a window.

    A score > alpha is a lower bound, one < beta an upper one; the best move is the last that exceeded alpha. A deeper
    or more careful search of the same age stays.
    """
    first = _bucket(table, own, opponent)
    place = first
    lower, upper, second = -64, 64, NO_MOVE
    founded = np.uint64(depth) << _S32 | np.uint64(confidence) << _S40 | np.uint64(age) << _S48
    old: Known = table[first, 2]
    found = old != ZERO and table[first, 0] ^ old == own and table[first, 1] ^ old == opponent
    if not found:
        place = first + 1
        other: Known = table[place, 2]
        found = other != ZERO and table[place, 0] ^ other == own and table[place, 1] ^ other == opponent
        if found:
            old = other
        elif _worth(founded) >= _worth(old):
            place = first
    if found:
        if _worth(old) > _worth(founded):
            return
        if old >> _S32 & np.uint64(0xFFFF) == founded >> _S32 & np.uint64(0xFFFF):
            lower, upper = bounds_of(old)
        second, former_second = moves_of(old)
        if score <= alpha:  # no move stood out, so the earlier best move stays
            move, second = second, move
        if second == move:
            second = former_second
    if score > alpha:
        lower = max(lower, score)
    if score < beta:
        upper = min(upper, score)
    packed = (lower + 64) | (upper + 64) << 8 | move << 16 | second << 24
    known = np.uint64(packed) | founded
    table[place, 0] = own ^ known
    table[place, 1] = opponent ^ known
    table[place, 2] = known
