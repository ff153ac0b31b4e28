"""Threads that share the moves of a position."""

import numpy as np
import pytest

from othello.engine.abdada import finished_search, starting_search
from othello.engine.engine import Bounds, Engine
from othello.engine.evaluation import write_numbers
from othello.engine.midgame import judge_moves, new_root_moves
from othello.rules.othello import OthelloPosition
from othello.search.stop import StopFlag
from tests.positions import RULES, with_empties

END = Bounds()


def test_a_move_that_another_thread_is_at_may_wait_until_that_thread_is_through_and_calls_back() -> None:
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


def test_what_another_thread_is_at_is_searched_last() -> None:
    position = with_empties(1, 14)[0]
    own, opponent = np.uint64(position.own), np.uint64(position.opponent)
    engine = Engine(1 << 12, StopFlag(), threads=2)
    *_, found = engine.deepen(position.own, position.opponent, END, judge_all=True)
    best, second, *_, worst = found.values
    beta = found.values[second]
    assert found.values[worst] < beta
    root, search = new_root_moves([worst, best, second]), engine.search
    after = RULES.play(position, best)
    starting_search(
        search.lines, 1, 0, np.uint64(after.own), np.uint64(after.opponent), 64 - position.taken.bit_count(), False
    )
    write_numbers(own, opponent, search.numbers, 0)
    assert judge_moves(own, opponent, beta - 1, beta, 64 - position.taken.bit_count(), False, root, search) >= beta
    assert root.searched.tolist() == [True, False, True]


@pytest.mark.parametrize("position", with_empties(2, 18))
@pytest.mark.parametrize("judge_all", [False, True])
def test_several_threads_find_the_same_scores(position: OthelloPosition, judge_all: bool) -> None:
    alone, *others = (Engine(1 << 14, StopFlag(), threads=threads) for threads in (1, 2, 3))
    *_, expected = alone.deepen(position.own, position.opponent, END, judge_all)
    for engine in others:
        *_, found = engine.deepen(position.own, position.opponent, END, judge_all)
        assert found.is_solved
        assert found.value == expected.value
        assert not judge_all or found.values == expected.values
