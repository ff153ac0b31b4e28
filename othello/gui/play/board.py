"""The board as a panel, and the line of words below it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import pygame
from pygame import Rect

from othello.gui import commands as gui
from othello.gui.faces.board import BoardPlace, BoardState
from othello.gui.faces.face import Face
from othello.gui.mode import BoardMark
from othello.gui.toolkit.inputs import Point
from othello.gui.toolkit.panel import Canvas, Panel
from othello.gui.toolkit.shapes import fill_rounded
from othello.gui.toolkit.style import RGB, Style, blit_text

BOARD: Final = "squares"
_MARGIN: Final = 24
_LARGEST_MARGIN: Final = 1.2  # with larger text: the squares need the room
_ON_MARK: Final[RGB] = (26, 20, 4)


@dataclass(frozen=True)
class BoardPanel(Panel):
    """The board, with what a mode marks on it.

    Attributes:
        face: of the game.
        state: what the board shows.
        text: how large text is, 1 being the usual size.
        flip_at: the time that pieces which turn over have reached.
        marks: what the mode draws on the board.
        past: which position is shown instead of the game's latest; empty where that is shown.
    """

    face: Face
    state: BoardState
    text: float = 1.0
    flip_at: float = 0.0
    marks: tuple[BoardMark, ...] = ()
    past: str = ""

    is_dragged = True

    def place(self, style: Style, rect: Rect) -> BoardPlace:
        """Where the squares lie on the board's rectangle."""
        margin = max(1, round(_MARGIN * style.scale / max(1.0, self.text / _LARGEST_MARGIN)))
        return self.face.place(style, rect, margin)

    def draw(self, on: Canvas) -> None:
        place = self.place(on.style, on.rect)
        self.face.draw(on.surface, place, self.state, self.flip_at)
        for mark in self.marks:
            mark.draw(on.surface, place)
        if self.past:
            _draw_past(on.surface, on.style, on.rect, self.past)

    def press(self, at: Point, on: Canvas) -> object | None:
        place = self.place(on.style, on.rect)
        return gui.PressSquare(place.square_at(at), self.face.move_at(place, at, self.state.position))

    def drag(self, at: Point, on: Canvas) -> object | None:
        return gui.DragSquare(self.place(on.style, on.rect).square_at(at))

    def press_right(self, at: Point, on: Canvas) -> object | None:
        return gui.PressSquareRight(self.place(on.style, on.rect).square_at(at))


def _draw_past(surface: pygame.Surface, style: Style, board: Rect, words: str) -> None:
    """A frame around a board that does not show the game's latest position, and a tab that says which it is."""
    px, palette = style.px, style.palette
    fill_rounded(surface, board, px(12), None, palette.last_move, px(3))
    room = board.width - px(40)
    size = style.largest(words, (12, 11, 10, 9, 8, 7, 6), room, bold=True)
    text = style.text(style.fit(words, size, room, bold=True), size, _ON_MARK, bold=True)
    tab = text.get_rect().inflate(px(20), px(4))
    tab.midbottom = (board.centerx, board.bottom)
    fill_rounded(surface, tab, px(6), palette.last_move)
    blit_text(surface, text, anchor="center", at=tab.center)


@dataclass(frozen=True)
class Status(Panel):
    """What is going on, in one or two lines."""

    words: str
    is_bad: bool = False

    def draw(self, on: Canvas) -> None:
        style, rect = on.style, on.rect
        rows = style.wrap(self.words, 13, rect.width, lines=2)
        pitch = style.px(19)
        top = rect.centery - pitch * len(rows) // 2
        color = style.palette.warning if self.is_bad else style.palette.muted
        for index, row in enumerate(rows):
            blit_text(on.surface, style.text(row, 13, color), at=(rect.left, top + index * pitch))
