"""Contrast of texts in every theme, and size of controls, by WCAG 2.2 AA."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import pygame
import pytest
from pygame import Rect

from othello.game import AnyGame
from othello.gui import commands as gui
from othello.gui.preferences import palette_named, theme_names
from othello.gui.screen import Screen
from othello.gui.toolkit import style as drawing
from othello.gui.toolkit.style import RGB, Palette, Style, contrast
from othello.gui.toolkit.widget import PaintContext
from othello.play.worker import Worker
from othello.rules.registry import game_spec, rules_of
from othello.search.report import Line, MoveStats, SearchReport, Unit
from othello.search.stop import StopFlag
from tests.gui.test_presses import DIALOGS, STATES, asked, over
from tests.gui.tournament_driver import OpenTournament, config_for
from tests.gui.window_driver import OpenWindow, WindowDriver
from tests.play.fake_players import PERSON, FirstMove

pytestmark = pytest.mark.slow

_LARGE: Final = 24.0  # pixels of the design
_LARGE_BOLD: Final = 18.7
_LEAST_SHARE: Final = 0.1  # of the letters' pixels: a ground that less of them lies on is an edge


class Inks:
    """A text with its colour and its background."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.faults: dict[tuple[str, str], tuple[float, str]] = {}
        self.palette = palette_named()
        self.is_hovering = False
        self._written: dict[int, tuple[pygame.Surface, str, float, RGB]] = {}
        text, blit = Style.text, drawing.blit_text

        def write(
            style: Style, words: str, size: float, color: RGB | None = None, bold: bool = False
        ) -> pygame.Surface:
            image = text(style, words, size, color, bold)
            least = 3.0 if size >= (_LARGE_BOLD if bold else _LARGE) else 4.5
            self._written[id(image)] = image, words, least, color or style.palette.text
            return image

        def put(surface: pygame.Surface, image: pygame.Surface, **where: Any) -> pygame.Rect:
            found = self._written.get(id(image))
            rect = image.get_rect(**{where.get("anchor", "topleft"): tuple(map(round, where["at"]))})
            if found is not None and found[1].strip():
                self._compare(surface, rect, *found)
            return blit(surface, image, **where)

        monkeypatch.setattr(Style, "text", write)
        for name, module in list(sys.modules.items()):
            if name.startswith("othello.gui") and hasattr(module, "blit_text"):
                monkeypatch.setattr(module, "blit_text", put)

    def _compare(
        self, surface: pygame.Surface, rect: pygame.Rect, image: pygame.Surface, words: str, least: float, color: RGB
    ) -> None:
        seen = rect.clip(surface.get_clip())
        is_part = self.is_hovering and seen != rect  # of a letter, whose other pixels were compared before
        if is_part or not seen.width or not seen.height or color == self.palette.disabled:
            return
        ground = pygame.surfarray.array3d(surface.subsurface(seen))
        ink = pygame.surfarray.array_alpha(image.subsurface(seen.move(-rect.left, -rect.top))) > 128
        colors, counts = np.unique(ground[ink], axis=0, return_counts=True)
        for found, count in zip(colors, counts, strict=True):
            red, green, blue = (int(part) for part in found)
            ratio = contrast(color, (red, green, blue))
            if count > _LEAST_SHARE * counts.sum() and ratio < least:
                self.faults[self._name(color), self._name((red, green, blue))] = round(ratio, 2), words

    def _name(self, color: RGB) -> str:
        names = [each.name for each in fields(Palette) if getattr(self.palette, each.name) == color]
        return "/".join(names) or "{:02x}{:02x}{:02x}".format(*color)

    def render_key(self, room: Screen, turn: Callable[[], None]) -> dict[str, Any]:
        """Return what cannot be read, theme by theme: colours, their contrast, and a word for example."""
        found = {}
        for name in theme_names():
            self.faults.clear()
            self.palette = palette_named(name)
            room.preferences.value = replace(room.preferences.value, theme=name)
            room.do(gui.PlainCommand.APPLY_PREFERENCES, 0.0)
            turn()
            self._hover(room)
            if self.faults:
                found[name] = dict(self.faults)
        return found

    def _hover(self, room: Screen) -> None:
        """Draw everything that can be pressed with the mouse on it."""
        stage, surface = room.widgets, pygame.Surface(room.window.size)
        stage.forget()
        stage.draw(surface)
        self.is_hovering = True
        for _, rect in [*targets(room)]:
            if room.window.collidepoint(rect.center):
                stage.mouse = rect.center
                stage.draw(surface)
        stage.mouse, self.is_hovering = None, False


class Judging(FirstMove):
    """Finds something to be said of every move."""

    def analyse(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
        first, *_ = moves = game.legal_moves()
        then = game.play(first).legal_moves()
        counts = self.config.player_type != "engine"
        worth = zip(moves, (0.4, 0.1, -0.4, -0.9, 0.3), (20, 90, 3, 2, 1), strict=False)
        found = tuple(MoveStats(move, visits, value if counts else 10 * value) for move, value, visits in worth)
        below: dict[Line, tuple[MoveStats, ...]] = {(first,): tuple(MoveStats(move, 5, 0.3) for move in then)}
        unit = Unit.REWARD if counts else Unit.EXPECTED
        line = (first, then[0])
        yield SearchReport("analyst", first, found[0].value, found, unit, 60, pv=line, below=below, depth=9, final=True)


def analysed(kind: str) -> OpenWindow:
    """Return a search with all its marks: losses on the squares, the best line, the tree."""

    def state(open_window: OpenWindow, size: tuple[int, int]) -> WindowDriver:
        driver = open_window(PERSON, PERSON, size, players=lambda config, spec: Judging(config, rules_of(spec)))
        driver.type("d3c5")
        driver.prefer(details=True, analyst=kind)
        driver.switch("analyse")
        driver.until(lambda: driver.session.shown_analysis is not None)
        driver.settle()
        return driver

    return state


def of_game(game: str, moves: str) -> OpenWindow:
    def state(open_window: OpenWindow, size: tuple[int, int]) -> WindowDriver:
        driver = open_window(PERSON, PERSON, size, spec=game_spec(game))
        driver.type(moves)
        driver.settle()
        return driver

    return state


MORE = [
    ("analyse", analysed("mcts_uct")),
    ("analyse", analysed("engine")),
    ("play", of_game("tictactoe", "b2a1")),
    ("play", of_game("ultimate_tictactoe", "")),
    ("play", of_game("connect_four", "4455")),
]


@pytest.fixture
def inks(monkeypatch: pytest.MonkeyPatch) -> Inks:
    return Inks(monkeypatch)


def targets(room: Screen) -> Iterator[tuple[str, Rect]]:
    """Return the controls and their rectangles."""
    window = pygame.Surface(room.window.size)
    for placed in room.widgets.walk():
        told = placed.widget.accessible(PaintContext(window, room.style, placed.rect))
        parts = () if told is None else told.parts
        places = [(part.name, part.rect) for part in parts if part.press is not None and part.rect is not None]
        yield from places + [(placed.widget.name, placed.rect)] * placed.widget.takes_focus


def small(room: Screen) -> list[tuple[str, Rect]]:
    return [(name, rect) for name, rect in targets(room) if min(rect.size) < 24]


@pytest.mark.parametrize(("mode", "state"), [*STATES, *MORE])
def test_all_words_beside_a_board_can_be_read(
    open_window: OpenWindow, inks: Inks, mode: str, state: OpenWindow
) -> None:
    driver = state(open_window, (1280, 800))
    driver.switch(mode)
    driver.prefer(shows_values=True, details=True, shows_losses=True)
    driver.settle()
    assert inks.render_key(driver.scene, driver.settle) == {}
    assert small(driver.scene) == []
    driver.resize((900, 600))
    assert small(driver.scene) == []


@pytest.mark.parametrize("name", DIALOGS)
def test_all_words_of_a_dialog_can_be_read(
    open_window: OpenWindow, inks: Inks, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    monkeypatch.setenv("OTHELLO_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    driver = over(open_window, (1280, 800))
    asked(driver.scene, name)
    assert inks.render_key(driver.scene, driver.settle) == {}
    assert small(driver.scene) == []
    driver.resize((900, 600))
    assert small(driver.scene) == []


def test_all_words_of_a_tournament_can_be_read(
    open_tournament: OpenTournament, inks: Inks, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(Worker, "prepare", lambda *_: None)
    driver = open_tournament(config_for(tmp_path, 1))
    driver.until_end()
    assert inks.render_key(driver.scene, driver.turn) == {}
    assert small(driver.scene) == []
