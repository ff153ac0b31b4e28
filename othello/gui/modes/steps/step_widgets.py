"""Widgets of the mode Step through: the table of a step, the search tree, and marks on the board."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final

import pygame
from pygame import Rect

from othello.gui import ui
from othello.gui.boards.board_layout import BoardLayout, draw_tag
from othello.gui.boards.renderer import BoardRenderer
from othello.gui.widgets.search_tree import TreeNode, TreePanel, first_nodes
from othello.rules.protocol import Color, Square
from othello.search.report import Line
from othello.study.step_text import StepText
from othello.texts import tr

_ROOT: Final = 66  # width of the root, in design pixels
_ROW: Final = 28  # height of a node
_BADGE: Final = 26  # diameter of its circle
_GAP: Final = 18  # width of the lines between two columns


class TableRow(ui.Widget):
    """A row of a table, with a bar before the last cell if it has `shares`."""

    cells: Sequence[str]
    shares: Sequence[float] = ()  # of the largest bound: the bound and the mean; zeros leave the room for a bar free
    color: ui.RGB | None = None  # of the cells in the middle
    is_head: bool = False

    def draw(self, on: ui.PaintContext) -> None:
        px, rect, last = on.style.px, on.rect.inflate(-on.style.px(20), 0), len(self.cells) - 1
        column = rect.width // (last + 1 + bool(self.shares))
        for index, cell in enumerate(self.cells):
            is_bold = index in (0, last) and not self.is_head
            x = rect.left if index == 0 else rect.right if index == last else rect.left + column * (index + 1)
            color, anchor = (
                None if is_bold else self.color or on.style.palette.muted,
                "midright" if index else "midleft",
            )
            sizes = (12 - self.is_head, 11, 10, 9)
            on.text((x, rect.centery), cell, sizes, color, anchor=anchor, bold=is_bold, room=column - px(4))
        for share, shade in zip(self.shares, (on.style.palette.control, on.style.palette.best_value), strict=False):
            left = rect.left + column * last + px(12)
            bar = Rect(left, rect.centery - px(4), round((rect.right - px(48) - left) * share), px(8))
            ui.fill_rounded(on.surface, bar, px(2), shade)


class StepTable(ui.ListView):
    """The rows of a table. `data` of an item is its `TableRow`."""

    pitch: ClassVar[float] = 22

    def draw_item(self, on: ui.PaintContext, item: ui.ListItem, color: ui.RGB | None) -> None:
        replace(item.data, color=color).draw(on)


def table_rows(
    text: StepText, name: str, selected: ui.Selection | None, bars: Sequence[tuple[float, float]]
) -> Sequence[ui.Widget]:
    """Return the header and the list of the rows of a table; nothing if it has no rows.

    `bars` are the bounds and the means of the first rows, or empty.
    """
    if not text.rows:
        return ()
    highest = max((bound for bound, _ in bars), default=0.0) or 1.0
    shares = [(bound / highest, mean / highest) for bound, mean in bars] + [(0.0, 0.0)] * len(text.rows)
    items = []
    for cells, share in zip(text.rows, shares, strict=False):
        words = ", ".join(f"{column} {cell}" for column, cell in zip(text.header, cells, strict=True))
        items.append(ui.ListItem(words, data=TableRow(cells, share if bars else ())))
    selected = selected or ui.Selection(-1 if text.chosen is None else text.chosen)
    head = TableRow(text.header, (0.0, 0.0) if bars else (), is_head=True, grow=1, height=18)
    table = StepTable(items, selected, accessible_name=name, name="table", grow=1, height=66)
    return ui.Row((head, ui.Spacer(width=2))), table


class StepTree(TreePanel):
    """The moves along a line of a search, a column for each position; the last columns if not all have room."""

    root: str = ""  # text of the root
    line: Line = ()  # drawn in colour
    chosen: Line | None = None  # the node whose position and table are shown

    def _shown(self, on: ui.PaintContext) -> tuple[int, int, list[Sequence[TreeNode]]]:
        """Return the width of a column, the number of columns left out at the left, and the nodes of the others."""
        columns, px, rows = (
            (self.seen.moves, *self.seen.below),
            on.style.px,
            max(1, on.rect.height // on.style.px(_ROW)),
        )
        widths = (on.style.width(f"{node.text} {node.value}", 12) for column in columns for node in column)
        width = max(widths, default=0) + px(_BADGE + _GAP + 18)
        first = max(0, len(columns) - max(1, (on.rect.width - px(_ROOT)) // width))
        shown = (nodes if len(nodes) <= rows else first_nodes(nodes, rows - 1, self.seen.path) for nodes in columns)
        return width, first, [*shown][first:]

    def _places(self, on: ui.PaintContext) -> dict[Line, Rect]:
        (width, first, columns), rect, high = self._shown(on), on.rect, on.style.px(_ROW)
        line, gap = self.seen.path[:first], on.style.px(_GAP)
        found = {line: Rect(rect.left, rect.centery - high // 2, on.style.px(_ROOT), high)}
        for index, nodes in enumerate(columns):
            total = high * min(len((self.seen.moves, *self.seen.below)[first + index]), rect.height // high)
            top = found[self.seen.path[: first + index]].top if index else rect.centery - total // 2
            top = max(rect.top, min(top, rect.bottom - total))
            left = rect.left + on.style.px(_ROOT) + gap + index * width
            found |= {node.line: Rect(left, top + row * high, width - gap, high) for row, node in enumerate(nodes)}
        return found

    def draw(self, on: ui.PaintContext) -> None:
        (_, first, columns), places, px = self._shown(on), self._places(on), on.style.px
        for nodes, whole in zip(columns, (self.seen.moves, *self.seen.below)[first:], strict=True):
            for node in sorted(nodes, key=self._is_path):
                self._connect(on, places[node.line[:-1]], places[node.line], is_path=self._is_path(node))
            if len(nodes) < len(whole):
                at = places[nodes[-1].line].move(px(_BADGE + 8), px(_ROW)).midleft
                on.text(at, tr("analysis.more", n=len(whole) - len(nodes)), 11, on.style.palette.muted)
        line = self.seen.path[:first]
        skipped = (node for nodes in (self.seen.moves, *self.seen.below)[:first] for node in nodes)
        name = next((node.text for node in skipped if node.line == line), self.root)
        root = TreeNode(line, Color.BLACK, "", name)
        for node in (root, *(node for nodes in columns for node in nodes)):
            self._draw_node(on, node, places[node.line])

    def _is_path(self, node: TreeNode) -> bool:
        return self.line[: len(node.line)] == node.line

    @staticmethod
    def _connect(on: ui.PaintContext, start: Rect, end: Rect, *, is_path: bool) -> None:
        px, palette = on.style.px, on.style.palette
        color, width = (palette.accent, px(2)) if is_path else (palette.line, px(1))
        x, top = end.left - px(10), min(start.centery, end.centery)
        on.surface.fill(color, (start.right, start.centery, x - start.right, width))
        on.surface.fill(color, (x, top, width, abs(start.centery - end.centery) + width))
        on.surface.fill(color, (x, end.centery, px(10), width))

    def _draw_node(self, on: ui.PaintContext, node: TreeNode, place: Rect) -> None:
        px, palette, is_path, is_chosen = on.style.px, on.style.palette, self._is_path(node), node.line == self.chosen
        if is_chosen or (on.mouse is not None and place.collidepoint(on.mouse)):
            ui.fill_rounded(on.surface, place, px(6), palette.small, palette.accent if is_chosen else None)
        size, left = px(_BADGE if node.text else 44), place.left + px(_BADGE + 8)
        ground, color = (palette.chosen, palette.accent) if is_path else (palette.raised, palette.text)
        centre = place.left + size // 2 + px(2), place.centery
        on.image(ui.ring(size, px(1 + is_path), color if is_path else palette.line, ground), at=centre)
        on.text(centre, node.visits, (11, 10, 9, 8, 7), anchor="center", bold=True, room=size - px(4))
        if node.text:
            at = on.text((left, place.centery), node.text, 12, color, bold=is_path, room=place.right - left)
            room = place.right - at.right - px(6)
            on.text((at.right + px(6), place.centery), node.value, (11, 10, 9), palette.muted, room=room)
            if node.note:  # crossed out
                on.surface.fill(palette.warning, (at.left - px(2), at.centery, at.width + px(4), px(2)))


@dataclass(frozen=True)
class StepMark:
    """A text on a square: on a piece if it has a `color`, which is ringed if the text is the number of a move."""

    renderer: BoardRenderer
    square: Square
    lines: Sequence[str]
    color: Color | None = None
    is_move: bool = False

    def draw(self, surface: pygame.Surface, layout: BoardLayout) -> None:
        rect, palette, style, ink = layout.square_rect(self.square), layout.style.palette, layout.style, None
        if self.color is None:
            layout.outline(surface, rect, layout.plate, layout.mark_style.px(1), palette.hint, layout.plate_color)
            ink = palette.board_text
        else:
            self.renderer.draw_piece(surface, rect.center, layout.piece, self.color)
            ink = self.renderer.colors[self.color.opponent]
        if self.is_move:
            layout.outline(surface, rect, layout.piece, layout.mark_style.px(3), palette.accent)
        if self.is_move and not layout.is_round:  # a number over a cross could not be read
            draw_tag(surface, layout, self.square, self.lines[0], palette.accent)
            return
        for row, words in enumerate(self.lines):
            points = min(16 - 5 * row, max(7, layout.cell / style.scale * (0.24 - 0.06 * row)))
            image = style.text(words, points, palette.coordinate if row else ink, bold=not row)
            y = rect.centery + layout.cell * (0.24 * row - 0.12 * (len(self.lines) - 1))
            ui.blit_text(surface, image, anchor="center", at=(rect.centerx, y))
