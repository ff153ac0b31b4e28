"""The end of a game: the buttons that lead on, one order of scores, and the keyboard."""

import pytest

from othello.gui.toolkit.controls import Button
from othello.play import session_commands as cmd
from othello.rules.protocol import Color
from tests.gui.window_driver import OpenWindow, WindowDriver
from tests.play.fake_players import PERSON, computer
from tests.play.test_library import WIPE_OUT


@pytest.fixture
def finished(open_window: OpenWindow) -> WindowDriver:
    """Play a short game of two people to its end."""
    driver = open_window(PERSON, PERSON)
    driver.type(WIPE_OUT)
    driver.settle()
    assert driver.session.referee.is_over
    return driver


def test_a_finished_game_leads_to_new_games(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, computer("first"))
    driver.do(cmd.Resign())
    assert driver.has("again")
    driver.keys("Esc")
    assert not driver.has("again"), "the panel with the result is closed"
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


def test_enter_reviews_a_finished_game_that_was_opened(open_window: OpenWindow, finished: WindowDriver) -> None:
    game = finished.session.game
    old = open_window(PERSON, computer("first"))
    old.do(cmd.OpenGame(game))
    assert [button.name for button in old.panels(Button) if button.kind == "primary"] == ["look_back"]
    old.keys("Enter")
    assert old.scene.mode.name == "review"
    assert old.session.game.moves == game.moves


def test_enter_plays_again_after_an_own_game(finished: WindowDriver) -> None:
    finished.keys("Enter")
    assert finished.moves() == []
    assert all(finished.session.players[color].is_user for color in Color)
