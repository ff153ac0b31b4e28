"""The board: frame, squares, discs and the marks on them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import pygame

from othello.gui import theme
from othello.gui.layout import BoardLayout
from othello.gui.shapes import circle, disc, fill_rounded, ring, shadow
from othello.gui.theme import Style, blit_text
from othello.gui.views import values
from othello.rules.othello import SIZE, OthelloPosition, squares
from othello.rules.protocol import Color, Move
from othello.search.report import SearchReport

FLIP_SECONDS: Final = 0.25
_TURN_SECONDS: Final = 0.19  # one disc; those further from the move begin a little later
_TURN_FRAMES: Final = 10
_PAST_ALPHA: Final = 90
_EDGE_SHARE: Final = 0.08  # a disc is so thick, measured by its diameter


@dataclass(frozen=True, slots=True)
class Flip:
    """Discs that are turning over.

    Attributes:
        squares: which.
        source: the square of the move, from which the turning spreads.
        color: what they show when it is over.
        began: when it began.
    """

    squares: frozenset[Move]
    source: Move
    color: Color
    began: float

    def phase(self, square: Move, now: float) -> float:
        """How far a disc has turned, 0 .. 1."""
        rows, columns = divmod(square, SIZE)
        distance = max(abs(rows - self.source // SIZE), abs(columns - self.source % SIZE))
        delay = (FLIP_SECONDS - _TURN_SECONDS) * (distance - 1) / (SIZE - 2)
        return min(1.0, max(0.0, (now - self.began - delay) / _TURN_SECONDS))

    def is_over(self, now: float) -> bool:
        return now - self.began >= FLIP_SECONDS


@dataclass(frozen=True, slots=True)
class BoardState:
    """What the board shows.

    Attributes:
        captures: the legal moves and how many discs each captures, empty where nobody is to choose.
        shows_counts: whether these numbers are drawn.
        report: the search whose values are drawn, None where none are.
        is_past: it is of an earlier position.
        last_move: the square that is marked.
        cursor: the keyboard's square.
        column: the column of a half-typed move.
        hover: the square under the mouse.
    """

    position: OthelloPosition
    captures: dict[Move, int]
    shows_counts: bool
    report: SearchReport | None = None
    is_past: bool = False
    last_move: Move | None = None
    cursor: Move | None = None
    column: int | None = None
    hover: Move | None = None
    flip: Flip | None = None


def draw(surface: pygame.Surface, layout: BoardLayout, state: BoardState, now: float) -> None:
    """Draw the board and all that lies on it."""
    surface.blit(_empty_board(layout.board.width, layout.cell, layout.style.scale), layout.board)
    if state.column is not None:
        _tint(surface, _column_rect(layout, state.column), 22)
    _draw_discs(surface, layout, state, now)
    _draw_hints(surface, layout, state)
    if state.last_move is not None:
        size = _odd(max(7, layout.cell * 0.2))
        dot = ring(size, max(1.0, size / 8), theme.BLACK_EDGE, theme.LAST_MOVE)
        surface.blit(dot, dot.get_rect(center=layout.square_rect(state.last_move).center))
    if state.report is not None and state.is_past:  # pale, for they are not about the moves that are possible now
        over = surface.copy()
        values.draw_on_board(over, layout, state.report, state.position)
        over.set_alpha(_PAST_ALPHA)
        surface.blit(over, layout.board, layout.board)
    elif state.report is not None:
        values.draw_on_board(surface, layout, state.report, state.position)
    if state.cursor is not None:
        _draw_cursor(surface, layout, layout.square_rect(state.cursor))


def _odd(length: float) -> int:
    return int(length) // 2 * 2 + 1


@lru_cache(maxsize=4)
def _empty_board(size: int, cell: int, scale: float) -> pygame.Surface:
    style = Style(scale)
    board = pygame.Surface((size, size))
    board.fill(theme.BACKGROUND)
    fill_rounded(board, board.get_rect(), style.px(12), theme.FRAME)
    margin = (size - cell * SIZE) // 2
    fill_rounded(
        board, pygame.Rect(0, 0, size, size).inflate(-2 * margin + 4, -2 * margin + 4), style.px(4), theme.GRID
    )
    for square in range(SIZE * SIZE):
        row, column = divmod(square, SIZE)
        rect = pygame.Rect(margin + column * cell, margin + row * cell, cell, cell).inflate(-2, -2)
        color = theme.SQUARE_DARK if (row + column) % 2 else theme.SQUARE_LIGHT
        fill_rounded(board, rect, style.px(3), color)
    if margin < style.px(16):
        return board  # too small for letters
    for index in range(SIZE):
        middle = margin + index * cell + cell / 2
        letter = style.text("abcdefgh"[index], 12, theme.COORDINATE, bold=True)
        blit_text(board, letter, anchor="center", at=(middle, margin / 2))
        digit = style.text(str(index + 1), 12, theme.COORDINATE, bold=True)
        blit_text(board, digit, anchor="center", at=(margin / 2, middle))
    return board


@lru_cache(maxsize=128)
def _turning(diameter: int, color: Color, frame: int) -> pygame.Surface:
    """A disc seen askew: `frame` 0 is flat, `_TURN_FRAMES` on edge."""
    return _narrowed(disc(diameter, color), frame)


@lru_cache(maxsize=32)
def _turning_shadow(diameter: int, frame: int) -> pygame.Surface:
    return _narrowed(shadow(diameter), frame)


def _narrowed(image: pygame.Surface, frame: int) -> pygame.Surface:
    width, height = image.get_size()
    share = max(_EDGE_SHARE, math.cos(frame / _TURN_FRAMES * math.pi / 2))
    return pygame.transform.smoothscale(image, (round(width * share), height))


def _draw_discs(surface: pygame.Surface, layout: BoardLayout, state: BoardState, now: float) -> None:
    diameter = layout.disc
    below = shadow(diameter)
    drop = max(1, round(diameter * 0.045))
    for color, board in ((Color.BLACK, state.position.black), (Color.WHITE, state.position.white)):
        for square in squares(board):
            centre = layout.square_rect(square).center
            image, ground = disc(diameter, color), below
            if state.flip is not None and square in state.flip.squares:
                phase = state.flip.phase(square, now)
                frame = round((1 - abs(2 * phase - 1)) * _TURN_FRAMES)
                image = _turning(diameter, color if phase > 0.5 else color.opponent, frame)
                ground = _turning_shadow(diameter, frame)
            surface.blit(ground, ground.get_rect(center=(centre[0], centre[1] + drop)))
            surface.blit(image, image.get_rect(center=centre))


def _draw_hints(surface: pygame.Surface, layout: BoardLayout, state: BoardState) -> None:
    """The legal squares and how much each captures; in a corner where a search's value lies on the square."""
    searched = frozenset[Move]() if state.report is None else {stats.move for stats in state.report.moves}
    for move, captured in state.captures.items():
        rect, is_hovered = layout.square_rect(move), move == state.hover
        count = captured if state.shows_counts else None
        if move in searched:
            _draw_corner_hint(surface, layout, rect, count)
        else:
            _draw_hint(surface, layout, rect, count, is_hovered)
        if is_hovered:
            outline = ring(layout.disc, layout.style.px(1.5), theme.HINT)
            surface.blit(outline, outline.get_rect(center=rect.center))


def _draw_hint(
    surface: pygame.Surface, layout: BoardLayout, rect: pygame.Rect, count: int | None, is_hovered: bool
) -> None:
    if count is None:
        mark = circle(_odd(layout.cell * (0.3 if is_hovered else 0.17)), theme.HINT, 0.36)
    else:
        mark = circle(round(layout.cell * 0.59), theme.HINT, 0.36 if is_hovered else 0.20)
    surface.blit(mark, mark.get_rect(center=rect.center))
    if count is not None:
        size = max(13, layout.cell * 0.22 / layout.style.scale)
        blit_text(surface, layout.style.text(str(count), size, theme.HINT, bold=True), anchor="center", at=rect.center)


def _draw_corner_hint(surface: pygame.Surface, layout: BoardLayout, rect: pygame.Rect, count: int | None) -> None:
    px = layout.style.px
    if count is not None and layout.cell >= px(60):
        label = layout.style.text(f"+{count}", 12, theme.HINT, bold=True)
        blit_text(surface, label, anchor="topright", at=(rect.right - px(4), rect.top))
    else:
        dot = circle(_odd(px(7)), theme.HINT)
        surface.blit(dot, dot.get_rect(topright=(rect.right - px(3), rect.top + px(3))))


def _draw_cursor(surface: pygame.Surface, layout: BoardLayout, rect: pygame.Rect) -> None:
    """Four corners around the square: a shape that no disc and no ring has."""
    width, arm = layout.style.px(3), layout.cell // 4
    rect = rect.inflate(-2, -2)
    for x, dx in ((rect.left, 1), (rect.right, -1)):
        for y, dy in ((rect.top, 1), (rect.bottom, -1)):
            across = pygame.Rect(min(x, x + dx * arm), min(y, y + dy * width), arm, width)
            along = pygame.Rect(min(x, x + dx * width), min(y, y + dy * arm), width, arm)
            surface.fill(theme.ACCENT, across)
            surface.fill(theme.ACCENT, along)


def _column_rect(layout: BoardLayout, column: int) -> pygame.Rect:
    return pygame.Rect(layout.grid.left + column * layout.cell, layout.grid.top, layout.cell, layout.grid.height)


def _tint(surface: pygame.Surface, rect: pygame.Rect, alpha: int) -> None:
    veil = pygame.Surface(rect.size, pygame.SRCALPHA)
    veil.fill((*theme.HINT, alpha))
    surface.blit(veil, rect)
