"""What all scenes have in common: buttons, the mouse, the list of keys, and what was drawn last."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, Self

import pygame
from pygame import Rect

from othello.gui import commands as gui
from othello.gui import theme, window
from othello.gui.actions import Where
from othello.gui.commands import Command, Point
from othello.gui.faces.face import Face
from othello.gui.layout import ButtonLayout
from othello.gui.scenes.focus import Focus
from othello.gui.sounds import Sound
from othello.gui.toolkit.shapes import fill_rounded
from othello.gui.widgets import ButtonState, Widgets
from othello.play import commands as play

if TYPE_CHECKING:
    from othello.gui.dialogs.dialog import Dialog

_FOR_DIALOG: Final = (gui.PointAt, gui.PressAt, gui.Release, gui.Scroll, gui.Key)
_TOOLTIP_SECONDS: Final = 1.5  # after this long under a resting mouse no tooltip can appear any more


class Scene:
    """Something that fills the window.

    Attributes:
        face: of the game that is shown.
        place: for keys and buttons.
        letters: the keys that moves are typed with.
        layout: where everything lies.
        widgets: the buttons.
        picture: what is shown since the last update; equal pictures look the same.
        mouse: where it is, None outside.
        is_maximised: whether the window fills the screen.
        heard: what has just happened that can be heard.
        dialog: what lies over everything and hears of all that the person does, None where nothing does.
        focus: where the keyboard is.
    """

    picture: object
    layout: ButtonLayout

    def __init__(self, face: Face, where: Where, layout: ButtonLayout, now: float) -> None:
        self.face, self.place, self.layout = face, where, layout
        self.letters = face.letters if where in Where.BOARD else ""
        self.widgets = Widgets(layout, where)
        self.mouse: Point | None = None
        self.wants_to_quit = self.is_maximised = self._is_pressing = False
        self.dialog: Dialog | None = None
        self.heard: tuple[Sound, ...] = ()
        self._issued: list[Command] = []
        self._lists: Mapping[str, Rect] = {}
        self.focus = Focus()
        self._mouse_moved = self._updated = now
        self._drawn: object = None

    @property
    def front(self) -> Self:
        return self

    @property
    def where(self) -> Where:
        """What keys are for now."""
        return self.place if self.dialog is None else Where.DIALOG

    @property
    def needs_drawing(self) -> bool:
        """Whether anything looks different from what was drawn last."""
        return self.picture != self._drawn

    @property
    def name(self) -> str:
        """What fills the window; empty for a game that is played."""
        return ""

    @property
    def title(self) -> str:
        """What the window is called: what lies over everything else in it, and the program."""
        name = self.name if self.dialog is None else self.dialog.title
        return f"{name} – {window.TITLE}" if name else window.TITLE

    def do(self, command: Command, now: float) -> None:
        """Carry out what means the same everywhere."""
        match command:
            case gui.Quit():
                self.wants_to_quit = True
            case gui.Redraw():
                self._drawn = None
            case gui.Maximised(is_so):
                self.is_maximised = self.is_maximised if window.is_full_screen() else is_so
                self._drawn = None
            case gui.ToggleFullScreen():
                window.toggle_full_screen(is_maximised=self.is_maximised)
            case gui.PointAt(at):
                self.mouse, self._mouse_moved = at, now
            case gui.Refuse(title, reason):
                self.refuse(title, reason)
            case gui.Open("menu"):
                from othello.gui.dialogs.menu import MenuDialog

                self.dialog = MenuDialog(self.place, self.layout.style, self.layout.window)
            case gui.ToggleHelp():
                from othello.gui.dialogs.keys import KeysDialog

                is_open, style, seen = isinstance(self.dialog, KeysDialog), self.layout.style, self.layout.window
                self.dialog = None if is_open else KeysDialog(self.place, self.face.rules.name, style, seen)

    def issue(self, command: Command | None) -> None:
        """Let a command be carried out next, by whom it is for, here or beyond this scene."""
        if command is not None:
            self._issued.append(command)

    def next_commands(self) -> list[Command]:
        """What is to be carried out next; whoever drives the scene sees to it."""
        issued, self._issued = self._issued, []
        return issued

    def refuse(self, title: str, reason: str) -> None:
        """Say why not, in the dialog that is open or in one of its own."""
        if self.dialog is None or not self.dialog.refuse(reason):
            from othello.gui.dialogs.notices import Notice

            self.dialog = Notice(title, reason, self.layout.style, self.layout.window)

    def recover(self, title: str, reason: str, now: float) -> None:
        """Go on after an error that nobody expected, without what may have caused it."""
        self.dialog, self._issued = None, []
        self.refuse(title, reason)

    def in_dialog(self, command: Command, now: float) -> bool:
        """Leave a command to the dialog that is open; whether it was for that."""
        if self.dialog is None or not isinstance(command, _FOR_DIALOG):
            return False
        following = self.dialog.do(command)
        if self.dialog.is_done:
            self.dialog, self._drawn = None, None
        self.issue(following)
        return True

    def update_buttons(
        self, states: Mapping[str, ButtonState], places: Mapping[str, Rect], now: float, *, are_covered: bool = False
    ) -> None:
        """Make the buttons be where they should, and look as they should."""
        self.widgets.arrange(self.layout, places)
        self.widgets.are_covered = are_covered or self.dialog is not None
        self.widgets.show(states)
        self.widgets.update(now - self._updated)
        self._updated = now

    def update_focus(self, places: Mapping[str, Rect], lists: Mapping[str, Rect] | None = None) -> None:
        """Let the keyboard know what it can go to.

        Args:
            places: of all buttons, also of those that are scrolled out of sight.
            lists: what is no button and takes arrows; each is a group.
        """
        self._is_pressing = False
        self._lists = {} if lists is None else lists
        usable = [name for name in places if self.widgets.is_enabled(name)]
        bar = self.layout.toolbar.buttons
        groups = ([name for name in usable if name in bar], [name for name in usable if name not in bar])
        self.focus.follow((*groups, *([name] for name in self._lists)), {**places, **self._lists})

    def in_focus(self, command: Command, now: float) -> bool:
        """Take a key as one for the button that has the focus; whether it was for that."""
        focus = self.focus
        match command:
            case gui.NextGroup(steps):
                focus.next_group(steps)
            case gui.NextButton(steps):
                focus.step(steps)
            case gui.PressAt():
                focus.name = None
                return False
            case _ if focus.name is None or self._is_pressing:
                self._is_pressing = False
                return False
            case gui.MoveCursor(columns, rows) if focus.name in self._lists:
                self.issue(self.in_list(focus.name, columns, rows))
            case gui.Confirm() if focus.name in self._lists:
                self.issue(self.in_list(focus.name, 0, 0))
            case gui.MoveCursor(columns, rows):
                focus.move(columns, rows)
            case gui.Dismiss():
                focus.name = None
            case gui.Confirm() | gui.BeginGame() | play.TogglePause() if focus.name not in self._lists:
                self._is_pressing = True  # what the button stands for may be what has pressed it
                self.issue(self.widgets.command(focus.name))
                return True
            case _:
                focus.name = None if isinstance(command, gui.NextLegal | gui.Type) else focus.name
                return False
        self.show_focus()
        return True

    def in_list(self, name: str, columns: int, rows: int) -> Command | None:
        """What an arrow key means in the list that has the focus, or Enter, where both are 0."""
        return None

    def show_focus(self) -> None:
        """Scroll as far as it takes to see what has the focus."""

    def _draw_focus(self, surface: pygame.Surface) -> None:
        """Draw an outline around what has the focus."""
        place, px = self.focus.place, self.layout.style.px
        if place is not None:
            fill_rounded(surface, place.inflate(2 * px(4), 2 * px(4)), px(10), None, theme.ACCENT, px(2))

    def draw_over(self, surface: pygame.Surface) -> None:
        """Draw what lies over all else: the dialog that is open, or where the keyboard is."""
        if self.dialog is None:
            self._draw_focus(surface)
        else:
            self.dialog.draw(surface)

    @property
    def awaits_tooltip(self) -> bool:
        """Whether a tooltip may be about to appear."""
        return self.widgets.is_hovered and self._updated - self._mouse_moved < _TOOLTIP_SECONDS
