"""The scene of a tournament in which a person plays."""

from __future__ import annotations

from othello.config import Config
from othello.gui import commands as gui
from othello.gui.commands import Command
from othello.gui.preferences import PreferencesFile
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
        preferences: how the person wants the window.
    """

    def __init__(self, hall: TournamentScene, searcher: Searcher, preferences: PreferencesFile | None = None) -> None:
        self._preferences = preferences
        self.hall = hall
        self.session: Session | None = None
        self._searcher = searcher
        self._table: PlayScene | None = None
        computers = (player for player in self._config.players if not player.is_user)
        searcher.prepare(computers, self._config.game)

    @property
    def _config(self) -> Config:
        return self.hall.tournament.experiment.config

    @property
    def front(self) -> PlayScene | TournamentScene:
        """What fills the window now."""
        return self._table or self.hall

    @property
    def _is_playing(self) -> bool:
        """Whether the tournament waits for the end of the person's game, so that nothing can happen in the hall."""
        return self.session is not None and not self.session.is_over

    @property
    def table(self) -> PlayScene | None:
        """The game that the person plays, or looks at when it is over; None in the hall."""
        return self._table

    def do(self, command: Command, now: float) -> None:
        """Carry a command out, here or where it belongs."""
        if isinstance(command, gui.Resize):
            self.hall.do(command, now)
        invitation = self.hall.following.invitation
        if self._table is not None:
            self._table.do(command, now)
        elif invitation is not None and isinstance(command, gui.BeginGame):
            self._sit_down(invitation, now)
        else:
            self.hall.do(command, now)

    def _sit_down(self, invitation: PersonInvited, now: float) -> None:
        """Begin the person's game."""
        job = invitation.job
        occasion = results.occasion(invitation, self._config, self.hall.following.standings)
        config = Config(job.players, seed=job.seed, move_delay_seconds=self._config.move_delay_seconds)

        def finish(record: GameRecord) -> None:
            self.hall.following.invitation = None
            self.hall.tournament.answer(record)

        self.session = Session(config, self._searcher, now, finish, start=invitation.start, job=job)
        self._table = PlayScene(self.session, self.hall.layout.window.size, now, occasion, self._preferences)

    def update(self, now: float) -> None:
        """Move on what is seen, and what goes on behind it."""
        if self._table is not None and self.session is not None:
            self._table.update(now)
            if self.session.is_left:
                self._table = self.session = None
                self.hall.do(gui.Redraw(), now)
        if not self._is_playing:
            self.hall.update(now)

    def next_wake(self, now: float) -> float | None:
        """When to update again without a command, None: any time will do."""
        scenes = (self.front,) if self._is_playing else (self.front, self.hall)
        return min((wake for wake in (scene.next_wake(now) for scene in scenes) if wake is not None), default=None)
