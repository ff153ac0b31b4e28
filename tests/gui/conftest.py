from collections.abc import Callable, Iterator
from typing import Any

import pytest

from othello import texts
from othello.gui.app import loop
from tests.gui.window_driver import WindowDriver
from tests.play.fake_players import Hanging, Slow


@pytest.fixture(autouse=True)
def _keys_are_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Return a key that is still held as a test ends is a new one in the next."""
    monkeypatch.setattr(loop, "_reader", loop.EventTranslator())


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """Return to English and to no name of the user after each test."""
    yield
    texts.use("en")
    texts.set_user("")


@pytest.fixture
def open_window(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., WindowDriver]]:
    """Open windows, and closes them when the test is over."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    Slow.finish.clear()
    Hanging.woken.clear()
    desks: list[WindowDriver] = []

    def open_desk(*players: object, **settings: object) -> WindowDriver:
        desks.append(WindowDriver(*players, **settings))  # type: ignore[arg-type]
        return desks[-1]

    yield open_desk
    Hanging.woken.set()
    for driver in desks:
        driver.close()


@pytest.fixture
def open_tournament(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Any]]:
    """Open windows of tournaments, and closes them when the test is over."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    from tests.gui.tournament_driver import TournamentDriver

    halls: list[TournamentDriver] = []

    def open_hall(*arguments: Any, **settings: Any) -> TournamentDriver:
        halls.append(TournamentDriver(*arguments, **settings))
        return halls[-1]

    yield open_hall
    for hall in halls:
        hall.close()
