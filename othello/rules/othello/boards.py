"""Othello's moves on two 64-bit boards in plain Python.

Squares are 0-63 from a1, row by row; bit n of a board is square n. A pass is move 64.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from othello.rules.protocol import Move

PASS: Final[Move] = 64

_ALL = (1 << 64) - 1
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
def moves_or_pass(own: int, opponent: int) -> tuple[Move, ...]:
    """Cached, because rules, players and views ask for the same position."""
    moves = mobility(own, opponent)
    if moves:
        return tuple(squares(moves))
    return (PASS,) if mobility(opponent, own) else ()
