"""Fit the winning chances: `python -m training.chances POSITIONS.npz --out FOLDER`.

Positions of games that were held out are searched depth after depth. The coefficients that make the games' results
most likely are printed; they belong in `othello.engine.chances`. Every sample is kept in the folder; called again, only
missing ones are searched.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from othello.engine.engine import Bounds, Engine
from training import crew, samples

EMPTIES: Final = range(14, 54)
DEPTH: Final = 12
STEPS: Final = 60


def search(engine: Engine, own: int, opponent: int, empties: int, score: int) -> list[tuple[int, int, int, float]]:
    """Empty squares, depth, value and the game's points, depth after depth."""
    points = 0.5 + 0.5 * float(np.sign(score))
    bounds = Bounds(min(DEPTH, empties - 1), exact_empties=0)
    return [(empties, step.depth, step.value, points) for step in engine.deepen(own, opponent, bounds)]


def fit(searched: NDArray[np.float64]) -> NDArray[np.float64]:
    """The coefficients for rows of empty squares, depth, discs and points, by Newton's method on the likelihood."""
    empties, depth, discs, points = searched.T
    features = np.stack([np.ones_like(empties), empties, depth], axis=1)
    coefficients = np.array([1.0, 0.0, 0.0])
    for _ in range(STEPS):
        logit = discs * np.exp(-features @ coefficients)
        chance = 1.0 / (1.0 + np.exp(-np.clip(logit, -30, 30)))
        slope = features.T @ ((chance - points) * logit)
        curve = (features * (chance * (1 - chance) * logit**2)[:, None]).T @ features
        coefficients += np.clip(np.linalg.solve(curve, slope), -0.5, 0.5)
    return coefficients


def main() -> None:
    """The command."""
    rows = samples.searched("training.chances", __doc__, search, EMPTIES, 1 << 18)
    print("SCALE", tuple(round(float(coefficient), 4) for coefficient in fit(np.array(rows))), f"{len(rows)} searches")


if __name__ == "__main__":
    crew.run("training.chances")
