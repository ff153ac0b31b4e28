"""How a search is told to end, how long it may take, and how it is watched meanwhile."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor, wait
from types import TracebackType
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Result = TypeVar("Result")
News = TypeVar("News")


class StopFlag:
    """A flag that one thread sets and a compiled search in another one reads.

    Attributes:
        cell: int64 of shape (1,): 0 while the search may go on. Kernels read it atomically.
    """

    _CANCELLED = 1
    _TIME_IS_UP = 2

    def __init__(self) -> None:
        import numpy as np  # here, for a program that is only asked for --help

        self.cell: NDArray[np.int64] = np.zeros(1, np.int64)
        self._parts: tuple[StopFlag, ...] = ()

    def part(self) -> StopFlag:
        """A flag for the first part of a search: it can be set alone, and is set when the whole is."""
        part = StopFlag()
        self._parts = (part,)
        part.cell[0] |= self.cell[0]  # last, so that nothing is missed
        return part

    def cancel(self) -> None:
        """The answer is no longer wanted. The search ends without a final report."""
        self._set(self._CANCELLED)

    def time_is_up(self) -> None:
        """The answer is wanted now. The search ends with the best move found so far."""
        self._set(self._TIME_IS_UP)

    def _set(self, reason: int) -> None:
        for flag in (self, *self._parts):
            flag.cell[0] |= reason

    @property
    def is_set(self) -> bool:
        return bool(self.cell[0])

    @property
    def is_cancelled(self) -> bool:
        return bool(self.cell[0] & self._CANCELLED)


def earliest(*limits: float | None) -> float | None:
    """The shortest of several time limits, of which None is none."""
    return min((limit for limit in limits if limit is not None), default=None)


_HEAD_START: Final = 0.005  # seconds before a limit: from the flag to the answer
_NAP: Final = 0.008  # seconds between two looks at how busy the machine is
_CAUTION: Final = 2.0  # the search's thread may be kept waiting for so many times as long as the watching one was
_MEMORY: Final = 0.9  # so much of an earlier delay is still expected at the next look


class Deadline:
    """While entered, tells a search that its time is up shortly before `seconds` have passed; None never does.

    A thread waits for the moment, so that the kernel needs no clock: it only looks at the flag. On a busy machine
    every thread is kept waiting for its turn. The watching one sees how long that takes whenever it wakes, and
    gives the flag so much earlier, at most by half of `seconds`.
    """

    def __init__(self, seconds: float | None, stop: StopFlag) -> None:
        self._seconds = seconds
        self._stop = stop
        self._lock = threading.Lock()
        self._left = threading.Event()

    def __enter__(self) -> None:
        if self._seconds is not None:
            threading.Thread(target=self._watch, args=(self._seconds, time.perf_counter()), daemon=True).start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._left.set()

    def _watch(self, seconds: float, began: float) -> None:
        delay = 0.0
        while True:
            now = time.perf_counter()
            head_start = min(_HEAD_START + _CAUTION * delay, seconds / 2)
            rest = began + seconds - head_start - now
            if rest <= 0.0:
                break
            nap = min(rest, _NAP)
            if self._left.wait(nap):
                return
            delay = max(time.perf_counter() - now - nap, _MEMORY * delay)
        with self._lock:  # nobody may be told who has gone on to something else
            if not self._left.is_set():
                self._stop.time_is_up()


_PAUSE: Final = 0.25  # seconds between two pieces of news


def watched(search: Callable[[], Result], stop: StopFlag, news: Callable[[], News]) -> Generator[News, None, Result]:
    """Run a compiled search in a thread of its own, and tell now and then how far it is.

    Args:
        search: what to run.
        stop: ends it. It is set when nobody waits for the result any more.
        news: what is told.

    Returns:
        What the search does.
    """
    with ThreadPoolExecutor(1, thread_name_prefix="search") as threads:
        running = threads.submit(search)
        try:
            while not wait([running], _PAUSE).done:
                yield news()
        finally:
            if not running.done():
                stop.cancel()
        return running.result()
