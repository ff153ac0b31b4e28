"""Who plays the games: this process here; `processes` and `cluster` have others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

from othello.game import AnyGame
from othello.kernel.interrupt import interruptible
from othello.play.referee import Job
from othello.records.record import GameRecord
from othello.tournament.job import LiveGame

Watcher: TypeAlias = Callable[[Job, AnyGame], None]
"""Told of positions of games under way."""


class Crew(Protocol):
    """Plays jobs."""

    @property
    def room(self) -> int:
        """How many more jobs it can use right now."""
        ...

    @property
    def horizon(self) -> int:
        """How many games may be done or under way beyond the first that is not over."""
        ...

    def submit(self, job: Job) -> None:
        """Hand over a job."""
        ...

    def collect(self, seconds: float) -> list[GameRecord]:
        """Wait for games to end, at most so long, and return those that have.

        Raises:
            TournamentError: games cannot be played at all.
        """
        ...

    def close(self) -> None:
        """Drop what is under way."""
        ...


class SoloCrew:
    """Plays one game after the other in this very process."""

    horizon = 1

    def __init__(self, watcher: Watcher | None = None) -> None:
        self._watcher = watcher
        self._jobs: list[Job] = []
        self._played: LiveGame | None = None  # still to be closed: first its record must be written

    @property
    def room(self) -> int:
        return 1 - len(self._jobs)

    def submit(self, job: Job) -> None:
        self._jobs.append(job)

    def collect(self, seconds: float) -> list[GameRecord]:
        self._close_game()
        if not self._jobs:
            return []
        job = self._jobs.pop()
        watcher = self._watcher
        on_position = None if watcher is None else lambda game: watcher(job, game)
        live = LiveGame(job)
        record = interruptible(lambda: live.play(on_position))
        self._played = live
        return [record]

    def close(self) -> None:
        self._jobs.clear()
        self._close_game()

    def _close_game(self) -> None:
        live, self._played = self._played, None
        if live is not None:
            live.close()
