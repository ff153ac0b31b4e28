"""How long a search may take."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Final

from othello.search.stop import StopFlag


def earliest(*limits: float | None) -> float | None:
    """The shortest of several time limits, of which None is none."""
    return min((limit for limit in limits if limit is not None), default=None)


_HEAD_START: Final = 0.005  # seconds before a limit: from the flag to the answer, and for a busy machine


class Deadline:
    """While entered, tells a search that its time is up shortly before `seconds` have passed; None never does.

    A thread waits for the moment, so that the kernel needs no clock: it only looks at the flag.
    """

    def __init__(self, seconds: float | None, stop: StopFlag) -> None:
        self._timer = None
        if seconds is not None:
            wait = max(seconds - _HEAD_START, 0.5 * seconds)
            self._timer = threading.Timer(wait, stop.time_is_up)

    def __enter__(self) -> None:
        if self._timer is not None:
            self._timer.daemon = True
            self._timer.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._timer is not None:
            self._timer.cancel()
