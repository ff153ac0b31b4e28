"""Making a book: which positions to search next, and what their values say of all positions before them.

Best first: a position is opened, which means that all its moves are searched, the sooner the less the line to it
deviates from the one that would be played. A line costs a ply for each move and DEVIATION for each disc that its moves
lose; the leaf with the cheapest line comes next. Values go back to the start as in any game tree, and with them what a
deviation costs.

Source: Lincke, "Strategies for the Automatic Construction of Opening Books", Computers and Games 2000, LNCS 2063, with
one cost for both sides, who both may deviate.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from othello.engine.book import START, Boards, BookEntry, Known, after, canonical, legal
from othello.engine.engine import Bounds, Engine, EngineResult
from othello.engine.probcut import MIDDLE, deviation
from othello.rules.othello.scalar_bits import mobility
from othello.rules.protocol import Move
from othello.search.stop import StopFlag

DEVIATION: Final = 2.0  # plies that a line is searched less deep for a disc that its moves lose
BATCH: Final = 64  # positions that are opened before the next are chosen, however many processes share them
_LEAST_EMPTIES: Final = 24  # the engine solves what has fewer empty squares
_TIE: Final = 1  # discs by which a move may be worse and still be played
_LONGER: Final = 4  # plies that a search reaches further in ten times the time
_PLACES: Final = 1 << 19
_MASK: Final = (1 << 64) - 1
_idle: Final[list[Engine]] = []

Task = tuple[int, int, list[Move], int]
"""A position, the moves to judge, and how many plies deep."""
Searching = Callable[[Callable[[Task], list[BookEntry]], Iterable[Task]], Iterable[list[BookEntry]]]
"""What does tasks, perhaps in other processes: `map`, or what behaves like it."""


@dataclass(slots=True, eq=False)
class BookNode:
    """A position of a book in the making."""

    boards: Boards
    value: int
    depth: int
    error: int
    moves: list[tuple[int, BookNode]] | None = (
        None  # -1, or 1 after a pass, and what follows; None where it is not open
    )
    cost: float = math.inf  # of the cheapest line to it

    @property
    def discs(self) -> int:
        return (self.boards[0] | self.boards[1]).bit_count()

    def settle(self) -> None:
        """Take the value of the best move, and the least depth of the moves that are as good."""
        if self.moves:
            self.value, best = max(((side * node.value, node) for side, node in self.moves), key=lambda each: each[0])
            good = (node.depth for side, node in self.moves if side * node.value >= self.value - _TIE)
            self.depth, self.error = 1 + min(good), best.error


class BookBuilder:
    """A book in the making. What comes of it depends on depth and seed alone, not on who searches, or on pauses."""

    def __init__(self, depth: int, seed: int, known: Known | None = None) -> None:
        """Begin with what is known, or with the start position alone."""
        self.depth, self.seed = depth, seed
        self._root = BookNode(canonical(*START), 0, 0, 1)
        self.nodes = {boards: BookNode(boards, *entry[:3]) for boards, entry in (known or {}).items()}
        self._root = self.nodes.setdefault(self._root.boards, self._root)
        self._open: list[list[BookNode]] = [[] for _ in range(65)]  # by the number of discs
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
        """Let values go back to the start."""
        for nodes in reversed(self._open):
            for node in nodes:
                node.settle()

    def _next(self) -> list[BookNode]:
        """The leaves to open, those with the cheapest lines; of equals the seed decides."""
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
            if node.moves is None and node.error and node.cost < math.inf and 64 - node.discs > _LEAST_EMPTIES
        )
        return heapq.nsmallest(BATCH, leaves, key=lambda node: (node.cost, self._lot(node)))

    def _lot(self, node: BookNode) -> int:
        own, opponent = node.boards
        mixed = (own * 0x9E3779B97F4A7C15 ^ opponent * 0xC2B2AE3D27D4EB4F ^ self.seed * 0x165667B19E3779F9) & _MASK
        return (mixed ^ mixed >> 29) * 0xBF58476D1CE4E5B9 & _MASK

    def grow(self, positions: int, search: Searching) -> Iterator[int]:
        """Open leaves until the book has so many positions; how many it has, after every batch."""
        while len(self.nodes) < positions and (leaves := self._next()):
            tasks = [(*node.boards, self._unknown(node), self.depth) for node in leaves]
            found = list(search(judge, tasks))  # all of them: a batch that is interrupted leaves nothing behind
            for node, (_, _, moves, _), entries in zip(leaves, tasks, found, strict=True):
                for move, entry in zip(moves, entries, strict=True):
                    boards = canonical(*after(*node.boards, move)[:2])
                    known = self.nodes.setdefault(boards, BookNode(boards, *entry[:3]))
                    if known.moves is None and known.depth < entry.depth:
                        known.value, known.depth, known.error = entry[:3]
                self._link(node)
            self._settle()
            yield len(self.nodes)

    def _unknown(self, node: BookNode) -> list[Move]:
        """The moves that were not searched, or less deep."""
        found = []
        for move in legal(*node.boards):
            known = self.nodes.get(canonical(*after(*node.boards, move)[:2]))
            if known is None or (known.moves is None and known.error and known.depth < self.depth):
                found.append(move)
        return found

    @property
    def known(self) -> Known:
        """What the book says of all positions."""
        return {
            boards: BookEntry(node.value, min(node.depth, 60), node.error, node.moves is not None)
            for boards, node in self.nodes.items()
        }


def error_of(empties: int, depth: int) -> int:
    """The class of a search's error: how far a search of ten times the time may be off, rounded up."""
    return math.ceil(deviation(MIDDLE, empties, min(empties, depth + _LONGER), depth))


@contextmanager
def _fresh_engine() -> Iterator[Engine]:
    """An engine that nobody else uses meanwhile: a worker of a cluster may have several threads."""
    engine = _idle.pop() if _idle else Engine(_PLACES, StopFlag())
    engine.forget()
    yield engine
    _idle.append(engine)


def _values(
    engine: Engine, own: int, opponent: int, bounds: Bounds, moves: list[Move] | None = None
) -> tuple[dict[Move, int], EngineResult]:
    """The values of moves, or of all with the best's exact, and what the search found last.

    A value is the mean of the last two depths: searches of an even number of plies see less than those of an odd one.
    """
    findings = list(engine.deepen(own, opponent, bounds, judge_all=moves is not None, order=moves))
    found, former = findings[-1].values, findings[-2:][0].values
    if findings[-1].is_solved:
        return found, findings[-1]
    return {move: round((former[move] + value) / 2) for move, value in found.items()}, findings[-1]


def judge(task: Task) -> list[BookEntry]:
    """What follows each of some moves, for who is to move then. The same task gets the same answer everywhere."""
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
    """A position's value by a search that visits `times` as many positions as one to a depth, or more."""
    with _fresh_engine() as engine:
        _, found = _values(engine, own, opponent, Bounds(depth, exact_empties=depth))
        bounds = Bounds(exact_empties=depth + _LONGER, nodes=times * found.nodes)
        values, found = _values(engine, own, opponent, bounds)
    return values[found.move]
