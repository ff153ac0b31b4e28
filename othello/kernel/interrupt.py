"""Letting Ctrl-C through to a main thread that waits for compiled code."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

Result = TypeVar("Result")


def interruptible(function: Callable[[], Result]) -> Result:
    """The result of `function`, which runs in a thread: Python handles no signal while a kernel runs in the main one.

    On Ctrl-C the thread is left behind; it ends with the process.
    """
    future: Future[Result] = Future()

    def run() -> None:
        try:
            future.set_result(function())
        except BaseException as error:  # raised in the caller's thread, whatever it is
            future.set_exception(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(0.1)  # a join without an end cannot be interrupted on every platform
    return future.result()
