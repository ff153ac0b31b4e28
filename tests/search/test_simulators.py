"""The searches by simulations as players use them."""

import math
import random
from typing import Any

import numpy as np
import pytest

from othello.game import AnyGame, Game
from othello.rules.othello import OthelloPosition
from othello.rules.protocol import Move
from othello.search.mcts import LANES
from othello.search.mcts_search import MctsSearch
from othello.search.report import MoveStats
from othello.search.simulator import ParallelSearch
from othello.search.stop import StopFlag
from tests.minimax import final_differences
from tests.positions import RULES, START, with_empties
from tests.simulators import EACH, ROUNDING, C, go, new_search, set_root, visits
from tests.small_tictactoe import RULES as NINE, exact_value


def searched(search: str, position: OthelloPosition, count: int = 1000, seed: int = 1) -> MctsSearch:
    return go(new_search(search), Game.new(RULES, position), seed, count)


@EACH
@pytest.mark.parametrize("line", [(), (Move(19),)])
def test_moves_have_the_terms_of_their_bounds(search: str, line: tuple[Move, ...]) -> None:
    moves = searched(search, START, 1500).child_stats(line)
    log = math.log(sum(stats.visits for stats in moves) + len(line))
    for stats in moves:
        assert stats.value is not None
        assert stats.terms is not None
        factor, variance = C, stats.terms.variance
        if search == "ucb1":
            assert variance is not None
            share = stats.value * (1 - stats.value) + math.sqrt(2 * log / stats.visits)
            assert share - 0.25 < variance <= share + ROUNDING  # draws make it smaller
            factor = math.sqrt(min(0.25, variance))
        else:
            assert variance is None
        assert stats.terms.mean == stats.value
        if search != "grouping" or not line:  # the node of a graph has visits from elsewhere, too
            assert stats.terms.bonus == pytest.approx(factor * math.sqrt(log / stats.visits), abs=ROUNDING)
        assert stats.terms.bound == stats.terms.mean + stats.terms.bonus


@EACH
def test_the_next_simulation_goes_to_the_largest_bound_of_the_report(search: str) -> None:
    simulator = new_search(search)
    bounds_differ = 0
    for number, position in enumerate(with_empties(250, 45) + with_empties(250, 20) + with_empties(500, 8)):
        simulator.clear()
        set_root(simulator, Game.new(RULES, position), number)
        simulator.simulate(40 + number % 160, 1 + number % 8, StopFlag())
        before = simulator.root_moves()
        simulator.simulate(1, 1, StopFlag())
        (chosen,) = (old for old, new in zip(before, simulator.root_moves(), strict=True) if new.visits > old.visits)
        bounds = sorted(stats.terms.bound for stats in before if stats.terms is not None)
        assert chosen.terms is not None
        assert chosen.terms.bound == pytest.approx(bounds[-1], abs=2e-7)  # the search rounds to 32 bits
        bounds_differ += bounds[0] < bounds[-1] - ROUNDING
    assert bounds_differ > 900


@pytest.mark.parametrize("search", ["uct", "ucb1"])
def test_terms_of_parallel_searches_are_means(search: str) -> None:
    parts = [searched(search, START, 300, seed) for seed in (1, 2)]
    together = ParallelSearch(parts)
    for stats, one, other in zip(together.root_moves(), *(part.root_moves() for part in parts), strict=True):
        assert stats.terms is not None
        assert one.terms is not None
        assert other.terms is not None
        assert stats.terms.mean == pytest.approx(stats.value)
        for term, first, second in zip(stats.terms, one.terms, other.terms, strict=True):
            mean = None if first is None else (first * one.visits + (second or 0) * other.visits) / stats.visits
            assert term == (mean if mean is None else pytest.approx(mean))
    together.close()


@EACH
def test_a_move_without_a_visit_has_no_value(search: str) -> None:
    moves = searched(search, START, count=1).root_moves()
    assert tuple(stats.move for stats in moves) == RULES.legal_moves(START)
    assert sorted(stats.visits for stats in moves) == [0, 0, 0, 1]
    assert [stats.value is None for stats in moves] == [stats.visits == 0 for stats in moves]


@EACH
@pytest.mark.parametrize("position", with_empties(2, 1) + with_empties(4, 2))
def test_a_sure_result_has_the_value_of_the_result(search: str, position: OthelloPosition) -> None:
    surest = {1.0: 1.0, 0.0: 0.5, -1.0: 0.0}
    forced = {
        move: surest[float(np.sign(difference))]
        for move, difference in final_differences(position).items()
        if len(RULES.legal_moves(RULES.play(position, move))) == 0
    }
    for count in (20, 50, 300):
        for stats in searched(search, position, count).root_moves():
            assert stats.value is not None
            assert 0.0 <= stats.value <= 1.0
            assert stats.value == forced.get(stats.move, stats.value)


@EACH
@pytest.mark.parametrize("batch_size", [1, 8, LANES])
def test_slices_of_whole_batches_change_nothing(search: str, batch_size: int) -> None:
    whole, sliced, other = (new_search(search) for _ in range(3))
    for simulator, seed, slices in ((whole, 1, (48,)), (sliced, 1, (1, 2, 5, 40)), (other, 2, (48,))):
        set_root(simulator, Game.new(RULES), seed)
        for batches in slices:
            assert simulator.simulate(batches * batch_size, batch_size, StopFlag()) == batches * batch_size
    np.testing.assert_equal(sliced.snapshot(), whole.snapshot())
    assert (sliced.nodes, sliced.depth) == (whole.nodes, whole.depth)
    assert other.root_moves() != whole.root_moves(), "another seed"


@EACH
@pytest.mark.parametrize("batch_size", [1, 8])
def test_a_set_flag_ends_a_search_after_one_batch(search: str, batch_size: int) -> None:
    simulator, stop = new_search(search), StopFlag()
    set_root(simulator, Game.new(RULES))
    stop.cancel()
    assert simulator.simulate(500, batch_size, stop) == visits(simulator) == batch_size


@EACH
def test_a_search_knows_that_it_is_full(search: str) -> None:
    assert not searched(search, START, count=100).is_full
    tiny = go(new_search(search, RULES, 2000, memory=10_000), Game.new(RULES), count=2000)
    assert tiny.memory < 11_000
    assert tiny.is_full
    assert visits(tiny) == 2000


def prover(search: str, rules: Any = NINE) -> MctsSearch:
    return new_search(search, rules, proves=True)


def proven(game: AnyGame, moves: list[MoveStats]) -> int:
    """Assert that proven values of moves are right, and return the number of proven moves."""
    for stats in moves:
        if stats.is_proven:
            assert stats.value == (1 - exact_value(NINE.play(game.position, stats.move))) / 2
    return sum(stats.is_proven for stats in moves)


@EACH
def test_proven_values_are_right_after_any_searches(search: str) -> None:
    """The search keeps its tree from game to game, and so reaches positions that were its root before."""
    draw = random.Random(1)
    simulator = prover(search)
    known = 0
    for seed in range(120):
        game = Game.new(NINE)
        for _ in range(draw.randrange(7)):
            if not game.is_over:
                game = game.play(draw.choice(game.legal_moves()))
        if game.is_over:
            continue
        set_root(simulator, game, seed)
        simulator.simulate(draw.randrange(1, 200), draw.choice((1, 8, 16)), StopFlag())
        known += proven(game, simulator.root_moves())
        line = simulator.principal_variation(game.legal_moves()[0])
        proven(game.play(line[0]), simulator.child_stats(line[:1]))
    assert known > 100


@pytest.mark.parametrize("search", ["uct", "grouping"])  # the third has seen enough once it knows a draw
def test_enough_simulations_prove_every_move_and_a_snapshot_has_no_proofs(search: str) -> None:
    simulator, other = prover(search), prover(search)
    game = Game.new(NINE).play(Move(0))
    for one in (simulator, other):
        set_root(one, game)
        one.simulate(20_000, 16, StopFlag())
    assert proven(game, simulator.root_moves()) == 8
    assert [stats.certainty for stats in simulator.root_moves() if stats.move == 4] == [0]
    assert {stats.certainty for stats in simulator.root_moves() if stats.move != 4} == {-1}
    other.load_snapshot(simulator.snapshot())
    set_root(other, game)
    assert proven(game, other.root_moves()) == 0


@pytest.mark.parametrize(
    "search", ["uct", *(pytest.param(each, marks=pytest.mark.slow) for each in ("ucb1", "grouping"))]
)
def test_the_end_of_othello_is_proven_with_its_passes(search: str) -> None:
    for position in with_empties(6, 6, seed=3):
        simulator = prover(search, RULES)
        set_root(simulator, Game.new(RULES, position))
        simulator.simulate(4000, 8, StopFlag())
        differences = final_differences(position)
        moves = simulator.root_moves()
        for stats in moves:
            assert not stats.is_proven or stats.value == (1 + np.sign(differences[stats.move])) / 2
        assert any(stats.is_proven for stats in moves)


def test_parallel_searches_share_proofs() -> None:
    parts = [prover("uct"), prover("uct")]
    together = ParallelSearch(parts)
    game = Game.new(NINE).play(Move(0)).play(Move(1)).play(Move(4))  # X threatens in two ways
    set_root(together, game)
    parts[1].simulate(5000, 8, StopFlag())
    assert proven(game, together.root_moves()) == 6
