"""Moves and captures of Othello in plain Python, on two 64-bit boards.

Bit n is square n of 8 x 8, row by row from a1. A smaller board lies in the middle, and the squares around it remain
empty. Captures and symmetries then need no other code. A pass is move 64.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from othello.rules.protocol import Move

PASS: Final = Move(64)
_MIDDLE: Final = {size: range(4 - size // 2, 4 + size // 2) for size in (8, 6)}  # the rows, and columns
# The bit of each square, row by row, by board size.
BITS: Final = {size: tuple(8 * row + column for row in lines for column in lines) for size, lines in _MIDDLE.items()}

_BOARDS: Final = {size: sum(1 << bit for bit in bits) for size, bits in BITS.items()}
_ALL: Final = _BOARDS[8]
_INNER_COLUMNS = 0x7E7E7E7E7E7E7E7E
# (shift to the next square of a line, squares that captured discs can be on). Without the mask, rows and diagonals
# would continue on the other side of the board.
_LINES: Final = ((1, _INNER_COLUMNS), (8, _ALL), (7, _INNER_COLUMNS), (9, _INNER_COLUMNS))


def squares(board: int) -> Iterator[int]:
    """Yield the squares of a board in ascending order."""
    while board:
        lowest = board & -board
        yield lowest.bit_length() - 1
        board ^= lowest


def mobility(own: int, opponent: int) -> int:
    """Return the legal moves of the side with the discs `own`, as a board."""
    moves = 0
    for step, columns in _LINES:
        between = opponent & columns
        up, down = (own << step) & between, (own >> step) & between
        for _ in range(5):  # a move captures at most six discs in a line
            up |= (up << step) & between
            down |= (down >> step) & between
        moves |= up << step | down >> step
    return moves & ~(own | opponent) & _ALL


def flips(own: int, opponent: int, square: int) -> int:
    """Return the discs that a move to an empty square captures, as a board; 0 if the move is illegal."""
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
    """Return the bits of the legal moves on a board of this size, or a pass.

    Cached, because rules, players and views ask for the same positions.
    """
    moves = mobility(own, opponent) & _BOARDS[size]
    if moves:
        return tuple(squares(moves))
    return (PASS,) if mobility(opponent, own) & _BOARDS[size] else ()
