"""How a search is told to end."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class StopFlag:
    """A flag that one thread sets and a compiled search in another one reads.

    Attributes:
        cell: int64 of shape (1,): 0 while the search may go on. Kernels read it atomically.
    """

    _CANCELLED = 1
    _TIME_IS_UP = 2

    def __init__(self) -> None:
        import numpy as np  # here, for a program that is only asked for --help

        self.cell: NDArray[np.int64] = np.zeros(1, np.int64)
        self._parts: tuple[StopFlag, ...] = ()

    def part(self) -> StopFlag:
        """A flag for the first part of a search: it can be set alone, and is set when the whole is."""
        part = StopFlag()
        self._parts = (part,)
        part.cell[0] |= self.cell[0]  # last, so that nothing is missed
        return part

    def cancel(self) -> None:
        """The answer is no longer wanted. The search ends without a final report."""
        self._set(self._CANCELLED)

    def time_is_up(self) -> None:
        """The answer is wanted now. The search ends with the best move found so far."""
        self._set(self._TIME_IS_UP)

    def _set(self, reason: int) -> None:
        for flag in (self, *self._parts):
            flag.cell[0] |= reason

    @property
    def is_set(self) -> bool:
        return bool(self.cell[0])

    @property
    def is_cancelled(self) -> bool:
        return bool(self.cell[0] & self._CANCELLED)
