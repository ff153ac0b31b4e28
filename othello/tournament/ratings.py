"""Strengths of many players from their results against each other."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from othello.tournament.statistics import Interval, Units, student_quantile

_PER_ELO: Final = math.log(10) / 400
_STEPS: Final = 100
_VIRTUAL_GAMES: Final = 0.5


def bradley_terry(names: Sequence[str], results: Mapping[tuple[str, str], Units]) -> dict[str, Interval]:
    """Elo of every player with 95 % intervals, 0 the mean of all.

    The ratings maximise the likelihood of all scores, a draw being half a win. They are found by Newton's method.
    Where that maximum lies at infinity, because some players never scored against the others, each player is given
    half a virtual game, drawn, against an average one. Intervals are those of the "sandwich" estimator: the
    curvature of the likelihood on both sides of the variance seen in pairs of games.

    Args:
        names: the players.
        results: for (first, second) what the first scored, each pair of players at most once.

    Sources:
        R. A. Bradley and M. E. Terry, "Rank Analysis of Incomplete Block Designs", Biometrika 39, 1952.
        H. White, "Maximum Likelihood Estimation of Misspecified Models", Econometrica 50, 1982.
    """
    index = {name: place for place, name in enumerate(names)}
    size = len(names)
    games, points = np.zeros((size, size)), np.zeros((size, size))
    for (first, second), units in results.items():
        i, j = index[first], index[second]
        games[i, j] = games[j, i] = units.games
        points[i, j], points[j, i] = units.points, units.games - units.points
    virtual = 0.0 if _is_connected(points) else _VIRTUAL_GAMES
    elo = _maximum(games, points, virtual)
    errors = _standard_errors(elo, games, virtual, [(index[a], index[b], units) for (a, b), units in results.items()])
    intervals = {}
    for name, place in index.items():
        number = sum(units.number for pair, units in results.items() if name in pair)
        reach = student_quantile(number) * float(errors[place]) if number else math.inf
        middle = float(elo[place])
        intervals[name] = Interval(middle - reach, middle, middle + reach)
    return intervals


def _is_connected(points: NDArray[np.float64]) -> bool:
    """Whether everyone has scored against everyone, directly or through others: then the maximum is finite."""
    reached = (points > 0) | np.eye(len(points), dtype=bool)
    for _ in range(len(points).bit_length()):
        reached = reached @ reached
    return bool(reached.all())


def _expected(elo: NDArray[np.float64]) -> NDArray[np.float64]:
    return 1 / (1 + np.exp(-_PER_ELO * (elo[:, None] - elo[None, :])))


def _information(elo: NDArray[np.float64], games: NDArray[np.float64], virtual: float) -> NDArray[np.float64]:
    """The negative second derivative of the log-likelihood, a matrix of shape (players, players)."""
    expected = _expected(elo)
    weights = _PER_ELO**2 * games * expected * (1 - expected)
    against_average = _expected(np.append(elo, 0.0))[-1, :-1]
    own = weights.sum(axis=1) + _PER_ELO**2 * virtual * against_average * (1 - against_average)
    return np.diag(own) - weights


def _maximum(games: NDArray[np.float64], points: NDArray[np.float64], virtual: float) -> NDArray[np.float64]:
    elo = np.zeros(len(games))
    for _ in range(_STEPS):
        against_average = _expected(np.append(elo, 0.0))[:-1, -1]
        surplus = (points - games * _expected(elo)).sum(axis=1) + virtual * (0.5 - against_average)
        step = np.linalg.pinv(_information(elo, games, virtual)) @ (_PER_ELO * surplus)
        step *= min(1.0, 200 / max(np.abs(step).max(), 1e-9))  # far from the maximum Newton's steps are too long
        elo += step - step.mean()
        if np.abs(step).max() < 1e-9:
            break
    return elo


def _standard_errors(
    elo: NDArray[np.float64], games: NDArray[np.float64], virtual: float, results: Sequence[tuple[int, int, Units]]
) -> NDArray[np.float64]:
    expected = _expected(elo)
    seen = np.zeros_like(games)
    for i, j, units in results:
        variance = _PER_ELO**2 * units.variance(float(expected[i, j]))
        seen[[i, j], [i, j]] += variance
        seen[[i, j], [j, i]] -= variance
    inverse = np.linalg.pinv(_information(elo, games, virtual))
    return np.asarray(np.sqrt(np.diag(inverse @ seen @ inverse)))
