"""Multi-ProbCut: how far the value of a shallow search may differ from that of a deep one.

The standard deviation of the error is modelled as exp(a + b * empties + c * deep + d * shallow), separately for the
middle game and for searches to the end. `training.probcut` fits the coefficients to searches of the engine.

Source: Buro, "Experiments with Multi-ProbCut and a New High-Quality Evaluation Function for Othello", 2000.
"""

import math
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from othello.engine.transposition_table import EXACT

# Standard deviations by which a shallow value must lie outside the window, for each confidence below EXACT.
MULTIPLES: Final = (1.05, 1.3, 2.0, 2.6, 3.3)

# The confidence of searches with a time limit. They also reduce late moves and simplify the evaluation of leaves.
AGGRESSIVE: Final = 0

# The confidence of searches to a fixed depth, and of the first pass to the end of the game.
CONSERVATIVE: Final = 1

# The coefficients a, b, c, d.
MIDDLE: Final = (1.4725, -0.0115, 0.0427, -0.1271)
END: Final = (1.8461, 0.0014, 0.0014, -0.066)

_NEVER: Final = 200
_EMPTIES: Final = range(65)


def _shallow_plies(depth: int) -> int:
    shallow = 2 * (depth // 4) + (depth & 1)
    return max(0, depth - 2) if shallow >= depth else shallow


# The plies of the shallow search that replaces a search of each depth: about half, of the same parity.
SHALLOW: Final = np.array([_shallow_plies(depth) for depth in _EMPTIES])


def deviation(coefficients: tuple[float, ...], empties: int, deep: int, shallow: int) -> float:
    """Return the standard deviation of the difference between the values of two searches, in discs."""
    a, b, c, d = coefficients
    return math.exp(a + b * empties + c * deep + d * shallow)


@lru_cache(maxsize=64)
def margins(confidence: int, factor: float = 1.0) -> NDArray[np.int64]:
    """Return the margins in discs by [empties, depth]. A `factor` of more than 1 prunes less."""
    table = np.full((len(_EMPTIES), len(_EMPTIES)), _NEVER, np.int64)
    if confidence < EXACT:
        for empties in _EMPTIES:
            for depth in range(3, empties + 1):
                model = END if depth == empties else MIDDLE
                error = deviation(model, empties, depth, int(SHALLOW[depth]))
                table[empties, depth] = math.ceil(factor * MULTIPLES[confidence] * error)
    return table
