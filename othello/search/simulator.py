"""The interface of searches by simulations, and a search in several threads."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np

from othello.rules.protocol import Move
from othello.search.report import BoundTerms, MoveStats
from othello.search.stop import StopFlag

# The states from one position to another, each with the move made in it.
Path: TypeAlias = Sequence[tuple[NamedTuple, Move]]

# A kernel, or a generic function of `rules.compiled`, with arguments.
Call: TypeAlias = tuple[Callable[..., Any], tuple[object, ...]]

# The work of compiling a search, divided between two processes.
Halves: TypeAlias = tuple[Sequence[Call], Sequence[Call]]


class Simulator(Protocol):
    """A search by simulations from a root position."""

    def clear(self) -> None:
        """Drop everything that was learned."""

    def set_root(self, path: Path, state: NamedTuple, seed: np.random.SeedSequence) -> bool:
        """Make a position the root, and keep the results for it and for later positions.

        Args:
            path: states and moves to the position from the start of the stored knowledge, which is the same between two
                calls of `clear`.
            state: the position; the game is not over.
            seed: for the simulations from this root.

        Returns:
            False if there was no room, and everything was dropped.
        """

    def simulate(self, count: int, batch: int, stop: StopFlag, among: Sequence[Move] = ()) -> int:
        """Run simulations and return how many were run.

        Args:
            count: maximum number, at least 1.
            batch: simulations in a batch, 1 to `MAX_BATCH_SIZE`.
            stop: ends the run.
            among: root moves that simulations begin with in turn; empty: the search selects them.
        """

    def child_stats(self, line: Sequence[Move]) -> list[MoveStats]:
        """Return the statistics of all moves after a line from the root, in any order. Empty for an unknown line."""

    def close(self) -> None:
        """Release threads. The search is not used afterwards."""
        return

    @property
    def nodes(self) -> int:
        """Number of stored positions."""

    @property
    def depth(self) -> int:
        """Plies of the longest path since `set_root`."""

    @property
    def is_full(self) -> bool:
        """True if there was no room for a position. Simulations then do not extend the store."""

    @property
    def memory(self) -> int:
        """Allocated bytes."""

    def root_moves(self) -> list[MoveStats]:
        """Return all legal moves with visits and mean reward, in ascending order."""
        return sorted(self.child_stats(()), key=lambda stats: stats.move)

    def principal_variation(self, first: Move) -> tuple[Move, ...]:
        """Return a root move and the most visited line after it. Proven mistakes are avoided if possible."""
        line = [first]
        while visited := [stats for stats in self.child_stats(line) if stats.visits]:
            line.append(max(visited, key=lambda stats: (stats.certainty, stats.visits)).move)
        return tuple(line)


def _mean_terms(shares: Sequence[tuple[float, BoundTerms]]) -> BoundTerms | None:
    """Return the mean of bound terms, given with their shares of the visits."""
    if not shares:
        return None
    columns = zip(*([share * (term or 0.0) for term in terms] for share, terms in shares), strict=True)
    mean = BoundTerms(*map(sum, columns))
    return mean if shares[0][1].variance is not None else mean._replace(variance=None)


def _combined(parts: Sequence[MoveStats]) -> MoveStats:
    """Return the combined statistics of one move from several searches. Bound terms are averaged by visits."""
    visits = sum(part.visits for part in parts)
    terms = _mean_terms([(part.visits / visits, part.terms) for part in parts if part.terms is not None])
    proven = next((part for part in parts if part.is_proven), None)
    if proven is not None:
        return replace(proven, visits=visits, terms=terms)
    reward = sum(part.visits * (part.value or 0.0) for part in parts)
    return MoveStats(parts[0].move, visits, reward / visits if visits else None, terms=terms)


class ParallelSearch(Simulator):
    """Independent searches of the same position in several threads, with added results.

    The searches share nothing, so that the result for a number of simulations does not depend on their speed ("root
    parallelisation": Chaslot, Winands and van den Herik, "Parallel Monte-Carlo Tree Search", CG 2008).
    """

    def __init__(self, simulators: Sequence[Simulator]) -> None:
        self._simulators = simulators
        self._threads = ThreadPoolExecutor(len(simulators), thread_name_prefix="search")

    def clear(self) -> None:
        for simulator in self._simulators:
            simulator.clear()

    def set_root(self, path: Path, state: NamedTuple, seed: np.random.SeedSequence) -> bool:
        seeds = seed.spawn(len(self._simulators))
        reused = [simulator.set_root(path, state, own) for simulator, own in zip(self._simulators, seeds, strict=True)]
        return all(reused)

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
        by_move: dict[Move, list[MoveStats]] = {}
        for simulator in self._simulators:
            for stats in simulator.child_stats(line):
                by_move.setdefault(stats.move, []).append(stats)
        return [_combined(parts) for parts in by_move.values()]

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
