"""Simplified ABDADA: parallel search of one tree without a master thread.

Each thread searches the whole tree and announces its current move at every ply. Moves that other threads are searching
are deferred, except the first of a position. Later their results are in the table, or the thread helps with their
replies. A thread that has finished a move calls back the threads that still search it.

Sources: Weill, "The ABDADA Distributed Minimax Search Algorithm", ICCA Journal 19:1, 1996; Kerrigan, "Simplified
ABDADA", http://www.tckerrigan.com/Chess/Parallel_Search/Simplified_ABDADA.
"""

from typing import Final, TypeAlias

import numpy as np

from othello.kernel.bits import as_int64
from othello.kernel.decorators import Ints, inlined
from othello.kernel.hashing import mixed
from othello.rules.othello.othello_kernels import Bitboard

# Plies from which moves are announced. Shallower searches are too short.
SHARED_FROM: Final = 5

# int64 array of shape (threads, plies + 1): the current line of each thread.
#
# Element p + 1 of a row is a hash of the move at ply p, or 0. Element 0 calls the thread back: the first ply whose
# search is not needed, or 0. A thread may read an outdated value. This costs only time, because each thread searches
# all moves, and repeats a search that was called back by mistake.
Lines: TypeAlias = Ints

_CACHE_LINE: Final = 64  # size in bytes


def alone_in_cache(size: int) -> Ints:
    """Return zeros that share no cache line with other arrays, to avoid false sharing between threads."""
    margin = _CACHE_LINE // 8
    return np.zeros(size + 2 * margin, np.int64)[margin:-margin]


@inlined
def starting_search(
    lines: Lines, thread: int, ply: int, own: Bitboard, opponent: Bitboard, depth: int, may_wait: bool
) -> bool:
    """Announce the search of a move. Return False if the move may be deferred and another thread is searching it."""
    mark = as_int64(mixed(own, opponent) ^ np.uint64(depth))
    if may_wait:
        for other in range(len(lines)):
            if other != thread and lines[other, ply + 1] == mark:
                return False
    lines[thread, ply + 1] = mark
    return True


@inlined
def finished_search(lines: Lines, thread: int, ply: int) -> None:
    """Announce that a thread has finished its move, and call back other threads that search it."""
    mark = lines[thread, ply + 1]
    lines[thread, ply + 1] = 0
    for other in range(len(lines)):
        if other != thread and lines[other, ply + 1] == mark:
            lines[other, 0] = ply + 1
