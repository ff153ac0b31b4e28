"""A graph of positions: positions that are equal up to symmetry and colours share one node.

Nodes are found by a hash table of their states. The edges of a node, its moves, are stored contiguously.

Source: Childs, Brodeur and Kocsis, "Transpositions and Move Groups in Monte Carlo Tree Search", CIG 2008 (doi
10.1109/CIG.2008.5035667). This is the variant UCT2: the mean of a move is the mean of its target node over all paths,
and the exploration term counts how often this edge was chosen. UCT1 keeps separate means for each path. UCT3 also
updates all ancestors on every path; the paper found that this costs more than it gains.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello.kernel.bits import as_int64
from othello.kernel.decorators import Bytes, Ints, Moves, Words, implements, inlined, kernel
from othello.kernel.hashing import place_of_words
from othello.rules import compiled
from othello.rules.protocol import Position, Rules
from othello.search import store
from othello.search.store import EDGES, FAILED_ALLOCATIONS, NO_NODE, NODES, clear_node, list_moves, reward


class Graph(NamedTuple):
    """The fields of a store (see `othello.search.store`), with the states of nodes and the targets of edges."""

    state: Words  # (nodes, state words): the packed canonical state, complete to exclude collisions
    visits: NDArray[np.uint32]
    wins: NDArray[np.uint32]
    draws: NDArray[np.uint32]
    mean: NDArray[np.float32]
    first_edge: NDArray[np.uint32]
    edges: Bytes
    tried: Bytes
    proof: Bytes  # empty without the solver

    edge_move: Moves  # a move in the canonical state
    edge_node: NDArray[np.uint32]  # target node, once tried
    edge_visits: NDArray[np.uint32]
    edge_inverse_root: NDArray[np.float32]

    slots: NDArray[np.uint32]  # hash table, open addressing: node + 1, 0 = free; its length is a power of two
    used: Ints  # (3,): NODES, EDGES, FAILED_ALLOCATIONS


def edge_bytes(rules: Rules[Position]) -> int:
    """Return the size of an edge in bytes."""
    return 12 + rules.move_bytes


def node_bytes(rules: Rules[Position]) -> int:
    """Return the maximum size of a node in bytes, with its entries in the hash table."""
    return 8 * rules.state_words + 23 + 16


def new_slots(nodes: int) -> NDArray[np.uint32]:
    """Return an empty hash table that is at most half full with this many nodes."""
    return np.zeros(2 << max(1, nodes - 1).bit_length(), np.uint32)


def new_graph(rules: Rules[Position], nodes: int, edges: int, *, proves: bool = False) -> Graph:
    """Allocate a graph; see `new_store`.

    Args:
        rules: of the game.
        nodes: maximum number of positions.
        edges: maximum number of moves.
        proves: allocate the field for proofs.
    """
    state, proof = np.empty((nodes, rules.state_words), np.uint64), np.zeros(nodes if proves else 0, np.uint8)
    moves, used = rules.new_moves(edges), np.zeros(3, np.int64)
    return store.new_store(
        Graph, nodes, edges, state=state, edge_move=moves, proof=proof, slots=new_slots(nodes), used=used
    )


@inlined
def _update_mean(graph: Graph, node: int) -> None:
    graph.mean[node] = reward(graph.wins[node], graph.draws[node]) / np.float32(graph.visits[node])


@inlined
def _update_bonus(graph: Graph, edge: int) -> None:
    graph.edge_inverse_root[edge] = np.float32(1.0) / np.sqrt(np.float32(graph.edge_visits[edge]))


@implements(store.add_virtual_loss, Graph, in_place=True)
def _add_virtual_loss(graph: Graph, node: int, playouts: np.uint32) -> None:
    graph.visits[node] += playouts
    _update_mean(graph, node)


@implements(store.backpropagate, Graph, in_place=True)
def _backpropagate(graph: Graph, node: int, difference: int) -> None:
    if difference > 0:
        graph.wins[node] += np.uint32(1)
    elif difference == 0:
        graph.draws[node] += np.uint32(1)
    _update_mean(graph, node)


@implements(store.clear_edge, Graph, in_place=True)
def _clear_edge(graph: Graph, edge: int) -> None:
    graph.edge_node[edge] = 0
    graph.edge_visits[edge] = 0
    graph.edge_inverse_root[edge] = 0.0


@implements(store.exchange, Graph, in_place=True)
def _exchange(graph: Graph, edge: int, other: int) -> None:
    graph.edge_move[edge], graph.edge_move[other] = graph.edge_move[other], graph.edge_move[edge]


@implements(store.expand, Graph, in_place=True)
def _expand(graph: Graph, edge: int, state: Any, words: Words) -> bool:
    node = node_of_any(graph, compiled.play(state, graph.edge_move[edge]), words)
    if node == NO_NODE:
        return False
    graph.edge_node[edge] = node
    return True


@implements(store.descend, Graph, in_place=True)
def _descend(graph: Graph, edge: int, state: Any, playouts: np.uint32) -> tuple[int, Any]:
    graph.edge_visits[edge] += playouts
    _update_bonus(graph, edge)
    node = as_int64(graph.edge_node[edge])
    return node, compiled.unpack(state, graph.state[node])


@implements(store.state_kept, Graph, in_place=True)
def _state_kept(graph: Graph, node: int, state: Any) -> Any:
    return compiled.unpack(state, graph.state[node])


@implements(store.child_of, Graph, in_place=True)
def _child_of(graph: Graph, edge: int) -> np.uint32:
    node: np.uint32 = graph.edge_node[edge]  # unsigned: saves the check for a negative index
    return node


@implements(store.visits_of, Graph, in_place=True)
def _visits_of(graph: Graph, edge: int) -> int:
    return as_int64(graph.edge_visits[edge])


@implements(store.move_in, Graph, in_place=True)
def _move_in(graph: Graph, edge: int, state: Any) -> int:
    _, symmetry = compiled.canonical(state)
    return as_int64(compiled.original_move(state, graph.edge_move[edge], symmetry))


@inlined
def is_same(one: Words, other: Words, words: int) -> bool:
    """Return whether two packed states of this many words are equal."""
    same = True
    for index in range(words):
        same &= bool(one[index] == other[index])
    return same


@inlined
def _slot_of(graph: Graph, state: Words, words: int) -> int:
    """Return the slot of a packed state in the hash table, or the free slot where it belongs."""
    last = len(graph.slots) - 1
    slot = place_of_words(state, words, len(graph.slots))
    while graph.slots[slot] and not is_same(graph.state[as_int64(graph.slots[slot]) - 1], state, words):
        slot = (slot + 1) & last
    return slot


@kernel
def node_of_any(graph: Graph, state: Any, words: Words) -> int:
    """Return the node of a state or of its images, after adding it if necessary; NO_NODE if there is no room."""
    representative, _ = compiled.canonical(state)
    compiled.pack(representative, words)
    count = compiled.word_count(state)
    slot = _slot_of(graph, words, count)
    if graph.slots[slot]:
        return as_int64(graph.slots[slot]) - 1
    node = as_int64(graph.used[NODES])
    if node >= len(graph.visits):
        graph.used[FAILED_ALLOCATIONS] += 1
        return NO_NODE
    graph.used[NODES] = node + 1
    graph.slots[slot] = node + 1
    for index in range(count):
        graph.state[node, index] = words[index]
    clear_node(graph, node)
    return node


@kernel
def reach_node(graph: Graph, state: Any, words: Words, moves: Moves) -> int:
    """Return the node of a state as `node_of_any` does, and expand it. `moves`: scratch memory."""
    node = node_of_any(graph, state, words)
    if node != NO_NODE and list_moves(graph, node, compiled.unpack(state, graph.state[node]), moves) == NO_NODE:
        return NO_NODE
    return node


@kernel
def clear_graph(graph: Graph) -> None:
    """Remove all nodes."""
    # Slots are freed node by node, because a large table is mostly empty. Each pass frees a whole run of used slots.
    words = graph.state.shape[1]
    last = len(graph.slots) - 1
    for node in range(graph.used[NODES]):
        slot = place_of_words(graph.state[node], words, len(graph.slots))
        while graph.slots[slot]:
            graph.slots[slot] = 0
            slot = (slot + 1) & last
    graph.used[:] = 0


@kernel
def index_nodes(graph: Graph) -> bool:
    """Add all nodes to the empty hash table. Return False if two of them have the same state."""
    words = graph.state.shape[1]
    for node in range(graph.used[NODES]):
        slot = _slot_of(graph, graph.state[node], words)
        if graph.slots[slot]:
            return False
        graph.slots[slot] = node + 1
    return True


@kernel
def update_means(graph: Graph) -> None:
    """Recompute the fields that follow from the counts."""
    for node in range(graph.used[NODES]):
        graph.mean[node] = 0.0
        if graph.visits[node]:
            _update_mean(graph, node)
    for edge in range(graph.used[EDGES]):
        graph.edge_inverse_root[edge] = 0.0
        if graph.edge_visits[edge]:
            _update_bonus(graph, edge)
