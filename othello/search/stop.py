"""Stopping, pausing and limiting the time of searches, and progress reports."""

from __future__ import annotations

import ctypes
import threading
import time
from _thread import start_new_thread
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Final, TypeVar
from weakref import WeakSet

from othello.kernel import HELD

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Result = TypeVar("Result")
News = TypeVar("News")


_Call: Final = ctypes.CFUNCTYPE(ctypes.c_int64)


class StopFlag:
    """A flag that one thread sets and a compiled search in another thread reads.

    A paused search, with all its threads, waits at its next check of the flag.

    Attributes:
        cell: int64 of shape (2,). The first element is 0 while the search may continue; kernels read it atomically. If
            it is `HELD`, they call the C function at the address in the second element, which waits and returns the new
            value of the first.
    """

    _CANCELLED = 1
    _TIME_IS_UP = 2

    def __init__(self) -> None:
        import numpy as np  # here: `othello --help` does not need numpy

        self.cell: NDArray[np.int64] = np.zeros(2, np.int64)
        self._may_run = threading.Event()
        self._may_run.set()
        cell, may_run = self.cell, self._may_run  # a reference to this flag would be a cycle
        self._callback = _Call(lambda: may_run.wait() and int(cell[0]) & ~HELD)  # kernels call it
        cell[1] = ctypes.cast(self._callback, ctypes.c_void_p).value or 0
        self._lock = threading.Lock()
        self._parts: WeakSet[StopFlag] = WeakSet()
        self._reasons = 0
        self._rest: tuple[float, float | None] = 0.0, None  # seconds paused before, and start of the current pause

    def part(self) -> StopFlag:
        """Return a flag for a part of the search. It can be set alone, and follows this flag."""
        part = StopFlag()
        with self._lock:
            self._parts.add(part)
            part._change(self._reasons, is_paused=self._rest[1] is not None)
        return part

    def cancel(self) -> None:
        """End the search without a final report, because its answer is not needed."""
        self._change(self._CANCELLED)

    def time_is_up(self) -> None:
        """End the search with the best move found so far."""
        self._change(self._TIME_IS_UP)

    def set_paused(self, is_paused: bool) -> None:
        """Pause the search, unless it is to end, or resume it."""
        self._change(is_paused=is_paused)

    def _change(self, reason: int = 0, is_paused: bool | None = None) -> None:
        with self._lock:
            before, since = self._rest
            if is_paused is True and since is None:
                self._rest = before, time.perf_counter()
            elif is_paused is False and since is not None:
                self._rest = before + time.perf_counter() - since, None
            self._reasons |= reason
            self.cell[0] = self._reasons | (HELD if self._rest[1] is not None else 0)
            (self._may_run.clear if self.cell[0] == HELD else self._may_run.set)()
            for part in self._parts:
                part._change(reason, is_paused)

    def wait(self) -> None:
        """Wait while the search is paused, as a kernel does."""
        self._may_run.wait()

    def clock(self) -> float:
        """Return a time in seconds that does not advance while the search is paused."""
        before, since = self._rest
        return (time.perf_counter() if since is None else since) - before

    @property
    def is_set(self) -> bool:
        return self._reasons != 0

    @property
    def is_paused(self) -> bool:
        return self._rest[1] is not None

    @property
    def is_cancelled(self) -> bool:
        return bool(self._reasons & self._CANCELLED)


def earliest(*limits: float | None) -> float | None:
    """Return the shortest of several time limits. None means no limit."""
    return min((limit for limit in limits if limit is not None), default=None)


_HEAD_START: Final = 0.005  # seconds from setting the flag to the answer
_NAP: Final = 0.008  # seconds between two measurements of the delay
_CAUTION: Final = 2.0  # the search thread may be delayed twice as long as the waiting thread
_MEMORY: Final = 0.9  # decay of a measured delay at each measurement


class Deadline:
    """Context manager that ends a search shortly before `seconds` have passed; None means never.

    A thread waits for the time, so that kernels need no clock. On a busy machine every thread is delayed. The waiting
    thread measures this delay whenever it wakes up and sets the flag correspondingly earlier, by at most half of
    `seconds`. While the search is paused, no time passes.
    """

    def __init__(self, seconds: float | None, stop: StopFlag) -> None:
        self._seconds = seconds
        self._stop = stop
        self._lock = threading.Lock()
        self._left = threading.Event()

    def __enter__(self) -> None:
        if self._seconds is not None:
            # `Thread.start` waits until the thread runs, which takes a quarter of a short search on a busy machine.
            start_new_thread(self._watch, (self._seconds, self._stop.clock()))

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._left.set()

    def _watch(self, seconds: float, began: float) -> None:
        delay = 0.0
        while True:
            self._stop.wait()
            now = self._stop.clock()
            head_start = min(_HEAD_START + _CAUTION * delay, seconds / 2)
            rest = began + seconds - head_start - now
            if rest <= 0.0:
                break
            nap = min(rest, _NAP)
            if self._left.wait(nap):
                return
            delay = max(self._stop.clock() - now - nap, _MEMORY * delay)
        with self._lock:  # the caller may have left the block in the meantime
            if not self._left.is_set():
                self._stop.time_is_up()


_PAUSE: Final = 0.25  # seconds between two progress reports


def watched(search: Callable[[], Result], stop: StopFlag, news: Callable[[], News]) -> Generator[News, None, Result]:
    """Run a compiled search in a thread and yield progress reports.

    Args:
        search: the function to call.
        stop: ends the search; set if the consumer abandons this generator.
        news: returns a progress report.

    Returns:
        The result of the search.
    """
    from concurrent.futures import ThreadPoolExecutor, wait  # here: the window opens faster without it

    with ThreadPoolExecutor(1, thread_name_prefix="search") as threads:
        running = threads.submit(search)
        try:
            while not wait([running], _PAUSE).done:
                yield news()
        finally:
            if not running.done():
                stop.cancel()
        return running.result()
