"""The list of moves: its rows, and the widget that shows them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import cycle
from string import ascii_uppercase
from typing import Any, Final, TypeAlias

from pygame import Rect

from othello.frozen_dataclass import FrozenDataclass
from othello.game import AnyGame, GameTree, Node
from othello.gui import labels, ui
from othello.gui.boards.renderer import BoardRenderer
from othello.play import session_commands as cmd
from othello.rules.protocol import Color
from othello.search.report import Line
from othello.texts import tr

_INDENT: Final = 26  # indent of a variation, in design pixels
_CELL: Final = 66  # width of a move of a variation
LABEL: Final = 24
_LOWEST: Final = 29  # minimum height of a row


class MoveEntry(FrozenDataclass):
    """A move of the list, identified by the line that ends with it."""

    line: Line
    mover: Color
    text: str
    number: str  # move number; empty: a pass
    sign: str  # of a mistake; empty: none
    has_note: bool  # the position after it has a note


class Listing(FrozenDataclass):
    """A line with its variations."""

    entries: tuple[MoveEntry, ...] = ()  # the moves of the line
    branches: tuple[tuple[int, Listing], ...] = ()  # variations, with the index of the move that each replaces


def shape(node: Node[Any]) -> object:
    """Return a value that is cheap to compute and equal for trees with equal lists."""
    return bool(getattr(node.known, "note", "")), tuple((move, shape(child)) for move, child in node.children.items())


def listing(tree: GameTree[Any], signs: Mapping[Line, str]) -> Listing:
    """Return the list of a tree: the game with the moves taken back, and all variations; `signs` mark mistakes."""
    return _listing(tree.root, tree.line.at(0), tree.line.moves, signs)


def _listing(node: Node[Any], game: AnyGame, main: Line, signs: Mapping[Line, str]) -> Listing:
    """Return the list of a line from a position on, which follows the moves `main` as far as they go."""
    entries: list[MoveEntry] = []
    branches: list[tuple[int, Listing]] = []
    while node.children:
        chosen = main[len(entries)] if len(entries) < len(main) else next(iter(node.children))
        for move in node.children:
            if move != chosen:
                branches.append((len(entries), _listing(Node(None, {move: node.children[move]}), game, (), signs)))
        following, node = game.play(chosen), node.children[chosen]
        text, number = labels.move(game, chosen), "" if game.rules.is_pass(chosen) else str(following.number)
        sign, note = signs.get(following.moves, ""), bool(getattr(node.known, "note", ""))
        entries.append(MoveEntry(following.moves, game.to_move, text, number, sign, note))
        game = following
    return Listing(tuple(entries), tuple(branches))


Stem: TypeAlias = tuple[int, int]
"""The row and the x of the move that a variation replaces."""


class MoveRow(FrozenDataclass):
    """A row of moves."""

    entries: tuple[MoveEntry, ...]
    left: int  # distance of the first move from the left edge; each move is `width` wide
    width: int
    depth: int
    label: str = ""  # letter of a variation, in its first row
    stem: Stem | None = None  # of a variation, in its first row; None: the game


class MoveTable(FrozenDataclass):
    """The layout of the list of moves."""

    style: ui.Style
    panel: Rect
    usual_plies: int  # number of moves that should be visible at once
    listing: Listing
    spare: int  # height that the list has lost for now; it still counts for columns and row heights

    @cached_property
    def columns(self) -> int:
        """The smallest even number of columns that shows a whole game; each side has its own until a pass."""
        room = self._room + self.spare
        fitting = (self.panel.width - self.style.px(20)) // self.style.px(84) // 2 * 2
        enough = next((count for count in (4, 6) if -(-self.usual_plies // count) * self.style.px(_LOWEST) <= room), 8)
        return max(2, min(enough, fitting))

    @property
    def visible(self) -> int:
        """The number of visible rows."""
        return max(1, self._room // self.pitch)

    @cached_property
    def pitch(self) -> int:
        """The height of a row; rows stretch a little to fill the list."""
        room, minimum, maximum = self._room + self.spare, self.style.px(_LOWEST), self.style.px(36)
        wanted = max(-(-self.usual_plies // self.columns), room // maximum)
        return min(room // max(1, min(wanted, room // minimum)), maximum)

    @property
    def _room(self) -> int:
        return self.panel.height - self.style.px(40)

    @cached_property
    def rows(self) -> tuple[MoveRow, ...]:
        """All rows: those of each line, each followed by its variations."""
        px, panel, rows, letters = self.style.px, self.panel, list[MoveRow](), cycle(ascii_uppercase)

        def lay_out(
            line: Listing, left: int, width: int, columns: int, stem: tuple[int, int] | None, depth: int
        ) -> None:
            label = next(letters) if depth else ""
            for start in range(0, len(line.entries), columns):
                number = len(rows)
                rows.append(MoveRow(line.entries[start : start + columns], left, width, depth, label, stem))
                label, stem = "", None
                inner = min(px(10) + px(_INDENT) * (depth + 1), panel.width // 3) + px(LABEL)
                count = max(1, (panel.width - px(14) - inner) // px(_CELL))
                for index, branch in line.branches:
                    if start <= index < start + columns:
                        x = left + (index - start) * width + px(11)
                        lay_out(branch, inner, px(_CELL), count, (number, x), depth + 1)

        lay_out(self.listing, px(10), (panel.width - px(20)) // self.columns, self.columns, None, 0)
        return tuple(rows)

    @property
    def last_first_row(self) -> int:
        """The first visible row at the end of the list."""
        return max(0, len(self.rows) - self.visible)

    def row_of(self, line: Line) -> int:
        """Return the row of the last move of a line, or 0."""
        indices = (index for index, row in enumerate(self.rows) if any(entry.line == line for entry in row.entries))
        return next(indices, 0)

    def cell(self, number: int, index: int, first_row: int) -> Rect:
        """Return the place of a move of a row."""
        row, px = self.rows[number], self.style.px
        top = self.panel.top + px(34) + (number - first_row) * self.pitch
        return Rect(self.panel.left + row.left + index * row.width, top, row.width - px(4), self.pitch - px(4))

    def shown_rows(self, first_row: int) -> range:
        """Return the visible rows."""
        return range(first_row, min(len(self.rows), first_row + self.visible))

    def line_at(self, point: tuple[int, int], first_row: int) -> Line | None:
        """Return the line whose last move is at a point of the window, or None."""
        for number in self.shown_rows(first_row):
            for index, entry in enumerate(self.rows[number].entries):
                if self.cell(number, index, first_row).collidepoint(point):
                    return entry.line
        return None


MOVES: Final = "moves"


class AnnotateLine(ui.Input):
    """Edit the note of the position at the end of a line."""

    line: Line


class ScrollMoves(ui.Input):
    """Scroll the list of moves."""

    first_row: int


class MoveList(ui.Widget):
    """The moves of the game and its variations, in rows."""

    renderer: BoardRenderer
    listing: Listing = Listing()
    shown: Line = ()  # the moves up to the shown position
    first_row: int | None = None  # first visible row; None: the shown move is visible
    spare: float = 0  # height that the list has lost for now, in design pixels

    takes_focus = True
    takes_arrows = True
    follows_mouse = True

    def table(self, style: ui.Style, rect: Rect) -> MoveTable:
        """Return the layout of the moves."""
        return MoveTable(style, rect, self.renderer.squares, self.listing, round(self.spare * style.scale))

    def first_seen(self, table: MoveTable) -> int:
        """Return the first visible row."""
        row = table.row_of(self.shown) - table.visible + 1 if self.first_row is None else self.first_row
        return min(max(0, row), table.last_first_row)

    def draw(self, on: ui.PaintContext) -> None:
        table, px, palette = self.table(on.style, on.rect), on.style.px, on.style.palette
        ui.fill_rounded(on.surface, on.rect, px(10), palette.panel, palette.edge)
        left, right, top = on.rect.left + px(16), on.rect.right - px(16), on.rect.top + px(10)
        title = on.text((left, top), tr("moves.title"), 12, palette.muted, anchor="topleft", bold=True)
        hint = tr("moves.hint" if self.listing.entries else "moves.none")
        if title.right + px(12) + on.style.width(hint, 11) <= right:
            on.text((right, top), hint, 11, palette.muted, anchor="topright")
        first = self.first_seen(table)
        hovered = None if on.mouse is None else table.line_at(on.mouse, first)
        for number in table.shown_rows(first):
            _draw_ground(on, table, number, first)
        for number in table.shown_rows(first):
            for index, entry in enumerate(table.rows[number].entries):
                cell = table.cell(number, index, first)
                self._draw_move(on, cell, entry, is_hovered=entry.line == hovered, is_main=not table.rows[number].depth)
        seen = Rect(on.rect.left, on.rect.top + px(34), on.rect.width - px(4), table.visible * table.pitch - px(4))
        hidden = table.last_first_row * table.pitch
        ui.draw_scroll_bar(on.surface, palette.line, seen, first * table.pitch, hidden, px(4))

    def _draw_move(self, on: ui.PaintContext, cell: Rect, entry: MoveEntry, *, is_hovered: bool, is_main: bool) -> None:
        style, px, palette = on.style, on.style.px, on.style.palette
        is_shown = entry.line == self.shown
        token_left, radius, number_right, gap, points = (11, 12, 39, 7, 14) if is_main else (8, 10, 29, 4, 13)
        ground = palette.shown if is_shown else palette.small if is_hovered else palette.panel
        if is_shown or is_hovered:
            ui.fill_rounded(on.surface, cell, px(6), ground)
        self.renderer.draw_token(on.surface, (cell.left + px(token_left), cell.centery), px(radius), entry.mover)
        number = style.text(entry.number, 11, palette.text if is_shown or is_hovered else palette.muted)
        right = cell.left + px(number_right)
        on.image(number, anchor="midright", at=(right, cell.centery))
        is_pass = not entry.number
        is_seen = self.shown[: len(entry.line)] == entry.line and not is_pass
        color = palette.last_text if is_shown else palette.text if is_seen or is_hovered else palette.muted
        at = on.text((right + px(gap), cell.centery), entry.text, points - is_pass, color, bold=not is_pass)
        if entry.sign:
            color = ui.readable(labels.sign_color(palette, entry.sign), ground, palette.text)
            at = on.text((at.right + px(4), cell.centery), entry.sign, 12, color, bold=True)
        if entry.has_note:
            on.surface.fill(palette.accent, (at.right + px(3), cell.top + px(5), px(4), px(4)))

    def accessible(self, on: ui.PaintContext) -> ui.AccessibleNode:
        table = self.table(on.style, on.rect)
        first, items = self.first_seen(table), list[ui.AccessibleNode]()
        for number, row in enumerate(table.rows):
            for index, entry in enumerate(row.entries):
                side, sign = labels.side(self.renderer.rules, entry.mover), labels.mistake(entry.sign)
                name = " ".join(filter(None, (row.label, entry.number, side, entry.text, sign)))
                is_shown, cell = entry.line == self.shown, table.cell(number, index, first)
                visit = cmd.Visit(entry.line)
                items.append(ui.accessible_list_item(name, is_selected=is_shown, press=visit, rect=cell))
        return ui.AccessibleNode("list", name=tr("moves.title"), parts=tuple(items))

    def _line_at(self, at: ui.Point, on: ui.PaintContext) -> Line | None:
        table = self.table(on.style, on.rect)
        return table.line_at(at, self.first_seen(table))

    def press(self, at: ui.Point, on: ui.PaintContext) -> object | None:
        line = self._line_at(at, on)
        return None if line is None else cmd.Visit(line)

    def press_right(self, at: ui.Point, on: ui.PaintContext) -> object | None:
        line = self._line_at(at, on)
        return None if line is None else AnnotateLine(line)

    def scroll(self, rows: int, on: ui.PaintContext) -> object | None:
        table = self.table(on.style, on.rect)
        first = self.first_seen(table)
        wanted = min(max(0, first + rows), table.last_first_row)
        return None if wanted == first else ScrollMoves(wanted)

    def key(self, key: ui.Key, on: ui.PaintContext) -> object | None:
        columns = self.table(on.style, on.rect).columns
        steps = {"Left": -1, "Right": 1, "Up": -columns, "Down": columns}.get(key.name)
        return None if steps is None else cmd.Browse(steps)


def _draw_ground(on: ui.PaintContext, table: MoveTable, number: int, first: int) -> None:
    """Draw the background of a row: a band, or the box of a variation with its letter and stem."""
    row, px, palette, panel = table.rows[number], on.style.px, on.style.palette, on.rect
    cell = table.cell(number, 0, first)
    if not row.depth:
        if number % 2 == 0:
            band = Rect(panel.left + px(10), cell.top, panel.width - px(24), cell.height)
            ui.fill_rounded(on.surface, band, px(6), palette.band)
        return
    left = panel.left + row.left - px(LABEL)
    if row.stem is not None:
        stem_row, x = row.stem
        from_row, x = table.cell(stem_row, 0, first), panel.left + x
        if stem_row >= first and number - stem_row > 1:  # the line bends around the variations in between
            side, top, gap = min(x, left - px(6)), from_row.bottom - px(6), from_row.bottom + px(1)
            on.surface.fill(palette.accent, (x, top, px(1.5), gap - top))
            on.surface.fill(palette.accent, (side, gap, x - side + px(1.5), px(1.5)))
        x = min(x, left - px(6)) if number - stem_row > 1 else x
        top = max(from_row.bottom - px(6) * (number - stem_row == 1), panel.top + px(34))
        on.surface.fill(palette.accent, (x, top, px(1.5), cell.centery - top))
        if x < left:
            on.surface.fill(palette.accent, (x, cell.centery, left - x, px(1.5)))
    box = Rect(left, cell.top + px(1), panel.right - px(14) - left, cell.height - px(1))
    ui.fill_rounded(on.surface, box, px(6), palette.raised)
    if row.label:
        on.text((left + px(9), cell.centery), row.label, 12, palette.accent, bold=True)
