"""Elo ratings of players from their results against each other."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from othello.frozen_dataclass import FrozenDataclass
from othello.tournament.statistics import QUANTILE, Interval, PairScores

_PER_ELO: Final = math.log(10) / 400
_STEPS: Final = 100
_MAX_STEP: Final = 200.0  # Elo; Newton's steps are too long far from the maximum
_PRECISION: Final = 1e-9
_VIRTUAL_GAMES: Final = 0.5
_MAX_DISTANCE: Final = 4000.0  # Elo; a bound farther away counts as infinite
_BOUND_PRECISION: Final = 1e-3

_Floats: TypeAlias = NDArray[np.float64]


def bradley_terry(names: Sequence[str], results: Mapping[tuple[str, str], PairScores]) -> dict[str, Interval]:
    """Return the Elo ratings of all players with 95 % intervals. 0 is the mean of each group of connected players.

    The ratings maximise the likelihood of all scores, where a draw is half a win. They are found by Newton's method.
    If the maximum lies at infinity, because some players never scored against the others, each player gets half a
    virtual drawn game against an average player.

    An interval contains the ratings whose profile likelihood is close enough to the maximum: the other ratings follow
    when a player's rating moves. The threshold uses the variance seen in game pairs (the "sandwich" estimator) instead
    of the variance of independent games. With two players, each interval is half that of their difference.

    Args:
        names: the players.
        results: the scores of the first player by (first, second), each pair at most once.

    Sources:
        R. A. Bradley and M. E. Terry, "Rank Analysis of Incomplete Block Designs", Biometrika 39, 1952.
        H. White, "Maximum Likelihood Estimation of Misspecified Models", Econometrica 50, 1982.
        J. T. Kent, "Robust Properties of Likelihood Ratio Tests", Biometrika 69, 1982.
    """
    intervals = {}
    for group in groups(names, results):
        met = {pair: pair_scores for pair, pair_scores in results.items() if pair[0] in group}
        intervals.update(_rated(group, met) if met else {group[0]: Interval(-math.inf, 0.0, math.inf)})
    return intervals


def groups(names: Sequence[str], pairs: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Return the groups of players connected by games. Only players of one group can be compared."""
    group_of = {name: [name] for name in names}
    for first, second in pairs:
        joined, other = group_of[first], group_of[second]
        if joined is not other:
            joined += other
            group_of.update(dict.fromkeys(other, joined))
    return list({id(group): group for group in group_of.values()}.values())


class _Pairs(FrozenDataclass):
    """The scores of all pairs of players who met. Each field is an array of shape (pairs,)."""

    first: NDArray[np.intp]  # index of the first player
    second: NDArray[np.intp]
    games: _Floats
    points: _Floats  # of the first player

    def differences(self, ratings: _Floats) -> _Floats:
        """Return the rating differences, first minus second, for ratings of shape (..., players)."""
        return ratings[..., self.first] - ratings[..., self.second]

    def spread(self, values: _Floats, size: int) -> _Floats:
        """Return the matrix of shape (size, size) whose quadratic form is the sum of value * difference ** 2."""
        matrix = np.zeros((size, size))
        matrix[self.first, self.second] = matrix[self.second, self.first] = -values
        np.fill_diagonal(matrix, -matrix.sum(axis=1))
        return matrix


def _rated(names: Sequence[str], results: Mapping[tuple[str, str], PairScores]) -> dict[str, Interval]:
    size, place = len(names), {name: place for place, name in enumerate(names)}
    all_units = list(results.values())
    first, second = (np.array([place[pair[side]] for pair in results]) for side in (0, 1))
    games, points = np.array([(pair_scores.games, pair_scores.points) for pair_scores in all_units], np.float64).T
    pairs = _Pairs(first, second, games, points)
    virtual = 0.0 if _is_connected(pairs, size) else _VIRTUAL_GAMES
    elo = _maximum(pairs, size, virtual)
    if size == 2:
        between, is_first = all_units[0].elo, np.arange(2) == first
        lows = np.where(is_first, between.low / 2, -between.high / 2)
        highs = np.where(is_first, between.high / 2, -between.low / 2)
        if all_units[0].corrected is not None:
            elo = np.where(is_first, between.estimate / 2, -between.estimate / 2)
    else:
        lows, highs = _bounds(elo, pairs, all_units, virtual)
    return dict(zip(names, map(Interval, lows.tolist(), elo.tolist(), highs.tolist()), strict=True))


def _bounds(elo: _Floats, pairs: _Pairs, all_units: Sequence[PairScores], virtual: float) -> tuple[_Floats, _Floats]:
    """Return the lower and upper bounds of all ratings, infinite if there is none."""
    expected = _expected(pairs.differences(elo))
    dispersions = np.array([pair_scores.dispersion() for pair_scores in all_units])
    seen = pairs.spread(_PER_ELO**2 * dispersions * pairs.games * expected * (1 - expected), len(elo))
    inverse = _inverse(_information(elo, pairs, virtual))
    inflation = np.diag(inverse @ seen @ inverse) / np.diag(inverse)
    half_a_win = 0.5 * _PER_ELO / np.sqrt(np.diag(seen))  # continuity correction, in standard errors
    drops = inflation * (QUANTILE + half_a_win) ** 2 / 2
    down, up = _reaches(elo, pairs, inverse, drops)
    return elo - down, elo + up


def _reaches(elo: _Floats, pairs: _Pairs, inverse: _Floats, drops: _Floats) -> tuple[_Floats, _Floats]:
    """Return how far every rating can go down and up before the log-likelihood drops by `drops`; possibly infinite.

    The rows of `inverse`, the inverse of the information, are the directions in which all ratings move together.
    """
    at_start = _PER_ELO * pairs.differences(elo)
    slopes = _PER_ELO * pairs.differences(inverse / np.diag(inverse)[:, None])

    def likelihood(moves: _Floats) -> tuple[_Floats, _Floats]:
        """Return the log-likelihood after each player has moved by so much, and its derivative."""
        x = at_start + moves[:, None] * slopes
        small = np.exp(-np.abs(x))
        surprise = np.maximum(-x, 0) + np.log(1 + small)  # minus the logarithm of the expected score
        surplus = pairs.points - pairs.games * np.where(x < 0, small, 1) / (1 + small)
        value = -(surprise @ pairs.games) - x @ (pairs.games - pairs.points)
        return value, np.einsum("ij,ij->i", surplus, slopes)

    farthest = np.full(len(elo), _MAX_DISTANCE)
    ends = {sign: likelihood(sign * farthest)[0] for sign in (-1, 1)}
    least = np.maximum.reduce([likelihood(0 * farthest)[0], *ends.values()]) - drops

    def reach(sign: int) -> _Floats:
        """Find the bounds by Newton's method. The likelihood is concave: each step from beyond a bound comes nearer."""
        moves = np.minimum(np.sqrt(2 * drops * np.diag(inverse)), farthest)
        for _ in range(_STEPS):
            value, slope = likelihood(sign * moves)
            is_falling = sign * slope < -_PRECISION
            step = (least - value) / np.where(is_falling, sign * slope, -1)
            before, moves = moves, np.where(is_falling, np.minimum(moves + step, farthest), farthest)
            if np.abs(moves - before).max() < _BOUND_PRECISION:
                break
        return np.where(ends[sign] >= least, np.inf, moves)

    return reach(-1), reach(1)


def _is_connected(pairs: _Pairs, size: int) -> bool:
    """Return whether all players scored against each other, directly or through others: the maximum is then finite."""
    reached = np.eye(size, dtype=bool)
    reached[pairs.first, pairs.second] = pairs.points > 0
    reached[pairs.second, pairs.first] = pairs.points < pairs.games
    for _ in range(size.bit_length()):
        reached = reached @ reached
    return bool(reached.all())


def _expected(differences: _Floats) -> _Floats:
    return 1 / (1 + np.exp(-_PER_ELO * differences))


def _information(elo: _Floats, pairs: _Pairs, virtual: float) -> _Floats:
    """Return the negative second derivative of the log-likelihood, of shape (players, players)."""
    expected = _expected(pairs.differences(elo))
    against_average = _expected(elo)
    information = pairs.spread(_PER_ELO**2 * pairs.games * expected * (1 - expected), len(elo))
    return information + np.diag(_PER_ELO**2 * virtual * against_average * (1 - against_average))


def _inverse(information: _Floats) -> _Floats:
    """Return the inverse of the information for ratings with a fixed mean."""
    size = len(information)
    scale = np.trace(information) / size  # gives the rows of the bordered matrix similar magnitudes
    bordered = np.full((size + 1, size + 1), scale)
    bordered[:size, :size] = information
    bordered[size, size] = 0
    return np.asarray(np.linalg.inv(bordered)[:size, :size])


def _maximum(pairs: _Pairs, size: int, virtual: float) -> _Floats:
    elo = np.zeros(size)
    for _ in range(_STEPS):
        surplus = pairs.points - pairs.games * _expected(pairs.differences(elo))
        total = np.bincount(pairs.first, surplus, size) - np.bincount(pairs.second, surplus, size)
        gradient = _PER_ELO * (total + virtual * (0.5 - _expected(elo)))
        step = _inverse(_information(elo, pairs, virtual)) @ gradient
        step *= min(1.0, _MAX_STEP / max(np.abs(step).max(), _PRECISION))
        elo += step
        if np.abs(step).max() < _PRECISION:
            break
    return elo
