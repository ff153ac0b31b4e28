"""Several threads on one position: all search the same moves, and `sharing` tells how they do not do the same."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from othello.engine.endgame_search import AGE, CONFIDENCE, COUNTS, NODES, THREAD
from othello.engine.evaluation import write_numbers
from othello.engine.midgame import Search
from othello.engine.root import EngineRoot, judge_moves
from othello.engine.sharing import alone_in_cache
from othello.kernel.jit import Ints
from othello.rules.othello.kernels import Bitboard
from othello.search.stop import StopFlag


class Assistants:
    """Further threads, whose results nobody reads but in the table."""

    def __init__(self, search: Search, count: int) -> None:
        """Make `count` threads that share table, weights and margins with the first thread's search."""
        self._searches = [
            search._replace(
                keys=np.zeros_like(search.keys),
                counts=alone_in_cache(COUNTS),
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
        own: Bitboard,
        opponent: Bitboard,
        alpha: int,
        beta: int,
        depth: int,
        judge_all: bool,
        root: EngineRoot,
    ) -> int:
        """The result of `main`, during which the others search the same moves."""
        if self._threads is None:
            return main()
        flag, running = stop.part(), []
        for search in self._searches:
            write_numbers(own, opponent, search.numbers, 0)
            copy = EngineRoot._make(array.copy() for array in root)
            search = search._replace(stop=flag.cell)
            running.append(
                self._threads.submit(judge_moves, own, opponent, alpha, beta, depth, judge_all, copy, search)
            )
        try:
            return main()
        finally:
            flag.cancel()
            for assistant in running:
                assistant.result()
            self._searches[0].lines.fill(0)

    def follow(self, counts: Ints) -> None:
        """Take over age and confidence of the first thread's search; positions are counted from 0 when it begins."""
        for search in self._searches:
            search.counts[[AGE, CONFIDENCE]] = counts[[AGE, CONFIDENCE]]
            if counts[NODES] == 0:
                search.counts[NODES] = 0

    @property
    def nodes(self) -> int:
        """Positions visited by all of them."""
        return sum(int(search.counts[NODES]) for search in self._searches)
