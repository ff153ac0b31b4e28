"""Layout widgets: rows, columns, grids, layers, cards, scrolled pages. All lengths are design pixels."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from pygame import BLEND_RGB_MULT, Rect

from othello.gui.toolkit.inputs import Point
from othello.gui.toolkit.shapes import draw_scroll_bar, fill_rounded
from othello.gui.toolkit.style import RGB, Box, Size, Style
from othello.gui.toolkit.widget import AccessibleNode, PaintContext, Widget

Parts = Iterator[tuple[Widget, Box]]
_VEIL: Final = (85, 85, 85)  # multiplied with the colours below a dialog
# The share of the spare room that is placed before a widget.
_BEFORE: Final = {"top": 0.0, "left": 0.0, "fill": 0.0, "middle": 0.5, "bottom": 1.0, "right": 1.0}


class Container(Widget, kw_only=True):
    """A transparent widget that only arranges its children."""

    group: str = ""  # accessible name of the children as a group; empty: not announced as a group

    is_solid = False

    def accessible(self, on: PaintContext) -> AccessibleNode | None:
        return AccessibleNode("group", name=self.group) if self.group else None

    def render_key(self, on: PaintContext) -> object:
        return type(self)


class _Line(Container):
    """Widgets in a row or a column."""

    children: Sequence[Widget]
    gap: float = 8

    @property
    def _gaps(self) -> float:
        """All gaps between the children together."""
        return self.gap * max(0, len(self.children) - 1)


class Row(_Line):
    """Widgets side by side. Children with `grow` share the spare width.

    If there is too little width, children shrink to `min_width`, starting from the right.
    """

    align: str = "middle"  # vertical: `top`, `middle`, `bottom`, or `fill` for equal heights

    def _widths(self, style: Style, width: float) -> list[float]:
        room = width - self._gaps
        fixed = [0.0 if child.grow else child.size(style, room).width for child in self.children]
        rest = room - sum(fixed)
        for index in reversed(range(len(fixed))) if rest < 0 else ():
            given = min(-rest, max(0.0, fixed[index] - self.children[index].min_width(style)))
            fixed[index], rest = fixed[index] - given, rest + given
        share = max(0.0, rest) / (sum(child.grow for child in self.children) or 1.0)
        return [size + share * child.grow for child, size in zip(self.children, fixed, strict=True)]

    def measure(self, style: Style, width: float) -> Size:
        widths = self._widths(style, width)
        heights = [child.size(style, given).height for child, given in zip(self.children, widths, strict=True)]
        room = width - self._gaps  # as in `_widths`: sizes are cached by width
        natural = [(child.size(style, room).width, child.grow) for child in self.children]
        share = max((size / grow for size, grow in natural if grow), default=0.0)  # spare width per unit of `grow`
        total = sum(share * grow if grow else size for size, grow in natural)
        return Size(total + self._gaps, max(heights, default=0.0))

    def min_width(self, style: Style) -> float:
        if self.width is not None:
            return self.width
        return sum(child.min_width(style) for child in self.children) + self._gaps

    def layout_children(self, style: Style, box: Box, state: Mapping[str, Any]) -> Parts:
        x = box.x
        for child, width in zip(self.children, self._widths(style, box.width), strict=True):
            height = box.height if self.align == "fill" else min(box.height, child.size(style, width).height)
            yield child, Box(x, box.y + (box.height - height) * _BEFORE[self.align], width, height)
            x += width + self.gap


class FocusGroup(Row):
    """A row that is one stop of F6."""

    is_group = True


class Column(_Line):
    """Widgets below each other. Children with `grow` share the spare height, or shrink if it is negative."""

    align: str = "fill"  # horizontal: `left`, `middle`, `right`, or `fill` for equal widths

    def measure(self, style: Style, width: float) -> Size:
        sizes = [child.size(style, width) for child in self.children]
        widest = max((size.width for size in sizes), default=0.0)
        return Size(widest, sum(size.height for size in sizes) + self._gaps)

    def min_width(self, style: Style) -> float:
        widest = max((child.min_width(style) for child in self.children), default=0.0)
        return max(self.min_content, widest if self.width is None else self.width)

    def layout_children(self, style: Style, box: Box, state: Mapping[str, Any]) -> Parts:
        sizes = [child.size(style, box.width) for child in self.children]
        rest = box.height - sum(size.height for size in sizes) - self._gaps
        rest /= sum(child.grow for child in self.children) or 1.0
        y = box.y
        for child, size in zip(self.children, sizes, strict=True):
            height = max(0.0, size.height + rest * child.grow)
            width = box.width if self.align == "fill" and child.width is None else min(box.width, size.width)
            yield child, Box(box.x + (box.width - width) * _BEFORE[self.align], y, width, height)
            y += height + self.gap


class Grid(Container):
    """Widgets in a grid of equal cells, row by row."""

    children: Sequence[Widget]
    columns: int
    gap: float = 8

    @property
    def _rows(self) -> int:
        return -(-len(self.children) // self.columns)

    def _cell(self, style: Style, width: float) -> Size:
        cell_width = (width - self.gap * (self.columns - 1)) / self.columns
        return Size(cell_width, max((child.size(style, cell_width).height for child in self.children), default=0.0))

    def measure(self, style: Style, width: float) -> Size:
        return Size(width, max(0.0, self._rows * (self._cell(style, width).height + self.gap) - self.gap))

    def layout_children(self, style: Style, box: Box, state: Mapping[str, Any]) -> Parts:
        width, _ = self._cell(style, box.width)
        height = (box.height - self.gap * (self._rows - 1)) / max(1, self._rows)
        for index, child in enumerate(self.children):
            row, column = divmod(index, self.columns)
            yield child, Box(box.x + column * (width + self.gap), box.y + row * (height + self.gap), width, height)


class Flow(Container):
    """Widgets wrapped onto as few rows as possible. Rows are about equally long and filled from edge to edge."""

    children: Sequence[Widget]
    gap: float = 8
    is_group = True

    def _rows(self, style: Style, width: float) -> list[list[tuple[Widget, Size]]]:
        sizes = [(child, child.size(style, width)) for child in self.children]
        total = sum(size.width for _, size in sizes) + self.gap * (len(sizes) - 1)
        for count, _ in enumerate(sizes, 1):
            longest = min(width, total / count + width / 6)
            rows: list[list[tuple[Widget, Size]]] = [[]]
            for sized in sizes:
                if rows[-1] and sum(size.width + self.gap for _, size in rows[-1]) + sized[1].width > longest + 0.01:
                    rows.append([])
                rows[-1].append(sized)
            if len(rows) <= count:
                return rows
        return []

    def measure(self, style: Style, width: float) -> Size:
        heights = [max(size.height for _, size in row) for row in self._rows(style, width)]
        return Size(width, sum(heights) + self.gap * max(0, len(heights) - 1))

    def min_width(self, style: Style) -> float:
        return max(child.min_width(style) for child in self.children)

    def layout_children(self, style: Style, box: Box, state: Mapping[str, Any]) -> Parts:
        y = box.y
        for row in self._rows(style, box.width):
            height = max(size.height for _, size in row)
            growing = [child for child, _ in row if child.width is None] or [child for child, _ in row]
            spare = box.width - sum(size.width for _, size in row) - self.gap * (len(row) - 1)
            x = box.x
            for child, size in row:
                width = size.width + (max(0.0, spare) / len(growing) if child in growing else 0.0)
                yield child, Box(x, y, min(width, box.width), height)
                x += width + self.gap
            y += height + self.gap


class Stack(Container):
    """Widgets over each other, all in the full place; the last one is on top."""

    children: Sequence[Widget]

    def measure(self, style: Style, width: float) -> Size:
        sizes = [child.size(style, width) for child in self.children]
        return Size(max((size.width for size in sizes), default=0.0), max((size.height for size in sizes), default=0.0))

    def layout_children(self, style: Style, box: Box, state: Mapping[str, Any]) -> Parts:
        return ((child, box) for child in self.children)


class Wrapper(Container):
    """A container of one child."""

    child: Widget

    def measure(self, style: Style, width: float) -> Size:
        return self.child.size(style, width)

    def layout_children(self, style: Style, box: Box, state: Mapping[str, Any]) -> Parts:
        yield self.child, box


class Align(Wrapper):
    """Aligns a child of its natural size in the available place."""

    across: float = 0.5  # 0: left, 1: right
    down: float = 0.5  # 0: top, 1: bottom

    def layout_children(self, style: Style, box: Box, state: Mapping[str, Any]) -> Parts:
        width, height = self.child.size(style, box.width)
        width, height = min(width, box.width), min(height, box.height)
        x, y = box.x + (box.width - width) * self.across, box.y + (box.height - height) * self.down
        yield self.child, Box(x, y, width, height)


class Spacer(Container):
    """Empty space: of a fixed size, or growing."""


class FirstThatFits(Container):
    """The first of several alternatives that fits the place, else the last."""

    choices: Sequence[Widget]  # largest first

    def min_width(self, style: Style) -> float:
        return min(choice.min_width(style) for choice in self.choices)

    def _fitting(self, style: Style, width: float, height: float) -> Widget:
        for choice in self.choices:
            if choice.min_width(style) <= width + 0.01 and choice.size(style, width).height <= height + 0.01:
                return choice
        return self.choices[-1]

    def measure(self, style: Style, width: float) -> Size:
        return self._fitting(style, width, math.inf).size(style, width)

    def layout_children(self, style: Style, box: Box, state: Mapping[str, Any]) -> Parts:
        yield self._fitting(style, box.width, box.height), box


class Card(Widget):
    """A child on a background with round corners."""

    child: Widget
    pad: tuple[float, float] = (16, 12)  # horizontal and vertical padding around the child
    fill: RGB | None = None  # background colour; None: transparent
    edge: RGB | None = None  # colour of the outline; None: no outline
    radius: float = 10  # radius of the corners
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

    def layout_children(self, style: Style, box: Box, state: Mapping[str, Any]) -> Parts:
        across, down = self.pad
        yield self.child, Box(box.x + across, box.y + down, box.width - 2 * across, box.height - 2 * down)

    def render_key(self, on: PaintContext) -> object:
        return [getattr(self, name) for name in self._names if name != "child"]

    def accessible(self, on: PaintContext) -> AccessibleNode | None:
        return None if self.command is None else AccessibleNode("button", name=self.tip, press=self.command)

    def draw(self, on: PaintContext) -> None:
        px = on.style.px
        fill_rounded(on.surface, on.rect, px(self.radius) if self.radius else 0, self.fill, self.edge, px(self.line))

    def press(self, at: Point, on: PaintContext) -> object | None:
        return self.command


class ModalBackdrop(Wrapper):
    """The backdrop of a dialog: darkens everything below and keeps all input from it."""

    title: str = ""  # title of the dialog

    is_modal = True
    is_solid = True

    def accessible(self, on: PaintContext) -> AccessibleNode:
        return AccessibleNode("dialog", name=self.title)

    def draw(self, on: PaintContext) -> None:
        on.surface.fill(_VEIL, special_flags=BLEND_RGB_MULT)


class ScrollView(Wrapper):
    """A vertically scrolled view of one child, with a scroll bar. Must have a name."""

    is_solid = True  # the mouse wheel works everywhere on the page
    overhang = 8.0  # room for the scroll bar
    scrolls = True

    def layout_children(self, style: Style, box: Box, state: Mapping[str, Any]) -> Parts:
        height = max(box.height, self.child.size(style, box.width).height)
        offset = min(max(0.0, state.get(self.name, 0.0)), height - box.height)
        yield self.child, Box(box.x, box.y - offset, box.width, height)

    def draw_over(self, on: PaintContext) -> None:
        if on.inner is not None:
            px, longest = on.style.px, on.inner.height - on.rect.height
            view = Rect(on.rect.left, on.rect.top, on.rect.width + px(self.overhang), on.rect.height)
            draw_scroll_bar(on.surface, on.style.palette.line, view, on.rect.top - on.inner.top, longest, px(5))
