"""The window among others: its size at first and later, and full screen."""

from __future__ import annotations

import pygame
import pytest

from othello.gui import window
from othello.gui.layout import DESIGN_SIZE, MINIMUM_SIZE


@pytest.fixture(autouse=True)
def screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


def opened(monkeypatch: pytest.MonkeyPatch, screen: tuple[int, int], **remembered: object) -> tuple[int, int]:
    """The size of a window on such a screen."""
    monkeypatch.setattr(pygame.display, "get_desktop_sizes", lambda: [screen])
    window.open_window(remembered)
    size: tuple[int, int] = pygame.display.get_window_size()
    pygame.display.quit()
    return size


@pytest.mark.parametrize(
    ("screen", "size"),
    [
        ((1280, 800), (1280, 744)),  # with room for a title bar
        ((900, 600), (900, 544)),
        ((1920, 1080), (1536, 864)),
        ((2560, 1600), (2048, 1280)),
        ((640, 480), MINIMUM_SIZE),
    ],
)
def test_the_first_window_fits_the_screen(
    monkeypatch: pytest.MonkeyPatch, screen: tuple[int, int], size: tuple[int, int]
) -> None:
    assert opened(monkeypatch, screen) == size


@pytest.mark.parametrize("size", [[1000, 700], "large", [1], [1.5, 2], None, [10**9, 10**9]])
def test_a_size_is_remembered_as_far_as_it_is_one(monkeypatch: pytest.MonkeyPatch, size: object) -> None:
    expected = {"[1000, 700]": (1000, 700), f"{[10**9, 10**9]}": (1920, 1024)}
    assert opened(monkeypatch, (1920, 1080), size=size) == expected.get(f"{size}", (1536, 864))


def test_what_is_remembered_is_the_windows_own_size() -> None:
    window.open_window({"size": list(DESIGN_SIZE), "position": [0, 0]})
    before = window.place(is_maximised=False, before={})
    assert before["size"] == list(pygame.display.get_window_size())
    assert window.place(is_maximised=True, before=before) == {**before, "maximised": True}
    pygame.display.quit()
