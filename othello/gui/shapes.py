"""Anti-aliased shapes. Each is computed once a size from its distance function, then blitted.

The surfaces that are returned are shared: do not draw on them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

import numpy as np
import pygame
from numpy.typing import NDArray

from othello.gui import theme
from othello.gui.theme import RGB
from othello.rules.protocol import Color

Field: TypeAlias = NDArray[np.float64]


def _distance_from(size: int, x: float, y: float) -> Field:
    """Distance of every pixel's centre from a point, shape (size, size), x first."""
    axis = np.arange(size) + 0.5
    distance: Field = np.hypot(axis[:, None] - x, axis[None, :] - y)
    return distance


def _surface(colors: Field | RGB, alpha: Field) -> pygame.Surface:
    """A surface from colours, shape (w, h, 3) or one, and opacities 0 .. 1, shape (w, h)."""
    surface = pygame.Surface(alpha.shape, pygame.SRCALPHA, 32)
    pygame.surfarray.pixels3d(surface)[:] = np.asarray(colors)
    pygame.surfarray.pixels_alpha(surface)[:] = np.round(alpha * 255)
    return surface


def _inside(distance: Field, radius: float) -> Field:
    """How much of every pixel a circle covers."""
    return np.clip(radius - distance + 0.5, 0.0, 1.0)


@lru_cache(maxsize=256)
def circle(diameter: int, fill: RGB, alpha: float = 1.0) -> pygame.Surface:
    """A filled circle."""
    distance = _distance_from(diameter, diameter / 2, diameter / 2)
    return _surface(fill, _inside(distance, diameter / 2 - 0.5) * alpha)


@lru_cache(maxsize=256)
def ring(diameter: int, width: float, color: RGB, fill: RGB | None = None, fill_alpha: float = 1.0) -> pygame.Surface:
    """A circle's outline of the given width, filled where `fill` is given."""
    distance = _distance_from(diameter, diameter / 2, diameter / 2)
    outer = _inside(distance, diameter / 2 - 0.5)
    inner = _inside(distance, diameter / 2 - 0.5 - width)
    edge = outer - inner
    if fill is None:
        return _surface(color, edge)
    alpha = edge + inner * fill_alpha
    share = np.divide(edge, alpha, out=np.zeros_like(edge), where=alpha > 0)[..., None]
    return _surface(share * np.array(color) + (1 - share) * np.array(fill), alpha)


@lru_cache(maxsize=64)
def disc(diameter: int, color: Color) -> pygame.Surface:
    """A disc, softly lit from the upper left."""
    centre, edge = (
        (theme.WHITE_CENTRE, theme.WHITE_EDGE) if color is Color.WHITE else (theme.BLACK_CENTRE, theme.BLACK_EDGE)
    )
    light = _distance_from(diameter, diameter * 0.43, diameter * 0.41) / (diameter * 0.60)
    mix = np.clip((light - 0.22) / 0.78, 0.0, 1.0)
    mix = (mix * mix * (3 - 2 * mix))[..., None]
    distance = _distance_from(diameter, diameter / 2, diameter / 2)
    return _surface((1 - mix) * np.array(centre) + mix * np.array(edge), _inside(distance, diameter / 2 - 0.5))


@lru_cache(maxsize=16)
def shadow(diameter: int) -> pygame.Surface:
    """What a disc of this size casts: a soft circle, a quarter larger."""
    size = round(diameter * 1.25)
    blur = max(1.0, diameter * 0.09)
    distance = _distance_from(size, size / 2, size / 2)
    edge = np.clip((diameter / 2 + blur - distance) / (2 * blur), 0.0, 1.0)
    return _surface((0, 0, 0), edge * edge * (3 - 2 * edge) * 0.42)


def fill_rounded(
    surface: pygame.Surface,
    rect: pygame.Rect,
    radius: int,
    fill: RGB,
    border: RGB | None = None,
    border_width: int = 1,
) -> None:
    """Draw a rectangle with anti-aliased round corners, and an outline where `border` is given."""
    radius = max(1, min(radius, rect.width // 2, rect.height // 2))
    corner = circle(2 * radius, fill) if border is None else ring(2 * radius, border_width, border, fill)
    for right in (False, True):
        for bottom in (False, True):
            at = (rect.right - radius if right else rect.left, rect.bottom - radius if bottom else rect.top)
            surface.blit(corner, at, (radius * right, radius * bottom, radius, radius))
    surface.fill(fill, (rect.left + radius, rect.top, rect.width - 2 * radius, rect.height))
    surface.fill(fill, (rect.left, rect.top + radius, rect.width, rect.height - 2 * radius))
    if border is not None:
        across, along = rect.width - 2 * radius, rect.height - 2 * radius
        for top in (rect.top, rect.bottom - border_width):
            surface.fill(border, (rect.left + radius, top, across, border_width))
        for left in (rect.left, rect.right - border_width):
            surface.fill(border, (left, rect.top + radius, border_width, along))
