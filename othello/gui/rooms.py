"""The screens of the window: the game screen and the tournament screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from othello.errors import OthelloError, cause_of
from othello.gui import commands as gui
from othello.gui import wording
from othello.gui.modes import REGISTRY
from othello.gui.play.table import Table
from othello.gui.preferences import PreferencesFile
from othello.gui.room import ScreenGroup, earliest
from othello.play import commands as play
from othello.play.worker import Worker
from othello.players.compiling import Compiler
from othello.records.results import SUFFIXES
from othello.texts import say

if TYPE_CHECKING:
    from othello.gui.tournament.contest import Contest, Venue

_LOOK_SECONDS: Final = 1.0  # how often the progress of the compiler is polled


class Rooms(ScreenGroup):
    """Switches between the game screen and the tournament screen. Both keep running in the background.

    Handles the commands that switch screens, and passes all others to the active screen.

    Args:
        table: the game screen.
        opponent_worker: the thread in which the user's opponents in a tournament search.
        preferences: the user's settings.
        prepare: called once, before the game screen is first shown.
        compiler: background kernel compiler, paused during tournaments; None disables it.
    """

    def __init__(
        self,
        table: Table,
        opponent_worker: Worker,
        preferences: PreferencesFile,
        prepare: Callable[[], None] = lambda: None,
        compiler: Compiler | None = None,
    ) -> None:
        self.table = table
        self.contest: Contest | None = None
        self.venue: Venue | None = None
        self._opponent_worker, self._preferences, self._prepare = opponent_worker, preferences, prepare
        self._compiler, self._murmur = compiler, ""
        self._compiling: tuple[float, float] | None = None  # start time of the compilation, and its share then
        self._shows_tournament = self._is_prepared = False

    @property
    def active(self) -> Table | Contest:
        return self.table if self.contest is None or not self._shows_tournament else self.contest

    @property
    def members(self) -> Sequence[Table | Contest]:
        return [self.table] if self.contest is None else [self.table, self.contest]

    def enter(self, venue: Venue, now: float) -> None:
        """Start a tournament and show its screen."""
        self.venue = venue
        self.contest = venue.begin(self._opponent_worker, self.table.window.size, now, REGISTRY, self._preferences)
        self._shows_tournament = True

    def show_game(self) -> None:
        """Show the game screen."""
        if not self._is_prepared:
            self._is_prepared = True
            self._prepare()
        self._shows_tournament = False

    def recover(self, title: str, reason: str, now: float) -> None:
        """Show an unexpected error and continue.

        If the tournament screen fails twice in a row, the game screen is shown instead.
        """
        from othello.gui.dialogs.notices import Notice

        if self._shows_tournament and type(self.front.dialog) is Notice:
            self.show_game()
        self.front.recover(title, reason, now)

    # Commands.

    @gui.handles(gui.Open)
    def _open(self, command: gui.Open, now: float) -> gui.Answer:
        shows_tournament = self.active is not self.table
        if command.dialog == "tournament" and self.contest is not None and not shows_tournament:
            self._shows_tournament = True
            self.front.redraw()
            return None
        front = self.front
        if not shows_tournament or command.dialog == "menu":
            return gui.PASS
        if command.dialog not in ("tournament", "settings", "about"):
            return self._do_in_game(command, now)
        if isinstance(front, Table):
            return gui.PASS
        dialog = REGISTRY.create_dialog(command.dialog, self.table.session, self._preferences)
        if dialog is not None:
            front.enter_dialog(dialog)
        return None

    @gui.handles(gui.SwitchMode, gui.OpenListed)
    def _do_in_game(self, command: object, now: float) -> gui.Answer:
        """Switch from the tournament to the game screen for a command."""
        if self.active is self.table:
            return gui.PASS
        self.front.close_dialog()
        self.show_game()
        self.front.redraw()
        self.table.do(command, now)
        return None

    @gui.handles(play.Try)
    def _try(self, command: play.Try, now: float) -> None:
        self.table.do(command, now)

    @gui.handles(gui.LookAtGame)
    def _look_at_game(self, command: gui.LookAtGame, now: float) -> None:
        """Analyse a tournament's game on the game screen, whose own game can be restored."""
        self._do_in_game(play.OpenGame(command.game, command.players), now)
        for each in (gui.SwitchMode("analyse"), gui.Tell(say("files.pasted"))):
            self.table.do(each, now)

    @gui.handles(gui.OpenFile)
    def _open_file(self, command: gui.OpenFile, now: float) -> gui.Answer:
        if command.path.suffix in SUFFIXES:
            self._go_on_with(command.path, now)
            return None
        return self._do_in_game(command, now)

    @gui.handles(gui.Quit)
    def _quit(self, command: gui.Quit, now: float) -> gui.Answer:
        from othello.gui.dialogs.notices import Question

        contest, venue, front = self.contest, self.venue, self.front
        loses_games = contest is not None and venue is not None and contest.hall.goes_on and not venue.is_kept
        if command.confirmed or isinstance(front.dialog, Question):
            return gui.PASS
        library = self.table.files.library
        unsaved = None if library is None else library.save(self.table.session, now)
        if loses_games:
            words = say("hall.quits"), say("hall.quits_text")
        elif unsaved is not None:
            words = say("files.quits"), say("files.quits_text", reason=cause_of(unsaved))
        else:
            return gui.PASS
        front.enter_dialog(Question(*words, say("hall.quit"), gui.Quit(confirmed=True), loses_data=True))
        return None

    @gui.handles(gui.StartTournament)
    def _begin(self, command: gui.StartTournament, now: float) -> None:
        """Start a tournament, and close the former one."""
        from othello.gui.tournament.contest import Venue

        if self.contest is not None and self.contest.hall.goes_on:
            self._refuse(say("hall.one_at_a_time"), now)
            return
        try:
            venue = Venue(command.config, command.document)
        except OthelloError as error:
            self._refuse(error.reason.sentence(), now)
            return
        self.close()
        self.front.close_dialog()
        self.enter(venue, now)
        self.front.redraw()

    def _go_on_with(self, results: Path, now: float) -> None:
        """Play the remaining games of the tournament of a results file."""
        from othello.gui.dialogs.tournament_setup import resumed

        try:
            command = gui.StartTournament(resumed(results))
        except OthelloError as error:
            self._refuse(error.reason.sentence(), now)
        else:
            self._begin(command, now)

    @gui.handles(gui.GoOn)
    def _go_on(self, command: gui.GoOn, now: float) -> gui.Answer:
        """Play the remaining games of the tournament."""
        if self.venue is None:
            return gui.PASS
        try:
            self.venue.go_on(command.rounds)
        except OthelloError as error:
            self._refuse(error.reason.sentence(), now)
            return None
        self.enter(self.venue, now)
        self.front.redraw()
        return None

    def _refuse(self, reason: str, now: float) -> None:
        self.front.do(gui.Refuse(say("hall.cannot"), reason), now)

    # Time.

    def update(self, now: float) -> None:
        if self._compiler is not None:
            self._compiler.hold(self.contest is not None and self.contest.hall.goes_on)
            self._tell_share(self._compiler.share, now)
        if self.front is self.table:
            self.show_game()
        if self._is_prepared:
            self.table.update(now)
        if self.contest is not None:
            self.contest.update(now)

    def _tell_share(self, share: float | None, now: float) -> None:
        """Show the progress of the compiler if it has changed."""
        if share is None or self._compiling is None:
            self._compiling = None if share is None else (now, share)
        began, done = self._compiling or (now, 0.0)
        words = "" if share is None else say("status.compiling")
        if share is not None and share > done:  # the time left is unknown before the first part is done
            left = (now - began) * (1 - share) / (share - done)
            words = say("status.compiling_left", time=wording.rough_time(max(10, 10 * round(left / 10))))
        if words != self._murmur:
            self._murmur = words
            self.table.do(gui.Murmur(words), now)

    def next_wake(self, now: float) -> float | None:
        return earliest(
            self.table.next_wake(now) if self._is_prepared else None,
            None if self.contest is None else self.contest.next_wake(now),
            now + _LOOK_SECONDS if self._compiler is not None and self._compiler.is_busy else None,
        )

    def close(self) -> None:
        """End the tournament, and wait until all its files are written."""
        if self.venue is not None:
            self.venue.close()
