"""What nobody expected: told, written to the log, and gone on after; the game is never lost."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pygame
import pytest

from othello.errors import DisplayError
from othello.gui import commands as gui
from othello.gui import loop
from othello.gui.dialogs.notices import Notice
from othello.gui.play.over import PlayMode
from othello.gui.play.table import Table
from othello.gui.rooms import Rooms
from othello.gui.train.train import TrainMode
from othello.play.keeper import Keeper
from othello.play.library import Library
from tests.gui.desk import Desk
from tests.play.faulty import PERSON

Sit = Callable[..., Desk]


def failing(method: Callable[..., Any], times: int) -> Callable[..., Any]:
    """A method that raises so often at first."""
    left = [times]

    def wrapper(*arguments: Any, **more: Any) -> Any:
        left[0] -= 1
        if left[0] >= 0:
            raise RuntimeError("nobody expected that")
        return method(*arguments, **more)

    return wrapper


def quit_window() -> None:
    pygame.event.post(pygame.event.Event(pygame.QUIT))


@pytest.fixture
def desk(sit_down: Sit, tmp_path: Path) -> Desk:
    desk = sit_down(PERSON, PERSON)
    desk.scene.files.library = Library(Keeper(tmp_path / "games.sqlite"))
    desk.type("f5d6")
    return desk


def saved(desk: Desk) -> list[str]:
    library = desk.scene.files.library
    assert library is not None
    library.keeper.close()
    (listed,) = library.games()
    game = library.game(listed.number)[0].tree.game
    return [game.text_of(move) for move in game.moves]


def press_f10() -> None:
    for kind in (pygame.KEYDOWN, pygame.KEYUP):
        pygame.event.post(pygame.event.Event(kind, key=pygame.K_F10, unicode="", mod=0))


@pytest.mark.parametrize("name", ["update", "draw", "do", "next_wake"])
@pytest.mark.parametrize("times", [1, 2])
def test_the_window_goes_on_after_an_error(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, name: str, times: int
) -> None:
    seen: list[object] = []
    recover = desk.scene.recover

    def watch(title: str, reason: str, now: float) -> None:
        recover(title, reason, now)
        seen.append(desk.scene.dialog)
        quit_window()

    desk.key(ord("5"), mod=pygame.KMOD_CTRL)
    assert isinstance(desk.scene.mode, TrainMode)
    monkeypatch.setattr(desk.scene, "recover", watch)
    monkeypatch.setattr(desk.scene, name, failing(getattr(desk.scene, name), times))
    press_f10()
    with caplog.at_level(logging.ERROR):
        loop.run(desk.scene)
    assert {type(dialog) for dialog in seen} == {Notice}
    assert isinstance(desk.scene.mode, PlayMode)
    assert "nobody expected that" in caplog.text
    assert saved(desk) == ["f5", "d6"]


def test_an_error_that_comes_again_and_again_ends_the_window(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk.scene, "draw", failing(desk.scene.draw, 1000))
    press_f10()
    with pytest.raises(DisplayError, match="nobody expected that"):
        loop.run(desk.scene)
    assert saved(desk) == ["f5", "d6"]


def test_the_table_takes_the_place_of_a_hall_that_fails(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    rooms = Rooms(desk.scene, desk.worker, desk.scene.preferences)
    rooms.recover("first", "reason", 0.0)
    assert isinstance(rooms.front, Table)
    assert isinstance(rooms.front.dialog, Notice)


def test_the_loop_does_not_sleep_before_it_shows_what_has_followed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.settle()
    monkeypatch.setattr(desk.scene, "next_wake", lambda _: None)
    assert loop.turn(desk.scene, 0.0) is None
    monkeypatch.setattr(desk.scene, "follow", lambda _: desk.scene.issue(gui.Open("about")))
    assert loop.turn(desk.scene, 0.0) is not None
