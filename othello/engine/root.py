"""A position's moves searched to one depth: what the engine asks its search again and again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello.engine.discs import captures
from othello.engine.endgame_search import NODES, THREAD
from othello.engine.evaluation import descend
from othello.engine.last_empties import NO_SCORE
from othello.engine.midgame import Search, pvs
from othello.engine.sharing import SHARED_FROM, begin, finish
from othello.kernel.bits import ONE, as_int64, is_stopped
from othello.kernel.jit import Ints, kernel
from othello.rules.othello.kernels import Bitboard
from othello.rules.protocol import Move


class EngineRoot(NamedTuple):
    """The moves of a root in the order to search them; place n of every array is move n's."""

    square: Ints
    value: Ints  # for the side to move at the root, or a bound
    exact: NDArray[np.bool_]  # or an upper bound
    nodes: Ints  # visited below it, all depths together
    searched: NDArray[np.bool_]  # at the present depth


def new_root_moves(moves: Sequence[Move]) -> EngineRoot:
    count = len(moves)
    return EngineRoot(
        np.array(moves, np.int64),
        np.zeros(count, np.int64),
        np.zeros(count, np.bool_),
        np.zeros(count, np.int64),
        np.zeros(count, np.bool_),
    )


def best_first(root: EngineRoot) -> EngineRoot:
    """A copy that begins with the moves whose value was found last, the best first; the others stay in their order."""
    places = np.argsort(np.where(root.exact & root.searched, -root.value, 1000), kind="stable")
    return EngineRoot._make(array[places] for array in root)


@kernel
def judge_moves(
    own: Bitboard,
    opponent: Bitboard,
    alpha: int,
    beta: int,
    depth: int,
    judge_all: bool,
    root: EngineRoot,
    search: Search,
) -> int:
    """Search the moves of a position whose numbers stand at ply 0, `depth` >= 1 plies deep.

    Args:
        beta: a move that reaches it ends the search, unless all are to be judged.
        judge_all: find every move's exact value within the window, not that of the best alone.
        root: the moves; receives what is found.

    Returns:
        The best value; when `stop` was set, that of the moves searched before, NO_SCORE if there are none.
    """
    best, floor = NO_SCORE, alpha
    is_shared = len(search.lines) > 1 and depth >= SHARED_FROM
    thread, count = search.counts[THREAD], len(root.square)
    root.searched[:] = False
    for turn in range(2 * count):  # twice, as a move may wait for other threads once
        index = turn % count
        if root.searched[index]:
            continue
        visited = search.counts[NODES]
        square = root.square[index]
        turned = captures(own, opponent, square)
        mine, theirs = opponent ^ turned, own | turned | ONE << np.uint64(square)
        if is_shared:
            # In an open window all threads help with one move: too low a bound for the next ones costs most here.
            may_wait = turn < count and (judge_all or (index > 0 and beta == alpha + 1))
            if not begin(search.lines, thread, 0, mine, theirs, depth, may_wait):
                continue
        descend(search.numbers, 0, turned, square)
        ceiling = beta if judge_all or index == 0 else floor + 1
        while True:
            value = -pvs(mine, theirs, -ceiling, -floor, depth - 1, as_int64(1), as_int64(1), search)
            if is_shared and search.lines[thread, 0]:
                search.lines[thread, 0] = 0  # the table tells what another thread found
                continue
            if value < ceiling or value >= beta or is_stopped(search.stop):
                break
            ceiling = beta
        root.nodes[index] += search.counts[NODES] - visited
        if is_stopped(search.stop):
            break
        if is_shared:
            finish(search.lines, thread, 0)
        root.value[index] = value
        root.exact[index] = judge_all or value > floor
        root.searched[index] = True
        best = max(best, value)
        if not judge_all:
            floor = max(floor, value)
        if best >= beta and not judge_all:
            break
    return best
