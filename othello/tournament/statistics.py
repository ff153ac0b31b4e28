"""How certain results are: scores, Elo, intervals, likelihood of superiority.

The unit of all sums is not the game but the pair of games with swapped colours. Its two results depend on each other
when an opening, or a colour, favours a side. Counting pairs by their result (0, 1/2, 1, 3/2 or 2 points: a
pentanomial distribution) gets the variance right; games without a partner are units of one.

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

from othello.frozen import Frozen

Side = TypeVar("Side")

CONFIDENCE: Final = 0.95
QUANTILE: Final = 1.959964  # that many standard errors lie between an estimate and the bounds of its 95 % interval
_MOST_GAMES: Final = 100_000  # nobody plays more to learn who is stronger
_VIRTUAL_GAMES: Final = 2  # with one, the intervals of equals are too short here and there


class Interval(Frozen):
    """An estimate and the 95 % interval around it."""

    low: float
    estimate: float
    high: float


class Units:
    """The results of one side in units of one or two games."""

    def __init__(self, counts: Mapping[tuple[int, float], int] | None = None) -> None:
        self.counts: Counter[tuple[int, float]] = Counter(counts or {})  # how often a unit of (games, points) came out
        self.number = sum(self.counts.values())
        self.games = sum(games * number for (games, _), number in self.counts.items())
        self.points = sum(points * number for (_, points), number in self.counts.items())
        self.corrected: Interval | None = None  # the score, if a test that stopped early exaggerates the plain one

    def add(self, games: int, points: float) -> None:
        self.counts[games, points] += 1
        self.number += 1
        self.games += games
        self.points += points

    @property
    def pentanomial(self) -> tuple[int, ...]:
        """How many pairs of games brought 0, 1/2, 1, 3/2 and 2 points."""
        return tuple(self.counts[2, half / 2] for half in range(5))

    @property
    def mirrored(self) -> Units:
        """The same results as the other side sees them."""
        other = Units({(games, games - points): number for (games, points), number in self.counts.items()})
        if (own := self.corrected) is not None:
            other.corrected = Interval(1 - own.high, 1 - own.estimate, 1 - own.low)
        return other

    @property
    def score(self) -> float:
        """Points a game, 0.5 where there is none."""
        return self.points / self.games if self.games else 0.5

    def dispersion(self, virtual: float = _VIRTUAL_GAMES) -> float:
        """The variance of the points, divided by the variance of independent games without draws.

        Draws make it smaller than 1, and so do pairs in which colours or openings decide. `virtual` wins and as many
        losses are mixed in, because a few equal units do not prove that all are equal.
        """
        games = self.games + 2 * virtual
        mean = (self.points + virtual) / games
        squares = sum(count * (points - size * mean) ** 2 for (size, points), count in self.counts.items())
        return (squares + virtual * (mean**2 + (1 - mean) ** 2)) / (games * mean * (1 - mean))

    def standard_error(self, expected: float) -> float:
        """Of the score, for a side that scores `expected` points per game in the long run."""
        return math.sqrt(self.dispersion() * expected * (1 - expected) / self.games)

    @property
    def interval(self) -> Interval:
        """The interval of the score: all expected scores that are near enough to this score, give or take half a win.

        This is Wilson's interval with a correction for continuity. It takes the variance at each bound. The variance of
        the sample would be too small if one side wins nearly all games.
        """
        if self.corrected is not None:
            return self.corrected
        if not self.games:
            return Interval(0.0, 0.5, 1.0)
        spread, half = QUANTILE**2 * self.dispersion() / self.games, 0.5 / self.games

        def bound(score: float, sign: int) -> float:
            if not 0 < score < 1:
                return float(sign > 0)
            root = math.sqrt(spread * (spread + 4 * score * (1 - score)))
            return (2 * score + spread + sign * root) / (2 + 2 * spread)

        return Interval(bound(self.score - half, -1), self.score, bound(self.score + half, 1))

    @property
    def elo(self) -> Interval:
        """The difference in strength to the other side."""
        score = self.interval
        return Interval(elo_of(score.low), elo_of(score.estimate), elo_of(score.high))

    @property
    def chance(self) -> float:
        """How likely equal sides are to score at least this far from 1/2: a two-sided p-value."""
        return self._chance(self.games)

    def _chance(self, games: int) -> float:
        """The p-value of so many games like these."""
        if not games:
            return 1.0
        distance = max(0.0, abs(self.score - 0.5) - 0.5 / games)
        deviation = math.sqrt(self.dispersion(_VIRTUAL_GAMES * self.games / games) / games) / 2
        return math.erfc(distance / deviation / math.sqrt(2))

    def more_games(self, pairs: int = 1) -> int | None:
        """About how many more games like these would show which side is stronger, among so many pairs of players.

        None: more than anybody plays.
        """

        def show(games: int) -> bool:
            return self._chance(games) * pairs < 1 - CONFIDENCE

        if not self.games or not show(_MOST_GAMES):
            return None
        return bisect_left(range(_MOST_GAMES), True, lo=self.games, key=show) - self.games

    @property
    def likelihood_of_superiority(self) -> float:
        """How likely this side is the stronger one, without earlier knowledge."""
        if not self.games:
            return 0.5
        return math.erfc((0.5 - self.score) / self.standard_error(0.5) / math.sqrt(2)) / 2


def superior(results: Mapping[Side, Units]) -> dict[Side, bool]:
    """The results that show which side is stronger: True for their own side, False for the other side.

    Among many equal sides luck would make some pair look decided. By Holm's method that happens in at most 1 of 20
    tournaments: the clearest of m results counts where its p-value is below 1 / (20 m), the next where its p-value is
    below 1 / (20 (m - 1)), and so on up to the first that is not clear enough.

    Source: S. Holm, "A Simple Sequentially Rejective Multiple Test Procedure", Scandinavian Journal of Statistics 6,
    1979.
    """
    chances = {side: units.chance for side, units in results.items()}
    shown = {}
    for place, side in enumerate(sorted(chances, key=chances.__getitem__)):
        if chances[side] * (len(chances) - place) >= 1 - CONFIDENCE:
            break
        shown[side] = results[side].score > 0.5
    return shown


def score_of(elo: float) -> float:
    """Expected points a game of a side that is `elo` stronger."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """The inverse of `score_of`; infinite at 0 and 1."""
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    return -400 * math.log10(1 / score - 1)
