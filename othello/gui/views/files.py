"""A list of games and files: one row each."""

from __future__ import annotations

from dataclasses import dataclass

import pygame
from pygame import Rect

from othello.gui import theme
from othello.gui.controls import Button
from othello.gui.theme import Style, blit_text
from othello.gui.toolkit.shapes import fill_rounded


@dataclass(frozen=True)
class Row(Button):
    """A row that can be chosen.

    Attributes:
        right: what stands at its right end.
        shorter: the label in ever fewer words, for where there is no room.
    """

    right: str = ""
    shorter: tuple[str, ...] = ()

    def draw(self, surface: pygame.Surface, style: Style, rect: Rect, mouse: tuple[int, int] | None) -> None:
        px = style.px
        fill_rounded(surface, rect, px(6), theme.LINE if mouse is not None else theme.RAISED)
        right = style.fit(self.right, 12, rect.width // 2)
        image = style.text(right, 12, theme.MUTED)
        blit_text(surface, image, anchor="midright", at=(rect.right - px(12), rect.centery))
        room = rect.width - image.get_width() - px(36)
        labels = (self.label, *self.shorter)
        label = style.fit(next((each for each in labels if style.width(each, 13) <= room), labels[-1]), 13, room)
        blit_text(surface, style.text(label, 13), anchor="midleft", at=(rect.left + px(12), rect.centery))
