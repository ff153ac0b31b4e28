"""The screens of the window: the game screen and the tournament screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from othello.errors import OthelloError, cause_of
from othello.gui import commands as gui
from othello.gui import labels
from othello.gui.modes.registry import REGISTRY
from othello.gui.preferences import PreferencesFile
from othello.gui.screen import ScreenGroup, earliest
from othello.gui.screens.game_screen import GameScreen
from othello.play import commands as play
from othello.play.worker import Worker
from othello.players.compilation import Compiler
from othello.records.results import SUFFIXES
from othello.texts import tr

if TYPE_CHECKING:
    from othello.gui.screens.tournament.tournament_controller import TournamentController, TournamentHandle

_LOOK_SECONDS: Final = 1.0  # how often the progress of the compiler is polled


class ScreenManager(ScreenGroup):
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
        table: GameScreen,
        opponent_worker: Worker,
        preferences: PreferencesFile,
        prepare: Callable[[], None] = lambda: None,
        compiler: Compiler | None = None,
    ) -> None:
        self.table = table
        self.controller: TournamentController | None = None
        self.handle: TournamentHandle | None = None
        self._opponent_worker, self._preferences, self._prepare = opponent_worker, preferences, prepare
        self._compiler, self._background_status = compiler, ""
        self._compiling: tuple[float, float] | None = None  # start time of the compilation, and its share then
        self._shows_tournament = self._is_prepared = False

    @property
    def active(self) -> GameScreen | TournamentController:
        return self.table if self.controller is None or not self._shows_tournament else self.controller

    @property
    def members(self) -> Sequence[GameScreen | TournamentController]:
        return [self.table] if self.controller is None else [self.table, self.controller]

    def enter(self, handle: TournamentHandle, now: float) -> None:
        """Start a tournament and show its screen."""
        self.handle = handle
        self.controller = handle.begin(self._opponent_worker, self.table.window.size, now, REGISTRY, self._preferences)
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
        from othello.gui.dialogs.notices import MessageDialog

        if self._shows_tournament and type(self.active_screen.dialog) is MessageDialog:
            self.show_game()
        self.active_screen.recover(title, reason, now)

    # Commands.

    @gui.handles(gui.Open)
    def _open(self, command: gui.Open, now: float) -> gui.Answer:
        shows_tournament = self.active is not self.table
        if command.dialog == "tournament" and self.controller is not None and not shows_tournament:
            self._shows_tournament = True
            self.active_screen.redraw()
            return None
        front = self.active_screen
        if not shows_tournament or command.dialog == "menu":
            return gui.NOT_HANDLED
        if command.dialog not in ("tournament", "settings", "about"):
            return self._do_in_game(command, now)
        if isinstance(front, GameScreen):
            return gui.NOT_HANDLED
        dialog = REGISTRY.create_dialog(command.dialog, self.table.session, self._preferences)
        if dialog is not None:
            front.enter_dialog(dialog)
        return None

    @gui.handles(gui.SwitchMode, gui.OpenListed)
    def _do_in_game(self, command: object, now: float) -> gui.Answer:
        """Switch from the tournament to the game screen for a command."""
        if self.active is self.table:
            return gui.NOT_HANDLED
        self.active_screen.close_dialog()
        self.show_game()
        self.active_screen.redraw()
        self.table.do(command, now)
        return None

    @gui.handles(play.MeasureMoveTime)
    def _try(self, command: play.MeasureMoveTime, now: float) -> None:
        self.table.do(command, now)

    @gui.handles(gui.AnalyseTournamentGame)
    def _look_at_game(self, command: gui.AnalyseTournamentGame, now: float) -> None:
        """Analyse a tournament's game on the game screen, whose own game can be restored."""
        self._do_in_game(play.OpenGame(command.game, command.players), now)
        for each in (gui.SwitchMode("analyse"), gui.ShowMessage(tr("files.pasted"))):
            self.table.do(each, now)

    @gui.handles(gui.OpenFile)
    def _open_file(self, command: gui.OpenFile, now: float) -> gui.Answer:
        if command.path.suffix in SUFFIXES:
            self._go_on_with(command.path, now)
            return None
        return self._do_in_game(command, now)

    @gui.handles(gui.Quit)
    def _quit(self, command: gui.Quit, now: float) -> gui.Answer:
        from othello.gui.dialogs.notices import ConfirmDialog

        controller, handle, front = self.controller, self.handle, self.active_screen
        loses_games = controller is not None and handle is not None and controller.hall.goes_on and not handle.is_kept
        if command.confirmed or isinstance(front.dialog, ConfirmDialog):
            return gui.NOT_HANDLED
        library = self.table.files.library
        unsaved = None if library is None else library.save(self.table.session, now)
        if loses_games:
            words = tr("hall.quits"), tr("hall.quits_text")
        elif unsaved is not None:
            words = tr("files.quits"), tr("files.quits_text", reason=cause_of(unsaved))
        else:
            return gui.NOT_HANDLED
        front.enter_dialog(ConfirmDialog(*words, tr("hall.quit"), gui.Quit(confirmed=True), loses_data=True))
        return None

    @gui.handles(gui.StartTournament)
    def _begin(self, command: gui.StartTournament, now: float) -> None:
        """Start a tournament, and close the former one."""
        from othello.gui.screens.tournament.tournament_controller import TournamentHandle

        if self.controller is not None and self.controller.hall.goes_on:
            self._refuse(tr("hall.one_at_a_time"), now)
            return
        try:
            handle = TournamentHandle(command.config, command.document)
        except OthelloError as error:
            self._refuse(error.reason.sentence(), now)
            return
        self.close()
        self.active_screen.close_dialog()
        self.enter(handle, now)
        self.active_screen.redraw()

    def _go_on_with(self, results: Path, now: float) -> None:
        """Play the remaining games of the tournament of a results file."""
        from othello.gui.dialogs.tournament_setup import resumed

        try:
            command = gui.StartTournament(resumed(results))
        except OthelloError as error:
            self._refuse(error.reason.sentence(), now)
        else:
            self._begin(command, now)

    @gui.handles(gui.ResumeTournament)
    def _go_on(self, command: gui.ResumeTournament, now: float) -> gui.Answer:
        """Play the remaining games of the tournament."""
        if self.handle is None:
            return gui.NOT_HANDLED
        try:
            self.handle.resume(command.rounds)
        except OthelloError as error:
            self._refuse(error.reason.sentence(), now)
            return None
        self.enter(self.handle, now)
        self.active_screen.redraw()
        return None

    def _refuse(self, reason: str, now: float) -> None:
        self.active_screen.do(gui.ShowError(tr("hall.cannot"), reason), now)

    # Time.

    def update(self, now: float) -> None:
        if self._compiler is not None:
            self._compiler.set_paused(self.controller is not None and self.controller.hall.goes_on)
            self._show_compiling(self._compiler.share, now)
        if self.active_screen is self.table:
            self.show_game()
        if self._is_prepared:
            self.table.update(now)
        if self.controller is not None:
            self.controller.update(now)

    def _show_compiling(self, share: float | None, now: float) -> None:
        """Show the progress of the compiler if it has changed."""
        if share is None or self._compiling is None:
            self._compiling = None if share is None else (now, share)
        began, done = self._compiling or (now, 0.0)
        words = "" if share is None else tr("status.compiling")
        if share is not None and share > done:  # the time left is unknown before the first part is done
            left = (now - began) * (1 - share) / (share - done)
            words = tr("status.compiling_left", time=labels.rough_time(max(10, 10 * round(left / 10))))
        if words != self._background_status:
            self._background_status = words
            self.table.view_state.background_status = words

    def next_wake(self, now: float) -> float | None:
        return earliest(
            self.table.next_wake(now) if self._is_prepared else None,
            None if self.controller is None else self.controller.next_wake(now),
            now + _LOOK_SECONDS if self._compiler is not None and self._compiler.is_busy else None,
        )

    def close(self) -> None:
        """End the tournament, and wait until all its files are written."""
        if self.handle is not None:
            self.handle.close()
