"""How fast a game goes on, and whether it stands still."""

from typing import Final

PACES: Final = (0.0, 0.2, 0.4, 0.8, 1.5, 3.0, 6.0)  # seconds from one computer move to the next, fastest first
PASS_SECONDS: Final = 2.0  # how long a pass is announced before it is made
RESULT_SECONDS: Final = 4.0  # how long a result stays before the next repetition between computers begins


class Pace:
    """When moves are made that no person makes."""

    def __init__(self, delay: float) -> None:
        self.delay = delay  # seconds from one computer move to the next
        self.paused = False  # whether searches and clocks stand still
        self.is_covered = False  # whether nobody sees the game, which stands still meanwhile
        self.begin_turn(0.0)

    def begin_turn(self, now: float) -> None:
        self.began = now  # when the turn began or went on, or the game ended
        self.is_stepping = False  # whether the computer makes one move although the game is paused
        self.is_hurried = False  # whether the computer's move is wanted at once

    @property
    def is_held(self) -> bool:
        return self.is_covered or (self.paused and not self.is_stepping)

    def due(self, *, is_pass: bool, is_watched: bool) -> float:
        """When the next move is made. A pass has to be read, but for a shorter time where only computers play."""
        if not is_pass:
            return self.began + self.delay
        return self.began + (max(1.0, self.delay) if is_watched else PASS_SECONDS)

    def plays(self, due: float, now: float) -> bool:
        """Whether a computer's answer is played now."""
        if self.is_covered:
            return False
        return self.is_stepping or self.is_hurried or (not self.paused and now >= due)

    def set(self, seconds: float) -> None:
        """So many seconds from one computer move to the next."""
        self.delay = seconds

    def change(self, steps: int) -> None:
        """Make the pace `steps` slower, or faster if `steps` is negative, within the slowest and the fastest."""
        nearest = min(range(len(PACES)), key=lambda index: abs(PACES[index] - self.delay))
        self.delay = PACES[min(max(nearest + steps, 0), len(PACES) - 1)]
