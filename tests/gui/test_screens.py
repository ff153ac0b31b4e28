"""Messages, the menu, and little work while nothing happens."""

import sys
import time
from collections import Counter
from types import FrameType

import pytest

from othello.game import Game
from othello.gui import commands as gui
from othello.gui.mode_registry import MODES
from othello.play.referee import Fault, Forfeit
from othello.play.session_commands import HoldAnalyses, Resign
from othello.rules.othello import Othello
from othello.rules.protocol import Color
from tests.gui.window_driver import OpenWindow, WindowDriver
from tests.play.fake_players import PERSON
from tests.positions import parse_board


def test_an_error_resets_the_state_of_the_widgets(driver: WindowDriver) -> None:
    driver.scene.widgets.state["moves"] = "damaged"
    driver.scene.recover("An error", "for a test", 0.0)
    assert driver.scene.widgets.state == {}


def test_a_message_disappears_by_itself(open_window: OpenWindow) -> None:
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


def test_the_end_of_a_game_drops_a_half_typed_move(driver: WindowDriver) -> None:
    driver.type("d")
    assert driver.board.typed is not None
    driver.session.referee.forfeit = Forfeit(Color.BLACK, Fault.OUT_OF_TIME)
    driver.turn()
    assert driver.scene.view_state.typed is None


def test_the_menu_offers_to_resign_in_a_running_game_and_closes_with_a_choice(driver: WindowDriver) -> None:
    for is_enabled in (True, False):
        driver.open("menu")
        assert driver.is_enabled("resign") is is_enabled
        assert driver.is_enabled("draw") is is_enabled
        driver.keys("Esc")
        driver.do(Resign())
    driver.open("menu")
    driver.press("analyse")
    assert driver.scene.dialog is None
    assert driver.scene.mode.name == "analyse"


@pytest.mark.parametrize("mode", MODES)
def test_an_idle_update_calls_no_rules_and_builds_no_widgets(driver: WindowDriver, mode: str) -> None:
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
