"""The speed of a game, and its pauses."""

from typing import Final

PACES: Final = (0.0, 0.2, 0.4, 0.8, 1.5, 3.0, 6.0)  # seconds between computer moves, fastest first
PASS_SECONDS: Final = 2.0  # how long a pass is announced
RESULT_SECONDS: Final = 4.0  # how long a result is shown before computers play the next game


class PlaybackSpeed:
    """Decides when a computer's move or a pass is made."""

    def __init__(self, delay: float) -> None:
        self.delay = delay  # seconds between computer moves
        self.paused = False  # True if searches and clocks are paused
        self.is_covered = False  # True if the board is hidden, which also pauses the game
        self.begin_turn(0.0)

    def begin_turn(self, now: float) -> None:
        self.began = now  # start or resumption of the turn, or the end of the game
        self.is_stepping = False  # True if the computer makes one move although the game is paused
        self.must_move_now = False  # True if the computer must move at once

    @property
    def is_paused(self) -> bool:
        return self.is_covered or (self.paused and not self.is_stepping)

    def due(self, *, is_pass: bool, is_watched: bool) -> float:
        """Return the time of the next move. A pass stays visible for a while, shorter if only computers play."""
        if not is_pass:
            return self.began + self.delay
        return self.began + (max(1.0, self.delay) if is_watched else PASS_SECONDS)

    def plays(self, due: float, now: float) -> bool:
        """Return whether a computer's move is made now."""
        if self.is_covered:
            return False
        return self.is_stepping or self.must_move_now or (not self.paused and now >= due)

    def change(self, steps: int) -> None:
        """Change the delay by a number of steps: positive is slower, negative is faster."""
        nearest = min(range(len(PACES)), key=lambda index: abs(PACES[index] - self.delay))
        self.delay = PACES[min(max(nearest + steps, 0), len(PACES) - 1)]
