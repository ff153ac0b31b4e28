"""Records of a search, node by node, to step through it.

The type of the buffer is known when a search is compiled, so a search without recording costs nothing.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello.kernel.decorators import Ints, implements

# Why a node was left.
SEARCHED: Final = 0  # all moves were searched
CUT_OFF: Final = 1  # a move reached beta
FROM_TABLE: Final = 2  # the transposition table has the result
EVALUATED: Final = 3  # at the depth limit
GAME_OVER: Final = 4

# Columns of `NodeTrace.rows`; the moves to the node follow.
ITERATION, DEPTH, ALPHA, BETA, VALUE, REASON, PATH = range(7)


class Untraced(NamedTuple):
    """No recording."""


class NodeTrace(NamedTuple):
    """The nodes of an alpha-beta search, in the order in which the search leaves them."""

    # (nodes, PATH + plies): plies of the iteration, plies to its depth limit, window, value, reason, and the path
    rows: Ints
    line: Ints  # (plies,): the move that led to the current node with this many plies to the depth limit
    used: Ints  # (1,): number of rows written


class EpisodeTrace(NamedTuple):
    """The choices and updates of a learner's episodes. Row n belongs to ply n of the episode."""

    choices: NDArray[np.float64]  # (plies, 2): random number from 0 to 1, and 1 if the move is random
    updates: NDArray[np.float64]  # (plies, 4): old value, target, learning rate, new value
    length: Ints  # (1,): plies of the episode


UNTRACED: Final = Untraced()


def new_node_trace(nodes: int, plies: int) -> NodeTrace:
    return NodeTrace(np.zeros((nodes, PATH + plies), np.int64), np.zeros(plies, np.int64), np.zeros(1, np.int64))


def new_episode_trace(plies: int) -> EpisodeTrace:
    return EpisodeTrace(np.zeros((plies, 2)), np.zeros((plies, 4)), np.zeros(1, np.int64))


def enter(trace: Any, depth: Any, move: Any) -> Any:
    """Record the move to the node that is searched next, with `depth` plies to the depth limit."""


def leave(trace: Any, plies: Any, depth: Any, alpha: Any, beta: Any, value: Any, reason: Any) -> Any:
    """Record the result of the current node.

    Args:
        trace: the record.
        plies: depth of the search at its root.
        depth: plies to the depth limit.
        alpha: lower end of the node's window.
        beta: upper end.
        value: the result for the side to move at the node.
        reason: why the search left the node.
    """


@implements(enter, Untraced, in_place=True)
def _enter_untraced(trace: Untraced, depth: int, move: int) -> None:
    return


@implements(leave, Untraced, in_place=True)
def _leave_untraced(trace: Untraced, plies: int, depth: int, alpha: int, beta: int, value: int, reason: int) -> None:
    return


@implements(enter, NodeTrace)
def _enter(trace: NodeTrace, depth: int, move: int) -> None:
    trace.line[depth] = move


@implements(leave, NodeTrace)
def _leave(trace: NodeTrace, plies: int, depth: int, alpha: int, beta: int, value: int, reason: int) -> None:
    if trace.used[0] == len(trace.rows):
        return
    row = trace.rows[trace.used[0]]
    trace.used[0] += 1
    row[ITERATION], row[DEPTH], row[ALPHA] = plies, depth, alpha
    row[BETA], row[VALUE], row[REASON] = beta, value, reason
    for ply in range(plies - depth):
        row[PATH + ply] = trace.line[plies - 1 - ply]


def choose(trace: Any, ply: Any, number: Any, is_random: Any) -> Any:
    """Record the random number of a choice, and 1 if the move is random."""


def update(trace: Any, ply: Any, old: Any, target: Any, rate: Any, new: Any) -> Any:
    """Record the update of the value of the move made at a ply."""


@implements(choose, Untraced, in_place=True)
def _choose_untraced(trace: Untraced, ply: int, number: float, is_random: bool) -> None:
    return


@implements(update, Untraced, in_place=True)
def _update_untraced(trace: Untraced, ply: int, old: float, target: float, rate: float, new: float) -> None:
    return


@implements(choose, EpisodeTrace)
def _choose(trace: EpisodeTrace, ply: int, number: float, is_random: bool) -> None:
    trace.choices[ply, 0], trace.choices[ply, 1] = number, np.float64(is_random)
    trace.length[0] = ply + 1


@implements(update, EpisodeTrace)
def _update(trace: EpisodeTrace, ply: int, old: float, target: float, rate: float, new: float) -> None:
    row = trace.updates[ply]
    row[0], row[1], row[2], row[3] = old, target, rate, new
