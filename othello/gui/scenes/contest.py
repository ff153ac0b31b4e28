"""A tournament: the hall with its standings, and where a person plays in it, the board of the person's games."""

from __future__ import annotations

from othello.config import Config
from othello.gui import commands as gui
from othello.gui.commands import Command
from othello.gui.scenes import results
from othello.gui.scenes.play import PlayScene
from othello.gui.scenes.tournament import TournamentScene
from othello.play.session import Session
from othello.play.thinking import Searcher
from othello.records.record import GameRecord
from othello.tournament.watched import PersonInvited


class ContestScene:
    """The hall with the standings, and a table for the person's games, one after the other.

    Args:
        hall: the tournament.
        searcher: what the person's opponents think in.

    Attributes:
        session: the person's game, None between two of them.
    """

    def __init__(self, hall: TournamentScene, searcher: Searcher) -> None:
        self.hall = hall
        self.session: Session | None = None
        self._searcher = searcher
        self._table: PlayScene | None = None
        self._is_in_hall = False
        if any(player.is_user for player in self._config.players):
            computers = (player for player in self._config.players if not player.is_user)
            searcher.prepare(computers, self._config.game)

    @property
    def _config(self) -> Config:
        return self.hall.tournament.experiment.config

    @property
    def front(self) -> PlayScene | TournamentScene:
        """What fills the window now."""
        return self.hall if self._table is None or self._is_in_hall else self._table

    @property
    def is_going_on(self) -> bool:
        """Whether there are games to be played."""
        return self.hall.goes_on

    @property
    def _is_playing(self) -> bool:
        """Whether the tournament waits for the end of the person's game."""
        return self.session is not None and not self.session.referee.is_over

    @property
    def table(self) -> PlayScene | None:
        """The game that the person plays, or looks at when it is over; None where there is none."""
        return self._table

    def do(self, command: Command, now: float) -> None:
        """Carry a command out, here or where it belongs."""
        invitation = self.hall.following.invitation
        if isinstance(command, (gui.Resize, gui.Maximised, gui.ApplyPreferences)):
            self.hall.do(command, now)
            if self._table is not None:
                self._table.do(command, now)
        elif isinstance(command, gui.ShowHall) and self._table is not None:
            self._is_in_hall = True
            self.hall.do(gui.Redraw(), now)
        elif self._table is not None and not self._is_in_hall:
            self._table.do(command, now)
        elif isinstance(command, gui.BeginGame) and self._is_playing and self._table is not None:
            self._is_in_hall = False
            self._table.do(gui.Redraw(), now)
        elif invitation is not None and isinstance(command, gui.BeginGame):
            self._sit_down(invitation, now)
        else:
            self.hall.do(command, now)

    def next_commands(self) -> list[Command]:
        """What is to be carried out next."""
        return [*self.hall.next_commands(), *([] if self._table is None else self._table.next_commands())]

    def _sit_down(self, invitation: PersonInvited, now: float) -> None:
        """Begin the person's game."""
        job = invitation.job
        occasion = results.occasion(invitation, self._config, self.hall.following.standings)
        config = Config(job.players, seed=job.seed, move_delay_seconds=self._config.move_delay_seconds)

        def finish(record: GameRecord) -> None:
            self.hall.following.invitation = None
            self.hall.tournament.answer(record)

        self.session = Session(config, self._searcher, now, finish, start=invitation.start, job=job)
        size = self.hall.layout.window.size
        self._table = PlayScene(self.session, size, now, occasion, self.hall.preferences)
        self._is_in_hall = False

    def _stand_up(self, now: float) -> None:
        """Leave the table for good."""
        self._table = self.session = None
        self._searcher.cancel()
        self.hall.do(gui.Redraw(), now)

    def update(self, now: float) -> None:
        """Move on what is seen, and what goes on behind it."""
        if self._table is not None and self.session is not None:
            self._table.update(now)
            if self.session.is_left or (not self.hall.goes_on and not self.session.referee.is_over):
                self._stand_up(now)
        self.hall.under_way = self.session.game if self._is_playing and self.session is not None else None
        if self.front is self.hall or not self._is_playing:
            self.hall.update(now)

    def next_wake(self, now: float) -> float | None:
        """When to update again without a command, None: any time will do."""
        scenes = {self.front, self.hall} if self._table is None else {self._table, self.front}
        if not self._is_playing:
            scenes.add(self.hall)
        return min((wake for wake in (scene.next_wake(now) for scene in scenes) if wake is not None), default=None)
