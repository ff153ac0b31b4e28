"""Scenes look as in their pictures, pixel by pixel, in a usual window and in a small one with large text.

After an intended change, `python -m tests.golden.screens` writes new pictures.
"""

import os
from collections.abc import Iterator
from typing import Any, Final

import pygame
import pytest

from othello.gui import commands as gui
from othello.gui.boards import renderer
from othello.gui.toolkit import style as drawing
from othello.gui.toolkit.style import RGB, Style
from tests.golden.screens import FOLDER, WRITES, clean, without_varying
from tests.gui.scenes import SCENES, Opener
from tests.gui.window_driver import draw_part

PICTURED: Final = (
    *("analyse_bounds", "edit_past", "explore_archive", "mistakes_review", "mistakes_train", "offered"),
    *("openings_lines", "over", "review_start", "steps_choice", "connect_four", "ultimate_tictactoe"),
    *("dialog_new_game", "dialog_results_rated", "dialog_settings", "dialog_tournament_more", "tournament_watched"),
)
WINDOWS: Final = (((1280, 800), 100), ((900, 600), 200))


@pytest.fixture
def _blocks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Draw blocks instead of letters, which other versions of the libraries draw differently."""
    text = Style.text

    def width(words: str, pixels: int, bold: bool) -> int:
        return len(words) * (pixels // 2 + bold)

    def block(words: str, pixels: int, color: RGB, bold: bool) -> pygame.Surface:
        surface = pygame.Surface((width(words, pixels, bold), pixels + 4))
        surface.fill(color)
        return surface

    def unvarying(style: Style, words: str, *more: Any, **named: Any) -> pygame.Surface:
        return text(style, clean(without_varying(words)), *more, **named)

    renderer._empty_board.cache_clear()  # because boards have names of columns and rows
    monkeypatch.setattr(drawing, "_width", width)
    monkeypatch.setattr(drawing, "_render", block)
    monkeypatch.setattr(Style, "text", unvarying)
    yield
    renderer._empty_board.cache_clear()


@pytest.mark.usefixtures("_blocks")
@pytest.mark.parametrize("scene", PICTURED)
def test_a_scene_looks_as_in_its_picture(opener: Opener, scene: str) -> None:
    driver, path = SCENES[scene](opener), FOLDER.parent / "pictures" / f"{scene}.png"
    picture = pygame.Surface((sum(width for (width, _), _ in WINDOWS), 800))
    for left, (size, text) in zip((0, 1280), WINDOWS, strict=True):
        driver.screen.do(gui.Resize(size), driver.screen.now)
        driver.prefer(text_size=text)
        part = next(driver.screen.widgets.walk()) if driver.screen.dialog is None else driver.placed("dialog")
        picture.blit(draw_part(driver.screen, part), (left, 0))
    if WRITES in os.environ:
        pygame.image.save(picture, path)
    known = pygame.image.load(path).convert(picture)
    same = pygame.mask.from_threshold(picture, (0, 0, 0, 0), (4, 4, 4, 255), known)
    same.invert()
    assert same.get_bounding_rects() == []
