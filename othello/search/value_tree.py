"""Q-learning and Sarsa on a tree of positions: both sides learn from games that they play against themselves.

Sources: Watkins and Dayan, "Q-learning", Machine Learning 8, 1992; Rummery and Niranjan, "On-line Q-learning using
connectionist systems", 1994; Sutton and Barto, "Reinforcement Learning", chapter 6.

The value of a move is the value of the node behind the move: what the side that moves can expect, -1 lost .. 1 won.
Unseen moves are worth 0. All moves of a position get their places at once, side by side, when an episode first passes
the position.

A full table forgets the moves of the positions that the fewest episodes passed.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello.kernel.bits import as_int64, is_stopped
from othello.kernel.decorators import Bytes, Ints, implements, inlined, kernel
from othello.kernel.random import RandomState, below, next_random
from othello.rules import compiled
from othello.search import store
from othello.search.store import EDGES, NO_NODE, NOT_EXPANDED, empty_fields, list_moves, listed
from othello.search.tree import ROOT, reset

OUTCOME: Final = 0  # every value on the path moves towards the episode's result
BEST_REPLY: Final = 1  # towards what the best reply leaves: Q-learning
TAKEN_REPLY: Final = 2  # towards what the reply that was taken leaves: Sarsa

DEEPEST: Final = 3  # place in `ValueTree.used`: plies of the longest episode
RESERVE: Final = 8  # an eighth of the table is for the moves of the game itself; episodes do not use it
HEAVIEST: Final = 1 << 16  # the greatest weight: more episodes count no more
_LOOK: Final = 1 << 12  # nodes between two looks at the flag
_TO_UNIT: Final = 2.0**-53
_UPPER = np.uint64(11)


class ValueTree(NamedTuple):
    """A store of values; place n of every array belongs to node n and to the edge into it. 14 bytes a node."""

    value: NDArray[np.float32]  # of the side that moved into the node
    visits: NDArray[np.uint32]
    first_edge: NDArray[np.uint32]
    edges: Bytes
    edge_move: Bytes  # 0 for the root
    used: Ints  # (4,): of NODES nothing, EDGES with the root's place among them, REFUSALS, DEEPEST


class LearningParameters(NamedTuple):
    """How values are learned."""

    target: int  # OUTCOME, BEST_REPLY or TAKEN_REPLY
    epsilon: float  # how often a random move is tried, 0..1
    first_rate: float  # learning rate of an episode's first move, above 0
    last_rate: float  # of an episode's last move
    discount: float  # of a reply's value, 0..1


def new_value_tree(capacity: int) -> ValueTree:
    """Room for `capacity` nodes, and a root. Memory is taken up as the tree grows into it."""
    tree = ValueTree(**empty_fields(ValueTree, ValueTree._fields[:-1], capacity), used=np.zeros(4, np.int64))
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
    """The child with the highest value; equals are drawn at random."""
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
    """What the best of a node's moves is worth to who makes it."""
    first = as_int64(tree.first_edge[node])
    best: float = tree.value[first]
    for child in range(first + 1, first + as_int64(tree.edges[node])):
        best = max(best, tree.value[child])
    return best


@kernel
def _walk(
    tree: ValueTree, top: int, root: Any, epsilon: float, path: NDArray[np.uint32], moves: Bytes, random: RandomState
) -> tuple[int, int]:
    """Play one episode, and write the nodes after the top to `path`.

    Returns:
        (how many nodes, the result for the side that made the last of these moves: 1, 0 or -1).
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
        is_random = np.float64(next_random(random) >> _UPPER) * _TO_UNIT < epsilon
        node = as_int64(tree.first_edge[node]) + below(random, count) if is_random else _best_child(tree, node, random)
        state = compiled.play(state, tree.edge_move[node])
        path[length] = node
        length += 1
    tree.used[DEEPEST] = max(tree.used[DEEPEST], length)
    return length, as_int64(difference < 0) - as_int64(difference > 0)


@kernel
def _learn(tree: ValueTree, path: NDArray[np.uint32], length: int, result: int, lessons: LearningParameters) -> None:
    """Teach an episode to the values on its path, the last move first, so that each step builds on what follows it.

    The rate grows from the first move to the last one: `first_rate` * (`last_rate` / `first_rate`) ** (d / D) for the
    move after d plies, where D plies precede the last move. An only move has the last rate.
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
        tree.value[node] += np.float32(rate * (goal - np.float64(tree.value[node])))
        tree.visits[node] += np.uint32(1)


@kernel
def learn(
    tree: ValueTree,
    top: int,
    root: Any,
    count: int,
    lessons: LearningParameters,
    path: NDArray[np.uint32],
    moves: Bytes,
    random: RandomState,
    stop: Ints,
) -> int:
    """Play and learn from `count` episodes.

    Args:
        top: the node that they begin with, where no game is over; `root` is its state.
        path: scratch, `max_plies` long.
        moves: scratch, `max_moves` long; for all functions here.

    Returns:
        How many were played: fewer than `count` only when `stop` was set, but one at least.
    """
    done = 0
    while done < count and not (done and is_stopped(stop)):
        length, result = _walk(tree, top, root, lessons.epsilon, path, moves, random)
        _learn(tree, path, length, result, lessons)
        done += 1
    return done


@kernel
def subtree_visits(tree: ValueTree, weights: NDArray[np.uint32], needs: Ints, stop: Ints) -> bool:
    """Find out how much each position matters: how many episodes passed the position, or one of those below it.

    Args:
        weights: written here, at the place of the first of a position's moves.
        needs: `HEAVIEST` + 1 long; how many places the moves of positions of each weight take is added here.

    Returns:
        False when `stop` was set; the rest is not written then.
    """
    for node in range(as_int64(tree.used[EDGES]) - 1, -1, -1):
        if node % _LOOK == 0 and is_stopped(stop):
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
    tree: ValueTree, top: int, other: ValueTree, weights: NDArray[np.uint32], least: int, stop: Ints
) -> bool:
    """Copy the tree below `top` to another one, where `top` is the root, level by level.

    In the copy a node's `first_edge` is still the original's until the node's turn comes.

    Args:
        weights: of `weigh`; not read where `least` is 0.
        least: positions of less weight lose their moves, and so do positions whose moves find no room.

    Returns:
        False when `stop` was set: all positions that still waited lose their moves.
    """
    _copy_node(tree, top, other, ROOT)
    other.edge_move[ROOT] = 0
    used = 1
    node = 0
    is_whole = True
    while node < used:
        if node % _LOOK == 0 and is_whole and is_stopped(stop):
            is_whole = False
        first, count = as_int64(other.first_edge[node]), listed(other, node)
        if count and is_whole and used + count <= len(other.value) and (least == 0 or weights[first] >= least):
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
