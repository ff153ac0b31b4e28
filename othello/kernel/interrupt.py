"""Ctrl-C while compiled code runs."""

import threading
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


def interruptible(function: Callable[[], Result]) -> Result:
    """Call `function` in a thread and return its result. The main thread can handle signals in the meantime.

    Python handles no signal while a kernel runs in the main thread. On Ctrl-C the thread is abandoned; it ends with the
    process.
    """
    from concurrent.futures import Future  # takes time to load, and the window does not need it

    future: Future[Result] = Future()

    def run() -> None:
        try:
            future.set_result(function())
        except BaseException as error:  # of any kind: raised again in the caller's thread
            future.set_exception(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(0.1)  # on some platforms a join without a timeout cannot be interrupted
    return future.result()
