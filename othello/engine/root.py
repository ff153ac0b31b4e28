"""A position's moves searched to one depth: what the engine asks its search again and again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello.engine.discs import captures
from othello.engine.endgame_search import NODES
from othello.engine.evaluation import descend
from othello.engine.last_empties import NO_SCORE
from othello.engine.midgame import Search, pvs
from othello.kernel.bits import ONE, as_int64, is_stopped
from othello.kernel.jit import kernel
from othello.rules.othello_kernels import Bitboard
from othello.rules.protocol import Move


class RootMoves(NamedTuple):
    """The moves of a root in the order to search them; place n of every array but the last is move n's."""

    square: NDArray[np.int64]
    value: NDArray[np.int64]  # for the side to move at the root, or a bound
    exact: NDArray[np.bool_]  # or an upper bound
    nodes: NDArray[np.int64]  # visited below it, all depths together
    searched: NDArray[np.int64]  # (1,): so many of them at the present depth


def new_root_moves(moves: Sequence[Move]) -> RootMoves:
    count = len(moves)
    return RootMoves(
        np.array(moves, np.int64),
        np.zeros(count, np.int64),
        np.zeros(count, np.bool_),
        np.zeros(count, np.int64),
        np.zeros(1, np.int64),
    )


def best_first(root: RootMoves) -> RootMoves:
    """A copy with the moves that were searched last in order, the best first; the others stay behind in theirs."""
    done = int(root.searched[0])
    places = np.arange(len(root.square))
    if root.exact[:done].any():
        places[:done] = np.argsort(np.where(root.exact[:done], -root.value[:done], 1000), kind="stable")
    return RootMoves(
        root.square[places], root.value[places], root.exact[places], root.nodes[places], root.searched.copy()
    )


@kernel
def judge_moves(
    own: Bitboard,
    opponent: Bitboard,
    alpha: int,
    beta: int,
    depth: int,
    judge_all: bool,
    root: RootMoves,
    search: Search,
) -> int:
    """Search the moves of a position whose numbers stand at ply 0, `depth` >= 1 plies deep.

    Args:
        own: discs of the side to move; likewise `opponent`.
        alpha: values up to it need only be proved to be no higher.
        beta: a move that reaches it ends the search, unless all are to be judged.
        depth: as for `pvs`.
        judge_all: find every move's exact value within the window, not that of the best alone.
        root: the moves; receives what is found.
        search: what the search needs.

    Returns:
        The best value; when `stop` was set, that of the moves searched before, NO_SCORE if there are none.
    """
    best, floor = NO_SCORE, alpha
    root.searched[0] = 0
    for index in range(len(root.square)):
        visited = search.counts[NODES]
        square = root.square[index]
        turned = captures(own, opponent, square)
        mine, theirs = opponent ^ turned, own | turned | ONE << np.uint64(square)
        descend(search.numbers, 0, turned, square)
        ceiling = beta if judge_all or index == 0 else floor + 1
        while True:
            value = -pvs(mine, theirs, -ceiling, -floor, depth - 1, as_int64(1), as_int64(1), search)
            if value < ceiling or value >= beta or is_stopped(search.stop):
                break
            ceiling = beta
        root.nodes[index] += search.counts[NODES] - visited
        if is_stopped(search.stop):
            break
        root.value[index] = value
        root.exact[index] = judge_all or value > floor
        root.searched[0] = index + 1
        best = max(best, value)
        if not judge_all:
            floor = max(floor, value)
        if best >= beta and not judge_all:
            break
    return best
