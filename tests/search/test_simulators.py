"""The searches by simulations as players use them."""

import math

import numpy as np
import pytest

from othello.rules.othello import OthelloPosition
from othello.rules.protocol import Move
from othello.search.mcts import LANES, Uct
from othello.search.mcts_search import GraphSearch, MctsSearch, TreeSearch
from othello.search.simulator import ParallelSearch
from othello.search.stop import StopFlag
from tests.minimax import final_differences
from tests.positions import RULES, START, with_empties, with_forced_pass
from tests.simulators import EACH, MAKE, ROUNDING, C

POSITIONS = [START, with_empties(1, 30)[0], with_empties(1, 7)[0], with_empties(1, 1)[0], with_forced_pass(1, 8)[0]]


def searched(search: str, position: OthelloPosition, count: int = 1000, seed: int = 1) -> MctsSearch:
    simulator = MAKE[search]()
    simulator.set_root([], RULES.kernel_state(position), np.random.SeedSequence(seed))
    assert simulator.simulate(count, 8, StopFlag()) == count
    return simulator


@EACH
@pytest.mark.parametrize("position", POSITIONS)
def test_the_moves_of_the_root_are_all_and_share_the_simulations(search: str, position: OthelloPosition) -> None:
    simulator = searched(search, position)
    moves = simulator.root_moves()
    assert tuple(stats.move for stats in moves) == RULES.legal_moves(position)
    assert sum(stats.visits for stats in moves) == 1000
    assert all(stats.value is not None and stats.visits for stats in moves)


@EACH
@pytest.mark.parametrize("line", [(), (Move(19),)])
def test_every_move_tells_what_it_is_chosen_by(search: str, line: tuple[Move, ...]) -> None:
    simulator = searched(search, START, 1500)
    moves = simulator.child_stats(line)
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
    simulator = MAKE[search]()
    bounds_differ = 0
    for number, position in enumerate(with_empties(250, 45) + with_empties(250, 20) + with_empties(500, 8)):
        simulator.clear()
        simulator.set_root([], RULES.kernel_state(position), np.random.SeedSequence(number))
        simulator.simulate(40 + number % 160, 1 + number % 8, StopFlag())
        before = simulator.root_moves()
        simulator.simulate(1, 1, StopFlag())
        after = simulator.root_moves()
        (chosen,) = (old for old, new in zip(before, after, strict=True) if new.visits > old.visits)
        bounds = sorted(stats.terms.bound for stats in before if stats.terms is not None)
        assert chosen.terms is not None
        assert chosen.terms.bound == pytest.approx(bounds[-1], abs=2e-7)  # the search rounds to 32 bits
        bounds_differ += bounds[0] < bounds[-1] - ROUNDING
    assert bounds_differ > 900


@pytest.mark.parametrize("search", ["uct", "ucb1"])
def test_searches_side_by_side_tell_the_means_of_their_terms(search: str) -> None:
    parts = [searched(search, START, 300, seed) for seed in (1, 2)]
    together = ParallelSearch(parts)
    both = zip(together.root_moves(), *(part.root_moves() for part in parts), strict=True)
    for stats, one, other in both:
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
@pytest.mark.parametrize("position", POSITIONS)
def test_the_line_is_legal_and_begins_with_the_most_visited(search: str, position: OthelloPosition) -> None:
    simulator = searched(search, position, count=3000)
    most = max(simulator.root_moves(), key=lambda stats: stats.visits).move
    line = simulator.principal_variation(most)
    assert line[0] == most
    visits = {stats.move: stats.visits for stats in simulator.root_moves()}
    assert visits[line[0]] == max(visits.values())
    assert len(line) <= simulator.depth
    for move in line:
        assert move in RULES.legal_moves(position)
        position = RULES.play(position, move)


@EACH
def test_a_cleared_search_begins_anew(search: str) -> None:
    used = searched(search, POSITIONS[1])
    used.clear()
    used.set_root([], RULES.kernel_state(START), np.random.SeedSequence(1))
    used.simulate(1000, 8, StopFlag())
    assert_equal(used, searched(search, START))


@EACH
@pytest.mark.parametrize("batch_size", [1, 8, LANES])
def test_slices_of_whole_batches_change_nothing(search: str, batch_size: int) -> None:
    whole, sliced, other = (MAKE[search]() for _ in range(3))
    for simulator, seed in ((whole, 1), (sliced, 1), (other, 2)):
        simulator.set_root([], RULES.kernel_state(START), np.random.SeedSequence(seed))
    for simulator, slices in ((whole, (48,)), (sliced, (1, 2, 5, 40)), (other, (48,))):
        for batches in slices:
            assert simulator.simulate(batches * batch_size, batch_size, StopFlag()) == batches * batch_size
    assert_equal(whole, sliced)
    assert other.root_moves() != whole.root_moves(), "another seed"


def assert_equal(one: MctsSearch, other: MctsSearch) -> None:
    first, second = one.snapshot(), other.snapshot()
    assert list(first) == list(second)
    for field in first:
        np.testing.assert_array_equal(first[field], second[field])
    assert (one.nodes, one.depth) == (other.nodes, other.depth)


@EACH
@pytest.mark.parametrize("batch_size", [1, 8])
def test_a_set_flag_leaves_one_batch(search: str, batch_size: int) -> None:
    simulator, stop = MAKE[search](), StopFlag()
    simulator.set_root([], RULES.kernel_state(START), np.random.SeedSequence(1))
    stop.cancel()
    assert simulator.simulate(500, batch_size, stop) == batch_size
    assert sum(stats.visits for stats in simulator.root_moves()) == batch_size


@EACH
def test_it_says_when_it_is_full(search: str) -> None:
    assert not searched(search, START, count=100).is_full
    kind = GraphSearch if search == "grouping" else TreeSearch
    tiny = kind(RULES, Uct(C), 2000, memory=10_000)
    assert tiny.memory < 11_000
    tiny.set_root([], RULES.kernel_state(START), np.random.SeedSequence(1))
    tiny.simulate(2000, 8, StopFlag())
    assert tiny.is_full
    assert sum(stats.visits for stats in tiny.root_moves()) == 2000
