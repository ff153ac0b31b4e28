"""The game screen: it handles clicks, keys and other commands."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pkgutil import resolve_name
from typing import Final

from othello.gui import actions, commands as gui, labels, ui
from othello.gui.commands import CommandHandler
from othello.gui.dialogs.dialog import Dialog
from othello.gui.dialogs.dialog_registry import create_dialog
from othello.gui.mode_registry import MODES, PLAY
from othello.gui.modes.mode import Mode
from othello.gui.modes.mode_host import ModeHost, Storage
from othello.gui.platform import window
from othello.gui.preferences import motion_of, toggled
from othello.gui.screen import earliest
from othello.gui.screens.game_layout import game_layout
from othello.gui.toolbar import Toolbar, toolbar
from othello.gui.widgets.board_widget import BOARD
from othello.gui.widgets.move_list import AnnotateLine, ScrollMoves
from othello.gui.widgets.side_cards import next_change
from othello.gui.widgets.view_state import SoundCues
from othello.play import session_commands as cmd
from othello.play.session import Session
from othello.rules.protocol import Color, Square
from othello.texts import number, tr

_POLL_SECONDS: Final = 0.1  # how often background file jobs are polled
_FRAME_SECONDS: Final = 1 / 90  # shorter than a frame at 60 Hz: a late frame is still shown in time
_OF_RUNNING_GAME: Final = {"resign": cmd.Resign, "draw": cmd.AgreeDraw}


class GameScreen(ModeHost):
    """The board of a session and the panel of a mode. Handles their clicks, keys and other commands.

    Args:
        session: the games.
        size: size of the window in real pixels.
        now: the current time.
        storage: where the user's data is stored.
        occasion: which game of a tournament is played: variants of the text, the longest first; empty for other games.
    """

    def __init__(
        self, session: Session, size: ui.Point, now: float, storage: Storage | None = None, occasion: Sequence[str] = ()
    ) -> None:
        storage = storage or Storage()
        super().__init__(session, size, storage)
        self.occasion = tuple(occasion)
        self.mode: Mode = self._create_mode(PLAY, now)
        self._on_board = session.view.shown
        self._sounds = SoundCues(session)
        if storage.preferences is not None:
            self.apply(now=now)
        self.show(now)

    def _create_mode(self, name: str, now: float) -> Mode:
        mode: Mode = resolve_name(f"othello.gui.modes.{MODES[name].path}")(self, now)
        return mode

    # What the screen shows.

    @property
    def name(self) -> str:
        if self.mode.name != PLAY:
            return actions.label(actions.buttons(self.base_context)[self.mode.name])
        rules, players = self.session.game.rules, self.session.players
        black, white = (labels.player_name(rules, players, color) for color in Color)
        names = tr("files.players", black=black, white=white)
        title = labels.title(rules)
        return names if title == window.TITLE else f"{title} – {names}"

    def body(self, now: float) -> ui.Widget:
        return game_layout(self, self.mode, self.occasion, now)

    def handlers(self) -> Iterator[CommandHandler]:
        if self.dialog is not None:
            yield self.dialog
        yield from (self.mode, self, self.files)

    def toolbar(self) -> Toolbar:
        rules = labels.unusual_rules(self.renderer.rules)
        occasion = (*(f"{rules} · {words}" for words in self.occasion), rules) if rules else self.occasion
        is_busy = self.session.referee.job.is_rated and not self.session.referee.is_over
        mode, disabled = MODES[self.mode.name].part_of or self.mode.name, ("new",) if is_busy else ()
        return toolbar(self.renderer, self.base_context, mode=mode, disabled=disabled, occasion=occasion)

    # Commands.

    def take(self, command: object, now: float) -> gui.Answer:
        """Carry out `command`. The session carries out its commands unless a method here handles them."""
        answer = super().take(command, now)
        if answer is not gui.NOT_HANDLED or not isinstance(command, cmd.SessionCommand):
            return answer
        self.view_state.message, self.view_state.typed = "", None
        self.session.do(command, now)
        return gui.SwitchMode(PLAY) if isinstance(command, cmd.NewGame) and self.mode.ends_with_game else None

    @gui.handles(cmd.DeleteLine)
    def _delete(self, command: cmd.DeleteLine, now: float) -> None:
        if self.session.allows(cmd.DeleteLine):
            self.view_state.show_message(tr("past.deleted"), now, is_success=True)
        self.session.do(command, now)

    @gui.handles(gui.SwitchMode)
    def _switch_mode(self, command: gui.SwitchMode, now: float) -> None:
        self.mode.leave(now)
        self.view_state.drop_choice()
        self.left_mode = self.mode.name
        self.mode = self._create_mode(command.mode, now)
        self.widgets.state.clear()

    def recover(self, title: str, reason: str, now: float) -> None:
        """Show an unexpected error, and continue in the mode Play with the game saved."""
        mode, self.mode = self.mode, self._create_mode(PLAY, now)
        if self.files.library is not None:
            self.files.library.flush(self.session, now)
        super().recover(title, reason, now)
        mode.leave(now)

    @gui.handles(gui.Toggle)
    def _toggle(self, command: gui.Toggle, now: float) -> None:
        self.preferences.change(**toggled(self.preferences.value, command.option))
        self.apply(now=now)
        if command.option == "motion":
            motion = tr(f"settings.choices.motion.{motion_of(self.preferences.value)}")
            self.view_state.show_message(tr("named", name=tr("settings.motion"), words=motion), now, is_success=True)

    @gui.handles(cmd.ChangePace)
    def _change_pace(self, command: cmd.ChangePace, now: float) -> None:
        self.session.do(command, now)
        seconds = self.session.pace.delay
        words = tr("settings.at_least", seconds=number(seconds)) if seconds else tr("settings.no_pace")
        self.view_state.show_message(tr("named", name=tr("settings.pace"), words=words), now, is_success=True)

    @gui.handles(cmd.MoveNow)
    def _move_now(self, command: cmd.MoveNow, now: float) -> None:
        allowed = self.session.allows(cmd.MoveNow)
        self.view_state.show_message(tr("status.moves_now" if allowed else "status.not_thinking"), now, is_success=True)
        self.session.do(command, now)

    @gui.handles(gui.PlainCommand.APPLY_PREFERENCES)
    def apply(self, command: gui.PlainCommand | None = None, now: float = 0.0) -> None:
        """Apply the preferences to window and session."""
        super().apply(command, now)
        wanted = self.preferences.value
        if self.session.game_analysis is not None:
            self.session.game_analysis.judges_ended = wanted.analyses_games
            self.session.game_analysis.judges_moves = wanted.shows_losses
        if wanted.pace_seconds is not None:
            self.session.pace.delay = wanted.pace_seconds
        if self.preferences.notice:
            self.view_state.show_message(self.preferences.notice, now, is_success=False)
            self.preferences.notice = ""

    def without_effect(self) -> Collection[str]:
        return [name for name, kind in _OF_RUNNING_GAME.items() if not self.session.allows(kind)]

    def dialog_of(self, name: str) -> Dialog | None:
        has_details = self.preferences.value.details
        dialog = super().dialog_of(name) or self.files.dialog(name, has_details=has_details)
        return dialog or create_dialog(name, self.session, self.preferences)

    @gui.handles(gui.Learn)
    def _learn(self, command: gui.Learn, now: float) -> None:
        """Add a line to the repertoire, and show how much there is to learn."""
        self.close_dialog()
        line, words = self.person.repertoire.add(command.game, command.color), tr("repertoire.not_added")
        if line is not None:
            name, side = labels.line_name(line.game), labels.side(line.game.rules, line.color)
            words = tr("repertoire.added", name=name, side=side, n=len(line.cards))
        self.view_state.show_message(words, now, is_success=line is not None)

    @gui.handles(gui.AddArchive)
    def _add_archive(self, command: gui.AddArchive, now: float) -> object:
        self.close_dialog()
        self.explorer.add(command.paths)
        return gui.SwitchMode("explore")

    @gui.handles(gui.PlainCommand.HINT)
    def _hint(self, command: gui.PlainCommand, now: float) -> None:
        self.hints.ask(self.preferences.value, now)

    @gui.handles(gui.PlainCommand.ASK_TO_RESIGN)
    def _ask_to_resign(self, command: gui.PlainCommand, now: float) -> None:
        self._confirm_end("resign", cmd.Resign())

    @gui.handles(gui.PlainCommand.OFFER_DRAW)
    def _offer_draw(self, command: gui.PlainCommand, now: float) -> object | None:
        """Ask the other user, or show the computer's answer."""
        session, color = self.session, self.session.side_that_may_resign
        if color is None:
            return None
        if session.players[color.opponent].is_user:
            self._confirm_end("draw", cmd.AgreeDraw())
            return None
        if not session.draw_refusal:
            return cmd.AgreeDraw()
        name = labels.player_name(session.game.rules, session.players, color.opponent)
        self.view_state.show_message(tr(f"draw_refused.{session.draw_refusal}", name=name), now, is_success=True)
        return None

    def _confirm_end(self, what: str, command: cmd.Resign | cmd.AgreeDraw) -> None:
        """Ask the user to confirm the end of the game."""
        from othello.gui.dialogs.notices import ConfirmDialog

        color = self.session.side_that_may_resign
        if color is not None:
            side = labels.side(self.renderer.rules, color)
            title, text, yes = (tr(f"ending.{what}.{part}", side=side) for part in ("title", "text", "yes"))
            self.enter_dialog(ConfirmDialog(title, text, yes, command))

    @gui.handles(cmd.HandOver)
    def _hand_over(self, command: cmd.HandOver, now: float) -> gui.Answer:
        """Ask before a computer takes over from the user."""
        from othello.gui.dialogs.notices import ConfirmDialog

        session, color = self.session, command.color
        if command.player is not None or session.referee.is_over or not session.players[color].is_user:
            self.close_dialog()
            return gui.NOT_HANDLED
        players = session.players.handed_over(color)
        name = labels.player_name(session.game.rules, players, color)
        if session.allows(cmd.HandOver):
            command, text = cmd.HandOver(color, players[color]), tr("hand_over.text", name=name)
            self.enter_dialog(ConfirmDialog(tr("hand_over.title"), text, tr("buttons.hand_over"), command))
        return None

    @gui.handles(cmd.Resign, cmd.AgreeDraw)
    def _end(self, command: cmd.Resign | cmd.AgreeDraw, now: float) -> None:
        self.close_dialog()
        self.session.do(command, now)

    @gui.handles(gui.ShowMessage)
    def _show_message(self, command: gui.ShowMessage, now: float) -> None:
        self.view_state.show_message(command.words, now, is_success=command.is_success)

    @gui.handles(ScrollMoves)
    def _scroll_moves(self, command: ScrollMoves, now: float) -> None:
        self.view_state.first_row = command.first_row

    @gui.handles(AnnotateLine)
    def _annotate(self, command: AnnotateLine, now: float) -> object | None:
        if self.session.referee.job.is_rated:
            return None
        self.session.do(cmd.Visit(command.line), now)
        return gui.Open("note")

    @gui.handles(gui.PressSquare)
    def _press_square(self, command: gui.PressSquare, now: float) -> object | None:
        session, view_state = self.session, self.view_state
        if session.announces_pass:
            return cmd.Acknowledge()
        view_state.cursor = None
        if view_state.shows_failure(session):
            view_state.closed = session.game
        elif view_state.offered(session) is not None:
            view_state.offer = None
        elif command.pointed is not None and not view_state.shows_result(session):
            return self.mode.point(command.pointed)
        return None

    @gui.handles(gui.MoveCursor)
    def _move_cursor(self, command: gui.MoveCursor, now: float) -> None:
        position, cursor = self.mode.shown_position, self.view_state.cursor
        cursor = self.renderer.moved(cursor, position, command.columns, command.rows, self.mode.picked)
        self.view_state.cursor = cursor

    @gui.handles(gui.PutCursor)
    def _put_cursor(self, command: gui.PutCursor, now: float) -> None:
        self.widgets.leave()
        self.view_state.cursor = command.square

    @gui.handles(gui.NextLegal)
    def _next_legal(self, command: gui.NextLegal, now: float) -> None:
        if self.mode.is_over:
            self._next_button(command.steps)
            return
        self.widgets.leave()
        position, cursor = self.mode.shown_position, self.view_state.cursor
        self.view_state.cursor = self.renderer.next_legal(cursor, position, command.steps, self.mode.picked)

    def _next_button(self, steps: int) -> None:
        """Move the focus to the next button, at first to the main button of a finished game."""
        first = next((name for name in ("again", "look_back", "to_review") if self.widgets.find(name)), "")
        if first and not self.widgets.focus:
            self.widgets.go_to(first)
        else:
            self.widgets.next(steps)

    @gui.handles(gui.Type)
    def _type(self, command: gui.Type, now: float) -> object | None:
        self.widgets.leave()
        view_state = self.view_state
        before = "" if view_state.typed is None else view_state.typed.text
        typed = self.renderer.typed(before, command.letter, self.mode.shown_position)
        if typed is not None and typed.square is not None and typed.is_complete:
            return self.mode.point(typed.square)
        if typed is not None:
            view_state.typed, view_state.message = typed, ""
        return None

    @gui.handles(gui.PlainCommand.CONFIRM)
    def _confirm(self, command: gui.PlainCommand, now: float) -> object | None:
        session, view_state = self.session, self.view_state
        if session.announces_pass:
            return cmd.Acknowledge()
        if view_state.shows_result(session):
            return cmd.NewGame() if session.history.is_played_here else gui.SwitchMode("review")
        if view_state.shows_failure(session):
            return cmd.StepMoves()
        offered = view_state.offered(session)
        if offered is not None:
            view_state.offer = None
            return cmd.PlayFromHere(offered)
        return None if view_state.chosen is None else self.mode.point(view_state.chosen)

    @gui.handles(gui.PlainCommand.DISMISS)
    def _dismiss(self, command: gui.PlainCommand, now: float) -> object | None:
        session, view_state = self.session, self.view_state
        if self.widgets.focus:
            self.widgets.leave()
        elif view_state.typed is not None:
            view_state.typed = None
        elif self.mode.picked:
            view_state.pick = None
        elif view_state.offered(session) is not None:
            view_state.offer = None
        elif view_state.shows_result(session) or view_state.shows_failure(session):
            view_state.closed = session.game
        elif not session.view.is_at_latest:
            return cmd.Visit(session.game.moves)
        else:
            view_state.cursor = None
        return None

    # Time.

    def follow(self, now: float) -> None:
        """Update the session and the state that depends on it."""
        session, view_state = self.session, self.view_state
        is_covered = self.dialog is not None and not session.referee.job.is_rated
        if is_covered != session.pace.is_covered:
            session.set_covered(is_covered, now)
        session.update(now)
        ended = session.ended_games()
        self.issue(self.files.follow(ended, now, is_covered=self.dialog is not None))
        if ended:
            self.preferences.change(has_finished=True)
        self.refresh(now)
        self.hints.update(now)
        self._follow_board(now)
        view_state.update(now, is_over=self.mode.is_over)
        view_state.hover = self._hover()
        self.new_sounds = self._sounds.between(ended, view_state, self.preferences.value, now)

    def show(self, now: float) -> None:
        before = self.widgets.pointed, self.mode.state_key(), self.view_state.hover
        super().show(now)
        if (self.widgets.pointed, self.mode.state_key(), self._hover()) != before:  # the layout has changed
            self.view_state.hover = self._hover()
            super().show(now)
            self._changes = None  # the key was that of the first tree

    def refresh(self, now: float) -> None:
        if self.mode.spec != self.spec:  # another game is on the board
            self.spec = self.mode.spec
            self.view_state.drop_choice()
        self.mode.update(now)

    def state_key(self) -> object | None:
        """Return None while a dialog is open: its state is not known here."""
        session, hints = self.session, self.hints
        if self.dialog is not None:
            return None
        unsaved = None if self.files.library is None else self.files.library.notice
        notices = unsaved, session.not_recorded, session.worker.save_failure, session.worker.failure
        storage_notices = self.person.deck.notice, self.person.repertoire.notice
        seen = session.version, session.referee.job, session.referee.forfeit, hints.words, hints.is_running
        return self.mode, self.mode.state_key(), replace(self.view_state), *seen, *notices, *storage_notices

    def _follow_board(self, now: float) -> None:
        """If another position is shown, animate the step to it, and scroll to its move."""
        old, new = self._on_board, self.session.view.shown
        if new.moves != old.moves or new.position != old.position:
            self._on_board = new
            motion = motion_of(self.preferences.value)
            self.view_state.turn_over(self.session.view.step, now, self.renderer, motion)
            self.view_state.first_row = None

    def _hover(self) -> Square | None:
        session, mouse = self.session, self.widgets.mouse
        is_choice = session.awaits_user or not session.view.is_at_latest or self.mode.name != PLAY
        if mouse is None or self.dialog is not None or not is_choice or self.widgets.pointed != BOARD:
            return None
        place = self.board_place
        return None if place is None else self.mode.square_at(place, mouse)

    def next_show(self, now: float) -> float | None:
        next_frame = None if self.view_state.flip is None else now
        next_count = None if self.session.next_game_at is None else now + 0.25  # of the seconds until the next game
        return earliest(self.mode.next_wake(now), next_frame, next_count)

    def next_wake(self, now: float) -> float | None:
        wake = earliest(
            super().next_wake(now),
            self.next_show(now),
            self.session.next_event(now),
            next_change(self.session, now, is_covered=self.dialog is not None),
            self.view_state.message_ends if self.view_state.message else None,
            now + _POLL_SECONDS if self.files.is_busy else None,
        )
        return None if wake is None else max(wake, now + _FRAME_SECONDS)
