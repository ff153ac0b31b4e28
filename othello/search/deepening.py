"""Iterative deepening: the alpha-beta search of a root position, depth by depth.

Shallow searches are cheap and fill the table with moves that the next depth tries first. After each depth there is a
complete result, which a time limit needs. Depths increase by two plies, so that the same side moves last: the best move
of one depth is then more often the best of the next. At depth 8 this is 1.25 times as fast as steps of one ply.
"""

from collections.abc import Generator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

import numpy as np

from othello.frozen_dataclass import FrozenDataclass
from othello.rules.protocol import Move, Position, Rules
from othello.search import pvs
from othello.search.alphabeta import INFINITE
from othello.search.pvs import JUDGED, VISITED, RootMoves, SearchWorkspace, new_root_moves, new_search, new_workspace
from othello.search.report import MoveStats
from othello.search.stop import StopFlag, watched

_QUICK: Final = 1 << 16  # total nodes below which the next depth is too short for progress reports


class Iteration(FrozenDataclass):
    """The result of a completed depth."""

    moves: tuple[MoveStats, ...]  # all legal moves, ascending; those with the highest value are exact
    best_value: float
    depth: int  # plies
    nodes: int  # visited so far, all depths together
    lines: dict[Move, tuple[Move, ...]]  # principal variation of each best move
    is_new: bool = True  # False: a progress report in which only node counts changed

    @property
    def best_moves(self) -> list[Move]:
        """The moves that share the best value."""
        return [stats.move for stats in self.moves if stats.exact and stats.value == self.best_value]


def memory_for(depth: int, rules: Rules[Position], **judging: bool) -> SearchWorkspace:
    """Create a table for searches of up to `depth` plies; `judging` is passed to `new_workspace`."""
    return new_workspace(1 << min(20, 2 * depth), depth, rules, **judging)


def deepen(
    state: NamedTuple, moves: Sequence[Move], memory: SearchWorkspace, depth: int, judge_all: bool, stop: StopFlag
) -> Generator[Iteration, None, None]:
    """Search with increasing depth, up to `depth` plies.

    Args:
        state: the position, with at least one move.
        moves: all legal moves.
        memory: from `memory_for` the same or a greater depth. It can be reused; nothing is remembered between calls.
        depth: plies, at least 1. The search ends earlier if all lines reach the end of the game.
        judge_all: find the exact value of every move, not only of the best ones.
        stop: ends the search. The result of the current depth is lost then, except that of the first.

    Yields:
        Each completed depth. During a long search, also the last one again with updated node counts.
    """
    new_search(memory)
    never = StopFlag()
    root = new_root_moves(moves)
    last = None
    for plies in range(2 - depth % 2, depth + 1, 2):
        judged_before = int(memory.counts[JUDGED])
        if last is None or last.nodes < _QUICK:
            flag = never if plies <= 2 else stop
            is_finished = pvs.judge_moves(state, plies, judge_all, root, memory, flag.cell)
        else:
            part = stop.part()
            search = partial(pvs.judge_moves, state, plies, judge_all, root, memory, part.cell)
            is_finished = yield from watched(search, part, partial(_with_nodes, last, root, memory))
        if not is_finished:
            return
        last = _finished(state, plies, root, memory)
        yield last
        if int(memory.counts[JUDGED]) == judged_before:
            return  # all lines have reached the end of the game
        order = np.argsort(np.where(root.exact, -root.value, INFINITE), kind="stable")
        for field in root:
            field[:] = field[order]


def _finished(state: NamedTuple, depth: int, root: RootMoves, memory: SearchWorkspace) -> Iteration:
    rows = sorted(zip(*(field.tolist() for field in root), strict=True))
    moves = tuple(MoveStats(move, nodes, float(value), exact) for move, value, exact, nodes in rows)
    best_value = float(root.value[root.exact].max())
    iteration = Iteration(moves, best_value, depth, int(memory.counts[VISITED]), {})
    line = np.empty(depth, np.int64)
    for move in iteration.best_moves:
        length = pvs.best_line(state, move, depth, memory, line)
        iteration.lines[move] = tuple(line[:length].tolist())
    return iteration


def _with_nodes(last: Iteration, root: RootMoves, memory: SearchWorkspace) -> Iteration:
    nodes = dict(zip(root.move.tolist(), root.nodes.tolist(), strict=True))
    moves = tuple(replace(stats, visits=nodes[stats.move]) for stats in last.moves)
    return replace(last, moves=moves, nodes=int(memory.counts[VISITED]), is_new=False)
