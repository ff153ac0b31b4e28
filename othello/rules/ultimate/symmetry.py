"""The eight symmetries of the large board. Every small board is mirrored and turned in the same way."""

from __future__ import annotations

from typing import Final

import numpy as np

from othello.kernel.bits import ZERO, as_int64
from othello.kernel.jit import implements, inlined, kernel
from othello.rules import compiled
from othello.rules.symmetry import image_of, original
from othello.rules.ultimate.kernels import (
    ANY,
    BITS,
    BOTH_WON,
    FIVE,
    RULE,
    TARGET,
    UltimateState,
    cells_of,
    opponent_won_of,
    own_won_of,
    target_of,
)


def _images() -> list[list[int]]:
    """Where nine places come to lie in the eight symmetries."""
    squares = [[image_of(*divmod(place, 3), 3, symmetry) for place in range(9)] for symmetry in range(8)]
    return [[3 * row + column for row, column in image] for image in squares]


_IMAGES: Final = _images()
_IMAGE: Final = np.array(_IMAGES)  # (8, 9): the place of every place
_IMAGE_OF_CELLS: Final = np.array(
    [
        [sum(1 << place for bit, place in enumerate(image) if cells >> bit & 1) for cells in range(512)]
        for image in _IMAGES
    ],
    np.uint64,
)  # (8, 512): the nine bits of nine bits


@inlined
def _image_words(low: np.uint64, high: np.uint64, symmetry: int) -> tuple[np.uint64, np.uint64]:
    """Both words of one side's marks: every board's cells change places, and so do the boards."""
    new_low = new_high = ZERO
    for board in range(9):
        cells = _IMAGE_OF_CELLS[symmetry, cells_of(low, high, np.uint64(board))]
        there = np.uint64(_IMAGE[symmetry, board])
        if there < FIVE:
            new_low |= cells << (BITS * there)
        else:
            new_high |= cells << (BITS * (there - FIVE))
    return new_low, new_high


@kernel
def _image(state: UltimateState, symmetry: int) -> UltimateState:
    own_low, own_high = _image_words(state.own_low, state.own_high, symmetry)
    opponent_low, opponent_high = _image_words(state.opponent_low, state.opponent_high, symmetry)
    target = target_of(state)
    new_target = ANY if target == ANY else np.uint64(_IMAGE[symmetry, target])
    own_won, opponent_won = own_won_of(state), opponent_won_of(state)
    boards = _IMAGE_OF_CELLS[symmetry, own_won] | (_IMAGE_OF_CELLS[symmetry, opponent_won] << BOTH_WON)
    boards |= (new_target << TARGET) | (state.boards >> RULE << RULE)
    return UltimateState(own_low, own_high, opponent_low, opponent_high, boards)


@implements(compiled.canonical, UltimateState)
def canonical(state: UltimateState) -> tuple[UltimateState, int]:
    best_state, best = state, as_int64(0)
    for symmetry in range(1, 8):
        image = _image(state, symmetry)
        if image < best_state:
            best_state, best = image, as_int64(symmetry)
    return best_state, best


@implements(compiled.original_move, UltimateState)
def original_move(like: UltimateState, move: int, symmetry: int) -> int:
    return original(move, 9, symmetry)
