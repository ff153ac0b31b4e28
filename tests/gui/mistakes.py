"""A game with mistakes, to look back on and to learn from."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import pygame
from othello.gui.scenes.review import ReviewMode
from othello.gui.scenes.train import TrainMode
from pygame import Rect

from othello.play import commands as play
from tests.gui.desk import Desk
from tests.play.faulty import PERSON, computer

SIZES = ((900, 600), (1280, 800), (2560, 1600), (900, 1500))


def play_badly(desk: Desk, plies: int) -> None:
    """Always take as few discs as possible, which the judge holds to be wrong."""
    session = desk.session
    while session.game.ply < plies and not session.referee.is_over:
        desk.until(lambda: session.awaits_person or session.announces_pass or session.referee.is_over)
        game = session.game
        if session.announces_pass or session.referee.is_over:
            session.do(play.Acknowledge(), 0.0)
            continue
        move = min(game.legal_moves(), key=lambda move: len(game.rules.captured(game.position, move)))
        session.do(play.PlayMove(move), 0.0)
        desk.turn()
    desk.until(lambda: session.awaits_person or session.referee.is_over)


def played_badly(sit_down: Callable[..., Desk]) -> Desk:
    """A game of a person who plays badly, some moves old."""
    desk = sit_down(PERSON, computer("first"))
    play_badly(desk, 14)
    return desk


def review(desk: Desk) -> ReviewMode:
    """Have the game judged, and look at what was found."""
    desk.key(pygame.K_3, "3", pygame.KMOD_CTRL)
    desk.key(pygame.K_g, "g", pygame.KMOD_CTRL)
    desk.until(lambda: mode_of(desk, ReviewMode)._missing == 0)
    desk.settle()
    return mode_of(desk, ReviewMode)


def mode_of(desk: Desk, kind: type) -> ReviewMode:
    mode = desk.scene.mode
    assert isinstance(mode, kind)
    return mode  # type: ignore[return-value]


def train(desk: Desk) -> TrainMode:
    review(desk)
    desk.key(pygame.K_RETURN)
    mode = desk.scene.mode
    assert isinstance(mode, TrainMode)
    return mode


def press(desk: Desk, button: str) -> None:
    assert desk.scene.mode is not None
    desk.click(desk.scene.mode.buttons(desk.scene.layout)[button].center)


def click_move(desk: Desk, move: int) -> None:
    desk.click(desk.board_place.square_rect(move).center)


def assert_apart(places: dict[str, Rect], window: Rect | None) -> None:
    for (one, first), (other, second) in combinations(places.items(), 2):
        assert not first.colliderect(second), (one, other)
    for name, rect in places.items():
        assert window is None or window.contains(rect), name
