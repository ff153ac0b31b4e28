"""Looks: a picture of all controls, contrast of texts and size of controls by WCAG 2.2 AA, fonts and shapes.

After an intended change, `python -m tests.golden.screens` writes a new picture.
"""

import sys
from collections.abc import Iterator
from dataclasses import fields, replace
from itertools import product
from typing import Any, Final

import numpy as np
import pygame
import pytest
from hypothesis import given, settings, strategies as st
from pygame import Rect

from othello.gui import commands as gui, ui
from othello.gui.dialogs.new_game import RulesButton
from othello.gui.preferences import palette_named, theme_names
from othello.gui.screen import Screen
from othello.gui.toolkit import shapes, style as drawing
from othello.texts import catalogue, languages
from tests.golden.screens import FOLDER, assert_picture, draw_blocks
from tests.gui.scenes import SCENES, Opener
from tests.gui.toolkit.widget_driver import PALETTE
from tests.gui.window_driver import EventDriver, WindowDriver

KINDS = ("plain", "primary", "outline", "link", "small", "mode")
OPTIONS = ((1, "one"), (2, "two"), (3, "three"))
DETAILS = tuple((f"what {word} is", "level 3") for _, word in OPTIONS)
AREA = Rect(0, 0, 400, 120)
LIGHT = st.integers(0, 255)
COLORS = st.none() | st.tuples(LIGHT, LIGHT, LIGHT)
STYLE, WINDOW = ui.Style(1.0, PALETTE), Rect(0, 0, 300, 2100)
STATES = {ui.Slider: 3, ui.TextField: ui.Caret(2, 1, "xy")}


def controls() -> Iterator[ui.Widget]:
    for kind, chosen in product(KINDS, (False, True)):
        yield ui.Button("word", kind=kind, chosen=chosen)
    yield from (ui.MenuItem("word", right="Ctrl+W"), ui.MenuItem("word", right="Ctrl+W", enabled=False))
    yield RulesButton(words="most discs win")
    yield from (ui.Checkbox(label="word", value=value, hint="W") for value in (False, True))
    yield from (ui.SegmentedControl(options=OPTIONS, value=2), ui.SegmentedControl(options=OPTIONS, value=2, gap=8))
    yield ui.Slider(values=(1, 2, 3), value=2, marks=OPTIONS)
    yield ui.Select(options=OPTIONS, value=2, label="word")
    yield from (ui.TextField("word"), ui.TextField("", "nothing"), ui.TextField("word", is_wrong=True))
    yield ui.ListView([ui.ListItem(word, str(number)) for number, word in OPTIONS], ui.Selection(1))
    yield ui.Select(options=OPTIONS, value=2, details=DETAILS)


def texts_and_more() -> Iterator[ui.Widget]:
    words = "A text of many words that takes some lines. " * 3
    yield from (ui.Label("word", align=align, bold=True, width=200) for align in ("left", "center", "right"))
    yield from (ui.Label("a wide text " * 5, 13, sizes=(12, 9)), ui.Label(("a wide text " * 5, "short")))
    yield from (ui.Paragraph(words, align="center"), ui.Paragraph(words, height=30), ui.Paragraph(words, max_lines=2))
    yield from (ui.Button("word", kind=kind, enabled=False, widest=("a wider word",)) for kind in KINDS)
    yield from (ui.Button("a wide word " * 5), ui.SegmentedControl(OPTIONS, rows=0, width=90))
    yield from (ui.Slider((1, 2, 3), 1), ui.Checkbox("word"), ui.Button("word", icon=ui.circle))
    yield from (ui.ProgressBar(0.3), ui.MultiSelect(OPTIONS, frozenset((1, 2)), shown="two", label="word"))
    yield ui.ListView([ui.ListItem("wide " * number, "right", ("short",)) for number in range(30)], ui.Selection(9, 6))
    yield ui.TextField("12", is_number=True)


def laid_out() -> tuple[ui.LaidOutWidget, ...]:
    page = ui.Column((*controls(), *texts_and_more()), gap=6, align="left")
    return ui.lay_out(page, STYLE, ui.Box(*WINDOW), WINDOW, {}).parts


def draw_controls() -> Iterator[pygame.Surface]:
    """Yield pictures of all controls in three states, and of their open lists and a tooltip."""
    lists = pygame.Surface(WINDOW.size)
    for at in ((9, 9), (9, 2080)):  # below its place, and above
        ui.bubble("Many words in a tooltip. " * 20, STYLE, WINDOW, Rect(at, (9, 9))).draw(lists)
    for share, is_pressed in ((None, False), (0.2, False), (0.8, True)):
        surface = pygame.Surface(WINDOW.size)
        for widget, rect, *_ in laid_out():
            mouse = None if share is None else (rect.left + round(rect.width * share), rect.centery)
            on = ui.PaintContext(surface, STYLE, rect, mouse, is_pressed, is_pressed, input=ui.InputContext(WINDOW))
            surface.set_clip(rect)
            widget.draw(on._replace(state=STATES.get(type(widget)) if is_pressed else None))
            overlay = widget.overlay(on._replace(state=2))
            if overlay is not None:
                overlay.draw(lists)
        yield surface
    yield lists


def test_all_controls_look_as_in_their_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    draw_blocks(monkeypatch)
    picture, left = pygame.Surface((4 * WINDOW.width, WINDOW.height)), 0
    for each in draw_controls():
        picture.blit(each, (left, 0))
        left += each.get_width()
    assert_picture(picture, FOLDER.with_name("controls.png"))


def test_a_screen_reader_and_the_mouse_press_the_same() -> None:
    count = 0
    for (widget, rect, *_), is_open in product(laid_out(), (False, True)):
        on = ui.PaintContext(pygame.Surface((1, 1)), STYLE, rect, is_open=is_open, input=ui.InputContext(WINDOW))
        node = widget.accessible(on)
        for part in () if node is None else (node, *node.parts):
            if part.press is not None and (part is node or part.rect is not None):
                assert widget.press((part.rect or rect).center, on) == part.press, (widget, part)
                count += 1
    assert count > 30
    for control, value, changed in ((ui.TextField("12"), "3", "3"), (ui.Slider((1, 2, 3), 2), 2.8, 3)):
        assert control.put(value) == ui.ControlChanged("", changed), "a value that a screen reader sets"
    assert ui.TextField("12").put("12") is None


_LARGE: Final = 24.0  # pixels of the design
_LARGE_BOLD: Final = 18.7
_MIN_SHARE: Final = 0.1  # of the pixels of letters; a background of fewer pixels is an edge


class ContrastCheck:
    """A text with its colour and its background."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.faults: dict[tuple[str, str], tuple[float, str]] = {}
        self.palette = palette_named()
        self.is_hovering = False
        self._written: dict[int, tuple[pygame.Surface, str, float, ui.RGB]] = {}
        text, blit = ui.Style.text, drawing.blit_text

        def write(
            style: ui.Style, words: str, size: float, color: ui.RGB | None = None, bold: bool = False
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

        monkeypatch.setattr(ui.Style, "text", write)
        for name, module in list(sys.modules.items()):
            if name.startswith("othello.gui") and hasattr(module, "blit_text"):
                monkeypatch.setattr(module, "blit_text", put)

    def _compare(
        self, surface: pygame.Surface, rect: pygame.Rect, image: pygame.Surface, words: str, least: float, color: ui.RGB
    ) -> None:
        seen = rect.clip(surface.get_clip())
        is_part = self.is_hovering and seen != rect  # of a letter, whose other pixels were compared before
        if is_part or not seen.width or not seen.height or color == self.palette.disabled:
            return
        ground = pygame.surfarray.array2d(surface.subsurface(seen))
        ink = pygame.surfarray.array_alpha(image.subsurface(seen.move(-rect.left, -rect.top))) > 128
        colors, counts = np.unique(ground[ink], return_counts=True)
        for found, count in zip(colors.tolist(), counts, strict=True):
            red, green, blue, _ = surface.unmap_rgb(found)
            ratio = ui.contrast(color, (red, green, blue))
            if count > _MIN_SHARE * counts.sum() and ratio < least:
                self.faults[self._name(color), self._name((red, green, blue))] = round(ratio, 2), words

    def _name(self, color: ui.RGB) -> str:
        names = [each.name for each in fields(ui.Palette) if getattr(self.palette, each.name) == color]
        return "/".join(names) or "{:02x}{:02x}{:02x}".format(*color)

    def faults_of(self, driver: EventDriver) -> dict[str, Any]:
        """Return what cannot be read, theme by theme: colours, their contrast, and a word for example."""
        found = {}
        for name in theme_names():
            self.faults.clear()
            self.palette = palette_named(name)
            driver.screen.preferences.value = replace(driver.screen.preferences.value, theme=name)
            driver.do(gui.PlainCommand.APPLY_PREFERENCES)
            self._hover(driver.screen)
            if self.faults:
                found[name] = dict(self.faults)
        return found

    def _hover(self, screen: Screen) -> None:
        widgets, surface = screen.widgets, pygame.Surface(screen.window.size)
        widgets.forget()
        widgets.draw(surface)
        self.is_hovering = True
        for _, rect in [*targets(screen)]:
            if screen.window.collidepoint(rect.center):
                widgets.mouse = rect.center
                widgets.draw(surface)
        widgets.mouse, self.is_hovering = None, False


@pytest.fixture
def contrast_check(monkeypatch: pytest.MonkeyPatch) -> ContrastCheck:
    return ContrastCheck(monkeypatch)


def targets(screen: Screen) -> Iterator[tuple[str, Rect]]:
    window = pygame.Surface(screen.window.size)
    for placed in screen.widgets.walk():
        node = placed.widget.accessible(ui.PaintContext(window, screen.style, placed.rect))
        parts = () if node is None else node.parts
        places = [(part.name, part.rect) for part in parts if part.press is not None and part.rect is not None]
        yield from places + [(placed.widget.name, placed.rect)] * placed.widget.takes_focus


def small(screen: Screen) -> list[tuple[str, Rect]]:
    return [(name, rect) for name, rect in targets(screen) if min(rect.size) < 24]


@pytest.mark.slow
@pytest.mark.parametrize("scene", SCENES)
def test_all_texts_have_contrast_and_all_controls_a_size(
    opener: Opener, contrast_check: ContrastCheck, scene: str
) -> None:
    driver = SCENES[scene](opener)
    if isinstance(driver, WindowDriver):
        driver.prefer(shows_values=True, details=True, shows_losses=True)
    assert contrast_check.faults_of(driver) == {}
    assert small(driver.screen) == []
    driver.resize((900, 600))
    assert small(driver.screen) == []


@pytest.mark.parametrize("theme", theme_names())
@pytest.mark.parametrize("ground", ["panel", "raised", "background"])
def test_text_of_every_control_has_contrast(contrast_check: ContrastCheck, theme: str, ground: str) -> None:
    contrast_check.palette = palette = palette_named(theme)
    assert palette.small != palette.raised, "a menu item is highlighted under the mouse"
    style, surface = ui.Style(1.0, palette), pygame.Surface((400, 400))
    for control in controls():
        for share, is_pressed, has_focus in product((None, 0.2, 0.5, 0.8), (False, True), (False, True)):
            mouse = None if share is None else (round(AREA.width * share), round(AREA.height * share))
            on = ui.PaintContext(surface, style, AREA, mouse, has_focus, is_pressed)
            surface.fill(getattr(palette, ground))
            control.draw(on)
            for row in (0, 1) if isinstance(control, ui.Select) and has_focus else ():
                shown = ui.InputContext(Rect(0, 0, 400, 400))
                overlay = control.overlay(on._replace(state=row, is_open=True, input=shown))
                assert overlay is not None
                overlay.draw(surface)
    assert contrast_check.faults == {}


def test_colours_become_readable() -> None:
    white, black = (255, 255, 255), (0, 0, 0)
    moved = ((200, 80, 40), (30, 40, 50), white), ((120, 120, 255), white, black), ((90, 90, 20), (60, 70, 80), white)
    assert [ui.readable(*each) for each in moved] == [(221, 120, 86), (83, 83, 255), (196, 196, 44)]


def test_square_corners_cover_the_background() -> None:
    surface = pygame.Surface((20, 20))
    surface.fill((255, 0, 0))
    shapes.fill_rounded(surface, surface.get_rect(), 0, (0, 0, 255), (0, 255, 0), 2)
    assert surface.get_at((0, 0))[:3] == surface.get_at((19, 19))[:3] == (0, 255, 0)
    assert surface.get_at((2, 2))[:3] == (0, 0, 255)
    shapes.fill_rounded(surface, Rect(0, 10, 20, 1), 1, (9, 9, 9))
    assert {surface.get_at((x, 10))[:3] for x in range(20)} == {(9, 9, 9)}


@pytest.mark.parametrize("width", range(60, 200, 20))
def test_japanese_lines_break_only_where_they_may(width: int) -> None:
    words = "黒の番です。「d3」に打つと、2個の石を返せます。コンピューターは (level 3) を、パスできません（合法手）。"
    rows = STYLE.wrap(words, 13, width, 99)
    assert STYLE.width("番d番d番", 13) == 3 * STYLE.width("番", 13) + 2 * STYLE.width("d", 13)
    assert "".join(rows).replace(" ", "") == words.replace(" ", "")
    assert all(width - 45 < STYLE.width(row, 13) <= width for row in rows[:-1])
    assert not [row for row in rows if row[0] in "。、」）ーっュ" or row[-1] in "「（("]


@pytest.mark.parametrize("language", languages())
def test_the_fonts_have_every_character_of_a_catalogue(language: str) -> None:
    signs = set("".join(str(text) for text in catalogue(language).values())) - set(" \xa0\u202f\u3000")
    for is_bold in (False, True):
        missing = {STYLE.text(sign, 30, bold=is_bold).get_buffer().raw for sign in ("\ue000", "\u2e9a")}
        assert [sign for sign in signs if STYLE.text(sign, 30, bold=is_bold).get_buffer().raw in missing] == []


@settings(max_examples=60, deadline=None)
@given(st.integers(8, 120), st.integers(8, 60), st.integers(0, 20), COLORS, COLORS, st.integers(1, 4))
def test_a_cached_rectangle_equals_a_new_one(
    width: int, height: int, radius: int, fill: ui.RGB | None, border: ui.RGB | None, line: int
) -> None:
    radius, seen = max(0, min(radius, width // 2, height // 2)), []
    for draw in (shapes.fill_rounded, shapes._fill_rounded):
        surface = pygame.Surface((160, 80))
        pygame.surfarray.pixels3d(surface)[:] = np.random.default_rng(1).integers(0, 256, (160, 80, 3))
        if fill is not None or border is not None:
            draw(surface, pygame.Rect(15, 9, width, height), radius, fill, border, line)
        seen.append(pygame.surfarray.array3d(surface))
    assert np.array_equal(seen[0], seen[1])
