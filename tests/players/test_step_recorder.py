"""Steps of searches: they are those of the player's own search, their numbers add up, and a cursor finds each again."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import groupby, product
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from othello.config import PlayerConfig
from othello.game import AnyGame, Game
from othello.players.mcts_player import MctsConfig, create_simulator
from othello.players.player import choose
from othello.players.player_registry import configure, create_player
from othello.players.step_recorder import record_steps, stepped_kinds
from othello.rules.registry import GAMES, game_spec, rules_of
from othello.search import steps as kinds
from othello.search.learner import Learner
from othello.search.mcts_search import MctsSearch
from othello.search.report import Line
from othello.search.simulator import Simulator
from othello.search.stepping import SteppedLearner, SteppedSearch
from othello.search.steps import Expansion, MoveSelection, NodeValue, Playout, Step, line_of
from othello.search.stop import StopFlag
from othello.search.tree_snapshot import Arrays
from othello.search.value_tree import BEST_REPLY, OUTCOME, TAKEN_REPLY, LearningParameters
from othello.study import step_through
from othello.study.search_trace import row_of
from othello.study.step_text import text_of
from othello.study.step_through import SearchToStep, StepThrough
from tests.player_factory import fitting, marks_of
from tests.simulators import set_root
from tests.waiting import wait_until

SEED = 7
SLOW = pytest.mark.slow
MCTS = ("mcts_uct", "mcts_ucb1", "mcts_grouping")
OPTIONS: tuple[dict[str, Any], ...] = (
    {"mcts_batch": 1},
    {"mcts_batch": 8, "mcts_playouts": 3, "mcts_tie_break": "random"},
    {"mcts_batch": 2, "mcts_solver": True, "mcts_playout_plies": 4, "mcts_root": "sequential_halving"},
    {"mcts_batch": 1, "mcts_solver": True, "mcts_final_move": "max_robust", "mcts_reuse_tree": True},
)


def game_of(name: str, plies: int = 0, **options: Any) -> AnyGame:
    game: AnyGame = Game.new(rules_of(game_spec(name, **options)))
    for _ in range(plies):
        game = game.play(game.legal_moves()[0])
    return game


def steps_of(config: PlayerConfig, game: AnyGame, **limits: Any) -> list[Step]:
    steps: list[Step] = []
    record_steps(config, game, SEED, steps.append, **limits)
    return steps


@pytest.mark.parametrize(
    ("kind", "options"),
    [pytest.param(kind, row, marks=marks_of(configure(kind, **row))) for kind, row in product(MCTS, OPTIONS)],
)
def test_a_search_in_steps_is_the_players_own(kind: str, options: dict[str, Any]) -> None:
    config, game = configure(kind, simulation_count=60, **options), game_of("tictactoe", 2)
    with create_player(config, game.rules.spec) as player:
        player.new_game(SEED)
        if options.get("mcts_reuse_tree"):
            choose(player, game.at(0))
        expected = choose(player, game)
    steps: list[Step] = []
    report = record_steps(config, game, SEED, steps.append)
    assert report is not None
    assert replace(report, seconds=0.0) == replace(expected, seconds=0.0)
    assert {step[0] for step in steps} == set(range(1, report.simulations + 1))
    last = {stats.move: stats.visits for stats in expected.moves}
    if kind != "mcts_grouping" and not options.get("mcts_reuse_tree"):
        backups = [step for step in steps if isinstance(step, kinds.Backup)]
        visits = {value.path[0]: value.visits for step in backups for value in step.nodes if len(value.path) == 1}
        assert visits == {move: count for move, count in last.items() if count}


def check_text(step: Step, game: AnyGame, config: PlayerConfig) -> None:
    text = text_of(step, game, config)
    assert row_of(step, game)
    assert text.sentence
    assert {len(row) for row in text.rows} <= {len(text.header)}


def points_of(step: Playout, game: AnyGame) -> float:
    """Return the points of the side to move in the game that a playout ends with."""
    outcome = game.after(step.path).after(step.moves).outcome
    assert outcome is not None
    return 0.5 if outcome.winner is None else float(outcome.winner is game.position.to_move)


def check_simulation(steps: list[Step], game: AnyGame, values: dict[Line, NodeValue]) -> None:
    """Recompute choices, playouts and means of a simulation without the search."""
    line: Line = ()
    for step in steps:
        match step:
            case MoveSelection():
                assert step.path == line
                bounds = {}
                for move, edge in step.children.items():
                    spread = math.log(step.visits) / edge.visits
                    bonus = math.sqrt(2.0) * math.sqrt(spread)
                    if not math.isnan(edge.variance):
                        mean = (edge.wins + edge.draws / 2) / edge.visits
                        variance = (edge.wins + edge.draws / 4) / edge.visits - mean * mean + math.sqrt(2 * spread)
                        assert edge.variance == pytest.approx(variance, abs=1e-5)
                        bonus = math.sqrt(spread * min(0.25, variance))
                    assert edge.bonus == pytest.approx(bonus, abs=1e-5)
                    assert edge.mean == pytest.approx((edge.wins + edge.draws / 2) / edge.node_visits, abs=1e-6)
                    bounds[move] = edge.bound
                    assert edge.mean == pytest.approx(values[(*line, move)].mean, abs=1e-6)
                assert bounds[step.chosen] == max(bounds.values())
                line = (*line, step.chosen)
            case Expansion():
                assert step.path == line
                assert step.move in game.after(line).legal_moves()
                line = (*line, step.move)
            case Playout():
                assert step.path == line
                result = step.result
                assert result == points_of(step, game)
            case kinds.Backup():
                assert [value.path for value in step.nodes] == [line[:ply] for ply in range(len(line) + 1)]
                for value, before in zip(step.nodes, step.before, strict=True):
                    for_mover = result if len(value.path) % 2 else 1 - result
                    assert value.visits == before.visits + 1
                    points = before.mean * before.visits if before.visits else 0.0
                    assert value.mean * value.visits == pytest.approx(points + for_mover)
                    values[value.path] = value


@pytest.mark.parametrize("kind", ["mcts_uct", "mcts_ucb1"])
def test_numbers_of_simulations_can_be_recomputed(kind: str) -> None:
    game, config = game_of("othello"), configure(kind, simulation_count=120, mcts_solver=False)
    values: dict[Line, NodeValue] = {}
    for _, group in groupby(steps_of(config, game), key=lambda step: step[0]):
        steps = list(group)
        check_simulation(steps, game, values)
        for step in steps:
            check_text(step, game, config)


@pytest.mark.parametrize("kind", MCTS)
@pytest.mark.parametrize("name", ["othello", "tictactoe"])
def test_playouts_end_as_the_search_counted(name: str, kind: str) -> None:
    game = game_of(name, 3)
    playouts = [step for step in steps_of(configure(kind, simulation_count=40), game) if isinstance(step, Playout)]
    assert playouts
    assert [step.result for step in playouts] == [points_of(step, game) for step in playouts]


@pytest.mark.parametrize("kind", ["mcts_uct", "q_learning"])
def test_a_part_of_a_search_has_the_steps_of_the_whole(kind: str) -> None:
    counts = {"learning_episodes": 30} if kind == "q_learning" else {"simulation_count": 30, "mcts_batch": 4}
    config, game = configure(kind, **counts), game_of("tictactoe")
    whole = steps_of(config, game)
    part = steps_of(config, game, first=9, last=12)
    assert [repr(step) for step in part] == [repr(step) for step in whole if 9 <= step[0] <= 12]


@pytest.mark.parametrize("name", [pytest.param("othello", marks=pytest.mark.slow), "tictactoe"])
def test_alphabeta_has_a_step_for_each_position_that_it_visits(name: str) -> None:
    game, steps = game_of(name, 1), list[Step]()
    config = configure("heuristic", depth=4)
    report = record_steps(config, game, SEED, steps.append)
    nodes = [step for step in steps if isinstance(step, kinds.NodeExit)]
    assert report is not None
    assert report.nodes == sum(1 for node in nodes if node.path)
    assert (nodes[-1].path, nodes[-1].value) == ((), report.value)
    below: dict[Line, list[kinds.NodeExit]] = {}
    for node in nodes:
        children = below.pop(node.path, [])
        if node.reason in (kinds.ExitReason.SEARCHED, kinds.ExitReason.CUT_OFF):
            assert node.value == max(-child.value for child in children)
            assert (node.reason is kinds.ExitReason.CUT_OFF) == (node.beta is not None and node.value >= node.beta)
        elif node.terms:
            assert node.value == sum(node.terms.values())
        if node.path:
            below.setdefault(node.path[:-1], []).append(node)
        check_text(node, game, config)


def test_updates_follow_from_their_numbers() -> None:
    config, game = configure("sarsa", learning_episodes=20, learning_epsilon=0.3), game_of("tictactoe")
    values: dict[Line, float] = {}
    for step in steps_of(config, game):
        if isinstance(step, kinds.Choice):
            assert step.explores == (step.random < 0.3)
        else:
            assert isinstance(step, kinds.Update)
            line = (*step.path, step.move)
            assert step.old == values.get(line, 0.0)
            assert step.new == pytest.approx(step.old + step.rate * (step.target - step.old), abs=1e-6)
            values[line] = step.new
        check_text(step, game, config)


COUNT = 48
WITH_LEAVES = (*OPTIONS, {"mcts_batch": 4, "mcts_leaf": "evaluation"})  # only Othello has an evaluation for leaves
SEARCHES = [configure(kind, simulation_count=2 * COUNT, **options) for kind, options in product(MCTS, WITH_LEAVES)]
TARGETS = (OUTCOME, BEST_REPLY, TAKEN_REPLY)


def in_every_game(choices: Sequence[Any]) -> list[Any]:
    """Return the smallest game with every choice, and as slow tests the others with every second one, by turns."""
    return [
        pytest.param(game, choice, marks=marks_of(choice) if game == "tictactoe" else SLOW)
        for (at, game), (number, choice) in product(enumerate(GAMES), enumerate(choices))
        if game == "tictactoe" or (at + number) % 2
        if game == "othello" or getattr(choice, "mcts_leaf", "") != "evaluation"
    ]


def simulate(simulator: Simulator, game: AnyGame, config: MctsConfig) -> None:
    set_root(simulator, game)
    among = game.legal_moves() if config.mcts_root == "sequential_halving" else ()
    assert simulator.simulate(COUNT, config.mcts_batch or 1, StopFlag(), among) == COUNT


def assert_equal(one: Arrays, other: Arrays) -> None:
    assert one.keys() == other.keys()
    for name, field in one.items():
        np.testing.assert_array_equal(field, other[name], name)


@pytest.mark.parametrize(("name", "config"), in_every_game(SEARCHES))
def test_steps_of_simulations_build_the_tree_of_the_player(name: str, config: MctsConfig) -> None:
    game = game_of(name, 1)
    ahead, behind, at_once = (cast("MctsSearch", create_simulator(config, game.rules)) for _ in range(3))
    steps: list[Step] = []
    stepped = SteppedSearch(ahead, behind)
    stepped.record_steps(steps.append, COUNT // 3, None)
    simulate(stepped, game, config)
    simulate(at_once, game, config)
    assert steps
    for tree in (ahead, behind):
        assert_equal(tree.snapshot(), at_once.snapshot())


@pytest.mark.parametrize(("name", "target"), in_every_game(TARGETS))
def test_steps_of_episodes_learn_the_values_of_the_player(name: str, target: Any) -> None:
    game, lessons = game_of(name, 1), LearningParameters(target, 0.2, 0.1, 0.5, 0.9)
    stepped = SteppedLearner(game.rules, lessons, 10_000, keeps_all=False)
    at_once = Learner(game.rules, lessons, 10_000, keeps_all=False)
    steps: list[Step] = []
    stepped.record_steps(steps.append, COUNT // 3, None)
    for learner in (stepped, at_once):
        set_root(learner, game)
        assert learner.learn(COUNT, StopFlag()) == COUNT
    assert steps
    assert_equal(stepped.snapshot(), at_once.snapshot())


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


def wait(steps: StepThrough) -> StepThrough:
    def is_done() -> bool:
        steps.update()
        return not steps.is_busy

    wait_until(is_done, 120.0)
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


@pytest.mark.parametrize("game", ["tictactoe", pytest.param("othello", marks=SLOW)])
@pytest.mark.parametrize("name", [pytest.param(name, marks=SLOW if name == "batches" else ()) for name in PLAYERS])
@settings(max_examples=1, deadline=None, suppress_health_check=[*HealthCheck])
@given(ways=st.lists(st.sampled_from((*WAYS, *["on", "back"] * 4)), min_size=260, max_size=260))
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
    for way in ("far", *["back"] * 40, *ways):  # back into another part
        actions[way]()
        wait(steps)
        at = walked(at, way, expected)
        assert repr(steps.step) == repr(expected[at])
        assert (steps.is_first, steps.is_last) == (at == 0, at == len(expected) - 1)
    steps.close()


@pytest.mark.parametrize("name", ["uct", "learner", "alpha-beta"])
def test_the_next_steps_through_a_node(name: str) -> None:
    steps, expected = opened(PLAYERS[name]), whole(name, "tictactoe")
    node = line_of(expected[len(expected) // 3])[:2]
    for step in (step for step in expected if line_of(step)[: len(node)] == node):
        if step[0] > steps.group or isinstance(step, kinds.NodeExit):
            steps.next_through(node)
            assert repr(wait(steps).step) == repr(step)
    steps.next_through(node)
    assert wait(steps).is_last
    steps.go_to(1)
    wait(steps).next_through(())
    last = ends(expected, 1)
    assert isinstance(expected[last], kinds.NodeExit) or repr(wait(steps).step) == repr(expected[last + 1])


def best(steps: list[Step]) -> int | None:
    """Return the best move after some steps."""
    last = steps[-1]
    if isinstance(last, kinds.NodeExit):
        values = {node.path[0]: -node.value for node in steps if node[0] == last[0] and len(line_of(node)) == 1}  # type: ignore[union-attr]
        earlier = [node for node in steps if node[0] < last[0]]
        return max(values, key=values.__getitem__) if values else best(earlier) if earlier else None
    roots = [step for step in steps if isinstance(step, MoveSelection | Expansion) and not step.path and step.children]
    if roots:
        return max(roots[-1].children, key=lambda move: roots[-1].children[move].visits)
    choices = [step.move for step in steps if isinstance(step, kinds.Choice) and not step.path and not step.explores]
    return choices[-1] if choices else None


@pytest.mark.parametrize("name", ["uct", "learner", "alpha-beta"])
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
        assert isinstance(step, kinds.NodeExit)
        if step.path:
            assert steps.children(step.path[:-1])[step.path[-1]] is step
            assert steps.children(step.path[:-1]) is steps.children(step.path[:-1]), "the tree is built once a step"
            seen.add(step.path)
        for ply in range(1, len(step.path)):
            following = steps.open_node(step.path[:ply])
            assert (following and following[0]) == step[0], "it is left later in this iteration"
        steps.move(1)
    report = steps.part.report
    assert report is not None
    assert steps.principal_variation()[:1] == (report.move,)


@pytest.mark.parametrize("kind", stepped_kinds(game_of("tictactoe").rules.spec))
def test_steps_end_in_the_move_of_the_player(kind: str) -> None:
    steps = opened(fitting(kind, learning_episodes=200))
    steps.go_to(steps.part.total)
    assert wait(steps).is_last
    assert steps.part.report is not None


def test_errors_are_kept_and_a_cancelled_search_leaves_the_step() -> None:
    assert "cannot be shown step by step" in str(opened(configure("random")).failure)
    assert "several threads" in str(opened(configure("mcts_uct", search_threads=2)).failure)
    assert "game is over" in str(opened(PLAYERS["uct"], plies=7).failure)
    steps = opened(PLAYERS["uct"])
    steps.move(3)
    before = steps.step
    steps.go_to(80)
    steps.close()
    steps.update()
    assert (steps.step, steps.is_busy) == (before, False)
