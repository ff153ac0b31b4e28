"""How much time each side has used, and has left where the game has a clock."""

from __future__ import annotations

from othello.config import PlayerConfig
from othello.rules.protocol import Color


class TurnClock:
    """Two stop-watches, of which at most one runs. All times are seconds of one monotonic clock."""

    def __init__(self) -> None:
        self._used = dict.fromkeys(Color, 0.0)
        self._gained = dict.fromkeys(Color, 0.0)
        self._marks: dict[int, tuple[dict[Color, float], dict[Color, float]]] = {}
        self._running: Color | None = None
        self._since = 0.0

    @property
    def running(self) -> Color | None:
        """The side whose time runs."""
        return self._running

    def start(self, color: Color, now: float) -> None:
        """Let one side's time run, and the other's stand still."""
        if self._running is not color:
            self.stop(now)
            self._running, self._since = color, now

    def stop(self, now: float) -> None:
        """Let neither side's time run."""
        if self._running is not None:
            self._used[self._running] += max(0.0, now - self._since)
            self._running = None

    def used(self, color: Color, now: float) -> float:
        """Seconds that a side has used up to `now`."""
        running = max(0.0, now - self._since) if self._running is color else 0.0
        return self._used[color] + running

    def remaining(self, color: Color, seat: PlayerConfig, now: float) -> float | None:
        """Seconds that a side has left if `seat` plays it, negative once they have run out; None without a limit."""
        if seat.clock_seconds is None:
            return None
        return seat.clock_seconds + self._gained[color] - self.used(color, now)

    def gain(self, color: Color, seconds: float) -> None:
        """Give a side time for a move."""
        self._gained[color] += seconds

    def mark(self, ply: int, now: float) -> None:
        """Remember both sides' times at the beginning of a turn."""
        self.stop(now)
        self._marks[ply] = dict(self._used), dict(self._gained)

    def rewind(self, ply: int) -> None:
        """Stand still, with the times that were remembered for a ply."""
        used, gained = self._marks[ply]
        self._used, self._gained, self._running = dict(used), dict(gained), None

    def swap(self, now: float) -> None:
        """The players change colours, and take their times with them."""
        self.stop(now)
        for times in (self._used, self._gained, *(part for mark in self._marks.values() for part in mark)):
            times[Color.BLACK], times[Color.WHITE] = times[Color.WHITE], times[Color.BLACK]
