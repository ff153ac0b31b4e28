"""Proven values of MCTS, against brute force in small games and in endgames of Othello."""

import random
from typing import Any

import numpy as np
import pytest

from othello.game import AnyGame, Game
from othello.rules.protocol import Move
from othello.search.mcts import Ucb1Tuned, Uct
from othello.search.mcts_search import GraphSearch, MctsSearch, TreeSearch
from othello.search.report import MoveStats
from othello.search.simulator import ParallelSearch
from othello.search.stop import StopFlag
from tests.minimax import final_differences
from tests.positions import RULES, with_empties
from tests.small_tictactoe import RULES as NINE, exact_value

C = 2**0.5
EACH_KIND = pytest.mark.parametrize("kind", ["uct", "ucb1", "grouping"])


def searcher(kind: str, rules: Any) -> MctsSearch:
    rule = Ucb1Tuned() if kind == "ucb1" else Uct(C)
    return (GraphSearch if kind == "grouping" else TreeSearch)(rules, rule, 20_000, proves=True)


def go_to(search: MctsSearch | ParallelSearch, game: AnyGame, seed: int) -> None:
    states = [game.rules.kernel_state(position) for position in game.positions]
    search.set_root(list(zip(states[:-1], game.moves, strict=True)), states[-1], np.random.SeedSequence(seed))


def proven(game: AnyGame, moves: list[MoveStats]) -> int:
    """Assert that proven values of moves are right, and return the number of proven moves."""
    for stats in moves:
        if stats.is_proven:
            assert stats.value == (1 - exact_value(NINE.play(game.position, stats.move))) / 2
    return sum(stats.is_proven for stats in moves)


@EACH_KIND
def test_what_is_proven_is_true_wherever_the_search_goes(kind: str) -> None:
    """Knowledge is kept from game to game, so that the search meets positions that it has begun from itself."""
    draw = random.Random(1)
    search = searcher(kind, NINE)
    known = 0
    for seed in range(120):
        game = Game.new(NINE)
        for _ in range(draw.randrange(7)):
            if not game.is_over:
                game = game.play(draw.choice(game.legal_moves()))
        if game.is_over:
            continue
        go_to(search, game, seed)
        search.simulate(draw.randrange(1, 200), draw.choice((1, 8, 16)), StopFlag())
        known += proven(game, search.root_moves())
        line = search.principal_variation(game.legal_moves()[0])
        proven(game.play(line[0]), search.child_stats(line[:1]))
    assert known > 100


@pytest.mark.parametrize("kind", ["uct", "grouping"])  # the third has seen enough once it knows a draw
def test_enough_simulations_prove_everything(kind: str) -> None:
    search = searcher(kind, NINE)
    game = Game.new(NINE).play(Move(0))
    go_to(search, game, 1)
    search.simulate(20_000, 16, StopFlag())
    assert proven(game, search.root_moves()) == 8
    assert [stats.certainty for stats in search.root_moves() if stats.move == 4] == [0]
    assert {stats.certainty for stats in search.root_moves() if stats.move != 4} == {-1}


@EACH_KIND
def test_the_end_of_othello_is_proven_with_its_passes(kind: str) -> None:
    for position in with_empties(6, 6, seed=3):
        search = searcher(kind, RULES)
        go_to(search, Game.new(RULES, position), 1)
        search.simulate(4000, 8, StopFlag())
        differences = final_differences(position)
        moves = search.root_moves()
        for stats in moves:
            assert not stats.is_proven or stats.value == (1 + np.sign(differences[stats.move])) / 2
        assert any(stats.is_proven for stats in moves)


def test_several_searches_share_what_one_of_them_has_proven() -> None:
    parts = [searcher("uct", NINE), searcher("uct", NINE)]
    together = ParallelSearch(parts)
    game = Game.new(NINE).play(Move(0)).play(Move(1)).play(Move(4))  # X threatens in two ways
    go_to(together, game, 1)
    parts[1].simulate(5000, 8, StopFlag())
    assert proven(game, together.root_moves()) == 6


def test_what_was_learned_is_read_without_its_proofs() -> None:
    search, other = searcher("uct", NINE), searcher("uct", NINE)
    game = Game.new(NINE).play(Move(0))
    for one in (search, other):
        go_to(one, game, 1)
        one.simulate(20_000, 16, StopFlag())
    other.load_snapshot(search.snapshot())
    go_to(other, game, 1)
    assert proven(game, other.root_moves()) == 0
