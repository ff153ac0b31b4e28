"""The chance to win a position, from the disc difference that a search expects.

The expected points of a game, a draw being half a win, are modelled as a logistic function of the discs, with a scale
of exp(a + b * empties + c * depth): the nearer the end and the deeper the search, the more a disc is worth.
`training.chances` fits the coefficients to games and to searches of their positions.

Source: Glickman and Jones, "Rating the Chess Rating System", Chance 12:2, 1999, for the logistic model of results.
"""

import math
from typing import Final

SCALE: Final = (1.0039, 0.0135, -0.0382)
"""The coefficients a, b, c."""


def win_probability(discs: float, empties: int, depth: int) -> float:
    """The points to expect, 0 to 1, if a search of `depth` plies expects a win by `discs`.

    The depth is 0 for the evaluation alone, and at least `empties` for an exact score.
    """
    if depth >= empties:
        return 0.5 if discs == 0 else float(discs > 0)
    a, b, c = SCALE
    return 1.0 / (1.0 + math.exp(-discs / math.exp(a + b * empties + c * depth)))
