"""Symmetries of boards, as maps of squares and as operations on 64-bit boards.

The rules of a game name its symmetries. Those of a square board have numbers of three bits, applied from the highest to
the lowest: 4 transposes the board (rows become columns), 2 mirrors it (column a becomes column h), 1 turns it upside
down.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, Final

from othello.rules.protocol import P, Rules, Square, SquareMap

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
def square_images(size: int) -> tuple[SquareMap, ...]:
    """Return the maps of the eight symmetries of a square board."""
    squares = [divmod(square, size) for square in range(size * size)]
    images = ([image_of(row, column, size, symmetry) for row, column in squares] for symmetry in SYMMETRIES)
    return tuple(tuple(Square(row * size + column) for row, column in image) for image in images)


@cache
def mirror_images(columns: int, rows: int) -> tuple[SquareMap, ...]:
    """Return the identity, and the map that mirrors a board: column a becomes the last column."""
    squares = range(columns * rows)
    mirrored = (square + columns - 1 - 2 * (square % columns) for square in squares)
    return tuple(map(Square, squares)), tuple(map(Square, mirrored))


def symmetries_between(rules: Rules[P], position: P, other: P) -> Iterator[SquareMap]:
    """Yield the symmetries of a game that map one position to another."""
    return (symmetry for symmetry in rules.symmetries if rules.image_of(position, symmetry) == other)
