"""Strengths of many players from their results against each other."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from othello.tournament.statistics import Interval, Units, student_quantile

_PER_ELO: Final = math.log(10) / 400
_STEPS: Final = 100
_VIRTUAL_GAMES: Final = 0.5
_FARTHEST: Final = 4000.0  # Elo; who is not known to be nearer than this can be anywhere
_HALVINGS: Final = 24


def bradley_terry(names: Sequence[str], results: Mapping[tuple[str, str], Units]) -> dict[str, Interval]:
    """Elo of every player with 95 % intervals, 0 the mean of all; of several groups, the mean of each.

    The ratings maximise the likelihood of all scores, a draw being half a win. They are found by Newton's method.
    Where that maximum lies at infinity, because some players never scored against the others, each player is given
    half a virtual game, drawn, against an average one.

    An interval holds the ratings that are not much less likely than the best: the likelihood is followed while the
    player's rating moves and drags the others along. How much is "much" follows from the variance seen in pairs of
    games, the "sandwich" estimator, in place of the variance of independent games.

    Args:
        names: the players.
        results: for (first, second) what the first scored, each pair of players at most once.

    Sources:
        R. A. Bradley and M. E. Terry, "Rank Analysis of Incomplete Block Designs", Biometrika 39, 1952.
        H. White, "Maximum Likelihood Estimation of Misspecified Models", Econometrica 50, 1982.
        J. T. Kent, "Robust Properties of Likelihood Ratio Tests", Biometrika 69, 1982.
    """
    intervals = {}
    for group in groups(names, results):
        met = {pair: units for pair, units in results.items() if pair[0] in group}
        intervals.update(_rated(group, met) if met else {group[0]: Interval(-math.inf, 0.0, math.inf)})
    return intervals


def groups(names: Sequence[str], pairs: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Players who met, directly or through others, together: only within a group is there anything to compare."""
    group_of = {name: [name] for name in names}
    for first, second in pairs:
        joined, other = group_of[first], group_of[second]
        if joined is not other:
            joined += other
            group_of.update(dict.fromkeys(other, joined))
    return list({id(group): group for group in group_of.values()}.values())


def _rated(names: Sequence[str], results: Mapping[tuple[str, str], Units]) -> dict[str, Interval]:
    """The ratings of one group."""
    index = {name: place for place, name in enumerate(names)}
    size = len(names)
    games, points, seen = (np.zeros((size, size)) for _ in range(3))
    for (first, second), units in results.items():
        i, j = index[first], index[second]
        games[i, j] = games[j, i] = units.games
        points[i, j], points[j, i] = units.points, units.games - units.points
    virtual = 0.0 if _is_connected(points) else _VIRTUAL_GAMES
    elo = _maximum(games, points, virtual)
    expected = _expected(elo)
    for (first, second), units in results.items():
        i, j = index[first], index[second]
        variance = _PER_ELO**2 * units.variance(float(expected[i, j]))
        seen[[i, j], [i, j]] += variance
        seen[[i, j], [j, i]] -= variance
    numbers = [sum(units.number for pair, units in results.items() if name in pair) for name in names]
    quantiles = np.array([student_quantile(number) for number in numbers])
    centre = np.eye(size) - 1 / size  # the mean stays where it is
    inverse = np.asarray(np.linalg.pinv(centre @ _information(elo, games, virtual) @ centre), np.float64)
    inflation = np.diag(inverse @ seen @ inverse) / np.diag(inverse)
    lows, highs = _bounds(elo, points, inverse, inflation * quantiles**2 / 2)
    return {
        name: Interval(float(low), float(middle), float(high))
        for name, low, middle, high in zip(names, lows, elo, highs, strict=True)
    }


def _bounds(
    elo: NDArray[np.float64], points: NDArray[np.float64], inverse: NDArray[np.float64], drops: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How far down and up every rating can go before the log-likelihood drops by so much; infinite where it never does.

    Args:
        elo: the ratings.
        points: what each player scored against each.
        inverse: of the information; its rows say how the other ratings follow when one moves.
        drops: for every player.
    """
    directions = inverse / np.diag(inverse)[:, None]

    def likelihood(moves: NDArray[np.float64]) -> NDArray[np.float64]:
        """Of the ratings when each player in turn has moved by so much."""
        moved = elo + moves[:, None] * directions
        differences = moved[:, :, None] - moved[:, None, :]
        return np.asarray(-(points * np.logaddexp(0.0, -_PER_ELO * differences)).sum(axis=(1, 2)))

    zero = np.zeros(len(elo))
    ends = [likelihood(zero + sign * _FARTHEST) for sign in (-1, 1)]
    least = np.maximum.reduce([likelihood(zero), *ends]) - drops
    bounds = []
    for sign, end in zip((-1, 1), ends, strict=True):
        near, far = zero, zero + sign * _FARTHEST
        for _ in range(_HALVINGS):
            middle = (near + far) / 2
            holds = likelihood(middle) >= least
            near, far = np.where(holds, middle, near), np.where(holds, far, middle)
        bounds.append(np.where(end >= least, sign * np.inf, elo + near))
    return bounds[0], bounds[1]


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
