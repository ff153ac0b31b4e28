"""Fit the winning chances: `python -m training.chances POSITIONS.npz --out FOLDER`.

Positions of held-out games are searched at rising depths. The command prints the coefficients that make the results of
the games most likely, for `othello.engine.win_probability`. Each sample is a file in FOLDER; a second run searches only
missing samples.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from othello.engine.engine import Bounds, Engine
from training import parallel, samples

EMPTIES: Final = range(14, 54)
DEPTH: Final = 12
STEPS: Final = 60


def search(engine: Engine, own: int, opponent: int, empties: int, score: int) -> list[tuple[int, int, int, float]]:
    """Return rows of empty squares, depth, value and the game's points, by rising depth."""
    points = 0.5 + 0.5 * float(np.sign(score))
    bounds = Bounds(min(DEPTH, empties - 1), exact_empties=0)
    return [(empties, step.depth, step.value, points) for step in engine.deepen(own, opponent, bounds)]


def fit(searched: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the coefficients of the model, fitted by Newton's method on the likelihood.

    `rows`: empty squares, depth, value in discs, and points of the game.
    """
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
    """Run the command."""
    rows = samples.searched("training.chances", __doc__, search, EMPTIES, 1 << 18)
    print("SCALE", tuple(round(float(coefficient), 4) for coefficient in fit(np.array(rows))), f"{len(rows)} searches")


if __name__ == "__main__":
    parallel.run("training.chances")
