"""Compilation of kernels with numba or from a library, and the low-level functions that kernels use."""

from typing import Final

# The value of the cell of a `StopFlag` while its search is paused.
HELD: Final = 4
