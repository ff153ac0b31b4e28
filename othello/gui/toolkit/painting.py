"""Drawing a tree of panels, and finding out which part of the window looks different from before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import pygame
from pygame import Rect

from othello.gui.toolkit.panel import Canvas, Placed

Look: TypeAlias = tuple[object, ...]
"""The rectangle of something, and values that are equal as long as it looks the same."""


class Overlay(NamedTuple):
    """Something that lies over all panels.

    Attributes:
        rect: all of the window that the overlay is drawn on.
        look: equal as long as the overlay looks the same.
        draw: draws the overlay.
    """

    rect: Rect
    look: object
    draw: Callable[[pygame.Surface], None]


def looks(tree: Placed, canvas: Callable[[Placed], Canvas], overlays: Sequence[Overlay]) -> list[Look]:
    """All that is to be seen, from below."""
    found: list[Look] = []
    for each in tree.walk():
        on = canvas(each)
        state = on.mouse, on.has_focus, on.is_held, on.kept, on.inner
        found.append((each.extent, each.panel.look(), *state))
    return [*found, *((each.rect, each.look) for each in overlays)]


def difference(before: Sequence[Look], after: Sequence[Look], window: Rect) -> Rect:
    """The smallest rectangle around all that two pictures do not share."""
    if not before:
        return window
    start, most = 0, min(len(before), len(after))
    while start < most and before[start] == after[start]:
        start += 1
    end = 0
    while end < most - start and before[-1 - end] == after[-1 - end]:
        end += 1
    changed = [*before[start : len(before) - end], *after[start : len(after) - end]]
    if len(before) == len(after):
        pairs = zip(before[start : len(before) - end], after[start : len(after) - end], strict=True)
        changed = [each for pair in pairs if pair[0] != pair[1] for each in pair]
    rects = [each[0] for each in changed if isinstance(each[0], Rect)]
    return rects[0].unionall(rects[1:]) if rects else Rect(0, 0, 0, 0)


def paint(surface: pygame.Surface, placed: Placed, dirty: Rect, canvas: Callable[[Placed], Canvas]) -> None:
    """Draw a panel and all inside, as far as they lie in a rectangle."""
    clip = placed.extent.clip(dirty)
    is_seen = clip.width > 0 and clip.height > 0
    on = canvas(placed)
    if is_seen:
        surface.set_clip(clip)
        placed.panel.draw(on)
    for part in placed.parts:
        paint(surface, part, dirty, canvas)
    if is_seen:
        surface.set_clip(clip)
        placed.panel.draw_over(on)
