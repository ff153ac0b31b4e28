"""A line of text: caret, selection, clipboard, long texts, numbers, input methods."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from othello.gui.toolkit.field import Caret, TextField
from othello.gui.toolkit.inputs import Compose, ControlChanged, Input, Key, MouseMoved, MousePressed, MouseReleased
from othello.gui.toolkit.layout import Column, Spacer
from othello.gui.toolkit.widget import Widget
from othello.texts import tr
from tests.gui.toolkit.widget_driver import SCALES, WidgetDriver

TEXT = "one two three"
LONG = "the quick brown fox jumps over the lazy dog and on"


def driver_of(text: str = TEXT, scale: float = 1.0, **more: Any) -> WidgetDriver:
    def tree(values: Mapping[str, Any]) -> Widget:
        field = TextField(values.get("field", text), name="field", width=240, **more)
        return Column((field, TextField(values.get("other", ""), name="other", width=240), Spacer(grow=1)))

    driver = WidgetDriver(tree, (round(400 * scale), round(300 * scale)), scale)
    driver.widgets.go_to("field")
    return driver


def text(driver: WidgetDriver) -> str:
    return str(driver.values.get("field", TEXT))


def caret(driver: WidgetDriver) -> Caret:
    found = driver.widgets.find("field")
    assert found is not None
    assert isinstance(found.widget, TextField)
    return found.widget.caret(driver.widgets._context(found).state)


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
    driver = driver_of()
    driver.keys(*keys)
    now = caret(driver)
    assert text(driver)[: now.at] + "|" + text(driver)[now.at :] == after
    assert now.at == now.anchor


def test_what_is_typed_takes_the_place_of_the_selection() -> None:
    driver = driver_of()
    assert driver.type("Żó") == [ControlChanged("field", "Ż"), ControlChanged("field", "Żó")]
    driver.keys("Shift+Left")
    driver.type("x")
    assert text(driver) == "Żx"
    kept = driver_of(begins_selected=False)
    kept.type("!")
    assert text(kept) == TEXT + "!"


def test_the_clipboard() -> None:
    driver = driver_of()
    driver.keys("Home", "Shift+Right", "Shift+Right", "Shift+Right", "Ctrl+C")
    assert (driver.clipboard, text(driver)) == ("one", TEXT)
    driver.keys("Ctrl+X")
    assert (driver.clipboard, text(driver)) == ("one", " two three")
    driver.keys("End", "Ctrl+V")
    assert text(driver) == " two threeone"
    driver.keys("Ctrl+C")
    assert driver.clipboard == "one", "without a selection nothing is copied"
    driver.clipboard = "four\n  five\0\tsix"
    driver.keys("Ctrl+A", "Ctrl+V")
    assert text(driver) == "four five six"


def remark(driver: WidgetDriver) -> str:
    found = driver.widgets.find("field")
    assert found is not None
    return found.widget.remark(driver.widgets._context(found))


def test_there_are_most_letters_which_is_said_where_they_are_met() -> None:
    driver = driver_of(max_length=15)
    driver.keys("End")
    driver.type("12")
    assert remark(driver) == ""
    before = driver.pixels()
    driver.type("34")
    assert text(driver) == TEXT + "12"
    assert remark(driver) == tr("field.full", n=15)
    assert driver.pixels() != before
    assert driver.pixels() == driver.fresh_pixels()
    driver.click("field")
    assert remark(driver) == ""
    driver.clipboard = "x" * 99
    driver.keys("Ctrl+A", "Ctrl+V")
    assert text(driver) == "x" * 15


def test_a_number_takes_digits_only_and_says_so() -> None:
    driver = driver_of("12", is_number=True)
    assert driver.type("x") == [], "and a letter does not delete what is selected"
    assert remark(driver) == tr("field.number")
    driver.type("3.5")
    assert (text(driver), remark(driver)) == ("3.5", "")


@pytest.mark.parametrize(
    ("copied", "taken", "is_told"),
    [("about 40 moves", "40", True), (" -1 ", "-1", False), ("1 000", "1 000", False), ("2e5", "2", True)],
)
def test_of_what_is_pasted_a_number_takes_the_number(copied: str, taken: str, is_told: bool) -> None:
    driver = driver_of("12", is_number=True)
    driver.clipboard = copied
    driver.keys("Ctrl+A", "Ctrl+V")
    assert text(driver) == taken
    assert bool(remark(driver)) == is_told


def test_what_is_wrong_is_said_below_the_field_and_seen_without_colours() -> None:
    wrong, sound = (driver_of("-1", is_number=True, is_wrong=is_wrong, tip="1 to 9") for is_wrong in (True, False))
    assert (remark(wrong), remark(sound)) == ("1 to 9", "")
    for each in (wrong, sound):
        each.widgets.leave()
    assert wrong.pixels() != sound.pixels()


def test_changes_can_be_taken_back_word_by_word_and_made_again() -> None:
    driver = driver_of("", begins_selected=False)
    driver.type("one two")
    driver.keys("Left", "Backspace", "Backspace")
    assert text(driver) == "one o"
    for wanted in ("one two", "one", ""):
        driver.keys("Ctrl+Z")
        assert text(driver).strip() == wanted
    assert driver.widgets.key(Key("Ctrl+Z")) is None
    for key, wanted in (("Ctrl+Y", "one"), ("Ctrl+Shift+Z", "one two"), ("Ctrl+Y", "one o")):
        driver.keys(key)
        assert text(driver).strip() == wanted
    driver.keys("Ctrl+Z")
    driver.click("field")
    driver.keys("Ctrl+Z")
    assert text(driver).strip() == "one", "a click takes nothing of that away"
    driver.type("x")
    assert driver.widgets.key(Key("Ctrl+Y")) is None


EVENTS = st.one_of(
    st.sampled_from(["Home", "End", "Left", "Right", "Delete", "Backspace", "Up", "Enter", "Tab"]).flatmap(
        lambda key: st.sampled_from([key, f"Shift+{key}", f"Ctrl+{key}", f"Ctrl+Shift+{key}"]).map(Key)
    ),
    st.sampled_from(["Ctrl+A", "Ctrl+C", "Ctrl+X", "Ctrl+V", "Ctrl+Z", "Ctrl+Y", "Ctrl+Shift+Z"]).map(Key),
    st.text(max_size=6).map(lambda letters: Key("", letters)),
    st.text(max_size=3).map(Compose),
    st.builds(MousePressed, st.tuples(st.integers(-9, 420), st.integers(-9, 320)), st.integers(1, 3)),
    st.builds(MouseMoved, st.tuples(st.integers(-9, 420), st.integers(-9, 320))),
    st.just(MouseReleased()),
)


@given(st.booleans(), st.text("aż 1-,.", max_size=40), st.lists(EVENTS, min_size=100, max_size=100))
@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
def test_whatever_is_done_to_a_field_it_stays_one(is_number: bool, before: str, events: list[Input]) -> None:
    driver = driver_of(before, is_number=is_number, max_length=40)
    driver.values["field"] = before
    for event in events:
        driver.clipboard = driver.clipboard or "1 ż\n"
        driver.do(event)
        now, written = caret(driver), text(driver)
        assert 0 <= min(now.at, now.anchor) <= max(now.at, now.anchor) <= len(written) <= 40
        assert written.isprintable()
        driver.pixels()
        if not driver.widgets.focus:
            driver.widgets.go_to("field")
    assert driver.pixels() == driver.fresh_pixels()


def test_keys_that_are_not_for_a_field_are_for_somebody_else() -> None:
    driver = driver_of()
    for key in ("Enter", "Esc", "Tab", "Page Up", "Up", "F1"):
        assert driver.widgets.key(Key(key)) is None
    assert driver.widgets.writes


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("is_number", [False, True])
def test_the_mouse_puts_the_caret_and_selects(scale: float, is_number: bool) -> None:
    driver = driver_of("1234567", scale, is_number=is_number)
    found = driver.widgets.find("field")
    assert found is not None
    field, style = found.widget, driver.style
    assert isinstance(field, TextField)
    rect = found.rect
    left = rect.left + style.px(12) if not is_number else rect.right - style.px(12) - style.width("1234567", 13)
    points = [(left + style.width("1234567"[:count], 13), rect.centery) for count in range(8)]
    for count, at in enumerate(points):
        driver.do(MousePressed(at), MouseReleased())
        assert (caret(driver).at, caret(driver).anchor) == (count, count)
    driver.do(MousePressed(points[2]), MouseMoved(points[5]))
    assert caret(driver).selected == (2, 5)
    driver.do(MouseMoved((rect.right + 99, 0)), MouseReleased(), MouseMoved(points[0]))
    assert caret(driver).selected == (2, 7), "the mouse selects as long as its button is held"


def test_two_clicks_select_a_word_and_three_all() -> None:
    driver = driver_of()
    at = (driver.at("field")[0] - 120 + 12 + driver.style.width("one t", 13), driver.at("field")[1])
    driver.do(MousePressed(at), MousePressed(at, 2))
    assert caret(driver).selected == (4, 7)
    driver.do(MousePressed(at, 3))
    assert caret(driver).selected == (0, 13)
    empty = driver_of("")
    empty.click("field", clicks=2)
    assert caret(empty).selected == (0, 0)


@pytest.mark.parametrize("scale", SCALES)
def test_a_long_text_moves_so_that_the_caret_is_seen(scale: float) -> None:
    driver = driver_of(LONG, scale)
    found = driver.widgets.find("field")
    assert found is not None
    assert isinstance(found.widget, TextField)
    seen = []
    for key in ["End"] + ["Left"] * len(LONG) + ["Right"] * len(LONG):
        driver.keys(key)
        rect = found.widget.caret_rect(driver.widgets._context(found))
        assert found.rect.left <= rect.left <= found.rect.right
        seen.append(rect.left)
    steps = [abs(one - other) for one, other in pairwise(seen)]
    assert max(steps) <= driver.style.width("mm", 13), "the text stays where it is as long as it can"
    assert driver.pixels() == driver.fresh_pixels()


def test_a_long_text_that_becomes_shorter_leaves_no_room_unused() -> None:
    driver = driver_of(LONG)
    driver.keys("End")
    for _ in range(10):
        driver.keys("Backspace")
        found = driver.widgets.find("field")
        assert found is not None
        assert isinstance(found.widget, TextField)
        left = found.widget.caret_rect(driver.widgets._context(found)).left
        assert left >= found.rect.right - driver.style.px(12) - 1


def test_the_mouse_that_holds_still_selects_nothing_more_in_a_long_text() -> None:
    driver = driver_of(LONG)
    driver.keys("End")
    at = driver.at("field", 0.9)
    driver.do(MousePressed(at))
    first = caret(driver)
    for _ in range(5):
        driver.do(MouseMoved(at))
    assert caret(driver) == first
    driver.do(MouseMoved((0, at[1])))
    assert caret(driver).at < first.at


def test_an_input_method_shows_what_it_is_about_to_write() -> None:
    driver = driver_of("ab", begins_selected=False)
    before = driver.pixels()
    driver.keys("Left")
    assert driver.do(Compose("nih")) == []
    composing = driver.pixels()
    assert composing != before
    assert caret(driver).composed == "nih"
    assert driver.do(Key("", "日")) == [ControlChanged("field", "a日b")]
    assert (caret(driver).composed, caret(driver).at) == ("", 2)
    driver.do(Compose("x"), Compose(""))
    assert (caret(driver).composed, text(driver)) == ("", "a日b")
    driver.keys("Ctrl+A")
    assert driver.do(Compose("n")) == [ControlChanged("field", "")], "what is selected gives way"
    driver.do(Key("", "日"))
    assert text(driver) == "日"


def test_an_input_method_that_writes_nothing_changes_nothing() -> None:
    driver = driver_of()
    driver.keys("Ctrl+A")
    assert (driver.do(Compose("")), text(driver)) == ([], TEXT)


def test_where_somebody_writes_is_seen() -> None:
    driver = driver_of("")
    written = driver.pixels()
    driver.widgets.leave()
    blank = driver.pixels()
    assert blank != written
    driver.widgets.go_to("field", shows=False)
    assert driver.pixels() != blank


def test_another_field_begins_anew() -> None:
    driver = driver_of()
    driver.keys("End")
    driver.widgets.next(1)
    driver.type("z")
    assert (driver.values["other"], text(driver)) == ("z", TEXT)
    driver.widgets.next(-1)
    assert caret(driver).selected == (0, len(TEXT)), "all is selected again"
