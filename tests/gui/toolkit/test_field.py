"""A line of text: caret, selection, clipboard, long texts, numbers, input methods."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import pytest

from othello.gui.toolkit.field import Caret, Field
from othello.gui.toolkit.inputs import Compose, Key, PointAt, PressAt, Release, Use
from othello.gui.toolkit.layout import Column, Space
from othello.gui.toolkit.panel import Panel
from tests.gui.toolkit.stand import SCALES, Stand

TEXT = "one two three"
LONG = "the quick brown fox jumps over the lazy dog and on"


def stand_of(text: str = TEXT, scale: float = 1.0, **more: Any) -> Stand:
    def tree(values: Mapping[str, Any]) -> Panel:
        field = Field(values.get("field", text), name="field", width=240, **more)
        return Column((field, Field(values.get("other", ""), name="other", width=240), Space(grow=1)))

    stand = Stand(tree, (round(400 * scale), round(300 * scale)), scale)
    stand.stage.go_to("field")
    return stand


def text(stand: Stand) -> str:
    return str(stand.values.get("field", TEXT))


def caret(stand: Stand) -> Caret:
    found = stand.stage.find("field")
    assert found is not None
    assert isinstance(found.panel, Field)
    return found.panel.caret(stand.stage._canvas(found).kept)


@pytest.mark.parametrize(
    ("keys", "after"),
    [
        (["End"], "one two three|"),
        (["Home"], "|one two three"),
        (["Left"], "|one two three"),
        (["Right"], "one two three|"),
        (["End", "Left"], "one two thre|e"),
        (["Home", "Right", "Right"], "on|e two three"),
        (["End", "Ctrl+Left"], "one two |three"),
        (["End", "Ctrl+Left", "Ctrl+Left"], "one |two three"),
        (["Home", "Ctrl+Right"], "one |two three"),
        (["Home", "Left"], "|one two three"),
        (["End", "Backspace"], "one two thre|"),
        (["Home", "Delete"], "|ne two three"),
        (["End", "Ctrl+Backspace"], "one two |"),
        (["Home", "Ctrl+Delete"], "|two three"),
        (["Backspace"], "|"),
        (["Home", "Shift+Right", "Shift+Right", "Delete"], "|e two three"),
        (["End", "Shift+Home", "Backspace"], "|"),
        (["Home", "Ctrl+Shift+Right", "Delete"], "|two three"),
        (["Home", "Shift+End", "Left"], "|one two three"),
        (["End", "Shift+Left", "Shift+Left", "Right"], "one two three|"),
    ],
)
def test_keys_move_and_delete(keys: list[str], after: str) -> None:
    stand = stand_of()
    stand.keys(*keys)
    now = caret(stand)
    assert text(stand)[: now.at] + "|" + text(stand)[now.at :] == after
    assert now.at == now.anchor


def test_what_is_typed_takes_the_place_of_the_selection() -> None:
    stand = stand_of()
    assert stand.type("Żó") == [Use("field", "Ż"), Use("field", "Żó")]
    stand.keys("Shift+Left")
    stand.type("x")
    assert text(stand) == "Żx"
    kept = stand_of(begins_selected=False)
    kept.type("!")
    assert text(kept) == TEXT + "!"


def test_the_clipboard() -> None:
    stand = stand_of()
    stand.keys("Home", "Shift+Right", "Shift+Right", "Shift+Right", "Ctrl+C")
    assert (stand.clipboard, text(stand)) == ("one", TEXT)
    stand.keys("Ctrl+X")
    assert (stand.clipboard, text(stand)) == ("one", " two three")
    stand.keys("End", "Ctrl+V")
    assert text(stand) == " two threeone"
    stand.keys("Ctrl+C")
    assert stand.clipboard == "one", "without a selection nothing is copied"
    stand.clipboard = "four\n  five\0\tsix"
    stand.keys("Ctrl+A", "Ctrl+V")
    assert text(stand) == "four five six"


def test_there_are_most_letters() -> None:
    stand = stand_of(most=15)
    stand.keys("End")
    stand.type("1234")
    assert text(stand) == TEXT + "12"
    stand.clipboard = "x" * 99
    stand.keys("Ctrl+A", "Ctrl+V")
    assert text(stand) == "x" * 15


def test_a_number_takes_digits_only() -> None:
    stand = stand_of("12", is_number=True)
    assert stand.type("x") == [], "and a letter does not delete what is selected"
    stand.type("3.5")
    assert text(stand) == "3.5"
    stand.clipboard = "about 40 moves"
    stand.keys("Ctrl+A", "Ctrl+V")
    assert text(stand) == "40"


def test_keys_that_are_not_for_a_field_are_for_somebody_else() -> None:
    stand = stand_of()
    for key in ("Enter", "Esc", "Tab", "Page Up", "Up", "F1"):
        assert stand.stage.key(Key(key)) is None
    assert stand.stage.writes


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("is_number", [False, True])
def test_the_mouse_puts_the_caret_and_selects(scale: float, is_number: bool) -> None:
    stand = stand_of("1234567", scale, is_number=is_number)
    found = stand.stage.find("field")
    assert found is not None
    field, style = found.panel, stand.style
    assert isinstance(field, Field)
    rect = found.rect
    left = rect.left + style.px(12) if not is_number else rect.right - style.px(12) - style.width("1234567", 13)
    points = [(left + style.width("1234567"[:count], 13), rect.centery) for count in range(8)]
    for count, at in enumerate(points):
        stand.do(PressAt(at), Release())
        assert (caret(stand).at, caret(stand).anchor) == (count, count)
    stand.do(PressAt(points[2]), PointAt(points[5]))
    assert caret(stand).selected == (2, 5)
    stand.do(PointAt((rect.right + 99, 0)), Release(), PointAt(points[0]))
    assert caret(stand).selected == (2, 7), "the mouse selects as long as its button is held"


def test_two_clicks_select_a_word_and_three_all() -> None:
    stand = stand_of()
    at = (stand.at("field")[0] - 120 + 12 + stand.style.width("one t", 13), stand.at("field")[1])
    stand.do(PressAt(at), PressAt(at, 2))
    assert caret(stand).selected == (4, 7)
    stand.do(PressAt(at, 3))
    assert caret(stand).selected == (0, 13)
    empty = stand_of("")
    empty.click("field", clicks=2)
    assert caret(empty).selected == (0, 0)


@pytest.mark.parametrize("scale", SCALES)
def test_a_long_text_moves_so_that_the_caret_is_seen(scale: float) -> None:
    stand = stand_of(LONG, scale)
    found = stand.stage.find("field")
    assert found is not None
    assert isinstance(found.panel, Field)
    seen = []
    for key in ["End"] + ["Left"] * len(LONG) + ["Right"] * len(LONG):
        stand.keys(key)
        rect = found.panel.caret_rect(stand.stage._canvas(found))
        assert found.rect.left <= rect.left <= found.rect.right
        seen.append(rect.left)
    steps = [abs(one - other) for one, other in pairwise(seen)]
    assert max(steps) <= stand.style.width("mm", 13), "the text stays where it is as long as it can"
    assert stand.pixels() == stand.fresh_pixels()


def test_a_long_text_that_becomes_shorter_leaves_no_room_unused() -> None:
    stand = stand_of(LONG)
    stand.keys("End")
    for _ in range(10):
        stand.keys("Backspace")
        found = stand.stage.find("field")
        assert found is not None
        assert isinstance(found.panel, Field)
        left = found.panel.caret_rect(stand.stage._canvas(found)).left
        assert left >= found.rect.right - stand.style.px(12) - 1


def test_the_mouse_that_holds_still_selects_nothing_more_in_a_long_text() -> None:
    stand = stand_of(LONG)
    stand.keys("End")
    at = stand.at("field", 0.9)
    stand.do(PressAt(at))
    first = caret(stand)
    for _ in range(5):
        stand.do(PointAt(at))
    assert caret(stand) == first
    stand.do(PointAt((0, at[1])))
    assert caret(stand).at < first.at


def test_an_input_method_shows_what_it_is_about_to_write() -> None:
    stand = stand_of("ab", begins_selected=False)
    before = stand.pixels()
    stand.keys("Left")
    assert stand.do(Compose("nih")) == []
    composing = stand.pixels()
    assert composing != before
    assert caret(stand).composed == "nih"
    assert stand.do(Key("", "日")) == [Use("field", "a日b")]
    assert (caret(stand).composed, caret(stand).at) == ("", 2)
    stand.do(Compose("x"), Compose(""))
    assert (caret(stand).composed, text(stand)) == ("", "a日b")
    stand.keys("Ctrl+A")
    assert stand.do(Compose("n")) == [Use("field", "")], "what is selected gives way"
    stand.do(Key("", "日"))
    assert text(stand) == "日"


def test_an_input_method_that_writes_nothing_changes_nothing() -> None:
    stand = stand_of()
    stand.keys("Ctrl+A")
    assert stand.do(Compose("")) == []
    assert text(stand) == TEXT


def test_where_somebody_writes_is_seen() -> None:
    stand = stand_of("")
    written = stand.pixels()
    stand.stage.leave()
    blank = stand.pixels()
    assert blank != written
    stand.stage.go_to("field", shows=False)
    assert stand.pixels() != blank


def test_another_field_begins_anew() -> None:
    stand = stand_of()
    stand.keys("End")
    stand.stage.next(1)
    stand.type("z")
    assert (stand.values["other"], text(stand)) == ("z", TEXT)
    stand.stage.next(-1)
    assert caret(stand).selected == (0, len(TEXT)), "all is selected again"
