"""The board and the hall: what fills the window, one of them at a time, while both go on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from othello.config import Config
from othello.errors import OthelloError
from othello.gui import commands as gui
from othello.gui.commands import Command
from othello.gui.preferences import PreferencesFile
from othello.gui.scenes.play import PlayScene
from othello.gui.scenes.registry import dialogs
from othello.play.thinking import Searcher
from othello.records.results import SUFFIXES
from othello.texts import say

if TYPE_CHECKING:
    from othello.gui.scenes.contest import ContestScene
    from othello.gui.scenes.tournament import TournamentScene
    from othello.gui.scenes.venue import Venue

_ALL = (gui.Resize, gui.Maximised, gui.ApplyPreferences)
"""What concerns every scene, also those behind."""
_OF_TABLE = (gui.Open, gui.SwitchMode, gui.OpenFile)
"""What leads from the hall to the board."""


class Rooms:
    """A table for games, and a hall where a tournament is on.

    Args:
        table: the scene of the game.
        rival: what a person's opponents in a tournament think in.
        preferences: how the person wants the window.
        prepare: called before the table is seen for the first time.
    """

    def __init__(
        self,
        table: PlayScene,
        rival: Searcher,
        preferences: PreferencesFile,
        prepare: Callable[[], None] = lambda: None,
    ) -> None:
        self.table = table
        self.contest: ContestScene | None = None
        self.venue: Venue | None = None
        self._rival, self._preferences, self._prepare = rival, preferences, prepare
        self._is_in_hall = self._was_at_table = False

    @property
    def front(self) -> PlayScene | TournamentScene:
        """What fills the window now."""
        return self.table if self.contest is None or not self._is_in_hall else self.contest.front

    def enter(self, venue: Venue, now: float) -> None:
        """Begin a tournament, and show it."""
        self.venue = venue
        self.contest = venue.begin(self._rival, self.table.layout.window.size, now, self._preferences)
        self._is_in_hall = True

    def sit_down(self) -> None:
        """Show the game."""
        if not self._was_at_table:
            self._was_at_table = True
            self._prepare()
        self._is_in_hall = False

    def do(self, command: Command, now: float) -> None:
        """Carry a command out, here or where it belongs."""
        is_in_hall = self._is_in_hall and self.contest is not None
        match command:
            case gui.StartTournament(config):
                self._start(config, now)
            case gui.OpenFile(path) if path.suffix in SUFFIXES:
                self._go_on_with(path, now)
            case gui.GoOn() if self.venue is not None:
                self._go_on(self.venue, now)
            case gui.Open("tournament") if self.contest is not None and not is_in_hall:
                self._is_in_hall = True
                self._redraw(now)
            case gui.Open("tournament" | "settings" | "about" as name) if is_in_hall:
                style, window = self.front.layout.style, self.front.layout.window
                self.front.dialog = dialogs()[name](self.table.session, self._preferences, style, window)
            case gui.Quit(is_certain=False) if self._loses_games and not self._is_asking:
                words = say("hall.quits"), say("hall.quits_text"), say("hall.quit")
                self._ask(*words, gui.Quit(is_certain=True))
            case _ if isinstance(command, _OF_TABLE) and is_in_hall and command != gui.Open("menu"):
                self.sit_down()
                self._redraw(now)
                self.table.do(command, now)
            case _ if isinstance(command, _ALL):
                self.table.do(command, now)
                if self.contest is not None:
                    self.contest.do(command, now)
            case _:
                (self.contest if is_in_hall and self.contest is not None else self.table).do(command, now)

    def recover(self, title: str, reason: str, now: float) -> None:
        """Go on after an error that nobody expected. Where the hall fails twice in a row, the table is shown."""
        from othello.gui.dialogs.notices import Notice

        if self._is_in_hall and type(self.front.dialog) is Notice:
            self.sit_down()
        self.front.recover(title, reason, now)

    def next_commands(self) -> list[Command]:
        """What is to be carried out next."""
        return [*self.table.next_commands(), *([] if self.contest is None else self.contest.next_commands())]

    def _redraw(self, now: float) -> None:
        self.front.do(gui.Redraw(), now)

    @property
    def _loses_games(self) -> bool:
        """Whether the end of the window is the end of a tournament's games."""
        contest = self.contest
        return contest is not None and self.venue is not None and contest.is_going_on and not self.venue.is_kept

    @property
    def _is_asking(self) -> bool:
        from othello.gui.dialogs.notices import Question

        return isinstance(self.front.dialog, Question)

    def _ask(self, title: str, text: str, yes: str, command: Command) -> None:
        from othello.gui.dialogs.notices import Question

        layout = self.front.layout
        self.front.dialog = Question(title, text, yes, command, layout.style, layout.window)

    def _start(self, config: Config, now: float) -> None:
        """Begin a tournament in place of the one that was there."""
        from othello.gui.scenes.venue import Venue

        if self.contest is not None and self.contest.is_going_on:
            self.front.refuse(say("hall.cannot"), say("hall.one_at_a_time"))
            return
        try:
            venue = Venue(config)
        except OthelloError as error:
            self.front.refuse(say("hall.cannot"), error.reason.sentence())
            return
        self.close()
        self.front.dialog = None
        self.enter(venue, now)
        self._redraw(now)

    def _go_on_with(self, results: Path, now: float) -> None:
        """Play what the tournament of a results file has left."""
        from othello.gui.scenes.tournament_plan import resumed

        try:
            config = resumed(results)
        except OthelloError as error:
            self.front.refuse(say("hall.cannot"), error.reason.sentence())
            return
        self._start(config, now)

    def _go_on(self, venue: Venue, now: float) -> None:
        """Play what the tournament has left."""
        try:
            venue.go_on()
        except OthelloError as error:
            self.front.refuse(say("hall.cannot"), error.reason.sentence())
            return
        self.enter(venue, now)
        self._redraw(now)

    def update(self, now: float) -> None:
        """Move on what is seen, and what goes on behind it."""
        if self.front is self.table:
            self.sit_down()
        if self._was_at_table:
            self.table.update(now)
        if self.contest is not None:
            self.contest.update(now)

    def next_wake(self, now: float) -> float | None:
        """When to update again without a command, None: any time will do."""
        behind = self.table.next_wake(now) if self._was_at_table else None
        wakes = (behind, None if self.contest is None else self.contest.next_wake(now))
        return min((wake for wake in wakes if wake is not None), default=None)

    def close(self) -> None:
        """End the tournament, with everything written."""
        if self.venue is not None:
            self.venue.close()
