"""What is known of compiled code without the compiler, whose import takes a second."""

import hashlib
import os
import platform
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from othello.kernel.sources import kernel_sources
from othello.resources import cache_folder, shipped_kernels


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


def only_compiles_plainly() -> bool:
    """Return whether the user wants numba without `othello.kernel.linking`."""
    return os.environ.get("OTHELLO_KERNELS") == "plain"


def kernels_folder() -> Path:
    """Where compiled code is kept, in a folder for each state of the sources."""
    return cache_folder() / "kernels"


def all_is_compiled() -> bool:
    """Whether everything has been compiled here that players need. What has been lost since is compiled when needed."""
    if find_spec("numba") is None:
        return True  # nothing more can be
    if shipped_kernels() is not None:
        from othello.kernel.precompiled import library

        if library() is not None:
            return True
    return any(kernels_folder().glob(f"*/{mark_of_all()}"))


def mark_of_all() -> str:
    """The file that says so. Its name changes with the sources, the compiler and the machine."""
    compiler = find_spec("numba")
    files = [*kernel_sources(), *([Path(compiler.origin)] if compiler is not None and compiler.origin else [])]
    states = [(file.name, file.stat().st_mtime_ns, file.stat().st_size) for file in files]
    facts = repr((states, sys.version, platform.node(), only_compiles_plainly()))
    return f"all.{hashlib.sha256(facts.encode()).hexdigest()[:16]}"
