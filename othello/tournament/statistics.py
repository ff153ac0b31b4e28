"""How sure one can be: scores, Elo, intervals, likelihood of superiority, sequential tests.

The unit of all sums is not the game but the pair of games with swapped colours: its two results depend on each other
when an opening, or the colours themselves, favour a side. Counting pairs by their result (0, 1/2, 1, 3/2 or 2 points: a
pentanomial distribution) gets the variance right; games without a partner are units of one.

Sources:
    Elo as a logistic curve: https://www.chessprogramming.org/Match_Statistics
    Pentanomial variance and the sequential test: M. Van den Bergh, "The Generalized Sequential Probability Ratio Test"
    and "Normalized Elo", http://hardy.uhasselt.be/Fishtest/
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeVar

Side = TypeVar("Side")

CONFIDENCE: Final = 0.95
_SPRT_VIRTUAL_UNITS: Final = 5  # with fewer, early runs of luck end tests wrongly more often than alpha and beta allow


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate and the 95 % interval around it."""

    low: float
    estimate: float
    high: float


class Units:
    """The results of one side in units of one or two games.

    Attributes:
        counts: how often a unit of (games, points) came out.
        number: how many units there are.
        games: in all of them.
        points: in all games.
    """

    def __init__(self, counts: Mapping[tuple[int, float], int] | None = None) -> None:
        self.counts: Counter[tuple[int, float]] = Counter(counts or {})
        self.number = sum(self.counts.values())
        self.games = sum(games * number for (games, _), number in self.counts.items())
        self.points = sum(points * number for (_, points), number in self.counts.items())

    def add(self, games: int, points: float) -> None:
        """Count a unit."""
        self.counts[games, points] += 1
        self.number += 1
        self.games += games
        self.points += points

    @property
    def mirrored(self) -> Units:
        """The same results as the other side sees them."""
        return Units({(games, games - points): number for (games, points), number in self.counts.items()})

    @property
    def score(self) -> float:
        """Points a game, 0.5 where there is none."""
        return self.points / self.games if self.games else 0.5

    def variance(self, expected: float, virtual: int = 1) -> float:
        """The variance of the sum of points, estimated by how far the units lie from `expected` points a game.

        Virtual units are mixed in whose squared distance is the variance of games between equals that know no draws.
        One of them stands for the unit by which a sample's own mean makes the sum too small. So the variance is never
        0: that a few units are equal is no proof that all are.
        """
        number, games = self.number, self.games
        if not number:
            return 0.0
        squares = sum(count * (points - size * expected) ** 2 for (size, points), count in self.counts.items())
        between_equals = games / number / 4
        return (squares + virtual * between_equals) * number / (number + virtual - 1)

    @property
    def standard_error(self) -> float:
        """Of the score."""
        return math.sqrt(self.variance(self.score)) / self.games if self.games else math.inf

    @property
    def interval(self) -> Interval:
        """Of the score."""
        if not self.games:
            return Interval(0.0, 0.5, 1.0)
        reach = student_quantile(self.number) * self.standard_error
        return Interval(max(0.0, self.score - reach), self.score, min(1.0, self.score + reach))

    @property
    def elo(self) -> Interval:
        """The difference in strength to the other side."""
        score = self.interval
        return Interval(elo_of(score.low), elo_of(score.estimate), elo_of(score.high))

    def chance(self, virtual: int = 1) -> float:
        """How likely a score is that lies so far from 1/2, or farther, when the sides are equal: a two-sided p-value.

        Args:
            virtual: units that `variance` mixes in; each after the first costs a degree of freedom, too.
        """
        degrees = self.number + 1 - virtual
        if degrees < 1:
            return 1.0
        error = math.sqrt(self.variance(self.score, virtual)) / self.games
        return 1 - _student_within(abs(self.score - 0.5) / error, degrees)

    @property
    def likelihood_of_superiority(self) -> float:
        """How likely it is that this side is the stronger one, when nothing was known before."""
        return 0.5 + math.copysign(1 - self.chance(), self.score - 0.5) / 2


def superior(results: Mapping[Side, Units]) -> dict[Side, bool]:
    """Of which results it is shown which side is the stronger: True the one that they belong to, False the other one.

    Among many equal sides luck would make some pair look decided. By Holm's method it does so in at most 1 of 20
    tournaments: the clearest of m results must be so clear that it would be chance in 1 of 20 m cases, the next in 1 of
    20 (m - 1), and so on until one is not. As the clearest of several owe that also to a variance that was seen too
    small, theirs is estimated with a virtual unit more.

    Source: S. Holm, "A Simple Sequentially Rejective Multiple Test Procedure", Scandinavian Journal of Statistics 6,
    1979.
    """
    chances = {side: units.chance(virtual=min(2, len(results))) for side, units in results.items()}
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


@cache
def student_quantile(degrees: int) -> float:
    """The two-sided 95 % quantile of Student's t: that many standard errors reach from an estimate to its bounds.

    Args:
        degrees: of freedom, at least 1.

    Source: Abramowitz and Stegun, "Handbook of Mathematical Functions", 26.7.3 and 26.7.4.
    """
    low, high = 0.0, 13.0  # the quantile is 12.71 for one degree and falls
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (middle, high) if _student_within(middle, degrees) < CONFIDENCE else (low, middle)
    return high


def _student_within(distance: float, degrees: int) -> float:
    """The probability that Student's t lies within -distance .. distance."""
    if degrees > 1000:
        return math.erf(distance / math.sqrt(2))
    angle = math.atan(distance / math.sqrt(degrees))
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = degrees % 2 == 1
    if degrees == 1:
        return 2 * angle / math.pi
    term = total = cosine if odd else 1.0
    for power in range(3 if odd else 2, degrees - 1, 2):
        term *= (power - 1) / power * cosine**2
        total += term
    return 2 / math.pi * (angle + sine * total) if odd else sine * total


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential probability ratio test between two hypotheses about the difference in strength.

    Attributes:
        elo0: H0, the first side is so much stronger.
        elo1: H1, it is so much stronger, elo1 > elo0.
        alpha: how often H1 may be accepted where H0 is true.
        beta: how often H0 may be accepted where H1 is true.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def log_likelihood_ratio(self, units: Units) -> float:
        """How much better H1 explains the results than H0, with scores taken as normally distributed."""
        if not units.games:
            return 0.0
        score0, score1 = score_of(self.elo0), score_of(self.elo1)
        variance = units.variance(units.score, _SPRT_VIRTUAL_UNITS) / units.games**2
        return (score1 - score0) * (2 * units.score - score0 - score1) / (2 * variance)

    def verdict(self, units: Units) -> SprtVerdict | None:
        """Why the test can stop, None where it must go on."""
        ratio = self.log_likelihood_ratio(units)
        low, high = self.bounds
        return None if low < ratio < high else SprtVerdict(self, ratio, units.games)


@dataclass(frozen=True, slots=True)
class SprtVerdict:
    """Which hypothesis a test has accepted.

    Attributes:
        test: what was tested.
        ratio: the log-likelihood ratio that decided.
        games: after so many.
    """

    test: Sprt
    ratio: float
    games: int

    @property
    def accepted(self) -> int:
        """0 or 1, for H0 or H1."""
        return int(self.ratio > 0)

    @property
    def elo(self) -> tuple[float, float]:
        """So much stronger: of the accepted hypothesis, and of the other one."""
        found = self.test.elo0, self.test.elo1
        return found[self.accepted], found[1 - self.accepted]
