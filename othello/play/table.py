"""What can be seen of a game that is played: who sits there, their times, how it stands, what is looked at."""

from __future__ import annotations

from othello.config import PlayerConfig
from othello.game import AnyGame
from othello.play.clock import Clock
from othello.play.history import History
from othello.play.referee import Forfeit
from othello.play.seats import Seats
from othello.play.view import View
from othello.rules.protocol import Color
from othello.search.report import SearchReport


class Table:
    """A game with its players.

    Attributes:
        history: the game, with all that can be taken back.
        view: what is looked at.
    """

    history: History
    view: View

    @property
    def game(self) -> AnyGame:
        """The game so far."""
        return self.history.game

    @property
    def number(self) -> int:
        """Which game it is, from 1."""
        return self.history.referee.job.number

    @property
    def game_seed(self) -> int:
        return self.history.referee.job.seed

    @property
    def is_rated(self) -> bool:
        """Whether the game counts: no move is taken back, and the players stay where they are."""
        return self.history.referee.job.time_margin_seconds is not None

    @property
    def seats(self) -> Seats:
        """Who plays which colour."""
        return self.history.referee.seats

    @property
    def seat(self) -> PlayerConfig:
        """Who is to move."""
        return self.history.referee.seat

    @property
    def clock(self) -> Clock:
        """The time that both sides have used."""
        return self.history.referee.clock

    def remaining(self, color: Color, now: float) -> float | None:
        """Seconds on a side's clock, None where it has none."""
        return self.history.referee.remaining(color, now)

    @property
    def forfeit(self) -> Forfeit | None:
        """How a side has lost by a fault, None while neither has."""
        return self.history.referee.forfeit

    @property
    def is_over(self) -> bool:
        """Whether no more moves can be made: the game has ended, or somebody has forfeited it."""
        return self.history.referee.is_over

    @property
    def winner(self) -> Color | None:
        """Who has won, None for a draw or while nobody has."""
        return self.history.referee.winner

    @property
    def shown(self) -> AnyGame:
        """The moves up to the position that is looked at."""
        return self.view.shown

    @property
    def shown_ply(self) -> int:
        return self.shown.ply

    @property
    def is_live(self) -> bool:
        """Whether the game's latest position is the one that is looked at."""
        return self.view.is_live

    @property
    def shown_report(self) -> tuple[int, SearchReport] | None:
        """The search of the position that is looked at, else the last one before it, with its ply."""
        return self.view.report
