"""A search tree as plain arrays: taken out of it, and put back in once they are known to be such a tree.

Only what was counted is kept. What follows from it is worked out anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello.kernel.bits import as_int64
from othello.kernel.jit import kernel
from othello.rules import protocol
from othello.search.tree import MAX_PATH, NO_CHILDREN, PLACES, REFUSALS, ROOT, VISITED, Tree, update_means

MOST_VISITS: Final = 2**31 - 1  # of one node: it can be visited as often again before the count is full

_FIELDS: Final = ("visits", "wins", "draws", "first_child", "children", "tried", "move")


def contents(tree: Tree) -> dict[str, NDArray[Any]]:
    """The tree's nodes, a copy of every field without the free places."""
    fields = tree._asdict()
    return {name: fields[name][: tree.used[PLACES]].copy() for name in _FIELDS}


def restore(tree: Tree, fields: Mapping[str, NDArray[Any]], start: NamedTuple) -> None:
    """Make the tree what `contents` once told.

    Args:
        start: the state at the root.

    Raises:
        ValueError: the fields are not those of a tree that grows from there, or are too many for this one.
    """
    told = _told(tree, fields)
    _check_places(told)
    _check_results(told)
    states, moves = np.empty((MAX_PATH, 2), np.uint64), np.empty(256, np.uint8)
    if not _all_moves_legal(told, start, np.empty((MAX_PATH, 2), np.int64), states, moves):
        raise ValueError("a node has other moves than its position")
    if not _visits_are_counted(told):
        raise ValueError("a node has visits that are not counted")
    places = told.capacity
    if places > tree.capacity:
        raise ValueError(f"{places} nodes are too many, {tree.capacity} is the limit")
    for name in _FIELDS:
        getattr(tree, name)[:places] = fields[name]
    tree.used[[PLACES, VISITED, REFUSALS]] = places, 1 + told.tried.sum(dtype=np.int64), 0
    update_means(tree)


def _told(tree: Tree, fields: Mapping[str, NDArray[Any]]) -> Tree:
    """A tree that is made of these fields, which are of the right kind and length."""
    own = tree._asdict()
    for name in _FIELDS:
        if name not in fields or fields[name].dtype != own[name].dtype or fields[name].ndim != 1:
            raise ValueError(f"field {name} is missing or of another kind")
    if len({len(fields[name]) for name in _FIELDS}) > 1:
        raise ValueError("fields differ in length")
    if not len(fields["visits"]):
        raise ValueError("there is no root")
    told = {name: np.ascontiguousarray(fields[name]) for name in _FIELDS}
    return tree._replace(**told, used=np.array([len(fields["visits"]), 0, 0]))


def _check_places(told: Tree) -> None:
    """See that every node but the root is one node's child, and stands behind it."""
    first, children = told.first_child.astype(np.int64), told.children.astype(np.int64)
    has_children = first != NO_CHILDREN
    if np.any(has_children != (children > 0)) or np.any(told.tried > children):
        raise ValueError("a node has children that are not there")
    if np.any(first[has_children] <= np.flatnonzero(has_children)):
        raise ValueError("a node stands below itself")
    order = np.argsort(first[has_children])
    starts, counts = first[has_children][order], children[has_children][order]
    ends = 1 + np.cumsum(counts)
    if np.any(starts != ends - counts) or (ends[-1] if len(ends) else 1) != told.capacity:
        raise ValueError("a node has two parents, or none")


def _check_results(told: Tree) -> None:
    if np.any(told.visits > MOST_VISITS):
        raise ValueError("a node has more visits than can be counted")
    if np.any(told.wins.astype(np.int64) + told.draws > told.visits):
        raise ValueError("a node has more results than visits")


@kernel
def _visits_are_counted(tree: Tree) -> bool:
    """Whether the children with visits are those that count as tried, and those of one node can be added up."""
    for node in range(tree.used[PLACES]):
        first = as_int64(tree.first_child[node])
        tried = as_int64(tree.tried[node])
        below = 0
        for index in range(as_int64(tree.children[node])):
            visits = as_int64(tree.visits[first + index])
            if (index < tried) != (visits > 0):
                return False
            below += visits
        if below > MOST_VISITS:
            return False
    return True


@kernel
def _all_moves_legal(
    tree: Tree, start: Any, way: NDArray[np.int64], states: NDArray[np.uint64], moves: NDArray[np.uint8]
) -> bool:
    """Whether every node has all moves of its position as children, where it has any.

    Args:
        start: the root's state.
        way: scratch, shape (MAX_PATH, 2): the nodes down to the one that is looked at, and their children seen so far.
        states: scratch, shape (MAX_PATH, 2): their states, packed.
        moves: scratch, `max_moves` long.
    """
    protocol.pack(start, states[0])
    way[0, 0], way[0, 1] = ROOT, 0
    depth = 0
    while depth >= 0:
        node, seen = way[depth, 0], way[depth, 1]
        state = protocol.unpack(start, states[depth])
        if seen == 0 and not _has_moves_of(tree, node, state, moves):
            return False
        if seen == as_int64(tree.children[node]):
            depth -= 1
            continue
        way[depth, 1] += 1
        child = as_int64(tree.first_child[node]) + seen
        if tree.children[child]:
            depth += 1  # no further than a game is long: the moves down to here are legal
            way[depth, 0], way[depth, 1] = child, 0
            protocol.pack(protocol.play(state, tree.move[child]), states[depth])
    return True


@kernel
def _has_moves_of(tree: Tree, node: int, state: Any, moves: NDArray[np.uint8]) -> bool:
    count = as_int64(protocol.write_moves(state, moves))
    children = as_int64(tree.children[node])
    if children == 0:
        return True
    if children != count:
        return False
    first = as_int64(tree.first_child[node])
    for index in range(count):
        child = first
        while child < first + count and tree.move[child] != moves[index]:
            child += 1
        if child == first + count:
            return False
    return True
