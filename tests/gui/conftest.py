from collections.abc import Callable, Iterator
from typing import Any

import pytest

from othello.gui import loop
from tests.gui.desk import Desk
from tests.play.faulty import Hanging, Slow


@pytest.fixture(autouse=True)
def _keys_are_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key that is still held as a test ends is a new one in the next."""
    monkeypatch.setattr(loop, "_reader", loop.Reader())


@pytest.fixture
def sit_down(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Desk]]:
    """Opens windows, and closes them when the test is over."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    Slow.finish.clear()
    Hanging.woken.clear()
    desks: list[Desk] = []

    def open_desk(*players: object, **settings: object) -> Desk:
        desks.append(Desk(*players, **settings))  # type: ignore[arg-type]
        return desks[-1]

    yield open_desk
    Hanging.woken.set()
    for desk in desks:
        desk.close()


@pytest.fixture
def enter(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Any]]:
    """Opens windows of tournaments, and closes them when the test is over."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    from tests.gui.hall import Hall

    halls: list[Hall] = []

    def open_hall(*arguments: Any, **settings: Any) -> Hall:
        halls.append(Hall(*arguments, **settings))
        return halls[-1]

    yield open_hall
    for hall in halls:
        hall.close()
