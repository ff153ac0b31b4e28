"""The words of every control can be read in every state and every theme."""

from collections.abc import Iterator
from itertools import product

import pygame
import pytest
from pygame import Rect

from othello.gui.dialogs.new_game import RulesButton
from othello.gui.preferences import palette_named, theme_names
from othello.gui.toolkit.controls import Button, Checkbox, MenuItem, SegmentedControl, Select, Slider
from othello.gui.toolkit.field import TextField
from othello.gui.toolkit.list_view import ListItem, ListView, Selection
from othello.gui.toolkit.style import Style
from othello.gui.toolkit.widget import PaintContext, Widget
from tests.gui.test_contrast import ContrastCheck

KINDS = ("plain", "primary", "outline", "link", "small", "mode")
OPTIONS = ((1, "one"), (2, "two"), (3, "three"))
AREA = Rect(0, 0, 400, 120)


def controls() -> Iterator[Widget]:
    for kind, chosen in product(KINDS, (False, True)):
        yield Button("word", kind=kind, chosen=chosen)
    yield from (MenuItem("word", right="Ctrl+W"), MenuItem("word", right="Ctrl+W", enabled=False))
    yield RulesButton(words="most discs win")
    yield from (Checkbox(label="word", value=value, hint="W") for value in (False, True))
    yield from (SegmentedControl(options=OPTIONS, value=2), SegmentedControl(options=OPTIONS, value=2, gap=8))
    yield Slider(values=(1, 2, 3), value=2, marks=OPTIONS)
    details = tuple((f"what {word} is", "level 3") for _, word in OPTIONS)
    yield from (Select(options=OPTIONS, value=2, label="word"), Select(options=OPTIONS, value=2, details=details))
    yield from (TextField("word"), TextField("", "nothing"), TextField("word", is_wrong=True))
    yield ListView(items=(ListItem("one", "1"), ListItem("two", "2"), ListItem("three", "3")), pick=Selection(1))


@pytest.fixture
def contrast_check(monkeypatch: pytest.MonkeyPatch) -> ContrastCheck:
    return ContrastCheck(monkeypatch)


@pytest.mark.parametrize("theme", theme_names())
@pytest.mark.parametrize("ground", ["panel", "raised", "background"])
def test_text_of_every_control_has_contrast(contrast_check: ContrastCheck, theme: str, ground: str) -> None:
    contrast_check.palette = palette = palette_named(theme)
    style, surface = Style(1.0, palette), pygame.Surface((400, 400))
    for control in controls():
        for share, is_paused, has_focus, is_open in product(
            (None, 0.2, 0.5, 0.8), (False, True), (False, True), (0, 1)
        ):
            mouse = None if share is None else (round(AREA.width * share), round(AREA.height * share))
            on = PaintContext(surface, style, AREA, mouse, has_focus, is_paused, bool(is_open))
            surface.fill(getattr(palette, ground))
            control.draw(on)
            for row in (0, 1) if isinstance(control, Select) and is_open else ():
                overlay = control.overlay(on._replace(state=row, input=on.input._replace(window=Rect(0, 0, 400, 400))))
                assert overlay is not None
                overlay.draw(surface)
    assert contrast_check.faults == {}


def test_a_menu_item_is_highlighted_under_the_mouse() -> None:
    for theme in theme_names():
        palette = palette_named(theme)
        style, surface = Style(1.0, palette), pygame.Surface(AREA.size)
        grounds = []
        for mouse in (None, AREA.center):
            MenuItem("").draw(PaintContext(surface, style, AREA, mouse))
            grounds.append(tuple(surface.get_at(AREA.center)[:3]))
        assert grounds[0] != grounds[1], theme
