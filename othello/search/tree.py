"""The search tree of the MCTS players, and how a tree descends, grows and learns.

A tree is a struct of arrays. All children of a node get their places at once, side by side, when the first of them is
tried, so that choosing among them reads memory in order.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello.kernel.bits import as_int64
from othello.kernel.jit import inlined, kernel
from othello.kernel.random import RandomState, below
from othello.rules import protocol

ROOT: Final = 0
NO_CHILDREN: Final = 0  # as `first_child`: the root is nobody's child
MAX_PATH: Final = 160  # nodes on one way down; a game of Othello has at most 60 moves and fewer passes

UCT: Final = 0
UCB1_TUNED: Final = 1

# Places in `Tree.used`.
PLACES: Final = 0  # given away
VISITED: Final = 1  # the root, and those that count as tried
REFUSALS: Final = 2  # how often there was no room for children


class Tree(NamedTuple):
    """One array a field; place n of every array belongs to node n. 27 bytes a node.

    A node's results are those of the side that moved into it.
    """

    visits: NDArray[np.uint32]  # simulations that came by, those still under way too
    wins: NDArray[np.uint32]
    draws: NDArray[np.uint32]
    mean: NDArray[np.float32]  # reward, 0..1, simulations under way counted as lost
    inverse_root: NDArray[np.float32]  # 1 / sqrt(visits): the bonus then needs no root and no division a child
    first_child: NDArray[np.uint32]  # the others follow it; NO_CHILDREN until one is needed
    children: NDArray[np.uint8]  # how many moves the node has; known once there is a first child
    tried: NDArray[np.uint8]  # how many of them were visited: these from the first on, and no others
    move: NDArray[np.uint8]  # the move into the node
    used: NDArray[np.int64]  # (3,): PLACES, VISITED, REFUSALS

    @property
    def capacity(self) -> int:
        return len(self.visits)


def new_tree(capacity: int) -> Tree:
    """Room for `capacity` nodes. Memory is taken up as the tree grows into it."""
    return Tree(
        visits=np.empty(capacity, np.uint32),
        wins=np.empty(capacity, np.uint32),
        draws=np.empty(capacity, np.uint32),
        mean=np.empty(capacity, np.float32),
        inverse_root=np.empty(capacity, np.float32),
        first_child=np.empty(capacity, np.uint32),
        children=np.empty(capacity, np.uint8),
        tried=np.empty(capacity, np.uint8),
        move=np.empty(capacity, np.uint8),
        used=np.zeros(3, np.int64),
    )


@inlined
def _clear(tree: Tree, node: int) -> None:
    """Make a place a node without visits and children."""
    tree.visits[node] = 0
    tree.wins[node] = 0
    tree.draws[node] = 0
    tree.mean[node] = 0.0
    tree.inverse_root[node] = 0.0
    tree.first_child[node] = NO_CHILDREN
    tree.children[node] = 0
    tree.tried[node] = 0


@inlined
def reward(wins: np.uint32, draws: np.uint32) -> np.float32:
    """The sum of rewards: 1 for a win, 0.5 for a draw."""
    return np.float32(wins) + np.float32(0.5) * np.float32(draws)


@inlined
def _update_mean(tree: Tree, node: int, visits: np.float32) -> None:
    tree.mean[node] = reward(tree.wins[node], tree.draws[node]) / visits
    tree.inverse_root[node] = np.float32(1.0) / np.sqrt(visits)


@kernel
def set_results(tree: Tree, node: int, visits: int, wins: int, draws: int) -> None:
    """Make a node's results these."""
    tree.visits[node] = visits
    tree.wins[node] = wins
    tree.draws[node] = draws
    if visits:
        _update_mean(tree, node, np.float32(visits))


@kernel
def update_means(tree: Tree) -> None:
    """Work out of the counts what follows from them, for all nodes."""
    for node in range(tree.used[PLACES]):
        tree.mean[node] = 0.0
        tree.inverse_root[node] = 0.0
        if tree.visits[node]:
            _update_mean(tree, node, np.float32(tree.visits[node]))


@kernel
def plant(tree: Tree) -> None:
    """Empty the tree down to a fresh root."""
    tree.used[PLACES] = 1
    tree.used[VISITED] = 1
    tree.used[REFUSALS] = 0
    _clear(tree, ROOT)
    tree.move[ROOT] = 0


@kernel
def add_children(tree: Tree, node: int, state: Any, moves: NDArray[np.uint8]) -> int:
    """Give every move of `state` a place below `node`.

    Args:
        state: the state at `node`.
        moves: scratch, `max_moves` long.

    Returns:
        The number of moves; 0 when the game is over; -1 when the tree has no room for them.
    """
    count: int = protocol.write_moves(state, moves)
    first = as_int64(tree.used[PLACES])
    if first + count > len(tree.visits):
        tree.used[REFUSALS] += 1
        return -1
    if count:
        tree.used[PLACES] = first + count
        tree.first_child[node] = first
        tree.children[node] = count
        for index in range(count):
            _clear(tree, first + index)
            tree.move[first + index] = moves[index]
    return count


@kernel
def reach_child(tree: Tree, node: int, state: Any, move: int, moves: NDArray[np.uint8]) -> int:
    """The child of `node`, where `state` is, that a legal move leads to: made where it was not.

    That the game came by is no visit: a child that was not tried is not tried now, whatever comes to stand below it.

    Returns:
        The child; -1 when the tree has no room for it.
    """
    if tree.first_child[node] == NO_CHILDREN and add_children(tree, node, state, moves) <= 0:
        return -1
    first = as_int64(tree.first_child[node])
    for child in range(first, first + as_int64(tree.children[node])):
        if tree.move[child] == move:
            return child
    return -1


@inlined
def _exchange(tree: Tree, node: int, other: int) -> None:
    """Let two nodes without visits change places."""
    tree.move[node], tree.move[other] = tree.move[other], tree.move[node]
    if tree.first_child[node] != tree.first_child[other]:  # hardly ever: the game came by one of them
        tree.first_child[node], tree.first_child[other] = tree.first_child[other], tree.first_child[node]
        tree.children[node], tree.children[other] = tree.children[other], tree.children[node]
        tree.tried[node], tree.tried[other] = tree.tried[other], tree.tried[node]


@inlined
def try_child(tree: Tree, node: int, random: RandomState) -> int:
    """One untried child of `node`, drawn at random, now counted as tried."""
    first = as_int64(tree.first_child[node])
    tried = as_int64(tree.tried[node])
    untried = as_int64(tree.children[node]) - tried
    drawn = first + tried + (below(random, untried) if untried > 1 else 0)
    child = first + tried
    _exchange(tree, child, drawn)
    tree.tried[node] = tried + 1
    tree.used[VISITED] += 1
    return child


_ROOTS_OF_LOGS: Final = np.sqrt(np.log(np.maximum(np.arange(4096), 1))).astype(np.float32)


@inlined
def root_of_log(visits: int) -> np.float32:
    """sqrt(ln visits) of a positive number; looked up where it is small, as most are."""
    if visits < len(_ROOTS_OF_LOGS):
        return np.float32(_ROOTS_OF_LOGS[visits])
    return np.float32(np.sqrt(np.log(np.float64(visits))))


@inlined
def select_uct(tree: Tree, node: int, exploration: float) -> int:
    """The child with the largest Q(s,a) + C * sqrt(ln N(s) / N(s,a)), the first of equals.

    Source: Kocsis and Szepesvari, "Bandit Based Monte-Carlo Planning", ECML 2006.
    """
    first = as_int64(tree.first_child[node])
    bonus = np.float32(exploration) * root_of_log(as_int64(tree.visits[node]))
    best, best_bound = first, np.float32(-1.0)
    for child in range(first, first + as_int64(tree.children[node])):
        bound = tree.mean[child] + bonus * tree.inverse_root[child]
        if bound > best_bound:
            best, best_bound = child, bound
    return best


@inlined
def select_ucb1_tuned(tree: Tree, node: int) -> int:
    """The child with the largest Q(s,a) + sqrt(ln N(s) / N(s,a) * min(1/4, V)), the first of equals.

    V is the variance of the child's rewards plus sqrt(2 ln N(s) / N(s,a)).

    Source: Auer, Cesa-Bianchi and Fischer, "Finite-time Analysis of the Multiarmed Bandit Problem", Machine Learning
    47, 2002, section 4.
    """
    first = as_int64(tree.first_child[node])
    root_log = root_of_log(as_int64(tree.visits[node]))
    best, best_bound = first, np.float32(-1.0)
    for child in range(first, first + as_int64(tree.children[node])):
        mean = tree.mean[child]
        bonus = root_log * tree.inverse_root[child]
        squares = np.float32(tree.wins[child]) + np.float32(0.25) * np.float32(tree.draws[child])
        variance = squares * tree.inverse_root[child] * tree.inverse_root[child] - mean * mean
        variance += np.float32(1.4142135) * bonus
        bound = mean + bonus * np.sqrt(min(np.float32(0.25), variance))
        if bound > best_bound:
            best, best_bound = child, bound
    return best


@inlined
def enter(tree: Tree, node: int) -> None:
    """Count a simulation that comes by, as lost until its result is known."""
    visits = tree.visits[node] + np.uint32(1)
    tree.visits[node] = visits
    _update_mean(tree, node, np.float32(visits))


@inlined
def learn(tree: Tree, node: int, difference: int) -> None:
    """Add a simulation's result: the points of the side that moved into the node minus the other's."""
    if difference > 0:
        tree.wins[node] += np.uint32(1)
    elif difference == 0:
        tree.draws[node] += np.uint32(1)
    else:
        return
    # Two products with what is at hand instead of a division.
    share = tree.inverse_root[node]
    tree.mean[node] = reward(tree.wins[node], tree.draws[node]) * share * share
