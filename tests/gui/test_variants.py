"""Other rules at the window."""

import pytest

from othello.gui import status_text
from othello.rules.registry import game_spec
from othello.texts import tr
from tests.gui.window_driver import COMPILE_TIMEOUT, OpenWindow
from tests.play.fake_players import PERSON, computer


def test_the_centre_of_reversi_is_filled_by_clicks(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON, spec=game_spec(options={"start": "reversi"}))
    driver.click_square("c3")
    assert driver.moves() == []
    for name in ("d4", "d5", "e4", "e5"):
        assert driver.shows(name) == "empty"
        driver.click_square(name)
        driver.settle()
    assert [driver.shows(name) for name in ("d4", "d5", "e4", "e5")] == ["black", "white", "black", "white"]
    driver.click_square("d6")
    driver.settle()
    assert [driver.shows(name) for name in ("d5", "e5", "d6")] == ["black", "white", "black"]


@pytest.mark.parametrize("window", [(1280, 800), (900, 600)])
@pytest.mark.slow
def test_a_game_on_a_small_board_is_played_by_clicks(open_window: OpenWindow, window: tuple[int, int]) -> None:
    driver = open_window(PERSON, computer("first"), spec=game_spec(options={"size": 6, "handicap": 2}))
    driver.resize(window)
    driver.settle()
    discs = {"a1": "black", "c3": "white", "d3": "black", "c4": "black", "d4": "white", "f6": "black", "f1": "empty"}
    assert {name: driver.shows(name) for name in discs} == discs
    driver.assert_laid_out()
    driver.click_square("c2")
    driver.until(lambda: driver.session.game.ply == 2)
    assert driver.moves()[0] == "c2"
    assert driver.shows("c3") == "black"
    while not driver.session.game.is_over:
        if driver.session.awaits_user and not driver.session.announces_pass:
            driver.click_square(driver.session.game.text_of(driver.session.game.legal_moves()[0]))
        elif driver.session.announces_pass:
            driver.keys("Enter")
        driver.settle()
    assert sum(driver.session.game.rules.score(driver.session.game.position)) > 20


def test_a_random_start_is_drawn_while_the_window_waits(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, computer("first"), spec=game_spec(options={"start": "random"}))
    assert status_text.status(driver.session, "", counts=True) == tr("status.drawing")
    driver.until(lambda: not driver.session.is_drawing, COMPILE_TIMEOUT)
    assert driver.session.game.ply == 8
    assert driver.session.awaits_user
    driver.click_square(driver.session.game.text_of(driver.session.game.legal_moves()[0]))
    driver.until(lambda: driver.session.game.ply == 10)
