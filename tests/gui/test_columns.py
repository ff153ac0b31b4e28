"""A game whose moves are columns, in the window."""

import pytest

from othello.gui.preferences import palette_named
from othello.gui.sounds import Sound
from othello.rules.registry import game_spec, rules_of
from tests.gui.window_driver import OpenWindow, WindowDriver
from tests.play.fake_players import PERSON

SPEC = game_spec("connect_four")
RULES = rules_of(SPEC)


@pytest.fixture
def driver(open_window: OpenWindow) -> WindowDriver:
    """Open a game of Connect Four for two people."""
    return open_window(PERSON, PERSON, spec=SPEC)


def columns(driver: WindowDriver) -> str:
    game = driver.session.game
    return "".join(map(RULES.move_text, game.positions, game.moves))


def test_a_click_anywhere_in_a_column_drops_a_disc_there(driver: WindowDriver) -> None:
    place = driver.board_place
    for square in (3, 17, 38):
        driver.click(place.square_rect(square).center)
    column = place.square_rect(0).centerx
    for y in (place.board.top + 1, place.board.bottom - 2):
        driver.click((column, y))
    assert columns(driver) == "44411"
    driver.click((column, place.board.top - 5))
    assert columns(driver) == "44411"


def test_a_digit_or_a_letter_is_a_whole_move(driver: WindowDriver) -> None:
    driver.type("4d17")
    assert columns(driver) == "4417"
    driver.type("4444")
    assert columns(driver) == "44174444"
    driver.type("4")
    assert columns(driver) == "44174444"
    assert driver.is_bad


def test_the_cursor_and_the_mouse_choose_where_a_disc_would_land(driver: WindowDriver) -> None:
    driver.point_at(driver.board_place.square_rect(3).center)
    assert driver.scene.renderer.pointed_move(driver.board) == 38
    driver.type("22")
    driver.keys("Right", "Right", "Enter")  # the cursor appears where the discs lie highest
    assert columns(driver) == "223"


def test_the_end_shows_no_points_and_a_line_through_the_row(driver: WindowDriver) -> None:
    driver.type("1122334")
    driver.settle()
    assert "0" not in driver.status
    assert not any(card.points for card in driver.cards)
    place = driver.board_place
    between = place.square_rect(36).right, place.square_rect(36).centery
    assert driver.pixel(between) == palette_named().last_move


def test_a_falling_disc_sounds_as_a_move(driver: WindowDriver) -> None:
    driver.type("4")
    assert driver.scene.view_state.flip is not None
    driver.until(lambda: driver.scene.view_state.flip is None)
    assert driver.sounds == (Sound.MOVE,)
