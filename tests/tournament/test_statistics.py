"""Statistics, ratings and the sequential test, compared with published figures, figures by hand, and simulations."""

import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import example, given, strategies as st
from numpy.typing import NDArray

from othello.tournament import sequential
from othello.tournament.ratings import bradley_terry, groups
from othello.tournament.report_text import elo_text, sprt_sentence
from othello.tournament.sequential import NORMALISED, Sprt, SprtState
from othello.tournament.statistics import Interval, PairScores, elo_of, score_of, significant_results
from tests.golden.dialogues import assert_answers, rounded


@pytest.mark.parametrize(
    ("score", "elo"),
    [(0, -math.inf), (0.25, -190.8485), (0.5, 0), (0.64, 99.9510), (0.75, 190.8485), (10 / 11, 400), (1, math.inf)],
)
def test_elo_of_a_score(score: float, elo: float) -> None:
    """Elo is 400 times the decimal logarithm of the odds."""
    assert elo_of(score) == pytest.approx(elo, abs=1e-4)
    assert score_of(elo) == pytest.approx(score, abs=1e-6)


def test_a_pentanomial_by_hand() -> None:
    # 20 pairs: one of 0 points, three of 1/2, seven of 1, five of 3/2, four of 2. 24 points of 40 games: 60 %. With two
    # virtual wins and losses 26 of 44 points. Squared distances of the pairs from 13/11 points: 1.396694 + 3 * 0.464876
    # + 7 * 0.033058 + 5 * 0.101240 + 4 * 0.669421 = 6.206612, of the virtual games 2 * (13^2 + 9^2) / 22^2 = 1.033058;
    # independent games would give 44 * 13/22 * 9/22 = 10.636364: a dispersion of 0.680653.
    pair_scores = PairScores({(2, 0.0): 1, (2, 0.5): 3, (2, 1.0): 7, (2, 1.5): 5, (2, 2.0): 4})
    assert (pair_scores.counts.total(), pair_scores.games, pair_scores.points) == (20, 40, 24.0)
    assert pair_scores.score == 0.6
    assert pair_scores.dispersion() == pytest.approx(0.680653, abs=1e-6)
    assert pair_scores.standard_error(0.5) == pytest.approx(math.sqrt(0.680653 / 160), abs=1e-6)
    # At each bound the score is 1.96 standard errors and half a win away: 0.6 - 0.0125 - bound, bound - 0.6 - 0.0125.
    interval = pair_scores.interval
    assert 0.5875 - interval.low == pytest.approx(1.959964 * pair_scores.standard_error(interval.low))
    assert interval.high - 0.6125 == pytest.approx(1.959964 * pair_scores.standard_error(interval.high))
    assert pair_scores.elo.estimate == pytest.approx(70.437, abs=1e-3)
    # The share of the normal distribution below 0.1 / 0.065223 = 1.53319 standard errors, and beyond 0.0875 / 0.065223.
    assert pair_scores.likelihood_of_superiority == pytest.approx(0.93739, abs=1e-4)
    assert pair_scores.chance == pytest.approx(0.17974, abs=1e-4)


def test_pairs_show_more_than_games_if_colours_decide() -> None:
    # Black always wins: the two players are equal beyond doubt, which single games cannot show.
    pairs, games = PairScores({(2, 1.0): 100}), PairScores({(1, 0.0): 100, (1, 1.0): 100})
    assert pairs.score == games.score == 0.5
    assert pairs.standard_error(0.5) < games.standard_error(0.5) / 5


@pytest.mark.parametrize(("games", "wins"), [(1, 1), (20, 13), (2000, 1027), (20000, 10085)])
def test_superiority_in_games_without_draws_is_the_published_formula(games: int, wins: int) -> None:
    """LOS = (1 + erf((wins - losses) / sqrt(2 wins + 2 losses))) / 2, the Match Statistics page of the chess wiki."""
    pair_scores = PairScores({(1, 1.0): wins, (1, 0.0): games - wins})
    published = (1 + math.erf((2 * wins - games) / math.sqrt(2 * games))) / 2
    assert pair_scores.likelihood_of_superiority == pytest.approx(published)


@given(st.lists(st.sampled_from([(1, 0.0), (1, 0.5), (1, 1.0), (2, 0.0), (2, 1.0), (2, 1.5), (2, 2.0)]), min_size=1))
def test_intervals_errors_and_verdicts_agree(results: list[tuple[int, float]]) -> None:
    pair_scores = PairScores(Counter(results))
    superiority = pair_scores.likelihood_of_superiority
    assert (pair_scores.interval.low > 0.5 or pair_scores.interval.high < 0.5) == (pair_scores.chance < 0.05)
    assert superiority > 0.975 or pair_scores.interval.low <= 0.5
    assert superiority + pair_scores.mirrored.likelihood_of_superiority == pytest.approx(1)
    assert pair_scores.interval.low <= pair_scores.score <= pair_scores.interval.high
    assert pair_scores.mirrored.interval.low == pytest.approx(1 - pair_scores.interval.high)


def pairs_of(score: float, drawn: float, bias: float) -> NDArray[np.float64]:
    """Return the probabilities of 0, 1/2, 1, 3/2 and 2 points in two games, with a bias of colour or opening."""
    room = min(score, 1 - score)

    def game(own: float) -> NDArray[np.float64]:
        draws = 2 * drawn * min(own, 1 - own)
        return np.array([1 - own - draws / 2, draws, own - draws / 2])

    return np.convolve(game(score + bias * room), game(score - bias * room))


def all_results(pairs: int, shares: NDArray[np.float64]) -> Iterator[tuple[float, PairScores]]:
    """Yield all possible results of `pairs` pairs of games, with their probabilities."""
    possible = [half for half in range(5) if shares[half] > 0]
    for bars in combinations(range(pairs + len(possible) - 1), len(possible) - 1):
        counts = dict(zip(possible, np.diff((-1, *bars, pairs + len(possible) - 1)) - 1, strict=True))
        logarithm = math.lgamma(pairs + 1)
        for half, count in counts.items():
            logarithm += count * math.log(shares[half]) - math.lgamma(count + 1)
        yield math.exp(logarithm), PairScores({(2, half / 2): int(count) for half, count in counts.items() if count})


@pytest.mark.parametrize("elo", [0, 100, 200, 400, 800])
@pytest.mark.parametrize(
    ("pairs", "drawn", "bias"),
    [(5, 0.0, 0.0), (5, 0.4, 0.0), (10, 0.0, 0.6), (10, 0.4, 0.0), (20, 0.0, 0.0), (50, 0.0, 0.0), (50, 0.0, 0.6)],
)
def test_an_interval_contains_the_truth_19_times_of_20(elo: int, pairs: int, drawn: float, bias: float) -> None:
    """Add the probabilities of all possible results whose interval contains the true score."""
    score = score_of(elo)
    total = covered = 0.0
    for chance, pair_scores in all_results(pairs, pairs_of(score, drawn, bias)):
        total += chance
        covered += chance * (pair_scores.interval.low <= score + 1e-12 and score - 1e-12 <= pair_scores.interval.high)
    assert total == pytest.approx(1)
    assert 0.95 <= covered < (1 if pairs < 50 else 0.985), "an interval of many pairs is no longer than it must be"


CLEAR, FAIR = PairScores({(2, 2.0): 30}), PairScores({(2, 1.0): 20, (2, 1.5): 7})


@pytest.mark.parametrize(
    ("results", "significant"),
    [
        ({"A": FAIR}, {"A": True}),
        ({"A": CLEAR.mirrored, "B": FAIR, "C": CLEAR}, {"A": False, "B": True, "C": True}),
        ({"A": CLEAR.mirrored, "B": FAIR, "C": FAIR}, {"A": False}),
        ({"A": PairScores(), "B": PairScores({(1, 1.0): 1})}, {}),
        ({}, {}),
    ],
)
def test_holms_correction(results: dict[str, PairScores], significant: dict[str, bool]) -> None:
    """The bounds are 0.05 / 3, then 0.05 / 2, then 0.05; one fair result is within 0.05, but not within 0.05 / 2."""
    assert 0.025 < FAIR.chance < 0.05
    assert significant_results(results) == significant


def test_bradley_terry_of_three_by_hand() -> None:
    # A scores 2/3 against B and B 2/3 against C; 4/5 = 2/3 odds 2 times 2/3 odds 2 = odds 4 for A against C: the model
    # fits exactly, and every step is 400 * log10(2) = 120.412 Elo.
    two_thirds = PairScores({(1, 1.0): 20, (1, 0.0): 10})
    results = {("A", "B"): two_thirds, ("B", "C"): two_thirds, ("A", "C"): PairScores({(1, 1.0): 24, (1, 0.0): 6})}
    elo = bradley_terry(["A", "B", "C"], results)
    assert [elo[name].estimate for name in "ABC"] == pytest.approx([120.412, 0, -120.412], abs=1e-3)


def test_bradley_terry_where_one_never_scored() -> None:
    won = PairScores({(2, 2.0): 5})
    results = {("A", "B"): PairScores({(2, 1.0): 5}), ("A", "C"): won, ("B", "C"): won}
    elo = bradley_terry(["A", "B", "C"], results)
    assert elo["A"].estimate == pytest.approx(elo["B"].estimate)
    assert -20 < elo["A"].low < elo["A"].estimate < 900 < elo["A"].high
    assert -math.inf == elo["C"].low < elo["C"].estimate < -300 < elo["C"].high < 0
    assert bradley_terry(["A", "B"], {})["A"].high == math.inf


@example([(2, 2.0)] * 10)
@given(st.lists(st.sampled_from([(1, 0.0), (1, 1.0), (2, 0.0), (2, 1.0), (2, 1.5), (2, 2.0)]), min_size=1))
def test_the_ratings_of_two_agree_with_their_pair(results: list[tuple[int, float]]) -> None:
    pair_scores = PairScores(Counter(results))
    for met in ({("A", "B"): pair_scores}, {("B", "A"): pair_scores.mirrored}):
        elo = bradley_terry(["A", "B"], met)
        assert (elo["A"].low > 0) == (pair_scores.interval.low > 0.5)
        assert (2 * elo["A"].low, 2 * elo["A"].high) == pytest.approx((pair_scores.elo.low, pair_scores.elo.high))
        assert elo["A"].low <= elo["A"].estimate <= elo["A"].high
        assert (elo["B"].low, elo["B"].high) == (-elo["A"].high, -elo["A"].low)
        if 0 < pair_scores.score < 1:
            assert 2 * elo["A"].estimate == pytest.approx(pair_scores.elo.estimate, abs=1e-6)
            assert elo["B"].estimate == pytest.approx(-elo["A"].estimate, abs=1e-9)


def test_the_ratings_of_two_have_the_corrected_score_of_a_sequential_test() -> None:
    pair_scores = PairScores({(2, 2.0): 9, (2, 1.0): 1})
    pair_scores.corrected = Interval(0.55, 0.75, 0.95)
    for met in ({("A", "B"): pair_scores}, {("B", "A"): pair_scores.mirrored}):
        elo = bradley_terry(["A", "B"], met)
        assert [elo[name].estimate for name in "AB"] == pytest.approx([elo_of(0.75) / 2, elo_of(0.25) / 2])


def test_players_who_never_met_are_not_compared() -> None:
    even, won = PairScores({(2, 1.0): 8, (2, 2.0): 1, (2, 0.0): 1}), PairScores({(2, 1.5): 6, (2, 0.5): 2})
    results = {("A", "B"): even, ("C", "D"): won, ("D", "E"): even}
    assert groups("FABCDE", results) == [["F"], ["A", "B"], ["C", "D", "E"]]
    elo = bradley_terry(list("FABCDE"), results)
    assert elo["F"] == Interval(-math.inf, 0.0, math.inf)
    assert elo["A"] == bradley_terry(["A", "B"], {("A", "B"): even})["A"]
    assert sum(elo[name].estimate for name in "CDE") == pytest.approx(0, abs=1e-6)
    assert elo["C"].estimate > elo["D"].estimate == pytest.approx(elo["E"].estimate)


@pytest.mark.parametrize(
    ("truth", "pairs", "draws"),
    [
        ({"A": 60.0, "B": 10.0, "C": -70.0}, 40, 0.0),
        ({"A": 0.0, "B": 0.0, "C": 0.0, "D": 0.0}, 40, 0.0),
        ({"A": 0.0, "B": 0.0, "C": 0.0, "D": 0.0}, 40, 0.6),
        ({"A": 0.0, "B": 0.0}, 100, 0.6),
        ({"A": 300.0, "B": 0.0, "C": -300.0}, 100, 0.0),
    ],
)
def test_bradley_terry_intervals_hold_the_truth(truth: dict[str, float], pairs: int, draws: float) -> None:
    random = np.random.default_rng(1)
    trials, covered = 150, 0
    for _ in range(trials):
        results = {}
        for first, second in combinations(truth, 2):
            luck = random.random((pairs, 2))
            score = score_of(truth[first] - truth[second])
            won = (0.5 * (luck < score - draws / 2) + 0.5 * (luck < score + draws / 2)).sum(axis=1)
            results[first, second] = PairScores({(2, float(p)): int((won == p).sum()) for p in np.unique(won)})
        elo = bradley_terry(list(truth), results)
        covered += sum(elo[name].low <= truth[name] <= elo[name].high for name in truth)
    assert 0.93 < covered / (len(truth) * trials) < 0.98


def units_of(counts: Sequence[int]) -> PairScores:
    """Return scores of game pairs, or of single games if there are three counts."""
    return PairScores({(len(counts) // 2, half / 2): count for half, count in enumerate(counts)})


def test_figures_have_the_golden_digits() -> None:
    def answer(question: str) -> str:
        kind, *words = json.loads(question)
        figures: object
        if kind == "score":
            scores = units_of(words[0])
            figures = scores.interval, scores.elo, scores.dispersion(), scores.chance, scores.likelihood_of_superiority
            figures = *figures, scores.more_games(1), scores.more_games(6), elo_text(scores.elo)
        elif kind == "elo":
            figures = elo_text(Interval(*words))
        elif kind == "sprt":
            state = Sprt(*words[0]).state(units_of(words[1]))
            bounds = [(bound, SprtState(state.test, state.counts, bound).accepted) for bound in state.test.bounds]
            figures = state.ratio, state.accepted, bounds, state.elo, state.score, state.strength
        else:
            figures = bradley_terry(words[0], {(first, second): units_of(counts) for first, second, counts in words[1]})
        return rounded(str(figures))

    assert_answers("figures.txt", answer)


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
def test_published_tests(model: str, elo: tuple[float, float], counts: tuple[int, ...], ratio: float) -> None:
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


@pytest.mark.parametrize("elo", [(0, 80), (-100, 20)])
@pytest.mark.parametrize("model", ["logistic", NORMALISED])
def test_a_ratio_is_that_of_the_likeliest_distributions(model: str, elo: tuple[float, float]) -> None:
    """Search the share of draws on a fine grid. The other shares follow from the hypothesis."""
    drawn = np.linspace(1e-4, 1, 20_001)[:-1]
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
    first, is_over = sprt_sentence(state, "A", "B"), accepted is not None
    assert f"0, 1/2, 1, 3/2, 2 points: {200 - wins}, 0, 0, 0, {wins}" in first
    assert "-2.94 (H0: 0 Elo) and 2.94 (H1: 50)" in first
    assert (f"H{accepted} is accepted after 400 games" in first) == ("corrected strength" in first) == is_over
    if is_over:  # the estimate is less extreme than the score
        assert (state.strength["logistic"].estimate < elo_of(wins / 200)) == (accepted == 1)


@pytest.mark.parametrize(
    ("elo", "counts"),
    [((0, 50), (10, 0, 0, 0, 90)), ((0, 20), (100, 50, 50, 50, 200)), ((-10, 30), (30, 40, 60, 30, 20))],
)
def test_the_estimate_is_the_same_by_a_series_and_by_reflection(
    elo: tuple[float, float], counts: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    state, estimates = Sprt(*elo).state(units_of(counts)), []
    for minimum_time, maximum_drift in ((0.0, math.inf), (math.inf, 0.0)):
        monkeypatch.setattr(sequential, "_SERIES", (minimum_time, maximum_drift))
        estimates.append((state.score.low, state.score.estimate, state.score.high))
    assert estimates[0] == pytest.approx(estimates[1], abs=1e-4)


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
