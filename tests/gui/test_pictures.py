"""Scenes look as in their pictures, pixel by pixel, in a usual window and in a small one with large text.

After an intended change, `python -m tests.golden.screens` writes new pictures.
"""

from collections.abc import Iterator
from typing import Any, Final

import pygame
import pytest

from othello.gui import commands as gui
from othello.gui.boards import renderer
from othello.gui.toolkit.style import Style
from tests.golden.screens import FOLDER, assert_picture, clean, draw_blocks, draw_shown, without_varying
from tests.gui.scenes import SCENES, Opener, with_mistakes
from tests.gui.window_driver import WindowDriver

PICTURED: Final = (
    *("analyse_bounds", "edit_past", "explore_archive", "mistakes_review", "mistakes_train", "offered"),
    *("openings_lines", "over", "review_start", "steps_choice", "connect_four", "ultimate_tictactoe"),
    *("dialog_how_to_play", "dialog_keys", "dialog_menu", "dialog_new_game_computer", "dialog_open_files"),
    *("dialog_programs", "dialog_programs_tested", "dialog_save"),
    *("dialog_new_game", "dialog_results_rated", "dialog_settings", "dialog_tournament_more", "tournament_watched"),
    *("tournament_invited", "mistakes_analyse", "mistakes_play", "train_past", "steps_over", "passing", "failed"),
)
WINDOWS: Final = (((1280, 800), 100), ((900, 600), 200))


@pytest.fixture
def _blocks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Draw blocks instead of letters, and names instead of times."""
    text = Style.text

    def unvarying(style: Style, words: str, *more: Any, **named: Any) -> pygame.Surface:
        return text(style, clean(without_varying(words)), *more, **named)

    renderer._empty_board.cache_clear()  # because boards have names of columns and rows
    draw_blocks(monkeypatch)
    monkeypatch.setattr(Style, "text", unvarying)
    yield
    renderer._empty_board.cache_clear()


def values(opener: Opener) -> WindowDriver:
    """Show values and losses in the mode Play."""
    driver = with_mistakes("play", opener)
    driver.prefer(details=True, shows_values=True, shows_losses=True)
    return driver


@pytest.mark.usefixtures("_blocks")
@pytest.mark.parametrize("scene", PICTURED)
def test_a_scene_looks_as_in_its_picture(opener: Opener, scene: str) -> None:
    driver, path = {**SCENES, "mistakes_play": values}[scene](opener), FOLDER.parent / "pictures" / f"{scene}.png"
    picture = pygame.Surface((sum(width for (width, _), _ in WINDOWS), 800))
    for left, (size, text) in zip((0, 1280), WINDOWS, strict=True):
        driver.screen.do(gui.Resize(size), driver.screen.now)
        driver.prefer(text_size=text)
        picture.blit(draw_shown(driver), (left, 0))
    assert_picture(picture, path)
