"""The engine: iterative deepening of a position until a bound is reached, with reports."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from typing import Final, TypeAlias

import numpy as np

from othello.engine import weights
from othello.engine.abdada import alone_in_cache
from othello.engine.endgame_search import AGE, CONFIDENCE, COUNTS, LINE_ROWS, NODES, THREAD, Solver
from othello.engine.evaluation import Weights, write_numbers
from othello.engine.midgame import END_EMPTIES, EngineRoot, Search, best_first, judge_moves, new_root_moves, pvs
from othello.engine.patterns import STAGES, WEIGHTS
from othello.engine.probcut import CONSERVATIVE, margins
from othello.engine.transposition_table import EXACT, NO_MOVE, expected_move, new_table
from othello.frozen_dataclass import FrozenDataclass
from othello.kernel.decorators import Ints
from othello.rules.othello import Othello
from othello.rules.othello.scalar_bits import PASS, flips, mobility, squares
from othello.rules.protocol import Move
from othello.search.stop import StopFlag, watched

_LINE: Final = 80  # maximum plies of a line, with passes
_WINDOW: Final = 3  # half width of the aspiration window, in discs
_HARD_END: Final = 27  # empties from which a second selective pass to the end pays off
_QUICK: Final = 7  # depths that are too fast to skip
_FEW: Final = 20_000  # node count from which helper threads are used
_SILENT: Final = 500_000  # node count below which no progress is reported
_WON: Final = 63  # maximum value of the evaluation, in discs
_AGES: Final = 0x7FFF


Boards: TypeAlias = tuple[np.uint64, np.uint64]
Window: TypeAlias = tuple[int, int]


class Bounds(FrozenDataclass):
    """Limits of a search."""

    depth: int = 60  # plies in the middle game
    exact_empties: int = 60  # with at most this many empties, solve the position exactly
    nodes: int | None = None  # node count after which no further depth is started; None: no limit
    confidence: int = CONSERVATIVE  # of middle-game searches; EXACT: no selective pruning
    margin: float = 1.0  # factor of the ProbCut margins
    endgame_jump: int = 12  # plies skipped before the search to the end of the game


class EngineResult(FrozenDataclass):
    """The result of a search for the moves of a position."""

    root: EngineRoot  # the moves, best first; a copy for the caller
    depth: int  # plies of the last completed depth
    confidence: int  # EXACT, or less if selective
    is_solved: bool  # the value is the exact score of the game
    nodes: int  # positions visited

    @property
    def move(self) -> Move:
        """The best move."""
        return Move(int(self.root.square[0]))

    @property
    def value(self) -> int:
        """The value of the best move, in discs."""
        return int(self.root.value[0])

    @property
    def values(self) -> dict[Move, int]:
        """The values of all moves, best first. A value may be an upper bound."""
        return dict(zip(self.root.square.tolist(), self.root.value.tolist(), strict=True))


@cache
def shipped_weights() -> Weights:
    """Return the weights that ship with the program. They are read once."""
    return weights.load()


@cache
def no_weights() -> Weights:
    """Return zero weights for searches without the evaluation. They use no physical memory until they are read."""
    return np.zeros((STAGES, WEIGHTS), np.int16)


class HelperThreads:
    """Helper threads. They contribute through the transposition table only."""

    def __init__(self, search: Search, count: int) -> None:
        """Create `count` threads that share table, weights and margins with `search`."""
        self.searches = [
            search._replace(keys=search.keys.copy(), counts=alone_in_cache(COUNTS), numbers=search.numbers.copy())
            for _ in range(count)
        ]
        for number, assistant in enumerate(self.searches, start=1):
            assistant.counts[THREAD] = number
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="assistant") if count else None

    def search_in_parallel(
        self, judge: Callable[[EngineRoot, Search], int], stop: StopFlag, root: EngineRoot, search: Search
    ) -> int:
        """Return the main thread's result of `judge`, while helper threads run it on copies of the root."""
        if self._threads is None:
            return judge(root, search)
        flag, running = stop.part(), []
        for assistant in self.searches:
            assistant.numbers[0] = search.numbers[0]
            assistant.counts[[AGE, CONFIDENCE]] = search.counts[[AGE, CONFIDENCE]]
            copy = EngineRoot._make(array.copy() for array in root)
            running.append(self._threads.submit(judge, copy, assistant._replace(stop=flag.cell)))
        try:
            return judge(root, search)
        finally:
            flag.cancel()
            for future in running:
                future.result()
            self.searches[0].lines.fill(0)


class Engine:
    """A search with its transposition table."""

    def __init__(
        self, places: int, stop: StopFlag, weights: Weights | None = None, counts: Ints | None = None, threads: int = 1
    ) -> None:
        """Create an engine.

        Args:
            places: size of the table in positions, a power of two.
            stop: ends searches.
            weights: of the evaluation; None: the shipped ones.
            counts: int64 of shape (COUNTS,), all 0. The first element counts visited positions, for progress reports.
            threads: number of threads. Only a single thread is deterministic.
        """
        self.search = Search(
            new_table(places),
            np.zeros((LINE_ROWS + _LINE, Othello().max_moves), np.int64),
            alone_in_cache(COUNTS) if counts is None else counts,
            stop.cell,
            np.zeros((_LINE + 2, 2, 64), np.uint16),
            shipped_weights() if weights is None else weights,
            np.zeros_like(margins(EXACT)),
            np.zeros((threads, _LINE + 1), np.int64),
        )
        self.stop = stop
        self._assistants = HelperThreads(self.search, threads - 1)

    def set_stop_flag(self, stop: StopFlag) -> None:
        """Use another flag to end searches from now on."""
        self.stop = stop
        self.search = self.search._replace(stop=stop.cell)

    def forget(self) -> None:
        """Clear the table. Results then do not depend on earlier searches."""
        self.search.table.fill(0)
        self.search.counts.fill(0)

    def deepen(
        self,
        own: int,
        opponent: int,
        bounds: Bounds,
        judge_all: bool = False,
        tells: bool = False,
        order: Sequence[Move] | None = None,
    ) -> Iterator[EngineResult]:
        """Search a position that has moves with increasing depth.

        Args:
            own: discs of the side to move.
            opponent: discs of the other side.
            bounds: limits of the search.
            judge_all: find the value of every move.
            tells: also report progress within a long depth.
            order: all moves; preferred ones first if they are equally good.

        Yields:
            The result after each depth, and progress reports. The last one is the answer, also after a stop. The first
                depth is always completed.
        """
        search = self.search
        search.counts[AGE] = (search.counts[AGE] + 1) & _AGES
        if search.counts[AGE] == 0:
            search.table.fill(0)  # old entries would appear to be new
        for search_thread in self._searches:
            search_thread.counts[NODES] = 0
        root = new_root_moves(order or [*map(Move, squares(mobility(own, opponent)))])
        empties = 64 - (own | opponent).bit_count()
        value, done = 0, (0, 0)
        steps = list(_steps(empties, bounds))
        for step, (depth, confidence) in enumerate(steps):
            if abs(value) >= _WON and _QUICK < depth < empties == steps[-1][0]:
                continue  # only the end of the game can change the value
            if step and self._is_done(bounds):
                return
            boards = self._set_up(own, opponent)
            search.counts[CONFIDENCE] = confidence
            search.margins[:] = margins(confidence, bounds.margin)
            flag = self.stop if step else StopFlag()  # a new flag: the first depth is always completed
            width = 128 if depth <= 2 or judge_all else 1 if depth == empties else _WINDOW
            window = max(-64, value - width), min(64, value + width)
            for _ in self._search_moves(boards, window, depth, judge_all, root, tells, flag):
                yield EngineResult(best_first(root), *done, False, self.nodes)
            root = best_first(root)
            value = int(root.value[0])
            if not flag.is_set:
                done = depth, confidence
            yield EngineResult(best_first(root), *done, done == (empties, EXACT), self.nodes)

    def _is_done(self, bounds: Bounds) -> bool:
        return self.stop.is_set or (bounds.nodes is not None and self.nodes >= bounds.nodes)

    def _search_moves(
        self, boards: Boards, window: Window, depth: int, judge_all: bool, root: EngineRoot, tells: bool, stop: StopFlag
    ) -> Iterator[None]:
        """Search all moves in a window, which is widened if the value lies outside."""
        low, high = window
        search = self.search._replace(stop=stop.cell)
        while True:
            judge = partial(judge_moves, *boards, low, high, depth, judge_all)
            search_them = partial(judge, root, search)
            if self.nodes >= _FEW:
                search_them = partial(self._assistants.search_in_parallel, judge, stop, root, search)
            is_long = tells and self.nodes >= _SILENT
            value = (yield from watched(search_them, stop, lambda: None)) if is_long else search_them()
            if stop.is_set:
                return
            if value <= low > -64:
                low = max(-64, low - 4 * _WINDOW)
            elif value >= high < 64:
                high = min(64, high + 4 * _WINDOW)
            else:
                return

    def is_clear(self, own: int, opponent: int, result: EngineResult, margin: int) -> bool:
        """Return whether, by a search to half the depth, all other moves are at least `margin` discs worse."""
        others = new_root_moves(result.root.square[1:].tolist())
        bound = max(-64, result.value - margin)
        window, depth = (bound - 1, bound), max(1, result.depth // 2)
        value = judge_moves(*self._set_up(own, opponent), *window, depth, False, others, self.search)
        return bool(value < bound) and not self.stop.is_set

    def line(self, own: int, opponent: int, move: Move, length: int) -> tuple[Move, ...]:
        """Return a move and the best replies, as far as they are in the table."""
        moves: list[Move] = []
        while move != NO_MOVE and len(moves) < length:
            moves.append(move)
            turned = 0 if move == PASS else flips(own, opponent, move)
            placed = 0 if move == PASS else 1 << move
            own, opponent = opponent ^ turned, own | turned | placed
            if mobility(own, opponent):
                move = self.expected_move(own, opponent)
            elif mobility(opponent, own):
                move = PASS
            else:
                break
        return tuple(moves)

    def bound(self, own: int, opponent: int, alpha: int) -> int:
        """Return a bound of the exact score that is > alpha exactly if the score is. Meaningless after a stop."""
        self.search.counts[CONFIDENCE] = EXACT
        empties = 64 - (own | opponent).bit_count()
        return int(pvs(*self._set_up(own, opponent), alpha, alpha + 1, empties, 0, 1, self.search))

    def _set_up(self, own: int, opponent: int) -> Boards:
        """Write the sums of a position to ply 0, and return its boards for kernels."""
        boards = np.uint64(own), np.uint64(opponent)
        write_numbers(*boards, self.search.numbers, 0)
        return boards

    def expected_move(self, own: int, opponent: int) -> Move:
        """Return the best move of a position according to the table, or NO_MOVE."""
        return Move(int(expected_move(self.search.table, np.uint64(own), np.uint64(opponent))))

    @property
    def solver(self) -> Solver:
        """The part of the engine that end-game searches use."""
        return Solver(*self.search[:4])

    @property
    def _searches(self) -> list[Search]:
        """The search of the main thread and those of the helper threads."""
        return [self.search, *self._assistants.searches]

    @property
    def nodes(self) -> int:
        """Positions visited since the search began."""
        return sum(int(search.counts[NODES]) for search in self._searches)


def _steps(empties: int, bounds: Bounds) -> Iterator[tuple[int, int]]:
    """Yield the depths and confidences to search."""
    reaches_end = empties <= max(bounds.exact_empties, 1)  # with one empty square any depth reaches the end
    deepest = min(bounds.depth, empties)
    if reaches_end:
        deepest = min(deepest, max(empties - bounds.endgame_jump, 1))
    for depth in range(1, deepest + 1):
        if depth < empties:
            yield depth, bounds.confidence
    if reaches_end:
        if empties > END_EMPTIES:
            yield empties, CONSERVATIVE
        if empties >= _HARD_END:
            yield empties, CONSERVATIVE + 1
        yield empties, EXACT
