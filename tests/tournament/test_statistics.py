"""Figures worked out by hand, and intervals that hold what they promise."""

import math
from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from othello.tournament.ratings import bradley_terry, groups
from othello.tournament.statistics import Interval, PairScores, elo_of, score_of, significant_results


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
    assert pair_scores.mirrored.likelihood_of_superiority == pytest.approx(1 - 0.93739, abs=1e-4)
    assert pair_scores.chance == pytest.approx(0.17974, abs=1e-4)


def test_pairs_give_shorter_intervals_if_colours_decide() -> None:
    # Black always wins: the two players are equal beyond doubt, which single games cannot show.
    pairs, games = PairScores({(2, 1.0): 100}), PairScores({(1, 0.0): 100, (1, 1.0): 100})
    assert pairs.score == games.score == 0.5
    assert pairs.standard_error(0.5) < games.standard_error(0.5) / 5


def test_no_games() -> None:
    pair_scores = PairScores()
    assert (pair_scores.score, pair_scores.interval.low, pair_scores.interval.high) == (0.5, 0.0, 1.0)
    assert pair_scores.likelihood_of_superiority == 0.5


def test_one_game_shows_next_to_nothing() -> None:
    pair_scores = PairScores({(1, 1.0): 1})
    assert pair_scores.dispersion() == pytest.approx(1)
    assert pair_scores.chance == 1
    assert 0 < pair_scores.interval.low < 0.1
    assert pair_scores.interval.high == 1


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


def all_results(pairs: int, won: float, drawn: float) -> Iterator[tuple[float, PairScores]]:
    """Yield all possible results of `pairs` pairs of independent games, with their probabilities."""
    lost = 1 - won - drawn
    chances = {2.0: won**2, 1.5: 2 * won * drawn, 1.0: drawn**2 + 2 * won * lost, 0.5: 2 * drawn * lost, 0.0: lost**2}
    possible = [(points, chance) for points, chance in chances.items() if chance]
    for bars in combinations(range(pairs + len(possible) - 1), len(possible) - 1):
        counts = np.diff((-1, *bars, pairs + len(possible) - 1)) - 1
        logarithm = math.lgamma(pairs + 1)
        for count, (_, chance) in zip(counts, possible, strict=True):
            logarithm += count * math.log(chance) - math.lgamma(count + 1)
        yield (
            math.exp(logarithm),
            PairScores({(2, possible[i][0]): int(count) for i, count in enumerate(counts) if count}),
        )


@pytest.mark.parametrize("elo", [0, 100, 200, 400, 800])
@pytest.mark.parametrize(("pairs", "drawn"), [(5, 0.0), (5, 0.4), (10, 0.0), (10, 0.4), (20, 0.0), (50, 0.0)])
def test_an_interval_contains_the_truth_19_times_of_20(elo: int, pairs: int, drawn: float) -> None:
    """Add the probabilities of all possible results whose interval contains the true score."""
    score = score_of(elo)
    drawn *= 2 * (1 - score)
    total = covered = 0.0
    for chance, pair_scores in all_results(pairs, score - drawn / 2, drawn):
        total += chance
        covered += chance * (pair_scores.interval.low <= score + 1e-12 and score - 1e-12 <= pair_scores.interval.high)
    assert total == pytest.approx(1)
    assert covered >= 0.95


@pytest.mark.parametrize("elo", [0, 200, 400, 800])
@pytest.mark.parametrize("bias", [0.0, 0.6])
def test_an_interval_of_many_pairs_is_no_longer_than_it_must_be(elo: int, bias: float) -> None:
    random = np.random.default_rng(elo)
    score = score_of(elo)
    bias *= 1 - score
    trials, covered = 1000, 0
    for _ in range(trials):
        won = random.random((200, 2)) < (score + bias, score - bias)
        interval = PairScores(Counter((2, float(points)) for points in won.sum(axis=1))).interval
        covered += interval.low <= score <= interval.high
    assert 0.94 <= covered / trials <= 0.99


def equals(players: int, pairs: int, bias: float, random: np.random.Generator) -> dict[tuple[int, int], PairScores]:
    """Return what players of one strength score against each other when black wins with 1/2 + bias / 2."""
    met = list(combinations(range(players), 2))
    won = (random.random((len(met), pairs, 2)) < (0.5 + bias / 2, 0.5 - bias / 2)).sum(axis=2)
    return {
        pair: PairScores(Counter((2, float(points)) for points in found)) for pair, found in zip(met, won, strict=True)
    }


@pytest.mark.parametrize(
    ("players", "pairs", "bias"), [(6, 6, 0.0), (6, 20, 0.0), (6, 20, 0.3), (10, 30, 0.0), (3, 40, 0.0)]
)
def test_of_equal_players_one_tournament_in_20_finds_a_stronger_one(players: int, pairs: int, bias: float) -> None:
    random = np.random.default_rng(players * pairs)
    trials = 300
    tournaments = [equals(players, pairs, bias, random) for _ in range(trials)]
    assert sum(bool(significant_results(results)) for results in tournaments) / trials < 0.08
    alone = sum(any(pair_scores.chance < 0.05 for pair_scores in results.values()) for results in tournaments) / trials
    assert alone > 0.08  # what each pair by itself would show


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
    results = {
        ("A", "B"): PairScores({(1, 1.0): 20, (1, 0.0): 10}),
        ("B", "C"): PairScores({(1, 1.0): 20, (1, 0.0): 10}),
        ("A", "C"): PairScores({(1, 1.0): 24, (1, 0.0): 6}),
    }
    elo = bradley_terry(["A", "B", "C"], results)
    assert [elo[name].estimate for name in "ABC"] == pytest.approx([120.412, 0, -120.412], abs=1e-3)


def test_bradley_terry_where_one_never_scored() -> None:
    results = {
        ("A", "B"): PairScores({(2, 1.0): 5}),
        ("A", "C"): PairScores({(2, 2.0): 5}),
        ("B", "C"): PairScores({(2, 2.0): 5}),
    }
    elo = bradley_terry(["A", "B", "C"], results)
    assert elo["A"].estimate == pytest.approx(elo["B"].estimate)
    assert -20 < elo["A"].low < elo["A"].estimate < 900 < elo["A"].high
    assert -math.inf == elo["C"].low < elo["C"].estimate < -300 < elo["C"].high < 0
    assert bradley_terry(["A", "B"], {})["A"].high == math.inf


def test_a_player_who_won_everything_has_a_lower_bound() -> None:
    """Near infinity an interval of so many standard errors would reach to the other side of 0."""
    won = PairScores({(2, 2.0): 10})
    elo = bradley_terry(["A", "B"], {("A", "B"): won})
    assert won.elo.estimate == won.elo.high == math.inf
    assert 0 < won.elo.low < math.inf
    assert 50 < elo["A"].low < elo["A"].estimate < elo["A"].high == math.inf
    assert (elo["B"].low, elo["B"].high) == (-math.inf, -elo["A"].low)


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
    trials, covered = 400, 0
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
