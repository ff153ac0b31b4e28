"""Measurement of compile times, function by function."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from numba.core import event

from othello.kernel.linking import ENTRY_EVENT


class Cost(NamedTuple):
    """The time to compile one function, in seconds of processor time."""

    kernel: str
    is_entry: bool  # machine code by `linking`; otherwise LLVM code, or both by plain numba
    self_seconds: float  # without callees
    seconds: float  # with the callees that were not compiled yet


@contextmanager
def compile_costs() -> Iterator[list[Cost]]:
    """Collect the costs of the functions that are compiled within the block, in order of completion."""
    listener = _Listener()
    with event.install_listener("numba:compile", listener), event.install_listener(ENTRY_EVENT, listener):
        yield listener.costs


class _Listener(event.Listener):
    def __init__(self) -> None:
        self.costs: list[Cost] = []
        self._running: list[tuple[float, float]] = []  # start time, and seconds in callees so far

    def on_start(self, event: Any) -> None:
        self._running.append((time.process_time(), 0.0))

    def on_end(self, event: Any) -> None:
        start, in_callees = self._running.pop()
        seconds = time.process_time() - start
        if self._running:
            self._running[-1] = self._running[-1][0], self._running[-1][1] + seconds
        function = event.data["dispatcher"].py_func
        name = f"{function.__module__.removeprefix('othello.')}.{function.__qualname__}"
        self.costs.append(Cost(name, event.kind == ENTRY_EVENT, seconds - in_callees, seconds))
