"""The game screen in the window, driven by real events on a virtual display."""

import ctypes
import sys
import time
from types import SimpleNamespace

import numpy as np
import pygame
import pytest

from othello.errors import DisplayError
from othello.game import Game
from othello.gui.app import loop
from othello.gui.dialogs.help import HelpDialog
from othello.gui.mode_registry import MODES
from othello.gui.platform import window
from othello.gui.platform.window import DESIGN_SIZE, open_window
from othello.gui.preferences import palette_named
from othello.gui.screens.game_screen import GameScreen
from othello.play.session_commands import TogglePause, Undo
from othello.rules.protocol import Color
from othello.rules.registry import game_spec, rules_of
from tests.gui.window_driver import OpenWindow, WindowDriver
from tests.play.fake_players import PERSON, computer


def test_moves_are_made_by_mouse_letters_and_cursor(driver: WindowDriver) -> None:
    driver.click_square("d3")
    driver.settle()
    assert driver.moves() == ["d3"]
    assert [driver.shows(name) for name in ("d3", "d4", "e5", "a1")] == ["black", "black", "white", "empty"]
    driver.type("c5")
    assert driver.moves() == ["d3", "c5"]
    driver.type("da1")  # a letter replaces the one before; a1 is illegal
    assert driver.moves() == ["d3", "c5"]
    driver.keys("Ctrl+R", "Right")  # the cursor appears on d3, the first legal square
    driver.keys("Left", "Down", "Enter")
    assert driver.moves() == ["c4"]


def test_tab_goes_through_the_legal_moves(driver: WindowDriver) -> None:
    driver.keys("Tab", "Tab", "Enter")
    assert driver.moves() == ["c4"]
    driver.keys("Shift+Tab", "Enter")
    assert driver.moves() == ["c4", "e3"]


def test_openings_are_named_above_the_board(driver: WindowDriver) -> None:
    driver.type("f5d6c5f4e3c6d3f6")
    driver.point_at(driver.board_place.square_rect(driver.square("e6")).center)
    driver.settle()
    assert "Perpendicular · e6 leads to Rose" in driver.words()
    driver.type("e6d7")
    driver.switch("analyse")
    assert "Rose" in driver.words()
    driver.switch("edit")
    assert "Rose" not in driver.words()
    driver.switch("review")
    assert any(words.startswith("Opening: Perpendicular, Rose.") for words in driver.words())


def test_the_first_picture_is_complete(driver: WindowDriver) -> None:
    scene = GameScreen(driver.session, DESIGN_SIZE, time.monotonic())
    pictures = []
    for _ in range(2):
        surface = pygame.Surface(DESIGN_SIZE)
        scene.redraw()
        scene.draw(surface)
        pictures.append(pygame.surfarray.array3d(surface))
        scene.update(time.monotonic())
    assert np.array_equal(pictures[0], pictures[1])


def test_buttons_below_the_moves_and_on_the_cards(driver: WindowDriver) -> None:
    driver.type("d3c5")
    driver.press("undo")
    assert driver.moves() == ["d3"]
    driver.press("redo")
    assert driver.moves() == ["d3", "c5"]
    driver.press("first")
    assert driver.session.view.shown.ply == 0
    driver.press("forward")
    assert driver.session.view.shown.ply == 1
    driver.press("last")
    assert driver.session.view.is_at_latest
    driver.press("swap", "captures", "captures")
    assert not driver.board.shows_counts
    driver.press("hand_white")
    assert driver.session.players[Color.WHITE].is_user, "not before a question"
    driver.keys("Esc")
    assert driver.session.players[Color.WHITE].is_user
    driver.press("hand_white", "yes")
    assert not driver.session.players[Color.WHITE].is_user
    assert driver.scene.dialog is None
    driver.press("new")
    driver.keys("Esc")
    assert driver.moves() == ["d3", "c5"]
    moves = driver.placed("moves").rect
    driver.click((moves.left + 40, moves.top + 46))
    assert driver.session.view.shown.ply == 1
    driver.settle()
    assert driver.shows("c5") == "empty"
    driver.keys("Esc")
    assert driver.session.view.is_at_latest


def test_the_list_of_moves_grows_at_the_latest_position(driver: WindowDriver) -> None:
    driver.type("d3c5")
    driver.keys("Home", "End")
    driver.type("d6")
    assert driver.moves() == ["d3", "c5", "d6"]
    assert len(driver.move_list.shown) == 3


def test_text_grows_with_the_scale_of_the_desktop(open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(window, "desktop_scale", lambda: 2.0)
    driver = open_window(PERSON, PERSON)

    def height_of_text() -> int:
        button = driver.scene.widgets.place_of("new")
        rows = np.flatnonzero((driver.brightness(button.inflate(-12, -8)) > 150).any(axis=0))
        return int(rows[-1] - rows[0])

    small = height_of_text()
    driver.resize((2560, 1600))
    assert 1.8 * small < height_of_text() < 2.3 * small


def test_disabled_buttons_are_drawn_at_once_after_a_resize(driver: WindowDriver) -> None:
    assert not driver.session.allows(Undo)
    for size in ((900, 600), (1000, 1300), (1600, 1000)):
        driver.resize(size)
        button = driver.placed("undo").rect
        for x in (button.left + 3, button.right - 4):
            assert driver.pixel((x, button.centery)) == palette_named().panel


def test_variants_are_named_in_the_toolbar(open_window: OpenWindow) -> None:
    rules = rules_of(game_spec("othello", {"goal": "fewest", "start": "alternate"}))
    driver = open_window(PERSON, PERSON, start=Game.new(rules))
    assert driver.scene.toolbar().occasion == ("alternate start · fewest discs wins",)
    driver.scene.occasion = ("Game 1 of 2", "1 of 2")
    texts = ["alternate start · fewest discs wins · Game 1 of 2", "alternate start · fewest discs wins · 1 of 2"]
    assert [*driver.scene.toolbar().occasion] == [*texts, "alternate start · fewest discs wins"]
    usual = open_window(PERSON, PERSON)
    assert usual.scene.toolbar().occasion == ()
    usual.scene.occasion = ("Game 1 of 2",)
    assert usual.scene.toolbar().occasion == ("Game 1 of 2",)


def test_nothing_is_drawn_while_nothing_changes(driver: WindowDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    driver.session.do(TogglePause(), time.monotonic())  # a person's clock would tick
    driver.settle()
    drawn: list[object] = []
    monkeypatch.setattr(pygame.display, "update", drawn.append)
    for _ in range(20):
        loop.turn(driver.scene, time.monotonic() + 0.005)
    assert drawn == []
    assert driver.scene.next_wake(time.monotonic()) is None


def test_flips_are_animated_unless_animation_is_off(driver: WindowDriver) -> None:
    driver.type("m")
    driver.type("d3")
    assert driver.shows("d4") == "black"
    driver.type("m")
    driver.type("c5")
    wake = driver.scene.next_wake(time.monotonic())
    assert wake is not None
    assert wake - time.monotonic() < 0.05  # the next frame of the animation
    driver.settle()
    assert driver.shows("d5") == "white"


def test_every_size_can_be_drawn_and_played(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, computer("first"))
    driver.type("v")
    for size in ((900, 600), (1280, 800), (1920, 1080), (1111, 777), (900, 1300), (2400, 610)):
        driver.resize(size)
        driver.click_square("d3")
        driver.until(lambda: driver.session.game.ply == 2)
        driver.keys("F1", "F1")
        driver.resize((size[1] + 300, size[0]))
        driver.press("undo")
        assert driver.moves() == []


def test_help_is_closed_by_a_key_or_a_click_beside_it(driver: WindowDriver) -> None:
    for key in ("Esc", "Enter", "F1"):
        driver.press("help")
        driver.click(driver.dialog(HelpDialog).rect.center)
        driver.click((driver.dialog(HelpDialog).rect.left - 5, driver.dialog().rect.centery))
        assert driver.scene.dialog is None
        driver.press("help")
        driver.keys(key)
        assert driver.scene.dialog is None


@pytest.mark.parametrize("mode", MODES)
def test_the_same_state_builds_an_equal_widget_tree(open_window: OpenWindow, mode: str) -> None:
    driver = open_window(PERSON, computer("first"))
    driver.type("f5")
    driver.switch(mode)
    driver.open("save")
    driver.settle()
    assert driver.scene.draw(pygame.Surface(DESIGN_SIZE)) == []
    driver.scene.show(time.monotonic())
    assert driver.scene.draw(pygame.Surface(DESIGN_SIZE)) == []


def test_a_key_is_read_in_the_state_after_the_key_before(driver: WindowDriver) -> None:
    for key, mod in ((pygame.K_n, pygame.KMOD_CTRL), (pygame.K_ESCAPE, 0)):
        for kind in (pygame.KEYDOWN, pygame.KEYUP):
            pygame.event.post(pygame.event.Event(kind, key=key, unicode="", mod=mod))
    driver.turn()
    assert driver.scene.dialog is None


def test_full_screen_begins_where_the_user_has_left_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = SimpleNamespace(position=(30, 40))
    monkeypatch.setattr(window, "_window", lambda: fake)
    geometry = window.WindowGeometry()
    geometry.handle_event(pygame.WINDOWMINIMIZED, 0.0)
    geometry.handle_event(pygame.WINDOWSHOWN, 5.0)
    fake.position = (600, 1160)  # on the way back, beyond the screen
    geometry.handle_event(pygame.WINDOWMOVED, 5.1)
    geometry.mend()
    assert fake.position == (30, 40)
    geometry.handle_event(pygame.WINDOWMINIMIZED, 10.0)
    geometry.handle_event(pygame.WINDOWSHOWN, 11.0)
    fake.position = (300, 200)  # the user has moved the window
    geometry.handle_event(pygame.WINDOWMOVED, 15.0)
    geometry.mend()
    assert fake.position == (300, 200)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no X11")
def test_missing_libraries_of_x11_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(name: str, **_: object) -> None:
        if name in ("libXi.so.6", "libXrandr.so.2"):
            raise OSError(name)

    pygame.display.quit()
    for variable in ("WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("DISPLAY", ":no-such-display")
    monkeypatch.setattr(ctypes, "CDLL", load)
    with pytest.raises(DisplayError, match=r"libXi\.so\.6, libXrandr\.so\.2\..* apt install libxi6 libxrandr2"):
        open_window()
