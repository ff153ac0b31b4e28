"""A game with mistakes, to look back on and to learn from."""

from collections.abc import Callable
from itertools import combinations
from typing import TypeVar

import pygame

from othello.gui.play.mode import Mode
from othello.gui.review.review import ReviewMode
from othello.gui.train.train import TrainMode
from othello.play import commands as play
from tests.gui.desk import Desk
from tests.play.faulty import PERSON, computer

M = TypeVar("M", bound=Mode)
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


def mode_of(desk: Desk, kind: type[M]) -> M:
    mode = desk.scene.mode
    assert isinstance(mode, kind)
    return mode


def train(desk: Desk) -> TrainMode:
    review(desk)
    desk.key(pygame.K_RETURN)
    return mode_of(desk, TrainMode)


def click_move(desk: Desk, move: int) -> None:
    desk.click(desk.board_place.square_rect(move).center)


def assert_apart(desk: Desk) -> None:
    """Whatever can be pressed lies apart and inside what holds it."""
    desk.assert_laid_out()
    buttons = [each for each in desk.scene.stage.panels() if each.panel.takes_focus or each.panel.name == "status"]
    for one, other in combinations(buttons, 2):
        assert not one.rect.clip(one.clip).colliderect(other.rect.clip(other.clip)), (one.panel, other.panel)
