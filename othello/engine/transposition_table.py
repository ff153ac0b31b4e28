"""The transposition table: bounds of the score, depth and confidence of the search, and the two best moves.

Middle game, end game and all threads share a table. A slot has three words: the entry, and the two boards, each XORed
with the entry. If two threads write a slot at the same time, the words do not match and are not found (Hyatt and Mann,
"A Lockless Transposition Table Implementation for Parallel Search", ICGA Journal 25:1, 2002).

Two slots are a bucket: one for the most expensive result, one for the newest. Source: Breuker, Uiterwijk and van den
Herik, "Replacement Schemes for Transposition Tables", ICCA Journal 17:4, 1994 ("TwoBig1").
"""

from typing import Final, TypeAlias

import numpy as np

from othello.kernel.bits import ZERO, as_int64
from othello.kernel.decorators import Words, inlined, kernel
from othello.kernel.hashing import place_of
from othello.rules.othello.othello_kernels import Bitboard

NO_MOVE: Final = 64

# The confidence of an exact search. Selective searches have less, down to 0. Also known as selectivity.
EXACT: Final = 5

# uint64 array of shape (places, 4): own discs and opposing discs, both XORed with the entry, the entry (0: free), and
# an unused word. With the unused word a bucket is exactly one cache line.
#
# The entry, from the lowest byte: lower bound + 64, upper bound + 64, best move, second best move, depth in plies,
# confidence, age of the search.
Table: TypeAlias = Words

# An entry; 0: none.
Known: TypeAlias = np.uint64

_LINE_WORDS: Final = 8  # of a cache line
_BYTE = np.uint64(0xFF)
_S8, _S16, _S24, _S32, _S40, _S48 = (np.uint64(8 * n) for n in range(1, 7))


def new_table(places: int) -> Table:
    """Return an empty table. `places`: number of slots, a power of two."""
    words = np.zeros(4 * places + _LINE_WORDS, np.uint64)
    start = -words.ctypes.data // words.itemsize % _LINE_WORDS
    return words[start : start + 4 * places].reshape(places, 4)


@inlined
def _bucket(table: Table, own: Bitboard, opponent: Bitboard) -> int:
    return place_of(own, opponent, len(table)) & ~1


@inlined
def probe(table: Table, own: Bitboard, opponent: Bitboard) -> Known:
    """Return the entry of a position, or 0."""
    place = _bucket(table, own, opponent)
    for index in range(place, place + 2):
        known: Known = table[index, 2]
        if table[index, 0] ^ known == own and table[index, 1] ^ known == opponent:
            return known
    return ZERO


@inlined
def bounds_of(known: Known) -> tuple[int, int]:
    """Return the lower and the upper bound."""
    return as_int64(known & _BYTE) - 64, as_int64(known >> _S8 & _BYTE) - 64


@inlined
def moves_of(known: Known) -> tuple[int, int]:
    """Return the best and the second best move."""
    return as_int64(known >> _S16 & _BYTE), as_int64(known >> _S24 & _BYTE)


@kernel
def expected_move(table: Table, own: Bitboard, opponent: Bitboard) -> int:
    """Return the best move of a position, or NO_MOVE if it is unknown."""
    known = probe(table, own, opponent)
    return moves_of(known)[0] if known else NO_MOVE


@inlined
def is_usable(known: Known, depth: int, confidence: int) -> bool:
    """Return whether the search behind an entry was deep and careful enough."""
    return as_int64(known >> _S32 & _BYTE) >= depth and as_int64(known >> _S40 & _BYTE) >= confidence


@inlined
def _replacement_value(known: Known) -> int:
    """Return a sort key: age, then depth, then confidence."""
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
    """Store the result of a search with a window.

    A score > alpha is a lower bound, a score < beta an upper bound. An entry of the same age from a deeper or more
    careful search stays.

    Args:
        table: the table.
        own: discs of the side to move.
        opponent: discs of the other side.
        alpha: lower end of the window.
        beta: upper end of the window.
        score: result of the search.
        move: the last move that exceeded alpha.
        depth: plies.
        confidence: 0 to EXACT.
        age: number of the search.
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
        elif _replacement_value(founded) >= _replacement_value(old):
            place = first
    if found:
        if _replacement_value(old) > _replacement_value(founded):
            return
        if old >> _S32 & np.uint64(0xFFFF) == founded >> _S32 & np.uint64(0xFFFF):
            lower, upper = bounds_of(old)
        second, former_second = moves_of(old)
        if score <= alpha:  # no move exceeded alpha: keep the earlier best move
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
