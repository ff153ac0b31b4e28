"""How much time each side has used."""

from __future__ import annotations

from othello.rules.protocol import Color


class TurnClock:
    """Two stop-watches, of which at most one runs. All times are seconds of one monotonic clock."""

    def __init__(self) -> None:
        self._used = dict.fromkeys(Color, 0.0)
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
