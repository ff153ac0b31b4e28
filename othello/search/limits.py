"""How long a search may take."""

from __future__ import annotations

import threading
import time
from types import TracebackType
from typing import Final

from othello.search.stop import StopFlag


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
