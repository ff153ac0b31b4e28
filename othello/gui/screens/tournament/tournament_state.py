"""The state of a tournament, rebuilt from its events."""

import copy
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from othello.config import PlayerConfig
from othello.game import AnyGame
from othello.records.record import GameRecord
from othello.tournament import background
from othello.tournament.experiment import Experiment
from othello.tournament.standings import Standings, analyse

BOARDS: Final = 2  # number of live games on display

_IDLE_SECONDS: Final = 1.0  # without a move, after which a game loses its board
_MIN_WATCHED_SECONDS: Final = 2.0  # on a board, after which a game's result is shown for a while
_RESULT_SECONDS: Final = 1.0  # how long


@dataclass(slots=True)
class LiveGame:
    """A game on a live board."""

    number: int  # number in the tournament
    players: tuple[str, str]  # names of Black and White
    game: AnyGame
    began: float  # time of its first position on the board
    last_event: float  # time of its latest event
    record: GameRecord | None = None  # its result; None: it is not over

    def may_leave(self, now: float) -> bool:
        """Return whether another game may take the board."""
        silence = now - self.last_event
        if self.record is None and not self.game.is_over:
            return silence > _IDLE_SECONDS
        return silence > _RESULT_SECONDS or self.last_event - self.began < _MIN_WATCHED_SECONDS


class TournamentState:
    """Standings, live games and progress of a tournament."""

    def __init__(self, experiment: Experiment, now: float) -> None:
        """Start from earlier results; the tournament must not have started."""
        self.standings = copy.deepcopy(experiment.standings)
        # The latest findings that the tournament has reported, slightly behind `standings`.
        self.findings = analyse(Standings(player.name for player in experiment.config.players))
        self.boards: list[LiveGame | None] = [None] * BOARDS
        self.watched: LiveGame | None = None  # the game in the dialog; it may have left its board
        self.invitation: background.PersonInvited | None = None  # the user's next game
        self.forfeited: GameRecord | None = None  # the latest forfeited game
        self.end: background.TournamentEnded | None = None  # None: the tournament goes on
        self._experiment = experiment
        self._latest = deque(experiment.latest, BOARDS)  # the latest finished games
        self.has_user = any(player.is_user for player in experiment.config.players)
        self._games = 0
        self._active_seconds = 0.0
        self._last_update = now

    def take(self, events: Iterable[background.Event], now: float, *, is_paused: bool) -> None:
        """Process the events since the last call."""
        if self.end is None and not is_paused:
            self._active_seconds += now - self._last_update
        self._last_update = now
        for event in events:
            match event:
                case background.PositionShown(job, game):
                    black, white = job.players
                    self._show_position(LiveGame(job.number, (black.name, white.name), game, now, now))
                case background.PersonInvited():
                    self.invitation = event
                case background.GameFinished(record):
                    self._add_result(record, now)
                case background.StandingsShown(findings):
                    self.findings = findings
                case background.TournamentEnded():
                    self.end, self.invitation = event, None
                    self._show_last_games(now)

    def _shown_with_number(self, number: int) -> list[LiveGame]:
        """Return the game with a number, if it is on a board or in the dialog."""
        seen = {id(live): live for live in (*self.boards, self.watched) if live is not None and live.number == number}
        return list(seen.values())

    def _show_position(self, live: LiveGame) -> None:
        """Update a game on its board, or put a new game on a free board."""
        known = self._shown_with_number(live.number)
        for shown in known:
            shown.game, shown.last_event = live.game, live.last_event
        for place, before in enumerate(self.boards):
            if not known and (before is None or before.may_leave(live.last_event)):
                self.boards[place] = live
                return

    def _show_last_games(self, now: float) -> None:
        """Put the latest finished games on free boards."""
        over = [record for record in reversed(self._latest) if not self._shown_with_number(record.game)]
        for place, shown in enumerate(self.boards):
            if shown is None and over:
                record = over.pop(0)
                players = record.black, record.white
                self.boards[place] = LiveGame(record.game, players, record.replayed(), now, now, record)

    def _add_result(self, record: GameRecord, now: float) -> None:
        self.standings.add(record)
        self._latest.append(record)
        self._games += 1
        is_forfeited = record.reason and not record.is_adjudicated and record.winner is not None
        self.forfeited = record if is_forfeited else self.forfeited
        for shown in self._shown_with_number(record.game):
            shown.game, shown.last_event, shown.record = record.replayed(), now, record

    def players_of(self, live: LiveGame) -> tuple[PlayerConfig, PlayerConfig]:
        """Return the players of a game."""
        players = {player.name: player for player in self._experiment.config.players}
        black, white = live.players
        return players[black], players[white]

    @property
    def games_per_second(self) -> float:
        """Games per second; 0: unknown, for instance because a user plays."""
        return 0.0 if self.has_user or self._active_seconds <= 0 else self._games / self._active_seconds

    @property
    def seconds_left(self) -> float | None:
        """Upper bound of the remaining time; None: unknown."""
        rate = self.games_per_second
        return (self._experiment.max_games - self.standings.games) / rate if rate > 0 else None

    @property
    def share(self) -> float:
        """Finished share of the maximum number of games, 0 .. 1."""
        return min(1.0, self.standings.games / self._experiment.max_games)
