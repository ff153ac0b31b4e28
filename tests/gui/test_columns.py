"""A game in which one points at columns, at the window."""

from collections.abc import Callable

import pygame

from othello.gui.faces.face import face_of
from othello.gui.preferences import palette_named
from othello.gui.sounds import Sound
from othello.rules.registry import game_spec, rules_of
from tests.gui.desk import Desk
from tests.play.faulty import PERSON

Open = Callable[..., Desk]
SPEC = game_spec("connect_four")
RULES = rules_of(SPEC)


def columns(desk: Desk) -> str:
    game = desk.session.game
    return "".join(map(RULES.move_text, game.positions, game.moves))


def test_a_click_anywhere_in_a_column_drops_a_disc_there(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON, spec=SPEC)
    place = desk.board_place
    for square in (3, 17, 38):
        desk.click(place.square_rect(square).center)
    column = place.square_rect(0).centerx
    for y in (place.board.top + 1, place.board.bottom - 2):
        desk.click((column, y))
    assert columns(desk) == "44411"
    desk.click((column, place.board.top - 5))
    assert columns(desk) == "44411"


def test_a_digit_or_a_letter_is_a_whole_move(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON, spec=SPEC)
    desk.type("4d17")
    assert columns(desk) == "4417"
    desk.type("4444")
    assert columns(desk) == "44174444"
    desk.type("4")
    assert columns(desk) == "44174444"
    assert desk.is_bad


def test_arrows_go_from_landing_place_to_landing_place(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON, spec=SPEC)
    desk.type("22")
    desk.key(pygame.K_RIGHT)  # the cursor appears where the discs lie highest
    desk.key(pygame.K_RIGHT)
    desk.key(pygame.K_RETURN)
    assert columns(desk) == "223"


def test_the_mouse_shows_where_the_disc_would_land(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON, spec=SPEC)
    place = desk.board_place
    desk.point_at(place.square_rect(3).center)
    assert desk.board.pointed == 38


def test_the_end_tells_no_points_and_strikes_the_row(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON, spec=SPEC)
    desk.type("1122334")
    desk.settle()
    assert "0" not in desk.status
    assert not any(card.points for card in desk.cards)
    place = desk.board_place
    between = place.square_rect(36).right, place.square_rect(36).centery
    assert desk.pixel(between) == palette_named().last_move


def test_both_colours_differ_by_more_than_colour() -> None:
    pygame.font.init()
    images = []
    for color in rules_of(SPEC).start().to_move, rules_of(SPEC).start().to_move.opponent:
        image = pygame.Surface((60, 60))
        face_of(SPEC, palette_named()).draw_piece(image, (30, 30), 60, color)
        centre, ring = (sum(image.get_at(at)[:3]) for at in ((30, 30), (30 + 16, 30)))
        images.append(abs(centre - ring))
    assert images[1] > images[0] + 100


def test_a_disc_that_falls_sounds_as_a_move_and_not_as_discs_that_turn(sit_down: Open) -> None:
    desk = sit_down(PERSON, PERSON, spec=SPEC)
    desk.type("4")
    assert desk.scene.looking.flip is not None
    heard = [*desk.scene.heard]
    while desk.scene.looking.flip is not None:
        desk.turn()
        heard += desk.scene.heard
    assert heard == [Sound.MOVE]
