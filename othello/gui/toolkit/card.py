"""Widgets around one child: cards, the backdrop of dialogs, scrolled pages; and progress bars."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import pygame
from pygame import Rect

from othello.gui.toolkit.inputs import Point
from othello.gui.toolkit.layout import Parts, Wrapper
from othello.gui.toolkit.shapes import draw_scroll_bar, fill_rounded, fill_share
from othello.gui.toolkit.style import RGB, Box, Size, Style
from othello.gui.toolkit.widget import AccessibleNode, PaintContext, Widget

_VEIL: Final = (85, 85, 85)  # multiplied with the colours below


class Card(Widget):
    """A background with round corners behind one child. Lengths are in design pixels."""

    child: Widget
    pad: tuple[float, float] = (16, 12)  # horizontal and vertical padding around the child
    fill: RGB | None = None  # background colour; None: transparent
    edge: RGB | None = None  # colour of the outline; None: no outline
    radius: float = 10  # of the corners
    line: float = 1  # width of the outline
    command: object | None = None  # command of a press on the background

    @property
    def is_solid(self) -> bool:
        return self.fill is not None or self.command is not None

    def measure(self, style: Style, width: float) -> Size:
        child_width, child_height = self.child.size(style, width - 2 * self.pad[0])
        return Size(child_width + 2 * self.pad[0], child_height + 2 * self.pad[1])

    def min_width(self, style: Style) -> float:
        return self.child.min_width(style) + 2 * self.pad[0] if self.width is None else self.width

    def parts(self, style: Style, box: Box, kept: Mapping[str, Any]) -> Iterator[tuple[Widget, Box]]:
        across, down = self.pad
        yield self.child, Box(box.x + across, box.y + down, box.width - 2 * across, box.height - 2 * down)

    def render_key(self, on: PaintContext) -> object:
        return [getattr(self, name) for name in self._names if name != "child"]

    def spoken(self, on: PaintContext) -> AccessibleNode | None:
        return None if self.command is None else AccessibleNode(role="button", name=self.tip, press=self.command)

    def draw(self, on: PaintContext) -> None:
        px = on.style.px
        fill_rounded(on.surface, on.rect, px(self.radius) if self.radius else 0, self.fill, self.edge, px(self.line))

    def press(self, at: Point, on: PaintContext) -> object | None:
        return self.command


class ModalBackdrop(Wrapper):
    """The backdrop of a dialog: darkens everything below and keeps all input from it."""

    title: str = ""  # of the dialog

    is_modal = True
    is_solid = True

    def spoken(self, on: PaintContext) -> AccessibleNode:
        return AccessibleNode(role="dialog", name=self.title)

    def draw(self, on: PaintContext) -> None:
        on.surface.fill(_VEIL, special_flags=pygame.BLEND_RGB_MULT)


class ScrollView(Wrapper):
    """A vertically scrolled view of one child, with a scroll bar. Must have a name."""

    is_solid = True  # the mouse wheel works everywhere on the page
    overhang = 8.0  # room for the scroll bar
    scrolls = True

    def parts(self, style: Style, box: Box, kept: Mapping[str, Any]) -> Parts:
        height = max(box.height, self.child.size(style, box.width).height)
        offset = min(max(0.0, kept.get(self.name, 0.0)), height - box.height)
        yield self.child, Box(box.x, box.y - offset, box.width, height)

    def draw_over(self, on: PaintContext) -> None:
        if on.inner is not None:
            px, longest = on.style.px, on.inner.height - on.rect.height
            view = Rect(on.rect.left, on.rect.top, on.rect.width + px(self.overhang), on.rect.height)
            draw_scroll_bar(on.surface, on.style.palette.line, view, on.rect.top - on.inner.top, longest, px(5))


class ProgressBar(Widget):
    """A progress bar."""

    share: float  # from 0 to 1

    def spoken(self, on: PaintContext) -> AccessibleNode:
        return AccessibleNode(role="progress_indicator", name=self.tip, value_range=(100 * self.share, 0, 100))

    def measure(self, style: Style, width: float) -> Size:
        return Size(min(width, 360), 8)

    def draw(self, on: PaintContext) -> None:
        fill_share(on.surface, on.rect, self.share, on.style.palette.accent, on.style.palette.line)
