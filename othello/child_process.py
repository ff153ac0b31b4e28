"""Child processes that import nothing from the current folder.

`python -c` and `python -m` put the current folder first on the import path. A file `signal.py` there would run in
every process of a tournament.
"""

import multiprocessing
import os
from collections.abc import Mapping
from multiprocessing.context import SpawnContext
from typing import Final

_VARIABLE: Final = "PYTHONSAFEPATH"
_OURS: Final = "othello"  # any text enables it; this one distinguishes our setting from the user's


def spawn_context() -> SpawnContext:
    """Return a multiprocessing context that starts processes with a safe import path."""
    os.environ.setdefault(_VARIABLE, _OURS)
    return multiprocessing.get_context("spawn")


def program_environment() -> Mapping[str, str]:
    """Return the environment for external programs, which may need the current folder on Python's import path."""
    return {key: value for key, value in os.environ.items() if (key, value) != (_VARIABLE, _OURS)}
