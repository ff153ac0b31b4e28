"""A search tree as plain arrays: taken out of it, and put back in once they are known to make a tree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from othello.search.tree import MAX_PATH, NO_CHILDREN, PLACES, VISITED, Tree


def contents(tree: Tree) -> dict[str, NDArray[Any]]:
    """The tree's nodes, a copy of every field without the free places."""
    places = int(tree.used[PLACES])
    fields = {name: field[:places].copy() for name, field in tree._asdict().items()}
    return fields | {"used": tree.used.copy()}


def _depth(first: NDArray[np.int64], children: NDArray[np.int64]) -> int:
    """Plies of the deepest node, where all children stand behind their parents; more than MAX_PATH are not counted."""
    level, depth = np.zeros(1, np.int64), 0
    while depth <= MAX_PATH:
        parents = level[children[level] > 0]
        if not len(parents):
            break
        level = np.concatenate(
            [np.arange(start, start + count) for start, count in zip(first[parents], children[parents], strict=True)]
        )
        depth += 1
    return depth


def restore(tree: Tree, fields: Mapping[str, NDArray[Any]]) -> None:
    """Make the tree what `contents` once told.

    Raises:
        ValueError: the fields are not those of a tree, or are too many for this one.
    """
    for name, field in tree._asdict().items():
        if name not in fields or fields[name].dtype != field.dtype or fields[name].ndim != 1:
            raise ValueError(f"field {name} is missing or of another kind")
    places = len(fields["visits"])
    first, children = fields["first_child"].astype(np.int64), fields["children"].astype(np.int64)
    if len(fields["used"]) != 3 or any(len(fields[name]) != places for name in tree._fields if name != "used"):
        raise ValueError("fields differ in length")
    if places == 0 or fields["used"][PLACES] != places or not 1 <= fields["used"][VISITED] <= places:
        raise ValueError("the count of nodes is wrong")
    has_children = first != NO_CHILDREN
    if np.any(fields["tried"] > children) or np.any(first + children > places):
        raise ValueError("a node has children that are not there")
    if np.any(children[has_children] == 0) or np.any(children[~has_children]):
        raise ValueError("a node has children that are not there")
    blocks = np.argsort(first[has_children])
    starts, ends = first[has_children][blocks], (first + children)[has_children][blocks]
    if np.any(starts != np.concatenate([[1], ends[:-1]])[: len(starts)]) or (ends[-1] if len(ends) else 1) != places:
        raise ValueError("children have two parents, or none")
    if np.any(first[has_children] <= np.flatnonzero(has_children)):
        raise ValueError("a node stands below itself")
    if np.any(fields["wins"].astype(np.int64) + fields["draws"] > fields["visits"]):
        raise ValueError("a node has more results than visits")
    if _depth(first, children) > MAX_PATH // 2:
        raise ValueError("the tree is deeper than any game")
    if places > tree.capacity:
        raise ValueError(f"{places} nodes are too many, {tree.capacity} is the limit")
    for name, field in tree._asdict().items():
        field[: len(fields[name])] = fields[name]
