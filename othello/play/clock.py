"""Time control: the time that both sides have used and have left, and the time for a move."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import inf
from typing import Final

from othello.config import PlayerConfig
from othello.frozen_dataclass import FrozenDataclass
from othello.players.player import MoveTime
from othello.rules.protocol import Color

_RESERVE: Final = 0.1  # seconds of reserve, because an answer takes a moment to arrive
_MIN_SECONDS: Final = 0.001  # minimum time for a move


class Clock(FrozenDataclass):
    """The clocks of both sides, in seconds of one monotonic clock. At most one of them runs.

    A `Clock` is immutable, so a game can return to an earlier one.
    """

    spent: tuple[float, float] = (0.0, 0.0)  # seconds that black and white have used, without the current turn
    gained: tuple[float, float] = (0.0, 0.0)  # increments of black and white in seconds
    running: Color | None = None  # side whose clock runs
    since: float = 0.0

    def started(self, color: Color, now: float) -> Clock:
        return self if self.running is color else replace(self.stopped(now), running=color, since=now)

    def stopped(self, now: float) -> Clock:
        return replace(self, spent=(self.used(Color.BLACK, now), self.used(Color.WHITE, now)), running=None)

    def used(self, color: Color, now: float) -> float:
        """Return the seconds that a side has used until `now`."""
        return self.spent[color] + (max(0.0, now - self.since) if self.running is color else 0.0)

    def remaining(self, color: Color, player: PlayerConfig, now: float) -> float | None:
        """Return the seconds left for a side, negative after a time-out; None if `player` has no clock."""
        if player.clock_seconds is None:
            return None
        return player.clock_seconds + self.gained[color] - self.used(color, now)

    def gaining(self, color: Color, seconds: float) -> Clock:
        """Return the clock after an increment for one side."""
        black, white = self.gained
        return replace(self, gained=(black, white + seconds) if color else (black + seconds, white))

    def swapped(self, now: float) -> Clock:
        """Return the clock after the players have changed colours; each keeps the time used."""
        stopped = self.stopped(now)
        return Clock(stopped.spent[::-1], stopped.gained[::-1])


def move_time(
    remaining: float,
    increment: float,
    moves: int,
    ends: Callable[[int], float] = lambda _: inf,
    stones: int | None = None,
    used: Callable[[float], float] = lambda _: 1.0,
    minimum: float = 0.0,
) -> float:
    """Return the seconds for a move: more than 0, and far less than `remaining` unless that is almost nothing.

    The remaining time and future increments are spread evenly over the moves for which the side has to think. A late
    move gets no more than it takes to solve the endgame.

    Args:
        remaining: seconds on the side's clock.
        increment: seconds that the side gains with each move.
        moves: largest number of moves left, of both sides.
        ends: returns the seconds in which the player solves an endgame of that many moves.
        stones: moves of the side until the next time control; None: all.
        used: returns the mean share of its time that the player uses, given the seconds per move.
        minimum: lower limit in seconds, as long as there is enough time.
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
        return max(_MIN_SECONDS, free)
    share = max((rest + increment * (slow - 1)) / slow, minimum)
    seconds = max(_MIN_SECONDS, min(share / used(share), free if stones else free / 2))
    return MoveTime(seconds) if used(share) < 1 else seconds
