"""The list of moves as a panel."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from pygame import Rect

from othello.gui import commands as gui
from othello.gui.faces.face import Face
from othello.gui.play.move_table import LABEL, Listing, MoveEntry, MoveTable
from othello.gui.toolkit.inputs import Key, Point
from othello.gui.toolkit.panel import Canvas, Panel
from othello.gui.toolkit.shapes import fill_rounded
from othello.gui.toolkit.style import RGB, Palette, Size, Style, blit_text
from othello.play import commands as play
from othello.search.report import Line
from othello.texts import say

MOVES: Final = "moves"
_LEAST: Final = 104


def sign_color(palette: Palette, sign: str) -> RGB:
    """The colour of a mistake's sign; the sign alone tells mistakes apart, too."""
    return {"??": palette.warning, "?": palette.mistake}.get(sign, palette.last_text)


@dataclass(frozen=True)
class MoveList(Panel):
    """The game's moves with all that was tried, in rows.

    Attributes:
        face: of the game.
        listing: what there is.
        shown: the moves that lead to the position that is looked at.
        first_row: from which row on the list is seen; None: so that the shown move is in sight.
        spare: what the panel has given away of its height for a while, in pixels of the design.
    """

    face: Face
    listing: Listing = field(default_factory=Listing)
    shown: Line = ()
    first_row: int | None = None
    spare: float = 0

    takes_focus = True
    takes_arrows = True
    follows_mouse = True

    def measure(self, style: Style, width: float) -> Size:
        return Size(width, _LEAST)

    def table(self, style: Style, rect: Rect) -> MoveTable:
        """Where the moves lie on the panel's rectangle."""
        return MoveTable(style, rect, self.face.squares, self.listing, round(self.spare * style.scale))

    def first_seen(self, table: MoveTable) -> int:
        """The first row that is seen."""
        row = table.row_of(self.shown) - table.visible + 1 if self.first_row is None else self.first_row
        return min(max(0, row), table.last_first_row)

    def draw(self, on: Canvas) -> None:
        table, style, px, palette = self.table(on.style, on.rect), on.style, on.style.px, on.style.palette
        fill_rounded(on.surface, on.rect, px(10), palette.panel, palette.edge)
        title = style.text(say("moves.title"), 12, palette.muted, bold=True)
        blit_text(on.surface, title, at=(on.rect.left + px(16), on.rect.top + px(10)))
        hint = style.text(say("moves.hint" if self.listing.entries else "moves.none"), 11, palette.muted)
        blit_text(on.surface, hint, anchor="topright", at=(on.rect.right - px(16), on.rect.top + px(10)))
        first = self.first_seen(table)
        hovered = None if on.mouse is None else table.line_at(on.mouse, first)
        for number in table.shown_rows(first):
            _draw_ground(on, table, number, first)
        for number in table.shown_rows(first):
            for index, entry in enumerate(table.rows[number].entries):
                cell = table.cell(number, index, first)
                self._draw_move(on, cell, entry, is_hovered=entry.line == hovered, is_main=not table.rows[number].depth)
        _draw_scroll_bar(on, table, first)

    def _draw_move(self, on: Canvas, cell: Rect, entry: MoveEntry, *, is_hovered: bool, is_main: bool) -> None:
        style, px, palette = on.style, on.style.px, on.style.palette
        is_shown = entry.line == self.shown
        if is_shown or is_hovered:
            fill_rounded(on.surface, cell, px(6), palette.shown if is_shown else palette.line)
        token = (cell.left + px(11 if is_main else 8), cell.centery)
        self.face.draw_token(on.surface, token, px(12 if is_main else 10), entry.mover)
        number = style.text(str(entry.ply), 11, palette.muted)
        right = cell.left + px(39 if is_main else 29)
        blit_text(on.surface, number, anchor="midright", at=(right, cell.centery))
        is_before = self.shown[: entry.ply] == entry.line
        is_seen = is_before and not entry.is_pass
        color = palette.last_text if is_shown else palette.text if is_seen else palette.muted
        text = style.text(entry.text, (14 if is_main else 13) - entry.is_pass, color, bold=not entry.is_pass)
        at = blit_text(on.surface, text, anchor="midleft", at=(right + px(7 if is_main else 4), cell.centery))
        if entry.sign:
            sign = style.text(entry.sign, 12, sign_color(palette, entry.sign), bold=True)
            at = blit_text(on.surface, sign, anchor="midleft", at=(at.right + px(4), cell.centery))
        if entry.has_note:
            on.surface.fill(palette.accent, (at.right + px(3), cell.top + px(5), px(4), px(4)))

    def _line_at(self, at: Point, on: Canvas) -> Line | None:
        table = self.table(on.style, on.rect)
        return table.line_at(at, self.first_seen(table))

    def press(self, at: Point, on: Canvas) -> object | None:
        line = self._line_at(at, on)
        return None if line is None else gui.VisitLine(line)

    def press_right(self, at: Point, on: Canvas) -> object | None:
        line = self._line_at(at, on)
        return None if line is None else gui.AnnotateLine(line)

    def scroll(self, rows: int, on: Canvas) -> object | None:
        table = self.table(on.style, on.rect)
        first = self.first_seen(table)
        wanted = min(max(0, first + rows), table.last_first_row)
        return None if wanted == first else gui.ScrollMoves(wanted)

    def key(self, key: Key, on: Canvas) -> object | None:
        columns = self.table(on.style, on.rect).columns
        steps = {"Left": -1, "Right": 1, "Up": -columns, "Down": columns}.get(key.name)
        return None if steps is None else play.Browse(steps)


def _draw_ground(on: Canvas, table: MoveTable, number: int, first: int) -> None:
    """What lies below a row: a band, or the box of a variation with its letter and where it leaves."""
    row, px, palette, panel = table.rows[number], on.style.px, on.style.palette, on.rect
    cell = table.cell(number, 0, first)
    if not row.depth:
        if number % 2 == 0:
            band = Rect(panel.left + px(10), cell.top, panel.width - px(24), cell.height)
            fill_rounded(on.surface, band, px(6), palette.band)
        return
    left = panel.left + row.left - px(LABEL)
    if row.stem is not None:
        stem_row, x = row.stem
        top = max(table.cell(stem_row, 0, first).bottom - px(6), panel.top + px(34))
        x = min(panel.left + x, left - px(6)) if number - stem_row > 1 else panel.left + x
        on.surface.fill(palette.accent, (x, top, px(1.5), cell.centery - top))
        if x < left:
            on.surface.fill(palette.accent, (x, cell.centery, left - x, px(1.5)))
    box = Rect(left, cell.top + px(1), panel.right - px(14) - left, cell.height - px(1))
    fill_rounded(on.surface, box, px(6), palette.raised)
    if row.label:
        label = on.style.text(row.label, 12, palette.accent, bold=True)
        blit_text(on.surface, label, anchor="midleft", at=(left + px(9), cell.centery))


def _draw_scroll_bar(on: Canvas, table: MoveTable, first: int) -> None:
    hidden, px = table.last_first_row, on.style.px
    if hidden:
        track = Rect(on.rect.right - px(8), on.rect.top + px(34), px(4), table.visible * table.pitch - px(4))
        height = max(px(16), track.height * table.visible // (table.visible + hidden))
        top = track.top + (track.height - height) * first // hidden
        fill_rounded(on.surface, Rect(track.left, top, track.width, height), px(2), on.style.palette.line)
