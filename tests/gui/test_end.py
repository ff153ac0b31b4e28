"""The end of a game: the buttons that lead on, one order of scores, and the keyboard."""

import pytest

from othello.gui.toolkit.controls import Button
from othello.play import session_commands as cmd
from othello.rules.protocol import Color
from tests.gui.window_driver import OpenWindow, WindowDriver
from tests.play.fake_players import PERSON, computer

LOST = (
    "e6d6c3f4d7c5g4g3c4g5b5c7f5a5a6d8a4f7f6d3h4c2e7e3g6f8b4b3e2h5"
    "b6f3h6g7c6a7d2d1c1b1c8b2h7h8h2a3h3h1f2g2f1g1e8g8a2a1b7b8a8e1"
)
"""Two people play; Black has 12 discs in the end, and White 52."""


@pytest.fixture
def finished(open_window: OpenWindow) -> WindowDriver:
    driver = open_window(PERSON, PERSON)
    driver.type(LOST)
    driver.settle()
    assert driver.session.referee.is_over
    return driver


@pytest.mark.parametrize("is_closed", [True, False])
def test_the_buttons_below_the_board_lead_on_from_a_finished_game(open_window: OpenWindow, is_closed: bool) -> None:
    driver = open_window(PERSON, computer("first"))
    before = [driver.has(name) for name in ("pause", "hint", "resign")]
    driver.do(cmd.Resign())
    if is_closed:
        driver.keys("Esc")
        assert not driver.has("again"), "the panel with the result is closed"
    assert before == [True, True, True]
    assert not any(driver.has(name) for name in ("pause", "hint", "resign", "draw"))
    assert all(driver.is_enabled(name) for name in ("to_review", "play_again", "another"))
    driver.press("another")
    assert driver.scene.dialog is not None
    driver.keys("Esc")
    driver.press("play_again")
    assert not driver.session.referee.is_over
    assert driver.has("resign")


def test_tab_reaches_all_buttons_of_the_panel_and_then_the_others(finished: WindowDriver) -> None:
    visited = []
    for _ in range(40):
        finished.keys("Tab")
        visited.append(finished.scene.widgets.focus)
    assert visited[:3] == ["again", "look_back", "board"]
    assert {"to_review", "play_again", "another", "new"} <= set(visited)


def test_enter_on_an_old_finished_game_reviews_it(open_window: OpenWindow, finished: WindowDriver) -> None:
    game = finished.session.game
    old = open_window(PERSON, computer("first"))
    old.do(cmd.OpenGame(game))
    main = old.panels(Button)
    assert [each.name for each in main if each.kind == "primary"] == ["look_back"]
    old.keys("Enter")
    assert old.scene.mode.name == "review"
    assert old.session.game.moves == game.moves


def test_enter_after_a_game_of_ones_own_plays_again(finished: WindowDriver) -> None:
    finished.keys("Enter")
    assert finished.moves() == []
    assert all(finished.session.players[color].is_user for color in Color)
