"""The generalised sequential probability ratio test (GSPRT) of two hypotheses about a difference in strength.

Only game pairs count. The unknown probabilities of their results are replaced by the most likely ones under each
hypothesis.

Sources:
    A. Wald, "Sequential Tests of Statistical Hypotheses", Annals of Mathematical Statistics 16, 1945.
    M. Van den Bergh, "Comments on Normalized Elo", "Normalized Elo in practice", "The Generalized Sequential
    Probability Ratio Test for the multinomial distribution" and "GSPRT approximation",
    https://www.cantate.be/Fishtest/
    D. Siegmund, "Sequential Analysis", 1985: the estimate after a stopped test.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

from othello.config import SprtConfig
from othello.frozen_dataclass import FrozenDataclass
from othello.tournament.statistics import CONFIDENCE, Interval, PairScores, elo_of, score_of

NORMALISED: Final = "normalised"
_RESULTS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)  # the possible scores of a game pair
_ELO_OF_T: Final = 800 / math.log(10)  # makes small differences without draws equal in both kinds of Elo
_MIN_COUNT: Final = 1e-3  # game pairs: the count of a result that has not occurred, which stays possible
_STEPS: Final = 100
_PRECISION: Final = 1e-13
_SERIES: Final = 1e-2, 15  # minimum time and maximum drift for which the series converges quickly


class Sprt(SprtConfig):
    """The test of a config."""

    __slots__ = ()

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def state(self, pair_scores: PairScores) -> SprtState:
        """Return the state of the test after these results."""
        return SprtState(self, pair_scores.pentanomial, self.log_likelihood_ratio(pair_scores.pentanomial))

    def log_likelihood_ratio(self, counts: Sequence[float]) -> float:
        """Return the log-likelihood ratio of H1 to H0 for the counts of pairs with 0, 1/2, 1, 3/2 and 2 points."""
        if not any(counts):
            return 0.0
        pairs, shares = _shares(counts)
        if self.elo_model == NORMALISED:
            low, high = (_weights_of_t(shares, math.sqrt(2) * elo / _ELO_OF_T) for elo in (self.elo0, self.elo1))
        else:
            low, high = (_weights(shares, [x - score_of(elo) for x in _RESULTS]) for elo in (self.elo0, self.elo1))
        return pairs * _mean(shares, [math.log(w0 / w1) for w0, w1 in zip(low, high, strict=True)])


class SprtState(FrozenDataclass):
    """The state of a test."""

    test: Sprt
    counts: tuple[int, ...]  # game pairs with 0, 1/2, 1, 3/2 and 2 points
    ratio: float  # the log-likelihood ratio

    @property
    def games(self) -> int:
        return 2 * sum(self.counts)

    @property
    def accepted(self) -> int | None:
        """0 or 1 for H0 or H1, None if the test continues."""
        low, high = self.test.bounds
        return None if low < self.ratio < high else int(self.ratio >= high)

    @property
    def elo(self) -> tuple[float, float]:
        """The Elo of the hypothesis that explains the games better, and of the other one."""
        estimates = self.test.elo0, self.test.elo1
        return estimates[self.ratio > 0], estimates[self.ratio <= 0]

    @property
    def score(self) -> Interval:
        """The median-unbiased estimate of the score, with its 95 % interval.

        The plain score is biased, because the test stops after lucky results. This is instead the score for which the
        test would have a better outcome as often as a worse one; for the bounds, 1 time in 40. Outcomes are ordered:
        H1 accepted early is best, H0 accepted early is worst.
        """
        tail = (1 - CONFIDENCE) / 2
        low, middle, high = (self._score_at(chance) for chance in (1 - tail, 0.5, tail))
        return Interval(low, middle, high)

    @property
    def strength(self) -> dict[str, Interval]:
        """The estimate as Elo of both kinds."""
        _, shares = _shares(self.counts)
        deviation = math.sqrt(2) * _moments(shares)[1]  # per game
        kinds: dict[str, Callable[[float], float]] = {
            "logistic": elo_of,
            NORMALISED: lambda score: _ELO_OF_T * (score - 0.5) / deviation,
        }
        score = self.score
        return {kind: Interval(*map(elo, (score.low, score.estimate, score.high))) for kind, elo in kinds.items()}

    def _score_at(self, chance: float) -> float:
        """Return the score for which the test has a worse outcome with this probability."""
        return _root(lambda score: self._worse(score) - chance, 0.0, 1.0)

    def _worse(self, score: float) -> float:
        """Return the probability that the test of a player with this score has a worse outcome than it had.

        The log-likelihood ratio is modelled as Brownian motion between the bounds.
        """
        pairs, shares = _shares(self.counts)
        (mean, deviation), (low, high) = _moments(shares), self.test.bounds
        if self.test.elo_model == NORMALISED:
            spread = math.sqrt(2) * deviation / _ELO_OF_T
            score0, score1 = 0.5 + self.test.elo0 * spread, 0.5 + self.test.elo1 * spread
        else:
            score0, score1 = score_of(self.test.elo0), score_of(self.test.elo1)
        drift = (mean - (score0 + score1) / 2) * (score1 - score0) / deviation**2
        end = min(max(low, pairs * drift), high)
        time = end / drift if end != pairs * drift else pairs
        variance = deviation**2 + (score - mean) ** 2
        drift, speed = (score - (score0 + score1) / 2) * (score1 - score0) / variance, (score1 - score0) ** 2 / variance
        return _passes_below(low, high, drift, speed, time, end)


def _shares(counts: Sequence[float]) -> tuple[float, list[float]]:
    """Return the number of pairs, and the share of each result."""
    possible = [count or _MIN_COUNT for count in counts]
    return sum(possible), [count / sum(possible) for count in possible]


def _moments(shares: Sequence[float]) -> tuple[float, float]:
    """Return the mean and the standard deviation of a game pair's score."""
    mean = _mean(shares, _RESULTS)
    return mean, math.sqrt(_mean(shares, [(x - mean) ** 2 for x in _RESULTS]))


def _mean(shares: Sequence[float], values: Sequence[float]) -> float:
    return math.fsum(share * value for share, value in zip(shares, values, strict=True))


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    """Return the root of a decreasing function, by bisection."""
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (middle, high) if function(middle) > 0 else (low, middle)
    return (low + high) / 2


def _weights(shares: Sequence[float], values: Sequence[float]) -> list[float]:
    """Return the weights of the most likely distribution, shares / weights, in which the mean of the values is 0.

    They are found by Newton's method, within bounds that keep the weights above 0.
    """
    low, high, slope = -1 / max(values), -1 / min(values), 0.0
    for _ in range(_STEPS):
        terms = [x / (1 + slope * x) for x in values]
        mean = _mean(shares, terms)
        low, high = (slope, high) if mean > 0 else (low, slope)
        step = mean / _mean(shares, [term**2 for term in terms])
        before, slope = slope, slope + step
        if not low < slope < high:
            slope = (low + high) / 2
        if abs(slope - before) <= _PRECISION * (high - low):
            break
    return [1 + slope * x for x in values]


def _weights_of_t(shares: Sequence[float], t: float) -> list[float]:
    """Return the weights of the most likely distribution whose mean is `t` standard deviations above 1/2.

    The condition is not linear. Each step solves its linear approximation.
    """
    weights = [1.0] * len(shares)
    found = _start(shares, t)
    for _ in range(_STEPS):
        mean, deviation = _moments(found)
        values = [x - 0.5 - t * deviation * (1 + ((mean - x) / deviation) ** 2) / 2 for x in _RESULTS]
        weights = _weights(shares, values)
        before, found = found, [share / weight for share, weight in zip(shares, weights, strict=True)]
        if math.dist(before, found) < 1e-9:
            break
    return weights


def _start(shares: Sequence[float], t: float) -> list[float]:
    """Return a first distribution with this mean: the shares with more lost or won pairs."""

    def mixed(part: float) -> list[float]:
        lost, *middle, won = ((1 - abs(part)) * share for share in shares)
        return [lost + max(-part, 0.0), *middle, won + max(part, 0.0)]

    def lacks(part: float) -> float:
        mean, deviation = _moments(mixed(part))
        return t * deviation - mean + 0.5

    return mixed(_root(lacks, -1.0, 1.0))


def _passes_below(low: float, high: float, drift: float, speed: float, time: float, end: float) -> float:
    """Return the probability that Brownian motion from 0 is below `end` at a time, or has crossed `low` before.

    Args:
        low: lower bound, at which the motion ends.
        high: upper bound, at which the motion ends.
        drift: mean of the motion per unit of time.
        speed: variance of the motion per unit of time.
        time: the time.
        end: the place at that time.
    """
    width, pull = high - low, drift / speed
    least, most = _SERIES
    if speed * time / width**2 < least or abs(pull * width) > most:
        return _passes_below_soon(low, high, drift, speed, time, end)
    start, y = -low, end - low
    base = (math.pi / width) ** 2 * speed / 2
    total, n = 0.0, 1
    scale = math.exp(-(base + drift * pull / 2) * time + pull * (y - start))
    while True:
        angle = math.pi * n / width
        fades = math.exp(-(n * n - 1) * base * time)
        primitive = 2 / width * (pull * math.sin(angle * y) - angle * math.cos(angle * y)) / (pull**2 + angle**2)
        total += fades * primitive * math.sin(angle * start)
        if abs(scale * fades * primitive) < 1e-9:
            break
        n += 1
    down = math.expm1(2 * pull * (width - start)) / math.expm1(2 * pull * width) if pull else 1 - start / width
    return down + scale * total


def _passes_below_soon(low: float, high: float, drift: float, speed: float, time: float, end: float) -> float:
    """Approximate `_passes_below` for motion that rarely reaches both bounds, by reflection at each (Siegmund)."""
    scale, pull = math.sqrt(time * speed), drift / speed

    def mirrored(bound: float, distance: float) -> float:
        if pull * bound < 5:
            return math.exp(2 * pull * bound) * _normal(distance)
        tail = (1 / distance - 1 / distance**3) / math.sqrt(2 * math.pi)
        return -math.exp(2 * pull * bound - distance**2 / 2) * tail

    way = drift * time
    return (
        _normal((end - way) / scale)
        + mirrored(low, (way + 2 * low - end) / scale)
        - mirrored(high, (end - way - 2 * high) / scale)
    )


def _normal(x: float) -> float:
    """Return the cumulative distribution function of the normal distribution."""
    return math.erfc(-x / math.sqrt(2)) / 2
