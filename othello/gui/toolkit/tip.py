"""The tooltip: what a panel is for, said where the mouse rests."""

from __future__ import annotations

from functools import partial
from typing import Final

import pygame
from pygame import Rect

from othello.gui.toolkit.inputs import Point
from othello.gui.toolkit.painting import Overlay
from othello.gui.toolkit.shapes import fill_rounded
from othello.gui.toolkit.style import Style, blit_text

_SECONDS: Final = 0.6
_WIDTH: Final = 220
_PITCH: Final = 18


class Tip:
    """The words of the panel on which the mouse has rested for a while.

    Attributes:
        words: what is shown; empty: nothing.
    """

    def __init__(self) -> None:
        self.words = ""
        self._moved_at: float | None = None

    def hide(self, moved_at: float | None = None) -> None:
        """Show nothing; with the time at which the mouse moved, nothing for a while."""
        self.words, self._moved_at = "", moved_at

    def update(self, words: str, now: float) -> None:
        """Show the words of what is under the mouse, if the mouse has rested long enough."""
        if self._moved_at is not None and now - self._moved_at >= _SECONDS:
            self.words, self._moved_at = words, None

    def next_wake(self, words: str, now: float) -> float | None:
        """When to update again without an input, None: any time will do."""
        return None if self._moved_at is None or not words else max(now, self._moved_at + _SECONDS)

    def overlay(self, style: Style, window: Rect, mouse: Point) -> Overlay:
        """The words in their place: below the mouse, within the window."""
        rows = style.wrap(self.words, 12, style.px(_WIDTH), 6)
        width = max(style.width(row, 12) for row in rows) + 2 * style.px(8)
        rect = Rect(mouse[0], mouse[1] + style.px(20), width, style.px(10 + _PITCH * len(rows)))
        if rect.bottom > window.bottom:
            rect.bottom = mouse[1] - style.px(6)
        rect = rect.clamp(window)
        return Overlay(rect, self.words, partial(_draw, rows, style, rect))


def _draw(rows: list[str], style: Style, rect: Rect, surface: pygame.Surface) -> None:
    px = style.px
    fill_rounded(surface, rect, px(6), style.palette.line, style.palette.muted, 1)
    for index, row in enumerate(rows):
        blit_text(surface, style.text(row, 12), at=(rect.left + px(8), rect.top + px(5 + _PITCH * index)))
