"""The list of moves."""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from othello.game import AnyGame
from othello.gui import theme
from othello.gui.shapes import circle, fill_rounded, ring
from othello.gui.theme import Style, blit_text
from othello.rules.protocol import Color


@dataclass(frozen=True, slots=True)
class MoveListState:
    """What the list shows: the moves of `game`, from row `first_row` on, the one that led to `shown_ply` marked."""

    game: AnyGame
    shown_ply: int
    first_row: int
    hover: int | None = None  # a ply


@dataclass(frozen=True)
class MoveGrid:
    """Where the moves lie inside the panel: rows of equal cells."""

    style: Style
    panel: pygame.Rect

    @property
    def columns(self) -> int:
        return max(1, (self.panel.width - self.style.px(20)) // self.style.px(84))

    @property
    def rows(self) -> int:
        """How many rows are visible at once."""
        return max(1, (self.panel.height - self.style.px(40)) // self.style.px(29))

    def last_first_row(self, plies: int) -> int:
        """How far the list can be scrolled."""
        return max(0, -(-plies // self.columns) - self.rows)

    def row_of(self, ply: int) -> int:
        return max(0, ply - 1) // self.columns

    def cell(self, ply: int, first_row: int) -> pygame.Rect | None:
        """Where the move that led to `ply` is drawn, None where it is scrolled away."""
        row, column = divmod(ply - 1, self.columns)
        if not first_row <= row < first_row + self.rows:
            return None
        px = self.style.px
        width = (self.panel.width - px(20)) // self.columns
        top = self.panel.top + px(34) + (row - first_row) * px(29)
        return pygame.Rect(self.panel.left + px(10) + column * width, top, width - px(4), px(25))

    def ply_at(self, point: tuple[int, int], plies: int, first_row: int) -> int | None:
        """The ply whose move lies at a point of the window."""
        begin = first_row * self.columns + 1
        for ply in range(begin, min(plies, begin + self.rows * self.columns - 1) + 1):
            cell = self.cell(ply, first_row)
            if cell is not None and cell.collidepoint(point):
                return ply
        return None


def draw(surface: pygame.Surface, grid: MoveGrid, state: MoveListState) -> None:
    """Draw the panel and the visible moves."""
    style, panel = grid.style, grid.panel
    px = style.px
    fill_rounded(surface, panel, px(10), theme.PANEL)
    title = style.text("Moves", 12, theme.MUTED, bold=True)
    blit_text(surface, title, at=(panel.left + px(16), panel.top + px(10)))
    plies = state.game.ply
    hint = "click to visit" if plies else "none yet"
    blit_text(
        surface, style.text(hint, 11, theme.MUTED), anchor="topright", at=(panel.right - px(16), panel.top + px(10))
    )
    for ply in range(1, plies + 1):
        cell = grid.cell(ply, state.first_row)
        if cell is not None:
            _draw_move(surface, style, cell, state, ply)
    _draw_scroll_bar(surface, grid, state)


def _draw_move(surface: pygame.Surface, style: Style, cell: pygame.Rect, state: MoveListState, ply: int) -> None:
    px = style.px
    game = state.game
    is_shown = ply == state.shown_ply
    if is_shown:
        fill_rounded(surface, cell, px(6), (58, 48, 28))
    elif ply == state.hover:
        fill_rounded(surface, cell, px(6), theme.RAISED)
    mover = game.positions[ply - 1].to_move
    size = px(12)
    if mover is Color.BLACK:
        token = ring(size, px(1), theme.LINE, theme.BLACK_EDGE)
    else:
        token = circle(size, theme.WHITE_CENTRE)
    surface.blit(token, token.get_rect(midleft=(cell.left + px(5), cell.centery)))
    number = style.text(str(ply), 11, theme.MUTED)
    blit_text(surface, number, anchor="midleft", at=(cell.left + px(25), cell.centery))
    move = game.moves[ply - 1]
    is_pass = game.rules.is_pass(move)
    color = theme.LAST_MOVE if is_shown else theme.MUTED if is_pass else theme.TEXT
    text = style.text(game.rules.move_text(move), 13 if is_pass else 14, color, bold=not is_pass)
    blit_text(surface, text, anchor="midleft", at=(cell.left + px(44), cell.centery))


def _draw_scroll_bar(surface: pygame.Surface, grid: MoveGrid, state: MoveListState) -> None:
    hidden = grid.last_first_row(state.game.ply)
    if not hidden:
        return
    px = grid.style.px
    track = pygame.Rect(grid.panel.right - px(8), grid.panel.top + px(34), px(4), grid.rows * px(29))
    height = max(px(16), track.height * grid.rows // (grid.rows + hidden))
    top = track.top + (track.height - height) * min(state.first_row, hidden) // hidden
    fill_rounded(surface, pygame.Rect(track.left, top, track.width, height), px(2), theme.LINE)
