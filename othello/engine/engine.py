"""The engine: searches a position deeper and deeper until it reaches a bound, and reports what it found."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from typing import Final

import numpy as np

from othello.engine import weights
from othello.engine.abdada import alone_in_cache, new_lines
from othello.engine.endgame_search import AGE, CONFIDENCE, COUNTS, LINE_ROWS, NODES, THREAD, Solver
from othello.engine.evaluation import Weights, write_numbers
from othello.engine.midgame import END_EMPTIES, EngineRoot, Search, best_first, judge_moves, new_root_moves, pvs
from othello.engine.patterns import STAGES, WEIGHTS
from othello.engine.probcut import CAUTIOUS, margins
from othello.engine.transposition_table import EXACT, NO_MOVE, expected_move, new_table
from othello.kernel.decorators import Ints
from othello.rules.othello import Othello
from othello.rules.othello.scalar_bits import PASS, flips, mobility, squares
from othello.rules.protocol import Move
from othello.search.stop import StopFlag, watched

_LINE: Final = 80  # plies of a line, passes included
_WINDOW: Final = 3  # how far a value is expected from that of the depth before
_HARD_END: Final = 27  # empty squares from which a second selective pass to the end saves more than it costs
_QUICK: Final = 7  # plies that no one has to wait for
_FEW: Final = 20_000  # positions after which a search is long enough for further threads to be of use
_SILENT: Final = 500_000  # positions during which no one waits for long enough to be told of it
_WON: Final = 63  # discs: the evaluation cannot be surer
_AGES: Final = 0x7FFF


@dataclass(frozen=True, slots=True)
class Bounds:
    """How far a search goes."""

    depth: int = 60  # plies in the middle game
    exact_empties: int = 60  # up to this many empty squares, the search goes to the end, the last pass without risk
    nodes: int | None = None  # positions after which no deeper search is begun; None: no bound
    confidence: int = CAUTIOUS  # of the search in the middle game; EXACT takes no risks
    margin: float = 1.0  # the factor of the margins by which a shallow search may stand in for a deep one
    endgame_jump: int = 12  # plies skipped to reach the end of the game, the fewer the sooner time may be up


@dataclass(frozen=True, slots=True)
class EngineResult:
    """What the search knows of a position's moves."""

    root: EngineRoot  # the moves, best first; the receiver may change it
    depth: int  # plies of the last depth that was finished
    confidence: int  # EXACT, or less for a selective search
    is_solved: bool  # whether the value is the exact score of the game
    nodes: int  # positions visited since the search began

    @property
    def move(self) -> Move:
        """The best move."""
        return int(self.root.square[0])

    @property
    def value(self) -> int:
        """The best move's, in discs."""
        return int(self.root.value[0])

    @property
    def values(self) -> dict[Move, int]:
        """The values of all moves, best first. A value may be an upper bound."""
        return dict(zip(self.root.square.tolist(), self.root.value.tolist(), strict=True))


@cache
def shipped_weights() -> Weights:
    """The weights that come with the program; read once."""
    return weights.load()


@cache
def no_weights() -> Weights:
    """Weights for searches without the evaluation. They take no memory until a search touches them."""
    return np.zeros((STAGES, WEIGHTS), np.int16)


class HelperThreads:
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
        self, judge: Callable[[EngineRoot, Search], int], stop: StopFlag, root: EngineRoot, search: Search
    ) -> int:
        """What `judge` returns for the first thread's search, while the others judge copies of the same moves."""
        if self._threads is None:
            return judge(root, search)
        flag, running = stop.part(), []
        for assistant in self._searches:
            assistant.numbers[0] = search.numbers[0]
            copy = EngineRoot._make(array.copy() for array in root)
            running.append(self._threads.submit(judge, copy, assistant._replace(stop=flag.cell)))
        try:
            return judge(root, search)
        finally:
            flag.cancel()
            for future in running:
                future.result()
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


class Engine:
    """A search with its memory."""

    def __init__(
        self, places: int, stop: StopFlag, weights: Weights | None = None, counts: Ints | None = None, threads: int = 1
    ) -> None:
        """Make an engine.

        Args:
            places: positions that it remembers, a power of two.
            weights: of the evaluation; the shipped ones if None.
            counts: of shape (COUNTS,), all 0; the first counts positions, for those who wait.
            threads: how many search. With one thread the same question gets the same answer.
        """
        # what all searches need of the engine; its flag lives as long as the engine
        self.search = Search(
            new_table(places),
            np.zeros((LINE_ROWS + _LINE, Othello().max_moves), np.int64),
            alone_in_cache(COUNTS) if counts is None else counts,
            stop.cell,
            np.zeros((_LINE + 2, 2, 64), np.uint16),
            shipped_weights() if weights is None else weights,
            np.zeros_like(margins(EXACT)),
            new_lines(threads, _LINE),
        )
        self._stop = stop
        self._assistants = HelperThreads(self.search, threads - 1)

    def set_stop_flag(self, stop: StopFlag) -> None:
        """Let another flag end searches from now on."""
        self._stop = stop
        self.search = self.search._replace(stop=stop.cell)

    def forget(self) -> None:
        """Forget all positions, so that an answer does not depend on earlier ones."""
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
        """Search a position that has moves deeper and deeper.

        Args:
            judge_all: find every move's value.
            tells: also report progress within a depth that takes long.
            order: all moves; of equally good moves the preferred ones first.

        Yields:
            The findings after every depth, and in between. The last findings are the answer, also after a stop. The
            first depth is always finished.
        """
        search = self.search
        search.counts[AGE] = (search.counts[AGE] + 1) & _AGES
        if search.counts[AGE] == 0:
            search.table.fill(0)  # what is old would seem younger than all that is to come
        search.counts[NODES] = 0
        root = new_root_moves(order or list(squares(mobility(own, opponent))))
        empties = 64 - (own | opponent).bit_count()
        value, done = 0, (0, 0)
        steps = list(_steps(empties, bounds))
        for step, (depth, confidence) in enumerate(steps):
            if abs(value) >= _WON and _QUICK < depth < empties == steps[-1][0]:
                continue  # the end alone can tell more
            if step and (self._stop.is_set or (bounds.nodes is not None and self.nodes >= bounds.nodes)):
                return
            write_numbers(np.uint64(own), np.uint64(opponent), search.numbers, 0)
            search.counts[CONFIDENCE] = confidence
            search.margins[:] = margins(confidence, bounds.margin)
            self._assistants.follow(search.counts)
            flag = self._stop if step else StopFlag()  # the first depth is always finished
            for _ in self._search_moves(own, opponent, value, depth, judge_all, root, tells, flag):
                yield EngineResult(best_first(root), *done, False, self.nodes)
            root = best_first(root)
            value = int(root.value[0])
            if not flag.is_set:
                done = depth, confidence
            yield EngineResult(best_first(root), *done, done == (empties, EXACT), self.nodes)

    def _search_moves(
        self,
        own: int,
        opponent: int,
        guess: int,
        depth: int,
        judge_all: bool,
        root: EngineRoot,
        tells: bool,
        stop: StopFlag,
    ) -> Iterator[None]:
        """Search all moves in a window around the guess. The window opens if the value lies outside."""
        low, high = -64, 64
        if depth > 2 and not judge_all:
            width = 1 if depth == 64 - (own | opponent).bit_count() else _WINDOW
            low, high = max(low, guess - width), min(high, guess + width)
        search = self.search._replace(stop=stop.cell)
        while True:
            judge = partial(judge_moves, np.uint64(own), np.uint64(opponent), low, high, depth, judge_all)
            search_them = partial(judge, root, search)
            if self.nodes >= _FEW:
                search_them = partial(self._assistants.beside, judge, stop, root, search)
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

    def is_clear(self, own: int, opponent: int, found: EngineResult, margin: int) -> bool:
        """Whether a search to half the depth shows that no other move comes within `margin` discs of the best."""
        search = self.search
        write_numbers(np.uint64(own), np.uint64(opponent), search.numbers, 0)
        others = new_root_moves(found.root.square[1:].tolist())
        bound = max(-64, found.value - margin)
        arguments = (bound - 1, bound, max(1, found.depth // 2), False, others, search)
        return bool(judge_moves(np.uint64(own), np.uint64(opponent), *arguments) < bound) and not self._stop.is_set

    def line(self, own: int, opponent: int, move: Move, length: int) -> tuple[Move, ...]:
        """A move and the best replies, as far as they are remembered."""
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
        """A bound of the exact score, > alpha exactly if the score is > alpha. Meaningless after a stop."""
        search = self.search
        search.counts[CONFIDENCE] = EXACT
        write_numbers(np.uint64(own), np.uint64(opponent), search.numbers, 0)
        empties = 64 - (own | opponent).bit_count()
        return int(pvs(np.uint64(own), np.uint64(opponent), alpha, alpha + 1, empties, 0, 1, search))

    def expected_move(self, own: int, opponent: int) -> Move:
        """The best move of a position by the table; NO_MOVE if it has none."""
        return int(expected_move(self.search.table, np.uint64(own), np.uint64(opponent)))

    @property
    def solver(self) -> Solver:
        """What searches to the end need of the engine."""
        return Solver(*self.search[:4])

    @property
    def is_stopped(self) -> bool:
        return self._stop.is_set

    @property
    def nodes(self) -> int:
        """Positions visited since the search began."""
        return int(self.search.counts[NODES]) + self._assistants.nodes


def _steps(empties: int, bounds: Bounds) -> Iterator[tuple[int, int]]:
    """Depths and confidences to search with, one after the other."""
    reaches_end = empties <= max(bounds.exact_empties, 1)  # one square is left: any depth is the end
    deepest = min(bounds.depth, empties)
    if reaches_end:
        deepest = min(deepest, max(empties - bounds.endgame_jump, 1))
    for depth in range(1, deepest + 1):
        if depth < empties:
            yield depth, bounds.confidence
    if reaches_end:
        if empties > END_EMPTIES:
            yield empties, CAUTIOUS
        if empties >= _HARD_END:
            yield empties, CAUTIOUS + 1
        yield empties, EXACT
