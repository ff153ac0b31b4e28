"""Proven values of MCTS, against brute force in small games and in endgames of Othello."""

import random
from typing import Any

import numpy as np
import pytest

from othello.game import AnyGame, Game
from othello.rules.protocol import Move
from othello.search.mcts_search import MctsSearch
from othello.search.report import MoveStats
from othello.search.simulator import ParallelSearch
from othello.search.stop import StopFlag
from tests.minimax import final_differences
from tests.positions import RULES, with_empties
from tests.simulators import EACH, new_search, set_root
from tests.small_tictactoe import RULES as NINE, exact_value


def prover(search: str, rules: Any = NINE) -> MctsSearch:
    return new_search(search, rules, proves=True)


def proven(game: AnyGame, moves: list[MoveStats]) -> int:
    """Assert that proven values of moves are right, and return the number of proven moves."""
    for stats in moves:
        if stats.is_proven:
            assert stats.value == (1 - exact_value(NINE.play(game.position, stats.move))) / 2
    return sum(stats.is_proven for stats in moves)


@EACH
def test_proven_values_are_right_after_any_searches(search: str) -> None:
    """The search keeps its tree from game to game, and so reaches positions that were its root before."""
    draw = random.Random(1)
    simulator = prover(search)
    known = 0
    for seed in range(120):
        game = Game.new(NINE)
        for _ in range(draw.randrange(7)):
            if not game.is_over:
                game = game.play(draw.choice(game.legal_moves()))
        if game.is_over:
            continue
        set_root(simulator, game, seed)
        simulator.simulate(draw.randrange(1, 200), draw.choice((1, 8, 16)), StopFlag())
        known += proven(game, simulator.root_moves())
        line = simulator.principal_variation(game.legal_moves()[0])
        proven(game.play(line[0]), simulator.child_stats(line[:1]))
    assert known > 100


@pytest.mark.parametrize("search", ["uct", "grouping"])  # the third has seen enough once it knows a draw
def test_enough_simulations_prove_every_move(search: str) -> None:
    simulator = prover(search)
    game = Game.new(NINE).play(Move(0))
    set_root(simulator, game)
    simulator.simulate(20_000, 16, StopFlag())
    assert proven(game, simulator.root_moves()) == 8
    assert [stats.certainty for stats in simulator.root_moves() if stats.move == 4] == [0]
    assert {stats.certainty for stats in simulator.root_moves() if stats.move != 4} == {-1}


@EACH
def test_the_end_of_othello_is_proven_with_its_passes(search: str) -> None:
    for position in with_empties(6, 6, seed=3):
        simulator = prover(search, RULES)
        set_root(simulator, Game.new(RULES, position))
        simulator.simulate(4000, 8, StopFlag())
        differences = final_differences(position)
        moves = simulator.root_moves()
        for stats in moves:
            assert not stats.is_proven or stats.value == (1 + np.sign(differences[stats.move])) / 2
        assert any(stats.is_proven for stats in moves)


def test_parallel_searches_share_proofs() -> None:
    parts = [prover("uct"), prover("uct")]
    together = ParallelSearch(parts)
    game = Game.new(NINE).play(Move(0)).play(Move(1)).play(Move(4))  # X threatens in two ways
    set_root(together, game)
    parts[1].simulate(5000, 8, StopFlag())
    assert proven(game, together.root_moves()) == 6


def test_a_snapshot_has_no_proofs() -> None:
    search, other = prover("uct"), prover("uct")
    game = Game.new(NINE).play(Move(0))
    for one in (search, other):
        set_root(one, game)
        one.simulate(20_000, 16, StopFlag())
    other.load_snapshot(search.snapshot())
    set_root(other, game)
    assert proven(game, other.root_moves()) == 0
