"""Whether compiled code may only be loaded. Apart from `jit`, whose import of the compiler takes a second."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class NotCompiledError(Exception):
    """There is no compiled code to load."""


_here = threading.local()


def only_loads() -> bool:
    """Whether this thread must not compile."""
    return getattr(_here, "only_loads", False)


@contextmanager
def only_loading() -> Iterator[None]:
    """Within, this thread raises `NotCompiledError` rather than compile what no cache has."""
    _here.only_loads = True
    try:
        yield
    finally:
        _here.only_loads = False
