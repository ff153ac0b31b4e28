from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from othello import texts
from othello.gui.app import loop
from othello.gui.toolkit.style import Style
from othello.gui.widgets import view_state
from othello.play import worker
from othello.programs import program_registry
from tests.gui.scenes import Opener
from tests.gui.tournament_driver import OpenTournament, TournamentDriver
from tests.gui.window_driver import OpenWindow, WindowDriver
from tests.play.fake_players import PERSON, Hanging, Slow


@pytest.fixture(autouse=True)
def _restored(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Draw nowhere and turn discs fast; forget held keys, the language and the user's name after each test."""
    first_that_fits = Style.largest

    def largest(self: Style, text: str, sizes: Sequence[float], *more: Any, **named: Any) -> float:
        assert [*sizes] == sorted({*sizes}, reverse=True), f"{text}: font sizes to try do not decrease"
        return first_that_fits(self, text, sizes, *more, **named)

    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(view_state, "FLIP_SECONDS", 0.05)
    monkeypatch.setattr(Style, "largest", largest)
    yield
    vars(loop)["_reader"] = loop.EventTranslator()
    texts.use("en")
    texts.set_user("")


@pytest.fixture
def open_window(monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenWindow]:
    """Open windows, and close them when the test is over."""
    monkeypatch.setattr(worker, "trim_memory", lambda: None)  # reads the map of the large process of the tests
    Slow.finish.clear()
    Hanging.woken.clear()
    with ExitStack() as windows:
        yield lambda *players, **settings: windows.enter_context(closing(WindowDriver(*players, **settings)))
        Hanging.woken.set()


@pytest.fixture
def driver(open_window: OpenWindow) -> WindowDriver:
    """Open a window for two people."""
    return open_window(PERSON, PERSON)


@pytest.fixture
def open_tournament() -> Iterator[OpenTournament]:
    """Open windows of tournaments, and close them when the test is over."""
    with ExitStack() as windows:
        yield lambda *arguments, **settings: windows.enter_context(closing(TournamentDriver(*arguments, **settings)))


@pytest.fixture
def opener(
    open_window: OpenWindow, open_tournament: OpenTournament, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Opener:
    """Open scenes with an empty home folder, and one external program that is found."""
    for name in ("OTHELLO_DATA_DIR", "OTHELLO_CONFIG_DIR"):
        monkeypatch.setenv(name, str(tmp_path / "data"))
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setattr(program_registry, "which", {"gtp-rhino": "/usr/games/gtp-rhino"}.get)
    return Opener(open_window, open_tournament, tmp_path, monkeypatch)


@pytest.fixture
def shortened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the texts that were cut, or in English and German drawn in a smaller size."""
    cut: list[str] = []
    fit, first_that_fits = Style.fit, Style.largest

    def noted(self: Style, text: str, size: float, width: int, bold: bool = False) -> str:
        result = fit(self, text, size, width, bold)
        if result != text:
            cut.append(text)
        return result

    def largest(self: Style, text: str, sizes: Sequence[float], width: int, bold: bool = False) -> float:
        if texts.language() not in ("en", "de"):
            return first_that_fits(self, text, sizes, width, bold)
        if self.width(text, sizes[0], bold) > width:
            cut.append(text)
        return sizes[0]

    monkeypatch.setattr(Style, "fit", noted)
    monkeypatch.setattr(Style, "largest", largest)
    return cut
