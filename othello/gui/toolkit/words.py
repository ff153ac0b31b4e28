"""Words in a window: one line, as many lines as they take, and tooltips."""

from functools import partial
from typing import Final

import pygame
from pygame import Rect

from othello.gui.toolkit.inputs import Point
from othello.gui.toolkit.panel import Canvas, Overlay, Panel, Spoken
from othello.gui.toolkit.shapes import fill_rounded
from othello.gui.toolkit.style import RGB, Size, Style, blit_text

_SECONDS: Final = 0.6
_WIDTH: Final = 220
_PITCH: Final = 18


class Tip:
    """The words of the panel on which the mouse has rested for a while.

    Attributes:
        words: what is shown; empty: nothing.
    """

    def __init__(self) -> None:
        self.words = ""
        self._moved_at: float | None = None

    def hide(self, moved_at: float | None = None) -> None:
        """Show nothing; with the time at which the mouse moved, nothing for a while."""
        self.words, self._moved_at = "", moved_at

    def update(self, words: str, now: float) -> None:
        """Show the words of what is under the mouse, if the mouse has rested long enough."""
        if self._moved_at is not None and now - self._moved_at >= _SECONDS:
            self.words, self._moved_at = words, None

    def next_wake(self, words: str, now: float) -> float | None:
        """When to update again without an input, None: any time will do."""
        return None if self._moved_at is None or not words else max(now, self._moved_at + _SECONDS)

    def overlay(self, style: Style, window: Rect, mouse: Point) -> Overlay:
        """The words in their place: below the mouse, within the window."""
        return bubble(self.words, style, window, Rect(mouse, (0, style.px(14))))


def bubble(words: str, style: Style, window: Rect, place: Rect) -> Overlay:
    """Words that lie over everything: below a place, or above it where the window ends."""
    rows = style.wrap(words, 12, style.px(_WIDTH), 6)
    width = max(style.width(row, 12) for row in rows) + 2 * style.px(8)
    rect = Rect(place.left, place.bottom + style.px(6), width, style.px(10 + _PITCH * len(rows)))
    if rect.bottom > window.bottom:
        rect.bottom = place.top - style.px(6)
    rect = rect.clamp(window)
    return Overlay(rect, words, partial(_draw, rows, style, rect))


def _draw(rows: list[str], style: Style, rect: Rect, surface: pygame.Surface) -> None:
    px = style.px
    fill_rounded(surface, rect, px(6), style.palette.small, style.palette.muted, 1)
    for index, row in enumerate(rows):
        blit_text(surface, style.text(row, 12), at=(rect.left + px(8), rect.top + px(5 + _PITCH * index)))


class Label(Panel):
    """One line of words."""

    words: str | tuple[str, ...]  # what is written; of several texts, ever shorter ones, the first that fits
    points: float = 13  # of the letters
    color: RGB | None = None  # None: the palette's text
    bold: bool = False  # whether the letters are bold
    align: str = "left"  # `left`, `center` or `right`
    sizes: tuple[float, ...] = ()  # ever smaller sizes that are tried before the words are shortened
    must_fit: bool = False  # whether something else is to be shown where the words do not fit

    def narrowest(self, style: Style) -> float:
        return style.length(self._texts()[-1], self.points, self.bold) if self.must_fit else self.min_content

    def spoken(self, on: Canvas) -> Spoken | None:
        words = self._texts()[0]
        return Spoken(role="label", value=words, description=self.tip) if words.strip() else None

    def _texts(self) -> tuple[str, ...]:
        return (self.words,) if isinstance(self.words, str) else self.words

    def measure(self, style: Style, width: float) -> Size:
        lengths = [style.length(text, self.points, self.bold) for text in self._texts()]
        return Size(next((length for length in lengths if length <= width), min(lengths[-1], width)), self.points * 1.5)

    def draw(self, on: Canvas) -> None:
        style, room, texts = on.style, on.rect.width + 1, self._texts()
        text = next((each for each in texts if style.width(each, self.points, self.bold) <= room), texts[-1])
        anchor, sizes = (
            {"left": "midleft", "center": "center", "right": "midright"}[self.align],
            (self.points, *self.sizes),
        )
        on.text(getattr(on.rect, anchor), text, sizes, self.color, anchor=anchor, bold=self.bold, room=room)


class Paragraph(Panel):
    """Words on as many lines as they take."""

    words: str  # what is written
    points: float = 13  # of the letters
    color: RGB | None = None  # None: the palette's text
    bold: bool = False  # whether the letters are bold
    max_lines: int = 20  # lines at most; the last one ends in an ellipsis where there are more words
    align: str = "left"  # `left` or `center`
    pitch: float = 1.5  # from line to line, as a multiple of the size
    live: str = ""  # how soon a screen reader reads new words, as `Spoken` has it

    def narrowest(self, style: Style) -> float:
        return self.min_content

    def spoken(self, on: Canvas) -> Spoken | None:
        words = Spoken(role="label", value=self.words, description=self.tip, live=self.live)
        return words if self.words.strip() else None

    def measure(self, style: Style, width: float) -> Size:
        rows = style.wrap(self.words, self.points, round(width * style.scale), self.max_lines, self.bold)
        wide = max((style.length(row, self.points, self.bold) for row in rows), default=0.0)
        return Size(wide, len(rows) * self.points * self.pitch)

    def draw(self, on: Canvas) -> None:
        style, pitch = on.style, on.style.px(self.points * self.pitch)
        most = max(1, min(self.max_lines, (on.rect.height + pitch // 2) // pitch))
        rows = style.wrap(self.words, self.points, on.rect.width + 1, most, self.bold)
        for index, row in enumerate(rows):
            x, anchor = (on.rect.centerx, "midtop") if self.align == "center" else (on.rect.left, "topleft")
            at = (x, on.rect.top + index * pitch)
            on.text(at, row, self.points, self.color, anchor=anchor, bold=self.bold)
