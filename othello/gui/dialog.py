"""A dialog over the board, as a person uses it: which control has the focus, what is held, which list is open."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Final

import pygame
from pygame import Rect

from othello.gui import commands as gui
from othello.gui import theme
from othello.gui.choices import Select
from othello.gui.commands import Command, Point
from othello.gui.controls import Control, Field, Slider
from othello.gui.sheet import CLOSE, Page, Sheet, page_width
from othello.gui.theme import Style
from othello.gui.toolkit.shapes import fill_rounded

_ROW: Final = 32  # of a list that opens
_VEIL: Final = (85, 85, 85)  # of 255: what is left of the light of all that lies below


class Dialog(ABC):
    """What every dialog does. A dialog itself says what is in it, and what follows when a control is used.

    Attributes:
        title: written at the top.
        primary: the name of the button that Enter means.
        version: grows with every change that can be seen.
        is_done: whether it is to be closed.
    """

    title: str
    primary: str

    def __init__(self, style: Style, window: Rect) -> None:
        self.version = 0
        self.is_done = False
        self._focus: str = self.primary
        self._shows_focus = False
        self._held: str | None = None
        self._open: str | None = None
        self._mouse: Point | None = None
        self.style, self._window = style, window
        self._sheet = self._written(0)

    @abstractmethod
    def fill(self, page: Page) -> None:
        """Write what is between title and footer."""

    @abstractmethod
    def fill_foot(self, page: Page) -> None:
        """Write the footer; its buttons are 40 high and begin at y 0."""

    @abstractmethod
    def use(self, name: str, value: Any) -> Command | None:
        """A control was used: take its value, and say what follows beyond the dialog."""

    def note(self) -> str:
        """A few words beside the title."""
        return ""

    def update(self) -> Command | None:
        """Move on with time, and say what follows beyond the dialog."""
        return None

    def refuse(self, reason: str) -> bool:
        """Say why what followed from it cannot be done; False where it has no place for that."""
        return False

    # Layout.

    def resize(self, style: Style, window: Rect) -> None:
        """Fit into a window."""
        self.style, self._window = style, window
        self.rewrite()

    def rewrite(self) -> None:
        """Write again what is in it."""
        self._sheet = self._written(self._sheet.scroll)

    def to_top(self) -> None:
        """Show it from its upper end."""
        self._sheet.scroll = 0

    def _written(self, scroll: int) -> Sheet:
        width = page_width(self.style, self._window)
        page, foot = Page(self.style, width), Page(self.style, width)
        self.fill(page)
        self.fill_foot(foot)
        return Sheet(page, foot, self._window, scroll)

    @property
    def rect(self) -> Rect:
        """Where it lies in the window."""
        return self._sheet.rect

    def place_of(self, name: str) -> Rect:
        """Where a control lies in the window."""
        found = self._sheet.find(name)
        assert found is not None, name
        return found[1]

    # Input.

    def do(self, command: Command) -> Command | None:
        """Carry out what the person does, and say what follows beyond the dialog."""
        match command:
            case gui.PointAt(at):
                return self._point(at)
            case gui.PressAt(at):
                self.version += 1
                return self._press(at)
            case gui.Release():
                self._held = None
            case gui.Scroll(rows):
                self.version += 1
                self._sheet.scroll_by(rows * self.style.px(40))
            case gui.Key(name, text):
                self.version += 1
                return self._key(name, text)
        return None

    def _point(self, at: Point | None) -> Command | None:
        before, self._mouse = self._mouse, at
        if self._held is not None and at is not None:
            self.version += 1
            return self._press_on(self._held, at)
        self.version += before != at
        return None

    def _press(self, at: Point) -> Command | None:
        self._shows_focus = False
        if self._open is not None:
            return self._pick(at)
        found = self._sheet.at(at)
        if found is None:
            return None
        control, _ = found
        self._focus = control.name
        if control.name == CLOSE:
            return gui.CloseDialog()
        if isinstance(control, Select):
            self._open = control.name
            return None
        if isinstance(control, Slider):
            self._held = control.name
        return self._press_on(control.name, at)

    def _press_on(self, name: str, at: Point) -> Command | None:
        found = self._sheet.find(name)
        if found is None:
            return None
        control, rect = found
        offset = (at[0] - rect.left + control.rect.left, at[1] - rect.top + control.rect.top)
        return self._use(control, control.press(offset))

    def _pick(self, at: Point) -> Command | None:
        """A click while a list is open."""
        select, rect = self._list()
        self._open = None
        if not rect.collidepoint(at):
            return None
        index = (at[1] - rect.top) * len(select.options) // rect.height
        return self._use(select, select.options[index][0])

    def _use(self, control: Control, value: Any) -> Command | None:
        if value is None:
            return None
        following = self.use(control.name, value)
        self.rewrite()
        return following

    def _key(self, name: str, text: str) -> Command | None:
        if name == "Esc":
            is_list, self._open = self._open is not None, None
            return None if is_list else gui.CloseDialog()
        if name in ("Tab", "Shift+Tab"):
            self._open = None
            self._step(-1 if name == "Shift+Tab" else 1)
            return None
        if name in ("Page Up", "Page Down"):
            self._sheet.scroll_by(self._sheet.view.height * (1 if name == "Page Down" else -1))
            return None
        control, _ = self._sheet.find(self._focus) or (None, None)
        if isinstance(control, Select) and name in ("Enter", "Space"):
            self._open = None if self._open else control.name
            return None
        if name == "Enter" and (control is None or not control.keeps_enter or not self._shows_focus):
            return self._use(*self._primary_button())
        if control is not None and control.name == CLOSE and name in ("Enter", "Space"):
            return gui.CloseDialog()
        value = None if control is None else control.key(name, text)
        if control is None or value is None:
            return self.key(name, text)
        self._shows_focus = True
        return self._use(control, value)

    def _primary_button(self) -> tuple[Control, Any]:
        button = next(each for each, _ in self._sheet.placed() if each.name == self.primary)
        return button, True if button.is_enabled else None

    def key(self, name: str, text: str) -> Command | None:
        """A key that no control wants."""
        return None

    def _step(self, steps: int) -> None:
        """Move the focus, and scroll it into sight."""
        names = [control.name for control, _ in self._sheet.placed() if control.is_enabled]
        index = names.index(self._focus) if self._focus in names else -1
        self._focus = names[(index + steps) % len(names)]
        self._shows_focus = True
        found = self._sheet.find(self._focus)
        if found is not None:
            self._sheet.bring_into_sight(*found)

    # Drawing.

    def _list(self) -> tuple[Select, Rect]:
        """The list that is open, and where it lies."""
        control, rect = next(each for each in self._sheet.placed() if each[0].name == self._open)
        assert isinstance(control, Select)
        most = self._window.height // len(control.options)
        opened = Rect(rect.left, rect.bottom + 2, rect.width, len(control.options) * min(self.style.px(_ROW), most))
        opened.top = max(0, min(opened.top, self._window.bottom - opened.height))
        return control, opened

    def draw(self, surface: pygame.Surface) -> None:
        """Draw it over everything."""
        surface.fill(_VEIL, special_flags=pygame.BLEND_RGB_MULT)
        self._sheet.draw_ground(surface, self.title, self.note())
        for control, rect in self._sheet.placed():
            surface.set_clip(self._sheet.view if self._sheet.is_on_page(control) else None)
            self._draw_control(surface, control, rect)
        self._sheet.draw_words(surface)
        if self._open is not None:
            select, rect = self._list()
            select.draw_list(surface, self.style, rect, self._mouse)

    def _draw_control(self, surface: pygame.Surface, control: Control, rect: Rect) -> None:
        px = self.style.px
        hit = self._open is None and self._mouse is not None and rect.collidepoint(self._mouse)
        control.draw(surface, self.style, rect, self._mouse if hit else None)
        if control.name != self._focus:
            return
        if isinstance(control, Field):
            control.draw_caret(surface, self.style, rect)
        if self._shows_focus:
            gap = px(4)
            fill_rounded(surface, rect.inflate(2 * gap, 2 * gap), px(10), None, theme.ACCENT, px(2))
