"""The searches by simulations, and what they know after a search."""

import math
from typing import Any, TypeVar

import numpy as np
import pytest

from othello.game import AnyGame, Game
from othello.rules.protocol import Move
from othello.search.learner import Learner
from othello.search.mcts import Ucb1Tuned, Uct
from othello.search.mcts_search import GraphSearch, MctsSearch, TreeSearch
from othello.search.simulator import Simulator
from othello.search.stop import StopFlag
from tests.positions import RULES

C = math.sqrt(2)
ROUNDING = 1e-5  # bounds are kept in 32 bits
SimulatorT = TypeVar("SimulatorT", bound=Simulator)
EACH = pytest.mark.parametrize("search", ["uct", "ucb1", "grouping"])
OPENING = Game.new(RULES).play(Move(19)).play(Move(18))  # d3 c3


def new_search(search: str, rules: Any = RULES, simulations: int = 20_000, **options: Any) -> MctsSearch:
    """Return a search with room for so many simulations."""
    kind = GraphSearch if search == "grouping" else TreeSearch
    return kind(rules, Ucb1Tuned() if search == "ucb1" else Uct(C), simulations, **options)


def set_root(simulator: Simulator | Learner, game: AnyGame, seed: int = 1) -> bool:
    states = [game.rules.kernel_state(position) for position in game.positions]
    return simulator.set_root(list(zip(states[:-1], game.moves, strict=True)), states[-1], np.random.SeedSequence(seed))


def go(simulator: SimulatorT, game: AnyGame, seed: int = 1, count: int = 500) -> SimulatorT:
    set_root(simulator, game, seed)
    assert simulator.simulate(count, 8, StopFlag()) == count
    return simulator


def visits(simulator: Simulator) -> int:
    return sum(stats.visits for stats in simulator.root_moves())
