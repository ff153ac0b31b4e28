"""Text fields: caret, selection, clipboard, long texts, numbers, input methods."""

from collections.abc import Mapping
from itertools import pairwise, takewhile
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings, strategies as st
from pygame import Rect

from othello.gui import ui
from othello.texts import tr
from tests.golden.dialogues import assert_answers
from tests.gui.toolkit.widget_driver import SCALES, WidgetDriver

TEXT = "one two three"
LONG = "the quick brown fox jumps over the lazy dog and on"


class FieldDriver(WidgetDriver):
    """Two text fields; the first has the focus."""

    def __init__(self, text: str = TEXT, scale: float = 1.0, **more: Any) -> None:
        def tree(values: Mapping[str, Any]) -> ui.Widget:
            field = ui.TextField(values.get("field", text), name="field", width=240, **more)
            return ui.Column((field, ui.TextField(values.get("other", ""), name="other", width=240), ui.Spacer(grow=1)))

        super().__init__(tree, (round(400 * scale), round(300 * scale)), scale)
        self.widgets.go_to("field")

    @property
    def field(self) -> ui.TextField:
        return self.widget("field", ui.TextField)

    @property
    def text(self) -> str:
        return self.field.value

    @property
    def caret(self) -> ui.Caret:
        return self.field.caret(self.context("field").state)

    @property
    def caret_rect(self) -> Rect:
        return self.field.caret_rect(self.context("field"))

    @property
    def remark(self) -> str:
        return self.field.remark(self.context("field"))


@pytest.fixture
def driver() -> FieldDriver:
    return FieldDriver()


def test_keys_change_a_field_as_stored() -> None:
    def answer(keys: str) -> str:
        """Return the selection in the text, the caret and the clipboard after each key, or after typed "=letters"."""
        driver, found = FieldDriver(), list[str]()
        for key in keys.split():
            driver.type(key[1:].replace("_", " ")) if key.startswith("=") else driver.keys(key)
            text, (begin, end), at = driver.text, driver.caret.selected, driver.caret.at
            found.append(f"{key}: {text[:begin]}[{text[begin:end]}]{text[end:]} {at} {driver.clipboard}".rstrip())
        return "\n".join(found)

    assert_answers("field.txt", answer)


def test_typed_and_pasted_letters_replace_the_selection(driver: FieldDriver) -> None:
    assert driver.type("Żó") == [ui.ControlChanged("field", "Ż"), ui.ControlChanged("field", "Żó")]
    unselected = FieldDriver(begins_selected=False)
    unselected.type("!")
    assert unselected.text == TEXT + "!"
    driver.clipboard = "four\n  five\0\tsix"
    driver.keys("Ctrl+A", "Ctrl+V")
    assert driver.text == "four five six"


def test_a_full_field_says_so() -> None:
    driver = FieldDriver(max_length=15)
    driver.keys("End")
    driver.type("12")
    assert driver.remark == ""
    before = driver.pixels()
    driver.type("34")
    assert (driver.text, driver.remark) == (TEXT + "12", tr("field.full", n=15))
    assert driver.pixels() != before
    assert driver.pixels() == driver.fresh_pixels()
    driver.click("field")
    assert driver.remark == ""
    driver.clipboard = "x" * 99
    driver.keys("Ctrl+A", "Ctrl+V")
    assert driver.text == "x" * 15


def test_a_number_field_accepts_digits_only_and_says_so() -> None:
    driver = FieldDriver("12", is_number=True)
    assert driver.type("x") == [], "a letter does not delete the selection"
    assert driver.remark == tr("field.number")
    driver.type("3.5")
    assert (driver.text, driver.remark) == ("3.5", "")
    for copied, pasted in (("about 40 moves", "40"), (" -1 ", "-1"), ("1 000", "1 000"), ("2e5", "2")):
        driver.clipboard = copied
        driver.keys("Ctrl+A", "Ctrl+V")
        assert (driver.text, bool(driver.remark)) == (pasted, pasted != copied.strip())


def test_undo_goes_word_by_word_and_redo_returns() -> None:
    driver = FieldDriver("", begins_selected=False)
    assert driver.widgets.key(ui.Key("Ctrl+Z")) is None
    driver.type("one two")
    driver.keys("Backspace", "Ctrl+Z")
    driver.click("field")
    driver.keys("Ctrl+Z")
    assert driver.text.strip() == "one", "a click does not change what can be undone"
    driver.type("x")
    assert driver.widgets.key(ui.Key("Ctrl+Y")) is None
    driver = FieldDriver("", begins_selected=False, max_length=250)
    driver.type("a " * 120)
    assert len([*takewhile(lambda _: driver.widgets.key(ui.Key("Ctrl+Z")), range(999))]) == 100


EVENTS = st.one_of(
    st.sampled_from(["Home", "End", "Left", "Right", "Delete", "Backspace", "Up", "Enter", "Tab"]).flatmap(
        lambda key: st.sampled_from([key, f"Shift+{key}", f"Ctrl+{key}", f"Ctrl+Shift+{key}"]).map(ui.Key)
    ),
    st.sampled_from(["Ctrl+A", "Ctrl+C", "Ctrl+X", "Ctrl+V", "Ctrl+Z", "Ctrl+Y", "Ctrl+Shift+Z"]).map(ui.Key),
    st.text(max_size=6).map(lambda letters: ui.Key("", letters)),
    st.text(max_size=3).map(ui.Compose),
    st.builds(ui.MousePressed, st.tuples(st.integers(-9, 420), st.integers(-9, 320)), st.integers(1, 3)),
    st.builds(ui.MouseMoved, st.tuples(st.integers(-9, 420), st.integers(-9, 320))),
    st.just(ui.MouseReleased()),
)


@given(st.booleans(), st.text("aż 1-,.", max_size=40), st.lists(EVENTS, min_size=100, max_size=100))
@example(False, "", [ui.Key("", "\U000e0100")])  # has no width
@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_events_leave_a_valid_field(is_number: bool, before: str, events: list[ui.Input]) -> None:
    driver = FieldDriver(before, is_number=is_number, max_length=40)
    for event in events:
        driver.clipboard = driver.clipboard or "1 ż\n"
        driver.do(event)
        caret, text = driver.caret, driver.text
        assert 0 <= min(caret.at, caret.anchor) <= max(caret.at, caret.anchor) <= len(text) <= 40
        assert text.isprintable()
        driver.pixels()
        if not driver.widgets.focus:
            driver.widgets.go_to("field")
    assert driver.pixels() == driver.fresh_pixels()


def test_a_field_leaves_keys_of_the_dialog_to_the_dialog(driver: FieldDriver) -> None:
    for key in ("Enter", "Esc", "Tab", "Page Up", "Up", "F1"):
        assert driver.widgets.key(ui.Key(key)) is None
    assert driver.widgets.writes


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("is_number", [False, True])
def test_the_mouse_moves_the_caret_and_selects(scale: float, is_number: bool) -> None:
    driver = FieldDriver("1234567", scale, is_number=is_number)
    rect, style = driver.placed("field").rect, driver.style
    left = rect.left + style.px(12) if not is_number else rect.right - style.px(12) - style.width("1234567", 13)
    points = [(left + style.width("1234567"[:count], 13), rect.centery) for count in range(8)]
    for count, at in enumerate(points):
        driver.do(ui.MousePressed(at), ui.MouseReleased())
        assert (driver.caret.at, driver.caret.anchor) == (count, count)
    driver.do(ui.MousePressed(points[2]), ui.MouseMoved(points[5]))
    assert driver.caret.selected == (2, 5)
    driver.do(ui.MouseMoved((rect.right + 99, 0)), ui.MouseReleased(), ui.MouseMoved(points[0]))
    assert driver.caret.selected == (2, 7), "the mouse selects only while its button is held"


def test_two_clicks_select_a_word_and_three_all(driver: FieldDriver) -> None:
    at = (driver.at("field")[0] - 120 + 12 + driver.style.width("one t", 13), driver.at("field")[1])
    driver.do(ui.MousePressed(at), ui.MousePressed(at, 2))
    assert driver.caret.selected == (4, 7)
    driver.do(ui.MousePressed(at, 3))
    assert driver.caret.selected == (0, 13)
    empty = FieldDriver("")
    empty.click("field", clicks=2)
    assert empty.caret.selected == (0, 0)


@pytest.mark.parametrize("scale", SCALES)
def test_a_long_text_scrolls_with_the_caret(scale: float) -> None:
    driver = FieldDriver(LONG, scale)
    rect, seen = driver.placed("field").rect, []
    for key in ["End"] + ["Left"] * len(LONG) + ["Right"] * len(LONG):
        driver.keys(key)
        seen.append(driver.caret_rect.left)
        assert rect.left <= seen[-1] <= rect.right
    steps = [abs(one - other) for one, other in pairwise(seen)]
    assert max(steps) <= driver.style.width("mm", 13), "the text moves no more than necessary"
    assert driver.pixels() == driver.fresh_pixels()
    for _ in range(10):
        driver.keys("Backspace")
        assert driver.caret_rect.left >= rect.right - driver.style.px(12) - 1, "no room is left unused"


def test_a_resting_mouse_selects_no_more_of_a_long_text() -> None:
    driver = FieldDriver(LONG)
    driver.keys("End")
    at = driver.at("field", 0.9)
    driver.do(ui.MousePressed(at))
    first = driver.caret
    for _ in range(5):
        driver.do(ui.MouseMoved(at))
    assert driver.caret == first
    driver.do(ui.MouseMoved((0, at[1])))
    assert driver.caret.at < first.at


def test_an_input_method_shows_its_text_before_it_writes() -> None:
    driver = FieldDriver("ab", begins_selected=False)
    before = driver.pixels()
    driver.keys("Left")
    assert driver.do(ui.Compose("nih")) == []
    assert driver.pixels() != before
    assert driver.caret.composed == "nih"
    assert driver.do(ui.Key("", "日")) == [ui.ControlChanged("field", "a日b")]
    assert (driver.caret.composed, driver.caret.at) == ("", 2)
    driver.do(ui.Compose("x"), ui.Compose(""))
    assert (driver.caret.composed, driver.text) == ("", "a日b")
    driver.keys("Ctrl+A")
    assert driver.do(ui.Compose("")) == [], "the selection stays until the input method has text"
    assert driver.do(ui.Compose("n")) == [ui.ControlChanged("field", "")]
    driver.do(ui.Key("", "日"))
    assert driver.text == "日"


def test_another_field_starts_anew(driver: FieldDriver) -> None:
    driver.keys("End")
    driver.widgets.next(1)
    driver.type("z")
    assert (driver.values["other"], driver.text) == ("z", TEXT)
    driver.widgets.next(-1)
    assert driver.caret.selected == (0, len(TEXT)), "all text is selected again"
