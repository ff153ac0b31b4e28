"""How threads that search one tree share its moves out, with nobody to direct them: a simplified ABDADA.

Each of them searches the whole tree, and tells which move it is at on every ply. In a position where others are at work
it searches the first move, too, and then leaves for last what they are at: by then the table tells what they found, or
it helps them with the replies. Whoever is through with a move calls back those that still search it.

Sources: Weill, "The ABDADA Distributed Minimax Search Algorithm", ICCA Journal 19:1, 1996; Kerrigan, "Simplified
ABDADA", http://www.tckerrigan.com/Chess/Parallel_Search/Simplified_ABDADA.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np

from othello.kernel.bits import as_int64
from othello.kernel.hashing import mixed
from othello.kernel.jit import Ints, inlined
from othello.rules.othello.kernels import Bitboard

SHARED_FROM: Final = 5
"""Plies from which moves are shared out; less is searched in no time."""

Lines: TypeAlias = Ints
"""Shape (threads, plies + 1): what each thread is at. Place p + 1 of a row is a mark of the move on ply p, 0 for none.
Place 0 calls the thread back: it is the first ply whose search is no longer wanted, 0 while all are.

What is read here may be out of date, which costs time and no more: all moves of a position are searched by each thread,
and whoever is called back for nothing searches the move again.
"""

_CACHE_LINE: Final = 64  # bytes


def alone_in_cache(size: int) -> Ints:
    """Zeros that share no cache line with other arrays: a thread would wait for a line that others write to."""
    margin = _CACHE_LINE // 8
    return np.zeros(size + 2 * margin, np.int64)[margin:-margin]


def new_lines(threads: int, plies: int) -> Lines:
    return np.zeros((threads, plies + 1), np.int64)


@inlined
def begin(lines: Lines, thread: int, ply: int, own: Bitboard, opponent: Bitboard, depth: int, may_wait: bool) -> bool:
    """Let a thread tell that it searches the move to a position; False if it may wait, and another is at that move."""
    mark = as_int64(mixed(own, opponent) ^ np.uint64(depth))
    if may_wait:
        for other in range(len(lines)):
            if other != thread and lines[other, ply + 1] == mark:
                return False
    lines[thread, ply + 1] = mark
    return True


@inlined
def finish(lines: Lines, thread: int, ply: int) -> None:
    """Let a thread tell that it is through with its move: others that search it need not go on."""
    mark = lines[thread, ply + 1]
    lines[thread, ply + 1] = 0
    for other in range(len(lines)):
        if other != thread and lines[other, ply + 1] == mark:
            lines[other, 0] = ply + 1
