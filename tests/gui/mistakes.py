"""A game with mistakes, to look back on and to learn from."""

from itertools import combinations
from typing import TypeVar

from othello.gui.modes.mode import Mode
from othello.gui.modes.review.review import ReviewMode
from othello.gui.modes.train.train import TrainMode
from othello.play import session_commands as cmd
from tests.gui.window_driver import OpenWindow, WindowDriver
from tests.play.fake_players import PERSON, computer

M = TypeVar("M", bound=Mode)
SIZES = ((900, 600), (1280, 800), (2560, 1600), (900, 1500))


def play_badly(driver: WindowDriver, plies: int) -> None:
    """Take as few discs as possible in each move: the analysis counts such moves as mistakes."""
    session = driver.session
    while session.game.ply < plies and not session.referee.is_over:
        driver.until(lambda: session.awaits_user or session.announces_pass or session.referee.is_over)
        game = session.game
        if session.awaits_user:
            move = min(game.legal_moves(), key=lambda move: len(game.rules.captured(game.position, move)))
            session.do(cmd.PlayMove(move), 0.0)
        else:
            session.do(cmd.Acknowledge(), 0.0)
        driver.turn()
    driver.until(lambda: session.awaits_user or session.referee.is_over)


def played_badly(open_window: OpenWindow) -> WindowDriver:
    """Return a game of a person who plays badly, some moves old."""
    driver = open_window(PERSON, computer("first"))
    play_badly(driver, 14)
    return driver


def review(driver: WindowDriver) -> ReviewMode:
    """Analyse the game, and show the result in Review."""
    driver.keys("Ctrl+3", "Ctrl+G")
    driver.until(lambda: mode_of(driver, ReviewMode)._missing == 0)
    driver.settle()
    return mode_of(driver, ReviewMode)


def mode_of(driver: WindowDriver, kind: type[M]) -> M:
    mode = driver.scene.mode
    assert isinstance(mode, kind)
    return mode


def train(driver: WindowDriver) -> TrainMode:
    review(driver)
    driver.keys("Enter")
    return mode_of(driver, TrainMode)


def click_move(driver: WindowDriver, move: int) -> None:
    driver.click(driver.board_place.square_rect(move).center)


def assert_apart(driver: WindowDriver) -> None:
    """Assert that controls do not overlap and lie inside their containers."""
    driver.assert_laid_out()
    buttons = [each for each in driver.scene.widgets.walk() if each.widget.takes_focus or each.widget.name == "status"]
    for one, other in combinations(buttons, 2):
        assert not one.rect.clip(one.clip).colliderect(other.rect.clip(other.clip)), (one.widget, other.widget)
