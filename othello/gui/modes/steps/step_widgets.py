"""Widgets of the mode Step through: the table of a step, the search tree, and marks on the board."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import pygame
from pygame import Rect

from othello.gui import ui
from othello.gui.boards.board_layout import BoardLayout, draw_tag
from othello.gui.boards.renderer import BoardRenderer
from othello.gui.widgets.search_tree import PressNode, TreeNode, TreePanel, first_nodes
from othello.rules.protocol import Color, Square
from othello.search.report import Line
from othello.study.step_text import StepText
from othello.texts import number_of

_LINE: Final = 22  # height of a row of a table, in design pixels
_ROOT: Final = 48  # width of the root's circle and its edge
_ROW: Final = 28  # height of a node
_BADGE: Final = 26  # diameter of its circle
_GAP: Final = 18  # width of the lines between two columns


class StepTable(ui.Widget):
    """The table of a step, with a bar for the mean and the bound of each row if it has bounds."""

    text: StepText
    title: str
    nodes: Mapping[str, Line]  # by the first cell of a row, the node that a click on it shows
    has_bounds: bool

    follows_mouse = True

    def measure(self, style: ui.Style, width: float) -> ui.Size:
        return ui.Size(width, _LINE * (len(self.text.rows) + 1))

    def _node_at(self, at: ui.Point | None, on: ui.PaintContext) -> Line | None:
        row = -1 if at is None or not on.rect.collidepoint(at) else int(at[1] - on.rect.top) // on.style.px(_LINE) - 1
        return self.nodes.get(self.text.rows[row][0]) if 0 <= row < len(self.text.rows) else None

    def press(self, at: ui.Point, on: ui.PaintContext) -> object | None:
        node = self._node_at(at, on)
        return None if node is None else PressNode(node)

    def accessible(self, on: ui.PaintContext) -> ui.AccessibleNode:
        return ui.accessible_table(self.title, self.text.header, self.text.rows)

    def draw(self, on: ui.PaintContext) -> None:
        px, palette, hovered = on.style.px, on.style.palette, self._node_at(on.mouse, on)
        row = Rect(on.rect.topleft, (on.rect.width, px(_LINE)))
        for index, cells in enumerate((self.text.header, *self.text.rows), -1):
            is_chosen = index == self.text.chosen
            is_lit = is_chosen or (hovered is not None and self.nodes.get(cells[0]) == hovered)
            if is_lit:
                fill, edge = (palette.chosen, palette.accent) if is_chosen else (palette.raised, None)
                ui.fill_rounded(on.surface, row.inflate(0, -2), px(6), fill, edge)
            self._draw_row(on, row, cells, None if is_lit else palette.muted)
            row.top += row.height

    def _draw_row(self, on: ui.PaintContext, row: Rect, cells: Sequence[str], color: ui.RGB | None) -> None:
        px, palette, last = on.style.px, on.style.palette, len(cells) - 1
        is_header = cells is self.text.header
        left, column = row.left + px(8), (row.width - px(16)) // (last + 1 + self.has_bounds)
        places = left, *(left + column * (at + 1) for at in range(1, last)), row.right - px(8)
        for at, (cell, x) in enumerate(zip(cells, places, strict=True)):
            is_bold = not is_header and at in (0, last)
            ink, anchor = None if is_bold else color, "midright" if at else "midleft"
            room = column * (1 + (self.has_bounds and is_header and at == last)) - px(4)
            on.text((x, row.centery), cell, (12, 11, 10), ink, anchor=anchor, bold=is_bold, room=room)
        highest = max((number_of(cells[-1]) or 0.0 for cells in self.text.rows), default=0.0) or 1.0
        bars = ((last, palette.control), (2, palette.best_value)) if self.has_bounds and not is_header else ()
        bar = Rect(row.left + column * last + px(16), row.centery - px(4), column * 2 - px(72), px(8))
        for at, shade in bars:
            share = (number_of(cells[at]) or 0.0) / highest
            ui.fill_rounded(on.surface, Rect(bar.topleft, (round(bar.width * share), bar.height)), px(2), shade)


class StepTreePanel(TreePanel):
    """The moves along a line of a search, a column for each position; the last columns if not all have room."""

    root: str = ""  # text of the root
    line: Line = ()  # the line to draw in colour
    chosen: Line | None = None  # the node whose position and table are shown

    def _places(self, on: ui.PaintContext) -> dict[Line, Rect]:
        """Return the places of the visible nodes; the first one is the root, or the node before the first column."""
        style, rect, columns, high = on.style, on.rect, self.seen.columns, on.style.px(_ROW)
        widths = (style.width(f"{node.text} {node.value}", 12) for nodes in columns for node in nodes)
        width, rows = max(widths, default=0) + style.px(_BADGE + _GAP + 18), max(2, rect.height // high)
        first = max(0, len(columns) - max(1, (rect.width - style.px(_ROOT)) // width))
        places = {self.seen.path[:first]: Rect(rect.left, rect.centery - high // 2, style.px(_ROOT), high)}
        for index, nodes in enumerate(columns[first:]):
            total = high * min(len(nodes), rows)
            top = places[self.seen.path[: first + index]].top if index else rect.centery - total // 2
            top = max(rect.top, min(top, rect.bottom - total))
            left = rect.left + style.px(_ROOT + _GAP) + index * width
            shown = nodes if len(nodes) <= rows else first_nodes(nodes, rows - 1, self.seen.path)
            for row, node in enumerate(shown):
                places[node.line] = Rect(left, top + row * high, width - style.px(_GAP), high)
        return places

    def draw(self, on: ui.PaintContext) -> None:
        places, px, names, twins = self._places(on), on.style.px, dict[Line, str]([((), self.root)]), list[Rect]()
        for nodes in self.seen.columns:
            names |= {node.line: node.text for node in nodes}
            shown = [node for node in nodes if node.line in places and node.line[:-1] in places]
            for node in sorted(shown, key=self._is_path):
                for parent in (*twins, places[node.line[:-1]]):
                    self._connect(on, parent, places[node.line], is_path=self._is_path(node))
                self._draw_node(on, node, places[node.line])
            twins = [places[node.line] for node in shown if node.is_twin]
            if shown and len(shown) < len(nodes):
                at = places[shown[-1].line].move(px(_BADGE + 8), px(_ROW)).midleft
                on.text(at, f"+ {len(nodes) - len(shown)}", 11, on.style.palette.muted)
        root = next(iter(places))
        self._draw_node(on, TreeNode(root, Color.BLACK, "", names[root]), places[root])

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
            at = on.text((left, place.centery), node.text, 12, color, bold=is_path)
            muted = ui.readable(palette.muted, palette.small, palette.text)
            on.text((at.right + px(6), place.centery), node.value, 11, muted)
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
        rect, style, palette = layout.square_rect(self.square), layout.style, layout.style.palette
        ink = palette.board_text if self.color is None else self.renderer.colors[self.color.opponent]
        small = ui.readable(palette.coordinate, layout.plate_color, palette.board_text)
        if self.color is None:
            layout.outline(surface, rect, layout.plate, layout.mark_style.px(1), palette.hint, layout.plate_color)
        else:
            self.renderer.draw_piece(surface, rect.center, layout.piece, self.color)
        if self.is_move:
            layout.outline(surface, rect, layout.piece, layout.mark_style.px(3), palette.accent)
        if self.is_move and not layout.is_round:  # a number over a cross could not be read
            draw_tag(surface, layout, self.square, self.lines[0], palette.accent)
            return
        for row, words in enumerate(self.lines):
            points = min(16 - 5 * row, max(7, layout.cell / style.scale * (0.24 - 0.06 * row)))
            image = style.text(words, points, small if row else ink, bold=not row)
            y = rect.centery + layout.cell * (0.24 * row - 0.12 * (len(self.lines) - 1))
            ui.blit_text(surface, image, anchor="center", at=(rect.centerx, y))
