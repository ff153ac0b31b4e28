"""UCT on a graph: all positions that are the same up to symmetry and up to the colours share one node.

Source: Childs, Brodeur and Kocsis, "Transpositions and Move Groups in Monte Carlo Tree Search", CIG 2008
(doi 10.1109/CIG.2008.5035667). Of the paper's variants this is UCT2: the mean of a move is the mean of the node that it
leads to, over all paths into it, and the bonus counts how often this very move was chosen here. UCT1 would keep the
means of the paths apart and so learn no more than where a known position was reached again; UCT3 would also recompute
all ancestors on every path, which the paper found to cost more than it gains.

Where a tree has the places of a node's children side by side, a graph has those of its moves, the edges.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello.kernel.bits import as_int64, is_stopped
from othello.kernel.hashing import place_of
from othello.kernel.jit import inlined, kernel
from othello.kernel.random import RandomState, below
from othello.rules import protocol
from othello.search.mcts import Walks
from othello.search.tree import root_of_log

NOT_EXPANDED: Final = 255  # as `edges`: the moves are not listed yet; a finished game has 0
NO_NODE: Final = -1


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
    used: NDArray[np.int64]  # (3,): nodes given away; edges given away; how often there was no room


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
        slots=np.zeros(2 << max(1, nodes - 1).bit_length(), np.uint32),
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
    node = as_int64(graph.used[0])
    if node >= len(graph.visits):
        graph.used[2] += 1
        return NO_NODE
    graph.used[0] = node + 1
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
    for node in range(graph.used[0]):
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


@kernel
def _index_nodes(graph: Graph) -> None:
    """Enter all nodes in the hash table, which is empty."""
    for node in range(graph.used[0]):
        slot = _first_slot(graph, graph.state[node])
        while graph.slots[slot]:
            slot = _next_slot(graph, slot)
        graph.slots[slot] = node + 1


_NODE_FIELDS: Final = ("state", "visits", "wins", "draws", "mean", "first_edge", "edges", "tried")
_EDGE_FIELDS: Final = ("edge_move", "edge_node", "edge_visits", "edge_inverse_root")


def contents(graph: Graph) -> dict[str, NDArray[Any]]:
    """The graph's nodes and edges, a copy of every field without the free places."""
    nodes, edges, _ = graph.used.tolist()
    fields = graph._asdict()
    return {name: fields[name][:nodes].copy() for name in _NODE_FIELDS} | {
        name: fields[name][:edges].copy() for name in _EDGE_FIELDS
    }


def restore(graph: Graph, fields: Mapping[str, NDArray[Any]]) -> None:
    """Make the graph what `contents` once told.

    Raises:
        ValueError: the fields are not those of a graph, or are too many for this one.
    """
    own = graph._asdict()
    for name in _NODE_FIELDS + _EDGE_FIELDS:
        if name not in fields or fields[name].dtype != own[name].dtype or fields[name].shape[1:] != own[name].shape[1:]:
            raise ValueError(f"field {name} is missing or of another kind")
    nodes, edges = len(fields["visits"]), len(fields["edge_move"])
    if any(len(fields[name]) != nodes for name in _NODE_FIELDS) or any(
        len(fields[name]) != edges for name in _EDGE_FIELDS
    ):
        raise ValueError("fields differ in length")
    expanded = fields["edges"] != NOT_EXPANDED
    counts = fields["edges"][expanded].astype(np.int64)
    if np.any(fields["first_edge"][expanded].astype(np.int64) + counts > edges) or np.any(
        fields["tried"][expanded] > counts
    ):
        raise ValueError("a node has moves that are not there")
    if np.any(fields["edge_node"][fields["edge_visits"] > 0] >= nodes):
        raise ValueError("a move leads nowhere")
    if nodes > len(graph.visits) or edges > len(graph.edge_move):
        raise ValueError(f"{nodes} positions are too many, {len(graph.visits)} is the limit")
    clear_graph(graph)
    for name in _NODE_FIELDS + _EDGE_FIELDS:
        own[name][: len(fields[name])] = fields[name]
    graph.used[:] = nodes, edges, 0
    _index_nodes(graph)


@kernel
def add_edges(graph: Graph, node: int, state: Any, moves: NDArray[np.uint8]) -> int:
    """List the moves of a node that is not expanded; their number, or -1 when there is no room for them."""
    count: int = protocol.write_moves(state, moves)
    first = as_int64(graph.used[1])
    if first + count > len(graph.edge_move):
        graph.used[2] += 1
        return -1
    graph.used[1] = first + count
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


@inlined
def try_edge(graph: Graph, node: int, random: RandomState) -> int:
    """One untried edge of `node`, drawn at random, moved to the place after the tried ones."""
    edge = as_int64(graph.first_edge[node]) + as_int64(graph.tried[node])
    untried = as_int64(graph.edges[node]) - as_int64(graph.tried[node])
    drawn = edge + (below(random, untried) if untried > 1 else 0)
    graph.edge_move[edge], graph.edge_move[drawn] = graph.edge_move[drawn], graph.edge_move[edge]
    return edge


@inlined
def select_edge(graph: Graph, node: int, exploration: float) -> int:
    """The edge with the largest Q(child) + C * sqrt(ln N(s) / N(s,a)), the first of equals."""
    first = as_int64(graph.first_edge[node])
    bonus = np.float32(exploration) * root_of_log(as_int64(graph.visits[node]))
    best, best_bound = first, np.float32(-1.0)
    for edge in range(first, first + as_int64(graph.edges[node])):
        bound = graph.mean[graph.edge_node[edge]] + bonus * graph.edge_inverse_root[edge]
        if bound > best_bound:
            best, best_bound = edge, bound
    return best


@inlined
def _update_mean(graph: Graph, node: int) -> None:
    reward = np.float32(graph.wins[node]) + np.float32(0.5) * np.float32(graph.draws[node])
    graph.mean[node] = reward / np.float32(graph.visits[node])


@kernel
def descend_graph(graph: Graph, top: int, like: Any, exploration: float, walks: Walks, walk: int) -> Any:
    """Walk down to a leaf: a position that is finished, was just tried from where the walk came, or finds no room.

    Args:
        top: the node to start from.
        like: any state of the game.

    Returns:
        The leaf's canonical state; the nodes on the way are in `walks`.
    """
    state = protocol.unpack(like, graph.state[top])
    node = top
    length = 0
    was_tried = False
    while True:
        walks.path[walk, length] = node
        length += 1
        graph.visits[node] += np.uint32(1)
        _update_mean(graph, node)
        if was_tried or (graph.edges[node] == NOT_EXPANDED and add_edges(graph, node, state, walks.moves) < 0):
            break
        if graph.edges[node] == 0:
            break
        if graph.tried[node] < graph.edges[node]:
            edge = try_edge(graph, node, walks.random)
            after, _ = protocol.canonical(protocol.play(state, graph.edge_move[edge]))
            child = node_of(graph, after, walks.words[walk])
            if child == NO_NODE:
                break
            graph.edge_node[edge] = child
            graph.tried[node] += np.uint8(1)
            was_tried = True
            state = after
        else:
            edge = select_edge(graph, node, exploration)
            child = as_int64(graph.edge_node[edge])
            state = protocol.unpack(like, graph.state[child])
        edge_visits = graph.edge_visits[edge] + np.uint32(1)
        graph.edge_visits[edge] = edge_visits
        graph.edge_inverse_root[edge] = np.float32(1.0) / np.sqrt(np.float32(edge_visits))
        node = child
    walks.length[walk] = length
    walks.deepest[0] = max(walks.deepest[0], length - 1)
    return state


@kernel
def back_up_graph(graph: Graph, walks: Walks, walk: int, difference: int) -> None:
    """Teach a result, given from the side to move at the leaf, to every node on a path."""
    for index in range(walks.length[walk] - 1, -1, -1):
        difference = -difference  # now of the side that moved into the node
        node = as_int64(walks.path[walk, index])
        if difference > 0:
            graph.wins[node] += np.uint32(1)
        elif difference == 0:
            graph.draws[node] += np.uint32(1)
        _update_mean(graph, node)


@kernel
def simulate_grouped(
    graph: Graph,
    top: int,
    like: Any,
    exploration: float,
    count: int,
    batch: int,
    walks: Walks,
    stop: NDArray[np.int64],
) -> int:
    """Run `count` simulations from the node `top`, `batch` (1..LANES) at a time; `like` is any state of the game.

    Returns:
        How many were run: fewer than `count` only when `stop` was set, but one batch at least.
    """
    done = 0
    while done < count and not (done and is_stopped(stop)):
        size = min(batch, count - done)
        waiting = 0
        for walk in range(size):
            leaf = descend_graph(graph, top, like, exploration, walks, walk)
            if protocol.is_over(leaf):
                back_up_graph(graph, walks, walk, protocol.final_difference(leaf))
            else:
                protocol.pack(leaf, walks.words[waiting])
                walks.waiting[waiting] = walk
                waiting += 1
        if waiting:
            protocol.playout_lanes(like, walks.words, waiting, walks.lanes, walks.difference)
        for index in range(waiting):
            back_up_graph(graph, walks, as_int64(walks.waiting[index]), as_int64(walks.difference[index]))
        done += size
    return done


@kernel
def move_of_edge(graph: Graph, state: Any, edge: int) -> int:
    """An edge's move as it stands in `state`, which is any image of the position that the edge belongs to."""
    _, symmetry = protocol.canonical(state)
    return as_int64(protocol.original_move(state, graph.edge_move[edge], symmetry))


@kernel
def most_visited_line(graph: Graph, top: int, state: Any, start: int, line: NDArray[np.int64]) -> int:
    """Write a root move and the most visited way down from there to `line` and return how many moves there are.

    Args:
        top: the root's node.
        state: the state at `top`, whose image the moves are to fit.
        start: the root move.
    """
    node = top
    length = 0
    while length < len(line) and graph.edges[node] != NOT_EXPANDED:
        first = as_int64(graph.first_edge[node])
        best, most = NO_NODE, np.uint32(0)
        for edge in range(first, first + as_int64(graph.edges[node])):
            wanted = length > 0 or move_of_edge(graph, state, edge) == start
            if wanted and graph.edge_visits[edge] > most:
                best, most = edge, graph.edge_visits[edge]
        if best == NO_NODE:
            break
        move = move_of_edge(graph, state, best)
        line[length] = move
        length += 1
        state = protocol.play(state, move)
        node = as_int64(graph.edge_node[best])
    return length
