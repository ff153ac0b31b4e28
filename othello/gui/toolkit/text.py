"""Text widgets of one or several lines, and tooltips."""

from functools import partial
from typing import Final

from pygame import Rect, Surface

from othello.gui.toolkit.inputs import Point
from othello.gui.toolkit.shapes import fill_rounded
from othello.gui.toolkit.style import RGB, Size, Style, blit_text
from othello.gui.toolkit.widget import AccessibleNode, Overlay, PaintContext, Widget

_DELAY_SECONDS: Final = 0.6
_BUBBLE_WIDTH: Final = 220
_LINE_HEIGHT: Final = 18


class Tooltip:
    """The tooltip, which appears when the mouse has rested for a while. Times are in seconds."""

    def __init__(self) -> None:
        self.words = ""  # empty: no tooltip is shown
        self._moved_at: float | None = None  # None: the mouse has not moved since the last tooltip

    def hide(self, moved_at: float | None = None) -> None:
        """Hide the tooltip. With `moved_at`, the time of a mouse movement, start the delay again."""
        self.words, self._moved_at = "", moved_at

    def update(self, words: str, now: float) -> None:
        """Show `words`, the tooltip of the widget under the mouse, if the delay is over."""
        if self._moved_at is not None and now - self._moved_at >= _DELAY_SECONDS:
            self.words, self._moved_at = words, None

    def next_wake(self, words: str, now: float) -> float | None:
        """Return the time of the next update that needs no input, or None."""
        return None if self._moved_at is None or not words else max(now, self._moved_at + _DELAY_SECONDS)

    def overlay(self, style: Style, window: Rect, mouse: Point) -> Overlay:
        """Return the tooltip below the mouse, inside the window."""
        return bubble(self.words, style, window, Rect(mouse, (0, style.px(14))))


def bubble(words: str, style: Style, window: Rect, place: Rect) -> Overlay:
    """Return a bubble with text below `place`, or above it if there is no room below."""
    rows = style.wrap(words, 12, style.px(_BUBBLE_WIDTH), 6)
    width = max(style.width(row, 12) for row in rows) + 2 * style.px(8)
    rect = Rect(place.left, place.bottom + style.px(6), width, style.px(10 + _LINE_HEIGHT * len(rows)))
    if rect.bottom > window.bottom:
        rect.bottom = place.top - style.px(6)
    rect = rect.clamp(window)
    return Overlay(rect, words, partial(_draw, rows, style, rect))


def _draw(rows: list[str], style: Style, rect: Rect, surface: Surface) -> None:
    px = style.px
    fill_rounded(surface, rect, px(6), style.palette.small, style.palette.muted, 1)
    for index, row in enumerate(rows):
        blit_text(surface, style.text(row, 12), at=(rect.left + px(8), rect.top + px(5 + _LINE_HEIGHT * index)))


class Label(Widget):
    """One line of text."""

    words: str | tuple[str, ...]  # of several texts, longest first, the first that fits is shown
    points: float = 13  # font size in design pixels
    color: RGB | None = None  # None: the palette's text colour
    bold: bool = False
    align: str = "left"  # `left`, `center` or `right`
    sizes: tuple[float, ...] = ()  # smaller font sizes to try before the text is cut
    must_fit: bool = False  # never cut: `FirstThatFits` chooses another alternative instead

    def min_width(self, style: Style) -> float:
        return style.length(self._texts()[-1], self.points, self.bold) if self.must_fit else self.min_content

    def accessible(self, on: PaintContext) -> AccessibleNode | None:
        words = self._texts()[0]
        return AccessibleNode("label", value=words, description=self.tip) if words.strip() else None

    def _texts(self) -> tuple[str, ...]:
        return (self.words,) if isinstance(self.words, str) else self.words

    def measure(self, style: Style, width: float) -> Size:
        lengths = [style.length(text, self.points, self.bold) for text in self._texts()]
        return Size(next((length for length in lengths if length <= width), min(lengths[-1], width)), self.points * 1.5)

    def draw(self, on: PaintContext) -> None:
        anchor = {"left": "midleft", "center": "center", "right": "midright"}[self.align]
        sizes, room = (self.points, *self.sizes), on.rect.width + 1
        on.text(getattr(on.rect, anchor), self.words, sizes, self.color, anchor=anchor, bold=self.bold, room=room)


class Paragraph(Widget):
    """Text that is wrapped onto several lines."""

    words: str
    points: float = 13  # font size in design pixels
    color: RGB | None = None  # None: the palette's text colour
    bold: bool = False
    max_lines: int = 20  # longer text ends in an ellipsis
    align: str = "left"  # `left` or `center`
    pitch: float = 1.5  # line height as a multiple of the font size
    live: str = ""  # see `AccessibleNode.live`

    def min_width(self, style: Style) -> float:
        return self.min_content

    def accessible(self, on: PaintContext) -> AccessibleNode | None:
        words = AccessibleNode("label", value=self.words, description=self.tip, live=self.live)
        return words if self.words.strip() else None

    def measure(self, style: Style, width: float) -> Size:
        rows = style.wrap(self.words, self.points, round(width * style.scale), self.max_lines, self.bold)
        widest = max((style.length(row, self.points, self.bold) for row in rows), default=0.0)
        return Size(widest, len(rows) * self.points * self.pitch)

    def draw(self, on: PaintContext) -> None:
        style, pitch = on.style, on.style.px(self.points * self.pitch)
        max_lines = max(1, min(self.max_lines, (on.rect.height + pitch // 2) // pitch))
        rows = style.wrap(self.words, self.points, on.rect.width + 1, max_lines, self.bold)
        for index, row in enumerate(rows):
            x, anchor = (on.rect.centerx, "midtop") if self.align == "center" else (on.rect.left, "topleft")
            at = (x, on.rect.top + index * pitch)
            on.text(at, row, self.points, self.color, anchor=anchor, bold=self.bold)
