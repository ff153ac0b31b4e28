"""How a game's time is spent."""

from __future__ import annotations

from typing import Final

_RESERVE: Final = 0.1  # seconds that are never planned with: an answer takes a moment to arrive
_LEAST: Final = 0.001


def allotment(remaining: float, increment: float, empties: int) -> float:
    """How long to think about a move.

    The time left is spread evenly over the moves that the side can still have, with one more for the unforeseen, and
    most of an increment is spent at once.

    Args:
        remaining: seconds on the side's clock.
        increment: seconds that it gains with each move.
        empties: squares on which moves can still be made, by both sides.

    Returns:
        Seconds, positive, and well below `remaining` unless that is next to nothing.
    """
    moves = (empties + 1) // 2
    plan = (remaining - _RESERVE) / (moves + 1) + 0.8 * increment
    return max(_LEAST, min(plan, remaining - _RESERVE))


class GameClock:
    """One side's time in a game; without a limit it only counts."""

    def __init__(self, seconds: float | None, increment: float = 0.0) -> None:
        """Set the clock to `seconds`, None for no limit; each move adds `increment` seconds."""
        self.used = 0.0
        self._remaining = seconds
        self._increment = increment

    def allotment(self, empties: int) -> float | None:
        """How long to think about the next move, None for as long as one likes; see the function of that name."""
        return None if self._remaining is None else allotment(self._remaining, self._increment, empties)

    @property
    def remaining(self) -> float | None:
        """Seconds left, negative once they have run out; None without a limit."""
        return self._remaining

    def spend(self, seconds: float) -> bool:
        """Take the time of a move off the clock. Returns whether it was there; if so, the increment is added."""
        self.used += seconds
        if self._remaining is None:
            return True
        self._remaining -= seconds
        if self._remaining < 0:
            return False
        self._remaining += self._increment
        return True
