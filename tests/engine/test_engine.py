"""The engine's search against plain minimax, and its answers to a whole position."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from othello.engine import probcut, transposition_table
from othello.engine.abdada import finished_search, starting_search
from othello.engine.endgame import solve
from othello.engine.endgame_search import AGE, CONFIDENCE, COUNTS, NODES
from othello.engine.engine import Bounds, Engine, EngineResult, _steps
from othello.engine.evaluation import write_numbers
from othello.engine.midgame import judge_moves, new_root_moves, pvs
from othello.engine.probcut import AGGRESSIVE, CONSERVATIVE, deviation, margins
from othello.engine.transposition_table import EXACT, NO_MOVE
from othello.kernel.jit import kernel
from othello.rules.othello import OthelloPosition
from othello.rules.othello.scalar_bits import PASS, mobility
from othello.rules.protocol import Color
from othello.search.stop import StopFlag
from tests.engine.test_evaluation import random_weights, slow_value
from tests.positions import RULES, empties_to_winner, random_game, with_empties, with_many_moves

TWO_DISCS = OthelloPosition(black=1 << 27, white=1 << 28, to_move=Color.WHITE)
THREE_DISCS = OthelloPosition(black=1 << 28 | 1 << 35, white=1 << 27, to_move=Color.WHITE)
MIDDLE = [*with_empties(2, 40), *with_empties(2, 27, seed=1), *with_many_moves(1, 16), THREE_DISCS]
CAREFUL = {depth: Bounds(depth, exact_empties=0, confidence=EXACT) for depth in range(1, 5)}


@cache
def minimax(position: OthelloPosition, depth: int) -> int:
    """Return the value by exhaustive search; a pass costs no depth."""
    moves = RULES.legal_moves(position)
    if not moves:
        difference = empties_to_winner(*RULES.score(position))
        return -difference if position.to_move else difference
    if depth == 0:
        return slow_value(position)
    return max(-minimax(RULES.play(position, move), depth - (move != PASS)) for move in moves)


def findings(position: OthelloPosition, bounds: Bounds, judge_all: bool = False) -> list[EngineResult]:
    engine = Engine(1 << 16, StopFlag(), random_weights())
    return list(engine.deepen(position.own, position.opponent, bounds, judge_all))


@pytest.mark.parametrize(("position", "depth"), [*zip(MIDDLE, (3, 2, 2, 2, 2, 3), strict=True)])
def test_a_search_without_risks_has_the_values_of_minimax(position: OthelloPosition, depth: int) -> None:
    for found in findings(position, CAREFUL[depth]):
        assert found.value == minimax(position, found.depth)
        assert -minimax(RULES.play(position, found.move), found.depth - 1) == found.value
    *_, found = findings(position, CAREFUL[2], judge_all=True)
    assert found.root.exact.all()
    values = dict(zip(found.root.square.tolist(), found.root.value.tolist(), strict=True))
    assert values == {move: -minimax(RULES.play(position, move), 1) for move in RULES.legal_moves(position)}


@pytest.mark.parametrize("position", with_empties(3, 15))
def test_the_end_is_exact_with_any_evaluation(position: OthelloPosition) -> None:
    *_, found = findings(position, Bounds())
    assert found.is_solved
    replies = []
    for move in RULES.legal_moves(position):
        result = solve(RULES.play(position, move), StopFlag())
        assert result is not None
        replies.append(-result.score)
    assert found.value == max(replies)


@pytest.mark.parametrize("position", [TWO_DISCS, THREE_DISCS])
def test_boards_with_two_or_three_discs_are_searched(position: OthelloPosition) -> None:
    *_, found = findings(position, Bounds(6, exact_empties=0))
    assert found.depth == 6
    assert found.move in RULES.legal_moves(position)


def test_several_moves_that_win_all_discs_have_exact_values() -> None:
    """Black has all squares but g1 and g2, and may play on h1, h2 and h3."""
    white, empty = 1 << 6 | 1 << 14, 1 << 7 | 1 << 15 | 1 << 23
    position = OthelloPosition((1 << 64) - 1 ^ white ^ empty, white, Color.BLACK)
    *_, found = findings(position, Bounds(), judge_all=True)
    result = solve(position, StopFlag(), judge_all=True)
    assert result is not None
    assert found.is_solved
    assert found.values == result.scores == dict.fromkeys(RULES.legal_moves(position), 64)


def test_the_table_is_cleared_when_its_ages_overflow() -> None:
    counts = np.zeros(COUNTS, np.int64)
    counts[AGE] = 0x7FFE
    engine = Engine(1 << 12, StopFlag(), random_weights(), counts)
    *_, found = engine.deepen(MIDDLE[0].own, MIDDLE[0].opponent, CAREFUL[3])
    after = RULES.play(MIDDLE[0], found.move)
    assert engine.expected_move(after.own, after.opponent) != NO_MOVE
    *_, found = engine.deepen(MIDDLE[1].own, MIDDLE[1].opponent, CAREFUL[1])
    assert engine.expected_move(after.own, after.opponent) == NO_MOVE
    engine.forget()
    assert not counts.any()


def test_wider_margins_search_more_nodes() -> None:
    def searched(**options: Any) -> tuple[list[int], int]:
        """Return the values that searches find, and their total node count."""
        bounds = Bounds(8, exact_empties=0, **options)
        engines = [Engine(1 << 16, StopFlag()).deepen(each.own, each.opponent, bounds) for each in with_empties(3, 40)]
        found = [list(engine)[-1] for engine in engines]
        return [each.value for each in found], sum(each.nodes for each in found)

    nodes = [searched(margin=margin)[1] for margin in (0.5, 1.0, 2.0, 10.0)]
    assert nodes == sorted(set(nodes))
    assert searched(margin=10.0)[0] == searched(confidence=EXACT)[0]
    assert searched(confidence=AGGRESSIVE)[1] < searched(confidence=CONSERVATIVE)[1] < searched(confidence=EXACT)[1]


def test_a_late_move_that_looks_good_is_searched_to_the_full_depth() -> None:
    positions = with_empties(44, 40)
    for place in (7, 12, 31, 40, 43):  # where a late move looks too good two plies less deep
        position = positions[place]
        own, opponent = np.uint64(position.own), np.uint64(position.opponent)
        *_, found = Engine(1 << 14, StopFlag()).deepen(position.own, position.opponent, CAREFUL[4])
        search = Engine(1 << 14, StopFlag()).search
        search.counts[CONFIDENCE] = AGGRESSIVE
        search.margins[:] = margins(EXACT)  # ProbCut must not err either
        write_numbers(own, opponent, search.numbers, 0)
        assert pvs(own, opponent, found.value, found.value + 1, 4, 0, 1, search) <= found.value


def test_margins_are_multiples_of_the_deviation_and_at_least_a_disc() -> None:
    for confidence, multiple in enumerate(probcut.MULTIPLES):
        for factor in (0.1, 1.0, 2.5):
            found = margins(confidence, factor)
            for empties, depth in ((40, 9), (30, 12), (14, 14)):
                model = probcut.END if empties == depth else probcut.MIDDLE
                error = deviation(model, empties, depth, int(probcut.SHALLOW[depth]))
                assert max(1, factor * multiple * error) <= found[empties, depth] < 1 + factor * multiple * error
    assert (margins(EXACT, 0.1) == margins(EXACT)).all()


def test_depth_nodes_and_end_bound_a_search() -> None:
    position = with_empties(1, 30)[0]
    assert [found.depth for found in findings(position, Bounds(5, exact_empties=20))] == [1, 2, 3, 4, 5]
    assert findings(position, Bounds(20, exact_empties=0, nodes=2000))[-2].nodes < 2000
    assert findings(with_empties(1, 14)[0], Bounds(3, exact_empties=14))[-1].is_solved
    assert [*_steps(27, Bounds())][-4:] == [(15, 1), (27, CONSERVATIVE), (27, CONSERVATIVE + 1), (27, EXACT)]


def test_a_cleared_engine_repeats_its_answer() -> None:
    engine = Engine(1 << 12, StopFlag(), random_weights())
    position, answers = MIDDLE[0], []
    for _ in range(2):
        *_, found = engine.deepen(position.own, position.opponent, Bounds(8, exact_empties=0))
        answers.append((found.move, found.value, found.nodes))
        engine.forget()
    assert answers[0] == answers[1]


def test_a_search_reports_progress_and_a_set_flag_ends_it_with_the_best_move() -> None:
    position, stop, found = random_game(1)[12], StopFlag(), list[EngineResult]()
    engine, bounds = Engine(1 << 16, stop), Bounds(40, exact_empties=0)
    for result in engine.deepen(position.own, position.opponent, bounds, tells=True):
        if found and result.depth == found[-1].depth:  # progress within a depth
            stop.time_is_up()
        found.append(result)
    assert (stop.is_set, found[-1].depth < 40, found[-1].is_solved) == (True, True, False)
    assert mobility(position.own, position.opponent) >> found[-1].move & 1
    depths = [one.depth for one in found]
    assert depths == sorted(depths)


def test_a_flag_set_before_still_lets_the_first_depth_finish() -> None:
    stop = StopFlag()
    stop.time_is_up()
    position = MIDDLE[0]
    (found,) = Engine(1 << 12, stop, random_weights()).deepen(position.own, position.opponent, Bounds())
    assert found.value == minimax(position, 1)


def test_a_move_that_another_thread_searches_may_be_postponed() -> None:
    lines = np.zeros((3, 11), np.int64)
    place = 4, np.uint64(5), np.uint64(2), 9  # ply, discs, depth
    assert starting_search(lines, 0, *place, True)
    assert not starting_search(lines, 1, *place, True)
    assert starting_search(lines, 1, *place, False)
    assert starting_search(lines, 2, 4, np.uint64(5), np.uint64(2), 8, True)
    finished_search(lines, 0, 4)
    assert lines[:, 0].tolist() == [0, 5, 0]
    finished_search(lines, 1, 4)
    assert starting_search(lines, 0, *place, True)


def test_a_move_that_another_thread_searches_comes_last() -> None:
    position = with_empties(1, 14)[0]
    own, opponent = np.uint64(position.own), np.uint64(position.opponent)
    engine = Engine(1 << 12, StopFlag(), threads=2)
    *_, found = engine.deepen(position.own, position.opponent, Bounds(), judge_all=True)
    best, second, *_, worst = found.values
    beta = found.values[second]
    assert found.values[worst] < beta
    root, search = new_root_moves([worst, best, second]), engine.search
    after, depth = RULES.play(position, best), 64 - position.taken.bit_count()
    starting_search(search.lines, 1, 0, np.uint64(after.own), np.uint64(after.opponent), depth, False)
    write_numbers(own, opponent, search.numbers, 0)
    assert judge_moves(own, opponent, beta - 1, beta, depth, False, root, search) >= beta
    assert root.searched.tolist() == [True, False, True]


@pytest.mark.parametrize("position", with_empties(2, 18))
@pytest.mark.parametrize("judge_all", [False, True])
def test_several_threads_find_the_same_scores(position: OthelloPosition, judge_all: bool) -> None:
    alone, *others = (Engine(1 << 14, StopFlag(), threads=threads) for threads in (1, 2, 3))
    *_, expected = alone.deepen(position.own, position.opponent, Bounds(), judge_all)
    for engine in others:
        *_, found = engine.deepen(position.own, position.opponent, Bounds(), judge_all)
        assert (found.is_solved, found.value) == (True, expected.value)
        assert all(search.counts[NODES] for search in engine._searches)
        assert not judge_all or found.values == expected.values


POSITION = random_game(1)[20]
OWN, OPPONENT = np.uint64(POSITION.own), np.uint64(POSITION.opponent)


@kernel
def _probe(place: transposition_table.Table, own: np.uint64, opponent: np.uint64) -> tuple[int, ...]:
    known = transposition_table.probe(place, own, opponent)
    return (
        *transposition_table.bounds_of(known),
        *transposition_table.moves_of(known),
        transposition_table.is_usable(known, 4, 2),
        transposition_table.is_usable(known, 6, 2),
    )


def known(*stores: tuple[int, ...]) -> tuple[int, ...]:
    """Return what a table contains after the stores (alpha, beta, value, move, depth, confidence, age)."""
    table = transposition_table.new_table(16)
    for stored in stores:
        transposition_table.store(table, OWN, OPPONENT, *stored)
    return _probe(table, OWN, OPPONENT)


FIRST = (3, 4, 6, 19, 6, 2, 1)
DEEP, SHALLOW, LATER = (-64, 64, 6, 19, 8, 2, 1), (-64, 64, 2, 20, 4, 5, 1), (-64, 64, 2, 20, 4, 5, 2)


@pytest.mark.parametrize(
    ("stores", "expected"),
    [
        pytest.param([FIRST], (6, 64, 19, 64, True, True), id="a lower bound"),
        pytest.param([FIRST, (9, 10, 8, 20, 6, 2, 1)], (6, 8, 19, 20, True, True), id="bounds; no move was better"),
        pytest.param([FIRST, (7, 8, 8, 20, 6, 2, 1)], (8, 64, 20, 19, True, True), id="the last better move is best"),
        pytest.param([DEEP, SHALLOW], (6, 6, 19, 64, True, True), id="a deeper search stays"),
        pytest.param([DEEP, SHALLOW, LATER], (2, 2, 20, 19, True, False), id="until it is old"),
    ],
)
def test_bounds_and_moves(stores: list[tuple[int, ...]], expected: tuple[int, ...]) -> None:
    assert known(*stores) == expected


def test_entries_of_two_writers_are_not_mixed() -> None:
    tables = [transposition_table.new_table(2) for _ in range(2)]
    for table, value, move in zip(tables, (6, -6), (19, 20), strict=True):
        transposition_table.store(table, OWN, OPPONENT, -64, 64, value, move, 8, 2, 1)
    tables[0][:, 2] = tables[1][:, 2]
    assert _probe(tables[0], OWN, OPPONENT)[:3] == (-64, -64, 0)
