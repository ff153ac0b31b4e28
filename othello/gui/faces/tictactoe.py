"""Tic-tac-toe: crosses and noughts on dark squares, and a line through the row that wins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import pygame

from othello.gui import theme
from othello.gui.faces.board import BoardPlace, BoardState
from othello.gui.faces.face import Face
from othello.gui.toolkit.shapes import cross, ring
from othello.rules.protocol import Color

_STROKE_SHARE = 0.17  # of a mark's size


class CrossesFace(Face):
    """Black is shown as X, white as O."""

    is_round = False
    counts = False
    sides = ("cross", "nought")

    def draw_piece(self, surface: pygame.Surface, centre: tuple[float, float], size: int, color: Color) -> None:
        mark = size * 3 // 4
        width = max(2.0, mark * _STROKE_SHARE)
        image = ring(mark, width, theme.NOUGHT) if color else cross(mark, width, theme.CROSS)
        surface.blit(image, image.get_rect(center=centre))

    def draw_token(self, surface: pygame.Surface, centre: tuple[float, float], size: int, color: Color) -> None:
        self.draw_piece(surface, centre, size * 5 // 4, color)

    def draw_pieces(self, surface: pygame.Surface, place: BoardPlace, state: BoardState, now: float) -> None:
        super().draw_pieces(surface, place, state, now)
        for first, last in won_rows(self.rules.marks(state.position), self.rules.lines):
            draw_through(surface, place.square_rect(first).center, place.square_rect(last).center, place.cell // 12)


def won_rows(owners: Sequence[Color | None], lines: Iterable[Sequence[int]]) -> list[tuple[int, int]]:
    """First and last place of every line that belongs to one side."""
    return [
        (line[0], line[-1])
        for line in lines
        if owners[line[0]] is not None and len({owners[place] for place in line}) == 1
    ]


def draw_through(surface: pygame.Surface, start: tuple[int, int], end: tuple[int, int], width: int) -> None:
    """A line through marks that win."""
    pygame.draw.line(surface, theme.LAST_MOVE, start, end, max(3, width))


FACE: Final = CrossesFace
