"""The eight symmetries of a square board.

A symmetry is a number of three bits, applied from the highest to the lowest: 4 swaps rows and columns, 2 mirrors left
and right, 1 turns the board upside down.
"""

from othello.kernel.bits import as_int64
from othello.kernel.decorators import inlined


def image_of(row: int, column: int, size: int, symmetry: int) -> tuple[int, int]:
    """Where a square comes to lie."""
    if symmetry & 4:
        row, column = column, row
    if symmetry & 2:
        column = size - 1 - column
    if symmetry & 1:
        row = size - 1 - row
    return row, column


image = inlined(image_of)


@inlined
def original(square: int, size: int, symmetry: int) -> int:
    """The square, row by row, that comes to lie on `square`."""
    row, column = as_int64(square) // size, as_int64(square) % size
    if symmetry & 1:
        row = size - 1 - row
    if symmetry & 2:
        column = size - 1 - column
    if symmetry & 4:
        row, column = column, row
    return row * size + column
