"""The eight symmetries of a square board, as tables of squares and as operations on 64-bit boards.

A symmetry is a number of three bits, applied from the highest to the lowest: 4 transposes the board (rows become
columns), 2 mirrors it (column a becomes column h), 1 turns it upside down.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, Final

SYMMETRIES: Final = range(8)

# The steps of `exchanged` on boards of 8 x 8 squares, row by row from the lowest bit.
TRANSPOSITION: Final = ((28, 0x00000000F0F0F0F0), (14, 0x0000CCCC0000CCCC), (7, 0x00AA00AA00AA00AA))
MIRRORING: Final = ((1, 0x5555555555555555), (2, 0x3333333333333333), (4, 0x0F0F0F0F0F0F0F0F))


def exchanged(board: Any, steps: Sequence[tuple[Any, Any]]) -> Any:
    """Return a board, or an array of boards, in which squares have changed places.

    Args:
        board: an integer or an array of uint64.
        steps: (shift, mask) of each step. The bits of the mask change places with the bits `shift` higher.

    Source: delta swaps, https://www.chessprogramming.org/Flipping_Mirroring_and_Rotating
    """
    for shift, mask in steps:
        moved = (board ^ (board >> shift)) & mask
        board = board ^ moved ^ (moved << shift)
    return board


def board_images(board: Any, upside_down: Callable[[Any], Any]) -> Iterator[Any]:
    """Yield the images of a board, or of an array of boards, under the symmetries 0 to 7."""
    for turned in (board, exchanged(board, TRANSPOSITION)):
        for image in (turned, exchanged(turned, MIRRORING)):
            yield image
            yield upside_down(image)


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
