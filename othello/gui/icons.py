"""Small pictures on buttons, drawn where a font has no good sign."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import pygame

_OVERSAMPLING: Final = 4  # each picture is drawn so many times larger, then made smaller: smooth edges
_NAMES: Final = frozenset({"first", "back", "forward", "last"})


def has_icon(button: str) -> bool:
    """Whether a button shows a picture instead of words."""
    return button in _NAMES


@lru_cache(maxsize=32)
def icon(button: str, size: int, color: str) -> pygame.Surface:
    """The picture of a button, `size` pixels wide and high: a triangle that points the way, at a bar where it ends.

    The surface is shared: do not draw on it.
    """
    side = size * _OVERSAMPLING
    image = pygame.Surface((side, side), pygame.SRCALPHA)
    image.fill((*pygame.Color(color)[:3], 0))  # so that smooth edges have no dark seam
    has_bar = button in ("first", "last")
    middle, half = (0.6 if has_bar else 0.5), 0.3
    triangle = [(middle + half, 0.12), (middle + half, 0.88), (middle - half, 0.5)]
    pygame.draw.polygon(image, color, [(side * x, side * y) for x, y in triangle])
    if has_bar:
        image.fill(color, (side * 0.1, side * 0.12, side * 0.14, side * 0.76))
    if button in ("forward", "last"):
        image = pygame.transform.flip(image, flip_x=True, flip_y=False)
    return pygame.transform.smoothscale(image, (size, size))
