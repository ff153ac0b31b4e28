"""How much time each side has used and has left, and how it is spent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import inf
from typing import Final

from othello.config import PlayerConfig
from othello.frozen import Frozen
from othello.players.player import Allotment
from othello.rules.protocol import Color

_RESERVE: Final = 0.1  # seconds that are never planned with: an answer takes a moment to arrive
_LEAST: Final = 0.001


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


def allotment(
    remaining: float,
    increment: float,
    moves: int,
    ends: Callable[[int], float] = lambda _: inf,
    stones: int | None = None,
    used: Callable[[float], float] = lambda _: 1.0,
    least: float = 0.0,
) -> float:
    """How many seconds to think about a move: more than 0, and well below `remaining` unless next to nothing remains.

    The time left, and increments to come, are spread evenly over the moves that the side still has to think about. A
    late move gets no more than its end takes to be solved.

    Args:
        remaining: seconds on the side's clock.
        increment: seconds that it gains with each move.
        moves: that can still be made, by both sides.
        ends: the seconds in which the player solves an end of so many moves.
        stones: the side's moves that the time is for; None: all.
        used: how much of an allotment the player takes on the mean, where there are so many seconds for each move.
        least: seconds for a move, as far as there are so many.
    """
    rest = free = remaining - (min(_RESERVE, 0.1 * remaining) if stones else _RESERVE)
    own = range(moves, 0, -2)[:stones]
    slow = len(own)
    for left in reversed(own[1:]):
        if ends(left) * slow >= rest:
            break
        rest -= ends(left)
        slow -= 1
    if stones == 1:
        return max(_LEAST, free)
    share = max((rest + increment * (slow - 1)) / slow, least)
    seconds = max(_LEAST, min(share / used(share), free if stones else free / 2))
    return Allotment(seconds) if used(share) < 1 else seconds
