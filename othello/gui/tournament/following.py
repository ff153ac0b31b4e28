"""What somebody knows who follows a tournament by its events."""

import copy
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from othello.config import PlayerConfig
from othello.game import AnyGame
from othello.records.record import GameRecord
from othello.tournament.experiment import Experiment
from othello.tournament.sequential import SprtState
from othello.tournament.standings import Standings, findings
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

    number: int  # of the game in the tournament
    players: tuple[str, str]  # black's name and white's
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
        self.watched: LiveGame | None = None  # the game that somebody looks at, perhaps no longer on a board
        self.invitation: PersonInvited | None = None  # the person's game that is next
        self.forfeited: GameRecord | None = None  # the last game that was forfeited
        self.end: TournamentEnded | None = None  # how the tournament ended; None while it goes on
        self._experiment = experiment
        self._latest = deque(experiment.latest, BOARDS)  # the last games that are over
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
                    black, white = job.players
                    self._show(LiveGame(job.number, (black.name, white.name), game, now, now))
                case PersonInvited():
                    self.invitation = event
                case GameFinished(record):
                    self._count(record, now)
                case StandingsShown(found):
                    self.findings = found
                case TournamentEnded():
                    self.end, self.invitation = event, None
                    self._fill(now)

    def _known(self, number: int) -> list[LiveGame]:
        """The game of a number, where it is on a board or somebody looks at it."""
        seen = {id(live): live for live in (*self.boards, self.watched) if live is not None and live.number == number}
        return list(seen.values())

    def _show(self, live: LiveGame) -> None:
        """Put a game on its board; one that has none gets a board that is free."""
        known = self._known(live.number)
        for shown in known:
            shown.game, shown.heard = live.game, live.heard
        for place, before in enumerate(self.boards):
            if not known and (before is None or before.may_leave(live.heard)):
                self.boards[place] = live
                return

    def _fill(self, now: float) -> None:
        """At the end, show the last games where boards are free."""
        over = [record for record in reversed(self._latest) if not self._known(record.game)]
        for place, shown in enumerate(self.boards):
            if shown is None and over:
                record = over.pop(0)
                players = record.black, record.white
                self.boards[place] = LiveGame(record.game, players, record.replayed(), now, now, record)

    def _count(self, record: GameRecord, now: float) -> None:
        self.standings.add(record)
        self._latest.append(record)
        self._games += 1
        is_forfeited = record.reason and not record.is_adjudicated and record.winner is not None
        self.forfeited = record if is_forfeited else self.forfeited
        for shown in self._known(record.game):
            shown.game, shown.heard, shown.record = record.replayed(), now, record

    def players_of(self, live: LiveGame) -> tuple[PlayerConfig, PlayerConfig]:
        """Who plays a game."""
        players = {player.name: player for player in self._experiment.config.players}
        black, white = live.players
        return players[black], players[white]

    @property
    def test(self) -> SprtState | None:
        """How far the sequential test is, None without one."""
        return self.standings.test

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
