"""What somebody knows who follows a tournament by its events."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from othello.game import AnyGame
from othello.play.referee import Job
from othello.records.record import GameRecord
from othello.tournament.experiment import Experiment
from othello.tournament.findings import findings
from othello.tournament.standings import Standings
from othello.tournament.watched import (
    Event,
    GameFinished,
    PersonInvited,
    PositionShown,
    StandingsShown,
    TournamentEnded,
)

BOARDS: Final = 2
"""So many games under way are seen."""

_LOYAL_SECONDS: Final = 1.0  # a board stays with its game until nothing has been heard of it for so long
_LONG_SECONDS: Final = 2.0  # of a game that was on a board for so long
_RESULT_SECONDS: Final = 1.0  # its end is to be seen for a while


@dataclass(slots=True)
class LiveGame:
    """A game on one of the boards."""

    job: Job  # who plays
    game: AnyGame  # the moves so far
    began: float  # when it came to the board
    heard: float  # when something was heard of it last
    record: GameRecord | None = None  # how it ended, None while it goes on

    def may_leave(self, now: float) -> bool:
        """Whether the board is free for another game."""
        silence = now - self.heard
        if self.record is None and not self.game.is_over:
            return silence > _LOYAL_SECONDS
        return silence > _RESULT_SECONDS or self.heard - self.began < _LONG_SECONDS


class Following:
    """Standings, boards and progress, as the events make them."""

    def __init__(self, experiment: Experiment, now: float) -> None:
        """Begin before the tournament is started."""
        self.standings = copy.deepcopy(experiment.standings)
        # What the tournament has told last of what the standings show, a little behind them.
        self.findings = findings(Standings(player.name for player in experiment.config.players))
        self.boards: list[LiveGame | None] = [None] * BOARDS
        self.invitation: PersonInvited | None = None  # the person's game that is next
        self.forfeited: GameRecord | None = None  # the last game that was forfeited
        self.end: TournamentEnded | None = None  # how the tournament ended; None while it goes on
        self._experiment = experiment
        self.has_person = any(player.is_user for player in experiment.config.players)
        self._games = 0
        self._active_seconds = 0.0
        self._seen = now

    def take(self, events: Iterable[Event], now: float, *, is_paused: bool) -> None:
        """Take what has happened since the last call."""
        if self.end is None and not is_paused:
            self._active_seconds += max(0.0, now - self._seen)
        self._seen = now
        for event in events:
            match event:
                case PositionShown(job, game):
                    self._show(job, game, now)
                case PersonInvited():
                    self.invitation = event
                case GameFinished(record):
                    self._count(record, now)
                case StandingsShown(found):
                    self.findings = found
                case TournamentEnded():
                    self.end, self.invitation = event, None

    def _show(self, job: Job, game: AnyGame, now: float) -> None:
        """Put a game on its board; one that has none gets a board that is free."""
        for shown in self.boards:
            if shown is not None and shown.job.number == job.number:
                shown.game, shown.heard = game, now
                return
        for place, shown in enumerate(self.boards):
            if shown is None or shown.may_leave(now):
                self.boards[place] = LiveGame(job, game, now, now)
                return

    def _count(self, record: GameRecord, now: float) -> None:
        self.standings.add(record)
        self._games += 1
        self.forfeited = record if record.reason else self.forfeited
        for shown in self.boards:
            if shown is not None and shown.job.number == record.game:
                shown.game, shown.heard, shown.record = record.replayed(), now, record

    @property
    def games_per_second(self) -> float:
        """0 where nothing can be told: people take their time."""
        return 0.0 if self.has_person or self._active_seconds <= 0 else self._games / self._active_seconds

    @property
    def seconds_left(self) -> float | None:
        """How long it will take at most, None while that cannot be told."""
        rate = self.games_per_second
        return (self._experiment.most_games - self.standings.games) / rate if rate > 0 else None

    @property
    def share(self) -> float:
        """How much of the tournament is done, 0 .. 1, if all games are needed that may be."""
        return min(1.0, self.standings.games / max(1, self._experiment.most_games))
