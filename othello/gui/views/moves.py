"""The list of moves as it is drawn."""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from othello.gui import theme
from othello.gui.faces.face import Face
from othello.gui.theme import RGB, Style, blit_text
from othello.gui.toolkit.shapes import fill_rounded
from othello.gui.views.move_table import LABEL, Entry, Listing, MoveTable
from othello.search.report import Line
from othello.texts import say


@dataclass(frozen=True, slots=True)
class MoveListState:
    """What the list shows: rows from `first_row` on, the move that led to the shown position marked."""

    listing: Listing
    shown: Line
    first_row: int = 0
    hover: Line | None = None
    spare: int = 0


def sign_color(sign: str) -> RGB:
    """The colour of a mistake's sign; the sign alone tells them apart, too."""
    return {"??": theme.WARNING, "?": theme.MISTAKE}.get(sign, theme.LAST_TEXT)


def draw(surface: pygame.Surface, style: Style, panel: pygame.Rect, face: Face, state: MoveListState) -> None:
    """Draw the panel and the visible moves."""
    surface.blit(_panel(panel.size, style.scale, face, state), panel)


@theme.drawn_once(4)
def _panel(size: tuple[int, int], scale: float, face: Face, state: MoveListState) -> pygame.Surface:
    """The whole panel: it changes once a move, and is drawn with every frame."""
    style, panel = theme.style(scale), pygame.Rect((0, 0), size)
    table, px = MoveTable(style, panel, face.squares, state.listing, state.spare), style.px
    surface = pygame.Surface(size)
    surface.fill(theme.BACKGROUND)
    fill_rounded(surface, panel, px(10), theme.PANEL, theme.EDGE)
    blit_text(surface, style.text(say("moves.title"), 12, theme.MUTED, bold=True), at=(px(16), px(10)))
    hint = style.text(say("moves.hint" if state.listing.entries else "moves.none"), 11, theme.MUTED)
    blit_text(surface, hint, anchor="topright", at=(panel.right - px(16), px(10)))
    shown = table.shown_rows(state.first_row)
    for number in shown:
        _draw_ground(surface, table, number, state.first_row)
    for number in shown:
        for index, entry in enumerate(table.rows[number].entries):
            cell = table.cell(number, index, state.first_row)
            _draw_move(surface, style, face, cell, entry, state, is_main=not table.rows[number].depth)
    _draw_scroll_bar(surface, table, state)
    return surface


def _draw_ground(surface: pygame.Surface, table: MoveTable, number: int, first_row: int) -> None:
    """What lies below a row: a band, or the box of a variation with its letter and where it leaves."""
    row, px = table.rows[number], table.style.px
    cell = table.cell(number, 0, first_row)
    if not row.depth:
        if number % 2 == 0:
            band = pygame.Rect(px(10), cell.top, table.panel.width - px(24), cell.height)
            fill_rounded(surface, band, px(6), theme.BAND)
        return
    left = row.left - px(LABEL)
    if row.stem is not None:
        stem_row, x = row.stem
        top = max(table.cell(stem_row, 0, first_row).bottom - px(6), px(34))
        x = min(x, left - px(6)) if number - stem_row > 1 else x
        surface.fill(theme.ACCENT, (x, top, px(1.5), cell.centery - top))
        if x < left:
            surface.fill(theme.ACCENT, (x, cell.centery, left - x, px(1.5)))
    box = pygame.Rect(left, cell.top + px(1), table.panel.width - px(14) - left, cell.height - px(1))
    fill_rounded(surface, box, px(6), theme.RAISED)
    if row.label:
        label = table.style.text(row.label, 12, theme.ACCENT, bold=True)
        blit_text(surface, label, anchor="midleft", at=(left + px(9), cell.centery))


def _draw_move(
    surface: pygame.Surface,
    style: Style,
    face: Face,
    cell: pygame.Rect,
    entry: Entry,
    state: MoveListState,
    *,
    is_main: bool,
) -> None:
    px = style.px
    is_shown = entry.line == state.shown
    if is_shown:
        fill_rounded(surface, cell, px(6), theme.SHOWN)
    elif entry.line == state.hover:
        fill_rounded(surface, cell, px(6), theme.LINE)
    face.draw_token(
        surface, (cell.left + px(11 if is_main else 8), cell.centery), px(12 if is_main else 10), entry.mover
    )
    number = style.text(str(entry.ply), 11, theme.MUTED)
    right = cell.left + px(39 if is_main else 29)
    blit_text(surface, number, anchor="midright", at=(right, cell.centery))
    is_before = state.shown[: entry.ply] == entry.line
    color = theme.LAST_TEXT if is_shown else theme.TEXT if is_before and not entry.is_pass else theme.MUTED
    size = (14 if is_main else 13) - entry.is_pass
    text = style.text(entry.text, size, color, bold=not entry.is_pass)
    at = blit_text(surface, text, anchor="midleft", at=(right + px(7 if is_main else 4), cell.centery))
    if entry.sign:
        sign = style.text(entry.sign, 12, sign_color(entry.sign), bold=True)
        at = blit_text(surface, sign, anchor="midleft", at=(at.right + px(4), cell.centery))
    if entry.has_note:
        surface.fill(theme.ACCENT, (at.right + px(3), cell.top + px(5), px(4), px(4)))


def _draw_scroll_bar(surface: pygame.Surface, table: MoveTable, state: MoveListState) -> None:
    hidden = table.last_first_row
    if not hidden:
        return
    px = table.style.px
    track = pygame.Rect(table.panel.right - px(8), table.panel.top + px(34), px(4), table.visible * table.pitch - px(4))
    height = max(px(16), track.height * table.visible // (table.visible + hidden))
    top = track.top + (track.height - height) * min(state.first_row, hidden) // hidden
    fill_rounded(surface, pygame.Rect(track.left, top, track.width, height), px(2), theme.LINE)
