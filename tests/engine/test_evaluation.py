"""The evaluation against a slow sum over squares, the file of its weights, and its use in searches by simulations."""

import hashlib
import random
import zlib
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from othello.engine import evaluation, patterns, weights
from othello.engine.engine import Bounds, Engine
from othello.engine.evaluation import Numbers, Weights
from othello.engine.leaf import evaluation_leaf
from othello.engine.stable_discs import captures
from othello.engine.weights import UNITS
from othello.errors import WeightsError
from othello.kernel.bits import ONE
from othello.kernel.jit import kernel
from othello.players.player_registry import configure, unsupported_reason
from othello.resources import asset
from othello.rules.othello import OthelloPosition
from othello.rules.othello.othello_kernels import othello_state
from othello.rules.othello.scalar_bits import PASS, flips
from othello.rules.protocol import Color
from othello.rules.registry import game_spec
from othello.search.mcts import Uct
from othello.search.mcts_search import TreeSearch
from othello.search.stop import StopFlag
from tests.player_factory import answer
from tests.positions import IMAGES, RULES, image_of, random_game, with_empties, with_forced_pass


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
    return max(-63, min(63, (slow_patterns(position, weights) + slow_counts(position, weights) + UNITS // 2) // UNITS))


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
        places = left, min(able[0], 5), min(able[1], 5), odd, sum(digit(position, square) == 1 for square in edge)
        total += int(weights[patterns.EDGE :][np.ravel_multi_index(places, (12, 6, 6, 2, 9))])
    return total + int(weights[patterns.ACCESS + access])


def is_beside(square: int, other: int) -> bool:
    (row, column), (other_row, other_column) = divmod(square, 8), divmod(other, 8)
    return max(abs(row - other_row), abs(column - other_column)) == 1


def new_numbers() -> Numbers:
    return np.zeros((70, 2, patterns.LANES), np.uint16)


@kernel
def _values_after(
    own: np.uint64, opponent: np.uint64, square: int, numbers: Numbers, ply: int, weights: Weights
) -> tuple[int, int]:
    """Return the evaluation after a move, and the part of it that comes from patterns."""
    turned = captures(own, opponent, square)
    boards = opponent ^ turned, own | turned | ONE << np.uint64(square)
    patterns = evaluation.patterns_after(*boards, turned, square, numbers, ply, weights)
    return evaluation.evaluate_after(*boards, turned, square, numbers, ply, weights), patterns


@kernel
def _descend(numbers: Numbers, ply: int, turned: np.uint64, square: int) -> None:
    evaluation.descend(numbers, ply, turned, square)


def boards(position: OthelloPosition) -> tuple[np.uint64, np.uint64]:
    return np.uint64(position.own), np.uint64(position.opponent)


def value(position: OthelloPosition) -> int:
    numbers = new_numbers()
    evaluation.write_numbers(*boards(position), numbers, 0)
    return int(evaluation.evaluate(*boards(position), numbers, 0, random_weights()))


@pytest.mark.parametrize(
    "game", [*map(random_game, range(6)), *([position, RULES.play(position, PASS)] for position in with_forced_pass(3))]
)
def test_incremental_numbers_equal_recomputed_ones(game: list[OthelloPosition]) -> None:
    numbers, anew = new_numbers(), new_numbers()
    evaluation.write_numbers(*boards(game[0]), numbers, 0)
    for ply, (before, after) in enumerate(pairwise(game)):
        placed = (after.black | after.white) ^ (before.black | before.white)
        if placed:
            square = placed.bit_length() - 1
            _descend(numbers, ply, np.uint64(flips(before.own, before.opponent, square)), square)
        else:
            evaluation.pass_on(numbers, ply)
        evaluation.write_numbers(*boards(after), anew, ply + 1)
        np.testing.assert_array_equal(numbers[ply + 1], anew[ply + 1])


FEW_DISCS = [(0, 0), (1, 0), (0, 1 << 63), (1, 2), (0b101, 2), (0b111, 0)]  # all are of the first stage


@pytest.mark.parametrize("seed", range(6))
def test_the_evaluation_is_the_sum_of_its_weights(seed: int) -> None:
    for position in (*random_game(seed), OthelloPosition(*FEW_DISCS[seed], Color.BLACK)):
        assert value(position) == slow_value(position)
        assert all(isinstance(place, int) for place in evaluation.counted(*boards(position)))


@pytest.mark.parametrize("seed", range(3))
def test_a_move_is_judged_before_it_is_made(seed: int) -> None:
    numbers = new_numbers()
    for ply, position in enumerate(random_game(seed)[:-1]):
        evaluation.write_numbers(*boards(position), numbers, ply)
        for move in RULES.legal_moves(position):
            if move != PASS:
                found = _values_after(*boards(position), move, numbers, ply, random_weights())
                after = RULES.play(position, move)
                assert found == (slow_value(after), slow_patterns(after, weights_of_stage(after)))


def test_symmetric_positions_are_worth_the_same() -> None:
    draw = random.Random(3)
    for seed in range(5):
        position = draw.choice(random_game(seed)[20:])
        assert {value(image_of(position, image)) for image in range(len(IMAGES))} == {value(position)}


SHARED = int(patterns.shared_weights().max()) + 1


@pytest.fixture(scope="module")
def content() -> bytes:
    return asset("engine-weights.bin").read_bytes()


def test_weights_round_trip_and_the_shipped_ones_are_whole() -> None:
    drawn = np.zeros((patterns.STAGES, SHARED), np.int16)
    drawn[[0, 1, -1]] = np.random.default_rng(2).integers(-32768, 32767, (3, SHARED), np.int16)
    np.testing.assert_array_equal(weights.unpack(weights.pack(drawn)), drawn[:, patterns.shared_weights()])
    loaded = weights.load()
    assert loaded.shape == (patterns.STAGES, patterns.WEIGHTS)
    assert loaded.dtype == np.int16
    assert loaded.any(axis=1).all()


@pytest.mark.slow
def test_a_damaged_copy_of_unpacked_weights_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right = weights.load()
    monkeypatch.setenv("OTHELLO_CACHE_DIR", str(tmp_path))
    (tmp_path / "weights-former.bin").write_bytes(b"of weights that were shipped before")
    weights.load()
    weights.load(asset("engine-weights.bin"))  # a named file is not copied
    (copy,) = tmp_path.iterdir()
    with monkeypatch.context() as later:
        later.setattr(weights, "_LAYOUT", bytes(32))  # a program with other patterns finds the copy
        with pytest.raises(WeightsError):
            weights.load()
    whole = copy.read_bytes()
    for damaged in (whole[:-2], whole[:99] + b"?" + whole[100:], b""):
        copy.write_bytes(damaged)
        np.testing.assert_array_equal(weights.load(), right)
    assert copy.read_bytes() == whole
    monkeypatch.setenv("OTHELLO_CACHE_DIR", str(copy))  # no folder, so no copy
    np.testing.assert_array_equal(weights.load(), right)


@pytest.mark.parametrize("part", ["magic", "digest", "layout", "packed"])
def test_damage_in_any_part_is_noticed(part: str, content: bytes) -> None:
    start = content.index(b"\n") + 1
    begin, end = {"magic": (0, start), "digest": (start, start + 32), "layout": (start + 32, start + 64)}.get(
        part, (start + 64, len(content))
    )
    for place in (begin, (begin + end) // 2, end - 1):
        for after in (bytes([content[place] ^ 1]) + content[place + 1 :], b"", b"\0" + content[place:]):
            with pytest.raises(WeightsError):
                weights.unpack(content[:place] + after)


def sealed(content: bytes, body: bytes) -> bytes:
    """Return a file with another body and a matching digest."""
    return content[: content.index(b"\n") + 1] + hashlib.sha256(body).digest() + body


def test_a_fitting_digest_alone_is_not_enough(content: bytes) -> None:
    start = content.index(b"\n") + 1 + 32
    layout, packed = content[start : start + 32], content[start + 32 :]
    bomb = zlib.compress(bytes(200_000_000), 1)
    bodies = [b"", layout, layout + b"x", layout + bomb, layout + zlib.compress(b"short"), bytes(32) + packed]
    for body in (*bodies, layout + packed[:-2], layout + packed + b"x"):
        with pytest.raises(WeightsError):
            weights.unpack(sealed(content, body))


def test_chances_rise_with_the_value() -> None:
    chances = evaluation_leaf().chances.astype(np.int64)
    assert len(chances) == 65  # empty squares
    assert (np.diff(chances, axis=1) >= 0).all()
    assert np.abs(chances + chances[:, ::-1] - 2**32).max() <= 2
    assert chances[20, 64] == 2**31


def test_a_search_often_agrees_with_the_engine() -> None:
    agreed = 0
    for position in with_empties(6, 30):
        *_, found = Engine(1 << 16, StopFlag()).deepen(position.own, position.opponent, Bounds(8, exact_empties=0))
        search = TreeSearch(RULES, Uct(1.4), 4000)
        search.leaf = evaluation_leaf()
        search.set_root([], othello_state(position.own, position.opponent), np.random.SeedSequence(1))
        assert search.simulate(4000, 8, StopFlag()) == 4000
        agreed += max(search.root_moves(), key=lambda stats: stats.visits).move == found.move
    assert agreed >= 3


def test_players_use_the_evaluation_with_the_option() -> None:
    reports = [
        answer(configure("mcts_uct", simulation_count=200, mcts_leaf=leaf), with_empties(1, 20)[0])
        for leaf in ("playout", "evaluation", "evaluation")
    ]
    assert reports[0].moves != reports[1].moves
    assert reports[1].moves == reports[2].moves
    refused = unsupported_reason(configure("mcts_uct", mcts_leaf="evaluation"), game_spec("tictactoe"))
    assert str(refused).startswith("mcts_leaf: the engine's evaluation")
