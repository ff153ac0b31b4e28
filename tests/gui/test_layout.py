"""Sizes and places of the board, the text and the controls at any window size."""

import ctypes
from itertools import combinations
from typing import Any, Final
from unittest.mock import Mock

import pygame
import pytest

from othello import texts
from othello.gui import commands as gui, ui
from othello.gui.modes.openings import openings_mode
from othello.gui.modes.review.review import ReviewMode
from othello.gui.platform import window
from othello.gui.widgets.board_widget import BOARD
from othello.gui.widgets.move_list import MOVES
from othello.play.assessment import judges
from tests.golden.screens import draw_blocks
from tests.gui.mistakes import SIZES as WINDOWS, assert_apart
from tests.gui.scenes import BOARDS, Opener
from tests.gui.window_driver import SIZES, WindowDriver
from tests.positions import SPEC
from tests.tour import pairwise

STATES: Final[dict[str, tuple[tuple[str, ...], ...]]] = {
    "mistakes_review": ((),),
    "mistakes_train": ((), ("Ctrl+K",)),
    "analyse_discs": ((),),
    "openings_lines": ((), ("Enter",), ("Ctrl+K",)),
    "explore_archive": ((),),
    "steps_choice": ((), ("Right",), ("Right",), ("Right",)),
}
"""Scenes, and the keys that lead to each state of their controls."""


def test_the_board_is_as_large_as_possible_and_finds_its_squares(driver: WindowDriver) -> None:
    for size in SIZES:
        driver.resize(size)
        board, place = driver.placed(BOARD).rect, driver.board_place
        assert board.contains(place.grid)
        assert place.grid.width == 8 * place.cell
        assert board.height > 0.5 * min(size[1], size[0] - driver.placed(MOVES).rect.width)
        for square in range(64):
            rect = place.square_rect(square)
            for point in (rect.topleft, rect.center, (rect.right - 1, rect.bottom - 1)):
                assert place.square_at(point) == square
        assert place.square_at((place.grid.left - 1, place.grid.top)) is None
        assert place.square_at(place.grid.bottomright) is None


def test_text_grows_with_the_desktops_scale_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [window.scale_for(size) for size in ((900, 600), (1280, 800), (2560, 1600))] == [1.0, 1.0, 1.0]
    monkeypatch.setattr(window, "desktop_scale", lambda: 2.0)
    assert [window.scale_for(size) for size in ((900, 600), (1280, 800), (1920, 1200), (5120, 3200))] == [1, 1, 1.5, 2]


@pytest.mark.parametrize(
    ("variable", "text", "scale"),
    [
        ("GDK_SCALE", "2", 2.0),
        ("QT_SCALE_FACTOR", "1.5", 1.5),
        ("GDK_SCALE", "-1", 1.0),
        ("GDK_SCALE", "1e9", 1.0),
        ("QT_SCALE_FACTOR", "90", 4.0),
    ],
)
def test_the_desktops_scale_is_limited(monkeypatch: pytest.MonkeyPatch, variable: str, text: str, scale: float) -> None:
    monkeypatch.setenv(variable, text)
    assert window.desktop_scale.__wrapped__() == scale


@pytest.mark.parametrize(
    ("display", "resources", "scale"), [(1, b"Xft.dpi:\t144\n", 1.5), (1, None, 1.0), (None, b"Xft.dpi:\t144\n", 1.0)]
)
def test_the_scale_of_an_x11_desktop_is_in_its_resources(
    monkeypatch: pytest.MonkeyPatch, display: int | None, resources: bytes | None, scale: float
) -> None:
    answers = {"XOpenDisplay.return_value": display, "XResourceManagerString.return_value": resources}
    library = Mock(**answers)
    monkeypatch.setattr(ctypes, "CDLL", lambda _: library)
    monkeypatch.setattr(pygame.display, "get_init", lambda: True)
    monkeypatch.setattr(pygame.display, "get_driver", lambda: "x11")
    assert (window.desktop_scale.__wrapped__(), library.XCloseDisplay.call_count) == (scale, display or 0)


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[pygame.Rect]:
    """Return the places of the texts that are drawn."""
    places, write = list[pygame.Rect](), ui.PaintContext.text

    def note(*of: Any, **how: Any) -> pygame.Rect:
        places.append(write(*of, **how))
        return places[-1]

    monkeypatch.setattr(ui.PaintContext, "text", note)
    return places


def assert_drawn_inside(driver: WindowDriver, written: list[pygame.Rect]) -> None:
    """Assert that widgets draw only in their places, where nothing is cut off, and no text over texts or buttons."""
    style, edge = driver.scene.style, 40
    for placed in driver.scene.widgets.walk():
        if placed.rect.width < 8 or type(placed.widget).draw is ui.Widget.draw:
            continue
        surface = pygame.Surface((placed.rect.width + 2 * edge, placed.rect.height + 2 * edge), pygame.SRCALPHA)
        by = edge - placed.rect.x, edge - placed.rect.y
        inner = placed.parts[0].rect.move(by) if placed.parts else None
        written.clear()
        placed.widget.draw(ui.PaintContext(surface, style, placed.rect.move(by), inner=inner))
        parts = [part.rect.move(by) for part in placed.parts if isinstance(part.widget, ui.Button)]
        for one, other in combinations([*written, *parts], 2):
            assert not one.inflate(-2, -8).colliderect(other.inflate(-2, -8)), placed
        room = 2 + 2 * style.px(placed.widget.overhang)
        surface.fill((0, 0, 0, 0), placed.rect.move(by).inflate(room, room))
        assert not surface.get_bounding_rect(), placed


@pytest.mark.parametrize(
    ("languages", "text_sizes"),
    [(("en", "pl"), (100, 200)), pytest.param(texts.languages(), (80, 100, 160, 200), marks=pytest.mark.slow)],
    ids=["quick", "all"],
)
@pytest.mark.parametrize("scene", STATES)
def test_controls_of_a_mode_are_drawn_in_their_places_and_never_overlap(
    opener: Opener, written: list[pygame.Rect], scene: str, languages: tuple[str, ...], text_sizes: tuple[int, ...]
) -> None:
    opener.patch.setattr(openings_mode, "_REPLY_SECONDS", 0.0)
    driver = BOARDS[scene](opener)
    assert isinstance(driver, WindowDriver)
    opener.patch.setattr(ui.WidgetTree, "draw", lambda *_: [])  # places need no picture
    others = ((), ("external.Somebody",)) if scene == "mistakes_review" else ((),)
    table = pairwise((range(len(STATES[scene])), languages, text_sizes, WINDOWS, others))
    for state, keys in enumerate(STATES[scene]):
        driver.keys(*keys)
        driver.settle()
        for _, language, text, size, analysts in (row for row in table if row[0] == state):
            if isinstance(driver.scene.mode, ReviewMode):
                driver.scene.mode._judges = [*judges(SPEC)[:1], *analysts]
            driver.screen.do(gui.Resize(size), driver.screen.now)
            driver.prefer(language=language, text_size=text)
            assert_apart(driver)
            if size[0] < 1000:  # larger windows have more room
                assert_drawn_inside(driver, written)
    draw_blocks(opener.patch, 0.95)  # about twice as wide as letters
    driver.screen.do(gui.Resize(WINDOWS[1]), driver.screen.now)
    driver.prefer(text_size=101)  # without cached sizes
    assert_drawn_inside(driver, written)
