"""The probability to win, from the disc difference that a search expects.

The expected points, with 0.5 for a draw, are a logistic function of the discs with scale exp(a + b * empties + c *
depth): the nearer the end and the deeper the search, the more a disc is worth. `training.chances` fits the coefficients
to games and to searches of their positions.

Source of the logistic model: Glickman and Jones, "Rating the Chess Rating System", Chance 12:2, 1999.
"""

import math
from typing import Final

# The coefficients a, b, c.
SCALE: Final = (1.0039, 0.0135, -0.0382)


def win_probability(discs: float, empties: int, depth: int) -> float:
    """Return the expected points, 0 to 1, if a search expects a win by `discs`.

    Args:
        discs: expected disc difference.
        empties: empty squares.
        depth: plies of the search; 0 for the evaluation alone, at least `empties` for an exact score.
    """
    if depth >= empties:
        return 0.5 if discs == 0 else float(discs > 0)
    a, b, c = SCALE
    return 1.0 / (1.0 + math.exp(-discs / math.exp(a + b * empties + c * depth)))
