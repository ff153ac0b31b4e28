"""The data of a Monte Carlo tree search: a tree or a graph of positions.

A store is a `NamedTuple` of arrays. Positions are nodes, moves are edges. By node there are: `visits` (playouts of
simulations through the node, including those in progress), `wins` and `draws` (of the side that moved into the node),
`mean` (reward 0 to 1; playouts in progress count as lost), `first_edge` (the others follow it), `edges` (their number,
or NOT_EXPANDED), `tried` (how many of them, from the first on, were tried) and `proof` (see `othello.search.proofs`).
By edge: `edge_move` and `edge_inverse_root` (1 / sqrt(visits), which saves a root and a division in the exploration
term). `used` holds counts.

The first functions here are implemented by trees and by graphs. The tree of `othello.search.value_tree` has the same
structure, with a value instead of results.
"""

from collections.abc import Callable
from typing import Any, Final, TypeVar, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

from othello.kernel.bits import as_int64
from othello.kernel.decorators import Moves, inlined, kernel
from othello.kernel.random import RandomState, below
from othello.rules import compiled

Store = TypeVar("Store")

NOT_EXPANDED: Final = 255  # value of `edges`; finished games have 0
NO_NODE: Final = -1  # also: no edge

# Indices of `used`.
NODES: Final = 0  # nodes visited by simulations
EDGES: Final = 1  # edge slots allocated so far
FAILED_ALLOCATIONS: Final = 2  # allocations that failed for lack of room


def new_store(kind: Callable[..., Store], nodes: int, edges: int, **others: NDArray[Any]) -> Store:
    """Allocate a store. Physical memory is used only as it grows.

    Args:
        kind: the `NamedTuple` class.
        nodes: maximum number of nodes.
        edges: maximum number of edges, the length of the fields "edge_...".
        others: fields of another length or type, or with initial values.
    """
    for name, hint in get_type_hints(kind).items():
        if name not in others:
            others[name] = np.empty(edges if name.startswith("edge_") else nodes, get_args(get_args(hint)[1])[0])
    return kind(**others)


def add_virtual_loss(store: Any, node: Any, playouts: Any) -> Any:
    """Count a simulation with `playouts` (uint32) at a node, as lost until its results are known."""


def backpropagate(store: Any, node: Any, difference: Any) -> Any:
    """Add the result of a playout: points of the side that moved into the node minus those of the other side."""


def clear_edge(store: Any, edge: Any) -> Any:
    """Initialise an edge as untried."""


def exchange(store: Any, edge: Any, other: Any) -> Any:
    """Swap two untried edges."""


def expand(store: Any, edge: Any, state: Any, words: Any) -> Any:
    """Create the node of an edge from `state` that is tried for the first time. Return False if there is no room.

    `words` is scratch memory.
    """


def descend(store: Any, edge: Any, state: Any, playouts: Any) -> Any:
    """Follow an edge from `state` with `playouts` playouts. Return the child node and its state."""


def state_kept(store: Any, node: Any, state: Any) -> Any:
    """Return the state of a node as the store keeps it, from any image of that state."""


def child_of(store: Any, edge: Any) -> Any:
    """Return the node that a tried edge leads to."""


def visits_of(store: Any, edge: Any) -> Any:
    """Return the number of playouts through an edge."""


def move_in(store: Any, edge: Any, state: Any) -> Any:
    """Return the move of an edge in `state`, which is any image of the position of the edge."""


@inlined
def clear_node(store: Any, node: int) -> None:
    """Initialise a node as unvisited."""
    store.visits[node] = 0
    store.wins[node] = 0
    store.draws[node] = 0
    store.mean[node] = 0.0
    store.first_edge[node] = 0
    store.edges[node] = NOT_EXPANDED
    store.tried[node] = 0


@inlined
def draw_untried(store: Any, node: int, random: RandomState) -> int:
    """Move a random untried edge of `node` behind the tried ones, and return it."""
    edge = as_int64(store.first_edge[node]) + as_int64(store.tried[node])
    untried = as_int64(store.edges[node]) - as_int64(store.tried[node])
    exchange(store, edge, edge + (below(random, untried) if untried > 1 else 0))
    return edge


@inlined
def reward(wins: np.uint32, draws: np.uint32) -> np.float32:
    """Return the sum of rewards: 1 for a win, 0.5 for a draw."""
    return np.float32(wins) + np.float32(0.5) * np.float32(draws)


@kernel
def _list_moves(store: Any, node: int, state: Any, moves: Moves) -> int:
    count: int = compiled.write_moves(state, moves)
    first = as_int64(store.used[EDGES])
    if first + count > len(store.edge_move):
        store.used[FAILED_ALLOCATIONS] += 1
        return NO_NODE
    store.used[EDGES] = first + count
    store.first_edge[node] = first
    store.edges[node] = count
    for index in range(count):
        clear_edge(store, first + index)
        store.edge_move[first + index] = moves[index]
    return count


@inlined
def list_moves(store: Any, node: int, state: Any, moves: Moves) -> int:
    """Expand a node at `state` unless that has been done. `moves`: scratch memory of length `max_moves`.

    Returns:
        The number of edges; 0 if the game is over; NO_NODE if there is no room.
    """
    if store.edges[node] != NOT_EXPANDED:
        return as_int64(store.edges[node])
    return _list_moves(store, node, state, moves)


@inlined
def listed(store: Any, node: int) -> int:
    """Return the number of edges of a node, 0 if it is not expanded."""
    return 0 if store.edges[node] == NOT_EXPANDED else as_int64(store.edges[node])
