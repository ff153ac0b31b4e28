"""Q-learning and Sarsa on a tree of positions, by self-play.

Sources: Watkins and Dayan, "Q-learning", Machine Learning 8, 1992; Rummery and Niranjan, "On-line Q-learning using
connectionist systems", 1994; Sutton and Barto, "Reinforcement Learning", chapter 6.

The value of a move is stored in the node that it leads to, for the side that makes the move: -1 lost to 1 won, 0 if it
was never tried. A node is expanded, with all its moves, when the first episode reaches it. When the table is full, the
positions with the fewest episodes lose their moves.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello.kernel.bits import as_int64, is_stopped
from othello.kernel.decorators import Bytes, Ints, Moves, implements, inlined, kernel
from othello.kernel.random import RandomState, below, next_random
from othello.rules import compiled
from othello.rules.protocol import Position, Rules
from othello.search import store, trace_buffers
from othello.search.store import EDGES, NO_NODE, NOT_EXPANDED, list_moves, listed
from othello.search.tree import ROOT, reset

OUTCOME: Final = 0  # learn from the result of the episode
BEST_REPLY: Final = 1  # Q-learning: from the value of the best reply
TAKEN_REPLY: Final = 2  # Sarsa: from the value of the reply that was played

DEEPEST: Final = 3  # index in `ValueTree.used`: plies of the longest episode
RESERVE: Final = 8  # 1 / 8 of the table is reserved for the moves of the game in progress
HEAVIEST: Final = 1 << 16  # upper limit of the importance of a position
_CHECK_NODES: Final = 1 << 12  # nodes between two checks of the stop flag
_TO_UNIT: Final = 2.0**-53
_UPPER = np.uint64(11)


class ValueTree(NamedTuple):
    """A tree with learned values. Element n of each array belongs to node n and the edge into it; 14 bytes a node."""

    value: NDArray[np.float32]  # for the side that moved into the node, -1 to 1
    visits: NDArray[np.uint32]
    first_edge: NDArray[np.uint32]
    edges: Bytes
    edge_move: Moves  # 0 at the root
    used: Ints  # (4,): of NODES nothing, EDGES with the root's place among them, REFUSALS, DEEPEST


class LearningParameters(NamedTuple):
    """Parameters of the learning."""

    target: int  # OUTCOME, BEST_REPLY or TAKEN_REPLY
    epsilon: float  # probability of a random move
    first_rate: float  # learning rate of the first move of an episode, > 0 to 1
    last_rate: float  # learning rate of the last move
    discount: float  # factor of the value of a reply, 0 to 1
    trace: NamedTuple = trace_buffers.UNTRACED  # or `EpisodeTrace`


def new_value_tree(rules: Rules[Position], capacity: int) -> ValueTree:
    """Allocate a tree with an unexpanded root; see `new_store`."""
    tree = store.new_store(
        ValueTree, capacity, capacity, edge_move=rules.new_moves(capacity), used=np.zeros(4, np.int64)
    )
    reset(tree)
    return tree


@implements(store.clear_edge, ValueTree, in_place=True)
def _clear_edge(tree: ValueTree, edge: int) -> None:
    tree.value[edge] = 0.0
    tree.visits[edge] = 0
    tree.first_edge[edge] = 0
    tree.edges[edge] = NOT_EXPANDED


@kernel
def _best_child(tree: ValueTree, node: int, random: RandomState) -> int:
    """Return the child with the highest value. Ties are broken at random."""
    first, count = as_int64(tree.first_edge[node]), as_int64(tree.edges[node])
    best, equals = first, 1
    for child in range(first + 1, first + count):
        if tree.value[child] > tree.value[best]:
            best, equals = child, 1
        elif tree.value[child] == tree.value[best]:
            equals += 1
            if below(random, equals) == 0:
                best = child
    return best


@kernel
def _best_value(tree: ValueTree, node: int) -> float:
    """Return the highest value of a node's children."""
    first = as_int64(tree.first_edge[node])
    best: float = tree.value[first]
    for child in range(first + 1, first + as_int64(tree.edges[node])):
        best = max(best, tree.value[child])
    return best


@kernel
def _play_episode(
    tree: ValueTree,
    top: int,
    root: Any,
    lessons: LearningParameters,
    path: NDArray[np.uint32],
    moves: Moves,
    random: RandomState,
) -> tuple[int, int]:
    """Play one episode, and write the nodes after the top node to `path`.

    Returns:
        The number of nodes, and the result for the side that made the last of these moves: 1, 0 or -1.
    """
    state, node, length = root, top, 0
    while True:
        count = list_moves(tree, node, state, moves)
        if count == 0:
            difference: int = compiled.final_difference(state)
            break
        if count == NO_NODE:
            difference = compiled.playout(state, random)
            break
        number = np.float64(next_random(random) >> _UPPER) * _TO_UNIT
        is_random = number < lessons.epsilon
        trace_buffers.choose(lessons.trace, length, number, is_random)
        node = as_int64(tree.first_edge[node]) + below(random, count) if is_random else _best_child(tree, node, random)
        state = compiled.play(state, tree.edge_move[node])
        path[length] = node
        length += 1
    tree.used[DEEPEST] = max(tree.used[DEEPEST], length)
    return length, as_int64(difference < 0) - as_int64(difference > 0)


@kernel
def _learn(tree: ValueTree, path: NDArray[np.uint32], length: int, result: int, lessons: LearningParameters) -> None:
    """Update the values on the path of an episode, the last move first, because each update uses the one after it.

    The learning rate of the move after d plies is first_rate * (last_rate / first_rate) ** (d / D), if D plies precede
    the last move. An only move has the rate of the last.
    """
    ratio = lessons.last_rate / lessons.first_rate
    last = length - 1
    for index in range(last, -1, -1):
        node = as_int64(path[index])
        if lessons.target == OUTCOME or index == last:
            goal = np.float64(result if (last - index) % 2 == 0 else -result)
        elif lessons.target == BEST_REPLY:
            goal = -lessons.discount * np.float64(_best_value(tree, node))
        else:
            goal = -lessons.discount * np.float64(tree.value[path[index + 1]])
        rate = lessons.first_rate * ratio ** (index / last if last else 1.0)
        old = tree.value[node]
        tree.value[node] += np.float32(rate * (goal - np.float64(old)))
        trace_buffers.update(lessons.trace, index, old, goal, rate, tree.value[node])
        tree.visits[node] += np.uint32(1)


@kernel
def learn(
    tree: ValueTree,
    top: int,
    root: Any,
    count: int,
    lessons: LearningParameters,
    path: NDArray[np.uint32],
    moves: Moves,
    random: RandomState,
    stop: Ints,
) -> int:
    """Play `count` episodes and learn from them.

    Args:
        tree: the values.
        top: the node where episodes begin; the game is not over there.
        root: the state of that node.
        count: number of episodes.
        lessons: parameters of the learning.
        path: scratch memory of length `max_plies`.
        moves: scratch memory of length `max_moves`.
        random: generator of shape (2,).
        stop: cell of a `StopFlag`.

    Returns:
        The number of episodes played: less than `count` only after `stop` was set, but at least 1.
    """
    done = 0
    while done < count and not (done and is_stopped(stop)):
        length, result = _play_episode(tree, top, root, lessons, path, moves, random)
        _learn(tree, path, length, result, lessons)
        done += 1
    return done


@kernel
def subtree_visits(tree: ValueTree, weights: NDArray[np.uint32], needs: Ints, stop: Ints) -> bool:
    """Find the importance of each expanded position: the episodes that passed it, or the most of any position below it.

    Args:
        tree: the values.
        weights: receives the importance at the index of a position's first child, at most `HEAVIEST`.
        needs: int64 of length `HEAVIEST` + 1; for each importance, the number of children is added here.
        stop: cell of a `StopFlag`.

    Returns:
        False if `stop` was set; the results are incomplete then.
    """
    for node in range(as_int64(tree.used[EDGES]) - 1, -1, -1):
        if node % _CHECK_NODES == 0 and is_stopped(stop):
            return False
        first, count = as_int64(tree.first_edge[node]), listed(tree, node)
        if count == 0:
            continue
        passed, heaviest = 0, 0
        for child in range(first, first + count):
            passed += as_int64(tree.visits[child])
            if listed(tree, child):
                heaviest = max(heaviest, as_int64(weights[as_int64(tree.first_edge[child])]))
        weight = min(HEAVIEST, max(passed, heaviest))
        weights[first] = weight
        needs[weight] += count
    return True


@inlined
def _copy_node(tree: ValueTree, node: int, other: ValueTree, place: int) -> None:
    other.value[place] = tree.value[node]
    other.visits[place] = tree.visits[node]
    other.first_edge[place] = tree.first_edge[node]
    other.edges[place] = tree.edges[node]
    other.edge_move[place] = tree.edge_move[node]


@kernel
def copy_subtree(
    tree: ValueTree, top: int, other: ValueTree, weights: NDArray[np.uint32], min_weight: int, stop: Ints
) -> bool:
    """Copy the tree below `top` into another tree as its root, level by level.

    Args:
        tree: the source.
        top: the node that becomes the root.
        other: the target. Until the copy of a node is expanded, its `first_edge` is that of the source.
        weights: from `subtree_visits`; not read if `min_weight` is 0.
        min_weight: positions of less importance lose their moves, as do those for which there is no room.
        stop: cell of a `StopFlag`.

    Returns:
        False if `stop` was set: the positions not reached by then lose their moves.
    """
    _copy_node(tree, top, other, ROOT)
    other.edge_move[ROOT] = 0
    used = 1
    node = 0
    is_whole = True
    while node < used:
        if node % _CHECK_NODES == 0 and is_whole and is_stopped(stop):
            is_whole = False
        first, count = as_int64(other.first_edge[node]), listed(other, node)
        if (
            count
            and is_whole
            and used + count <= len(other.value)
            and (min_weight == 0 or weights[first] >= min_weight)
        ):
            other.first_edge[node] = used
            for index in range(count):
                _copy_node(tree, first + index, other, used + index)
            used += count
        elif count:
            other.edges[node] = NOT_EXPANDED
        node += 1
    other.used[:] = 0
    other.used[EDGES] = used
    return is_whole
