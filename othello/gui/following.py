"""What somebody knows who follows a tournament by its events."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from othello.game import AnyGame
from othello.records.record import GameRecord
from othello.tournament.experiment import Experiment
from othello.tournament.job import Job
from othello.tournament.watched import Event, GameFinished, PositionShown, TournamentEnded

BOARDS: Final = 2
_LOYAL_SECONDS: Final = 1.0  # a board stays with its game until nothing has been heard of it for so long


@dataclass(slots=True)
class LiveGame:
    """A game on one of the boards."""

    job: Job
    game: AnyGame
    heard: float


class Following:
    """Standings, boards and progress, as the events make them.

    Attributes:
        standings: of all games so far.
        boards: games under way, None where there has been none yet.
        end: how the tournament ended, None while it goes on.
        version: grows with every change of standings or boards.
    """

    def __init__(self, experiment: Experiment, now: float) -> None:
        """Begin before the tournament is started."""
        self.standings = copy.deepcopy(experiment.standings)
        self.boards: list[LiveGame | None] = [None] * BOARDS
        self.end: TournamentEnded | None = None
        self.version = 0
        self._most_games = experiment.most_games
        self._games = 0
        self._active_seconds = 0.0
        self._seen = now

    def take(self, events: Iterable[Event], now: float, *, is_paused: bool) -> None:
        """Take what has happened since the last call."""
        if self.end is None and not is_paused:
            self._active_seconds += max(0.0, now - self._seen)
        self._seen = now
        for event in events:
            self.version += 1
            match event:
                case PositionShown(job, game):
                    self._show(LiveGame(job, game, now))
                case GameFinished(record):
                    self._count(record)
                case TournamentEnded():
                    self.end = event

    def _show(self, live: LiveGame) -> None:
        """Put a game on its board; one that has none gets a board whose game is over or was long not heard of."""
        for place, shown in enumerate(self.boards):
            if shown is not None and shown.job.number == live.job.number:
                self.boards[place] = live
                return
        for place, shown in enumerate(self.boards):
            if shown is None or shown.game.is_over or live.heard - shown.heard > _LOYAL_SECONDS:
                self.boards[place] = live
                return

    def _count(self, record: GameRecord) -> None:
        self.standings.add(record)
        self._games += 1

    @property
    def games_per_second(self) -> float:
        return self._games / self._active_seconds if self._active_seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """How long it will take at most, None while that cannot be told."""
        rate = self.games_per_second
        return (self._most_games - self.standings.games) / rate if rate > 0 else None

    @property
    def share(self) -> float:
        """How much of the tournament is done, 0 .. 1, if all games are needed."""
        return min(1.0, self.standings.games / max(1, self._most_games))
