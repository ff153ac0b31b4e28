"""Cached pictures of shapes equal newly drawn ones."""

import numpy as np
import pygame
from hypothesis import given, settings, strategies as st

from othello.gui.toolkit import shapes
from othello.gui.toolkit.style import RGB

LIGHT = st.integers(0, 255)
COLORS = st.none() | st.tuples(LIGHT, LIGHT, LIGHT)


@settings(max_examples=60, deadline=None)
@given(st.integers(8, 120), st.integers(8, 60), st.integers(0, 20), COLORS, COLORS, st.integers(1, 4))
def test_a_cached_rectangle_equals_a_new_one(
    width: int, height: int, radius: int, fill: RGB | None, border: RGB | None, line: int
) -> None:
    radius, seen = max(0, min(radius, width // 2, height // 2)), []
    for draw in (shapes.fill_rounded, shapes._fill_rounded):
        surface = pygame.Surface((160, 80))
        pygame.surfarray.pixels3d(surface)[:] = np.random.default_rng(1).integers(0, 256, (160, 80, 3))
        if fill is not None or border is not None:
            draw(surface, pygame.Rect(15, 9, width, height), radius, fill, border, line)
        seen.append(pygame.surfarray.array3d(surface))
    assert np.array_equal(seen[0], seen[1])
