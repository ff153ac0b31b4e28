"""The search by learning as an object: where it is, what it knows, what it found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello.kernel.random import random_state
from othello.rules.protocol import Move, Position, Rules
from othello.search import learning
from othello.search.learning import ROOT, Lessons
from othello.search.report import MoveStats
from othello.search.stop import StopFlag


class Learner:
    """Learns the values of the moves of one position after the other.

    What is known of a position that was searched is kept for those that follow it. The rest is dropped on the way, or
    kept too, for games to come.
    """

    def __init__(self, rules: Rules[Position], lessons: Lessons, capacity: int, *, keeps_all: bool) -> None:
        """Know nothing yet.

        Args:
            rules: of the game.
            lessons: how to learn.
            capacity: how many positions there is room for.
            keeps_all: whether what precedes the position is kept.
        """
        self._lessons = lessons
        self._keeps_all = keeps_all
        self._tree = learning.new_value_tree(capacity)
        self._spare = None if keeps_all else learning.new_value_tree(capacity)
        self._path = np.empty(rules.max_plies + 1, np.uint32)
        self._moves = np.empty(rules.max_moves, np.uint8)
        self._top = ROOT

    def clear(self) -> None:
        """Forget everything."""
        learning.clear(self._tree)
        self._top = ROOT

    def go_to(self, path: Sequence[tuple[NamedTuple, Move]], state: NamedTuple, seed: np.random.SeedSequence) -> bool:
        """Learn about a position next.

        Args:
            path: the way there, from the position before if all that precedes is dropped, else from the first one: each
                state and the move made in it.
            state: the position, not over.
            seed: for the episodes from here on.

        Returns:
            False if there was no room to keep what was known, and all of it is forgotten.
        """
        self._state = state
        self._random = random_state(seed)
        self._tree.used[learning.DEEPEST] = 0
        node = ROOT
        for before, move in path:
            node = int(learning.child_of(self._tree, node, before, move, self._moves))
            if node < 0:
                self.clear()
                return False
        if self._spare is not None and node != ROOT:
            learning.keep_below(self._tree, node, self._spare)
            self._tree, self._spare = self._spare, self._tree
            node = ROOT
        self._top = node
        return True

    def learn(self, episodes: int, stop: StopFlag) -> int:
        """Play up to so many episodes, at least one, and return how many were played."""
        return int(
            learning.learn(
                self._tree,
                self._top,
                self._state,
                episodes,
                self._lessons,
                self._path,
                self._moves,
                self._random,
                stop.cell,
            )
        )

    def _children(self, node: int) -> range:
        first = int(self._tree.first_child[node])
        return range(first, first + int(self._tree.children[node]))

    def root_moves(self) -> list[MoveStats]:
        """Every legal move with its visits and its value as a reward, 0 lost .. 1 won, in ascending order."""
        fields = self._tree
        moves = []
        for child in self._children(self._top):
            visits = int(fields.visits[child])
            value = (float(fields.value[child]) + 1.0) / 2.0 if visits else None
            moves.append(MoveStats(int(fields.move[child]), visits, value))
        return sorted(moves, key=lambda stats: stats.move)

    def principal_variation(self, first: Move) -> tuple[Move, ...]:
        """A root move and the best way down from there, as far as it was ever gone."""
        fields = self._tree
        line = [first]
        node = next(child for child in self._children(self._top) if fields.move[child] == first)
        while visited := [child for child in self._children(node) if fields.visits[child]]:
            node = max(visited, key=lambda child: (float(fields.value[child]), int(fields.visits[child])))
            line.append(int(fields.move[node]))
        return tuple(line)

    @property
    def nodes(self) -> int:
        """Positions stored."""
        return int(self._tree.used[learning.PLACES])

    @property
    def depth(self) -> int:
        """Plies of the longest episode since `go_to`."""
        return int(self._tree.used[learning.DEEPEST])

    @property
    def is_full(self) -> bool:
        """Whether there was no room for a position; episodes then end there with random moves."""
        return bool(self._tree.used[learning.REFUSALS])

    def knowledge(self) -> dict[str, NDArray[Any]]:
        """Everything known, to be given to `learn_from` one day."""
        count = self.nodes
        return {name: getattr(self._tree, name)[:count] for name in _KEPT}

    def learn_from(self, knowledge: Mapping[str, NDArray[Any]], start: NamedTuple) -> None:
        """Know what was known, of games that begin with `start`.

        Raises:
            ValueError: it makes no sense or does not fit in; nothing has changed then.
        """
        count = _checked(knowledge, len(self._tree.value))
        tree = learning.new_value_tree(len(self._tree.value))
        for name in _KEPT:
            getattr(tree, name)[:count] = knowledge[name]
        tree.used[learning.PLACES] = count
        rows = np.empty((len(self._path) + 1, len(self._moves)), np.uint8)
        if not learning.fits(tree, ROOT, start, rows, 0):
            raise ValueError("its moves are not those of this game")
        self._tree = tree
        self._top = ROOT


_KEPT = ("value", "visits", "first_child", "children", "move")


def _checked(knowledge: Mapping[str, NDArray[Any]], capacity: int) -> int:
    """How many nodes there are.

    Raises:
        ValueError: a field is missing, of another type or length, or there is no room.
    """
    fields = learning.new_value_tree(1)
    lengths = set()
    for name in _KEPT:
        values = knowledge.get(name)
        if values is None or values.dtype != getattr(fields, name).dtype or values.ndim != 1:
            raise ValueError(f"{name} is missing, or is not what it should be")
        lengths.add(len(values))
    count = lengths.pop()
    if lengths or not 0 < count <= capacity:
        raise ValueError(f"its fields are of different lengths, or of more than {capacity} positions")
    first, children = knowledge["first_child"].astype(np.int64), knowledge["children"].astype(np.int64)
    parents = np.flatnonzero(first)
    parents = parents[np.argsort(first[parents])]
    begins = 1 + np.concatenate(([0], np.cumsum(children[parents])))
    if begins[-1] != count or (begins[:-1] != first[parents]).any() or (first[parents] <= parents).any():
        raise ValueError("its positions are no tree")
    if not np.isfinite(knowledge["value"]).all() or np.abs(knowledge["value"]).max() > 1.0:
        raise ValueError("a value is not between -1 and 1")
    return count
