"""The cursor in the steps of a search: whatever way leads to a step, it is the same step."""

import time
from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from othello.config import PlayerConfig
from othello.players.player_registry import configure
from othello.players.step_recorder import stepped_kinds
from othello.search.steps import Choice, Expansion, MoveSelection, NodeExit, Step, line_of
from othello.study import step_through
from othello.study.step_through import SearchToStep, StepThrough
from tests.players.test_step_recorder import game_of, steps_of

PLAYERS = {
    "uct": configure("mcts_uct", simulation_count=90),
    "batches": configure("mcts_ucb1", simulation_count=70, mcts_batch=8, mcts_solver=True),
    "grouping": configure("mcts_grouping", simulation_count=60),
    "halving": configure("mcts_uct", simulation_count=64, mcts_root="sequential_halving", mcts_reuse_tree=True),
    "alpha-beta": configure("heuristic", depth=3),
    "greedy": configure("simple_heuristic"),
    "learner": configure("sarsa", learning_episodes=30),
}
WAYS = ("on", "back", "finish", "far", "start", "end")


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(step_through, "PART", 60)
    monkeypatch.setattr(step_through, "_BEFORE", 3)


def wait(steps: StepThrough, seconds: float = 120.0) -> StepThrough:
    end = time.monotonic() + seconds
    while steps.is_busy:
        assert time.monotonic() < end
        steps.update()
    return steps


def opened(config: PlayerConfig, game: str = "tictactoe", plies: int = 2) -> StepThrough:
    return wait(StepThrough(SearchToStep(config, game_of(game, plies), 7)))


@cache
def whole(name: str, game: str) -> list[Step]:
    return steps_of(PLAYERS[name], game_of(game, 2))


def ends(steps: list[Step], group: int) -> int:
    return max(index for index, step in enumerate(steps) if step[0] == max(1, min(group, steps[-1][0])))


def walked(at: int, way: str, steps: list[Step]) -> int:
    """Return the index that a way leads to."""
    group = steps[at][0]
    if way in ("on", "back"):
        return max(0, min(at + (1 if way == "on" else -1), len(steps) - 1))
    if way == "finish":
        return ends(steps, group) if at != ends(steps, group) else ends(steps, group + 1)
    return {"far": ends(steps, group + 25), "start": 0, "end": ends(steps, steps[-1][0])}[way]


@pytest.mark.parametrize("game", ["tictactoe", "othello"])
@pytest.mark.parametrize("name", PLAYERS)
@settings(max_examples=1, deadline=None, suppress_health_check=[*HealthCheck])
@given(ways=st.lists(st.sampled_from((*WAYS, *["on", "back"] * 4)), min_size=300, max_size=300))
def test_steps_are_the_same_forward_and_back(name: str, game: str, ways: list[str]) -> None:
    steps, at, expected = opened(PLAYERS[name], game), 0, whole(name, game)
    actions: dict[str, Callable[[], None]] = {
        "on": lambda: steps.move(1),
        "back": lambda: steps.move(-1),
        "finish": steps.finish,
        "far": lambda: steps.go_to(steps.group + 25),
        "start": lambda: steps.go_to(1, is_start=True),
        "end": lambda: steps.go_to(steps.part.total),
    }
    for way in ways:
        actions[way]()
        wait(steps)
        at = walked(at, way, expected)
        assert repr(steps.step) == repr(expected[at])
        assert steps.is_first == (at == 0)
        assert steps.is_last == (at == len(expected) - 1)
    steps.close()


@pytest.mark.parametrize("name", ["uct", "learner"])
def test_the_next_steps_through_a_node(name: str) -> None:
    steps, expected = opened(PLAYERS[name]), whole(name, "tictactoe")
    node = line_of(expected[len(expected) // 3])[:2]
    groups = sorted({step[0] for step in expected if line_of(step)[: len(node)] == node})
    for group in groups:
        if group > steps.group:
            steps.next_through(node)
            assert wait(steps).group == group
    steps.next_through(node)
    assert wait(steps).is_last


def best(steps: list[Step]) -> int | None:
    """Return the best move after some steps."""
    last = steps[-1]
    if isinstance(last, NodeExit):
        values = {node.path[0]: -node.value for node in steps if node[0] == last[0] and len(line_of(node)) == 1}  # type: ignore[union-attr]
        return max(values, key=values.__getitem__) if values else None
    roots = [step for step in steps if isinstance(step, MoveSelection | Expansion) and not step.path and step.children]
    if roots:
        return max(roots[-1].children, key=lambda move: roots[-1].children[move].visits)
    choices = [step.move for step in steps if isinstance(step, Choice) and not step.path and not step.explores]
    return choices[-1] if choices else None


@pytest.mark.parametrize("name", ["uct", "learner"])
def test_the_steps_until_another_move_is_best(name: str) -> None:
    steps, expected = opened(PLAYERS[name]), whole(name, "tictactoe")
    leaders = [best(expected[: at + 1]) for at in range(len(expected))]
    changes = [at for at in range(1, len(expected)) if leaders[at] != leaders[at - 1]]
    for at in (*changes[:6], len(expected) - 1):
        steps.until_best_changes()
        assert repr(wait(steps).step) == repr(expected[at])
        if at not in changes[:6]:
            break


def test_the_tree_of_alphabeta_has_what_is_searched_so_far() -> None:
    steps, seen = opened(PLAYERS["alpha-beta"]), set[object]()
    while not steps.is_last:
        step = steps.step
        assert isinstance(step, NodeExit)
        if step.path:
            assert steps.children(step.path[:-1])[step.path[-1]] is step
            seen.add(step.path)
        for ply in range(1, len(step.path)):
            following = steps.open_node(step.path[:ply])
            assert following is not None, "it is left later"
        steps.move(1)
    report = steps.part.report
    assert report is not None
    assert steps.principal_variation()[:1] == (report.move,)


@pytest.mark.parametrize("kind", stepped_kinds(game_of("tictactoe").rules.spec))
def test_steps_end_in_the_move_of_the_player(kind: str) -> None:
    steps = opened(configure(kind))
    steps.go_to(steps.part.total)
    assert wait(steps).is_last
    assert steps.part.report is not None


def test_errors_are_kept_and_a_cancelled_search_leaves_the_step() -> None:
    assert "cannot be shown step by step" in str(opened(configure("random")).failure)
    assert "game is over" in str(opened(PLAYERS["uct"], plies=7).failure)
    steps = opened(PLAYERS["uct"])
    steps.move(3)
    before = steps.step
    steps.go_to(80)
    steps.cancel()
    steps.update()
    assert (steps.step, steps.is_busy) == (before, False)
