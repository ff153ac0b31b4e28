"""The evaluation in place of random games."""

import numpy as np

from othello.engine.engine import Bounds, Engine
from othello.engine.leaf import evaluation_leaf
from othello.players.player_registry import configure, unsupported_reason
from othello.rules.othello.othello_kernels import othello_state
from othello.rules.registry import game_spec
from othello.search.mcts import Uct
from othello.search.mcts_search import TreeSearch
from othello.search.stop import StopFlag
from tests.player_factory import answer
from tests.positions import RULES, with_empties


def test_chances_rise_with_the_value() -> None:
    chances = evaluation_leaf().chances.astype(np.int64)
    assert len(chances) == 65  # empty squares
    assert (np.diff(chances, axis=1) >= 0).all()
    assert np.abs(chances + chances[:, ::-1] - 2**32).max() <= 2
    assert chances[20, 64] == 2**31


def test_a_search_often_agrees_with_the_engine() -> None:
    agreed = 0
    for position in with_empties(6, 30):
        *_, found = Engine(1 << 16, StopFlag()).deepen(position.own, position.opponent, Bounds(8, exact_empties=0))
        search = TreeSearch(RULES, Uct(1.4), 4000)
        search.leaf = evaluation_leaf()
        state = othello_state(position.own, position.opponent)
        search.set_root([], state, np.random.SeedSequence(1))
        assert search.simulate(4000, 8, StopFlag()) == 4000
        agreed += max(search.root_moves(), key=lambda stats: stats.visits).move == found.move
    assert agreed >= 3


def test_players_use_the_evaluation_with_the_option() -> None:
    position = with_empties(1, 20)[0]
    reports = [
        answer(configure("mcts_uct", simulation_count=200, mcts_leaf=leaf), position)
        for leaf in ("playout", "evaluation", "evaluation")
    ]
    assert reports[0].moves != reports[1].moves
    assert reports[1].moves == reports[2].moves
    refused = unsupported_reason(configure("mcts_uct", mcts_leaf="evaluation"), game_spec("tictactoe"))
    assert str(refused).startswith("mcts_leaf: the engine's evaluation")
