"""How a search is told to end, how long it may take, and how it is watched meanwhile."""

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


class _Gate:
    """Where a search that is held stands still."""

    def __init__(self, cell: NDArray[np.int64]) -> None:
        is_open = threading.Event()

        def stand_still() -> int:
            is_open.wait()
            return int(cell[0]) & ~HELD

        self.is_open = is_open
        self._called = _Call(stand_still)  # lives for as long as a kernel may call it
        cell[1] = ctypes.cast(self._called, ctypes.c_void_p).value or 0


class StopFlag:
    """A flag that one thread sets and a compiled search in another one reads.

    While it is held, a search stands still where it next looks at the flag, with all its threads, and goes on from
    there once it is not.

    Attributes:
        cell: int64 of shape (2,). The first is 0 while the search may go on; kernels read it atomically. Where it is
            `HELD`, they call what the second is the address of, which waits and returns what the first is then.
    """

    _CANCELLED = 1
    _TIME_IS_UP = 2

    def __init__(self) -> None:
        import numpy as np  # here, for a program that is only asked for --help

        self.cell: NDArray[np.int64] = np.zeros(2, np.int64)
        self._gate: _Gate | None = None  # made when it is needed: most searches are short, and none of them is held
        self._lock = threading.Lock()
        self._parts: WeakSet[StopFlag] = WeakSet()
        self._reasons = 0
        self._rest: tuple[float, float | None] = 0.0, None  # seconds that it was held before, and since when it is now

    def part(self) -> StopFlag:
        """A flag for a part of a search: it can be set alone, and is set and held when the whole is."""
        part = StopFlag()
        with self._lock:
            self._parts.add(part)
            part._change(self._reasons, is_paused=self._rest[1] is not None)
        return part

    def cancel(self) -> None:
        """The answer is no longer wanted. The search ends without a final report."""
        self._change(self._CANCELLED)

    def time_is_up(self) -> None:
        """The answer is wanted now. The search ends with the best move found so far."""
        self._change(self._TIME_IS_UP)

    def set_paused(self, is_paused: bool) -> None:
        """The search stands still, unless it is to end; or goes on."""
        self._change(is_paused=is_paused)

    def _change(self, reason: int = 0, is_paused: bool | None = None) -> None:
        with self._lock:
            before, since = self._rest
            if is_paused is True and since is None:
                self._rest = before, time.perf_counter()
            elif is_paused is False and since is not None:
                self._rest = before + time.perf_counter() - since, None
            self._reasons |= reason
            if is_paused and self._gate is None:
                self._gate = _Gate(self.cell)
            self.cell[0] = self._reasons | (HELD if self._rest[1] is not None else 0)
            if self._gate is not None and self.cell[0] == HELD:
                self._gate.is_open.clear()
            elif self._gate is not None:
                self._gate.is_open.set()
            for part in self._parts:
                part._change(reason, is_paused)

    def wait(self) -> None:
        """Stand still where a kernel would."""
        if self._gate is not None:
            self._gate.is_open.wait()

    def clock(self) -> float:
        """Seconds since some moment; the time for which the search was held does not count."""
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
    """The shortest of several time limits; None stands for no limit."""
    return min((limit for limit in limits if limit is not None), default=None)


_HEAD_START: Final = 0.005  # seconds before a limit: from the flag to the answer
_NAP: Final = 0.008  # seconds between two looks at how busy the machine is
_CAUTION: Final = 2.0  # the search's thread may wait for its turn twice as long as the watching thread did
_MEMORY: Final = 0.9  # so much of an earlier delay is still expected at the next look


class Deadline:
    """While entered, tells a search that its time is up shortly before `seconds` have passed; None never does.

    A thread waits for the moment, so that the kernel needs no clock: it only looks at the flag. On a busy machine
    every thread is kept waiting for its turn. The watching one sees how long that takes whenever it wakes, and
    gives the flag so much earlier, at most by half of `seconds`. While the flag is held, no time passes.
    """

    def __init__(self, seconds: float | None, stop: StopFlag) -> None:
        self._seconds = seconds
        self._stop = stop
        self._lock = threading.Lock()
        self._left = threading.Event()

    def __enter__(self) -> None:
        if self._seconds is not None:
            # `Thread.start` waits until the thread runs: on a busy machine a quarter of the time of a short search.
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
        with self._lock:  # nobody may be told who has gone on to something else
            if not self._left.is_set():
                self._stop.time_is_up()


_PAUSE: Final = 0.25  # seconds between two pieces of news


def watched(search: Callable[[], Result], stop: StopFlag, news: Callable[[], News]) -> Generator[News, None, Result]:
    """Run a compiled search in a thread of its own, and tell now and then how far it is.

    Args:
        stop: ends the search; it is set when nobody waits for the result any more.

    Returns:
        What the search returns.
    """
    from concurrent.futures import ThreadPoolExecutor, wait  # here, as a window opens sooner without

    with ThreadPoolExecutor(1, thread_name_prefix="search") as threads:
        running = threads.submit(search)
        try:
            while not wait([running], _PAUSE).done:
                yield news()
        finally:
            if not running.done():
                stop.cancel()
        return running.result()
