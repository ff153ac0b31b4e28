"""The scene of a game being played or watched."""

from __future__ import annotations

from typing import Final

import pygame

from othello.game import AnyGame
from othello.gui import commands as gui
from othello.gui import wording
from othello.gui.actions import Where
from othello.gui.commands import Command, Point, WindowCommand
from othello.gui.layout import Layout, arrange
from othello.gui.scenes import cursor, times
from othello.gui.scenes.buttons import Preferences, button_states
from othello.gui.scenes.picture import Picture
from othello.gui.scenes.picture import draw as draw_picture
from othello.gui.texts import say
from othello.gui.views import board, moves, panels
from othello.gui.widgets import Widgets
from othello.play import commands as play
from othello.play.session import Session
from othello.rules.othello import SIZE, squares
from othello.rules.protocol import Color, Move

_FRAME_SECONDS: Final = 1 / 64  # a little less than a screen's, so that one that is late still makes the next refresh
_MESSAGE_SECONDS: Final = 4.0
_TOOLTIP_SECONDS: Final = 1.5  # after this long under a resting mouse no tooltip can appear any more


class PlayScene:
    """Board, players, moves and buttons around one session.

    Args:
        session: what is shown and told what to do.
        size: of the window in real pixels.
        now: the current time on the session's clock.
        occasion: which game of a tournament it is, in ever fewer words.
    """

    def __init__(self, session: Session, size: Point, now: float, occasion: tuple[str, ...] = ()) -> None:
        self.session = session
        self._occasion = occasion
        self.preferences = Preferences()
        self.wants_to_quit = False
        self._layout = arrange(size)
        self.where = Where.RATED if session.is_rated else Where.GAME
        self._widgets = Widgets(self._layout, self.where)
        self._mouse: Point | None = None
        self._mouse_moved = now
        self._updated = now
        self._cursor: Move | None = None
        self._column: int | None = None
        self._message = ""
        self._message_ends = now
        self._shows_help = False
        self._closed: AnyGame | None = None  # the game whose result or failure was closed
        self._first_row = 0
        self._flip: board.Flip | None = None
        self._on_board = session.shown
        self._drawn: Picture | None = None
        self._picture = self._look(now)

    @property
    def widgets(self) -> Widgets:
        return self._widgets

    @property
    def layout(self) -> Layout:
        return self._layout

    # Commands.

    def do(self, command: Command, now: float) -> None:
        """Carry a command out, here or in the session."""
        if isinstance(command, gui.Redraw):
            self._drawn = None
        if isinstance(command, WindowCommand):
            self._do_here(command, now)
        elif not (self._shows_help and isinstance(command, play.PlayMove)):
            self._message = ""
            self._column = None
            self.session.do(command, now)

    def _do_here(self, command: WindowCommand, now: float) -> None:
        match command:
            case gui.Quit():
                self.wants_to_quit = True
            case gui.Resize(size):
                self._layout = arrange(size)
                self._show_listed_move()
            case gui.PointAt(at):
                self._mouse, self._mouse_moved = at, now
            case gui.PressAt(at):
                self._press(at, now)
            case gui.Scroll(rows):
                self._scroll(self._first_row + rows)
            case gui.MoveCursor(columns, rows):
                self._cursor = cursor.moved(self._cursor, self.session.game, columns, rows)
            case gui.NextLegal(steps):
                self._cursor = cursor.next_legal(self._cursor, self.session.game, steps)
            case gui.Confirm():
                self._confirm(now)
            case gui.TypeColumn(column):
                self._column, self._message = column, ""
            case gui.TypeRow(row) if self._column is not None:
                self._play(row * SIZE + self._column, now)
            case gui.ToggleCaptures():
                self.preferences.captures = not self.preferences.captures
            case gui.ToggleValues():
                self.preferences.values = not self.preferences.values
                self._show_listed_move()
            case gui.ToggleMotion():
                self.preferences.motion = not self.preferences.motion
                self._flip = None
            case gui.ToggleHelp():
                self._shows_help = not self._shows_help
            case gui.Dismiss():
                self._dismiss(now)

    def _press(self, at: Point, now: float) -> None:
        if self._shows_help:
            self._shows_help = False
            return
        if self.session.announces_pass:
            self.do(play.Acknowledge(), now)
            return
        self._cursor = None
        grid = self._move_grid()
        ply = grid.ply_at(at, self.session.game.ply, self._first_row)
        square = self._layout.square_at(at)
        if ply is not None:
            self.do(play.GoTo(ply), now)
        elif self._shows_failure and self._layout.board.collidepoint(at):
            self._closed = self.session.game
        elif square is not None and not self._shows_result:
            self._play(square, now)

    def _play(self, square: Move, now: float) -> None:
        session = self.session
        if session.is_live and session.awaits_person and square not in session.game.legal_moves():
            self._column = None
            self._message = say("status.illegal", move=wording.move(session.game.rules, square))
            self._message_ends = now + _MESSAGE_SECONDS
        else:
            self.do(play.PlayMove(square), now)

    def _confirm(self, now: float) -> None:
        if self._shows_help:
            self._shows_help = False
        elif self.session.announces_pass:
            self.do(play.Acknowledge(), now)
        elif self._shows_result:
            self.do(play.NewGame(), now)
        elif self._cursor is not None:
            self._play(self._cursor, now)

    def _dismiss(self, now: float) -> None:
        if self._shows_help:
            self._shows_help = False
        elif self._column is not None:
            self._column = None
        elif self._shows_result or self._shows_failure:
            self._closed = self.session.game
        elif not self.session.is_live:
            self.do(play.GoTo(self.session.game.ply), now)
        else:
            self._cursor = None

    # Time.

    def update(self, now: float) -> None:
        """Move the session, the animation and the buttons on."""
        session = self.session
        session.update(now)
        self._follow_board(now)
        if now >= self._message_ends:
            self._message = ""
        if session.is_over:
            self._column = None
        if self._flip is not None and self._flip.is_over(now):
            self._flip = None
        extra = panels.result_buttons(self._layout) if self._shows_result and not self._shows_help else {}
        self._widgets.arrange(self._layout, extra)
        self._widgets.are_covered = self._shows_help
        self._widgets.show(button_states(self.session, self.preferences))
        self._widgets.update(now - self._updated)
        self._updated = now
        self._picture = self._look(now)

    def _follow_board(self, now: float) -> None:
        """Notice that another position is on the board: turn discs over, and keep its move in sight."""
        old, new = self._on_board, self.session.shown
        if new.moves == old.moves and new.position == old.position:
            return
        self._on_board = new
        self._flip = None
        longer, shorter = (new, old) if new.ply > old.ply else (old, new)
        is_one_step = longer.ply == shorter.ply + 1 and longer.positions[shorter.ply] == shorter.position
        if is_one_step and self.preferences.motion:
            turned = (old.position.black & new.position.white) | (old.position.white & new.position.black)
            color = Color.BLACK if old.position.white & new.position.black else Color.WHITE
            if turned:
                self._flip = board.Flip(frozenset(squares(turned)), longer.moves[-1], color, now)
        self._show_listed_move()

    def next_wake(self, now: float) -> float | None:
        """When to update again without a command, None: any time will do."""
        wakes = []
        event = self.session.next_event(now)
        if event is not None:
            wakes.append(event)
        if self._flip is not None:
            wakes.append(now)
        if self.session.thinking.is_running:
            wakes.append(now + times.TICK_SECONDS)
        elif self.session.clock.running is not None:
            wakes.append(now + times.until_change(self.session, self.session.clock.running, now))
        if self._message:
            wakes.append(self._message_ends)
        if self._countdown(now):
            wakes.append(now + 0.25)
        if self._widgets.is_hovered and now - self._mouse_moved < _TOOLTIP_SECONDS:
            wakes.append(now + 0.1)
        return max(min(wakes), now + _FRAME_SECONDS) if wakes else None

    @property
    def picture(self) -> Picture:
        """What is shown since the last update."""
        return self._picture

    @property
    def needs_drawing(self) -> bool:
        """Whether anything looks different from what was drawn last."""
        return self._picture != self._drawn

    # What is shown.

    @property
    def _shows_result(self) -> bool:
        session = self.session
        settled = self._flip is None
        return session.is_over and session.is_live and session.game is not self._closed and settled

    @property
    def _shows_failure(self) -> bool:
        return self.session.failure is not None and self.session.game is not self._closed

    def _countdown(self, now: float) -> int:
        """Whole seconds until the next repetition begins, 0 where none will."""
        at = self.session.next_game_at
        return 0 if at is None else max(1, round(at - now + 0.5))

    def _hover(self) -> Move | None:
        if self._mouse is None or not (self.session.awaits_person and self.session.is_live) or self._shows_help:
            return None
        return self._layout.square_at(self._mouse)

    def _hovered_ply(self) -> int | None:
        if self._mouse is None:
            return None
        return self._move_grid().ply_at(self._mouse, self.session.game.ply, self._first_row)

    def _move_grid(self) -> moves.MoveGrid:
        return moves.MoveGrid(self._layout.style, self._layout.side_panels(self.preferences.values)[0])

    def _scroll(self, row: int) -> None:
        self._first_row = min(max(0, row), self._move_grid().last_first_row(self.session.game.ply))

    def _show_listed_move(self) -> None:
        """Scroll the list as far as it takes to see the move that led to the board."""
        grid = self._move_grid()
        row = grid.row_of(self.session.shown_ply)
        self._scroll(min(max(self._first_row, row - grid.rows + 1), row))

    def _thinking_seconds(self, now: float) -> float | None:
        """Time since the search began, in steps that can be seen."""
        thinking = self.session.thinking
        if not thinking.is_running or thinking.started_at is None:
            return None
        return int(max(0.0, now - thinking.started_at) / times.TICK_SECONDS) * times.TICK_SECONDS

    def _look(self, now: float) -> Picture:
        session = self.session
        return Picture(
            session=session,
            version=session.version,
            occasion=self._occasion,
            size=self._layout.window.size,
            buttons=self._widgets.appearance,
            shows_captures=self.preferences.captures,
            shows_values=self.preferences.values,
            shows_help=self._shows_help,
            shows_result=self._shows_result,
            shows_failure=self._shows_failure,
            message=self._message,
            cursor=self._cursor,
            column=self._column,
            hover=self._hover(),
            hovered_ply=self._hovered_ply(),
            first_row=self._first_row,
            flip=self._flip,
            flip_at=now if self._flip is not None else 0.0,
            times=(times.shown(session, Color.BLACK, now), times.shown(session, Color.WHITE, now)),
            low=(times.is_low(session, Color.BLACK, now), times.is_low(session, Color.WHITE, now)),
            thinking=self._thinking_seconds(now),
            countdown=self._countdown(now),
        )

    def draw(self, surface: pygame.Surface) -> None:
        """Draw everything as it was at the last update."""
        self._drawn = self._picture
        draw_picture(surface, self._layout, self._picture, self._widgets)
