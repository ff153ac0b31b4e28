"""A tree of positions: each path to a position has its own node.

An edge and the node that it leads to have the same number. All edges of a node are allocated together, so that the
selection among them reads memory sequentially.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello.kernel.bits import as_int64
from othello.kernel.decorators import Bytes, Ints, Moves, Words, implements, inlined, kernel
from othello.rules import compiled
from othello.rules.protocol import Position, Rules
from othello.search import store
from othello.search.store import EDGES, NO_NODE, NODES, NOT_EXPANDED, clear_node, list_moves, reward

ROOT: Final = 0


class Tree(NamedTuple):
    """The fields of a store. Element n of each array belongs to node n and the edge into it."""

    visits: NDArray[np.uint32]
    wins: NDArray[np.uint32]
    draws: NDArray[np.uint32]
    mean: NDArray[np.float32]
    first_edge: NDArray[np.uint32]
    edges: Bytes
    tried: Bytes
    edge_move: Moves  # 0 for the root
    edge_inverse_root: NDArray[np.float32]
    proof: Bytes  # empty without the solver
    used: Ints  # (3,): NODES, EDGES (including the root), FAILED_ALLOCATIONS


def node_bytes(rules: Rules[Position]) -> int:
    """Return the size of a node in bytes."""
    return 27 + rules.move_bytes


def new_tree(rules: Rules[Position], capacity: int, *, proves: bool = False) -> Tree:
    """Allocate a tree for `capacity` nodes, tried or not; see `new_store`."""
    proof = np.zeros(capacity if proves else 0, np.uint8)
    moves, used = rules.new_moves(capacity), np.zeros(3, np.int64)
    return store.new_store(Tree, capacity, capacity, edge_move=moves, proof=proof, used=used)


@inlined
def _update_mean(tree: Tree, node: int, visits: np.float32) -> None:
    tree.mean[node] = reward(tree.wins[node], tree.draws[node]) / visits
    tree.edge_inverse_root[node] = np.float32(1.0) / np.sqrt(visits)


@implements(store.add_virtual_loss, Tree, in_place=True)
def _add_virtual_loss(tree: Tree, node: int, playouts: np.uint32) -> None:
    visits = tree.visits[node] + playouts
    tree.visits[node] = visits
    _update_mean(tree, node, np.float32(visits))


@implements(store.backpropagate, Tree, in_place=True)
def _backpropagate(tree: Tree, node: int, difference: int) -> None:
    if difference > 0:
        tree.wins[node] += np.uint32(1)
    elif difference == 0:
        tree.draws[node] += np.uint32(1)
    else:
        return
    # Two multiplications by a known value instead of a division.
    share = tree.edge_inverse_root[node]
    tree.mean[node] = reward(tree.wins[node], tree.draws[node]) * share * share


@implements(store.clear_edge, Tree, in_place=True)
def _clear_edge(tree: Tree, edge: int) -> None:
    clear_node(tree, edge)
    tree.edge_inverse_root[edge] = 0.0


@implements(store.exchange, Tree, in_place=True)
def _exchange(tree: Tree, edge: int, other: int) -> None:
    tree.edge_move[edge], tree.edge_move[other] = tree.edge_move[other], tree.edge_move[edge]
    if tree.first_edge[edge] != tree.first_edge[other]:  # rare: the game went through one of them
        tree.first_edge[edge], tree.first_edge[other] = tree.first_edge[other], tree.first_edge[edge]
        tree.edges[edge], tree.edges[other] = tree.edges[other], tree.edges[edge]
        tree.tried[edge], tree.tried[other] = tree.tried[other], tree.tried[edge]
        if len(tree.proof):
            tree.proof[edge], tree.proof[other] = tree.proof[other], tree.proof[edge]


@implements(store.expand, Tree, in_place=True)
def _expand(tree: Tree, edge: int, state: Any, words: Words) -> bool:
    tree.used[NODES] += 1
    return True


@implements(store.descend, Tree, in_place=True)
def _descend(tree: Tree, edge: int, state: Any, playouts: np.uint32) -> tuple[int, Any]:
    return edge, compiled.play(state, tree.edge_move[edge])


@implements(store.state_kept, Tree, in_place=True)
def _state_kept(tree: Tree, node: int, state: Any) -> Any:
    return state


@implements(store.child_of, Tree, in_place=True)
def _child_of(tree: Tree, edge: int) -> int:
    return edge


@implements(store.visits_of, Tree, in_place=True)
def _visits_of(tree: Tree, edge: int) -> int:
    return as_int64(tree.visits[edge])


@implements(store.move_in, Tree, in_place=True)
def _move_in(tree: Tree, edge: int, state: Any) -> int:
    return as_int64(tree.edge_move[edge])


def reset(tree: Any) -> None:
    """Reduce the tree to an unvisited root."""
    for field in tree:
        field[:1] = 0
    tree.used[:] = 0
    tree.used[[NODES, EDGES]] = 1
    tree.edges[ROOT] = NOT_EXPANDED


def set_results(tree: Tree, node: int, visits: int, wins: int, draws: int) -> None:
    """Set the results of a node, as `_update_mean` does in kernels. Compiling a kernel for this would take longer."""
    tree.visits[node], tree.wins[node], tree.draws[node] = visits, wins, draws
    if visits:
        rewards = np.float32(wins) + np.float32(0.5) * np.float32(draws)
        tree.mean[node] = rewards / np.float32(visits)
        tree.edge_inverse_root[node] = np.float32(1.0) / np.sqrt(np.float32(visits))


@kernel
def update_means(tree: Tree) -> None:
    """Recompute the fields that follow from the counts."""
    for node in range(tree.used[EDGES]):
        tree.mean[node] = 0.0
        tree.edge_inverse_root[node] = 0.0
        if tree.visits[node]:
            _update_mean(tree, node, np.float32(tree.visits[node]))


@kernel
def reach_child(tree: Any, node: int, state: Any, move: int, moves: Moves) -> int:
    """Return the node after a legal move from `node`, whose state is `state`; NO_NODE if there is no room.

    The edge is not marked as tried.
    """
    count = list_moves(tree, node, state, moves)
    first = as_int64(tree.first_edge[node])
    for edge in range(first, first + count):
        if tree.edge_move[edge] == move:
            return edge
    return NO_NODE
