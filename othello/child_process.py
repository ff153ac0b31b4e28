"""Child processes that import nothing from the current folder, and leave Ctrl-C to their parent process.

`python -c` and `python -m` put the current folder first on the import path. A file `signal.py` there would run in
every process of a tournament.
"""

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from multiprocessing import connection, resource_tracker
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING and sys.platform == "win32":  # the type of `Pipe` there
    Connection = connection.PipeConnection
else:
    Connection = connection.Connection

_VARIABLE: Final = "PYTHONSAFEPATH"
_OURS: Final = "othello"  # any text enables it; this one distinguishes our setting from the user's
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


def spawn_context() -> SpawnContext:
    """Return a multiprocessing context that starts processes with a safe import path."""
    os.environ.setdefault(_VARIABLE, _OURS)
    return multiprocessing.get_context("spawn")


def start_process(name: str, work: Callable[..., None], *arguments: Any) -> tuple[SpawnProcess, Connection]:
    """Start a process that calls `work` with a connection and the arguments, and return it with its connection."""
    context = spawn_context()
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(work, theirs, *arguments), name=name, daemon=True)
    with without_interrupts():
        process.start()
    theirs.close()
    return process, ours


def _work(work: Callable[..., None], *arguments: Any) -> None:
    ignore_interrupts()
    work(*arguments)


@contextmanager
def without_interrupts() -> Iterator[None]:
    """Block signals while processes are started in this context: Ctrl-C then ends only this process.

    The start itself is not interrupted either.
    """
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # otherwise it starts in this context and unblocks the signals
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def ignore_interrupts() -> None:
    """Ignore SIGINT and unblock SIGTERM. Processes that were started `without_interrupts` call this first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})


def program_environment() -> Mapping[str, str]:
    """Return the environment for external programs, which may need the current folder on Python's import path."""
    return {key: value for key, value in os.environ.items() if (key, value) != (_VARIABLE, _OURS)}
