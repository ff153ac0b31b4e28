"""A graph of positions as plain arrays: taken out of it, and put back in once they are known to make such a graph.

Only what was counted is kept. What follows from it is worked out anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello.kernel.bits import as_int64
from othello.kernel.jit import inlined, kernel
from othello.rules import protocol
from othello.search.graph import EDGES, NODES, NOT_EXPANDED, Graph, clear_graph, index_nodes, new_slots, update_all
from othello.search.tree_contents import MOST_VISITS

_NODE_FIELDS: Final = ("state", "visits", "wins", "draws", "first_edge", "edges", "tried")
_EDGE_FIELDS: Final = ("edge_move", "edge_node", "edge_visits")


def contents(graph: Graph) -> dict[str, NDArray[Any]]:
    """The graph's nodes and edges, a copy of every field without the free places."""
    nodes, edges, _ = graph.used.tolist()
    fields = graph._asdict()
    told = {name: fields[name][:nodes].copy() for name in _NODE_FIELDS} | {
        name: fields[name][:edges].copy() for name in _EDGE_FIELDS
    }
    told["edge_node"][told["edge_visits"] == 0] = 0  # where nothing was ever written
    return told


def restore(graph: Graph, fields: Mapping[str, NDArray[Any]], like: NamedTuple) -> None:
    """Make the graph what `contents` once told.

    Args:
        like: any state of the game.

    Raises:
        ValueError: the fields are not those of a graph of this game, or are too many for this one.
    """
    told = _told(graph, fields)
    _check_counts(told)
    _check_positions(told, like)
    nodes, edges, _ = told.used.tolist()
    if nodes > len(graph.visits) or edges > len(graph.edge_move):
        raise ValueError(f"{nodes} positions are too many, {len(graph.visits)} is the limit")
    clear_graph(graph)
    for name in _NODE_FIELDS + _EDGE_FIELDS:
        getattr(graph, name)[: len(fields[name])] = fields[name]
    graph.used[:] = told.used
    index_nodes(graph)
    update_all(graph)


def _told(graph: Graph, fields: Mapping[str, NDArray[Any]]) -> Graph:
    """A graph that is made of these fields, which are of the right kind and length."""
    own = graph._asdict()
    for name in _NODE_FIELDS + _EDGE_FIELDS:
        field = fields.get(name, np.empty(()))
        if (field.dtype, field.ndim, field.shape[1:]) != (own[name].dtype, own[name].ndim, own[name].shape[1:]):
            raise ValueError(f"field {name} is missing or of another kind")
    nodes, edges = len(fields["visits"]), len(fields["edge_move"])
    if any(len(fields[name]) != nodes for name in _NODE_FIELDS) or any(
        len(fields[name]) != edges for name in _EDGE_FIELDS
    ):
        raise ValueError("fields differ in length")
    arrays = {name: np.ascontiguousarray(fields[name]) for name in _NODE_FIELDS + _EDGE_FIELDS}
    return graph._replace(**arrays, slots=new_slots(nodes), used=np.array([nodes, edges, 0]))


def _check_counts(told: Graph) -> None:
    """See that every move belongs to one node, and every position."""
    expanded = told.edges != NOT_EXPANDED
    if np.any(told.tried > np.where(expanded, told.edges, 0)):
        raise ValueError("a node has moves that are not there")
    with_moves = expanded & (told.edges > 0)
    first, counts = told.first_edge[with_moves].astype(np.int64), told.edges[with_moves].astype(np.int64)
    order = np.argsort(first)
    ends = np.cumsum(counts[order])
    if np.any(first[order] != ends - counts[order]) or (ends[-1] if len(ends) else 0) != told.used[EDGES]:
        raise ValueError("a move belongs to two nodes, or to none")
    if np.any(told.wins.astype(np.int64) + told.draws > told.visits):
        raise ValueError("a node has more results than visits")
    if np.any(told.visits > MOST_VISITS):
        raise ValueError("a node has more visits than can be counted")
    if not index_nodes(told):
        raise ValueError("a position has two nodes")


def _check_positions(told: Graph, like: NamedTuple) -> None:
    """See that moves are legal and lead where they should; then no way through the graph comes back to itself."""
    moves, words = np.empty(256, np.uint8), np.empty(2, np.uint64)
    if not _all_positions_stand_for_themselves(told, like, words):
        raise ValueError("a node has a position that cannot be")
    if not _all_moves_legal(told, like, moves):
        raise ValueError("a node has other moves than its position")
    if not _all_moves_lead_right(told, like, words):
        raise ValueError("a move leads to another position than it makes")
    into = np.zeros(len(told.visits), np.int64)
    if not _visits_add_up(told, into) or np.any(into > told.visits):
        raise ValueError("a node has other visits than the moves to it and from it")


@inlined
def _is_of(graph: Graph, node: int, state: Any, words: NDArray[np.uint64]) -> bool:
    """Whether a node is the one of `state` and its images."""
    representative, _ = protocol.canonical(state)
    protocol.pack(representative, words)
    return bool(graph.state[node, 0] == words[0] and graph.state[node, 1] == words[1])


@kernel
def _all_positions_stand_for_themselves(graph: Graph, like: Any, words: NDArray[np.uint64]) -> bool:
    """Whether every node has a position of the game, and the one that stands for its images."""
    for node in range(graph.used[NODES]):
        state = protocol.unpack(like, graph.state[node])
        if not protocol.is_possible(state) or not _is_of(graph, node, state, words):
            return False
    return True


@kernel
def _all_moves_legal(graph: Graph, like: Any, moves: NDArray[np.uint8]) -> bool:
    """Whether every node lists all moves of its position, where it lists any."""
    for node in range(graph.used[NODES]):
        if graph.edges[node] == NOT_EXPANDED:
            continue
        state = protocol.unpack(like, graph.state[node])
        count = as_int64(protocol.write_moves(state, moves))
        if count != as_int64(graph.edges[node]):
            return False
        first = as_int64(graph.first_edge[node])
        for index in range(count):
            edge = first
            while edge < first + count and graph.edge_move[edge] != moves[index]:
                edge += 1
            if edge == first + count:
                return False
    return True


@kernel
def _all_moves_lead_right(graph: Graph, like: Any, words: NDArray[np.uint64]) -> bool:
    """Whether the edges with visits are those that count as tried, and lead to the node of what their move makes."""
    for node in range(graph.used[NODES]):
        if graph.edges[node] == NOT_EXPANDED:
            continue
        state = protocol.unpack(like, graph.state[node])
        first = as_int64(graph.first_edge[node])
        tried = as_int64(graph.tried[node])
        for edge in range(first, first + as_int64(graph.edges[node])):
            is_tried = edge < first + tried
            if is_tried != (graph.edge_visits[edge] > 0):
                return False
            if is_tried:
                child = as_int64(graph.edge_node[edge])
                after = protocol.play(state, graph.edge_move[edge])
                if child >= graph.used[NODES] or not _is_of(graph, child, after, words):
                    return False
    return True


@kernel
def _visits_add_up(graph: Graph, into: NDArray[np.int64]) -> bool:
    """Whether every node was visited at least as often as moves were made from it; adds up in `into` those to it."""
    for node in range(graph.used[NODES]):
        if graph.edges[node] == NOT_EXPANDED:
            continue
        first = as_int64(graph.first_edge[node])
        out = 0
        for edge in range(first, first + as_int64(graph.edges[node])):
            visits = as_int64(graph.edge_visits[edge])
            out += visits
            if visits:
                into[as_int64(graph.edge_node[edge])] += visits
        if out > as_int64(graph.visits[node]):
            return False
    return True
