"""SPSA, compared with its formulas, and on functions with a known maximum."""

from random import Random

import numpy as np
import pytest

from othello.tournament.statistics import score_of
from othello.tournament.tuning import Spsa


def test_iterations_follow_the_formulas() -> None:
    """Spall 1998: a(k) = a / (A + k + 1)^0.602 and c(k) = c / (k + 1)^0.101, for k from 0."""
    random, iterations, step, move = Random(1), 50, 0.15, 0.3
    search, point = Spsa([0.2, 0.9, 0.5], iterations, step, move), [0.2, 0.9, 0.5]
    a = 2 * step * move * (0.1 * iterations + 1) ** 0.602
    for k in range(iterations):
        direction = [random.choice((-1, 1)) for _ in point]
        difference = random.uniform(-1, 1)
        a_k, c_k = a / (0.1 * iterations + k + 1) ** 0.602, step / (k + 1) ** 0.101
        for side, sign in zip(search.sides(np.array(direction)), (1, -1), strict=True):
            wanted = [min(1, max(0, value + sign * c_k * way)) for value, way in zip(point, direction, strict=True)]
            assert side == pytest.approx(wanted)
        search.learn(np.array(direction), difference)
        point = [
            min(1, max(0, value + a_k * difference / (2 * c_k * way)))
            for value, way in zip(point, direction, strict=True)
        ]
        assert search.point == pytest.approx(point)


def test_one_side_that_wins_all_games_moves_the_values_as_far_as_asked() -> None:
    search = Spsa([0.5, 0.5], 100, 0.2, 0.07)
    search.learn(np.array([1, -1]), 1.0)
    assert search.point == pytest.approx([0.57, 0.43])


@pytest.mark.parametrize("best", [(0.3, 0.8), (0.0, 1.0)], ids=["inside", "at the edge"])
def test_a_known_best_value_is_found_from_random_games(best: tuple[float, float]) -> None:
    """Players lose 300 Elo over a third of the range; 16 games an iteration, as by default."""
    errors = []
    for seed in range(10):
        random = np.random.default_rng(seed)
        search = Spsa([0.6, 0.4], 200, 0.2, 0.1)
        for _ in range(200):
            direction = random.choice((-1, 1), 2)
            first, second = (-2700 * float(((side - best) ** 2).sum()) for side in search.sides(direction))
            search.learn(direction, random.binomial(16, score_of(first - second)) / 8 - 1)
        errors.append(search.point - best)
    assert np.abs(errors).max() < 0.12
    assert np.abs(np.mean(errors, axis=0)).max() < 0.03
