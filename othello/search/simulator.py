"""A search by simulations as players see it, alone or in several threads."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np

from othello.rules.protocol import Move
from othello.search.report import BoundTerms, MoveStats
from othello.search.stop import StopFlag

Path: TypeAlias = Sequence[tuple[NamedTuple, Move]]
"""A way from one position to another: each state, and the move made in it."""

Call: TypeAlias = tuple[Callable[..., Any], tuple[object, ...]]
"""A compiled function, or one that is chosen by the types of its arguments, and arguments."""

Halves: TypeAlias = tuple[Sequence[Call], Sequence[Call]]
"""What two processes begin with that compile together."""


class Simulator(Protocol):
    """A search by simulations from one position, told how many to run and asked what it found."""

    def clear(self) -> None:
        """Forget everything."""

    def set_root(self, path: Path, state: NamedTuple, seed: np.random.SeedSequence) -> bool:
        """Search from this position next, and keep the knowledge of it and its successors.

        Args:
            path: the way there from the position that the knowledge begins with, which is the same from one `clear` to
                the next.
            state: the position, not over.
            seed: for the simulations from here on.

        Returns:
            False if there was no room to keep what was known, and all of it is forgotten.
        """

    def simulate(self, count: int, batch: int, stop: StopFlag, among: Sequence[Move] = ()) -> int:
        """Run up to `count` >= 1 simulations, `batch` (1..MOST_AT_ONCE) at a time, and return how many were run.

        Args:
            among: moves that they begin with in turn, each as often as any other, but for one simulation. Where there
                is none, the search chooses.
        """

    def child_stats(self, line: Sequence[Move]) -> list[MoveStats]:
        """The findings about every move after a line from the position, in no order; nothing for an unknown line."""

    def close(self) -> None:
        """Give threads back. Nothing is asked of it any more."""
        return

    @property
    def nodes(self) -> int:
        """Positions stored."""

    @property
    def depth(self) -> int:
        """Plies of the longest path since `set_root`."""

    @property
    def is_full(self) -> bool:
        """Whether there was no room for a position; simulations then grow the store no further."""

    @property
    def memory(self) -> int:
        """Bytes that are set aside."""

    def root_moves(self) -> list[MoveStats]:
        """Every legal move with its visits and mean reward, in ascending order."""
        return sorted(self.child_stats(()), key=lambda stats: stats.move)

    def principal_variation(self, first: Move) -> tuple[Move, ...]:
        """A root move and the most visited way down from there, with no proven mistake where one is avoidable."""
        line = [first]
        while visited := [stats for stats in self.child_stats(line) if stats.visits]:
            line.append(max(visited, key=lambda stats: (stats.certainty, stats.visits)).move)
        return tuple(line)


def _together(parts: Sequence[MoveStats]) -> MoveStats:
    """What several searches know of one move; each chose by terms of its own, and their weighted means are told."""
    visits = sum(part.visits for part in parts)
    known = [(part.visits / visits, part.terms) for part in parts if part.terms is not None]
    columns = zip(*([share * (term or 0.0) for term in terms] for share, terms in known), strict=True)
    terms = BoundTerms(*map(sum, columns)) if known else None
    if terms is not None and known[0][1].variance is None:
        terms = terms._replace(variance=None)
    proven = next((part for part in parts if part.is_proven), None)
    if proven is not None:
        return replace(proven, visits=visits, terms=terms)
    reward = sum(part.visits * (part.value or 0.0) for part in parts)
    return MoveStats(parts[0].move, visits, reward / visits if visits else None, terms=terms)


class ParallelSearch(Simulator):
    """Several searches of the same position in threads of their own, whose results are added up.

    They share nothing while they run, so that a count of simulations gives the same result whichever of them is
    faster ("root parallelisation": Chaslot, Winands and van den Herik, "Parallel Monte-Carlo Tree Search", CG 2008).
    """

    def __init__(self, simulators: Sequence[Simulator]) -> None:
        self._simulators = simulators
        self._threads = ThreadPoolExecutor(len(simulators), thread_name_prefix="search")

    def clear(self) -> None:
        for simulator in self._simulators:
            simulator.clear()

    def set_root(self, path: Path, state: NamedTuple, seed: np.random.SeedSequence) -> bool:
        seeds = seed.spawn(len(self._simulators))
        kept = [simulator.set_root(path, state, own) for simulator, own in zip(self._simulators, seeds, strict=True)]
        return all(kept)

    def simulate(self, count: int, batch: int, stop: StopFlag, among: Sequence[Move] = ()) -> int:
        threads = len(self._simulators)
        running = []
        for index, simulator in enumerate(self._simulators):
            share = count // threads + (index < count % threads)
            if share:
                among = [*among[share % len(among) :], *among[: share % len(among)]] if among else ()
                running.append(self._threads.submit(simulator.simulate, share, batch, stop, among))
        return sum(search.result() for search in running)

    def child_stats(self, line: Sequence[Move]) -> list[MoveStats]:
        found: dict[Move, list[MoveStats]] = {}
        for simulator in self._simulators:
            for stats in simulator.child_stats(line):
                found.setdefault(stats.move, []).append(stats)
        return [_together(parts) for parts in found.values()]

    def close(self) -> None:
        self._threads.shutdown()

    @property
    def nodes(self) -> int:
        return sum(simulator.nodes for simulator in self._simulators)

    @property
    def depth(self) -> int:
        return max(simulator.depth for simulator in self._simulators)

    @property
    def is_full(self) -> bool:
        return any(simulator.is_full for simulator in self._simulators)

    @property
    def memory(self) -> int:
        return sum(simulator.memory for simulator in self._simulators)
