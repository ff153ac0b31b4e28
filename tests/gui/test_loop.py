"""Unexpected errors are shown and logged, and the game continues."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pygame
import pytest

from othello.errors import DisplayError
from othello.gui import commands as gui
from othello.gui.app import loop
from othello.gui.app.screen_manager import ScreenManager
from othello.gui.dialogs.notices import MessageDialog
from othello.gui.modes.play.play_mode import PlayMode
from othello.gui.modes.train.train import TrainMode
from othello.gui.screens.game_screen import GameScreen
from othello.study.library import Library
from othello.study.store_writer import StoreWriter
from tests.gui.mistakes import mode_of
from tests.gui.window_driver import OpenWindow, WindowDriver
from tests.play.fake_players import PERSON


def failing(method: Callable[..., Any], times: int) -> Callable[..., Any]:
    left = [times]

    def wrapper(*arguments: Any, **more: Any) -> Any:
        left[0] -= 1
        if left[0] >= 0:
            raise RuntimeError("the disk is made of cheese")
        return method(*arguments, **more)

    return wrapper


@pytest.fixture
def driver(open_window: OpenWindow, tmp_path: Path) -> WindowDriver:
    driver = open_window(PERSON, PERSON)
    driver.scene.files.library = Library(StoreWriter(tmp_path / "games.sqlite"))
    driver.type("f5d6")
    return driver


def saved(driver: WindowDriver) -> list[str]:
    library = driver.scene.files.library
    assert library is not None
    library.store_writer.close()
    (listed,) = library.games()
    game = library.game(listed.number)[0].tree.game
    return [game.text_of(move) for move in game.moves]


def press_f10() -> None:
    for kind in (pygame.KEYDOWN, pygame.KEYUP):
        pygame.event.post(pygame.event.Event(kind, key=pygame.K_F10, unicode="", mod=0))


@pytest.mark.parametrize("name", ["update", "draw", "do", "next_wake"])
@pytest.mark.parametrize("times", [1, 2])
def test_the_window_continues_after_an_error(
    driver: WindowDriver, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, name: str, times: int
) -> None:
    seen: list[object] = []
    recover = driver.scene.recover

    def watch(title: str, reason: str, now: float) -> None:
        recover(title, reason, now)
        seen.append(driver.scene.dialog)
        pygame.event.post(pygame.event.Event(pygame.QUIT))

    driver.keys("Ctrl+5")
    mode_of(driver, TrainMode)
    monkeypatch.setattr(driver.scene, "recover", watch)
    monkeypatch.setattr(driver.scene, name, failing(getattr(driver.scene, name), times))
    press_f10()
    with caplog.at_level(logging.ERROR):
        loop.run(driver.scene)
    assert {type(dialog) for dialog in seen} == {MessageDialog}
    mode_of(driver, PlayMode)
    assert "the disk is made of cheese" in caplog.text
    assert saved(driver) == ["f5", "d6"]


def test_a_repeated_error_closes_the_window(driver: WindowDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver.scene, "draw", failing(driver.scene.draw, 1000))
    press_f10()
    with pytest.raises(DisplayError, match="the disk is made of cheese"):
        loop.run(driver.scene)
    assert saved(driver) == ["f5", "d6"]


def test_the_game_screen_replaces_a_tournament_screen_that_fails(driver: WindowDriver) -> None:
    manager = ScreenManager(driver.scene, driver.worker, driver.scene.preferences)
    manager.recover("first", "reason", 0.0)
    assert isinstance(manager.active_screen, GameScreen)
    assert isinstance(manager.active_screen.dialog, MessageDialog)


def test_the_loop_shows_the_consequences_of_an_event_before_it_sleeps(
    driver: WindowDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver.settle()
    monkeypatch.setattr(driver.scene, "next_wake", lambda _: None)
    assert loop.turn(driver.scene, 0.0) is None
    monkeypatch.setattr(driver.scene, "follow", lambda _: driver.scene.issue(gui.Open("about")))
    assert loop.turn(driver.scene, 0.0) is not None
