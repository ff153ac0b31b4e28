"""Simultaneous perturbation stochastic approximation (SPSA): maximise a function by noisy comparisons.

An iteration compares two points on opposite sides of the current point, in a random direction along all coordinates
at once, and moves towards the better one. However many coordinates there are, this takes one comparison.

Sources: J. C. Spall, "Multivariate Stochastic Approximation Using a Simultaneous Perturbation Gradient Approximation",
IEEE Transactions on Automatic Control 37, 1992; the gains: J. C. Spall, "Implementation of the Simultaneous
Perturbation Algorithm for Stochastic Optimization", IEEE Transactions on Aerospace and Electronic Systems 34, 1998.
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Point: TypeAlias = NDArray[np.float64]  # every coordinate from 0 to 1
Direction: TypeAlias = NDArray[np.int64]  # 1 or -1 for every coordinate

_ALPHA: Final = 0.602  # decay of the moves
_GAMMA: Final = 0.101  # decay of the distance between the compared points
_STABILITY: Final = 0.1  # share of the iterations during which moves hardly get shorter


class Spsa:
    """The state of a search."""

    def __init__(self, start: Sequence[float], iterations: int, step: float, move: float) -> None:
        """Start a search.

        Args:
            start: the first point.
            iterations: the number of iterations.
            step: distance of the compared points from the current one in every coordinate, in the first iteration.
            move: distance that the first iteration moves if one point wins all games.
        """
        self.point: Point = np.array(start, np.float64)
        self.iteration = 0  # completed iterations
        self._stability = _STABILITY * iterations
        self._c = step
        self._a = 2 * step * move * (self._stability + 1) ** _ALPHA

    def sides(self, direction: Direction) -> tuple[Point, Point]:
        """Return the two points to compare."""
        change = self._perturbation * direction
        return np.clip(self.point + change, 0, 1), np.clip(self.point - change, 0, 1)

    def learn(self, direction: Direction, difference: float) -> None:
        """End an iteration. `difference` is the advantage of the first point, from -1 to 1."""
        gain = self._a / (self._stability + self.iteration + 1) ** _ALPHA
        slope = difference / (2 * self._perturbation * direction)
        self.point = np.clip(self.point + gain * slope, 0, 1)
        self.iteration += 1

    @property
    def _perturbation(self) -> float:
        return self._c / float((self.iteration + 1) ** _GAMMA)
