"""Games of a person, between those that processes play."""

from __future__ import annotations

from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import TypeAlias

from othello.game import AnyGame, Game
from othello.play.referee import Job
from othello.records.record import GameRecord
from othello.rules.registry import rules_of
from othello.tournament.crew import Crew
from othello.tournament.openings import balanced_opening

Invite: TypeAlias = Callable[[Job, AnyGame], None]
"""Told of a person's game, and what it begins with."""


class PersonCrew:
    """Has a person's games played by somebody else, one after the other, and all others by another crew.

    While a person plays, computers rest: their games would slow the person's opponent down.
    """

    def __init__(self, invite: Invite, others: Callable[[], Crew], horizon: int) -> None:
        """Begin; nothing is started yet.

        Args:
            invite: asks for a person's game; `answer` ends the wait for it.
            others: makes the crew of the other games, when the first of them is to be played.
            horizon: that crew's.
        """
        self.horizon = horizon
        self._invite = invite
        self._make_others = others
        self._others: Crew | None = None
        self._awaited: Job | None = None
        self._answers: SimpleQueue[GameRecord] = SimpleQueue()

    def answer(self, record: GameRecord) -> None:
        """The game that was asked for is over. This can be called in any thread."""
        self._answers.put(record)

    @property
    def room(self) -> int:
        if self._awaited is not None:
            return 0
        return 1 if self._others is None else self._others.room

    def submit(self, job: Job) -> None:
        if any(player.is_user for player in job.players):
            self._awaited = job
            start = Game.new(rules_of(job.game))
            self._invite(job, balanced_opening(start, job.opening_plies, job.opening_seed))
            return
        if self._others is None:
            self._others = self._make_others()
        self._others.submit(job)

    def collect(self, seconds: float) -> list[GameRecord]:
        if self._awaited is None:
            return [] if self._others is None else self._others.collect(seconds)
        try:
            record = self._answers.get(timeout=seconds)
        except Empty:
            return []
        self._awaited = None
        return [record]

    def close(self) -> None:
        if self._others is not None:
            self._others.close()
