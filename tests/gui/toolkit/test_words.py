"""Text on one line or many, which is cut only if there is no other way, and rounded rectangles."""

from typing import Any

import numpy as np
import pygame
import pytest
from hypothesis import given, settings, strategies as st
from pygame import Rect

from othello.gui.toolkit import shapes
from othello.gui.toolkit.controls import Button
from othello.gui.toolkit.list_view import ListItem, ListView
from othello.gui.toolkit.style import RGB, Style
from othello.gui.toolkit.text import Label, Paragraph
from othello.gui.toolkit.widget import PaintContext, Widget
from othello.texts import catalogue, languages
from tests.gui.toolkit.widget_driver import PALETTE

DrawnTexts = list[tuple[str, float]]
LIGHT = st.integers(0, 255)
COLORS = st.none() | st.tuples(LIGHT, LIGHT, LIGHT)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> DrawnTexts:
    pygame.font.init()
    found: DrawnTexts = []
    text = Style.text

    def noted(self: Style, words: str, size: float, *more: Any, **named: Any) -> pygame.Surface:
        found.append((words, size))
        return text(self, words, size, *more, **named)

    monkeypatch.setattr(Style, "text", noted)
    return found


def draw(panel: Widget, wide: int, high: int = 40) -> pygame.Surface:
    surface = pygame.Surface((wide, high))
    panel.draw(PaintContext(surface, Style(1.0, PALETTE), surface.get_rect()))
    return surface


def test_a_label_uses_the_longest_text_that_fits(drawn: DrawnTexts) -> None:
    label = Label(("a long way to say so", "a short way", "so"))
    for wide in (300, 100, 30):
        draw(label, wide)
    assert [words for words, _ in drawn] == ["a long way to say so", "a short way", "so"]
    assert label.size(Style(1.0, PALETTE), 100).width < label.size(Style(1.0, PALETTE), 300).width


def test_text_becomes_smaller_before_it_is_cut(drawn: DrawnTexts) -> None:
    label = Label("wide words", 13, sizes=(12, 9))
    wide = Style(1.0, PALETTE).width("wide words", 9)
    draw(label, wide)
    draw(label, wide - 10)
    assert drawn[0] == ("wide words", 9)
    assert drawn[1][0].endswith("…")


def test_a_label_fits_into_its_measured_size(drawn: DrawnTexts) -> None:
    for scale in (0.8, 1.0, 1.5, 2.0):
        style = Style(scale, PALETTE)
        size = Label("Words of a length").size(style, 300)
        rect = Rect(0, 0, int(size.width * scale), 40)
        Label("Words of a length").draw(PaintContext(pygame.Surface(rect.size), style, rect))
    assert {words for words, _ in drawn} == {"Words of a length"}


def test_a_paragraph_has_all_lines_or_at_most_its_limit(drawn: DrawnTexts) -> None:
    style, words = Style(1.0, PALETTE), "word " * 20
    whole, cut = Paragraph(words), Paragraph(words, max_lines=2)
    lines = len(style.wrap(words, 13, 200, 99))
    assert lines > 3
    assert whole.size(style, 200).height == pytest.approx(lines * 13 * 1.5)
    assert cut.size(style, 200).height == pytest.approx(2 * 13 * 1.5)
    draw(whole, 200, 200)
    assert " ".join(text for text, _ in drawn) == words.strip()
    drawn.clear()
    draw(cut, 200, 200)
    assert len(drawn) == 2
    assert drawn[-1][0].endswith("…")


def test_a_list_item_uses_shorter_texts_before_it_is_cut(drawn: DrawnTexts) -> None:
    item = ListItem("when, who and what of a game", "won", ("who and what", "who"))
    for wide in (400, 160, 104):
        drawn.clear()
        draw(ListView((item,), name="x"), wide)
        assert "won" in [words for words, _ in drawn]
    assert drawn[-1][0] == "who"


@pytest.mark.parametrize("kind", ["plain", "primary", "outline", "link", "small", "mode"])
def test_every_kind_of_button_has_room_for_its_text_and_looks_disabled(kind: str, drawn: DrawnTexts) -> None:
    style = Style(1.0, PALETTE)
    button = Button("Words on it", name="x", kind=kind, widest=("More words on it",))
    size = button.size(style, 400)
    pictures = {
        draw(each, round(size.width), 40).get_buffer().raw
        for each in (button, Button("Words on it", kind=kind, enabled=False))
    }
    assert len(pictures) == 2
    assert {words for words, _ in drawn} == {"Words on it"}
    assert size.width > style.width("More words on it", 11)


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
    style = Style(1.0, PALETTE)
    words = "黒の番です。「d3」に打つと、2個の石を返せます。コンピューターは (level 3) を、パスできません（合法手）。"
    rows = style.wrap(words, 13, width, 99)
    assert "".join(rows).replace(" ", "") == words.replace(" ", "")
    assert all(width - 45 < style.width(row, 13) <= width for row in rows[:-1])
    assert not [row for row in rows if row[0] in "。、」）ーっュ" or row[-1] in "「（("]


@pytest.mark.parametrize("language", languages())
def test_the_fonts_have_every_character_of_a_catalogue(language: str) -> None:
    signs = set("".join(str(text) for text in catalogue(language).values())) - set(" \xa0\u202f\u3000")
    for is_bold in (False, True):
        style = Style(1.0, PALETTE)
        missing = {style.text(sign, 30, bold=is_bold).get_buffer().raw for sign in ("\ue000", "\u2e9a")}
        assert [sign for sign in signs if style.text(sign, 30, bold=is_bold).get_buffer().raw in missing] == []


@settings(max_examples=60, deadline=None)
@given(st.integers(8, 120), st.integers(8, 60), st.integers(0, 20), COLORS, COLORS, st.integers(1, 4))
def test_a_cached_rectangle_equals_a_new_one(
    width: int, height: int, radius: int, fill: RGB | None, border: RGB | None, line: int
) -> None:
    radius, seen = max(0, min(radius, width // 2, height // 2)), []
    for draw in (shapes.fill_rounded, shapes._fill_rounded):
        surface = pygame.Surface((160, 80))
        pygame.surfarray.pixels3d(surface)[:] = np.random.default_rng(1).integers(0, 256, (160, 80, 3))
        if fill is not None or border is not None:
            draw(surface, pygame.Rect(15, 9, width, height), radius, fill, border, line)
        seen.append(pygame.surfarray.array3d(surface))
    assert np.array_equal(seen[0], seen[1])
