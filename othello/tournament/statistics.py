"""Scores, Elo, confidence intervals and likelihood of superiority.

The unit of all sums is the game pair, two games with swapped colours, not the single game. The two results depend on
each other if an opening or a colour favours a side. Counting pairs by their result (0, 1/2, 1, 3/2 or 2 points: a
pentanomial distribution) gives the right variance. Games without a partner are units of their own.

Sources:
    Elo as a logistic curve: https://www.chessprogramming.org/Match_Statistics
    Intervals: E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", Journal of the
    American Statistical Association 22, 1927; R. G. Newcombe, "Two-Sided Confidence Intervals for the Single
    Proportion", Statistics in Medicine 17, 1998.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from typing import Final, TypeVar

from othello.frozen_dataclass import FrozenDataclass

Side = TypeVar("Side")

CONFIDENCE: Final = 0.95
QUANTILE: Final = 1.959964  # standard errors from an estimate to the bounds of its 95 % interval
_MAX_GAMES: Final = 100_000  # more games are not worth playing to find the stronger player
_VIRTUAL_GAMES: Final = 2  # with one, some intervals of equal players are too short


class Interval(FrozenDataclass):
    """An estimate and the 95 % interval around it."""

    low: float
    estimate: float
    high: float


class PairScores:
    """The results of one side, in units of one or two games."""

    def __init__(self, counts: Mapping[tuple[int, float], int] | None = None) -> None:
        self.counts: Counter[tuple[int, float]] = Counter(counts or {})  # number of units by (games, points)
        self.games = sum(games * number for (games, _), number in self.counts.items())
        self.points = sum(points * number for (_, points), number in self.counts.items())
        self.corrected: Interval | None = None  # replaces the plain score, which a stopped test biases

    def add(self, games: int, points: float) -> None:
        self.counts[games, points] += 1
        self.games += games
        self.points += points

    @property
    def pentanomial(self) -> tuple[int, ...]:
        """The number of game pairs with 0, 1/2, 1, 3/2 and 2 points."""
        return tuple(self.counts[2, half / 2] for half in range(5))

    @property
    def mirrored(self) -> PairScores:
        """The results of the other side."""
        other = PairScores({(games, games - points): number for (games, points), number in self.counts.items()})
        if (own := self.corrected) is not None:
            other.corrected = Interval(1 - own.high, 1 - own.estimate, 1 - own.low)
        return other

    @property
    def score(self) -> float:
        """Points per game, 0.5 without games."""
        return self.points / self.games if self.games else 0.5

    def dispersion(self, virtual: float = _VIRTUAL_GAMES) -> float:
        """Return the variance of the points, relative to that of independent games without draws.

        Draws make it less than 1, and so do game pairs that are decided by colour or opening. `virtual` wins and as
        many losses are added, because a few equal results do not prove that all are equal.
        """
        games = self.games + 2 * virtual
        mean = (self.points + virtual) / games
        squares = sum(count * (points - size * mean) ** 2 for (size, points), count in self.counts.items())
        return (squares + virtual * (mean**2 + (1 - mean) ** 2)) / (games * mean * (1 - mean))

    def standard_error(self, expected: float) -> float:
        """Return the standard error of the score of a side whose expected score is `expected`."""
        return math.sqrt(self.dispersion() * expected * (1 - expected) / self.games)

    @property
    def interval(self) -> Interval:
        """The interval of the score: Wilson's interval with a correction for continuity.

        It uses the variance at each bound, because the variance of the sample is too small if one side wins nearly
        all games.
        """
        if self.corrected is not None:
            return self.corrected
        if not self.games:
            return Interval(0.0, 0.5, 1.0)
        spread, half = QUANTILE**2 * self.dispersion() / self.games, 0.5 / self.games

        def bound(score: float, sign: int) -> float:
            if not 0 < score < 1:
                return float(max(0, sign))
            root = math.sqrt(spread * (spread + 4 * score * (1 - score)))
            return (2 * score + spread + sign * root) / (2 + 2 * spread)

        return Interval(bound(self.score - half, -1), self.score, bound(self.score + half, 1))

    @property
    def elo(self) -> Interval:
        """The difference in Elo to the other side."""
        score = self.interval
        return Interval(elo_of(score.low), elo_of(score.estimate), elo_of(score.high))

    @property
    def chance(self) -> float:
        """The two-sided p-value: the chance that equal sides score at least this far from 1/2."""
        return self._p_value(self.games)

    def _p_value(self, games: int) -> float:
        """Return the p-value of so many games with these results."""
        if not games:
            return 1.0
        distance = max(0.0, abs(self.score - 0.5) - 0.5 / games)
        deviation = math.sqrt(self.dispersion(_VIRTUAL_GAMES * self.games / games) / games) / 2
        return math.erfc(distance / deviation / math.sqrt(2))

    def more_games(self, pairs: int) -> int | None:
        """Return roughly how many further games would show the stronger side, if the results stay like these.

        Args:
            pairs: the number of pairs that are compared at the same time.

        Returns:
            The number of games, or None if it is more than 100,000.
        """

        def show(games: int) -> bool:
            return self._p_value(games) * pairs < 1 - CONFIDENCE

        if not self.games or not show(_MAX_GAMES):
            return None
        return bisect_left(range(_MAX_GAMES), True, lo=self.games, key=show) - self.games

    @property
    def likelihood_of_superiority(self) -> float:
        """The chance that this side is the stronger one, without prior knowledge."""
        if not self.games:
            return 0.5
        return math.erfc((0.5 - self.score) / self.standard_error(0.5) / math.sqrt(2)) / 2


def significant_results(results: Mapping[Side, PairScores]) -> dict[Side, bool]:
    """Return the results that show a stronger side: True for the result's own side, False for the other side.

    With many equal sides, some result would look decisive by chance. Holm's method limits that to 1 of 20 tournaments:
    the lowest of m p-values has to be below 1 / (20 m), the next one below 1 / (20 (m - 1)), and so on up to the first
    that is not.

    Source: S. Holm, "A Simple Sequentially Rejective Multiple Test Procedure", Scandinavian Journal of Statistics 6,
    1979.
    """
    chances = {side: pair_scores.chance for side, pair_scores in results.items()}
    shown = {}
    for rank, side in enumerate(sorted(chances, key=chances.__getitem__)):
        if chances[side] * (len(chances) - rank) >= 1 - CONFIDENCE:
            break
        shown[side] = results[side].score > 0.5
    return shown


def score_of(elo: float) -> float:
    """Return the expected score of a side that is stronger by `elo`."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """Return the Elo difference of an expected score: the inverse of `score_of`, infinite at 0 and 1."""
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    return -400 * math.log10(1 / score - 1)
