"""The screen of a tournament: standings, progress, live games, and the user's own games."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from othello.config import Config
from othello.game import AnyGame, GameTree
from othello.gui import commands as gui, labels, ui
from othello.gui.actions import Context
from othello.gui.dialogs.games import GamesDialog
from othello.gui.dialogs.notices import ConfirmDialog
from othello.gui.modes.mode_host import Storage
from othello.gui.preferences import PreferencesFile
from othello.gui.screen import Screen, earliest
from othello.gui.screens.game_screen import GameScreen
from othello.gui.screens.tournament import standings_text, standings_widgets
from othello.gui.screens.tournament.standings_widgets import Standing
from othello.gui.screens.tournament.tournament_dialogs import ComparisonDialog, LiveDialog
from othello.gui.screens.tournament.tournament_handle import TournamentHandle
from othello.gui.screens.tournament.tournament_state import LiveGame, TournamentState
from othello.gui.toolbar import Toolbar, button, toolbar
from othello.gui.widgets.board_widget import Status
from othello.play import session_commands as cmd
from othello.play.session import Session
from othello.play.worker import Worker
from othello.records.formats.parsed_game import ParsedGame
from othello.records.readers import read_games
from othello.records.record import GameRecord
from othello.rules.registry import game_spec
from othello.texts import tr
from othello.tournament.background import Event
from othello.tournament.schedule import computers_meet

_POLL_SECONDS: Final = 0.1  # polling interval for events
_IDLE_POLL_SECONDS: Final = 0.5  # the same while the tournament waits for the user


class TournamentScreen(Screen):
    """Starts a tournament and shows it, or the user's game in it. The user's opponents search in `worker`."""

    def __init__(
        self, handle: TournamentHandle, worker: Worker, size: ui.Point, now: float, preferences: PreferencesFile
    ) -> None:
        self.tournament = tournament = handle.tournament
        super().__init__(tournament.experiment.config.game, preferences, size)
        self.state = TournamentState(tournament.experiment, now)
        self.game_screen: GameScreen | None = None  # the user's current or last game
        self.first_row = 0  # of the tables, scrolled
        self._report_writer, self._unfinished, self._is_kept = handle.report_writer, handle.unfinished, handle.is_kept
        self._worker = worker
        self._shows_standings = False  # True: although there is a game of the user
        self._event_count = 0  # number of events processed
        if self.state.has_user:
            config = tournament.experiment.config
            worker.prepare((player for player in config.players if not player.is_user), config.game)
        tournament.start()
        self.update(now)

    # The user's games.

    @property
    def active_screen(self) -> Screen:
        return self if self.game_screen is None or self._shows_standings else self.game_screen

    @property
    def session(self) -> Session | None:
        """The user's game; None between two games."""
        return None if self.game_screen is None else self.game_screen.session

    @property
    def _is_playing(self) -> bool:
        """True if the tournament waits for the end of the user's game."""
        return self.session is not None and not self.session.referee.is_over

    @property
    def under_way(self) -> AnyGame | None:
        """The user's unfinished game, also that of an earlier run; None if no game has begun."""
        if self.session is not None and self._is_playing:
            return self.session.game
        invitation = self.state.invitation
        left = None if invitation is None else self._unfinished.begin(invitation.job, invitation.start)
        return left.game if isinstance(left, GameTree) else None

    def do(self, command: object, now: float) -> None:
        """Carry out a command, here or in the user's game if that is shown."""
        is_for_both = gui.is_for_all_screens(command)
        is_covered = self.active_screen is not self and command is not gui.PlainCommand.SHOW_STANDINGS
        if self.game_screen is not None and (is_for_both or is_covered):
            self.game_screen.do(command, now)
        if is_for_both or not is_covered:
            super().do(command, now)

    def next_commands(self) -> list[object]:
        return super().next_commands() + ([] if self.game_screen is None else self.game_screen.next_commands())

    @gui.handles(gui.PlainCommand.SHOW_STANDINGS)
    def _show_standings(self, command: gui.PlainCommand, now: float) -> None:
        self._shows_standings = True
        self.redraw()

    @gui.handles(gui.PlainCommand.BEGIN_GAME)
    def _begin(self, command: gui.PlainCommand, now: float) -> None:
        """Show the user's running game, or start the next one."""
        self._shows_standings = False
        invitation, config = self.state.invitation, self.tournament.experiment.config
        if self.game_screen is not None and self._is_playing:
            self.game_screen.redraw()
        elif invitation is not None:
            job = invitation.job
            game_config = Config(job.players, seed=job.seed, move_delay_seconds=config.move_delay_seconds)
            start = self._unfinished.begin(job, invitation.start)
            session = Session(game_config, self._worker, now, self._finish, start=start, job=job)
            occasion = standings_text.occasion(invitation, config, self.state.standings)
            self.game_screen = GameScreen(session, self.window.size, now, Storage(self.preferences), occasion)

    def _finish(self, record: GameRecord) -> None:
        self.state.invitation = None
        self.tournament.answer(record)

    # Names and layout.

    @property
    def base_context(self) -> Context:
        return Context.STANDINGS_WITH_PERSON if self.state.has_user else Context.STANDINGS

    @property
    def name(self) -> str:
        return tr("actions.tournament.button")

    def toolbar(self) -> Toolbar:
        rules = labels.unusual_rules(self.renderer.rules)
        return toolbar(self.renderer, self.base_context, occasion=(rules,) if rules else ())

    def body(self, now: float) -> ui.Widget:
        following, palette = self.state, self.style.palette
        counts = self.renderer.rules.points == "discs"
        rows = standings_text.rows(following.findings, counts=counts)
        cross = standings_widgets.CrossTable(rows, self.first_row, name="cross", grow=True)
        heading = ui.Label(tr("tournament.cross"), 14, bold=True)
        parts = ui.Spacer(height=12), heading, ui.Spacer(height=5), cross, ui.Spacer(height=8)
        title = standings_text.title(following, is_playing=self.under_way is not None)
        waiting = tr("tournament.none_played" if following.end is not None else "tournament.none_yet")
        return standings_widgets.TournamentScreenLayout(
            self._standings_card(rows, standings_text.columns(counts=counts)),
            ui.Card(ui.Column(parts, 0), (20, 0), palette.panel),
            standings_widgets.live_card(title, self._boards(), waiting, palette),
            Status(*self._status(), name="status"),
        )

    def _standings_card(self, rows: tuple[Standing, ...], columns: tuple[ui.TableColumn, ...]) -> ui.Widget:
        """Return the card of the standings: table, progress, sequential test, scores of both sides, and buttons."""
        following, palette, (*left, right) = self.state, self.style.palette, self._buttons()
        progress, test = standings_text.progress(following, self.tournament.experiment), following.standings.test
        title = ui.Label(tr("tournament.standings"), 16, bold=True)
        head = ui.Row((title, ui.Label(progress, 12, palette.muted, align="right", grow=True)))
        bar = ui.ProgressBar(1.0 if self.is_complete else following.share, height=6, tip=progress)
        table = standings_widgets.StandingsTable(rows, self.first_row, columns, name="standings", grow=True)
        colors = standings_text.colors(following.findings, self.renderer.rules)
        below = () if test is None else standings_text.sequential(test, palette)
        narrow = [replace(button, width=None, grow=True) for button in (*left, right)]
        buttons = ui.Row((*left, ui.Spacer(grow=True), right)), ui.Column((ui.Row(narrow[:-1]), ui.Row(narrow[-1:])))
        parts = (
            *(ui.Spacer(height=12), head, ui.Spacer(height=8), bar, ui.Spacer(height=10), table, *below),
            *(ui.Label(colors, 13, palette.muted, height=24), ui.Spacer(height=6)),
            *(ui.FocusGroup((ui.FirstThatFits(buttons, grow=True),)), ui.Spacer(height=14)),
        )
        return ui.Card(ui.Column(parts, 0), (20, 0), palette.panel)

    def _buttons(self) -> Iterator[ui.Button]:
        is_paused = self.tournament.control.is_paused and self._can_pause
        config = self.tournament.experiment.config
        comparison, has_games = config.tournament.compare, self.state.standings.games > 0
        rounds, games = standings_text.more_rounds(self.state.findings, config) if self.is_complete else (0, 0)
        height = standings_widgets.BUTTON
        if rounds:
            more, tip = tr("tournament.more", n=games), tr("tournament.more_tip")
            yield ui.Button(more, gui.ResumeTournament(rounds), name="more", tip=tip, height=height)
        shown = {} if rounds else {"hold": self._can_pause or self._can_go_on, "stop": self.is_running}
        shown |= {"games": has_games} if comparison is None else {"games": has_games, "compare": True}
        shown["report"] = has_games and not self._report_writer.is_busy
        for name, enabled in shown.items():
            is_hold, min_width = name == "hold", 160 if name == "report" else 96
            chosen, other = is_hold and is_paused, is_hold and (is_paused or self._can_go_on)
            result = button(name, self.base_context, enabled=enabled, chosen=chosen, other=other, height=height)
            yield replace(result, width=max(min_width, result.size(self.style, 0).width))

    def _boards(self) -> Sequence[ui.Widget]:
        following, invitation = self.state, self.state.invitation
        if invitation is not None:
            config = self.tournament.experiment.config
            live = standings_text.invited(invitation, config, following.standings, self.under_way)
            begin = button("begin", self.base_context, other=self.under_way is not None) if self.is_running else None
            return (standings_widgets.LiveBoard(renderer=self.renderer, live=live, begin=begin, enabled=False, grow=1),)
        return [self._board(place, shown) for place, shown in enumerate(following.boards)]

    def _board(self, place: int, shown: LiveGame | None) -> ui.Widget:
        if shown is None:
            return ui.Spacer(grow=True)
        live = standings_text.live(shown, is_last=self.state.end is not None)
        watch, tip = gui.Call(self._watch, (place,)), tr("tournament.watch")
        board = standings_widgets.LiveBoard(command=watch, renderer=self.renderer, live=live, tip=tip)
        return replace(board, name=f"board{place}", grow=True)

    def _status(self) -> tuple[str, bool]:
        """Return the status line, and True if it reports an error."""
        following, control, experiment = self.state, self.tournament.control, self.tournament.experiment
        if self._report_writer.message:
            return self._report_writer.message, self._report_writer.failed
        if following.end is not None and following.end.broke_off:
            error = following.end.error
            words = tr("tournament.broke_off_somehow" if error is None else "tournament.broke_off", error=str(error))
            return words, True
        if following.end is not None:
            return standings_text.verdict(following, experiment.config, is_stopped=control.is_stopped), False
        if control.is_stopped:
            return tr("tournament.stopping"), False
        if control.is_paused and self._can_pause:
            return tr("tournament.paused"), False
        if self.under_way is not None:
            return tr("tournament.back"), False
        if following.invitation is not None:
            others = computers_meet(experiment.config)
            return tr("tournament.invited_before_others" if others else "tournament.invited"), False
        if following.forfeited is not None:
            return standings_text.forfeit(following.forfeited), True
        if not any(following.boards):
            return tr("tournament.starting"), False
        return tr("tournament.seed", seed=experiment.seed), False

    @property
    def is_running(self) -> bool:
        """True while games are left to play."""
        return self.state.end is None and not self.tournament.control.is_stopped

    @property
    def _can_pause(self) -> bool:
        """True if the tournament can be paused; it waits for a user's game anyway."""
        return self.is_running and self.state.invitation is None

    @property
    def _can_go_on(self) -> bool:
        """True if the tournament was stopped and has games left."""
        following, experiment = self.state, self.tournament.experiment
        test = following.standings.test
        is_open = following.end is not None and (test is None or test.accepted is None)
        return is_open and not self.is_complete and following.standings.games < experiment.max_games

    @property
    def is_complete(self) -> bool:
        """True if the tournament ended after its last game."""
        end = self.state.end
        return end is not None and not end.broke_off and not self.tournament.control.is_stopped

    # Commands.

    @gui.handles(ui.Scroll, gui.MoveCursor)
    def _scroll(self, command: ui.Scroll | gui.MoveCursor, now: float) -> None:
        """Scroll the page, or the tables if all of the page is visible."""
        if self.dialog is not None:
            self._aim(command, now)
        elif not self.widgets.scroll_rows(command.rows):
            self.first_row += command.rows

    def _watch(self, place: int) -> None:
        """Open a live game in a dialog."""
        self.state.watched = self.state.boards[place]
        if self.state.watched is not None:
            self.enter_dialog(LiveDialog(self.state, self.state.watched))

    @gui.handles(gui.PlainCommand.DISMISS)
    def _dismiss(self, command: gui.PlainCommand, now: float) -> None:
        self.widgets.leave()

    @gui.handles(gui.Stop)
    def _stop(self, command: gui.Stop, now: float) -> None:
        """Stop the tournament, after a question unless the user has confirmed."""
        if not self.is_running:
            return
        self._report_writer.forget()
        if command.confirmed:
            self.tournament.control.stop()  # `follow` closes the dialog
            return
        text = tr("tournament.stops_kept" if self._is_kept else "tournament.stops_text")
        self.enter_dialog(ConfirmDialog(tr("tournament.stops"), text, tr("tournament.stop"), gui.Stop(confirmed=True)))

    @gui.handles(gui.PlainCommand.SHOW_COMPARISON)
    def _compare(self, command: gui.PlainCommand, now: float) -> None:
        comparison = self.tournament.experiment.config.tournament.compare
        if comparison is not None:
            self.enter_dialog(ComparisonDialog(self.state, comparison, self.renderer.rules))

    @gui.handles(gui.ListGames)
    def _list_games(self, command: gui.ListGames, now: float) -> None:
        path, pair = self.tournament.experiment.config.output_file, command.players
        if path is None or not self.state.standings.games:
            return
        called = standings_text.called
        names = [called(name) for name in pair]
        title = tr("tournament.games_of", first=names[0], second=names[1]) if pair else tr("tournament.all_games")
        games = (game for game in read_games(path, game_spec()) if isinstance(game, ParsedGame))
        games = (game for game in games if not pair or {*game.players} == {*pair})
        named = (replace(game, players=(called(game.players[0]), called(game.players[1]))) for game in games)
        self.enter_dialog(GamesDialog(named, None, title))

    @gui.handles(gui.PlainCommand.OPEN_REPORT)
    def _open_report(self, command: gui.PlainCommand, now: float) -> None:
        if self.state.standings.games:
            self._report_writer.open()

    @gui.handles(cmd.TogglePause)
    def _hold(self, command: cmd.TogglePause, now: float) -> object | None:
        control = self.tournament.control
        if self._can_go_on:
            return gui.ResumeTournament()
        if self._can_pause:
            self._report_writer.forget()
            (control.resume if control.is_paused else control.pause)()
        return None

    # Updates.

    def update(self, now: float) -> None:
        if self.game_screen is not None:
            self.game_screen.update(now)
            self._unfinished.keep(self.game_screen.session.history)
            if self.game_screen.session.is_left or (not self.is_running and self._is_playing):
                self.game_screen = None
                self._worker.cancel()
                self.redraw()
        if self.active_screen is self or not self._is_playing:
            super().update(now)
        if self.is_complete:
            self._unfinished.drop()

    def follow(self, now: float) -> None:
        self.handle_events(self.tournament.events(), now)
        if isinstance(self.dialog, ConfirmDialog) and isinstance(self.dialog.command, gui.Stop) and not self.is_running:
            self.close_dialog()  # the tournament has ended before the answer
        self._report_writer.update()

    def handle_events(self, events: list[Event], now: float) -> None:
        """Process events of the tournament."""
        self._event_count += len(events)
        went_on = self.state.end is None
        self.state.take(events, now, is_paused=self.tournament.control.is_paused)
        if went_on and self.state.end is not None:
            self._report_writer.forget()

    def state_key(self) -> object | None:
        report_writer, control = self._report_writer, self.tournament.control
        if self.dialog is not None:
            return None
        report_state = report_writer.message, report_writer.failed, report_writer.is_busy
        return self._event_count, self.under_way, control.is_paused, control.is_stopped, *report_state

    def show(self, now: float) -> None:
        super().show(now)
        last = 0
        for placed in self.widgets.walk(are_covered=True):
            if isinstance(placed.widget, standings_widgets.StandingRows):
                last = max(last, placed.widget.last_first(self.style, placed.rect))
        if not 0 <= self.first_row <= last:
            self.first_row = min(max(0, self.first_row), last)
            super().show(now)

    def next_wake(self, now: float) -> float | None:
        game_wake = None if self.game_screen is None else self.game_screen.next_wake(now)
        if self.active_screen is not self and self._is_playing:
            return game_wake
        waits = self.state.invitation is not None or self.tournament.control.is_paused
        is_quiet = self.state.end is not None and not self._report_writer.is_busy
        poll = None if is_quiet else now + (_IDLE_POLL_SECONDS if waits else _POLL_SECONDS)
        return earliest(game_wake, super().next_wake(now), poll)
