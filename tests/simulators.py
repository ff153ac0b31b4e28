"""The searches by simulations, and what they know after a search."""

import math
from collections.abc import Callable
from typing import TypeVar

import numpy as np
import pytest

from othello.game import AnyGame, Game
from othello.rules.protocol import Move
from othello.search.mcts import Ucb1Tuned, Uct
from othello.search.mcts_search import GraphSearch, MctsSearch, TreeSearch
from othello.search.simulator import Simulator
from othello.search.stop import StopFlag
from othello.search.tree_snapshot import Arrays
from tests.positions import RULES, START, with_empties, with_forced_pass

C = math.sqrt(2)
ROUNDING = 1e-5  # bounds are kept in 32 bits
POSITIONS = [START, with_empties(1, 30)[0], with_empties(1, 7)[0], with_empties(1, 2)[0], with_forced_pass(1, 8)[0]]
SimulatorT = TypeVar("SimulatorT", bound=Simulator)
MAKE: dict[str, Callable[[], MctsSearch]] = {
    "uct": lambda: TreeSearch(RULES, Uct(C), 20_000),
    "ucb1": lambda: TreeSearch(RULES, Ucb1Tuned(), 20_000),
    "grouping": lambda: GraphSearch(RULES, Uct(C), 20_000),
}
EACH = pytest.mark.parametrize("search", MAKE)
OPENING = Game.new(RULES).play(Move(19)).play(Move(18))  # d3 c3


def arrive(simulator: Simulator, game: AnyGame, seed: int) -> bool:
    states = [RULES.kernel_state(position) for position in game.positions]
    return simulator.set_root(list(zip(states[:-1], game.moves, strict=True)), states[-1], np.random.SeedSequence(seed))


def go(simulator: SimulatorT, game: AnyGame, seed: int = 1, count: int = 500) -> SimulatorT:
    arrive(simulator, game, seed)
    assert simulator.simulate(count, 8, StopFlag()) == count
    return simulator


def visits(simulator: Simulator) -> int:
    return sum(stats.visits for stats in simulator.root_moves())


def go_and_tell(search: str) -> Arrays:
    simulator = MAKE[search]()
    go(simulator, OPENING)
    return simulator.snapshot()


def changed(knowledge: Arrays, field: str, place: int | slice | tuple[int, ...], value: object) -> Arrays:
    """Return the same with other contents at one place of a field."""
    copy = knowledge[field].copy()
    copy[place] = value
    return {**knowledge, field: copy}


def refuses(search: str, knowledge: Arrays, message: str) -> None:
    """Assert that a search refuses a snapshot, and keeps what it has learned."""
    simulator = MAKE[search]()
    go(simulator, OPENING)
    with pytest.raises(ValueError, match=message):
        simulator.load_snapshot(knowledge)
    assert visits(go(simulator, OPENING, count=100)) == 600
