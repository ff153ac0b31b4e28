"""The scene of a game being played or watched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pygame

from othello.game import AnyGame
from othello.gui import commands as gui
from othello.gui import texts, theme, wording
from othello.gui.actions import Where
from othello.gui.commands import Command, Point, Switch, WindowCommand
from othello.gui.faces.board import FLIP_SECONDS, Flip
from othello.gui.faces.registry import face_of
from othello.gui.layout import Layout, arrange
from othello.gui.preferences import PreferencesFile, shown_by, theme_names, toggled
from othello.gui.scenes import picture
from othello.gui.scenes.files import Files
from othello.gui.scenes.hints import Hints
from othello.gui.scenes.mode import PLAY, Mode
from othello.gui.scenes.picture import TICK_SECONDS, Picture, View, button_states, turn_button, until_change
from othello.gui.scenes.registry import DIALOGS, MODES
from othello.gui.scenes.scene import Scene
from othello.gui.texts import say
from othello.gui.views import moves, panels
from othello.gui.widgets import ButtonState
from othello.play import commands as play
from othello.play.library import Library
from othello.play.session import Session
from othello.rules.protocol import Move

_FRAME_SECONDS: Final = 1 / 64  # a little less than a screen's, so that one that is late still makes the next refresh
_MESSAGE_SECONDS: Final = 4.0
_FOR_DIALOG: Final = (gui.PointAt, gui.PressAt, gui.Release, gui.Scroll, gui.Key)


class PlayScene(Scene):
    """Board, players, moves and buttons around one session.

    Args:
        session: what is shown and told what to do.
        size: of the window in real pixels.
        now: the current time on the session's clock.
        occasion: which game of a tournament it is, in ever fewer words; empty where it is of none.
        preferences: how the person wants it; None: as usual.
        library: keeps the person's games; None: they are not kept.
    """

    picture: Picture
    layout: Layout

    def __init__(
        self,
        session: Session,
        size: Point,
        now: float,
        occasion: Sequence[str] = (),
        preferences: PreferencesFile | None = None,
        library: Library | None = None,
    ) -> None:
        face, where = face_of(session.game.rules.spec), Where.RATED if session.is_rated else Where.GAME
        super().__init__(face, where, arrange(size, face, where), now)
        self.session = session
        self.preferences = preferences or PreferencesFile()
        self.files = Files(library)
        self.mode: Mode | None = None
        self.view = View()
        self._occasion = occasion
        self._message_ends = now
        self._on_board = session.shown
        self._hints = Hints(session)
        if preferences is not None:
            self._apply(now)
        self.picture = self._look(now)

    # Commands.

    def do(self, command: Command, now: float) -> None:
        """Carry a command out: in the dialog that is open, in the mode, here or in the session."""
        super().do(command, now)
        if self.dialog is not None and isinstance(command, _FOR_DIALOG):
            following = self.dialog.do(command)
            if isinstance(following, play.NewGame):
                self.dialog = None
            if following is not None:
                self.do(following, now)
        elif self._do_beside(command, now):
            return
        elif isinstance(command, WindowCommand):
            self._do_here(command, now)
        elif not (self.shows_help and isinstance(command, play.PlayMove)):
            self.view.message = ""
            self.view.typed = None
            self.session.do(command, now)

    def _do_beside(self, command: Command, now: float) -> bool:
        """Leave a command to the mode, or to what is for files; whether it was for one of them."""
        is_modes = self.mode is not None and not self.shows_help and self.mode.do(command, self.layout, now)
        return is_modes or self.files.do(command, self, now)

    def _do_here(self, command: WindowCommand, now: float) -> None:
        view, position = self.view, self.session.game.position
        match command:
            case gui.Resize(size):
                self._arrange(size)
            case gui.Open(name) if not self.shows_help:
                self.dialog = DIALOGS[name](self.session, self.preferences, self.layout.style, self.layout.window)
            case gui.CloseDialog():
                self.dialog = None
            case gui.SwitchMode(name):
                self._switch_mode(name, now)
            case gui.PressAt(at):
                self._press(at, now)
            case gui.Scroll(rows):
                self._scroll(view.first_row + rows)
            case gui.MoveCursor(columns, rows):
                view.cursor = self.face.moved(view.cursor, position, columns, rows)
            case gui.NextLegal(steps):
                view.cursor = self.face.next_legal(view.cursor, position, steps)
            case gui.Confirm():
                self._confirm(now)
            case gui.Type(letter):
                self._type(letter, now)
            case gui.Toggle(switch):
                view.flip = None
                self.preferences.change(**toggled(self.preferences.value, switch))
                self._apply(now)
            case gui.ApplyPreferences():
                self._apply(now)
            case gui.Hint():
                self._hints.ask(self.preferences.value, now)
            case gui.Dismiss():
                self._dismiss(now)

    def tell(self, message: str, now: float, *, is_good: bool = True) -> None:
        """Answer the person, for a moment."""
        self.view.message, self.view.is_good, self._message_ends = message, is_good, now + _MESSAGE_SECONDS

    def _arrange(self, size: Point) -> None:
        """Lay everything out in a window of that size."""
        self.layout = arrange(size, self.face, self.place, self.preferences.value.text_size / 100)
        self._show_listed_move()
        if self.dialog is not None:
            self.dialog.resize(self.layout.style, self.layout.window)

    def _apply(self, now: float) -> None:
        """Make the window look as the person wants it."""
        wanted = self.preferences.value
        theme.use(wanted.theme if wanted.theme in theme_names() else theme.USUAL)
        if texts.language() != texts.use(wanted.language):
            theme.forget()
        self.view.shown = shown_by(wanted)
        if wanted.pace_seconds is not None:
            self.session.do(play.SetPace(wanted.pace_seconds), now)
        self._arrange(self.layout.window.size)
        self._drawn = None
        if self.preferences.notice:
            self.tell(self.preferences.notice, now, is_good=False)
            self.preferences.notice = ""

    def _switch_mode(self, name: str, now: float) -> None:
        if self.mode is not None:
            self.mode.leave(now)
        self.mode = None if name == PLAY else MODES[name](self.session, now)
        self.view.flip = None

    def _press(self, at: Point, now: float) -> None:
        view, session = self.view, self.session
        if self.shows_help:
            self.shows_help = False
            return
        if session.announces_pass:
            self.do(play.Acknowledge(), now)
            return
        view.cursor = None
        ply = self._move_grid().ply_at(at, session.view.listed.ply, view.first_row)
        square = self.layout.place.square_at(at)
        if ply is not None:
            self.do(play.GoTo(ply), now)
        elif view.shows_failure(session) and self.layout.board.collidepoint(at):
            view.closed = session.game
        elif square is not None and not view.shows_result(session):
            self._play(square, now)

    def _type(self, letter: str, now: float) -> None:
        view = self.view
        typed = self.face.typed("" if view.typed is None else view.typed.text, letter)
        if typed is not None and typed.move is not None and typed.is_complete:
            self._play(typed.move, now)
        elif typed is not None:
            view.typed, view.message = typed, ""

    def _play(self, square: Move, now: float) -> None:
        session, view = self.session, self.view
        if session.is_live and session.awaits_person and square not in session.game.legal_moves():
            view.typed = None
            self.tell(say("status.illegal", move=wording.move(session.game.rules, square)), now, is_good=False)
        else:
            self.do(play.PlayMove(square), now)

    def _confirm(self, now: float) -> None:
        view = self.view
        if self.shows_help:
            self.shows_help = False
        elif self.session.announces_pass:
            self.do(play.Acknowledge(), now)
        elif view.shows_result(self.session):
            self.do(play.NewGame(), now)
        elif view.typed is not None and view.typed.move is not None:
            self._play(view.typed.move, now)
        elif view.cursor is not None:
            self._play(view.cursor, now)

    def _dismiss(self, now: float) -> None:
        view, session = self.view, self.session
        if self.shows_help:
            self.shows_help = False
        elif view.typed is not None:
            view.typed = None
        elif view.shows_result(session) or view.shows_failure(session):
            view.closed = session.game
        elif not session.is_live:
            self.do(play.Visit(session.game), now)
        else:
            view.cursor = None

    # Time.

    def update(self, now: float) -> None:
        """Move the session, the animation and the buttons on."""
        session, view = self.session, self.view
        following = None if self.dialog is None else self.dialog.update()
        if following is not None:
            self.do(following, now)
        session.update(now)
        self.files.follow(self, now)
        self._follow_game()
        self._hints.update(now)
        view.hint = self._hints.report
        self._follow_board(now)
        if now >= self._message_ends:
            view.message = ""
        if session.is_over:
            view.typed = None
        if view.flip is not None and view.flip.is_over(now):
            view.flip = None
        view.hover, view.hovered_ply = self._hover(), self._hovered_ply()
        extra = panels.result_buttons(self.layout) if view.shows_result(session) and not self.shows_help else {}
        beside = self.layout.controls if self.mode is None else self.mode.buttons(self.layout)
        if self.mode is None:
            extra |= {turn_button(session): self.layout.turn}
        else:
            self.mode.update(self.layout, self.mouse, now)
        mode = PLAY if self.mode is None else self.mode.name
        states = button_states(session, view, self.face) | {mode: ButtonState(selected=True)}
        states["hint"] = ButtonState(self._hints.is_possible, selected=self._hints.is_running or view.hint is not None)
        states |= {} if self.mode is None else self.mode.button_states()
        self.update_buttons(states, {**self.layout.fixed, **beside, **extra}, now)
        self.picture = self._look(now)

    def _follow_game(self) -> None:
        """Notice that another game is played now, with another face."""
        spec = self.session.game.rules.spec
        if spec != self.face.rules.spec:
            self.face = face_of(spec)
            self.letters = self.face.letters
            self._arrange(self.layout.window.size)
            self.view.cursor = self.view.typed = self.view.flip = None

    def _follow_board(self, now: float) -> None:
        """Notice that another position is shown: turn over what its move captures, and keep that move in sight."""
        old, new = self._on_board, self.session.shown
        if new.moves == old.moves and new.position == old.position:
            return
        self._on_board = new
        seconds = FLIP_SECONDS / (2 if self.preferences.value.motion == "short" else 1)
        self.view.flip = _flip(old, new, now, seconds) if Switch.MOTION in self.view.shown else None
        self._show_listed_move()

    def next_wake(self, now: float) -> float | None:
        """When to update again without a command, None: any time will do."""
        wakes = []
        event = self.session.next_event(now)
        if event is not None:
            wakes.append(event)
        if self.view.flip is not None:
            wakes.append(now)
        if self.session.thinking.is_running:
            wakes.append(now + TICK_SECONDS)
        elif self.session.clock.running is not None:
            wakes.append(now + until_change(self.session, self.session.clock.running, now))
        if self.view.message:
            wakes.append(self._message_ends)
        if self.session.next_game_at is not None:
            wakes.append(now + 0.25)
        wake = None if self.mode is None else self.mode.next_wake(now)
        if wake is not None:
            wakes.append(wake)
        if self.awaits_tooltip:
            wakes.append(now + 0.1)
        return max(min(wakes), now + _FRAME_SECONDS) if wakes else None

    # What is shown.

    def _hover(self) -> Move | None:
        if self.mouse is None or not (self.session.awaits_person and self.session.is_live) or self.shows_help:
            return None
        return self.layout.place.square_at(self.mouse)

    def _hovered_ply(self) -> int | None:
        if self.mouse is None:
            return None
        return self._move_grid().ply_at(self.mouse, self.session.view.listed.ply, self.view.first_row)

    def _move_grid(self) -> moves.MoveGrid:
        panel, _ = self.layout.side_panels(Switch.VALUES in self.view.shown)
        return moves.MoveGrid(self.layout.style, panel, self.face.squares)

    def _scroll(self, row: int) -> None:
        self.view.first_row = min(max(0, row), self._move_grid().last_first_row(self.session.view.listed.ply))

    def _show_listed_move(self) -> None:
        """Scroll the list as far as it takes to see the move that led to the board."""
        grid = self._move_grid()
        row = grid.row_of(self.session.shown_ply)
        self._scroll(min(max(self.view.first_row, row - grid.rows + 1), row))

    def _look(self, now: float) -> Picture:
        return picture.look(
            self.session,
            self.view,
            where=self.place if self.shows_help else None,
            occasion=self._occasion,
            size=self.layout.window.size,
            buttons=self.widgets.appearance,
            mode=self.mode,
            dialog=self.dialog,
            hint=self._hints.words,
            now=now,
        )

    def draw(self, surface: pygame.Surface) -> None:
        """Draw everything as it was at the last update."""
        self._drawn = self.picture
        picture.draw(surface, self.layout, self.face, self.picture, self.widgets, self.mode, self.dialog)


def _flip(old: AnyGame, new: AnyGame, now: float, seconds: float) -> Flip | None:
    """What changes hands from one game to the other, where one has one move more."""
    shorter, longer = (old, new) if new.ply > old.ply else (new, old)
    if longer.positions[:-1] != shorter.positions:
        return None
    move, mover = longer.moves[-1], shorter.to_move
    captured = longer.rules.captured(shorter.position, move)
    return Flip(captured, move, mover if longer is new else mover.opponent, now, seconds) if captured else None
