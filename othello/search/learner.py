"""Q-learning and Sarsa as a search: the position, the values learned, and the results."""

from typing import Final, NamedTuple

import numpy as np

from othello.kernel.random import random_state
from othello.rules.protocol import Move, Position, Rules
from othello.search import value_tree
from othello.search.report import MoveStats
from othello.search.simulator import Path
from othello.search.stop import StopFlag
from othello.search.store import EDGES, FAILED_ALLOCATIONS, NO_NODE, NOT_EXPANDED, list_moves
from othello.search.tree import ROOT, reach_child, reset
from othello.search.tree_snapshot import Arrays, dump, load_values
from othello.search.value_tree import LearningParameters, ValueTree

_NO_WEIGHTS: Final = np.empty(0, np.uint32)


class Learner:
    """Learns the values of moves, for one root position after the other.

    What was learned about a position is kept for the positions after it. The rest is dropped, or also kept for later
    games. A full table drops the positions with the fewest episodes.
    """

    def __init__(self, rules: Rules[Position], lessons: LearningParameters, capacity: int, *, keeps_all: bool) -> None:
        """Create an empty value table.

        Args:
            rules: of the game.
            lessons: parameters of the learning.
            capacity: maximum number of positions; increased to what the moves of one game need.
            keeps_all: also keep positions before the current one.
        """
        self._rules = rules
        self._lessons = lessons
        self._keeps_all = keeps_all
        capacity = max(capacity, value_tree.RESERVE * (rules.max_plies + 1) * rules.max_moves)
        self._tree = value_tree.new_value_tree(rules, capacity)
        self._spare = value_tree.new_value_tree(rules, capacity)
        self._path = np.empty(rules.max_plies + 1, np.uint32)
        self._moves = rules.new_moves(rules.max_moves)
        self.clear()

    def clear(self) -> None:
        """Drop all values."""
        reset(self._tree)
        self._way: Path = ()  # from the root of the tree to the position
        self._nodes_on_way = [ROOT]
        self._line: list[Move] | None = None  # moves to the position; None: no position yet

    def set_root(self, path: Path, state: NamedTuple, seed: np.random.SeedSequence) -> bool:
        """Make a position the root, as `Simulator.set_root` does. Values of the position are always kept."""
        self._state = state
        self._random = random_state(seed)
        line = [move for _, move in path]
        if not self._keeps_all:
            if self._line is None or line[: len(self._line)] != self._line:
                self.clear()
                self._line = line
            path = [*self._way, *path[len(self._line) :]]
        self._line = line
        self._tree.used[value_tree.DEEPEST] = 0
        self._way = path
        if not self._list_way():
            self._forget(StopFlag())
        return True

    def _list_way(self) -> bool:
        """Expand the nodes from the root of the tree to the position. Returns False if there is no room."""
        self._nodes_on_way = [ROOT]
        for before, move in self._way:
            node = int(reach_child(self._tree, self._top, before, move, self._moves))
            if node == NO_NODE:
                return False
            self._nodes_on_way.append(node)
        return list_moves(self._tree, self._top, self._state, self._moves) != NO_NODE

    @property
    def _top(self) -> int:
        return self._nodes_on_way[-1]

    def _forget(self, stop: StopFlag) -> None:
        """Reduce the table to its most important half, with the path to the position; nothing when stopped."""
        if self._take_over(self._tree, self._nodes_on_way, stop):
            self._list_way()

    def _take_over(self, tree: ValueTree, always: list[int], stop: StopFlag) -> bool:
        """Replace the table by the most important part of a tree, at most half of the capacity.

        Args:
            tree: this table or another one.
            always: nodes whose moves are kept in any case.
            stop: ends the operation.

        Returns:
            False when stopped; nothing has changed then.
        """
        weights = np.empty(len(tree.value), np.uint32)
        needs = np.zeros(value_tree.HEAVIEST + 1, np.int64)
        if not value_tree.subtree_visits(tree, weights, needs, stop.cell):
            return False
        weights[tree.first_edge[always]] = np.iinfo(np.uint32).max
        least = int(np.count_nonzero(np.cumsum(needs[::-1]) > len(self._spare.value) // 2))
        if not value_tree.copy_subtree(tree, ROOT, self._spare, weights, least, stop.cell):
            return False
        self._tree, self._spare = self._spare, self._tree
        return True

    def learn(self, episodes: int, stop: StopFlag) -> int:
        """Play up to `episodes` episodes, at least one, and return how many were played.

        Positions before the root are dropped first, unless all are kept. If `stop` is set, others may be
        lost, too.
        """
        if self._way and not self._keeps_all:
            value_tree.copy_subtree(self._tree, self._top, self._spare, _NO_WEIGHTS, 0, stop.cell)
            self._tree, self._spare = self._spare, self._tree
            self._way = ()
            self._list_way()
        if self._tree.used[FAILED_ALLOCATIONS]:
            self._forget(stop)
        places = len(self._tree.value)
        tree = self._tree._replace(edge_move=self._tree.edge_move[: places - places // value_tree.RESERVE])
        return self._play(tree, episodes, stop)

    def _play(self, tree: ValueTree, episodes: int, stop: StopFlag) -> int:
        scratch = self._path, self._moves, self._random, stop.cell
        return int(value_tree.learn(tree, self._top, self._state, episodes, self._lessons, *scratch))

    def _children(self, node: int) -> range:
        if self._tree.edges[node] == NOT_EXPANDED:
            return range(0)
        first = int(self._tree.first_edge[node])
        return range(first, first + int(self._tree.edges[node]))

    def root_moves(self) -> list[MoveStats]:
        """Return all legal moves with visits and value (0 lost to 1 won), in ascending order."""
        values, visits, moves = self._tree.value, self._tree.visits, self._tree.edge_move
        found = (
            MoveStats(Move(int(moves[n])), int(visits[n]), (float(values[n]) + 1.0) / 2.0 if visits[n] else None)
            for n in self._children(self._top)
        )
        return sorted(found, key=lambda stats: stats.move)

    def principal_variation(self, first: Move) -> tuple[Move, ...]:
        """Return a root move and the best visited line after it."""
        fields = self._tree
        line = [first]
        node = next(child for child in self._children(self._top) if fields.edge_move[child] == first)
        while visited := [child for child in self._children(node) if fields.visits[child]]:
            node = max(visited, key=lambda child: (float(fields.value[child]), int(fields.visits[child])))
            line.append(Move(int(fields.edge_move[node])))
        return tuple(line)

    @property
    def nodes(self) -> int:
        """Number of stored positions."""
        return int(self._tree.used[EDGES])

    @property
    def depth(self) -> int:
        """Plies of the longest episode since `set_root`."""
        return int(self._tree.used[value_tree.DEEPEST])

    def close(self) -> None:
        """Do nothing: this search owns no threads."""

    def snapshot(self) -> Arrays:
        """Return the most important part of the table, at most half of the capacity, for `load_snapshot`."""
        if self.nodes > len(self._tree.value) // 2:
            self._forget(StopFlag())
        return dump(self._tree)

    def load_snapshot(self, snapshot: Arrays) -> None:
        """Load values from `snapshot`, or the most important part if they do not fit.

        Raises:
            ValueError: the arrays are not valid for this game. Nothing has changed then.
        """
        tree = load_values(self._tree, snapshot, self._rules)
        self._take_over(tree, [ROOT], StopFlag())
        self._way, self._nodes_on_way = (), [ROOT]
