"""A line of text: caret, selection, clipboard, long texts, numbers, input methods."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from othello.gui.toolkit.field import Caret, TextField
from othello.gui.toolkit.inputs import Compose, ControlChanged, Input, Key, MouseMoved, MousePressed, MouseReleased
from othello.gui.toolkit.layout import Column, Spacer
from othello.gui.toolkit.widget import Widget
from othello.texts import tr
from tests.gui.toolkit.stand import SCALES, Stand

TEXT = "one two three"
LONG = "the quick brown fox jumps over the lazy dog and on"


def stand_of(text: str = TEXT, scale: float = 1.0, **more: Any) -> Stand:
    def tree(values: Mapping[str, Any]) -> Widget:
        field = TextField(values.get("field", text), name="field", width=240, **more)
        return Column((field, TextField(values.get("other", ""), name="other", width=240), Spacer(grow=1)))

    stand = Stand(tree, (round(400 * scale), round(300 * scale)), scale)
    stand.widgets.go_to("field")
    return stand


def text(stand: Stand) -> str:
    return str(stand.values.get("field", TEXT))


def caret(stand: Stand) -> Caret:
    found = stand.widgets.find("field")
    assert found is not None
    assert isinstance(found.widget, TextField)
    return found.widget.caret(stand.widgets._context(found).state)


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
    assert stand.type("Żó") == [ControlChanged("field", "Ż"), ControlChanged("field", "Żó")]
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


def remark(stand: Stand) -> str:
    found = stand.widgets.find("field")
    assert found is not None
    return found.widget.remark(stand.widgets._context(found))


def test_there_are_most_letters_which_is_said_where_they_are_met() -> None:
    stand = stand_of(max_length=15)
    stand.keys("End")
    stand.type("12")
    assert remark(stand) == ""
    before = stand.pixels()
    stand.type("34")
    assert text(stand) == TEXT + "12"
    assert remark(stand) == tr("field.full", n=15)
    assert stand.pixels() != before
    assert stand.pixels() == stand.fresh_pixels()
    stand.click("field")
    assert remark(stand) == ""
    stand.clipboard = "x" * 99
    stand.keys("Ctrl+A", "Ctrl+V")
    assert text(stand) == "x" * 15


def test_a_number_takes_digits_only_and_says_so() -> None:
    stand = stand_of("12", is_number=True)
    assert stand.type("x") == [], "and a letter does not delete what is selected"
    assert remark(stand) == tr("field.number")
    stand.type("3.5")
    assert (text(stand), remark(stand)) == ("3.5", "")


@pytest.mark.parametrize(
    ("copied", "taken", "is_told"),
    [("about 40 moves", "40", True), (" -1 ", "-1", False), ("1 000", "1 000", False), ("2e5", "2", True)],
)
def test_of_what_is_pasted_a_number_takes_the_number(copied: str, taken: str, is_told: bool) -> None:
    stand = stand_of("12", is_number=True)
    stand.clipboard = copied
    stand.keys("Ctrl+A", "Ctrl+V")
    assert text(stand) == taken
    assert bool(remark(stand)) == is_told


def test_what_is_wrong_is_said_below_the_field_and_seen_without_colours() -> None:
    wrong, sound = (stand_of("-1", is_number=True, is_wrong=is_wrong, tip="1 to 9") for is_wrong in (True, False))
    assert (remark(wrong), remark(sound)) == ("1 to 9", "")
    for each in (wrong, sound):
        each.widgets.leave()
    assert wrong.pixels() != sound.pixels()


def test_changes_can_be_taken_back_word_by_word_and_made_again() -> None:
    stand = stand_of("", begins_selected=False)
    stand.type("one two")
    stand.keys("Left", "Backspace", "Backspace")
    assert text(stand) == "one o"
    for wanted in ("one two", "one", ""):
        stand.keys("Ctrl+Z")
        assert text(stand).strip() == wanted
    assert stand.widgets.key(Key("Ctrl+Z")) is None
    for key, wanted in (("Ctrl+Y", "one"), ("Ctrl+Shift+Z", "one two"), ("Ctrl+Y", "one o")):
        stand.keys(key)
        assert text(stand).strip() == wanted
    stand.keys("Ctrl+Z")
    stand.click("field")
    stand.keys("Ctrl+Z")
    assert text(stand).strip() == "one", "a click takes nothing of that away"
    stand.type("x")
    assert stand.widgets.key(Key("Ctrl+Y")) is None


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
    stand = stand_of(before, is_number=is_number, max_length=40)
    stand.values["field"] = before
    for event in events:
        stand.clipboard = stand.clipboard or "1 ż\n"
        stand.do(event)
        now, written = caret(stand), text(stand)
        assert 0 <= min(now.at, now.anchor) <= max(now.at, now.anchor) <= len(written) <= 40
        assert written.isprintable()
        stand.pixels()
        if not stand.widgets.focus:
            stand.widgets.go_to("field")
    assert stand.pixels() == stand.fresh_pixels()


def test_there_is_room_for_most_letters() -> None:
    stand = stand_of(max_length=15)
    stand.keys("End")


def test_keys_that_are_not_for_a_field_are_for_somebody_else() -> None:
    stand = stand_of()
    for key in ("Enter", "Esc", "Tab", "Page Up", "Up", "F1"):
        assert stand.widgets.key(Key(key)) is None
    assert stand.widgets.writes


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("is_number", [False, True])
def test_the_mouse_puts_the_caret_and_selects(scale: float, is_number: bool) -> None:
    stand = stand_of("1234567", scale, is_number=is_number)
    found = stand.widgets.find("field")
    assert found is not None
    field, style = found.widget, stand.style
    assert isinstance(field, TextField)
    rect = found.rect
    left = rect.left + style.px(12) if not is_number else rect.right - style.px(12) - style.width("1234567", 13)
    points = [(left + style.width("1234567"[:count], 13), rect.centery) for count in range(8)]
    for count, at in enumerate(points):
        stand.do(MousePressed(at), MouseReleased())
        assert (caret(stand).at, caret(stand).anchor) == (count, count)
    stand.do(MousePressed(points[2]), MouseMoved(points[5]))
    assert caret(stand).selected == (2, 5)
    stand.do(MouseMoved((rect.right + 99, 0)), MouseReleased(), MouseMoved(points[0]))
    assert caret(stand).selected == (2, 7), "the mouse selects as long as its button is held"


def test_two_clicks_select_a_word_and_three_all() -> None:
    stand = stand_of()
    at = (stand.at("field")[0] - 120 + 12 + stand.style.width("one t", 13), stand.at("field")[1])
    stand.do(MousePressed(at), MousePressed(at, 2))
    assert caret(stand).selected == (4, 7)
    stand.do(MousePressed(at, 3))
    assert caret(stand).selected == (0, 13)
    empty = stand_of("")
    empty.click("field", clicks=2)
    assert caret(empty).selected == (0, 0)


@pytest.mark.parametrize("scale", SCALES)
def test_a_long_text_moves_so_that_the_caret_is_seen(scale: float) -> None:
    stand = stand_of(LONG, scale)
    found = stand.widgets.find("field")
    assert found is not None
    assert isinstance(found.widget, TextField)
    seen = []
    for key in ["End"] + ["Left"] * len(LONG) + ["Right"] * len(LONG):
        stand.keys(key)
        rect = found.widget.caret_rect(stand.widgets._context(found))
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
        found = stand.widgets.find("field")
        assert found is not None
        assert isinstance(found.widget, TextField)
        left = found.widget.caret_rect(stand.widgets._context(found)).left
        assert left >= found.rect.right - stand.style.px(12) - 1


def test_the_mouse_that_holds_still_selects_nothing_more_in_a_long_text() -> None:
    stand = stand_of(LONG)
    stand.keys("End")
    at = stand.at("field", 0.9)
    stand.do(MousePressed(at))
    first = caret(stand)
    for _ in range(5):
        stand.do(MouseMoved(at))
    assert caret(stand) == first
    stand.do(MouseMoved((0, at[1])))
    assert caret(stand).at < first.at


def test_an_input_method_shows_what_it_is_about_to_write() -> None:
    stand = stand_of("ab", begins_selected=False)
    before = stand.pixels()
    stand.keys("Left")
    assert stand.do(Compose("nih")) == []
    composing = stand.pixels()
    assert composing != before
    assert caret(stand).composed == "nih"
    assert stand.do(Key("", "日")) == [ControlChanged("field", "a日b")]
    assert (caret(stand).composed, caret(stand).at) == ("", 2)
    stand.do(Compose("x"), Compose(""))
    assert (caret(stand).composed, text(stand)) == ("", "a日b")
    stand.keys("Ctrl+A")
    assert stand.do(Compose("n")) == [ControlChanged("field", "")], "what is selected gives way"
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
    stand.widgets.leave()
    blank = stand.pixels()
    assert blank != written
    stand.widgets.go_to("field", shows=False)
    assert stand.pixels() != blank


def test_another_field_begins_anew() -> None:
    stand = stand_of()
    stand.keys("End")
    stand.widgets.next(1)
    stand.type("z")
    assert (stand.values["other"], text(stand)) == ("z", TEXT)
    stand.widgets.next(-1)
    assert caret(stand).selected == (0, len(TEXT)), "all is selected again"
