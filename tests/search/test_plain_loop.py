"""Searches by simulations give the same bits as a slow textbook implementation.

A simulation counts as a visit of a node after it chose a move there, so ln N(s) counts earlier simulations only.
Numbers have 32 bits, as those of the search have, and random numbers are drawn from the same generators.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pytest

from othello.game import AnyGame
from othello.kernel.jit import kernel
from othello.kernel.random import RandomState, below, below_lane
from othello.records.transcript import parse_transcript
from othello.rules.protocol import Move, Position, Rules
from othello.rules.registry import game_spec, rules_of
from othello.search.mcts import LANES, CutPlayouts, SimulationBatch, Ucb1Tuned, Uct, new_batch
from othello.search.mcts_search import GraphSearch, MctsSearch, TreeSearch
from othello.search.stop import StopFlag
from othello.search.store import NOT_EXPANDED
from tests import compiled_rules
from tests.simulators import C

F = np.float32
pytestmark = pytest.mark.slow


@dataclass(eq=False)
class Node:
    """A position; the first moves are those that were tried."""

    state: Any
    moves: list[Move] | None = None
    below: list[Node] = field(default_factory=list)
    chosen: list[int] = field(default_factory=list)
    visits: int = 0
    wins: int = 0
    draws: int = 0
    mean: Any = 0.0

    @property
    def reward(self) -> Any:
        return F(self.wins) + F(0.5) * F(self.draws)


def typed(state: Any, example: Any) -> Any:
    """Return a state with the types that kernels take; kernels return other types to Python."""
    if isinstance(example, tuple):
        return type(example)(*map(typed, state, example))
    return type(example)(state)


class PlainSearch:
    """UCT or UCB1-tuned on a tree, or on a graph where `is_graph`."""

    def __init__(self, rules: Rules[Position], rule: Uct | Ucb1Tuned, start: Position, *, is_graph: bool) -> None:
        self.rules, self.rule, self.is_graph = rules, rule, is_graph
        self.nodes: dict[Any, Node] = {}
        self.batch: SimulationBatch = new_batch(rules, np.random.SeedSequence(1))
        self.root = self.node_of(rules.kernel_state(start))
        self.shares: list[int] = []
        self.draws_ties = False
        self.cut_after = 0  # plies of a playout; 0: none is cut

    def node_of(self, state: Any) -> Node:
        if not self.is_graph:
            return Node(state)
        image = self.image_of(state)
        return self.nodes.setdefault(image, Node(image))

    def image_of(self, state: Any) -> Any:
        return typed(compiled_rules.canonical(state)[0], state)

    def after(self, state: Any, move: Move) -> Any:
        return typed(compiled_rules.play(state, move), state)

    def bound(self, node: Node, index: int) -> Any:
        child, root_log = node.below[index], F(math.sqrt(math.log(node.visits)))
        inverse_root = F(1.0) / np.sqrt(F(node.chosen[index]))
        if isinstance(self.rule, Uct):
            return child.mean + F(self.rule.exploration) * root_log * inverse_root
        bonus = root_log * inverse_root
        variance = (F(child.wins) + F(0.25) * F(child.draws)) * inverse_root * inverse_root - child.mean * child.mean
        return child.mean + bonus * np.sqrt(min(F(0.25), variance + F(1.4142135) * bonus))

    def try_next(self, node: Node, at: int) -> int:
        """Make an untried move the next that is tried."""
        assert node.moves is not None
        tried = len(node.below)
        node.moves[tried], node.moves[at] = node.moves[at], node.moves[tried]
        node.below.append(self.node_of(self.after(node.state, node.moves[tried])))
        node.chosen.append(0)
        return tried

    def choose(self, node: Node) -> int:
        assert node.moves is not None
        tried = len(node.below)
        if node is self.root and self.shares:
            index = self.shares.index(max(self.shares))
            if index >= tried:
                self.shares[tried], self.shares[index] = self.shares[index], self.shares[tried]
                index = self.try_next(node, index)
            self.shares[index] -= 1
            return index
        if untried := len(node.moves) - tried:
            return self.try_next(node, tried + (draw(self.batch.random, untried) if untried > 1 else 0))
        bounds = [self.bound(node, index) for index in range(tried)]
        best, equals = 0, 1
        for index in range(1, tried):
            if bounds[index] > bounds[best]:
                best, equals = index, 1
            elif self.draws_ties and bounds[index] == bounds[best]:
                equals += 1
                best = best if draw(self.batch.random, equals) else index
        return best

    def arrive(self, node: Node) -> None:
        node.visits += 1
        node.mean = node.reward / F(node.visits)

    def list_moves(self, node: Node) -> list[Move]:
        if node.moves is None:
            node.moves = [*map(Move, compiled_rules.legal_moves(node.state, self.rules.max_moves))]
        return node.moves

    def descend(self) -> list[Node]:
        path, is_new = [self.root], False
        while not is_new and self.list_moves(path[-1]):
            node, tried = path[-1], len(path[-1].below)
            index = self.choose(node)
            is_new = len(node.below) > tried
            node.chosen[index] += 1
            path.append(node.below[index])
        for node in path:
            self.arrive(node)
        return path

    def back_up(self, path: list[Node], difference: int) -> None:
        """`difference` is seen from the side to move at the end of the path."""
        for node in reversed(path):
            difference = -difference
            node.wins += difference > 0
            node.draws += difference == 0
            if self.is_graph:
                node.mean = node.reward / F(node.visits)
            elif difference >= 0:
                share = F(1.0) / np.sqrt(F(node.visits))
                node.mean = node.reward * share * share

    def play_out(self, states: list[Any]) -> list[int]:
        if self.cut_after:
            return [self.play_on(state, at % LANES) for at, state in enumerate(states)]
        words = np.empty((len(states), self.rules.state_words), np.uint64)
        results = np.empty(len(states), np.int64)
        for row, state in zip(words, states, strict=True):
            compiled_rules.packed_and_unpacked(state, row)
        for at in range(0, len(states), LANES):
            count = min(LANES, len(states) - at)
            compiled_rules.playout_lanes(states[0], words[at:], count, self.batch.lanes, results[at:])
        return results.tolist()

    def play_on(self, state: Any, lane: int) -> int:
        """Return the evaluation where a playout is cut, or its result if it ends before."""
        for ply in range(self.cut_after + 1):
            sign = -1 if ply % 2 else 1
            moves = list(compiled_rules.legal_moves(state, self.rules.max_moves))
            if not moves:
                return sign * compiled_rules.final_difference(state)
            if ply < self.cut_after:
                state = self.after(state, Move(moves[draw_in_lane(self.batch.lanes, lane, len(moves))]))
        return sign * compiled_rules.evaluate(state)

    def simulate(self, count: int, batch: int) -> None:
        for first in range(0, count, batch):
            waiting = []
            for _ in range(min(batch, count - first)):
                path = self.descend()
                if compiled_rules.is_over(path[-1].state):
                    self.back_up(path, compiled_rules.final_difference(path[-1].state))
                else:
                    waiting.append(path)
            for path, result in zip(waiting, self.play_out([path[-1].state for path in waiting]), strict=True):
                self.back_up(path, result)

    def learn_game(self, game: AnyGame) -> None:
        path = [self.root]
        self.arrive(self.root)
        for position, move in zip(game.positions, game.moves, strict=False):
            node, state = path[-1], self.rules.kernel_state(position)
            moves = self.list_moves(node)
            if self.is_graph:
                _, symmetry = compiled_rules.canonical(state)
                moves = [Move(compiled_rules.original_move(state, each, symmetry)) for each in moves]
            index = moves.index(move)
            index = index if index < len(node.below) else self.try_next(node, index)
            node.chosen[index] += 1
            path.append(node.below[index])
            self.arrive(path[-1])
        self.back_up(path, compiled_rules.final_difference(path[-1].state))


@kernel
def draw(random: RandomState, bound: int) -> int:
    return below(random, bound)


@kernel
def draw_in_lane(lanes: RandomState, lane: int, bound: int) -> int:
    return below_lane(lanes, lane, bound)  # type: ignore[return-value]


class Kind(NamedTuple):
    search: type[MctsSearch]
    rule: Uct | Ucb1Tuned


KINDS = {
    "uct": Kind(TreeSearch, Uct(C)),
    "ucb1": Kind(TreeSearch, Ucb1Tuned()),
    "grouping": Kind(GraphSearch, Uct(C)),
}
GAMES = [("othello", ""), ("othello", "f5 d6 c3 d3 c4"), ("tictactoe", "")]


def both(
    kind: str, game: str, moves: str, *, draws_ties: bool = False, cut_after: int = 0
) -> tuple[MctsSearch, PlainSearch]:
    rules = rules_of(game_spec(game))
    position = parse_transcript(moves, rules, rules.start()).position
    search = KINDS[kind].search(rules, KINDS[kind].rule, 2000)
    search.draws_ties = draws_ties
    if cut_after:
        search.leaf = CutPlayouts(cut_after)
    search.set_root((), rules.kernel_state(position), np.random.SeedSequence(1))
    plain = PlainSearch(rules, KINDS[kind].rule, position, is_graph=KINDS[kind].search is GraphSearch)
    plain.draws_ties, plain.cut_after = draws_ties, cut_after
    return search, plain


def check(search: MctsSearch, plain: PlainSearch) -> None:
    """See that both know the same of the same positions, and tried the moves in the same order."""
    store: Any = search._store
    to_see = [(search._top, plain.root)]
    seen: dict[int, Node] = {}
    while to_see:
        place, node = to_see.pop()
        if seen.setdefault(place, node) is not node:
            pytest.fail("two positions share a node")
        assert store.visits[place] == node.visits
        if node is not plain.root:  # of whose results nobody asks
            assert (store.wins[place], store.draws[place]) == (node.wins, node.draws)
        first, moves = int(store.first_edge[place]), node.moves or []
        assert store.edges[place] == (NOT_EXPANDED if node.moves is None else len(moves))
        assert store.edge_move[first : first + len(moves)].tolist() == moves
        assert store.tried[place] == len(node.below)
        edges = range(first, first + len(node.below))
        into = [int(store.edge_node[edge]) if plain.is_graph else edge for edge in edges]
        chosen = store.edge_visits if plain.is_graph else store.visits
        assert [int(chosen[edge]) for edge in edges] == node.chosen
        to_see += [(child, other) for child, other in zip(into, node.below, strict=True) if child not in seen]
    assert len(seen) > 100


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("batch", [1, 5, 64])
def test_a_plain_loop_finds_the_same(kind: str, batch: int) -> None:
    for game, moves in GAMES:
        search, plain = both(kind, game, moves)
        for count in (300, 100):
            search.simulate(count, batch, StopFlag())
            plain.simulate(count, batch)
        check(search, plain)


@pytest.mark.parametrize("kind", KINDS)
def test_a_plain_loop_draws_the_same_of_equals_and_cuts_playouts_at_the_same_place(kind: str) -> None:
    for options in ({"draws_ties": True}, {"cut_after": 1}, {"cut_after": 4}):
        for game, moves in GAMES:
            search, plain = both(kind, game, moves, **options)
            search.simulate(200, 5, StopFlag())
            plain.simulate(200, 5)
            check(search, plain)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("batch", [1, 8])
def test_a_plain_loop_takes_the_same_turns(kind: str, batch: int) -> None:
    """Among all moves, too few simulations for all of them, then among two of them, then as the search likes."""
    search, plain = both(kind, "tictactoe", "")
    moves = [stats.move for stats in search.root_moves()]
    for count, among in ((3, moves), (200, moves[::-1]), (101, moves[3:5]), (50, ())):
        search.simulate(count, batch, StopFlag(), among)
        shares = {move: count // len(among) + (index < count % len(among)) for index, move in enumerate(among)}
        plain.shares = [shares.get(move, 0) for move in plain.list_moves(plain.root)] if among else []
        plain.simulate(count, batch)
    check(search, plain)
    visits = {stats.move: stats.visits for stats in search.root_moves()}
    assert sum(visits.values()) == 354
    assert min(visits.values()) >= 200 // 9
    assert all(visits[move] >= 200 // 9 + 50 for move in moves[3:5])


@pytest.mark.parametrize("kind", KINDS)
def test_a_plain_loop_learns_the_same_of_a_game(kind: str) -> None:
    """Before, between and after searches."""
    search, plain = both(kind, "tictactoe", "")
    rules, start = plain.rules, plain.root.state
    for moves in ("a1 b1 a2 b2 a3", "c3 a1 b1 a2 c1 a3", "b2 a1 c3 c1 b1 b3 a2 c2 a3"):
        game = parse_transcript(moves, rules, rules.start())
        assert game.is_over
        search.learn_game(start, game.moves)
        plain.learn_game(game)
        search.set_root((), start, np.random.SeedSequence(1))
        plain.batch = new_batch(rules, np.random.SeedSequence(1))
        search.simulate(200, 8, StopFlag())
        plain.simulate(200, 8)
    check(search, plain)
