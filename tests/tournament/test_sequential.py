"""The sequential test, compared with published figures, with calculations by hand, and in simulated matches."""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from othello.tournament.report_text import sprt_sentence
from othello.tournament.sequential import NORMALISED, Sprt, SprtState
from othello.tournament.statistics import PairScores, elo_of, score_of


def units_of(counts: Sequence[int]) -> PairScores:
    return PairScores({(2, half / 2): count for half, count in enumerate(counts)})


def test_the_figures_of_a_published_test() -> None:
    """The raw statistics that fishtest's program gives for one of its tests: 128 pairs, 0 and 4 normalised Elo."""
    state = Sprt(0, 4, NORMALISED).state(units_of((13, 37, 50, 25, 3)))
    assert state.ratio == pytest.approx(-0.54912, abs=5e-6)
    assert state.test.bounds == pytest.approx((-2.9444, 2.9444), abs=5e-5)
    logistic, normalised = state.strength["logistic"], state.strength[NORMALISED]
    assert (logistic.low, logistic.estimate, logistic.high) == pytest.approx((-75.5244, -43.6578, -15.4045), abs=5e-5)
    assert normalised.estimate == pytest.approx(-63.97, abs=5e-3)
    # the same page in logistic Elo: 4 normalised Elo are 2.716 logistic ones there
    assert Sprt(0, 2.716).state(units_of(state.counts)).ratio == pytest.approx(-0.53772, abs=1e-4)


@pytest.mark.parametrize(
    ("model", "elo", "counts", "ratio"),
    [
        (NORMALISED, (0, 2), (365, 16618, 36229, 16974, 390), 2.25),
        (NORMALISED, (-1.75, 0.25), (127, 4883, 10712, 5150, 104), 3.01),
        ("logistic", (0.5, 2.5), (223, 9863, 21279, 10037, 246), -3.07),
        ("logistic", (0, 2), (871, 26175, 55983, 26678, 821), -4.98),
    ],
)
def test_published_tests_with_many_games(
    model: str, elo: tuple[float, float], counts: tuple[int, ...], ratio: float
) -> None:
    """Pentanomial counts of chess matches, with the ratios that fastchess expects of them in its own tests."""
    assert Sprt(*elo, model).log_likelihood_ratio(counts) == pytest.approx(ratio, abs=0.005)


def likeliest(counts: Sequence[int], shares: NDArray[np.float64]) -> float:
    """Return the greatest log-likelihood of these results. Rows with shares below 0 are no distributions."""
    return float((np.log(shares[shares.min(axis=1) > 0]) @ np.array(counts)).max())


def shares_of(model: str, elo: float, drawn: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the shares of lost, drawn and won pairs without half points, given the share of drawn ones."""
    if model == "logistic":
        won = score_of(elo) - drawn / 2
    else:
        # with d drawn, the mean m solves (m - 1/2)^2 = t^2 (m (1 - m) - d / 4): a quadratic equation
        t = elo * math.log(10) / 800 * math.sqrt(2)
        root = np.sqrt(np.maximum(t**2 * (1 - drawn) / (4 * (1 + t**2)), 0))
        won = 0.5 + math.copysign(1, t) * root - drawn / 2
    return np.stack([1 - won - drawn, drawn, won], axis=1)


@pytest.mark.slow
@pytest.mark.parametrize("elo", [(0, 80), (-100, 20)])
@pytest.mark.parametrize("model", ["logistic", NORMALISED])
def test_a_ratio_is_that_of_the_likeliest_distributions(model: str, elo: tuple[float, float]) -> None:
    """Search the share of draws on a fine grid. The other shares follow from the hypothesis."""
    drawn = np.linspace(1e-5, 1, 200_001)[:-1]
    first, second = (likeliest((4, 9, 11), shares_of(model, each, drawn)) for each in elo)
    assert Sprt(*elo, model).log_likelihood_ratio((4, 0, 9, 0, 11)) == pytest.approx(second - first, abs=2e-3)


@pytest.mark.parametrize("model", ["logistic", NORMALISED])
def test_the_ratio_without_pairs_is_0_and_grows_with_wins(model: str) -> None:
    test = Sprt(0, 200, model)
    assert test.state(PairScores()).ratio == 0
    assert test.state(PairScores({(1, 1.0): 1})).accepted is None
    states = [test.state(units_of((0, 0, 0, 0, pairs))) for pairs in range(1, 30)]
    assert [state.accepted for state in states[::28]] == [None, 1]
    assert all(a.ratio < b.ratio for a, b in pairwise(states))


def test_far_hypotheses_have_finite_ratios() -> None:
    far = Sprt(-1000, 1000, NORMALISED).state(units_of((1, 0, 0, 0, 40)))
    assert math.isfinite(far.ratio)
    assert -1 < far.score.low <= far.score.estimate <= far.score.high <= 1


@pytest.mark.parametrize(("wins", "accepted"), [(120, 1), (90, 0), (105, None)])
def test_a_test_shows_its_state_and_why_it_stopped(wins: int, accepted: int | None) -> None:
    state = Sprt(0, 50).state(units_of((200 - wins, 0, 0, 0, wins)))
    assert (state.accepted, state.games) == (accepted, 400)
    first = sprt_sentence(state, "A", "B")
    assert f"0, 1/2, 1, 3/2, 2 points: {200 - wins}, 0, 0, 0, {wins}" in first
    assert "-2.94 (H0: 0 Elo) and 2.94 (H1: 50)" in first
    assert (
        (f"H{accepted} is accepted after 400 games" in first)
        == ("corrected strength" in first)
        == (accepted is not None)
    )


@pytest.mark.parametrize(("wins", "is_lower"), [(120, True), (90, False)])
def test_after_a_stop_the_estimate_is_less_extreme_than_the_score(wins: int, is_lower: bool) -> None:
    state = Sprt(0, 50).state(units_of((200 - wins, 0, 0, 0, wins)))
    assert (state.strength["logistic"].estimate < elo_of(wins / 200)) is is_lower


def pairs_of(score: float, drawn: float, bias: float) -> NDArray[np.float64]:
    """Return the probabilities of 0, 1/2, 1, 3/2 and 2 points in two games, with a bias of colour or opening."""
    room = min(score, 1 - score)

    def game(own: float) -> NDArray[np.float64]:
        draws = 2 * drawn * min(own, 1 - own)
        return np.array([1 - own - draws / 2, draws, own - draws / 2])

    return np.convolve(game(score + bias * room), game(score - bias * room))


def simulated(test: Sprt, shares: NDArray[np.float64], runs: int, seed: int = 7) -> list[SprtState]:
    """Return the results of so many tests."""
    random, limits, ends = np.random.default_rng(seed), np.cumsum(shares)[:-1], []
    for _ in range(runs):
        counts, ratio, (low, high) = [0] * 5, 0.0, test.bounds
        while low < ratio < high:
            counts[int(np.searchsorted(limits, random.random()))] += 1
            ratio = test.log_likelihood_ratio(counts)
        ends.append(SprtState(test, tuple(counts), ratio))
    return ends


@pytest.mark.rare
@pytest.mark.parametrize("model", ["logistic", NORMALISED])
def test_sprt_keeps_its_error_rates(model: str) -> None:
    """Of 200 tests that err 1 time of 20, more than 20 err in 1 case of 1,000."""
    test, scores, drawn, bias = Sprt(0, 100, model), np.linspace(0.5, 0.9, 4001), 0.2, 0.3
    strengths = [t_of(pairs_of(score, drawn, bias)) if model == NORMALISED else elo_of(score) for score in scores]
    for wrong, elo in ((1, test.elo0), (0, test.elo1)):
        score = scores[np.searchsorted(strengths, elo)]
        ends = simulated(test, pairs_of(score, drawn, bias), 200)
        assert sum(end.accepted == wrong for end in ends) <= 20


def t_of(shares: NDArray[np.float64]) -> float:
    """Return the strength of a player with such results, in normalised Elo."""
    results = np.arange(5) / 4
    mean = float(shares @ results)
    return (mean - 0.5) / math.sqrt(2 * shares @ (results - mean) ** 2) * 800 / math.log(10)


@pytest.mark.rare
@pytest.mark.parametrize("elo", [0, 100])
def test_after_a_stop_the_estimate_is_as_often_too_high_as_too_low(elo: float) -> None:
    score = score_of(elo)
    ends = simulated(Sprt(0, 100), pairs_of(score, 0.1, 0.2), 120)
    found = [end.score for end in ends]
    assert 0.35 < sum(each.estimate > score for each in found) / len(found) < 0.65
    assert sum(each.low <= score <= each.high for each in found) / len(found) > 0.85
