"""The scene of a game being played or watched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pygame

from othello.gui import commands as gui
from othello.gui.actions import Where
from othello.gui.commands import Command, Point, Switch, WindowCommand
from othello.gui.faces.registry import face_of
from othello.gui.layout import Layout, arrange
from othello.gui.play.hints import Hints
from othello.gui.preferences import PreferencesFile, put_on, shown_by, toggled
from othello.gui.scenes import board_input, noises, picture
from othello.gui.scenes.buttons import button_places, button_states, places_over, seen_places
from othello.gui.scenes.cards import next_change
from othello.gui.scenes.files import Files
from othello.gui.scenes.focus import LIST
from othello.gui.scenes.mode import PLAY, Mode, Person
from othello.gui.scenes.picture import Picture
from othello.gui.scenes.registry import dialogs, modes
from othello.gui.scenes.scene import Scene
from othello.gui.scenes.view import View
from othello.gui.views.move_table import MoveTable
from othello.play import commands as play
from othello.play.deck import Deck
from othello.play.history import History
from othello.play.library import Library
from othello.play.session import Session
from othello.rules.protocol import Move
from othello.texts import say

_FRAME_SECONDS: Final = 1 / 64  # a little less than a screen's, so that one that is late still makes the next refresh


class PlayScene(Scene):
    """Board, players, moves and buttons around one session.

    Args:
        session: what is shown and told what to do.
        size: of the window in real pixels.
        now: the current time on the session's clock.
        occasion: which game of a tournament it is, in ever fewer words; empty where it is of none.
        preferences: how the person wants it; None: as usual.
        library: keeps the person's games; None: they are not kept.
        deck: keeps the person's exercises, likewise.
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
        deck: Deck | None = None,
    ) -> None:
        face, where = face_of(session.game.rules.spec), Where.RATED if session.referee.job.is_rated else Where.GAME
        super().__init__(face, where, arrange(size, face, where), now)
        self.session = session
        self.preferences = preferences or PreferencesFile()
        self.files = Files(library)
        self._person = Person(self.preferences, Deck() if deck is None else deck)
        self.mode: Mode | None = None
        self.view = View()
        self._occasion = occasion
        self._scroll = 0
        self._on_board = session.view.shown
        self._ending: History | None = None  # the game that has ended, until that is heard
        self._hints = Hints(session)
        if preferences is not None:
            self._apply(now)
        seen = seen_places(self.layout, button_places(self.layout, session, None))
        self.widgets.sketch(self.layout, seen, button_states(session, self.view, face, self._hints, None))
        self.picture = self._look(now)
        self._moment = noises.moment(session, self.view, self.picture, self.preferences.value)

    @property
    def name(self) -> str:
        return "" if self.mode is None else say(f"actions.{self.mode.name}.button")

    def do(self, command: Command, now: float) -> None:
        """Carry a command out: in the dialog that is open, in the mode, here or in the session."""
        super().do(command, now)
        has_open_list = self.mode is not None and self.mode.has_open_list
        is_done = self.in_dialog(command, now) or (not has_open_list and self.in_focus(command, now))
        if is_done or self._scrolls(command) or self._do_beside(command, now):
            return
        if isinstance(command, play.NewGame | play.RestoreGame):
            self.dialog = None
        if isinstance(command, WindowCommand):
            self._do_here(command, now)
        else:
            self.view.message = ""
            self.view.typed = None
            self.session.do(command, now)

    def recover(self, title: str, reason: str, now: float) -> None:
        """Go on without mode and dialog, and save the game."""
        mode, self.mode, self._scroll = self.mode, None, 0
        if self.files.library is not None:
            self.files.library.flush(self.session, now)
        self._arrange(self.layout.window.size)
        super().recover(title, reason, now)
        if mode is not None:
            mode.leave(now)

    def _do_beside(self, command: Command, now: float) -> bool:
        """Leave a command to the mode, or to what is for files; whether it was for one of them."""
        if self.mode is not None:
            following = self.mode.do(command, self.layout, now)
            if not isinstance(following, bool):
                self.do(following, now)
            if following:
                return True
        commands = self.files.do(command, self.session, self.face, now)
        for each in commands or ():
            self.do(each, now)
        return commands is not None

    def _do_here(self, command: WindowCommand, now: float) -> None:
        match command:
            case gui.Resize(size):
                self._arrange(size)
            case gui.Open(name) if name != "menu":
                self._open(name)
            case gui.CloseDialog():
                self.dialog = None
            case gui.SwitchMode(name):
                self._switch_mode(name, now)
            case gui.Scroll(rows):
                self.view.moves.scroll(rows, self.move_table)
            case gui.Toggle(switch):
                self.view.flip = None
                self.preferences.change(**toggled(self.preferences.value, switch))
                self._apply(now)
            case gui.ApplyPreferences():
                self._apply(now)
            case gui.Hint():
                self._hints.ask(self.preferences.value, now)
            case gui.Tell(words, is_good):
                self.view.tell(words, now, is_good=is_good)
            case gui.Offer(move):
                self.view.offer, self.view.typed = (self.session.view.shown, move), None
            case _:
                table = self.move_table
                self.issue(board_input.follow(command, self.session, self.view, self.layout, self.face, table))

    def _arrange(self, size: Point) -> None:
        """Lay everything out in a window of that size."""
        text = self.preferences.value.text_size / 100
        self.layout = arrange(size, self.face, self.place, text, scroll=self._scroll)
        if self.mode is not None:
            least = self.mode.least(self.layout.viewport.width / self.layout.style.scale)
            self.layout = arrange(size, self.face, self.place, text, least, self._scroll, self.mode.has_switches)
        self._scroll = min(max(0, self._scroll), self.layout.longest)
        self.view.moves.show(self.session, self.move_table)
        if self.dialog is not None:
            self.dialog.resize(self.layout.style, self.layout.window)

    def _apply(self, now: float) -> None:
        """Make the window look as the person wants it."""
        wanted = self.preferences.value
        put_on(wanted)
        self.view.shown = shown_by(wanted)
        if self.session.game_analysis is not None:
            self.session.game_analysis.judges_ended = wanted.analyses_games
        if wanted.pace_seconds is not None:
            self.session.do(play.SetPace(wanted.pace_seconds), now)
        self._arrange(self.layout.window.size)
        self._drawn = None
        if self.preferences.notice:
            self.do(gui.Tell(self.preferences.notice, is_good=False), now)
            self.preferences.notice = ""

    def _open(self, name: str) -> None:
        style, window = self.layout.style, self.layout.window
        self.dialog = self.files.dialog(name, style, window)
        if self.dialog is None and name in dialogs():
            self.dialog = dialogs()[name](self.session, self.preferences, style, window)

    def _switch_mode(self, name: str, now: float) -> None:
        if self.mode is not None:
            self.mode.leave(now)
        self.mode = None if name == PLAY else modes()[name](self.session, now, self._person)
        self.view.flip = None
        self._scroll = 0
        self._arrange(self.layout.window.size)

    def _scrolls(self, command: Command) -> bool:
        """Scroll what is beside the board; whether it was for that, and there was any left to see on that side."""
        rows = command.rows if isinstance(command, gui.Scroll) else 0
        wanted = min(max(0, self._scroll + rows * self.layout.style.px(40)), self.layout.longest)
        if wanted == self._scroll:
            return False
        self._scroll = wanted
        self._arrange(self.layout.window.size)
        return True

    def in_list(self, name: str, columns: int, rows: int) -> Command | None:
        if self.mode is not None:
            return self.mode.in_list(name, columns, rows, self.layout)
        return play.Browse(columns + rows * self.move_table.columns)

    def show_focus(self) -> None:
        place, seen = self.focus.place, self.layout.viewport
        if place is None or not seen.left <= place.centerx < seen.right or self.layout.toolbar.bar.contains(place):
            return
        beyond = min(0, place.top - seen.top) or max(0, place.bottom - seen.bottom)
        self._scrolls(gui.Scroll(-(-beyond // self.layout.style.px(40))))

    def update(self, now: float) -> None:
        """Move the session, the animation and the buttons on."""
        session, view = self.session, self.view
        self.issue(None if self.dialog is None else self.dialog.update())
        is_covered = self.dialog is not None and not session.referee.job.is_rated
        if is_covered != session.pace.is_covered:
            session.do(play.Cover(is_covered), now)
        session.update(now)
        ended = session.events()
        self.issue(self.files.follow(session, ended, now, is_covered=self.dialog is not None))
        for event in ended:
            self._ending = event.history
            if self.mode is not None:
                self.mode.hear(event)
        self._follow_game()
        self._hints.update(now)
        view.hint = self._hints.report
        self._follow_board(now)
        view.pass_time(now, is_over=session.referee.is_over)
        view.hover = self._hover()
        view.moves.point_at(self.mouse, self.move_table)
        if self.mode is not None:
            self.mode.update(self.layout, self.mouse, now)
        over, cover = places_over(self.layout, session, view, self.mode)
        places = button_places(self.layout, session, self.mode)
        seen = seen_places(self.layout, places, cover) | over
        states = button_states(session, view, self.face, self._hints, self.mode)
        self.update_buttons(states, seen, now, are_covered=self.mode is not None and self.mode.has_open_list)
        lists = {LIST: self.move_table.panel} if self.mode is None else self.mode.lists(self.layout)
        self.update_focus({**places, **seen}, lists)
        self.picture = self._look(now)
        before, self._moment = self._moment, noises.moment(session, view, self.picture, self.preferences.value)
        ends = self._ending is session.history and session.referee.is_over and view.flip is None
        self.heard = noises.between(before, self._moment, session, ends=ends)
        self._ending = None if view.flip is None else self._ending

    def _follow_game(self) -> None:
        """Notice that the board is of another game now, with another face."""
        spec = self.session.game.rules.spec if self.mode is None else self.mode.spec
        if spec != self.face.rules.spec:
            self.face = face_of(spec)
            self.letters = self.face.letters
            self._arrange(self.layout.window.size)
            self.view.cursor = self.view.typed = self.view.flip = None

    def _follow_board(self, now: float) -> None:
        """Notice that another position is shown: turn over what the step to it did, and keep its move in sight."""
        old, new = self._on_board, self.session.view.shown
        if new.moves == old.moves and new.position == old.position:
            return
        self._on_board = new
        self.view.turn_over(self.session.view.step, now, self.face, is_short=self.preferences.value.motion == "short")
        self.view.moves.show(self.session, self.move_table)

    def next_wake(self, now: float) -> float | None:
        """When to update again without a command, None: any time will do."""
        events = (
            self.session.next_event(now),
            next_change(self.session, now, is_covered=self.dialog is not None),
            None if self.mode is None else self.mode.next_wake(now),
            None if self.view.flip is None else now,
            self.view.message_ends if self.view.message else None,
            None if self.session.next_game_at is None else now + 0.25,
            now + 0.1 if self.awaits_tooltip else None,
        )
        wakes = [event for event in events if event is not None]
        return max(min(wakes), now + _FRAME_SECONDS) if wakes else None

    def _hover(self) -> Move | None:
        chooses = self.session.awaits_person or not self.session.view.is_live or self.mode is not None
        if self.mouse is None or not chooses:
            return None
        return self.face.move_at(self.layout.place, self.mouse, self.session.view.shown.position)

    @property
    def move_table(self) -> MoveTable:
        """Where the moves of the list lie while playing."""
        panel, _ = self.layout.side_panels(Switch.VALUES in self.view.shown)
        spare = self.layout.side.height - panel.height
        return self.view.moves.table(self.session, self.layout.style, panel, spare=spare)

    def _look(self, now: float) -> Picture:
        return picture.look(
            self.session,
            self.view,
            occasion=self._occasion,
            size=self.layout.window.size,
            scroll=self._scroll,
            buttons=(*self.widgets.appearance, self.focus.name),
            mode=self.mode,
            dialog=self.dialog,
            hint=self._hints.words,
            now=now,
        )

    def draw(self, surface: pygame.Surface) -> None:
        """Draw everything as it was at the last update."""
        self._drawn = self.picture
        picture.draw(surface, self.layout, self.face, self.picture, self.widgets, self.mode)
        self.draw_over(surface)
