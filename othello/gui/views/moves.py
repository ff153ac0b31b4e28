"""The list of moves."""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from othello.game import AnyGame
from othello.gui import theme, wording
from othello.gui.faces.face import Face
from othello.gui.shapes import fill_rounded
from othello.gui.texts import say
from othello.gui.theme import Style, blit_text
from othello.rules.protocol import Color


@dataclass(frozen=True, slots=True)
class Entry:
    """One move of the list."""

    mover: Color
    text: str
    is_pass: bool


@dataclass(frozen=True, slots=True)
class MoveListState:
    """What the list shows: moves from row `first_row` on, the one that led to `shown_ply` marked."""

    entries: tuple[Entry, ...]
    shown_ply: int
    first_row: int
    hover: int | None = None  # a ply


def entries(game: AnyGame) -> tuple[Entry, ...]:
    """All moves of a game."""
    rules = game.rules
    return tuple(
        Entry(before.to_move, wording.move(rules, move), rules.is_pass(move))
        for before, move in zip(game.positions, game.moves, strict=False)
    )


@dataclass(frozen=True)
class MoveGrid:
    """Where the moves lie inside the panel: rows of equal cells.

    Attributes:
        usual_plies: so many are to be seen at once where there is room.
    """

    style: Style
    panel: pygame.Rect
    usual_plies: int

    @property
    def columns(self) -> int:
        """As few as show a whole game, and an even number: each side has columns of its own until somebody passes."""
        fitting = (self.panel.width - self.style.px(20)) // self.style.px(84) // 2 * 2
        enough = next((count for count in (4, 6) if -(-self.usual_plies // count) * self._least <= self._room), 8)
        return max(2, min(enough, fitting))

    @property
    def rows(self) -> int:
        """How many rows are visible at once."""
        wanted = max(-(-self.usual_plies // self.columns), self._room // self._most)
        return max(1, min(wanted, self._room // self._least))

    @property
    def pitch(self) -> int:
        """From one row to the next: the rows stretch a little to fill the panel."""
        return min(self._room // self.rows, self._most)

    @property
    def _room(self) -> int:
        return self.panel.height - self.style.px(40)

    @property
    def _least(self) -> int:
        return self.style.px(29)

    @property
    def _most(self) -> int:
        return self.style.px(36)

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
        top = self.panel.top + px(34) + (row - first_row) * self.pitch
        return pygame.Rect(self.panel.left + px(10) + column * width, top, width - px(4), self.pitch - px(4))

    def ply_at(self, point: tuple[int, int], plies: int, first_row: int) -> int | None:
        """The ply whose move lies at a point of the window."""
        begin = first_row * self.columns + 1
        for ply in range(begin, min(plies, begin + self.rows * self.columns - 1) + 1):
            cell = self.cell(ply, first_row)
            if cell is not None and cell.collidepoint(point):
                return ply
        return None


def draw(surface: pygame.Surface, grid: MoveGrid, face: Face, state: MoveListState) -> None:
    """Draw the panel and the visible moves."""
    surface.blit(_panel(grid.panel.size, grid.style.scale, grid.usual_plies, face, state), grid.panel)


@theme.drawn_once(4)
def _panel(size: tuple[int, int], scale: float, plies: int, face: Face, state: MoveListState) -> pygame.Surface:
    """The whole panel: it changes once a move, and is drawn with every frame."""
    style, panel = Style(scale), pygame.Rect((0, 0), size)
    grid, px = MoveGrid(style, panel, plies), style.px
    surface = pygame.Surface(size)
    surface.fill(theme.BACKGROUND)
    fill_rounded(surface, panel, px(10), theme.PANEL, theme.EDGE)
    blit_text(surface, style.text(say("moves.title"), 12, theme.MUTED, bold=True), at=(px(16), px(10)))
    hint = style.text(say("moves.hint" if state.entries else "moves.none"), 11, theme.MUTED)
    blit_text(surface, hint, anchor="topright", at=(panel.right - px(16), px(10)))
    for row in range(0, min(grid.rows, -(-len(state.entries) // grid.columns) - state.first_row), 2):
        band = pygame.Rect(px(10), px(34) + row * grid.pitch, panel.width - px(24), grid.pitch - px(4))
        fill_rounded(surface, band, px(6), theme.BAND)
    for ply in range(1, len(state.entries) + 1):
        cell = grid.cell(ply, state.first_row)
        if cell is not None:
            _draw_move(surface, style, face, cell, state, ply)
    _draw_scroll_bar(surface, grid, state)
    return surface


def _draw_move(
    surface: pygame.Surface, style: Style, face: Face, cell: pygame.Rect, state: MoveListState, ply: int
) -> None:
    px = style.px
    entry, is_shown = state.entries[ply - 1], ply == state.shown_ply
    if is_shown:
        fill_rounded(surface, cell, px(6), theme.SHOWN)
    elif ply == state.hover:
        fill_rounded(surface, cell, px(6), theme.LINE)
    face.draw_token(surface, (cell.left + px(11), cell.centery), px(12), entry.mover)
    number = style.text(str(ply), 11, theme.MUTED)
    blit_text(surface, number, anchor="midright", at=(cell.left + px(39), cell.centery))
    is_ahead = ply > state.shown_ply
    color = theme.LAST_TEXT if is_shown else theme.MUTED if is_ahead or entry.is_pass else theme.TEXT
    text = style.text(entry.text, 13 if entry.is_pass else 14, color, bold=not entry.is_pass)
    blit_text(surface, text, anchor="midleft", at=(cell.left + px(46), cell.centery))


def _draw_scroll_bar(surface: pygame.Surface, grid: MoveGrid, state: MoveListState) -> None:
    hidden = grid.last_first_row(len(state.entries))
    if not hidden:
        return
    px = grid.style.px
    track = pygame.Rect(grid.panel.right - px(8), grid.panel.top + px(34), px(4), grid.rows * grid.pitch - px(4))
    height = max(px(16), track.height * grid.rows // (grid.rows + hidden))
    top = track.top + (track.height - height) * min(state.first_row, hidden) // hidden
    fill_rounded(surface, pygame.Rect(track.left, top, track.width, height), px(2), theme.LINE)
