"""The screens of the window: the game screen and the tournament screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from othello.errors import OthelloError, cause_of
from othello.gui import commands as gui, labels
from othello.gui.commands import CommandHandler
from othello.gui.dialogs.dialog_registry import create_dialog
from othello.gui.preferences import PreferencesFile
from othello.gui.screen import Screen, earliest
from othello.gui.screens.game_screen import GameScreen
from othello.play import session_commands as cmd
from othello.play.worker import Worker
from othello.players.compilation import Compiler
from othello.records.results import SUFFIXES
from othello.texts import tr

if TYPE_CHECKING:
    from othello.gui.screens.tournament.tournament_handle import TournamentHandle
    from othello.gui.screens.tournament.tournament_screen import TournamentScreen

_POLL_SECONDS: Final = 1.0  # how often the progress of the compiler is polled


class ScreenManager(CommandHandler):
    """Switches between the game screen and the tournament screen. Both keep running in the background.

    Handles the commands that switch screens, and passes all others to the active screen.

    Args:
        game_screen: the game screen.
        opponent_worker: the thread in which the user's opponents in a tournament search.
        preferences: the user's settings.
        prepare: called once, before the game screen is first shown.
        compiler: background kernel compiler, paused during tournaments; None disables it.
    """

    def __init__(
        self,
        game_screen: GameScreen,
        opponent_worker: Worker,
        preferences: PreferencesFile,
        prepare: Callable[[], None] = lambda: None,
        compiler: Compiler | None = None,
    ) -> None:
        self.game_screen = game_screen
        self._shown: Screen = game_screen
        self.tournament_screen: TournamentScreen | None = None
        self.handle: TournamentHandle | None = None
        self._opponent_worker, self._preferences, self._prepare = opponent_worker, preferences, prepare
        self._compiler, self._background_status = compiler, ""
        self._compiling: tuple[float, float] | None = None  # start time of the compilation, and its share then
        self._is_prepared = False

    @property
    def active_screen(self) -> Screen:
        """The screen that fills the window."""
        return self._shown.active_screen

    @property
    def _is_tournament_running(self) -> bool:
        return self.tournament_screen is not None and self.tournament_screen.is_running

    @property
    def _screens(self) -> list[Screen]:
        return [self.game_screen] if self.tournament_screen is None else [self.game_screen, self.tournament_screen]

    def do(self, command: object, now: float) -> None:
        """Carry out `command`, here or in the active screen."""
        if gui.is_for_all_screens(command):
            for screen in self._screens:
                screen.do(command, now)
        elif self.take(command, now) is gui.NOT_HANDLED:
            self._shown.do(command, now)

    def next_commands(self) -> list[object]:
        """Return the commands to be carried out next."""
        return [command for screen in self._screens for command in screen.next_commands()]

    def enter(self, handle: TournamentHandle, now: float) -> None:
        """Start a tournament and show its screen."""
        from othello.gui.screens.tournament.tournament_screen import TournamentScreen

        size, worker = self.game_screen.window.size, self._opponent_worker
        self.handle = handle
        self._shown = self.tournament_screen = TournamentScreen(handle, worker, size, now, self._preferences)

    def show_game(self) -> None:
        """Show the game screen."""
        if not self._is_prepared:
            self._is_prepared = True
            self._prepare()
        self._shown = self.game_screen

    def recover(self, title: str, reason: str, now: float) -> None:
        """Show an unexpected error and continue.

        If the tournament screen fails twice in a row, the game screen is shown instead.
        """
        from othello.gui.dialogs.notices import MessageDialog

        if self._shown is not self.game_screen and type(self.active_screen.dialog) is MessageDialog:
            self.show_game()
        self.active_screen.recover(title, reason, now)

    # Commands.

    @gui.handles(gui.Open)
    def _open(self, command: gui.Open, now: float) -> gui.Answer:
        shows_game, screen = self._shown is self.game_screen, self.active_screen
        if command.dialog == "tournament" and self.tournament_screen is not None and shows_game:
            self._shown = self.tournament_screen
            self.active_screen.redraw()
            return None
        if shows_game or command.dialog == "menu":
            return gui.NOT_HANDLED
        if command.dialog not in ("tournament", "settings", "about"):
            return self._do_in_game(command, now)
        if isinstance(screen, GameScreen):
            return gui.NOT_HANDLED
        dialog = create_dialog(command.dialog, self.game_screen.session, self._preferences)
        if dialog is not None:
            screen.enter_dialog(dialog)
        return None

    @gui.handles(gui.SwitchMode, gui.OpenListed)
    def _do_in_game(self, command: object, now: float) -> gui.Answer:
        """Switch from the tournament to the game screen for a command."""
        if self._shown is self.game_screen:
            return gui.NOT_HANDLED
        self.active_screen.close_dialog()
        self.show_game()
        self.active_screen.redraw()
        self.game_screen.do(command, now)
        return None

    @gui.handles(cmd.MeasureMoveTime)
    def _measure_move_time(self, command: cmd.MeasureMoveTime, now: float) -> None:
        self.game_screen.do(command, now)

    @gui.handles(gui.AnalyseTournamentGame)
    def _analyse_game(self, command: gui.AnalyseTournamentGame, now: float) -> None:
        """Analyse a tournament's game on the game screen, whose own game can be restored."""
        self._do_in_game(cmd.OpenGame(command.game, command.players), now)
        for follow_up in (gui.SwitchMode("analyse"), gui.ShowMessage(tr("files.pasted"))):
            self.game_screen.do(follow_up, now)

    @gui.handles(gui.OpenFile)
    def _open_file(self, command: gui.OpenFile, now: float) -> gui.Answer:
        from othello.gui.dialogs.tournament_setup import resumed

        if command.path.suffix not in SUFFIXES:
            return self._do_in_game(command, now)
        with self._showing_errors(now):
            self._begin_tournament(gui.StartTournament(resumed(command.path)), now)
        return None

    @gui.handles(gui.Quit)
    def _quit(self, command: gui.Quit, now: float) -> gui.Answer:
        from othello.gui.dialogs.notices import ConfirmDialog

        screen = self.active_screen
        if command.confirmed or isinstance(screen.dialog, ConfirmDialog):
            return gui.NOT_HANDLED
        library = self.game_screen.files.library
        unsaved = None if library is None else library.save(self.game_screen.session, now)
        if self._is_tournament_running and self.handle is not None and not self.handle.is_kept:
            words = tr("tournament.quits"), tr("tournament.quits_text")
        elif unsaved is not None:
            words = tr("files.quits"), tr("files.quits_text", reason=cause_of(unsaved))
        else:
            return gui.NOT_HANDLED
        screen.enter_dialog(ConfirmDialog(*words, tr("tournament.quit"), gui.Quit(confirmed=True), loses_data=True))
        return None

    @gui.handles(gui.StartTournament)
    def _begin_tournament(self, command: gui.StartTournament, now: float) -> None:
        """Start a tournament, and close the former one."""
        from othello.gui.screens.tournament.tournament_handle import TournamentHandle

        if self._is_tournament_running:
            self._refuse(tr("tournament.one_at_a_time"), now)
            return
        with self._showing_errors(now):
            handle = TournamentHandle(command.config, command.document)
            self.close()
            self.active_screen.close_dialog()
            self.enter(handle, now)

    @gui.handles(gui.ResumeTournament)
    def _resume_tournament(self, command: gui.ResumeTournament, now: float) -> gui.Answer:
        """Play the remaining games of the tournament."""
        if self.handle is None:
            return gui.NOT_HANDLED
        with self._showing_errors(now):
            self.handle.resume(command.rounds)
            self.enter(self.handle, now)
        return None

    @contextmanager
    def _showing_errors(self, now: float) -> Iterator[None]:
        """Show an OthelloError of the block: the tournament cannot be played."""
        try:
            yield
        except OthelloError as error:
            self._refuse(error.reason.sentence(), now)

    def _refuse(self, reason: str, now: float) -> None:
        self.active_screen.do(gui.ShowError(tr("tournament.cannot"), reason), now)

    # Time.

    def update(self, now: float) -> None:
        """Update the active screen, and the other screen if it continues in the background."""
        if self._compiler is not None:
            self._compiler.set_paused(self._is_tournament_running)
            self._show_compiling(self._compiler.share, now)
        if self.active_screen is self.game_screen:
            self.show_game()
        if self._is_prepared:
            self.game_screen.update(now)
        if self.tournament_screen is not None:
            self.tournament_screen.update(now)

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
            self.game_screen.view_state.background_status = words

    def next_wake(self, now: float) -> float | None:
        """Return the time of the next update that needs no input, or None."""
        return earliest(
            self.game_screen.next_wake(now) if self._is_prepared else None,
            None if self.tournament_screen is None else self.tournament_screen.next_wake(now),
            now + _POLL_SECONDS if self._compiler is not None and self._compiler.is_busy else None,
        )

    def close(self) -> None:
        """End the tournament, and wait until all its files are written."""
        if self.handle is not None:
            self.handle.close()
