"""Othello's moves on two 64-bit boards in plain Python.

Bit n of a board is a square of 8 x 8, row by row from a1. Smaller boards lie in its middle, and the squares around them
stay empty: who lets nobody play there needs no other code for captures or symmetries. A pass is move 64.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from othello.rules.protocol import Move

PASS: Final[Move] = 64
_MIDDLE: Final = {size: range(4 - size // 2, 4 + size // 2) for size in (8, 6)}  # the rows, and columns
BITS: Final = {size: tuple(8 * row + column for row in lines for column in lines) for size, lines in _MIDDLE.items()}
"""The bit of every square, row by row, of boards of some sizes."""

_BOARDS: Final = {size: sum(1 << bit for bit in bits) for size, bits in BITS.items()}
_ALL: Final = _BOARDS[8]
_INNER_COLUMNS = 0x7E7E7E7E7E7E7E7E
# (step from square to square along a line, where the discs between two others may lie on it): a row and a diagonal
# would otherwise go on at the board's other side
_LINES: Final = ((1, _INNER_COLUMNS), (8, _ALL), (7, _INNER_COLUMNS), (9, _INNER_COLUMNS))


def squares(board: int) -> Iterator[int]:
    """The squares of a board's discs in ascending order."""
    while board:
        lowest = board & -board
        yield lowest.bit_length() - 1
        board ^= lowest


def mobility(own: int, opponent: int) -> int:
    """The squares where the owner of `own` may play, as a board."""
    moves = 0
    for step, columns in _LINES:
        between = opponent & columns
        up, down = (own << step) & between, (own >> step) & between
        for _ in range(5):  # at most six opposing discs lie between two own ones
            up |= (up << step) & between
            down |= (down >> step) & between
        moves |= up << step | down >> step
    return moves & ~(own | opponent) & _ALL


def flips(own: int, opponent: int, square: Move) -> int:
    """The discs that playing on an empty square captures, as a board; 0 when the move is illegal."""
    move = 1 << square
    captured = 0
    for step, columns in _LINES:
        between = opponent & columns
        up, cursor = 0, move << step
        while cursor & between:
            up |= cursor
            cursor <<= step
        if cursor & own:
            captured |= up
        down, cursor = 0, move >> step
        while cursor & between:
            down |= cursor
            cursor >>= step
        if cursor & own:
            captured |= down
    return captured


@lru_cache(maxsize=4096)
def bits_or_pass(own: int, opponent: int, size: int) -> tuple[int, ...]:
    """The bits where the owner of `own` may play on a board of some size, or else a pass.

    Cached, because rules, players and views ask for the same position.
    """
    moves = mobility(own, opponent) & _BOARDS[size]
    if moves:
        return tuple(squares(moves))
    return (PASS,) if mobility(opponent, own) & _BOARDS[size] else ()
