"""What all rooms have in common: who hears a click, and how little is done while nothing happens."""

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from types import FrameType

import pygame
import pytest
from pygame import Rect

from othello.game import Game
from othello.gui import commands as gui
from othello.gui.modes import MODES
from othello.gui.toolkit.button import Button
from othello.gui.toolkit.inputs import PointAt, PressAt, PressRight, Release, Scroll
from othello.play.commands import HoldAnalyses
from othello.play.referee import Fault, Forfeit
from othello.rules.othello import Othello
from othello.rules.protocol import Color
from tests.gui.desk import Desk
from tests.play.faulty import PERSON
from tests.play.table import PASS_AHEAD
from tests.positions import parse_board

Sit = Callable[..., Desk]

STEP = 20


def points(area: Rect) -> Iterator[tuple[int, int]]:
    return ((x, y) for x in range(area.left, area.right, STEP) for y in range(area.top, area.bottom, STEP))


def heard(desk: Desk, at: tuple[int, int]) -> list[object]:
    """What follows from all that a mouse can do at a point."""
    done = (PointAt(at), PressAt(at), Release(), PressRight(at), Scroll(1), Scroll(-1))
    return [command for each in done for command in desk.scene.stage.take(each, 0.0)]


@pytest.mark.parametrize("mode", MODES)
def test_nothing_behind_a_dialog_hears_a_click(sit_down: Sit, mode: str) -> None:
    desk = sit_down(PERSON, PERSON)
    desk.type("d3c3")
    desk.scene.do(gui.SwitchMode(mode), 0.0)
    desk.turn()
    before = [(each.panel, each.rect) for each in desk.scene.stage.panels()]
    desk.scene.do(gui.Open("about"), 0.0)
    desk.turn()
    stage, dialog = desk.scene.stage, desk.placed("dialog").rect
    focus = stage.focus
    behind = [at for at in points(desk.scene.window) if not dialog.collidepoint(at)]
    assert len(behind) > 1000
    assert [at for at in behind if heard(desk, at)] == []
    assert stage.focus == focus
    desk.key(pygame.K_ESCAPE)
    stage.take(PointAt(None), 0.0)
    desk.turn()
    after = [(each.panel, each.rect) for each in stage.panels()]
    assert [type(panel) for panel, _ in after] == [type(panel) for panel, _ in before]
    assert [rect for _, rect in after] == [rect for _, rect in before]


def test_nothing_behind_the_result_hears_a_click(sit_down: Sit) -> None:
    board = parse_board("X" * 40 + "O" * 24 + " X")
    desk = sit_down(PERSON, PERSON, start=Game.new(Othello(), board))
    (card,) = (each for each in desk.scene.stage.panels() if type(each.panel).__name__ == "Placing")
    buttons = [each.rect for each in card.walk() if isinstance(each.panel, Button)]
    assert len(buttons) == 3
    card_only = [at for at in points(card.parts[0].rect) if not any(rect.collidepoint(at) for rect in buttons)]
    assert len(card_only) > 50
    assert [at for at in card_only if heard(desk, at)] == []


def test_after_an_error_nothing_is_kept_that_may_have_caused_it(sit_down: Sit) -> None:
    desk = sit_down(PERSON, PERSON)
    desk.scene.stage.kept["moves"] = "damaged"
    desk.scene.recover("An error", "for a test", 0.0)
    assert desk.scene.stage.kept == {}


def test_a_click_on_the_board_makes_a_pass_that_is_announced(sit_down: Sit) -> None:
    desk = sit_down(PERSON, PERSON, start=Game.new(Othello(), parse_board(PASS_AHEAD)))
    desk.click_square("a1")
    assert desk.session.announces_pass
    desk.click_square("d4")
    assert not desk.session.announces_pass
    assert desk.session.game.ply == 2


def test_an_answer_to_the_person_goes_by_itself(sit_down: Sit) -> None:
    over = parse_board("X" * 40 + "O" * 24 + " X")  # no clock runs that would wake the window
    desk = sit_down(PERSON, PERSON, start=Game.new(Othello(), over))
    desk.settle()
    now = time.monotonic()
    desk.scene.do(gui.Tell("well done", is_good=True), now)
    desk.scene.update(now)
    assert desk.status == "well done"
    wake = desk.scene.next_wake(now)
    assert wake is not None
    desk.scene.update(wake)
    assert desk.status != "well done"


def test_nothing_is_half_typed_when_the_game_is_over(sit_down: Sit) -> None:
    desk = sit_down(PERSON, PERSON)
    desk.type("d")
    desk.turn()
    assert desk.board.typed is not None
    desk.session.referee.forfeit = Forfeit(Color.BLACK, Fault.OUT_OF_TIME)
    desk.turn()
    assert desk.scene.looking.typed is None


def test_the_menu_offers_to_resign_only_in_a_game_that_goes_on(sit_down: Sit) -> None:
    for start, is_enabled in (("-" * 27 + "OX------XO" + "-" * 27 + " X", True), ("X" * 40 + "O" * 24 + " X", False)):
        desk = sit_down(PERSON, PERSON, start=Game.new(Othello(), parse_board(start)))
        desk.scene.do(gui.Open("menu"), 0.0)
        desk.turn()
        assert desk.is_enabled("resign") is is_enabled
        assert desk.is_enabled("draw") is is_enabled


def test_the_menu_closes_when_something_is_chosen(sit_down: Sit) -> None:
    desk = sit_down(PERSON, PERSON)
    desk.scene.do(gui.Open("menu"), 0.0)
    desk.turn()
    desk.press("analyse")
    desk.turn()
    assert desk.scene.dialog is None
    assert desk.scene.mode.name == "analyse"


@pytest.mark.parametrize("mode", MODES)
def test_an_idle_update_asks_the_rules_nothing_and_declares_nothing(sit_down: Sit, mode: str) -> None:
    desk = sit_down(PERSON, PERSON)
    desk.type("d3c3")
    desk.scene.do(gui.SwitchMode(mode), time.monotonic())
    desk.settle()
    desk.session.do(HoldAnalyses(True), time.monotonic())
    desk.settle()
    desk.scene.update(time.monotonic())
    called: Counter[str] = Counter()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            called[f"{frame.f_code.co_filename}:{frame.f_code.co_name}".replace("\\", "/")] += 1

    now = time.monotonic() + 1  # a person's clock shows another time
    sys.setprofile(note)
    try:
        desk.scene.update(now)
        desk.scene.next_wake(now)
    finally:
        sys.setprofile(None)
    unwanted = "/othello/rules/", "/othello/schema.py", "/gui/room.py:show"
    assert {name: times for name, times in called.items() if any(each in name for each in unwanted)} == {}
    assert sum(called.values()) < 400
