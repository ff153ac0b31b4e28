"""Tests for all screens: the receiver of a click, and little work while nothing happens."""

import sys
import time
from collections import Counter
from types import FrameType

import pytest

from othello.game import Game
from othello.gui import commands as gui
from othello.gui.mode_registry import MODES
from othello.play.referee import Fault, Forfeit
from othello.play.session_commands import HoldAnalyses
from othello.rules.othello import Othello
from othello.rules.protocol import Color
from tests.gui.window_driver import OpenWindow, WindowDriver
from tests.play.fake_players import PERSON
from tests.play.session_driver import PASS_AHEAD
from tests.positions import parse_board

STEP = 20


def test_after_an_error_nothing_is_kept_that_may_have_caused_it(driver: WindowDriver) -> None:
    driver.scene.widgets.state["moves"] = "damaged"
    driver.scene.recover("An error", "for a test", 0.0)
    assert driver.scene.widgets.state == {}


def test_a_click_on_the_board_makes_a_pass_that_is_announced(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON, start=Game.new(Othello(), parse_board(PASS_AHEAD)))
    driver.click_square("a1")
    assert driver.session.announces_pass
    driver.click_square("d4")
    assert not driver.session.announces_pass
    assert driver.session.game.ply == 2


def test_an_answer_to_the_person_goes_by_itself(open_window: OpenWindow) -> None:
    over = parse_board("X" * 40 + "O" * 24 + " X")  # no clock runs that would wake the window
    driver = open_window(PERSON, PERSON, start=Game.new(Othello(), over))
    driver.settle()
    now = time.monotonic()
    driver.scene.do(gui.ShowMessage("well done", is_success=True), now)
    driver.scene.update(now)
    assert driver.status == "well done"
    wake = driver.scene.next_wake(now)
    assert wake is not None
    driver.scene.update(wake)
    assert driver.status != "well done"


def test_nothing_is_half_typed_when_the_game_is_over(driver: WindowDriver) -> None:
    driver.type("d")
    assert driver.board.typed is not None
    driver.session.referee.forfeit = Forfeit(Color.BLACK, Fault.OUT_OF_TIME)
    driver.turn()
    assert driver.scene.view_state.typed is None


def test_the_menu_offers_to_resign_only_in_a_game_that_goes_on(open_window: OpenWindow) -> None:
    for start, is_enabled in (("-" * 27 + "OX------XO" + "-" * 27 + " X", True), ("X" * 40 + "O" * 24 + " X", False)):
        driver = open_window(PERSON, PERSON, start=Game.new(Othello(), parse_board(start)))
        driver.open("menu")
        assert driver.is_enabled("resign") is is_enabled
        assert driver.is_enabled("draw") is is_enabled


def test_the_menu_closes_when_something_is_chosen(driver: WindowDriver) -> None:
    driver.open("menu")
    driver.press("analyse")
    assert driver.scene.dialog is None
    assert driver.scene.mode.name == "analyse"


@pytest.mark.parametrize("mode", MODES)
def test_an_idle_update_asks_the_rules_nothing_and_declares_nothing(driver: WindowDriver, mode: str) -> None:
    driver.type("d3c3")
    driver.switch(mode)
    driver.settle()
    driver.session.do(HoldAnalyses(True), time.monotonic())
    driver.settle()
    driver.scene.update(time.monotonic())
    called: Counter[str] = Counter()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            called[f"{frame.f_code.co_filename}:{frame.f_code.co_name}".replace("\\", "/")] += 1

    now = time.monotonic() + 1  # a person's clock shows another time
    sys.setprofile(note)
    try:
        driver.scene.update(now)
        driver.scene.next_wake(now)
    finally:
        sys.setprofile(None)
    unwanted = "/othello/rules/", "/othello/schema.py", "/gui/room.py:show"
    assert {name: times for name, times in called.items() if any(each in name for each in unwanted)} == {}
    assert sum(called.values()) < 400
