"""Iterative deepening: the root of the alpha-beta search, one depth after the other.

The shallow searches cost little and leave a table behind that tells the deep ones which moves to try first. Between two
depths there is always a finished answer, which is what a time limit needs. Depths grow by two plies: the same side has
the last word in all of them, and what was best in one is more often best in the next (measured at depth 8: 1.25 times
faster than by single plies).
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, NamedTuple

import numpy as np

from othello.rules.protocol import Move, Position, Rules
from othello.search import pvs
from othello.search.alphabeta import INFINITE
from othello.search.pvs import JUDGED, VISITED, RootMoves, SearchWorkspace, new_root_moves, new_search, new_workspace
from othello.search.stop import StopFlag, watched

_QUICK: Final = 1 << 16  # nodes of all depths before: the next one then takes a moment, too short to be watched


class RootMove(NamedTuple):
    """What one depth's search found out about a root move."""

    move: Move
    value: int  # for the side to move; an upper bound unless `exact`
    exact: bool
    nodes: int  # visited below it at all depths so far


@dataclass(frozen=True, slots=True)
class Iteration:
    """A finished depth."""

    moves: tuple[RootMove, ...]  # every legal move, in ascending order; all with the highest value are exact
    depth: int  # plies
    nodes: int  # visited so far, all depths together
    lines: dict[Move, tuple[Move, ...]]  # of each best move: the expected replies, to the depth or to the game's end
    is_new: bool = True  # False: the depth was known, and only nodes were added, by a deeper search under way

    @property
    def best_value(self) -> int:
        return max(root.value for root in self.moves if root.exact)

    @property
    def best_moves(self) -> list[Move]:
        """All moves that share the best value."""
        best = self.best_value
        return [root.move for root in self.moves if root.exact and root.value == best]


def memory_for(depth: int, rules: Rules[Position], **judging: bool) -> SearchWorkspace:
    """A table for searches of this many plies; `judging` as for `new_workspace`."""
    return new_workspace(1 << min(20, 2 * depth), depth, rules, **judging)


def deepen(
    state: NamedTuple, moves: Sequence[Move], memory: SearchWorkspace, depth: int, judge_all: bool, stop: StopFlag
) -> Generator[Iteration, None, None]:
    """Search deeper and deeper, up to `depth` plies.

    Args:
        memory: from `memory_for` this depth or a greater one. It can be used again and again, and remembers nothing.
        depth: plies, at least 1. The search ends earlier when it has seen the game's end on every line.
        judge_all: find every move's exact value; otherwise only what is needed to know all best moves.
        stop: ends the search within the current depth, whose result is then lost; the first is always finished.

    Yields:
        Every finished depth, and now and then the last of them while a long search of the next one is under way.
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
            return  # every line has ended
        order = np.argsort(np.where(root.exact, -root.value, INFINITE), kind="stable")
        for field in root:
            field[:] = field[order]


def _finished(state: NamedTuple, depth: int, root: RootMoves, memory: SearchWorkspace) -> Iteration:
    moves = sorted(RootMove(*row) for row in zip(*(field.tolist() for field in root), strict=True))
    iteration = Iteration(tuple(moves), depth, int(memory.counts[VISITED]), {})
    line = np.empty(depth, np.int64)
    for move in iteration.best_moves:
        length = pvs.best_line(state, move, depth, memory, line)
        iteration.lines[move] = tuple(line[:length].tolist())
    return iteration


def _with_nodes(last: Iteration, root: RootMoves, memory: SearchWorkspace) -> Iteration:
    nodes = dict(zip(root.move.tolist(), root.nodes.tolist(), strict=True))
    moves = tuple(move._replace(nodes=nodes[move.move]) for move in last.moves)
    return replace(last, moves=moves, nodes=int(memory.counts[VISITED]), is_new=False)
