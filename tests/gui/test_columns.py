"""A game in which one points at columns, at the window."""

import pygame

from othello.gui.preferences import palette_named
from othello.gui.sounds import Sound
from othello.rules.registry import game_spec, rules_of
from tests.gui.window_driver import OpenWindow, WindowDriver
from tests.play.fake_players import PERSON

SPEC = game_spec("connect_four")
RULES = rules_of(SPEC)


def columns(driver: WindowDriver) -> str:
    game = driver.session.game
    return "".join(map(RULES.move_text, game.positions, game.moves))


def test_a_click_anywhere_in_a_column_drops_a_disc_there(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON, spec=SPEC)
    place = driver.board_place
    for square in (3, 17, 38):
        driver.click(place.square_rect(square).center)
    column = place.square_rect(0).centerx
    for y in (place.board.top + 1, place.board.bottom - 2):
        driver.click((column, y))
    assert columns(driver) == "44411"
    driver.click((column, place.board.top - 5))
    assert columns(driver) == "44411"


def test_a_digit_or_a_letter_is_a_whole_move(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON, spec=SPEC)
    driver.type("4d17")
    assert columns(driver) == "4417"
    driver.type("4444")
    assert columns(driver) == "44174444"
    driver.type("4")
    assert columns(driver) == "44174444"
    assert driver.is_bad


def test_arrows_go_from_landing_place_to_landing_place(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON, spec=SPEC)
    driver.type("22")
    driver.key(pygame.K_RIGHT)  # the cursor appears where the discs lie highest
    driver.keys("Right", "Enter")
    assert columns(driver) == "223"


def test_the_mouse_shows_where_the_disc_would_land(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON, spec=SPEC)
    place = driver.board_place
    driver.point_at(place.square_rect(3).center)
    assert driver.scene.renderer.pointed_move(driver.board) == 38


def test_the_end_tells_no_points_and_strikes_the_row(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON, spec=SPEC)
    driver.type("1122334")
    driver.settle()
    assert "0" not in driver.status
    assert not any(card.points for card in driver.cards)
    place = driver.board_place
    between = place.square_rect(36).right, place.square_rect(36).centery
    assert driver.pixel(between) == palette_named().last_move


def test_a_disc_that_falls_sounds_as_a_move_and_not_as_discs_that_turn(open_window: OpenWindow) -> None:
    driver = open_window(PERSON, PERSON, spec=SPEC)
    driver.type("4")
    assert driver.scene.view_state.flip is not None
    driver.until(lambda: driver.scene.view_state.flip is None)
    assert driver.sounds == (Sound.MOVE,)
