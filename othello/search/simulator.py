"""The searches by simulations as objects: where they are, what they know, what they found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from othello.rules.protocol import Move
from othello.search import graph, graph_contents, grouping, mcts, tree, tree_contents
from othello.search.report import MoveStats, mean_reward
from othello.search.stop import StopFlag

Arrays = dict[str, NDArray[Any]]
"""What a search knows, by name of the field, to be kept in a file."""


class Simulator(Protocol):
    """A search by simulations from one position, told how many to run and asked what it found."""

    def clear(self) -> None:
        """Forget everything."""
        ...

    def go_to(self, path: Sequence[tuple[NamedTuple, Move]], state: NamedTuple, seed: np.random.SeedSequence) -> bool:
        """Search from a position next, keeping what is known of it and of what follows.

        Args:
            path: the way there from the position that the knowledge begins with, the same in every call between two
                `clear`s: each state and the move made in it.
            state: the position, not over.
            seed: for the simulations from here on.

        Returns:
            False if there was no room to keep what was known, and all of it is forgotten.
        """
        ...

    def simulate(self, count: int, batch: int, stop: StopFlag) -> int:
        """Run up to `count` >= 1 simulations, `batch` (1..LANES) at a time, and return how many were run."""
        ...

    def root_moves(self) -> list[MoveStats]:
        """Every legal move with its visits and mean reward, in ascending order."""
        ...

    def principal_variation(self, first: Move) -> tuple[Move, ...]:
        """A visited root move and the most visited way down from there."""
        ...

    @property
    def nodes(self) -> int:
        """Positions stored."""
        ...

    @property
    def depth(self) -> int:
        """Plies of the longest path since `go_to`."""
        ...

    @property
    def is_full(self) -> bool:
        """Whether there was no room for a position; simulations then start from those that are there."""
        ...


class TreeSearch:
    """MCTS on a tree, with UCT or UCB1-tuned."""

    def __init__(self, rule: int, exploration: float, capacity: int) -> None:
        self._rule = rule
        self._exploration = exploration
        self._tree = tree.new_tree(capacity)
        self._walks = mcts.new_walks(np.random.SeedSequence(0))
        self.clear()

    def clear(self) -> None:
        tree.plant(self._tree)
        self._top = tree.ROOT
        self._seen_from_above = self._results_of_top()

    def go_to(self, path: Sequence[tuple[NamedTuple, Move]], state: NamedTuple, seed: np.random.SeedSequence) -> bool:
        self._leave()
        self._state = state
        self._walks = mcts.new_walks(seed)
        kept = self._reach(path)
        if not kept:
            self.clear()
            self._reach([])
        self._seen_from_above = self._results_of_top()
        self._tree.visits[self._top] = sum(int(self._tree.visits[child]) for child in self._tried(self._top))
        return kept

    def _results_of_top(self) -> tuple[int, int, int]:
        fields, top = self._tree, self._top
        return int(fields.visits[top]), int(fields.wins[top]), int(fields.draws[top])

    def _reach(self, path: Sequence[tuple[NamedTuple, Move]]) -> bool:
        node = tree.ROOT
        for before, move in path:
            node = tree.reach_child(self._tree, node, before, move, self._walks.moves)
            if node < 0:
                return False
        if not self._tree.children[node] and tree.add_children(self._tree, node, self._state, self._walks.moves) < 0:
            return False
        self._top = node
        return True

    def _leave(self) -> None:
        """Give the top node back the results that it had as somebody's child.

        The simulations that began in it say nothing of how often its parent chose it. Counted there, they would make a
        move the most visited for having once been played.
        """
        visits, wins, draws = self._seen_from_above
        tree.set_results(self._tree, self._top, visits, wins, draws)

    def simulate(self, count: int, batch: int, stop: StopFlag) -> int:
        return mcts.simulate(
            self._tree, self._top, self._state, self._rule, self._exploration, count, batch, self._walks, stop.cell
        )

    def _tried(self, node: int) -> range:
        first = int(self._tree.first_child[node])
        return range(first, first + int(self._tree.tried[node]))

    def root_moves(self) -> list[MoveStats]:
        fields, tried = self._tree, self._tried(self._top)
        moves = []
        for child in tried:
            visits, wins, draws = int(fields.visits[child]), int(fields.wins[child]), int(fields.draws[child])
            moves.append(MoveStats(int(fields.move[child]), visits, mean_reward(visits, wins, draws)))
        for child in range(tried.stop, tried.start + int(fields.children[self._top])):
            moves.append(MoveStats(int(fields.move[child]), 0, None))
        return sorted(moves, key=lambda stats: stats.move)

    def principal_variation(self, first: Move) -> tuple[Move, ...]:
        line: list[Move] = []
        children = [child for child in self._tried(self._top) if self._tree.move[child] == first]
        while children:
            best = max(children, key=lambda child: int(self._tree.visits[child]))
            line.append(int(self._tree.move[best]))
            children = list(self._tried(best))
        return tuple(line) or (first,)

    @property
    def nodes(self) -> int:
        return int(self._tree.used[tree.VISITED])

    @property
    def depth(self) -> int:
        return int(self._walks.deepest[0])

    @property
    def is_full(self) -> bool:
        return bool(self._tree.used[tree.REFUSALS])

    def knowledge(self) -> Arrays:
        """Everything known, to be given to `learn_from` one day."""
        self._leave()
        self._top = tree.ROOT
        self._seen_from_above = self._results_of_top()
        return tree_contents.contents(self._tree)

    def learn_from(self, knowledge: Mapping[str, NDArray[Any]], start: NamedTuple) -> None:
        """Know what was known, of games that begin with `start`.

        Raises:
            ValueError: it makes no sense or does not fit in; nothing has changed then.
        """
        tree_contents.restore(self._tree, knowledge, start)
        self._top = tree.ROOT
        self._seen_from_above = self._results_of_top()


class GraphSearch:
    """MCTS on the graph of positions up to symmetry, with UCT."""

    def __init__(self, exploration: float, nodes: int, edges: int) -> None:
        self._exploration = exploration
        self._graph = graph.new_graph(nodes, edges)

    def clear(self) -> None:
        graph.clear_graph(self._graph)

    def go_to(self, path: Sequence[tuple[NamedTuple, Move]], state: NamedTuple, seed: np.random.SeedSequence) -> bool:
        self._state = state
        self._walks = mcts.new_walks(seed)
        kept = self._reach()
        if not kept:
            self.clear()
            self._reach()
        return kept

    def _reach(self) -> bool:
        self._top = graph.node_of_any(self._graph, self._state, self._walks.words[0])
        if self._top == graph.NO_NODE:
            return False
        return graph.list_moves(self._graph, self._top, self._state, self._walks.moves)

    def simulate(self, count: int, batch: int, stop: StopFlag) -> int:
        return grouping.simulate_grouped(
            self._graph, self._top, self._state, self._exploration, count, batch, self._walks, stop.cell
        )

    def root_moves(self) -> list[MoveStats]:
        fields = self._graph
        first = int(fields.first_edge[self._top])
        moves = []
        for edge in range(first, first + int(fields.edges[self._top])):
            move = int(grouping.move_of_edge(fields, self._state, edge))
            visits = int(fields.edge_visits[edge])
            if visits:
                child = int(fields.edge_node[edge])
                value = mean_reward(int(fields.visits[child]), int(fields.wins[child]), int(fields.draws[child]))
                moves.append(MoveStats(move, visits, value))
            else:
                moves.append(MoveStats(move, 0, None))
        return sorted(moves, key=lambda stats: stats.move)

    def principal_variation(self, first: Move) -> tuple[Move, ...]:
        line = np.empty(tree.MAX_PATH, np.int64)
        length = grouping.most_visited_line(self._graph, self._top, self._state, first, line)
        return tuple(line[:length].tolist()) or (first,)

    @property
    def nodes(self) -> int:
        return int(self._graph.used[graph.NODES])

    @property
    def depth(self) -> int:
        return int(self._walks.deepest[0])

    @property
    def is_full(self) -> bool:
        return bool(self._graph.used[graph.REFUSALS])

    def knowledge(self) -> Arrays:
        """Everything known, to be given to `learn_from` one day."""
        return graph_contents.contents(self._graph)

    def learn_from(self, knowledge: Mapping[str, NDArray[Any]], start: NamedTuple) -> None:
        """Know what was known, of games that begin with `start`.

        Raises:
            ValueError: it makes no sense or does not fit in; nothing has changed then.
        """
        graph_contents.restore(self._graph, knowledge, start)
