"""The symmetries of a square board as kernels."""

import numpy as np

from othello.kernel.bits import as_int64
from othello.kernel.decorators import inlined
from othello.rules.symmetry import image_of

_INVERSE = np.array([0, 1, 2, 3, 4, 6, 5, 7])  # the inverse of each symmetry

image = inlined(image_of)


@inlined
def original(square: int, size: int, symmetry: int) -> int:
    """Return the square that a symmetry moves to `square`; squares are numbered row by row."""
    row, column = image(as_int64(square) // size, as_int64(square) % size, size, _INVERSE[symmetry])
    return row * size + column
