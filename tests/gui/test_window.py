"""The window, driven by real events on a screen that nobody sees."""

import ctypes
import sys
import time
from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import pygame
import pytest

from othello.errors import DisplayError
from othello.game import Game
from othello.gui import commands as gui
from othello.gui import loop, window
from othello.gui.dialogs.help import HelpDialog
from othello.gui.modes import MODES, REGISTRY
from othello.gui.play.table import Table
from othello.gui.preferences import palette_named
from othello.gui.window import DESIGN_SIZE, open_window
from othello.play.commands import TogglePause, Undo
from othello.players.registry import configure, create_player
from othello.rules.protocol import Color
from othello.rules.registry import game_spec, rules_of
from tests.gui.desk import Desk
from tests.play.faulty import PERSON, computer

Open = Callable[..., Desk]


def test_a_click_plays_and_discs_turn_over(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON)
    desk.click_square("d3")
    desk.settle()
    assert desk.moves() == ["d3"]
    assert [desk.shows(name) for name in ("d3", "d4", "e5", "a1")] == ["black", "black", "white", "empty"]


def test_a_click_on_an_illegal_square_is_answered_in_words(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON)
    desk.click_square("a1")
    assert desk.moves() == []
    desk.click_square("d3")
    assert desk.moves() == ["d3"]


def test_moves_can_be_typed(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON)
    desk.type("d3c5")
    assert desk.moves() == ["d3", "c5"]
    desk.type("da1")  # a letter on second thoughts, and an illegal move
    assert desk.moves() == ["d3", "c5"]


def test_the_named_opening_stands_above_the_board_with_where_a_move_leads(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON)
    desk.type("f5d6c5f4e3c6d3f6")
    desk.point_at(desk.board_place.square_rect(desk.square("e6")).center)
    desk.settle()
    assert "Perpendicular · e6 leads to Rose" in desk.words()
    desk.type("e6d7")
    desk.scene.do(gui.SwitchMode("analyse"), 0.0)
    desk.turn()
    assert "Rose" in desk.words()
    desk.scene.do(gui.SwitchMode("edit"), 0.0)
    desk.turn()
    assert "Rose" not in desk.words()
    desk.scene.do(gui.SwitchMode("review"), 0.0)
    desk.turn()
    assert any(words.startswith("Opening: Perpendicular, Rose.") for words in desk.words())


def test_moves_can_be_chosen_with_the_cursor(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON)
    desk.key(pygame.K_RIGHT)  # the cursor appears on d3, the first legal square
    desk.key(pygame.K_LEFT)
    desk.key(pygame.K_DOWN)
    desk.key(pygame.K_RETURN)
    assert desk.moves() == ["c4"]


def test_moves_can_be_chosen_among_the_legal_ones(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON)
    desk.key(pygame.K_TAB, "\t")
    desk.key(pygame.K_TAB, "\t")
    desk.key(pygame.K_RETURN)
    assert desk.moves() == ["c4"]
    desk.key(pygame.K_TAB, "\t", pygame.KMOD_LSHIFT)
    desk.key(pygame.K_RETURN)
    assert desk.moves() == ["c4", "e3"]


def test_the_first_picture_is_whole(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON)
    scene = Table(desk.session, DESIGN_SIZE, time.monotonic(), REGISTRY)
    pictures = []
    for _ in range(2):
        surface = pygame.Surface(DESIGN_SIZE)
        scene.redraw()
        scene.draw(surface)
        pictures.append(pygame.surfarray.array3d(surface))
        scene.update(time.monotonic())
    assert np.array_equal(pictures[0], pictures[1])


def test_buttons_do_what_they_say(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON)
    desk.type("d3c5")
    desk.press("undo")
    assert desk.moves() == ["d3"]
    desk.press("redo")
    assert desk.moves() == ["d3", "c5"]
    desk.press("first")
    assert desk.session.view.shown.ply == 0
    desk.press("forward")
    assert desk.session.view.shown.ply == 1
    desk.press("last")
    assert desk.session.view.is_at_latest
    desk.press("swap")
    desk.press("captures")
    desk.press("captures")
    assert not desk.board.shows_counts
    desk.press("hand_white")
    assert desk.session.seats[Color.WHITE].is_user, "a question comes first"
    desk.key(pygame.K_ESCAPE)
    assert desk.session.seats[Color.WHITE].is_user
    desk.press("hand_white")
    desk.press("yes")
    assert not desk.session.seats[Color.WHITE].is_user
    assert desk.scene.dialog is None
    desk.press("new")
    desk.key(pygame.K_ESCAPE)
    assert desk.moves() == ["d3", "c5"]


def test_the_pace_goes_the_way_that_is_written_on_it(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON, delay=0.8)
    desk.key(pygame.K_EQUALS, "+", pygame.KMOD_SHIFT)
    assert desk.session.pace.delay == 0.4
    desk.key(pygame.K_MINUS, "-")
    assert desk.session.pace.delay == 0.8


def test_text_on_buttons_grows_with_the_desktops_scale(sit_down: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(window, "desktop_scale", lambda: 2.0)
    desk = sit_down(PERSON, PERSON)

    def height_of_text() -> int:
        button = desk.scene.stage.place_of("new")
        rows = np.flatnonzero((desk.brightness(button.inflate(-12, -8)) > 150).any(axis=0))
        return int(rows[-1] - rows[0])

    small = height_of_text()
    desk.resize((2560, 1600))
    assert 1.8 * small < height_of_text() < 2.3 * small


@pytest.mark.parametrize("size", [(900, 600), (1000, 1300), (1600, 1000)])
def test_a_disabled_button_follows_the_window_at_once(sit_down: Open, size: tuple[int, int]) -> None:
    desk = sit_down(PERSON, PERSON)
    assert not desk.session.allows(Undo)
    desk.resize(size)
    button = desk.scene.stage.place_of("undo")
    for x in (button.left + 3, button.right - 4):
        assert desk.pixel((x, button.centery)) == palette_named().panel


def test_the_shown_move_stays_in_sight(sit_down: Open) -> None:
    desk = sit_down(configure("random", name="one"), configure("random", name="two"), players=create_player)
    desk.play_out()
    desk.key(pygame.K_ESCAPE)
    assert desk.rows_of_moves()[0] == 0
    desk.resize((900, 600))
    shorter = desk.rows_of_moves()[0]
    desk.type("v")
    assert 0 < shorter < desk.rows_of_moves()[0]


def test_a_move_in_the_list_can_be_visited(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON)
    desk.type("d3c5")
    moves = desk.placed("moves").rect
    desk.click((moves.left + 40, moves.top + 46))
    assert desk.session.view.shown.ply == 1
    desk.settle()
    assert desk.shows("c5") == "empty"
    desk.key(pygame.K_ESCAPE)
    assert desk.session.view.is_at_latest


def test_who_has_come_back_to_the_game_follows_it(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON)
    desk.type("d3c5")
    desk.key(pygame.K_HOME)
    desk.key(pygame.K_END)
    desk.type("d6")
    assert desk.moves() == ["d3", "c5", "d6"]
    assert len(desk.move_list.shown) == 3


def test_rules_that_are_not_the_usual_ones_are_told(sit_down: Open) -> None:
    rules = rules_of(game_spec("othello", {"goal": "fewest", "start": "alternate"}))
    desk = sit_down(PERSON, PERSON, start=Game.new(rules))
    assert desk.scene.toolbar().occasion == ("alternate start · fewest discs win",)
    desk.scene.occasion = ("Game 1 of 2", "1 of 2")
    told = ["alternate start · fewest discs win · Game 1 of 2", "alternate start · fewest discs win · 1 of 2"]
    assert [*desk.scene.toolbar().occasion] == [*told, "alternate start · fewest discs win"]
    usual = sit_down(PERSON, PERSON)
    assert usual.scene.toolbar().occasion == ()
    usual.scene.occasion = ("Game 1 of 2",)
    assert usual.scene.toolbar().occasion == ("Game 1 of 2",)


def test_nothing_is_drawn_while_nothing_changes(sit_down: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = sit_down(PERSON, PERSON)
    desk.session.do(TogglePause(), time.monotonic())  # a person's clock would tick
    desk.settle()
    drawn: list[object] = []
    monkeypatch.setattr(pygame.display, "update", drawn.append)
    for _ in range(20):
        loop.turn(desk.scene, time.monotonic() + 0.005)
    assert drawn == []
    assert desk.scene.next_wake(time.monotonic()) is None


def test_flips_are_animated_unless_turned_off(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON)
    desk.type("m")
    desk.type("d3")
    assert desk.shows("d4") == "black"
    desk.type("m")
    desk.type("c5")
    wake = desk.scene.next_wake(time.monotonic())
    assert wake is not None
    assert wake - time.monotonic() < 0.05  # the next frame of the animation
    desk.settle()
    assert desk.shows("d5") == "white"


@pytest.mark.parametrize("size", [(900, 600), (1280, 800), (1920, 1080), (1111, 777), (900, 1300), (2400, 610)])
def test_every_size_can_be_drawn_and_played(sit_down: Open, size: tuple[int, int]) -> None:
    desk = sit_down(PERSON, computer("first"), size=size)
    desk.type("v")
    desk.click_square("d3")
    desk.until(lambda: desk.session.game.ply == 2)
    desk.key(pygame.K_F1)
    desk.key(pygame.K_F1)
    desk.resize((size[1] + 300, size[0]))
    desk.press("undo")
    assert desk.moves() == []


def test_what_lies_under_the_list_of_keys_cannot_be_clicked(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON)
    desk.type("d3")
    undo = desk.placed("undo").rect.center
    desk.key(pygame.K_F1)
    desk.click(undo)
    assert desk.moves() == ["d3"]
    desk.key(pygame.K_ESCAPE)
    desk.press("undo")
    assert desk.moves() == []


@pytest.mark.parametrize("key", [pygame.K_ESCAPE, pygame.K_RETURN, pygame.K_F1])
def test_the_list_of_keys_is_closed_by_key(sit_down: Open, key: int) -> None:
    desk = sit_down(PERSON, PERSON)
    desk.press("help")
    assert isinstance(desk.scene.dialog, HelpDialog)
    desk.click(desk.scene.dialog.rect.center)
    assert isinstance(desk.scene.dialog, HelpDialog)
    desk.click((desk.scene.dialog.rect.left - 5, desk.scene.dialog.rect.centery))
    assert desk.scene.dialog is None, "a click beside the list of keys closes the list"
    desk.press("help")
    desk.key(key)
    assert desk.scene.dialog is None


@pytest.mark.parametrize("mode", MODES)
def test_a_tree_of_panels_is_a_value(sit_down: Open, mode: str) -> None:
    desk = sit_down(PERSON, computer("first"))
    desk.type("f5")
    desk.scene.do(gui.SwitchMode(mode), time.monotonic())
    desk.scene.do(gui.Open("save"), time.monotonic())
    desk.settle()
    assert desk.scene.draw(pygame.Surface(DESIGN_SIZE)) == []
    desk.scene.show(time.monotonic())
    assert desk.scene.draw(pygame.Surface(DESIGN_SIZE)) == [], "the same state declares an equal tree"


def test_a_key_means_what_it_does_after_the_one_before(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON)
    for key, mod in ((pygame.K_n, pygame.KMOD_CTRL), (pygame.K_ESCAPE, 0)):
        for kind in (pygame.KEYDOWN, pygame.KEYUP):
            pygame.event.post(pygame.event.Event(kind, key=key, unicode="", mod=mod))
    desk.turn()
    assert desk.scene.dialog is None


def test_full_screen_begins_where_people_have_left_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = SimpleNamespace(position=(30, 40))
    monkeypatch.setattr(window, "_window", lambda: fake)
    whereabouts = window.Whereabouts()
    whereabouts.hear(pygame.WINDOWMINIMIZED, 0.0)
    whereabouts.hear(pygame.WINDOWSHOWN, 5.0)
    fake.position = (600, 1160)  # on the way back, beyond the screen
    whereabouts.hear(pygame.WINDOWMOVED, 5.1)
    whereabouts.mend()
    assert fake.position == (30, 40)
    whereabouts.hear(pygame.WINDOWMINIMIZED, 10.0)
    whereabouts.hear(pygame.WINDOWSHOWN, 11.0)
    fake.position = (300, 200)  # somebody has moved it
    whereabouts.hear(pygame.WINDOWMOVED, 15.0)
    whereabouts.mend()
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
