"""How threads share the moves of one tree without a director: a simplified ABDADA.

Each thread searches the whole tree and announces its current move on every ply. In a position where other threads are
at work, it also searches the first move, but leaves the moves of the others for last. By then the table holds their
results, or the thread helps them with the replies. A thread that has finished a move calls back the threads that still
search it.

Sources: Weill, "The ABDADA Distributed Minimax Search Algorithm", ICCA Journal 19:1, 1996; Kerrigan, "Simplified
ABDADA", http://www.tckerrigan.com/Chess/Parallel_Search/Simplified_ABDADA.
"""

from typing import Final, TypeAlias

import numpy as np

from othello.kernel.bits import as_int64
from othello.kernel.decorators import Ints, inlined
from othello.kernel.hashing import mixed
from othello.rules.othello.othello_kernels import Bitboard

SHARED_FROM: Final = 5
"""Plies from which moves are shared out; less is searched in no time."""

Lines: TypeAlias = Ints
"""Shape (threads, plies + 1): the current line of each thread. Place p + 1 of a row marks the move on ply p, 0 for
none. Place 0 calls the thread back: the first ply whose search is no longer needed, 0 for none.

A thread may read an old value here. That only costs time: each thread searches all moves of a position, and a thread
that was called back for nothing searches the move again.
"""

_CACHE_LINE: Final = 64  # bytes


def alone_in_cache(size: int) -> Ints:
    """Zeros that share no cache line with other arrays, so that no thread waits for a line that others write to."""
    margin = _CACHE_LINE // 8
    return np.zeros(size + 2 * margin, np.int64)[margin:-margin]


def new_lines(threads: int, plies: int) -> Lines:
    return np.zeros((threads, plies + 1), np.int64)


@inlined
def starting_search(
    lines: Lines, thread: int, ply: int, own: Bitboard, opponent: Bitboard, depth: int, may_wait: bool
) -> bool:
    """Announce that a thread searches the move to a position; False if it may wait and another is at that move."""
    mark = as_int64(mixed(own, opponent) ^ np.uint64(depth))
    if may_wait:
        for other in range(len(lines)):
            if other != thread and lines[other, ply + 1] == mark:
                return False
    lines[thread, ply + 1] = mark
    return True


@inlined
def finished_search(lines: Lines, thread: int, ply: int) -> None:
    """Announce that a thread has finished its move: other threads need not search it any longer."""
    mark = lines[thread, ply + 1]
    lines[thread, ply + 1] = 0
    for other in range(len(lines)):
        if other != thread and lines[other, ply + 1] == mark:
            lines[other, 0] = ply + 1
