"""Construction of opening books: selection of positions to search, and propagation of values.

Expansion is best-first. To expand a position means to search all its moves. The cost of a line is one ply per move plus
DEVIATION for each disc that its moves lose; the leaf with the cheapest line is expanded next. Values are propagated to
the start as in any game tree, which changes the costs.

Source: Lincke, "Strategies for the Automatic Construction of Opening Books", Computers and Games 2000, LNCS 2063, but
with the same cost for both sides, because both may deviate.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from othello.engine.book import START, Boards, BookEntries, BookEntry, after, canonical, legal
from othello.engine.engine import Bounds, Engine, EngineResult
from othello.engine.probcut import MIDDLE, deviation
from othello.rules.othello.scalar_bits import mobility
from othello.rules.protocol import Move
from othello.search.stop import StopFlag

DEVIATION: Final = 2.0  # cost in plies of each disc that a line loses
BATCH: Final = 64  # positions expanded before new ones are selected, for any number of processes
_MIN_EMPTIES: Final = 24  # positions with fewer are left to the end-game search
_TIE: Final = 1  # discs by which a move may be worse to count as equal
_LONGER: Final = 4  # additional plies in ten times the time
_PLACES: Final = 1 << 19
_MASK: Final = (1 << 64) - 1
_idle: Final[list[Engine]] = []

# A position (two boards), the moves to search, and the depth in plies.
Task = tuple[int, int, list[Move], int]
# Runs tasks, perhaps in other processes: `map` or a function like it.
Searching = Callable[[Callable[[Task], list[BookEntry]], Iterable[Task]], Iterable[list[BookEntry]]]


@dataclass(slots=True, eq=False)
class BookNode:
    """A position of a book under construction."""

    boards: Boards
    value: int
    depth: int
    error: int
    moves: list[tuple[int, BookNode]] | None = None  # -1, or 1 after a pass, and the next node; None: not expanded
    cost: float = math.inf  # of the cheapest line to the node

    @property
    def discs(self) -> int:
        return (self.boards[0] | self.boards[1]).bit_count()

    def settle(self) -> None:
        """Take the value of the best move, and the smallest depth among moves of about that value."""
        if self.moves:
            self.value, best = max(((side * node.value, node) for side, node in self.moves), key=lambda pair: pair[0])
            good = (node.depth for side, node in self.moves if side * node.value >= self.value - _TIE)
            self.depth, self.error = 1 + min(good), best.error


class BookBuilder:
    """A book under construction. The result depends on depth and seed only, not on processes or interruptions."""

    def __init__(self, depth: int, seed: int, known: BookEntries | None = None) -> None:
        """Start from known entries, or from the start position."""
        self.depth, self.seed = depth, seed
        self.nodes = {boards: BookNode(boards, *entry[:3]) for boards, entry in (known or {}).items()}
        start = canonical(*START)
        self._root = self.nodes.setdefault(start, BookNode(start, 0, 0, 1))
        self._open: list[list[BookNode]] = [[] for _ in range(65)]  # expanded nodes by number of discs
        for boards, entry in (known or {}).items():
            if entry.is_open:
                self._link(self.nodes[boards])
        self._settle()

    def _link(self, node: BookNode) -> None:
        node.moves = []
        for move in legal(*node.boards):
            own, opponent, side = after(*node.boards, move)
            following = self.nodes.get(canonical(own, opponent))
            if following is not None:
                node.moves.append((side, following))
        self._open[node.discs].append(node)

    def _settle(self) -> None:
        """Propagate values to the start."""
        for nodes in reversed(self._open):
            for node in nodes:
                node.settle()

    def _next(self) -> list[BookNode]:
        """Return the leaves to expand next: those with the cheapest lines. The seed breaks ties."""
        for node in self.nodes.values():
            node.cost = math.inf
        self._root.cost = 0.0
        for nodes in self._open:
            for node in nodes:
                for side, following in node.moves or ():
                    cost = node.cost + 1 + DEVIATION * (node.value - side * following.value)
                    following.cost = min(following.cost, cost)
        leaves = (
            node
            for node in self.nodes.values()
            if node.moves is None and node.error and node.cost < math.inf and 64 - node.discs > _MIN_EMPTIES
        )
        return heapq.nsmallest(BATCH, leaves, key=lambda node: (node.cost, self._lot(node)))

    def _lot(self, node: BookNode) -> int:
        own, opponent = node.boards
        mixed = (own * 0x9E3779B97F4A7C15 ^ opponent * 0xC2B2AE3D27D4EB4F ^ self.seed * 0x165667B19E3779F9) & _MASK
        return (mixed ^ mixed >> 29) * 0xBF58476D1CE4E5B9 & _MASK

    def grow(self, positions: int, search: Searching) -> Iterator[int]:
        """Expand leaves until the book has `positions` positions. Yields the number of positions after each batch."""
        while len(self.nodes) < positions and (leaves := self._next()):
            tasks = [(*node.boards, self._unknown(node), self.depth) for node in leaves]
            results = list(search(judge, tasks))  # complete before anything is changed, in case of an interruption
            for node, (_, _, moves, _), entries in zip(leaves, tasks, results, strict=True):
                for move, entry in zip(moves, entries, strict=True):
                    boards = canonical(*after(*node.boards, move)[:2])
                    known = self.nodes.setdefault(boards, BookNode(boards, *entry[:3]))
                    if known.moves is None and known.depth < entry.depth:
                        known.value, known.depth, known.error = entry[:3]
                self._link(node)
            self._settle()
            yield len(self.nodes)

    def _unknown(self, node: BookNode) -> list[Move]:
        """Return the moves that were not searched to this depth."""
        found = []
        for move in legal(*node.boards):
            known = self.nodes.get(canonical(*after(*node.boards, move)[:2]))
            if known is None or (known.moves is None and known.error and known.depth < self.depth):
                found.append(move)
        return found

    @property
    def known(self) -> BookEntries:
        """Entries of all positions."""
        return {
            boards: BookEntry(node.value, min(node.depth, 60), node.error, node.moves is not None)
            for boards, node in self.nodes.items()
        }


def error_of(empties: int, depth: int) -> int:
    """Return the expected error of a search in discs, rounded up, compared with a search of ten times the time."""
    return math.ceil(deviation(MIDDLE, empties, min(empties, depth + _LONGER), depth))


@contextmanager
def _fresh_engine() -> Iterator[Engine]:
    """Lend an engine with an empty table. Threads of a cluster worker need one each."""
    engine = _idle.pop() if _idle else Engine(_PLACES, StopFlag())
    engine.forget()
    yield engine
    _idle.append(engine)


def _values(
    engine: Engine, own: int, opponent: int, bounds: Bounds, moves: list[Move] | None = None
) -> tuple[dict[Move, int], EngineResult]:
    """Return the values of moves and the last result; without `moves`, of all, with an exact value for the best only.

    A value is the mean of the last two depths, because searches of an even and an odd number of plies differ
    systematically.
    """
    findings = list(engine.deepen(own, opponent, bounds, judge_all=moves is not None, order=moves))
    found, previous = findings[-1].values, findings[-2:][0].values
    if findings[-1].is_solved:
        return found, findings[-1]
    return {move: round((previous[move] + value) / 2) for move, value in found.items()}, findings[-1]


def judge(task: Task) -> list[BookEntry]:
    """Return an entry for the position after each move. The result is the same in all processes."""
    own, opponent, moves, depth = task
    if not moves:
        return []
    with _fresh_engine() as engine:
        values, found = _values(engine, own, opponent, Bounds(depth + 1, exact_empties=depth + 1), moves)
    entries = []
    for move in moves:
        *boards, side = after(own, opponent, move)
        empties = 64 - (boards[0] | boards[1]).bit_count()
        is_exact = found.is_solved or not mobility(*boards)
        error = 0 if is_exact else error_of(empties, depth)
        entries.append(BookEntry(side * values[move], empties if is_exact else depth, error, False))
    return entries


def compare(own: int, opponent: int, depth: int, times: int = 10) -> int:
    """Return the value of a position by a search with at least `times` as many nodes as one of `depth` plies."""
    with _fresh_engine() as engine:
        _, result = _values(engine, own, opponent, Bounds(depth, exact_empties=depth))
        bounds = Bounds(exact_empties=depth + _LONGER, nodes=times * result.nodes)
        values, result = _values(engine, own, opponent, bounds)
    return values[result.move]
