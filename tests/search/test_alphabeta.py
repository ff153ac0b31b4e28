"""Alpha-beta, principal variation search and iterative deepening against plain minimax, and against each other."""

from collections.abc import Callable, Generator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from othello.rules.othello import OthelloPosition
from othello.rules.othello.othello_kernels import OthelloState
from othello.rules.protocol import Color
from othello.search.alphabeta import INFINITE, alphabeta
from othello.search.deepening import Iteration, deepen, memory_for
from othello.search.ordering import least_first
from othello.search.pvs import SEARCH, SearchWorkspace, new_search, new_workspace, pvs
from othello.search.stop import StopFlag
from tests import minimax
from tests.positions import DRAWN, RULES, START, WIPED_OUT, random_game, with_empties, with_forced_pass

Search = Callable[..., int]

LATE = [*with_empties(4, 8), *with_empties(3, 3), *with_forced_pass(3, most_empties=8)]
EVERY_STAGE = [
    START,
    *(position for empties in (54, 44, 34, 24, 14) for position in with_empties(2, empties)),
    *with_forced_pass(3),
    *LATE,
]
REFUTED_LINE = OthelloPosition(black=33891726116519936, white=2305843716011074560, to_move=Color.BLACK)
"""Here the table ends up with a mere bound, and a refutation for a reply, on the best line of depth 6 or 7."""
SHALLOW = [(position, 3) for position in EVERY_STAGE]
SHALLOW += [(position, depth) for position in EVERY_STAGE[::6] for depth in (1, 2, 4)]
SHALLOW += [(position, 5) for position in LATE[::2]]
LEAVES = [(position, 0) for position in EVERY_STAGE[::6]]
LEAVES += [(position, depth) for position in (WIPED_OUT, DRAWN) for depth in (0, 1, 4)]
DEEP = [(position, 6) for position in EVERY_STAGE] + [(position, 5) for position in EVERY_STAGE[::3]]
DEEP += [(position, 8) for position in (START, with_empties(1, 14)[0])] + [(position, 10) for position in LATE[::2]]


def plain(position: OthelloPosition, depth: int, alpha: int = -INFINITE, beta: int = INFINITE) -> int:
    moves = np.empty((depth + 1, RULES.max_moves), np.uint8)
    return alphabeta(RULES.kernel_state(position), depth, alpha, beta, moves, np.zeros(1, np.int64), StopFlag().cell)


def ordered(position: OthelloPosition, depth: int, alpha: int = -INFINITE, beta: int = INFINITE) -> int:
    return pvs(RULES.kernel_state(position), depth, alpha, beta, new_workspace(1 << 12, depth, RULES), StopFlag().cell)


def iterations(
    position: OthelloPosition,
    depth: int,
    judge_all: bool = False,
    memory: SearchWorkspace | None = None,
    stop: StopFlag | None = None,
) -> Generator[Iteration]:
    state, memory = RULES.kernel_state(position), memory or memory_for(depth, RULES)
    return deepen(state, RULES.legal_moves(position), memory, depth, judge_all, stop or StopFlag())


def deepened(position: OthelloPosition, depth: int, judge_all: bool = False) -> Iteration:
    *_, last = iterations(position, depth, judge_all)
    return last


@pytest.mark.parametrize(("position", "depth"), [*SHALLOW, *LEAVES])
def test_the_value_is_that_of_plain_minimax(position: OthelloPosition, depth: int) -> None:
    expected = minimax.minimax(position, depth, {}, RULES)
    assert [search(position, depth) for search in (plain, ordered)] == [expected, expected]


@pytest.mark.parametrize("search", [plain, ordered])
@pytest.mark.parametrize("position", EVERY_STAGE[::3])
@pytest.mark.parametrize("depth", [3, 6])
def test_a_window_gives_a_bound_on_the_right_side(search: Search, position: OthelloPosition, depth: int) -> None:
    value = plain(position, depth)
    for alpha, beta in ((value - 1, value + 1), (value - 30, value + 30)):
        assert search(position, depth, alpha, beta) == value
    for alpha, beta in ((value, value + 1), (value + 5, value + 40), (value + 100, INFINITE)):
        assert value <= search(position, depth, alpha, beta) <= alpha
    for alpha, beta in ((value - 1, value), (value - 40, value - 5), (-INFINITE, value - 100)):
        assert beta <= search(position, depth, alpha, beta) <= value


@pytest.mark.parametrize(("position", "depth"), DEEP)
def test_deeper_all_searches_agree(position: OthelloPosition, depth: int) -> None:
    value = plain(position, depth)
    assert ordered(position, depth) == value
    assert deepened(position, depth).best_value == value


@pytest.mark.parametrize("places", [1, 2, 64])
def test_a_crowded_table_changes_no_value(places: int) -> None:
    memory = new_workspace(places, 5, RULES)
    for position in random_game(seed=7):
        for depth in (3, 5):
            value = pvs(RULES.kernel_state(position), depth, -INFINITE, INFINITE, memory, StopFlag().cell)
            assert value == plain(position, depth)


@pytest.mark.parametrize(("position", "depth"), SHALLOW)
def test_deepening_finds_all_best_moves_or_the_values_of_all_moves(position: OthelloPosition, depth: int) -> None:
    expected = minimax.move_values(position, depth)
    best = max(expected.values())
    found = deepened(position, depth)
    assert found.best_value == best
    assert found.best_moves == [move for move, value in expected.items() if value == best]
    assert [root.move for root in found.moves] == list(expected)
    for root in found.moves:
        if root.exact:
            assert root.value == expected[root.move]
        else:
            assert root.value is not None
            assert expected[root.move] <= root.value < best
    found = deepened(position, depth, judge_all=True)
    assert all(root.exact for root in found.moves)
    assert {root.move: root.value for root in found.moves} == expected


@pytest.mark.parametrize("judge_all", [False, True])
@pytest.mark.parametrize("depth", [6, 7])
@pytest.mark.parametrize("position", [*EVERY_STAGE[::3], REFUTED_LINE])
def test_lines_are_legal_and_end_with_the_value(position: OthelloPosition, depth: int, judge_all: bool) -> None:
    found = deepened(position, depth, judge_all)
    assert list(found.lines) == found.best_moves
    for move, line in found.lines.items():
        assert line[0] == move
        after = position
        for reply in line:
            assert reply in RULES.legal_moves(after)
            after = RULES.play(after, reply)
        assert len(line) == found.depth or RULES.outcome(after) is not None
        assert (-1) ** len(line) * plain(after, 0) == found.best_value


def test_a_long_iteration_reports_progress() -> None:
    stop = StopFlag()
    found: list[Iteration] = []
    search = iterations(START, 40, judge_all=True, stop=stop)
    while not found or found[-1].is_new:
        found.append(next(search))
    finished, running = found[-2:]
    assert running.nodes > finished.nodes
    for field in ("depth", "lines", "best_moves"):
        assert getattr(running, field) == getattr(finished, field)
    search.close()  # would wait for years
    assert not stop.is_set


@pytest.mark.parametrize("position", LATE[::2])
def test_deepening_ends_when_the_whole_game_was_seen(position: OthelloPosition) -> None:
    found = deepened(position, 40)
    assert found.depth < 2 * (64 - position.taken.bit_count()) + 3
    assert found.best_value == max(minimax.move_values(position, 40).values())


@pytest.mark.parametrize("depth", [1, 2, 5, 6])
def test_every_iteration_is_the_search_of_its_depth(depth: int) -> None:
    position = with_empties(1, 30)[0]
    found = list(iterations(position, depth))
    assert found[-1].depth == depth
    assert all(iteration.best_value == plain(position, iteration.depth) for iteration in found)
    nodes = [iteration.nodes for iteration in found]
    assert nodes == sorted(set(nodes))
    assert sum(stats.visits for stats in found[-1].moves) == found[-1].nodes


def test_a_set_flag_ends_the_search_after_the_first_depth() -> None:
    stop = StopFlag()
    stop.cancel()
    (found,) = iterations(START, 40, stop=stop)
    assert found.best_value == plain(START, found.depth)


def test_a_reused_memory_changes_no_search() -> None:
    memory = memory_for(4, RULES)
    positions = [START, *with_empties(3, 30)]
    expected = [deepened(position, 4) for position in positions]
    for _ in range(260):  # more often than generations of the table are counted
        assert [list(iterations(position, 4, memory=memory))[-1] for position in positions] == expected


@pytest.mark.parametrize(("search", "kernel"), [(plain, alphabeta), (ordered, pvs)])
def test_recursive_kernels_have_one_type_a_game(search: Search, kernel: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A constant among its arguments may be a type of its own.

    The kernel then exists twice, both call each other, and a process that loads them from the cache crashes.
    """
    search(START, 3)
    (types,) = (types for types in kernel._entries if types[0].instance_class is OthelloState)
    monkeypatch.setattr(kernel, "overloads", {})
    monkeypatch.setattr(kernel, "_joined_cache", None)  # compile, instead of loading the code
    kernel._joined(types)
    assert list(kernel.overloads) == [types]


@given(st.lists(st.integers(-(2**40), 2**40), min_size=1, max_size=34), st.integers(0, 5))
def test_turn_by_turn_the_keys_are_sorted(numbers: list[int], beyond: int) -> None:
    keys = np.array(numbers + [-(2**50)] * beyond, np.int64)
    for turn, expected in enumerate(sorted(numbers)):
        assert least_first(keys, turn, len(numbers)) == expected
        assert sorted(keys[: len(numbers)].tolist()) == sorted(numbers)
    assert keys.tolist() == sorted(numbers) + [-(2**50)] * beyond


def test_the_table_is_cleared_when_the_number_of_its_search_overflows() -> None:
    memory = memory_for(2, RULES)
    memory.table[0] = 1
    memory.counts[SEARCH] = 254
    for number, entry in ((255, 1), (1, 0)):
        new_search(memory)
        assert (memory.counts[SEARCH], memory.table[0, 0]) == (number, entry)
