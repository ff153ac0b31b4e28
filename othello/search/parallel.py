"""A search by simulations in several threads."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from othello.rules.protocol import Move
from othello.search.report import MoveStats
from othello.search.simulator import Simulator
from othello.search.stop import StopFlag


class ParallelSearch:
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

    def go_to(self, path: Sequence[tuple[NamedTuple, Move]], state: NamedTuple, seed: np.random.SeedSequence) -> bool:
        seeds = seed.spawn(len(self._simulators))
        kept = [simulator.go_to(path, state, own) for simulator, own in zip(self._simulators, seeds, strict=True)]
        return all(kept)

    def simulate(self, count: int, batch: int, stop: StopFlag) -> int:
        threads = len(self._simulators)
        shares = [count // threads + (index < count % threads) for index in range(threads)]
        running = [
            self._threads.submit(simulator.simulate, share, batch, stop)
            for simulator, share in zip(self._simulators, shares, strict=True)
            if share
        ]
        return sum(search.result() for search in running)

    def root_moves(self) -> list[MoveStats]:
        visits: dict[Move, int] = {}
        rewards: dict[Move, float] = {}
        for simulator in self._simulators:
            for stats in simulator.root_moves():
                visits[stats.move] = visits.get(stats.move, 0) + stats.visits
                rewards[stats.move] = rewards.get(stats.move, 0.0) + stats.visits * (stats.value or 0.0)
        return [MoveStats(move, n, rewards[move] / n if n else None) for move, n in sorted(visits.items())]

    def principal_variation(self, first: Move) -> tuple[Move, ...]:
        return max((simulator.principal_variation(first) for simulator in self._simulators), key=len)

    @property
    def nodes(self) -> int:
        return sum(simulator.nodes for simulator in self._simulators)

    @property
    def depth(self) -> int:
        return max(simulator.depth for simulator in self._simulators)

    @property
    def is_full(self) -> bool:
        return any(simulator.is_full for simulator in self._simulators)
