"""Nothing is cut off and nothing overlaps, whatever the window's size."""

from __future__ import annotations

from itertools import combinations

import pytest
from pygame import Rect

from othello.gui.layout import arrange, scale_for
from tests.gui.desk import FACE

SIZES = [
    (900, 600),
    (1280, 800),
    (1920, 1080),
    (901, 603),
    (1023, 767),
    (900, 1400),
    (2560, 600),
    (1366, 768),
    (2560, 1440),
    (3840, 2160),
    (1280, 719),
    (1279, 721),
]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("with_search", [False, True])
def test_everything_is_inside_and_apart(size: tuple[int, int], with_search: bool) -> None:
    layout = arrange(size, FACE)
    moves, search = layout.side_panels(with_search)
    areas = [layout.board, *layout.cards, layout.score_bar, moves, layout.status]
    areas += [search] if search is not None else []
    areas += [rect for name, rect in layout.buttons.items() if not name.startswith("hand_")]
    for area in areas:
        assert layout.window.contains(area), area
        assert area.width > 0
        assert area.height > 0
    for one, other in combinations(areas, 2):
        assert not one.colliderect(other), (one, other)
    for color, card in zip(("black", "white"), layout.cards, strict=True):
        assert card.contains(layout.buttons[f"hand_{color}"])


@pytest.mark.parametrize("size", SIZES)
def test_the_board_is_as_large_as_there_is_room(size: tuple[int, int]) -> None:
    layout = arrange(size, FACE)
    assert layout.board.contains(layout.place.grid)
    assert layout.place.grid.width == 8 * layout.place.cell
    assert layout.board.height > 0.5 * min(size[1], size[0] - layout.side.width)


def test_squares_are_found_where_they_are_drawn() -> None:
    layout = arrange((1280, 800), FACE)
    for square in range(64):
        rect = layout.place.square_rect(square)
        for point in (rect.topleft, rect.center, (rect.right - 1, rect.bottom - 1)):
            assert layout.place.square_at(point) == square
    assert layout.place.square_at((layout.place.grid.left - 1, layout.place.grid.top)) is None
    assert layout.place.square_at(layout.place.grid.bottomright) is None


def test_text_grows_on_screens_with_many_pixels_and_is_never_tiny() -> None:
    assert scale_for((900, 600)) == 1.0
    assert scale_for((1280, 800)) == 1.0
    assert scale_for((2560, 1600)) == 2.0
    assert isinstance(arrange((2560, 1600), FACE).board, Rect)
