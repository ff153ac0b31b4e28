"""UCT on a graph: all positions that are the same up to symmetry and up to the colours share one node.

Source: Childs, Brodeur and Kocsis, "Transpositions and Move Groups in Monte Carlo Tree Search", CIG 2008
(doi 10.1109/CIG.2008.5035667). Of the paper's variants this is UCT2: the mean of a move is the mean of the node that it
leads to, over all paths into it, and the bonus counts how often this very move was chosen here. UCT1 would keep the
means of the paths apart and so learn no more than where a known position was reached again; UCT3 would also recompute
all ancestors on every path, which the paper found to cost more than it gains.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from othello.kernel.bits import as_int64, is_stopped
from othello.kernel.jit import inlined, kernel
from othello.kernel.random import RandomState, below
from othello.rules import protocol
from othello.search.graph import NO_NODE, NOT_EXPANDED, Graph, add_edges, node_of, update_bonus, update_mean
from othello.search.mcts import Walks
from othello.search.tree import root_of_log


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
        update_mean(graph, node)
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
        graph.edge_visits[edge] += np.uint32(1)
        update_bonus(graph, edge)
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
        update_mean(graph, node)


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
