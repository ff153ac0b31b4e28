"""What lies in a dialog: a page of controls and words above a footer, where they are, how far it is scrolled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import pygame
from pygame import Rect

from othello.gui import theme
from othello.gui.commands import Point
from othello.gui.controls import Button, Control
from othello.gui.theme import RGB, Style, blit_text
from othello.gui.toolkit.shapes import cross, draw_scroll_bar, fill_rounded

WIDTH: Final = 864
MARGIN: Final = 32
CLOSE: Final = "close"
_CORNERS: Final = 16
_MOST_LINES: Final = 20
_HEAD, _FOOT, _EDGE = 72, 88, 24


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

    def paragraph(self, text: str, x: float, y: float, *, size: float = 12, color: RGB | None = None) -> float:
        """Words on as many lines as they take, the first with its middle at y; where the next one would be."""
        pitch = size * 1.6
        room = round((self.width - x) * self.style.scale)
        for line in self.style.wrap(text, size, room, _MOST_LINES):
            self.text(line, x, y, size=size, color=color)
            y += pitch
        return y

    def width_of(self, text: str, size: float = 13, *, bold: bool = False) -> float:
        """How wide a line of text is, in pixels of the design."""
        return self.style.width(text, size, bold) / self.style.scale

    def draw_words(self, surface: pygame.Surface, origin: Point) -> None:
        """Draw what is written on it, with its corner at a point of the window."""
        for text, size, color, bold, anchor, (x, y) in self.words:
            at = (origin[0] + x, origin[1] + y)
            blit_text(surface, self.style.text(text, size, color, bold), anchor=anchor, at=at)


def page_width(style: Style, window: Rect) -> float:
    """How much room a page has in a window, in pixels of the design."""
    return (_width(style, window) - 2 * style.px(MARGIN)) / style.scale


def _width(style: Style, window: Rect) -> int:
    return min(style.px(WIDTH), window.width - style.px(16))


class Sheet:
    """A page above a footer, in the middle of a window.

    Args:
        page: what can be scrolled.
        foot: what cannot; its buttons are 40 high and begin at y 0.
        window: all that there is room for.
        scroll: how far the page is scrolled, in real pixels, as far as it can be.

    Attributes:
        rect: all of it.
        view: where the page is seen.
    """

    def __init__(self, page: Page, foot: Page, window: Rect, scroll: int) -> None:
        self._page, self._foot = page, foot
        self._style = style = page.style
        px = style.px
        content, foot_height = px(page.height + _EDGE), px(_FOOT - 40 + max(40.0, foot.height))
        height = min(px(_HEAD) + content + foot_height, window.height - px(16))
        self.rect = Rect(0, 0, _width(style, window), height)
        self.rect.center = window.center
        room = height - px(_HEAD) - foot_height
        self.view = Rect(self.rect.left, self.rect.top + px(_HEAD), self.rect.width, room)
        self._longest = max(0, content - room)
        self.scroll = min(max(0, scroll), self._longest)
        self._close = Button(CLOSE, Rect(self.rect.right - px(56), self.rect.top + px(24), px(32), px(32)), "")

    def placed(self) -> Iterator[tuple[Control, Rect]]:
        """All controls with their places in the window, in the order of Tab."""
        for page, (left, top) in ((self._page, self._page_corner), (self._foot, self._foot_corner)):
            for control in page.controls:
                yield control, control.rect.move(left, top)
        yield self._close, self._close.rect

    def find(self, name: str | None) -> tuple[Control, Rect] | None:
        """A control and its place, None where there is none of that name."""
        return next((placed for placed in self.placed() if placed[0].name == name), None)

    def at(self, point: Point) -> tuple[Control, Rect] | None:
        """What can be clicked at a point of the window."""
        for control, rect in self.placed():
            if rect.collidepoint(point) and (self.view.collidepoint(point) or not self.is_on_page(control)):
                return control, rect
        return None

    def is_on_page(self, control: Control) -> bool:
        """Whether it is scrolled with the page."""
        return control in self._page.controls

    def scroll_by(self, pixels: int) -> None:
        self.scroll = min(max(0, self.scroll + pixels), self._longest)

    def bring_into_sight(self, control: Control, rect: Rect) -> None:
        """Scroll as far as it takes to see a control."""
        if self.is_on_page(control):
            gap = self._style.px(16)
            self.scroll_by(min(0, rect.top - gap - self.view.top) or max(0, rect.bottom + gap - self.view.bottom))

    @property
    def _page_corner(self) -> Point:
        return self.rect.left + self._style.px(MARGIN), self.view.top - self.scroll

    @property
    def _foot_corner(self) -> Point:
        return self.rect.left + self._style.px(MARGIN), self.view.bottom + self._style.px(24)

    def draw_ground(self, surface: pygame.Surface, title: str, note: str) -> None:
        """Draw what lies below the controls."""
        style, px = self._style, self._style.px
        fill_rounded(surface, self.rect, px(_CORNERS), theme.PANEL, theme.LINE, px(1))
        left, middle = self.rect.left + px(MARGIN), self.rect.top + px(40)
        right = self._close.rect.left - px(8)
        words = style.text(style.fit(title, 20, right - left, bold=True), 20, bold=True)
        drawn = blit_text(surface, words, anchor="midleft", at=(left, middle))
        note = style.fit(note, 12, max(0, right - drawn.right - px(16)))
        blit_text(surface, style.text(note, 12, theme.MUTED), anchor="midright", at=(right, middle))

    def draw_words(self, surface: pygame.Surface) -> None:
        """Draw what lies over the controls."""
        px = self._style.px
        surface.set_clip(self.view)
        self._page.draw_words(surface, self._page_corner)
        surface.set_clip(None)
        surface.fill(theme.LINE, (self.rect.left + 1, self.view.bottom, self.rect.width - 2, 1))
        self._foot.draw_words(surface, self._foot_corner)
        sign = cross(px(11), px(2), theme.TEXT)
        surface.blit(sign, sign.get_rect(center=self._close.rect.center))
        view = Rect(self.view.left, self.view.top, self.view.width - px(8), self.view.height)
        draw_scroll_bar(surface, theme.LINE, view, self.scroll, self._longest, px(6))
