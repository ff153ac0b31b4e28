"""The graph of positions that are the same up to symmetry and up to the colours: its nodes, its edges, their places.

A graph is a struct of arrays, as a tree is. Where a tree has the places of a node's children side by side, a graph has
those of its moves, the edges. Nodes are found by their state in a hash table.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello.kernel.bits import as_int64
from othello.kernel.hashing import place_of
from othello.kernel.jit import inlined, kernel
from othello.rules import protocol
from othello.search.tree import reward

NOT_EXPANDED: Final = 255  # as `edges`: the moves are not listed yet; a finished game has 0
NO_NODE: Final = -1

# Places in `Graph.used`.
NODES: Final = 0  # given away
EDGES: Final = 1  # given away
REFUSALS: Final = 2  # how often there was no room


class Graph(NamedTuple):
    """One array a field. A node's results are those of the side that moved into it."""

    state: NDArray[np.uint64]  # (nodes, 2): the canonical state, packed; the whole board, so that no two are mixed up
    visits: NDArray[np.uint32]  # simulations that came by, those still under way too
    wins: NDArray[np.uint32]
    draws: NDArray[np.uint32]
    mean: NDArray[np.float32]  # reward, 0..1, simulations under way counted as lost
    first_edge: NDArray[np.uint32]
    edges: NDArray[np.uint8]  # how many moves there are, NOT_EXPANDED before they are listed
    tried: NDArray[np.uint8]  # how many of them, from the first on, were visited

    edge_move: NDArray[np.uint8]  # a move in the canonical state
    edge_node: NDArray[np.uint32]  # where it leads, once tried
    edge_visits: NDArray[np.uint32]
    edge_inverse_root: NDArray[np.float32]  # 1 / sqrt(edge_visits)

    slots: NDArray[np.uint32]  # hash table, open addressing: node + 1, 0 = free; its length is a power of two
    used: NDArray[np.int64]  # (3,): NODES, EDGES, REFUSALS


def new_slots(nodes: int) -> NDArray[np.uint32]:
    """An empty hash table for so many nodes, at most half full."""
    return np.zeros(2 << max(1, nodes - 1).bit_length(), np.uint32)


def new_graph(nodes: int, edges: int) -> Graph:
    """Room for `nodes` positions and `edges` moves. Memory is taken up as the graph grows into it."""
    return Graph(
        state=np.empty((nodes, 2), np.uint64),
        visits=np.empty(nodes, np.uint32),
        wins=np.empty(nodes, np.uint32),
        draws=np.empty(nodes, np.uint32),
        mean=np.empty(nodes, np.float32),
        first_edge=np.empty(nodes, np.uint32),
        edges=np.empty(nodes, np.uint8),
        tried=np.empty(nodes, np.uint8),
        edge_move=np.empty(edges, np.uint8),
        edge_node=np.empty(edges, np.uint32),
        edge_visits=np.empty(edges, np.uint32),
        edge_inverse_root=np.empty(edges, np.float32),
        slots=new_slots(nodes),
        used=np.zeros(3, np.int64),
    )


@inlined
def _first_slot(graph: Graph, words: NDArray[np.uint64]) -> int:
    return place_of(words[0], words[1], len(graph.slots))


@inlined
def _next_slot(graph: Graph, slot: int) -> int:
    return (slot + 1) & (len(graph.slots) - 1)


@kernel
def node_of(graph: Graph, state: Any, words: NDArray[np.uint64]) -> int:
    """The node of a canonical state, a new one where there was none; NO_NODE when there is no room.

    Args:
        words: scratch, shape (2,).
    """
    protocol.pack(state, words)
    slot = _first_slot(graph, words)
    while graph.slots[slot]:
        node = as_int64(graph.slots[slot]) - 1
        if graph.state[node, 0] == words[0] and graph.state[node, 1] == words[1]:
            return node
        slot = _next_slot(graph, slot)
    node = as_int64(graph.used[NODES])
    if node >= len(graph.visits):
        graph.used[REFUSALS] += 1
        return NO_NODE
    graph.used[NODES] = node + 1
    graph.slots[slot] = node + 1
    graph.state[node, 0] = words[0]
    graph.state[node, 1] = words[1]
    graph.visits[node] = 0
    graph.wins[node] = 0
    graph.draws[node] = 0
    graph.mean[node] = 0.0
    graph.edges[node] = NOT_EXPANDED
    graph.tried[node] = 0
    return node


@kernel
def clear_graph(graph: Graph) -> None:
    """Forget all positions."""
    # Slots are freed node by node, as a table for millions is mostly empty. A run of taken slots is always freed up to
    # its end, so what an earlier node's pass has freed already is the rest of the run.
    for node in range(graph.used[NODES]):
        slot = _first_slot(graph, graph.state[node])
        while graph.slots[slot]:
            graph.slots[slot] = 0
            slot = _next_slot(graph, slot)
    graph.used[:] = 0


@kernel
def node_of_any(graph: Graph, state: Any, words: NDArray[np.uint64]) -> int:
    """`node_of` for any state, canonical or not."""
    representative, _ = protocol.canonical(state)
    return node_of(graph, representative, words)


@inlined
def update_mean(graph: Graph, node: int) -> None:
    """Work out a visited node's mean."""
    graph.mean[node] = reward(graph.wins[node], graph.draws[node]) / np.float32(graph.visits[node])


@inlined
def update_bonus(graph: Graph, edge: int) -> None:
    """Work out what the bonus of a visited edge needs."""
    graph.edge_inverse_root[edge] = np.float32(1.0) / np.sqrt(np.float32(graph.edge_visits[edge]))


@kernel
def update_all(graph: Graph) -> None:
    """Work out of the counts what follows from them."""
    for node in range(graph.used[NODES]):
        graph.mean[node] = 0.0
        if graph.visits[node]:
            update_mean(graph, node)
    for edge in range(graph.used[EDGES]):
        graph.edge_inverse_root[edge] = 0.0
        if graph.edge_visits[edge]:
            update_bonus(graph, edge)


@kernel
def index_nodes(graph: Graph) -> bool:
    """Enter all nodes in the hash table, which is empty; False when two of them have the same state."""
    for node in range(graph.used[NODES]):
        slot = _first_slot(graph, graph.state[node])
        while graph.slots[slot]:
            other = as_int64(graph.slots[slot]) - 1
            if graph.state[other, 0] == graph.state[node, 0] and graph.state[other, 1] == graph.state[node, 1]:
                return False
            slot = _next_slot(graph, slot)
        graph.slots[slot] = node + 1
    return True


@kernel
def add_edges(graph: Graph, node: int, state: Any, moves: NDArray[np.uint8]) -> int:
    """List the moves of a node that is not expanded; their number, or -1 when there is no room for them."""
    count: int = protocol.write_moves(state, moves)
    first = as_int64(graph.used[EDGES])
    if first + count > len(graph.edge_move):
        graph.used[REFUSALS] += 1
        return -1
    graph.used[EDGES] = first + count
    graph.first_edge[node] = first
    graph.edges[node] = count
    for index in range(count):
        graph.edge_move[first + index] = moves[index]
        graph.edge_visits[first + index] = 0
        graph.edge_inverse_root[first + index] = 0.0
    return count


@kernel
def list_moves(graph: Graph, node: int, like: Any, moves: NDArray[np.uint8]) -> bool:
    """Make sure that a node's moves are listed; False when there is no room. `like` is any state of the game."""
    if graph.edges[node] != NOT_EXPANDED:
        return True
    return add_edges(graph, node, protocol.unpack(like, graph.state[node]), moves) >= 0
