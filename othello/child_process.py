"""Child processes that import nothing from the current folder.

Python puts the current folder first on the path of `python -c` and `python -m`. A file named `signal.py` there would
run in every process of a tournament.
"""

import multiprocessing
import os
from collections.abc import Mapping
from multiprocessing.context import SpawnContext
from typing import Final

_VARIABLE: Final = "PYTHONSAFEPATH"
_OURS: Final = "othello"  # Python accepts any text; this one tells our setting from the user's


def spawn_context() -> SpawnContext:
    """Return the way to start Python processes, also of multiprocessing's own, with a safe import path."""
    os.environ.setdefault(_VARIABLE, _OURS)
    return multiprocessing.get_context("spawn")


def program_environment() -> Mapping[str, str]:
    """Return the environment for programs of others, which may be Python programs that need the current folder."""
    return {key: value for key, value in os.environ.items() if (key, value) != (_VARIABLE, _OURS)}
