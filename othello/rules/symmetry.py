"""The eight symmetries of a square board.

A symmetry is a number of three bits, applied from the highest to the lowest: 4 swaps rows and columns, 2 mirrors left
and right, 1 turns the board upside down.
"""

from functools import cache
from typing import Final

SYMMETRIES: Final = range(8)


def image_of(row: int, column: int, size: int, symmetry: int) -> tuple[int, int]:
    """Return the row and column to which a symmetry moves a square."""
    if symmetry & 4:
        row, column = column, row
    if symmetry & 2:
        column = size - 1 - column
    if symmetry & 1:
        row = size - 1 - row
    return row, column


@cache
def square_images(size: int) -> tuple[tuple[int, ...], ...]:
    """Return for each symmetry the squares to which it moves all squares, row by row."""
    squares = [divmod(square, size) for square in range(size * size)]
    images = ([image_of(row, column, size, symmetry) for row, column in squares] for symmetry in SYMMETRIES)
    return tuple(tuple(row * size + column for row, column in image) for image in images)
