"""The patterns of the evaluation, and their indices.

A pattern is a set of squares. Each image of it under the symmetries of the board is a lane; the lanes of a class share
a table of weights. The pattern index of a lane has a digit for each square in base three: 0 empty, 1 the side to move,
2 the opponent.

An index is stored as two sums of powers of three, one for the discs of each side. A move then costs one vector addition
for each turned disc, and a change of sides costs nothing.

Sources: Buro, "Experiments with Multi-ProbCut and a New High-Quality Evaluation Function for Othello", 2000, for
patterns by stage; Delorme, Edax 4.4, eval.c, and Takizawa, Egaroucid, evaluate_common.hpp, for their shapes.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from othello.rules.symmetry import square_images

# The squares of one lane of each class, the lowest digit first.
SHAPES: Final = {
    "corner 3 x 3 and d4": "a1 b1 c1 a2 b2 c2 a3 b3 c3 d4",
    "edge and X squares": "b2 a1 b1 c1 d1 e1 f1 g1 h1 g2",
    "edge and inner C squares": "c2 a1 b1 c1 d1 e1 f1 g1 h1 f2",
    "edge block": "a1 c1 d1 c2 d2 e2 f2 e1 f1 h1",
    "angle": "a5 a4 a3 a2 a1 b2 b1 c1 d1 e1",
    "triangle": "a1 b1 c1 d1 a2 b2 c2 a3 b3 a4",
    "corner 2 x 5": "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2",
    "row 2": "a1 a2 b2 c2 d2 e2 f2 g2 h2 h1",
    "row 3": "b2 a3 b3 c3 d3 e3 f3 g3 h3 g2",
    "row 4": "a3 a4 b4 c4 d4 e4 f4 g4 h4 h3",
    "diagonal of 8": "a1 b2 c3 d4 e5 f6 g7 h8 a2 b1",
    "diagonal of 7": "a1 a2 b3 c4 d5 e6 f7 g8 h8",
    "diagonal of 6": "a2 a3 b4 c5 d6 e7 f8 g8 c4 e6",
    "diagonal of 5": "a4 b5 c6 d7 e8 a5 b6 c7 d8",
    "wide diagonal": "a1 b2 c3 d4 b1 c2 d3 a2 b3 c4",
}

# Stages of two plies each, from the start position on. Each stage has its own weights.
STAGES: Final = 30

# The number of lanes of all classes.
LANES: Final = 64

# Size of the tables by number of moves. No position has as many.
MOBILITY_SIZE: Final = 40
# Size of each dimension of the tables by several counts. The last element stands for all larger counts.
FEW: Final = 12
# The same for moves in one quadrant or on one edge.
FEW_MOVES: Final = 6


def _images(square: int) -> list[int]:
    """Return the images of a square under the eight symmetries. The order determines the layout of the weights."""
    return [square_images(8)[symmetry][square] for symmetry in (0, 2, 1, 3, 4, 5, 6, 7)]


def _square(name: str) -> int:
    return "abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1)


class _Class:
    """The lanes of a shape, and the symmetry of its indices."""

    def __init__(self, shape: str) -> None:
        self.images = list(zip(*(_images(_square(name)) for name in shape.split()), strict=True))
        self.lanes = list({tuple(sorted(image)): image for image in reversed(self.images)}.values())[::-1]
        self.size = 3 ** len(shape.split())

    def smallest_images(self) -> NDArray[np.int64]:
        """Return for each index the smallest index of its images under the symmetries of the shape."""
        base, *_ = self.images
        numbers = np.arange(self.size)
        digits = [numbers // 3**place % 3 for place in range(len(base))]
        least = numbers
        for image in self.images:
            if set(image) == set(base):
                mirrored = sum(digits[place] * 3 ** base.index(square) for place, square in enumerate(image))
                least = np.minimum(least, mirrored)
        return least


_CLASSES: Final = [_Class(shape) for shape in SHAPES.values()]
_SIZES: Final = [kind.size for kind in _CLASSES]
_STARTS: Final = [sum(_SIZES[:place]) for place in range(len(_SIZES) + 1)]

# The squares of each lane, the lowest digit first.
LANE_SQUARES: Final = [lane for kind in _CLASSES for lane in kind.lanes]
# Start of the table of each lane's class in the weights of a stage.
LANE_STARTS: Final = [start for kind, start in zip(_CLASSES, _STARTS, strict=False) for _ in kind.lanes]

# Start of the weights by number of own moves. Weights of other counts follow.
OWN_MOVES: Final = _STARTS[-1]
OPPONENT_MOVES: Final = OWN_MOVES + MOBILITY_SIZE
# Start of the weights by [own moves, opponent's moves, half of the own frontier discs, half of the opponent's frontier
# discs, odd]. The first four have FEW elements each; odd is 1 if the number of empty squares is odd.
FRONTIER: Final = OPPONENT_MOVES + MOBILITY_SIZE
# Start of the weights by [empty squares, own moves, opponent's moves, odd] of a quadrant: FEW, FEW_MOVES, FEW_MOVES and
# 2 elements.
QUADRANT: Final = FRONTIER + FEW**4 * 2
# Start of the weights by [empty squares, own moves, opponent's moves, odd, own discs] of an edge: FEW, FEW_MOVES,
# FEW_MOVES, 2 and 9 elements.
EDGE: Final = QUADRANT + FEW * FEW_MOVES**2 * 2
# Start of the weights by [quadrants with own moves, with the opponent's moves, with an odd number of empty squares], a
# bit for each quadrant.
ACCESS: Final = EDGE + FEW * FEW_MOVES**2 * 2 * 9
# Number of weights of a stage.
WEIGHTS: Final = ACCESS + 16**3


def _place_values() -> NDArray[np.uint16]:
    values = np.zeros((64, LANES), np.uint16)
    for lane, squares in enumerate(LANE_SQUARES):
        for digit, square in enumerate(squares):
            values[square, lane] = 3**digit
    return values


# Added to the index of each lane by a disc of the side to move: [square, lane].
PLACE_VALUES: Final = _place_values()


def shared_weights() -> NDArray[np.int32]:
    """Return a number 0, 1, 2, ... for each weight of a stage; mirror images have the same number."""
    least = np.concatenate(
        [kind.smallest_images() + start for kind, start in zip(_CLASSES, _STARTS, strict=False)]
        + [np.arange(OWN_MOVES, ACCESS), ACCESS + _smallest_accesses()]
    )
    is_least = np.zeros(WEIGHTS, np.int32)
    is_least[least] = 1
    numbers: NDArray[np.int32] = (np.cumsum(is_least, dtype=np.int32) - 1)[least]
    return numbers


def _smallest_accesses() -> NDArray[np.int64]:
    """Return for each index of the last table the smallest of its images. Quadrants 0 and 1 lie above 2 and 3."""
    numbers = np.arange(16**3)
    least = numbers
    for corners in zip(*(_images(square) for square in (0, 7, 56, 63)), strict=True):
        turned = [(0, 7, 56, 63).index(corner) for corner in corners]
        image = sum(
            (numbers >> 4 * part + old & 1) << 4 * part + new for part in range(3) for old, new in enumerate(turned)
        )
        least = np.minimum(least, image)
    return least
