"""How much time each side has used and has left, and how it is spent."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from othello.config import PlayerConfig
from othello.frozen import Frozen
from othello.rules.protocol import Color

_RESERVE: Final = 0.1  # seconds that are never planned with: an answer takes a moment to arrive
_LEAST: Final = 0.001
_FEWEST: Final = 2  # moves that are expected to take time whatever is said of them


class Clock(Frozen):
    """Two stop-watches, in seconds of one monotonic clock. At most one of them runs.

    A `Clock` never changes: a game can go back to an earlier one.
    """

    spent: tuple[float, float] = (0.0, 0.0)  # by black and white, up to when the running side was started
    gained: tuple[float, float] = (0.0, 0.0)  # increments of black and white
    running: Color | None = None  # the side whose time runs
    since: float = 0.0

    def started(self, color: Color, now: float) -> Clock:
        return self if self.running is color else replace(self.stopped(now), running=color, since=now)

    def stopped(self, now: float) -> Clock:
        return replace(self, spent=(self.used(Color.BLACK, now), self.used(Color.WHITE, now)), running=None)

    def used(self, color: Color, now: float) -> float:
        """Seconds that a side has used up to `now`."""
        return self.spent[color] + (max(0.0, now - self.since) if self.running is color else 0.0)

    def remaining(self, color: Color, seat: PlayerConfig, now: float) -> float | None:
        """Seconds that a side has left if `seat` plays it, negative once they have run out; None without a limit."""
        if seat.clock_seconds is None:
            return None
        return seat.clock_seconds + self.gained[color] - self.used(color, now)

    def gaining(self, color: Color, seconds: float) -> Clock:
        """One side has more time."""
        black, white = self.gained
        return replace(self, gained=(black, white + seconds) if color else (black + seconds, white))

    def swapped(self, now: float) -> Clock:
        """The players change colours, and take their times with them."""
        stopped = self.stopped(now)
        return Clock(stopped.spent[::-1], stopped.gained[::-1])


def allotment(remaining: float, increment: float, moves: int, solved: int = 0) -> float:
    """How many seconds to think about a move: more than 0, and well below `remaining` unless next to nothing remains.

    The time left is spread evenly over the moves that the side still has to think about, with one more for the
    unforeseen, and most of an increment is spent at once.

    Args:
        remaining: seconds on the side's clock.
        increment: seconds that it gains with each move.
        moves: that can still be made, by both sides.
        solved: how many of the last moves take almost no time, because the end has been solved.
    """
    slow = max(moves - solved, min(moves, _FEWEST))
    plan = (remaining - _RESERVE) / ((slow + 1) // 2 + 1) + 0.8 * increment
    return max(_LEAST, min(plan, remaining - _RESERVE))
