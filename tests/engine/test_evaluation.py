"""The patterns, and the evaluation against a slow sum over squares."""

import random
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from othello.engine import patterns
from othello.engine.evaluation import (
    Numbers,
    Weights,
    counted,
    descend,
    evaluate,
    evaluate_after,
    pass_on,
    patterns_after,
    write_numbers,
)
from othello.engine.stable_discs import captures
from othello.engine.weights import UNITS
from othello.kernel.bits import ONE
from othello.kernel.jit import kernel
from othello.rules.othello import OthelloPosition
from othello.rules.othello.scalar_bits import PASS, flips
from othello.rules.protocol import Color
from tests.positions import IMAGES, RULES, image_of, random_game, with_forced_pass


@cache
def random_weights() -> Weights:
    """Weights of no sense, equal for mirror images."""
    shared = patterns.shared_weights()
    drawn = np.random.default_rng(1).integers(-300, 300, (patterns.STAGES, int(shared.max()) + 1))
    return np.ascontiguousarray(drawn[:, shared].astype(np.int16))


def digit(position: OthelloPosition, square: int) -> int:
    return (position.own >> square & 1) + 2 * (position.opponent >> square & 1)


def slow_value(position: OthelloPosition) -> int:
    """Return the evaluation, computed directly from its description."""
    weights = weights_of_stage(position)
    total = slow_patterns(position, weights)
    return max(-63, min(63, (total + slow_counts(position, weights) + UNITS // 2) // UNITS))


def weights_of_stage(position: OthelloPosition) -> Weights:
    weights: Weights = random_weights()[max(0, min((position.taken.bit_count() - 4) // 2, patterns.STAGES - 1))]
    return weights


def slow_patterns(position: OthelloPosition, weights: Weights) -> int:
    total = 0
    for squares, start in zip(patterns.LANE_SQUARES, patterns.LANE_STARTS, strict=True):
        number = sum(digit(position, square) * 3**place for place, square in enumerate(squares))
        total += int(weights[start + number])
    return total


def slow_counts(position: OthelloPosition, weights: Weights) -> int:
    """Return the indices of all weights that do not belong to patterns, computed square by square."""
    sides = position.own, position.opponent
    empty = {square for square in range(64) if digit(position, square) == 0}
    moves = [{s for s in empty if flips(*both, s)} for both in (sides, sides[::-1])]
    frontier = [
        sum(digit(position, s) == side and any(is_beside(s, other) for other in empty) for s in range(64)) // 2
        for side in (1, 2)
    ]
    odd = len(empty) % 2
    few = [min(count, 11) for count in (len(moves[0]), len(moves[1]), *frontier)]
    total = int(weights[patterns.OWN_MOVES + len(moves[0])]) + int(weights[patterns.OPPONENT_MOVES + len(moves[1])])
    total += int(weights[patterns.FRONTIER :][np.ravel_multi_index((*few, odd), (12, 12, 12, 12, 2))])
    access = 0
    for bit, (row, column) in enumerate(((0, 0), (0, 4), (4, 0), (4, 4))):
        quadrant = {8 * (row + r) + column + c for r in range(4) for c in range(4)}
        left, *able = (len(quadrant & squares) for squares in (empty, *moves))
        counts = min(left, 11), min(able[0], 5), min(able[1], 5), odd
        total += int(weights[patterns.QUADRANT :][np.ravel_multi_index(counts, (12, 6, 6, 2))])
        access |= ((able[0] > 0) + 16 * (able[1] > 0) + 256 * (left % 2)) << bit
    for edge in ({*range(8)}, {*range(56, 64)}, {*range(0, 64, 8)}, {*range(7, 64, 8)}):
        left, *able = (len(edge & squares) for squares in (empty, *moves))
        discs = sum(digit(position, square) == 1 for square in edge)
        places = left, min(able[0], 5), min(able[1], 5), odd, discs
        total += int(weights[patterns.EDGE :][np.ravel_multi_index(places, (12, 6, 6, 2, 9))])
    return total + int(weights[patterns.ACCESS + access])


def is_beside(square: int, other: int) -> bool:
    (row, column), (other_row, other_column) = divmod(square, 8), divmod(other, 8)
    return max(abs(row - other_row), abs(column - other_column)) == 1


def new_numbers() -> Numbers:
    return np.zeros((70, 2, patterns.LANES), np.uint16)


@kernel
def _value(own: np.uint64, opponent: np.uint64, numbers: Numbers, ply: int, weights: Weights) -> int:
    return evaluate(own, opponent, numbers, ply, weights)


@kernel
def _values_after(
    own: np.uint64, opponent: np.uint64, square: int, numbers: Numbers, ply: int, weights: Weights
) -> tuple[int, int]:
    """Return the evaluation after a move, and the part of it that comes from patterns."""
    turned = captures(own, opponent, square)
    boards = opponent ^ turned, own | turned | ONE << np.uint64(square)
    patterns = patterns_after(*boards, turned, square, numbers, ply, weights)
    return evaluate_after(*boards, turned, square, numbers, ply, weights), patterns


@kernel
def _descend(numbers: Numbers, ply: int, turned: np.uint64, square: int) -> None:
    descend(numbers, ply, turned, square)


@kernel
def _pass_on(numbers: Numbers, ply: int) -> None:
    pass_on(numbers, ply)


@kernel
def _counted(own: np.uint64, opponent: np.uint64) -> tuple[int, ...]:
    return counted(own, opponent)


def boards(position: OthelloPosition) -> tuple[np.uint64, np.uint64]:
    return np.uint64(position.own), np.uint64(position.opponent)


def value(position: OthelloPosition) -> int:
    numbers = new_numbers()
    write_numbers(*boards(position), numbers, 0)
    return int(_value(*boards(position), numbers, 0, random_weights()))


def test_there_are_64_lanes_of_15_classes() -> None:
    assert len(patterns.SHAPES) == 15
    assert len(patterns.LANE_SQUARES) == 64
    assert len({frozenset(squares) for squares in patterns.LANE_SQUARES}) == 64
    covered = {square for squares in patterns.LANE_SQUARES for square in squares}
    assert covered == set(range(64))


@pytest.mark.parametrize("seed", range(6))
def test_incremental_numbers_equal_recomputed_ones(seed: int) -> None:
    game = random_game(seed)
    numbers, anew = new_numbers(), new_numbers()
    write_numbers(*boards(game[0]), numbers, 0)
    for ply, (before, after) in enumerate(pairwise(game)):
        placed = (after.black | after.white) ^ (before.black | before.white)
        if placed:
            square = placed.bit_length() - 1
            _descend(numbers, ply, np.uint64(flips(before.own, before.opponent, square)), square)
        else:
            _pass_on(numbers, ply)
        write_numbers(*boards(after), anew, ply + 1)
        np.testing.assert_array_equal(numbers[ply + 1], anew[ply + 1])


FEW_DISCS = [(0, 0), (1, 0), (0, 1 << 63), (1, 2), (0b101, 2), (0b111, 0)]  # all are of the first stage


@pytest.mark.parametrize("seed", range(6))
def test_the_evaluation_is_the_sum_of_its_weights(seed: int) -> None:
    for position in (*random_game(seed), OthelloPosition(*FEW_DISCS[seed], Color.BLACK)):
        assert value(position) == slow_value(position)
        assert all(isinstance(place, int) for place in _counted(*boards(position)))


@pytest.mark.parametrize("seed", range(3))
def test_a_move_is_judged_before_it_is_made(seed: int) -> None:
    numbers = new_numbers()
    for ply, position in enumerate(random_game(seed)[:-1]):
        write_numbers(*boards(position), numbers, ply)
        for move in RULES.legal_moves(position):
            if move != PASS:
                found = _values_after(*boards(position), move, numbers, ply, random_weights())
                after = RULES.play(position, move)
                assert found == (slow_value(after), slow_patterns(after, weights_of_stage(after)))


def test_a_pass_changes_sides() -> None:
    numbers = new_numbers()
    for position in with_forced_pass(3):
        write_numbers(*boards(position), numbers, 0)
        _pass_on(numbers, 0)
        after = RULES.play(position, PASS)
        assert int(_value(*boards(after), numbers, 1, random_weights())) == slow_value(after)


def test_symmetric_positions_are_worth_the_same() -> None:
    draw = random.Random(3)
    for seed in range(5):
        position = draw.choice(random_game(seed)[20:])
        assert {value(image_of(position, image)) for image in range(len(IMAGES))} == {value(position)}
