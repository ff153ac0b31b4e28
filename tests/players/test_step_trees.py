"""Searches in steps build the same tree as searches at once, field by field."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, cast

import numpy as np
import pytest

from othello.game import AnyGame, Game
from othello.players.mcts_player import MctsConfig, create_simulator
from othello.players.player_registry import configure
from othello.rules.registry import GAMES, game_spec, rules_of
from othello.search.learner import Learner
from othello.search.mcts_search import MctsSearch
from othello.search.simulator import Simulator
from othello.search.stepping import SteppedLearner, SteppedSearch
from othello.search.steps import Step
from othello.search.stop import StopFlag
from othello.search.tree_snapshot import Arrays
from othello.search.value_tree import BEST_REPLY, OUTCOME, TAKEN_REPLY, LearningParameters

COUNT = 48
OPTIONS: tuple[dict[str, Any], ...] = (
    {"mcts_batch": 1},
    {"mcts_batch": 8, "mcts_playouts": 3, "mcts_tie_break": "random"},
    {"mcts_batch": 2, "mcts_solver": True, "mcts_playout_plies": 4},
    {"mcts_batch": 1, "mcts_solver": True, "mcts_root": "sequential_halving"},
    {"mcts_batch": 4, "mcts_leaf": "evaluation"},  # only Othello has an evaluation for leaves
)
TARGETS = (OUTCOME, BEST_REPLY, TAKEN_REPLY)


def in_every_game(*choices: Sequence[Any]) -> list[Any]:
    """Return every game with every choice. Other games than the smallest are slow."""
    return [
        pytest.param(*case, marks=() if case[0] == "tictactoe" else pytest.mark.slow)
        for case in product(GAMES, *choices)
        if case[0] == "othello" or case[-1] is not OPTIONS[-1]
    ]


def second_position(name: str) -> AnyGame:
    rules = rules_of(game_spec(name))
    return Game.new(rules).play(rules.legal_moves(rules.start())[0])


def set_root(search: Simulator | Learner, game: AnyGame) -> None:
    states = [game.rules.kernel_state(position) for position in game.positions]
    search.set_root(list(zip(states[:-1], game.moves, strict=True)), states[-1], np.random.SeedSequence(7))


def simulate(simulator: Simulator, game: AnyGame, options: Mapping[str, Any]) -> None:
    set_root(simulator, game)
    among = game.legal_moves() if "mcts_root" in options else ()
    assert simulator.simulate(COUNT, options["mcts_batch"], StopFlag(), among) == COUNT


def assert_equal(one: Arrays, other: Arrays) -> None:
    assert one.keys() == other.keys()
    for name, field in one.items():
        np.testing.assert_array_equal(field, other[name], name)


@pytest.mark.parametrize(
    ("name", "kind", "options"), in_every_game(("mcts_uct", "mcts_ucb1", "mcts_grouping"), OPTIONS)
)
def test_steps_of_simulations_build_the_tree_of_the_player(name: str, kind: str, options: dict[str, Any]) -> None:
    game, config = second_position(name), configure(kind, simulation_count=2 * COUNT, **options)
    assert isinstance(config, MctsConfig)
    ahead, behind, at_once = (cast("MctsSearch", create_simulator(config, game.rules)) for _ in range(3))
    steps: list[Step] = []
    stepped = SteppedSearch(ahead, behind)
    stepped.record_steps(steps.append, COUNT // 3, None)
    simulate(stepped, game, options)
    simulate(at_once, game, options)
    assert steps
    for tree in (ahead, behind):
        assert_equal(tree.snapshot(), at_once.snapshot())


@pytest.mark.parametrize(("name", "target"), in_every_game(TARGETS))
def test_steps_of_episodes_learn_the_values_of_the_player(name: str, target: Any) -> None:
    game, lessons = second_position(name), LearningParameters(target, 0.2, 0.1, 0.5, 0.9)
    stepped = SteppedLearner(game.rules, lessons, 10_000, keeps_all=False)
    at_once = Learner(game.rules, lessons, 10_000, keeps_all=False)
    steps: list[Step] = []
    stepped.record_steps(steps.append, COUNT // 3, None)
    for learner in (stepped, at_once):
        set_root(learner, game)
        assert learner.learn(COUNT, StopFlag()) == COUNT
    assert steps
    assert_equal(stepped.snapshot(), at_once.snapshot())
