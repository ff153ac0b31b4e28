"""Random games, one at a time and in lock-step: all moves are equally likely.

All seeds are fixed, so a test here passes always or never. A correct kernel exceeds the bounds with one of some hundred
thousand seeds, so another correct kernel passes, too.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from othello.kernel.random import random_lanes, random_state
from othello.rules.othello import OthelloPosition
from othello.rules.protocol import Position, Rules
from othello.rules.registry import game_spec, rules_of
from tests import compiled_rules, positions
from tests.chi_square import assert_likely, bound_of_chi_square, distance
from tests.positions import DRAWN, RULES, START, WIPED_OUT, with_empties, with_forced_pass
from tests.rule_sets import names

LANES = 16
OTHERS: list[Rules[Any]] = [rules_of(game_spec(game)) for game in ("tictactoe", "ultimate_tictactoe", "connect_four")]
OTHERS.append(rules_of(game_spec("tictactoe", {"size": 5})))
Differences = NDArray[np.int64]
Play = Callable[..., Differences]  # from a position, so many games, with a seed


def one_at_a_time(position: Position, games: int, seed: int = 1, rules: Rules[Any] = RULES) -> Differences:
    differences = np.empty(games, np.int64)
    random = random_state(np.random.SeedSequence(seed))
    compiled_rules.playouts_one_at_a_time(rules.kernel_state(position), random, differences)
    return differences


def in_lock_step(
    position: Position, games: int, seed: int = 2, width: int = LANES, rules: Rules[Any] = RULES
) -> Differences:
    differences = np.full(games, 99, np.int64)
    lanes = random_lanes(np.random.SeedSequence(seed), LANES, more_rows=2 + rules.state_words)
    compiled_rules.playouts_in_lock_step(rules.kernel_state(position), width, lanes, differences)
    return differences


BOTH = pytest.mark.parametrize("play", [one_at_a_time, in_lock_step])


def chances(position: OthelloPosition, known: dict[OthelloPosition, dict[int, float]]) -> dict[int, float]:
    """Return the probabilities of the final differences of uniformly random games, by trying all games."""
    if position not in known:
        moves = RULES.legal_moves(position)
        spread: dict[int, float] = defaultdict(float)
        if not moves:
            spread[positions.final_difference(position)] = 1.0
        for move in moves:
            for difference, chance in chances(RULES.play(position, move), known).items():
                spread[-difference] += chance / len(moves)
        known[position] = spread
    return known[position]


@BOTH
@pytest.mark.parametrize(
    "position", [*with_empties(4, 6), *with_empties(3, 3), *with_forced_pass(4, most_empties=7), WIPED_OUT, DRAWN]
)
def test_results_are_as_frequent_as_their_probabilities(play: Play, position: OthelloPosition) -> None:
    games = 20_000
    expected = {result: games * chance for result, chance in chances(position, {}).items()}
    assert_likely(Counter(play(position, games).tolist()), expected)


@pytest.mark.slow
@BOTH
def test_every_one_of_many_moves_is_as_likely(play: Play) -> None:
    crowded = positions.with_many_moves(4, 22)
    chi_square = 0.0
    for position in crowded:
        moves = RULES.legal_moves(position)
        share = 250_000 // len(moves)
        after = [-play(RULES.play(position, move), share, seed) for seed, move in enumerate(moves, 10)]
        before = play(position, share * len(moves))
        error = (before.var() + np.mean([games.var() for games in after])) / len(before)
        chi_square += (before.mean() - np.mean(after)) ** 2 / error
    assert chi_square < bound_of_chi_square(len(crowded))


@pytest.mark.parametrize(
    ("rules", "position"),
    [(RULES, position) for position in (START, *(with_empties(1, empties)[0] for empties in (40, 30, 20)))]
    + [pytest.param(rules, rules.start(), id=name) for rules, name in zip(OTHERS, names(OTHERS), strict=True)],
)
def test_lock_step_plays_like_one_at_a_time(rules: Rules[Any], position: Position) -> None:
    games = 100_000 if rules is RULES else 20_000
    single, side_by_side = one_at_a_time(position, games, rules=rules), in_lock_step(position, games, rules=rules)
    half = {result: count / 2 for result, count in (Counter(single.tolist()) + Counter(side_by_side.tolist())).items()}
    one, degrees = distance(Counter(single.tolist()), half)
    other, _ = distance(Counter(side_by_side.tolist()), half)
    assert one + other < bound_of_chi_square(degrees)

    assert abs(single.mean() - side_by_side.mean()) < 4.5 * math.sqrt((single.var() + side_by_side.var()) / games)
    scores = np.sign(single), np.sign(side_by_side)
    assert abs(scores[0].mean() - scores[1].mean()) < 4.5 * math.sqrt((scores[0].var() + scores[1].var()) / games)


@pytest.mark.parametrize("width", range(1, LANES + 1))
def test_any_number_of_lanes(width: int) -> None:
    position = with_forced_pass(1, most_empties=6)[0]
    differences = in_lock_step(position, 3 * width - width // 2, width=width)
    assert set(differences.tolist()) <= chances(position, {}).keys()


@pytest.mark.parametrize("count", [1, 5, 8, 11, 16])
def test_lanes_do_not_disturb_each_other(count: int) -> None:
    starts = [WIPED_OUT, DRAWN, *with_forced_pass(5, most_empties=5), *with_empties(5, 1), *with_empties(4, 4)][:count]
    words = np.zeros((LANES, 2), np.uint64)
    for row, position in enumerate(starts):
        words[row] = position.own, position.opponent
    differences = np.full(LANES, 99, np.int64)
    compiled_rules.playout_lanes(
        RULES.kernel_state(START),
        words,
        count,
        random_lanes(np.random.SeedSequence(3), LANES, more_rows=4),
        differences,
    )
    for difference, position in zip(differences, starts, strict=False):
        assert difference in chances(position, {})
    assert set(differences[count:].tolist()) <= {99}


@BOTH
def test_the_seed_decides(play: Play) -> None:
    assert np.array_equal(play(START, 50, seed=5), play(START, 50, seed=5))
    assert not np.array_equal(play(START, 50, seed=5), play(START, 50, seed=6))
