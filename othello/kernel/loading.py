"""The state of the compiled code. This module does not import the compiler, which takes a second."""

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
    """The cache has no code for a kernel, and this thread must not compile."""


_here = threading.local()


def only_loads() -> bool:
    """Return whether this thread must not compile."""
    return getattr(_here, "only_loads", False)


@contextmanager
def only_loading() -> Iterator[None]:
    """Make this thread raise `NotCompiledError` within the block instead of compiling."""
    _here.only_loads = True
    try:
        yield
    finally:
        _here.only_loads = False


def only_compiles_plainly() -> bool:
    """Return whether the user wants numba without `cache_files` and `linking`."""
    return os.environ.get("OTHELLO_KERNELS") == "plain"


def kernels_folder() -> Path:
    """Return the folder of the compiled code. It has a subfolder for each state of the sources."""
    return cache_folder() / "kernels"


def all_is_compiled() -> bool:
    """Return whether all kernels that players need are compiled.

    Files that were deleted since are not noticed; they are compiled when they are needed.
    """
    if find_spec("numba") is None:
        return True  # nothing can be compiled
    if shipped_kernels() is not None:
        from othello.kernel.precompiled import library

        if library() is not None:
            return True
    return any(kernels_folder().glob(f"*/{mark_of_all()}"))


def mark_of_all() -> str:
    """Return the name of the file that marks a complete cache. It depends on sources, compiler and machine."""
    compiler = find_spec("numba")
    files = [*kernel_sources(), *([Path(compiler.origin)] if compiler is not None and compiler.origin else [])]
    states = [(file.name, file.stat().st_mtime_ns, file.stat().st_size) for file in files]
    facts = repr((states, sys.version, platform.node(), only_compiles_plainly()))
    return f"all.{hashlib.sha256(facts.encode()).hexdigest()}"
