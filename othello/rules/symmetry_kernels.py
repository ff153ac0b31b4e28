"""The symmetries of a square board in compiled code."""

from othello.kernel.bits import as_int64
from othello.kernel.decorators import inlined
from othello.rules.symmetry import image_of

image = inlined(image_of)


@inlined
def original(square: int, size: int, symmetry: int) -> int:
    """Return the square that a symmetry moves to `square`; squares are numbered row by row."""
    row, column = as_int64(square) // size, as_int64(square) % size
    if symmetry & 1:
        row = size - 1 - row
    if symmetry & 2:
        column = size - 1 - column
    if symmetry & 4:
        row, column = column, row
    return row * size + column
