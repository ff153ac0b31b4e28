"""Controls that offer one of several: side by side, or in a list that opens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pygame
from pygame import Rect

from othello.gui import theme
from othello.gui.controls import STEPS, Control
from othello.gui.theme import RGB, Style, blit_text
from othello.gui.toolkit.shapes import circle, draw_check, draw_chevron, fill_rounded

Painter = Callable[[pygame.Surface, Style, Rect, Any, bool, bool], None]
"""Draws one option of a choice: surface, style, rectangle, value, whether it is chosen, whether the mouse is on it."""


@dataclass(frozen=True)
class Choice(Control):
    """One of a few, side by side.

    Attributes:
        options: values and their words.
        value: the chosen one.
        gap: between two of them; 0 for one bar in segments.
        painter: draws an option, where it is no segment.
        rows: on which they lie.
    """

    options: tuple[tuple[Any, str], ...] = ()
    value: Any = None
    gap: int = 0
    painter: Painter | None = None
    rows: int = 1

    def _cells(self, rect: Rect) -> list[Rect]:
        columns, height = -(-len(self.options) // self.rows), (rect.height + self.gap) // self.rows
        room = rect.width - self.gap * (columns - 1)
        cells = []
        for index in range(len(self.options)):
            row, column = divmod(index, columns)
            left, right = (rect.left + room * edge // columns + self.gap * column for edge in (column, column + 1))
            cells.append(Rect(left, rect.top + row * height, right - left, height - self.gap))
        return cells

    def draw(self, surface: pygame.Surface, style: Style, rect: Rect, mouse: tuple[int, int] | None) -> None:
        if not self.gap:
            fill_rounded(surface, rect, style.px(8), theme.RAISED)
        cells = self._cells(rect)
        chosen = [value == self.value for value, _ in self.options]
        for index, (cell, (value, word)) in enumerate(zip(cells, self.options, strict=True)):
            lit = mouse is not None and cell.collidepoint(mouse)
            if self.painter is not None:
                self.painter(surface, style, cell, value, chosen[index], lit)
                continue
            if index and not any(chosen[index - 1 : index + 1]):
                surface.fill(theme.LINE, (cell.left, cell.top + cell.height // 4, 1, cell.height // 2))
            draw_segment(surface, style, cell, chosen=chosen[index], lit=lit)
            color = theme.ACCENT if chosen[index] else theme.TEXT
            word = style.fit(word, 13, cell.width - style.px(8), bold=chosen[index])
            blit_text(surface, style.text(word, 13, color, bold=chosen[index]), anchor="center", at=cell.center)

    def press(self, at: tuple[int, int]) -> Any:
        return next(
            (
                value
                for cell, (value, _) in zip(self._cells(self.rect), self.options, strict=True)
                if cell.collidepoint(at)
            ),
            None,
        )

    def key(self, name: str, text: str) -> Any:
        if name not in STEPS:
            return None
        values = [value for value, _ in self.options]
        index = values.index(self.value) if self.value in values else 0
        return values[min(max(0, index + STEPS[name]), len(values) - 1)]


def draw_segment(surface: pygame.Surface, style: Style, cell: Rect, *, chosen: bool, lit: bool) -> None:
    """The ground of one option of several."""
    if chosen:
        fill_rounded(surface, cell, style.px(8), theme.CHOSEN, theme.ACCENT, style.px(2))
    elif lit:
        fill_rounded(surface, cell, style.px(8), theme.SMALL)


@dataclass(frozen=True)
class Select(Control):
    """One of many, in a list that opens.

    Attributes:
        label: a word before the value.
    """

    options: tuple[tuple[Any, str], ...] = ()
    value: Any = None
    label: str = ""

    keeps_enter = True

    @property
    def index(self) -> int:
        return next((index for index, (value, _) in enumerate(self.options) if value == self.value), 0)

    def draw(self, surface: pygame.Surface, style: Style, rect: Rect, mouse: tuple[int, int] | None) -> None:
        px = style.px
        fill_rounded(surface, rect, px(8), theme.WELL, theme.MUTED if mouse else theme.LINE, px(1))
        x = rect.left + px(12)
        if self.label:
            label = blit_text(surface, style.text(self.label, 12, theme.MUTED), anchor="midleft", at=(x, rect.centery))
            x = label.right + px(8)
        word = style.fit(self.options[self.index][1], 13, rect.right - px(32) - x)
        blit_text(surface, style.text(word, 13), anchor="midleft", at=(x, rect.centery))
        draw_chevron(surface, theme.MUTED, (rect.right - px(16), rect.centery), px(9), down=True)

    def key(self, name: str, text: str) -> Any:
        last = len(self.options) - 1
        ends = {"Home": 0, "End": last}
        if name not in STEPS and name not in ends:
            return None
        index = ends[name] if name in ends else min(max(0, self.index + STEPS[name]), last)
        return self.options[index][0]

    def draw_list(self, surface: pygame.Surface, style: Style, rect: Rect, mouse: tuple[int, int] | None) -> None:
        """The open list."""
        fill_rounded(surface, rect.inflate(2, 2), style.px(8), theme.RAISED, theme.ACCENT, style.px(1))
        row = rect.height // len(self.options)
        for index, (_, word) in enumerate(self.options):
            cell = Rect(rect.left, rect.top + index * row, rect.width, row)
            if index == self.index or (mouse is not None and cell.collidepoint(mouse)):
                color: RGB = theme.CHOSEN if index == self.index else theme.SMALL
                fill_rounded(surface, cell.inflate(-4, -2), style.px(6), color)
            text = style.fit(word, 13, cell.width - style.px(24), bold=index == self.index)
            image = style.text(text, 13, bold=index == self.index)
            blit_text(surface, image, anchor="midleft", at=(cell.left + style.px(12), cell.centery))


def draw_badge(surface: pygame.Surface, style: Style, centre: tuple[float, float]) -> None:
    """A check in a disc: this one is chosen."""
    disc = circle(style.px(20), theme.ACCENT)
    surface.blit(disc, disc.get_rect(center=centre))
    draw_check(surface, theme.ON_ACCENT, centre, style.px(11))
