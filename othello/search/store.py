"""What a search by simulations learned: the store of its positions and moves, which is a tree or a graph.

Positions are the nodes of a store, their moves its edges. It is a `NamedTuple` of arrays, and has these fields. By
node: `visits` (playouts of the simulations that came by, those still under way too), `wins` and `draws` (of the side
that moved into the node), `mean` (reward, 0..1, what is under way counted as lost), `first_edge` (the others follow
it), `edges` (how many, or NOT_EXPANDED), `tried` (how many of them, from the first on, were visited) and `proof` (see
`othello.search.proofs`). By edge: `edge_move` and `edge_inverse_root` (1 / sqrt(visits): the bonus of a choice then
needs no root and no division). And `used`.

Trees and graphs each have their own version of the first functions here. What episodes learned stands in a tree, too,
with a value in the place of the results; see `othello.search.value_tree`.
"""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

from othello.kernel.bits import as_int64
from othello.kernel.decorators import Bytes, inlined, kernel
from othello.kernel.random import RandomState, below
from othello.rules import compiled

NOT_EXPANDED: Final = 255  # as `edges`: the moves are not listed yet; a finished game has 0
NO_NODE: Final = -1  # no node, or no edge

# Places in `used` of a store.
NODES: Final = 0  # positions that a simulation came by
EDGES: Final = 1  # places of moves that are given away
FAILED_ALLOCATIONS: Final = 2  # how often there was no room


def empty_fields(store: type[NamedTuple], names: Iterable[str], length: int) -> dict[str, NDArray[Any]]:
    """Return uninitialised arrays for some fields of a store, of the dtypes that the fields are annotated with."""
    hints = get_type_hints(store)
    return {name: np.empty(length, get_args(get_args(hints[name])[1])[0]) for name in names}


def add_virtual_loss(store: Any, node: Any, playouts: Any) -> Any:
    """Count a simulation with its playouts (uint32) at a node, as lost until the results are known."""
    raise NotImplementedError


def backpropagate(store: Any, node: Any, difference: Any) -> Any:
    """Add a playout's result: the points of the side that moved into the node minus the other's."""
    raise NotImplementedError


def clear_edge(store: Any, edge: Any) -> Any:
    """Make a place an edge that was not tried."""
    raise NotImplementedError


def exchange(store: Any, edge: Any, other: Any) -> Any:
    """Let two edges that were not tried change places."""
    raise NotImplementedError


def expand(store: Any, edge: Any, state: Any, words: Any) -> Any:
    """Give an edge from `state`, tried for the first time, its node; False when there is no room. `words`: scratch."""
    raise NotImplementedError


def descend(store: Any, edge: Any, state: Any, playouts: Any) -> Any:
    """Choose an edge from `state` for these playouts: (the node that the edge leads to, the state there)."""
    raise NotImplementedError


def state_kept(store: Any, node: Any, state: Any) -> Any:
    """The state at a node as the store keeps it; `state` is any image of that state."""
    raise NotImplementedError


def child_of(store: Any, edge: Any) -> Any:
    """The node that a tried edge leads to."""
    raise NotImplementedError


def visits_of(store: Any, edge: Any) -> Any:
    """How often an edge was chosen, a playout each."""
    raise NotImplementedError


def move_in(store: Any, edge: Any, state: Any) -> Any:
    """An edge's move as it stands in `state`, which is any image of the position that the edge belongs to."""
    raise NotImplementedError


@inlined
def clear_node(store: Any, node: int) -> None:
    """Make a place a node that was not visited."""
    store.visits[node] = 0
    store.wins[node] = 0
    store.draws[node] = 0
    store.mean[node] = 0.0
    store.first_edge[node] = 0
    store.edges[node] = NOT_EXPANDED
    store.tried[node] = 0


@inlined
def draw_untried(store: Any, node: int, random: RandomState) -> int:
    """One untried edge of `node`, drawn at random, moved to the place after the tried ones."""
    edge = as_int64(store.first_edge[node]) + as_int64(store.tried[node])
    untried = as_int64(store.edges[node]) - as_int64(store.tried[node])
    exchange(store, edge, edge + (below(random, untried) if untried > 1 else 0))
    return edge


@inlined
def reward(wins: np.uint32, draws: np.uint32) -> np.float32:
    """The sum of rewards: 1 for a win, 0.5 for a draw."""
    return np.float32(wins) + np.float32(0.5) * np.float32(draws)


@kernel
def _list_moves(store: Any, node: int, state: Any, moves: Bytes) -> int:
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
def list_moves(store: Any, node: int, state: Any, moves: Bytes) -> int:
    """See that the moves of a node, where `state` is, are listed; `moves` is scratch, `max_moves` long.

    Returns:
        How many there are; 0 when the game is over; NOTHING when there is no room for them.
    """
    if store.edges[node] != NOT_EXPANDED:
        return as_int64(store.edges[node])
    return _list_moves(store, node, state, moves)


@inlined
def listed(store: Any, node: int) -> int:
    """How many moves of a node are listed."""
    return 0 if store.edges[node] == NOT_EXPANDED else as_int64(store.edges[node])
