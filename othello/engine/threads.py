"""Several threads on one position: each searches all of it, and they help each other through the table they share.

Source: "Lazy SMP", https://www.chessprogramming.org/Lazy_SMP
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait

import numpy as np
from numpy.typing import NDArray

from othello.engine.endgame_search import AGE, CONFIDENCE, NODES, THREAD
from othello.engine.evaluation import write_numbers
from othello.engine.midgame import Search
from othello.engine.root import RootMoves, judge_moves
from othello.search.stop import StopFlag


class Assistants:
    """Further threads, whose results nobody reads but in the table."""

    def __init__(self, search: Search, count: int) -> None:
        """Make threads.

        Args:
            search: the first thread's; table, weights and margins are shared with it.
            count: how many more.
        """
        self._searches = [
            search._replace(
                keys=np.zeros_like(search.keys),
                counts=np.zeros_like(search.counts),
                numbers=np.zeros_like(search.numbers),
            )
            for _ in range(count)
        ]
        for number, assistant in enumerate(self._searches, start=1):
            assistant.counts[THREAD] = number
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="assistant") if count else None

    def beside(
        self,
        main: Callable[[], int],
        stop: StopFlag,
        own: int,
        opponent: int,
        window: tuple[int, int],
        depth: int,
        root: RootMoves,
    ) -> int:
        """The result of `main`, during which the others search the same moves; every second of them a ply deeper."""
        if self._threads is None:
            return main()
        deepest = 64 - (own | opponent).bit_count()
        flag, running = stop.part(), []
        for number, search in enumerate(self._searches):
            write_numbers(np.uint64(own), np.uint64(opponent), search.numbers, 0)
            copy = RootMoves(
                root.square.copy(), root.value.copy(), root.exact.copy(), root.nodes.copy(), root.searched.copy()
            )
            deeper = min(depth + number % 2, deepest)  # alone, one helps most at the same depth
            arguments = (np.uint64(own), np.uint64(opponent), *window, deeper, False, copy)
            running.append(self._threads.submit(judge_moves, *arguments, search._replace(stop=flag.cell)))
        try:
            return main()
        finally:
            flag.cancel()
            wait(running)

    def follow(self, counts: NDArray[np.int64]) -> None:
        """Take over age and confidence of the first thread's search; positions are counted from 0 when it begins."""
        for search in self._searches:
            search.counts[[AGE, CONFIDENCE]] = counts[[AGE, CONFIDENCE]]
            if counts[NODES] == 0:
                search.counts[NODES] = 0

    @property
    def nodes(self) -> int:
        """Positions visited by all of them."""
        return sum(int(search.counts[NODES]) for search in self._searches)
