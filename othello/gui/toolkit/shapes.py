"""Anti-aliased shapes, computed once per size and cached. Do not draw on the returned surfaces: they are shared."""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np
import pygame
from numpy.typing import NDArray
from pygame import Rect, Surface

from othello.gui.toolkit.style import RGB

Pixels: TypeAlias = NDArray[np.float64]

_MAX_CACHED_PIXELS: Final = 8000  # larger rectangles are not cached
_OVERSAMPLING: Final = 4  # shapes are drawn this many times larger, then scaled down, which smooths their edges


def distance_from(size: int, x: float, y: float) -> Pixels:
    """Return the distance of every pixel's centre from a point, shape (size, size), x first."""
    axis = np.arange(size) + 0.5
    distance: Pixels = np.hypot(axis[:, None] - x, axis[None, :] - y)
    return distance


def surface_of(colors: Pixels | RGB, alpha: Pixels) -> Surface:
    """Return a surface of the given colours, one or shape (w, h, 3), and opacities from 0 to 1, shape (w, h)."""
    surface = Surface(alpha.shape, pygame.SRCALPHA, 32)
    pygame.surfarray.pixels3d(surface)[:] = np.asarray(colors)
    pygame.surfarray.pixels_alpha(surface)[:] = np.round(alpha * 255)
    return surface


def inside(distance: Pixels, radius: float) -> Pixels:
    """Return the share of every pixel that a circle covers, from the pixels' distances to its centre."""
    return np.clip(radius - distance + 0.5, 0.0, 1.0)


@lru_cache(maxsize=256)
def circle(diameter: int, fill: RGB, alpha: float = 1.0) -> Surface:
    """Return a filled circle."""
    distance = distance_from(diameter, diameter / 2, diameter / 2)
    return surface_of(fill, inside(distance, diameter / 2 - 0.5) * alpha)


@lru_cache(maxsize=256)
def ring(diameter: int, width: float, color: RGB, fill: RGB | None = None, fill_alpha: float = 1.0) -> Surface:
    """Return the outline of a circle, filled if `fill` is a colour."""
    distance = distance_from(diameter, diameter / 2, diameter / 2)
    outer = inside(distance, diameter / 2 - 0.5)
    inner = inside(distance, diameter / 2 - 0.5 - width)
    edge = outer - inner
    if fill is None:
        return surface_of(color, edge)
    alpha = edge + inner * fill_alpha
    share = np.divide(edge, alpha, out=np.zeros_like(edge), where=alpha > 0)[..., None]
    return surface_of(share * np.array(color) + (1 - share) * np.array(fill), alpha)


@lru_cache(maxsize=32)
def arc(diameter: int, width: float, share: float, color: RGB, rest: RGB) -> Surface:
    """Return a ring with a `share` of it in `color`, clockwise from the top, and the rest in `rest`."""
    full = ring(diameter, width, rest)
    axis = np.arange(diameter) + 0.5 - diameter / 2
    turn = np.arctan2(axis[:, None], -axis[None, :]) / (2 * math.pi) % 1.0
    length = math.pi * (diameter - width)  # in pixels, to smooth the ends
    covered = np.clip((share - turn) * length + 0.5, 0.0, 1.0) if share < 1 else np.ones_like(turn)
    opacity = pygame.surfarray.array_alpha(full) / 255
    mix = covered[..., None] if share > 0 else np.zeros((diameter, diameter, 1))
    return surface_of(mix * np.array(color) + (1 - mix) * np.array(rest), opacity)


@lru_cache(maxsize=64)
def box(size: int, width: int, color: RGB, fill: RGB | None = None) -> Surface:
    """Return the outline of a square with round corners, filled if `fill` is a colour."""
    image, radius = _large((size, size), fill or color), size * _OVERSAMPLING // 12
    if fill is not None:
        pygame.draw.rect(image, fill, image.get_rect(), border_radius=radius)
    pygame.draw.rect(image, color, image.get_rect(), width * _OVERSAMPLING, border_radius=radius)
    return pygame.transform.smoothscale(image, (size, size))


@lru_cache(maxsize=64)
def cross(size: int, width: float, color: RGB) -> Surface:
    """Return a cross of two strokes with round ends."""
    image, half = _large((size, size), color), width * _OVERSAMPLING / 2
    near, far, slant = half, size * _OVERSAMPLING - half, half / math.sqrt(2)
    for up, down in ((near, far), (far, near)):  # the falling stroke, the rising stroke
        turn = slant if up < down else -slant
        begin = (near - turn, up + slant), (near + turn, up - slant)
        pygame.draw.polygon(image, color, [*begin, (far + turn, down - slant), (far - turn, down + slant)])
        for end in ((near, up), (far, down)):
            pygame.draw.circle(image, color, end, half)
    return pygame.transform.smoothscale(image, (size, size))


def fill_rounded(
    surface: Surface, rect: Rect, radius: int, fill: RGB | None, border: RGB | None = None, border_width: int = 1
) -> None:
    """Draw a rectangle with round corners, filled and outlined in the given colours."""
    if border is None and fill is None:
        return
    radius = max(0, min(radius, rect.width // 2, rect.height // 2))
    if 0 < rect.width * rect.height <= _MAX_CACHED_PIXELS:
        surface.blit(_small_rounded(rect.size, radius, fill, border, border_width), rect)
    else:
        _fill_rounded(surface, rect, radius, fill, border, border_width)


@lru_cache(maxsize=128)
def _small_rounded(
    size: tuple[int, int], radius: int, fill: RGB | None, border: RGB | None, border_width: int
) -> Surface:
    """Return a cached picture of a rectangle: to blit it is faster than to draw corners, sides and middle."""
    image = Surface(size, pygame.SRCALPHA)
    _fill_rounded(image, image.get_rect(), radius, fill, border, border_width)
    return image


def _fill_rounded(
    surface: Surface, rect: Rect, radius: int, fill: RGB | None, border: RGB | None, border_width: int
) -> None:
    if radius:
        corner = circle(2 * radius, fill) if border is None else ring(2 * radius, border_width, border, fill)
        for right in (False, True):
            for bottom in (False, True):
                at = (rect.right - radius if right else rect.left, rect.bottom - radius if bottom else rect.top)
                surface.blit(corner, at, (radius * right, radius * bottom, radius, radius))
    if fill is not None:
        surface.fill(fill, (rect.left, rect.top + radius, rect.width, rect.height - 2 * radius))
        for top in (rect.top, rect.bottom - radius):
            surface.fill(fill, (rect.left + radius, top, rect.width - 2 * radius, radius))
    if border is not None:
        across, along = rect.width - 2 * radius, rect.height - 2 * radius
        for top in (rect.top, rect.bottom - border_width):
            surface.fill(border, (rect.left + radius, top, across, border_width))
        for left in (rect.left, rect.right - border_width):
            surface.fill(border, (left, rect.top + radius, border_width, along))


def fill_polygon(surface: Surface, color: RGB, points: Sequence[tuple[float, float]]) -> None:
    """Draw a filled polygon."""
    left, top = (int(min(point[axis] for point in points)) - 1 for axis in (0, 1))
    right, bottom = (int(max(point[axis] for point in points)) + 2 for axis in (0, 1))
    large = _large((right - left, bottom - top), color)
    pygame.draw.polygon(large, color, [((x - left) * _OVERSAMPLING, (y - top) * _OVERSAMPLING) for x, y in points])
    surface.blit(pygame.transform.smoothscale(large, (right - left, bottom - top)), (left, top))


def _large(size: tuple[int, int], color: RGB) -> Surface:
    """Return a transparent surface on which to draw a shape of `size` and `color`, enlarged by `_OVERSAMPLING`."""
    large = Surface((size[0] * _OVERSAMPLING, size[1] * _OVERSAMPLING), pygame.SRCALPHA)
    large.fill((*color, 0))  # transparent black would darken the edges
    return large


def draw_line(surface: Surface, color: RGB, start: tuple[float, float], end: tuple[float, float], width: float) -> None:
    """Draw a straight line."""
    length = math.hypot(end[0] - start[0], end[1] - start[1]) or 1.0
    x, y = (end[1] - start[1]) / length * width / 2, (start[0] - end[0]) / length * width / 2
    side = (start[0] + x, start[1] + y), (end[0] + x, end[1] + y)
    fill_polygon(surface, color, [*side, (end[0] - x, end[1] - y), (start[0] - x, start[1] - y)])


def draw_check(surface: Surface, color: RGB, centre: tuple[float, float], size: float) -> None:
    """Draw a check mark."""
    x, y = centre
    knee = (x - size * 0.1, y + size * 0.3)
    draw_line(surface, color, (x - size * 0.42, y), knee, size * 0.18)
    draw_line(surface, color, knee, (x + size * 0.42, y - size * 0.32), size * 0.18)


def draw_chevron(surface: Surface, color: RGB, centre: tuple[float, float], size: float, *, down: bool) -> None:
    """Draw a chevron that points down or to the right."""
    x, y = centre
    long, short = size / 2, size / 4
    ends = [(x - long, y - short), (x + long, y - short)] if down else [(x - short, y - long), (x - short, y + long)]
    tip = (x, y + short) if down else (x + short, y)
    for end in ends:
        draw_line(surface, color, end, tip, size * 0.2)


def fill_share(surface: Surface, rect: Rect, share: float, fill: RGB, rest: RGB) -> None:
    """Draw a horizontal bar with round ends, the left `share` of it in `fill` and the rest in `rest`."""
    fill_rounded(surface, rect, rect.height // 2, rest)
    if share > 0:
        done = Rect(rect.topleft, (max(rect.height, round(rect.width * share)), rect.height))
        fill_rounded(surface, done, rect.height // 2, fill)


def draw_scroll_bar(surface: Surface, color: RGB, view: Rect, scroll: int, longest: int, width: int) -> None:
    """Draw a vertical scroll bar at the right edge of `view`, unless the whole page is visible.

    Args:
        surface: the surface to draw on.
        color: the colour of the bar.
        view: the visible part of the page.
        scroll: the scroll position, from 0 to `longest`.
        longest: the height of the page that is not visible.
        width: the width of the bar.
    """
    if longest > 0:
        length = max(4 * width, view.height * view.height // (view.height + longest))
        top = view.top + (view.height - length) * scroll // longest
        fill_rounded(surface, Rect(view.right - width, top, width, length), width // 2, color)
