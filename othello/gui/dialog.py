"""A dialog over the board: title, controls, footer; it scrolls where it is too high, and is operated by keys alone."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, Final

import pygame
from pygame import Rect

from othello.gui import commands as gui
from othello.gui import theme
from othello.gui.commands import Command, Point
from othello.gui.controls import Button, Control, Field, Select, Slider
from othello.gui.shapes import cross, fill_rounded
from othello.gui.theme import RGB, Style, blit_text

WIDTH: Final = 864
MARGIN: Final = 32
_CORNERS: Final = 16
_HEAD, _FOOT, _EDGE = 72, 88, 24
_ROW: Final = 32  # of a list that opens
_VEIL: Final = 170
CLOSE: Final = "close"


@dataclass
class Page:
    """What a dialog contains, written from above in pixels of the design; (0, 0) is the upper left inner corner.

    Attributes:
        style: turns them into real ones.
        width: so much room there is from left to right.
        controls: in the order of Tab.
        height: so far it reaches down.
    """

    style: Style
    width: float
    controls: list[Control] = field(default_factory=list)
    words: list[tuple[str, float, RGB, bool, str, tuple[int, int]]] = field(default_factory=list)
    height: float = 0.0

    def rect(self, x: float, y: float, width: float, height: float) -> Rect:
        """A rectangle in real pixels; the page reaches to its lower edge at least."""
        px = self.style.scale
        self.height = max(self.height, y + height)
        return Rect(round(x * px), round(y * px), round(width * px), round(height * px))

    def add(self, control: Control) -> None:
        self.controls.append(control)

    def text(
        self,
        text: str,
        x: float,
        y: float,
        *,
        size: float = 13,
        color: RGB | None = None,
        bold: bool = False,
        anchor: str = "midleft",
        width: float | None = None,
    ) -> None:
        """A line of text with a point of it at (x, y), shortened where it is wider than `width`."""
        px = self.style.scale
        if width is not None:
            text = self.style.fit(text, size, round(width * px), bold)
        at = (round(x * px), round(y * px))
        self.words.append((text, size, theme.TEXT if color is None else color, bold, anchor, at))
        self.height = max(self.height, y + size / 2)


class Dialog(ABC):
    """What every dialog does. A dialog itself says what is in it, and what follows when a control is used.

    Attributes:
        title: written at the top.
        primary: the name of the button that Enter means.
        version: grows with every change that can be seen.
    """

    title: str
    primary: str

    def __init__(self, style: Style, window: Rect) -> None:
        self.version = 0
        self._focus: str = self.primary
        self._shows_focus = False
        self._held: str | None = None
        self._open: str | None = None
        self._mouse: Point | None = None
        self._scroll = 0
        self.resize(style, window)

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

    # Layout.

    def resize(self, style: Style, window: Rect) -> None:
        """Fit into a window."""
        self.style, self._window = style, window
        self._arrange()

    def _arrange(self) -> None:
        style, px = self.style, self.style.px
        width = min(px(WIDTH), self._window.width - px(16))
        inner = (width - 2 * px(MARGIN)) / style.scale
        self._page, self._foot = Page(style, inner), Page(style, inner)
        self.fill(self._page)
        self.fill_foot(self._foot)
        content = px(self._page.height + _EDGE)
        foot = px(_FOOT - 40 + max(40.0, self._foot.height))
        height = min(px(_HEAD) + content + foot, self._window.height - px(16))
        self.rect = Rect(0, 0, width, height)
        self.rect.center = self._window.center
        self._view = Rect(self.rect.left, self.rect.top + px(_HEAD), width, height - px(_HEAD) - foot)
        self._longest = max(0, content - self._view.height)
        self._scroll = min(max(0, self._scroll), self._longest)
        close = Rect(self.rect.right - px(56), self.rect.top + px(24), px(32), px(32))
        self._close = Button(CLOSE, close, "")

    def place_of(self, name: str) -> Rect:
        """Where a control lies in the window."""
        return next(rect for control, rect in self._placed() if control.name == name)

    def _placed(self) -> list[tuple[Control, Rect]]:
        """All controls with their places in the window, in the order of Tab."""
        left = self.rect.left + self.style.px(MARGIN)
        top = self._view.top - self._scroll
        placed = [(control, control.rect.move(left, top)) for control in self._page.controls]
        foot = self._view.bottom + self.style.px(24)
        placed += [(control, control.rect.move(left, foot)) for control in self._foot.controls]
        return [*placed, (self._close, self._close.rect)]

    def _at(self, point: Point) -> tuple[Control, Rect] | None:
        for control, rect in self._placed():
            inside = control not in self._page.controls or self._view.collidepoint(point)
            if inside and rect.collidepoint(point):
                return control, rect
        return None

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
                self._scroll_by(rows * self.style.px(40))
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
        found = self._at(at)
        if found is None:
            return None
        control, _ = found
        self._focus = control.name
        if control is self._close:
            return gui.CloseDialog()
        if isinstance(control, Select):
            self._open = control.name
            return None
        if isinstance(control, Slider):
            self._held = control.name
        return self._press_on(control.name, at)

    def _press_on(self, name: str, at: Point) -> Command | None:
        control, rect = next((each for each in self._placed() if each[0].name == name), (None, None))
        if control is None or rect is None:
            return None
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
        self._arrange()
        return following

    def _scroll_by(self, pixels: int) -> None:
        self._scroll = min(max(0, self._scroll + pixels), self._longest)

    def _key(self, name: str, text: str) -> Command | None:
        if name == "Esc":
            is_list, self._open = self._open is not None, None
            return None if is_list else gui.CloseDialog()
        if name in ("Tab", "Shift+Tab"):
            self._open = None
            self._step(-1 if name == "Shift+Tab" else 1)
            return None
        if name in ("Page Up", "Page Down"):
            self._scroll_by(self._view.height * (1 if name == "Page Down" else -1))
            return None
        control = next((each for each, _ in self._placed() if each.name == self._focus), None)
        if isinstance(control, Select) and name in ("Enter", "Space"):
            self._open = None if self._open else control.name
            return None
        if name == "Enter" and (control is None or not control.keeps_enter or not self._shows_focus):
            return self._use(*self._primary_button())
        if control is self._close and name in ("Enter", "Space"):
            return gui.CloseDialog()
        value = None if control is None else control.key(name, text)
        if control is None or value is None:
            return self.key(name, text)
        self._shows_focus = True
        return self._use(control, value)

    def _primary_button(self) -> tuple[Control, Any]:
        button = next(each for each, _ in self._placed() if each.name == self.primary)
        return button, True if button.is_enabled else None

    def key(self, name: str, text: str) -> Command | None:
        """A key that no control wants."""
        return None

    def _step(self, steps: int) -> None:
        """Move the focus, and scroll it into sight."""
        names = [control.name for control, _ in self._placed() if control.is_enabled]
        index = names.index(self._focus) if self._focus in names else -1
        self._focus = names[(index + steps) % len(names)]
        self._shows_focus = True
        control, rect = next(each for each in self._placed() if each[0].name == self._focus)
        if control in self._page.controls:
            gap = self.style.px(16)
            self._scroll_by(min(0, rect.top - gap - self._view.top) or max(0, rect.bottom + gap - self._view.bottom))

    # Drawing.

    def _list(self) -> tuple[Select, Rect]:
        """The list that is open, and where it lies."""
        control, rect = next(each for each in self._placed() if each[0].name == self._open)
        assert isinstance(control, Select)
        most = self._window.height // len(control.options)
        opened = Rect(rect.left, rect.bottom + 2, rect.width, len(control.options) * min(self.style.px(_ROW), most))
        opened.top = max(0, min(opened.top, self._window.bottom - opened.height))
        return control, opened

    def draw(self, surface: pygame.Surface) -> None:
        """Draw it over everything."""
        style, px = self.style, self.style.px
        veil = pygame.Surface(surface.get_size())
        veil.set_alpha(_VEIL)
        surface.blit(veil, (0, 0))
        fill_rounded(surface, self.rect, px(_CORNERS), theme.PANEL, theme.LINE, px(1))
        left, middle = self.rect.left + px(MARGIN), self.rect.top + px(40)
        blit_text(surface, style.text(self.title, 20, bold=True), anchor="midleft", at=(left, middle))
        note = style.text(self.note(), 12, theme.MUTED)
        blit_text(surface, note, anchor="midright", at=(self._close.rect.left - px(8), middle))
        for control, rect in self._placed():
            surface.set_clip(self._view if control in self._page.controls else None)
            self._draw_control(surface, control, rect)
        surface.set_clip(self._view)
        self._draw_words(surface, self._page, (left, self._view.top - self._scroll))
        surface.set_clip(None)
        surface.fill(theme.LINE, (self.rect.left + 1, self._view.bottom, self.rect.width - 2, 1))
        self._draw_words(surface, self._foot, (left, self._view.bottom + px(24)))
        sign = cross(px(11), px(2), theme.TEXT)
        surface.blit(sign, sign.get_rect(center=self._close.rect.center))
        self._draw_scroll_bar(surface)
        if self._open is not None:
            select, rect = self._list()
            select.draw_list(surface, style, rect, self._mouse)

    def _draw_words(self, surface: pygame.Surface, page: Page, origin: tuple[int, int]) -> None:
        for text, size, color, bold, anchor, (x, y) in page.words:
            at = (origin[0] + x, origin[1] + y)
            blit_text(surface, self.style.text(text, size, color, bold), anchor=anchor, at=at)

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

    def _draw_scroll_bar(self, surface: pygame.Surface) -> None:
        if not self._longest:
            return
        px, view = self.style.px, self._view
        length = max(px(24), view.height * view.height // (view.height + self._longest))
        top = view.top + (view.height - length) * self._scroll // self._longest
        fill_rounded(surface, Rect(self.rect.right - px(14), top, px(6), length), px(3), theme.LINE)
