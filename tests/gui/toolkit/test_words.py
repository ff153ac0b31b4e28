"""Line breaks, fonts, and rounded rectangles."""

import numpy as np
import pygame
import pytest
from hypothesis import given, settings, strategies as st
from pygame import Rect

from othello.gui.toolkit import shapes
from othello.gui.toolkit.style import RGB, Style
from othello.texts import catalogue, languages
from tests.gui.toolkit.widget_driver import PALETTE

LIGHT = st.integers(0, 255)
COLORS = st.none() | st.tuples(LIGHT, LIGHT, LIGHT)


def test_square_corners_cover_the_background() -> None:
    surface = pygame.Surface((20, 20))
    surface.fill((255, 0, 0))
    shapes.fill_rounded(surface, surface.get_rect(), 0, (0, 0, 255), (0, 255, 0), 2)
    assert surface.get_at((0, 0))[:3] == surface.get_at((19, 19))[:3] == (0, 255, 0)
    assert surface.get_at((2, 2))[:3] == (0, 0, 255)
    shapes.fill_rounded(surface, Rect(0, 10, 20, 1), 1, (9, 9, 9))
    assert {surface.get_at((x, 10))[:3] for x in range(20)} == {(9, 9, 9)}


@pytest.mark.parametrize("width", range(60, 200, 20))
def test_japanese_lines_break_only_where_they_may(width: int) -> None:
    style = Style(1.0, PALETTE)
    words = "黒の番です。「d3」に打つと、2個の石を返せます。コンピューターは (level 3) を、パスできません（合法手）。"
    rows = style.wrap(words, 13, width, 99)
    assert "".join(rows).replace(" ", "") == words.replace(" ", "")
    assert all(width - 45 < style.width(row, 13) <= width for row in rows[:-1])
    assert not [row for row in rows if row[0] in "。、」）ーっュ" or row[-1] in "「（("]


@pytest.mark.parametrize("language", languages())
def test_the_fonts_have_every_character_of_a_catalogue(language: str) -> None:
    signs = set("".join(str(text) for text in catalogue(language).values())) - set(" \xa0\u202f\u3000")
    for is_bold in (False, True):
        style = Style(1.0, PALETTE)
        missing = {style.text(sign, 30, bold=is_bold).get_buffer().raw for sign in ("\ue000", "\u2e9a")}
        assert [sign for sign in signs if style.text(sign, 30, bold=is_bold).get_buffer().raw in missing] == []


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
