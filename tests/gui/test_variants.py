"""Other rules at the window."""

from collections.abc import Callable

import pygame
import pytest

from othello.gui import sentences
from othello.rules.registry import game_spec
from othello.texts import say
from tests.gui.desk import Desk
from tests.play.faulty import PERSON, computer

SitDown = Callable[..., Desk]


def test_the_centre_of_reversi_is_filled_by_clicks(sit_down: SitDown) -> None:
    desk = sit_down(PERSON, PERSON, spec=game_spec(options={"start": "reversi"}))
    desk.click_square("c3")
    assert desk.moves() == []
    for name in ("d4", "d5", "e4", "e5"):
        assert desk.shows(name) == "empty"
        desk.click_square(name)
        desk.settle()
    assert [desk.shows(name) for name in ("d4", "d5", "e4", "e5")] == ["black", "white", "black", "white"]
    desk.click_square("d6")
    desk.settle()
    assert [desk.shows(name) for name in ("d5", "e5", "d6")] == ["black", "white", "black"]


@pytest.mark.parametrize("window", [(1280, 800), (900, 600)])
@pytest.mark.slow
def test_a_small_board_is_played_on_by_clicks(sit_down: SitDown, window: tuple[int, int]) -> None:
    desk = sit_down(PERSON, computer("first"), spec=game_spec(options={"size": 6, "handicap": 2}))
    desk.resize(window)
    desk.settle()
    lie = {"a1": "black", "c3": "white", "d3": "black", "c4": "black", "d4": "white", "f6": "black", "f1": "empty"}
    assert {name: desk.shows(name) for name in lie} == lie
    desk.assert_laid_out()
    desk.click_square("c2")
    desk.until(lambda: desk.session.game.ply == 2)
    assert desk.moves()[0] == "c2"
    assert desk.shows("c3") == "black"
    while not desk.session.game.is_over:
        if desk.session.awaits_person and not desk.session.announces_pass:
            desk.click_square(desk.session.game.text_of(desk.session.game.legal_moves()[0]))
        elif desk.session.announces_pass:
            desk.key(pygame.K_RETURN)
        desk.settle()
    assert sum(desk.session.game.rules.score(desk.session.game.position)) > 20


def test_a_random_start_is_drawn_while_the_window_waits(sit_down: SitDown) -> None:
    desk = sit_down(PERSON, computer("first"), spec=game_spec(options={"start": "random"}))
    assert sentences.status(desk.session, "", counts=True) == say("status.drawing")
    desk.until(lambda: not desk.session.is_drawing)
    assert desk.session.game.ply == 8
    assert desk.session.awaits_person
    desk.click_square(desk.session.game.text_of(desk.session.game.legal_moves()[0]))
    desk.until(lambda: desk.session.game.ply == 10)
