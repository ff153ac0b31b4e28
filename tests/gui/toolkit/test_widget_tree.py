"""The widget tree: clicks, focus, groups, open lists, scrolling, tooltips, dialogs, drawing of changes; controls."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from othello.gui import ui
from tests.golden.dialogues import assert_answers
from tests.gui.toolkit.widget_driver import PALETTE, SCALES, Brick, WidgetDriver

WORDS = (("a", "apple"), ("b", "banana"), ("c", "blueberry"), ("d", "cherry"))


def buttons(*names: str, **more: Any) -> list[ui.Button]:
    return [ui.Button(name, name=name, **more) for name in names]


def from_top(*widgets: ui.Widget) -> ui.Widget:
    return ui.Column((*widgets, ui.Spacer(grow=1)))


def in_a_row(values: Mapping[str, Any]) -> ui.Widget:
    return from_top(ui.Row((*buttons("off", enabled=False), *buttons("one", "two", "three"))))


def test_a_click_presses_the_enabled_widget_there() -> None:
    driver = WidgetDriver(in_a_row)
    assert driver.click("two") == [ui.ControlChanged("two", True)]
    assert driver.widgets.focus == "two"
    driver.widgets.leave()
    assert driver.click("off") == []
    assert driver.widgets.focus == "", "a disabled button gets no focus"
    driver.do(ui.MousePressed((399, 299)))
    assert len(driver.uses) == 1
    assert driver.do(ui.RightMousePressed(driver.at("one")), ui.Compose("x"), ui.Scroll(1)) == []
    with pytest.raises(KeyError):
        driver.widgets.place_of("four")


def test_a_button_sends_its_command_and_looks_pressed_until_it_is_released() -> None:
    driver = WidgetDriver(lambda _: from_top(ui.Button("go", "command", name="go")))
    before = driver.pixels()
    assert driver.do(ui.MouseMoved(driver.at("go")), ui.MousePressed(driver.at("go"))) == ["command"]
    pressed = driver.pixels()
    driver.do(ui.MouseReleased())
    assert len({before, pressed, driver.pixels()}) == 3


def test_tab_goes_through_the_widgets_in_a_circle() -> None:
    driver = WidgetDriver(in_a_row)
    seen = []
    for steps in (1, 1, 1, 1, -1, -1):
        driver.widgets.next(steps)
        seen.append(driver.widgets.focus)
    assert seen == ["one", "two", "three", "one", "three", "two"]
    assert driver.widgets.shows_focus
    assert driver.keys("Space", "Enter") == [ui.ControlChanged("two", True)] * 2
    driver.click("one")
    assert not driver.widgets.shows_focus, "a click shows no outline"
    driver.widgets.leave()
    assert driver.widgets.key(ui.Key("Enter")) is None


class Chosen(ui.Button):
    """The first widget of its group that F6 focuses."""

    is_chosen = True


def grouped(values: Mapping[str, Any]) -> ui.Widget:
    bar = ui.FocusGroup(buttons("play", "pause"), gap=0)
    pads = ui.Flow([*buttons("7", "8", "9", width=120), Chosen("4", name="4", width=120)], gap=10)
    return from_top(bar, *buttons("alone"), pads)


def test_f6_goes_from_group_to_group() -> None:
    driver = WidgetDriver(grouped)
    seen = []
    for steps in (1, 1, 1, 1, -1, -1):
        driver.widgets.next_group(steps)
        seen.append(driver.widgets.focus)
    assert seen == ["play", "alone", "4", "", "4", "alone"], "to the chosen widget of a group, or the first"


def test_arrows_go_to_the_nearest_widget_of_the_group() -> None:
    driver = WidgetDriver(grouped, (250, 300))
    for step in ("7 Right 8", "7 Down 9", "9 Right 4", "8 Right 9", "8 Up 8"):
        start, key, end = step.split()
        driver.widgets.go_to(start)
        assert driver.keys(key) == []
        assert driver.widgets.focus == end, step
        driver.widgets.go_to("alone")
        assert driver.widgets.key(ui.Key(key)) is None
    far = ui.Column((ui.Spacer(height=40), *buttons("far")))
    driver = WidgetDriver(lambda _: from_top(ui.FocusGroup((*buttons("here"), ui.Spacer(grow=1), far), align="top")))
    driver.widgets.go_to("here")
    driver.keys("Down")
    assert driver.widgets.focus == "here", "the widget below is too far aside"


@pytest.mark.parametrize(("aside", "nearest"), [(9, "near"), (11, "below")])
def test_a_distance_aside_counts_three_times_for_arrows(aside: float, nearest: str) -> None:
    here, near, below = buttons("here", "near", "below", width=60, height=30)
    column = ui.Column((here, ui.Row((ui.Spacer(width=aside), near), gap=0), below), gap=0, align="left")
    driver = WidgetDriver(lambda _: ui.FocusGroup((column,), align="top"))
    driver.widgets.go_to("here")
    driver.keys("Down")
    assert driver.widgets.focus == nearest


@pytest.mark.parametrize(("height", "order"), [(300, "acbd"), (50, "abcd")])
def test_arrows_follow_rows_but_take_a_page_that_scrolls_as_one_block(height: int, order: str) -> None:
    pages = ui.ScrollView(ui.Column(buttons("a", "b")), name="page", width=90), ui.Column(buttons("c", "d"))
    driver = WidgetDriver(lambda _: ui.FocusGroup(pages, align="top"), (300, height))
    driver.widgets.go_to("a")
    seen = [driver.widgets.focus for _ in order if driver.keys("Right") == []]
    assert seen == [*order[1:], order[-1]]


def with_a_list(values: Mapping[str, Any]) -> ui.Widget:
    select = ui.Select(WORDS, values.get("fruit", "b"), name="fruit")
    return ui.Column((select, *buttons("below"), ui.Spacer(grow=1)), gap=4)


def test_a_list_closes_with_a_click_on_a_row_or_without_a_change() -> None:
    driver = WidgetDriver(with_a_list)
    for leave in (ui.Key("Esc"), ui.Key("Tab"), ui.MousePressed((390, 290))):
        driver.click("fruit")
        assert driver.widgets.open_overlay == "fruit"
        assert driver.do(leave) == []
        assert not driver.widgets.open_overlay
    driver.click("fruit")
    below = driver.at("below")
    assert driver.do(ui.MouseMoved(below), ui.MousePressed(below)) == [ui.ControlChanged("fruit", "a")]
    assert driver.click("below") == [ui.ControlChanged("below", True)]


def test_a_list_that_disappears_is_closed() -> None:
    def tree(values: Mapping[str, Any]) -> ui.Widget:
        return ui.Column((*(() if values.get("gone") else (ui.Select(WORDS, "a", name="list"),)), *buttons("one")))

    driver = WidgetDriver(tree)
    driver.click("list")
    driver.values["gone"] = True
    driver.show()
    assert driver.click("one") == [ui.ControlChanged("one", True)]
    assert driver.keys("Enter") == [ui.ControlChanged("one", True)]


def test_widgets_below_an_open_list_ignore_the_mouse() -> None:
    def tree(values: Mapping[str, Any]) -> ui.Widget:
        rows = [ui.MenuItem(str(index), name=str(index), tip="A row") for index in range(30)]
        return ui.ScrollView(ui.Column((with_a_list(values), *rows)), name="page")

    driver = WidgetDriver(tree)
    driver.click("fruit")
    driver.do(ui.MouseMoved(driver.at("fruit")))
    driver.pixels()
    place = driver.at("5")
    driver.do(ui.MouseMoved(place), ui.Scroll(1))
    driver.widgets.update(9.0)
    assert driver.at("5") == place
    assert driver.widgets.next_wake(9.0) is None
    driver.pixels()
    driver.do(ui.MouseMoved(driver.at("6")))
    assert driver.widgets.draw(driver.surface) == [], "nothing is highlighted below an open list"


def test_other_widgets_ignore_the_mouse_during_a_drag() -> None:
    driver = WidgetDriver(everything)
    driver.do(ui.MouseMoved(driver.at("slider", down=0.2)), ui.MousePressed(driver.at("slider", down=0.2)))
    driver.pixels()
    driver.do(ui.MouseMoved(driver.at("go")))
    assert driver.widgets.place_of("go").collidelist(driver.widgets.draw(driver.surface)) < 0


def long(values: Mapping[str, Any]) -> ui.Widget:
    rows = [ui.MenuItem(str(index), name=str(index)) for index in range(30)]
    return ui.Column((ui.ScrollView(ui.Column(rows), name="page", grow=1), ui.Button("foot", name="foot", height=40)))


@pytest.mark.parametrize("scale", SCALES)
def test_the_wheel_scrolls_a_page_to_its_ends(scale: float) -> None:
    driver = WidgetDriver(long, scale=scale)
    top = driver.at("0")
    driver.do(ui.MouseMoved((top[0], driver.widgets.place_of("0").bottom + 1)), ui.Scroll(1))  # between two rows
    assert driver.at("0")[1] == pytest.approx(top[1] - 40 * scale, abs=1)
    driver.do(ui.Scroll(1000), ui.Scroll(-1))
    assert driver.widgets.place_of("29").bottom > driver.widgets.place_of("page").bottom
    driver.do(ui.Scroll(-1000))
    assert driver.at("0") == top
    driver.widgets.scroll_page(1)
    assert driver.at("0") != top
    driver.widgets.to_top()
    assert driver.at("0") == top
    driver.do(ui.MouseMoved(driver.at("foot")), ui.Scroll(3))
    assert driver.at("0") == top, "the wheel scrolls the page under the mouse only"
    driver = WidgetDriver(lambda values: ui.Stack((in_a_row(values), ui.ModalBackdrop(long(values)))))
    top = driver.at("0")
    driver.do(ui.MouseMoved(driver.at("foot")), ui.Scroll(1))
    assert driver.at("0")[1] == top[1] - 40, "the page of a dialog, wherever the mouse is"


def test_hidden_rows_get_no_clicks_and_the_focus_scrolls_into_view() -> None:
    driver = WidgetDriver(long)
    assert driver.click("foot") == [ui.ControlChanged("foot", True)]
    behind = next(str(row) for row in range(30) if driver.widgets.place_of(str(row)).collidepoint(driver.at("foot")))
    assert behind
    driver.widgets.go_to("29")
    page = driver.widgets.place_of("page")
    assert page.contains(driver.widgets.place_of("29"))
    driver.widgets.next(2)
    assert driver.widgets.focus == "0"
    assert page.contains(driver.widgets.place_of("0"))


def test_the_scroll_bar_shows_the_position() -> None:
    driver = WidgetDriver(lambda values: ui.Card(long(values)))
    driver.pixels()
    page = driver.widgets.place_of("page")
    right = page.right + round(ui.ScrollView.overhang) - 3
    top, bottom = ((right, y) for y in (page.top + 10, page.bottom - 10))
    assert driver.surface.get_at(top)[:3] == PALETTE.line
    driver.do(ui.MouseMoved(page.center), ui.Scroll(1000))
    driver.pixels()
    assert driver.surface.get_at(bottom)[:3] == PALETTE.line != driver.surface.get_at(top)[:3]


def test_the_focus_outline_is_clipped_with_its_page_and_complete_at_its_edges() -> None:
    driver = WidgetDriver(
        lambda values: ui.Column((ui.Spacer(height=100), ui.ScrollView(long(values), name="outer", grow=1)), gap=0)
    )
    driver.widgets.go_to("0")
    driver.do(ui.MouseMoved((1, 150)), ui.Scroll(1), ui.MouseMoved(None))
    assert 0 < driver.at("0")[1] < 100
    focused = driver.pixels()
    driver.widgets.leave()
    assert driver.pixels() == focused
    tall = ui.Column((Brick(high=20), ui.Button("go", name="go"), Brick(high=900)))
    driver = WidgetDriver(lambda _: ui.Card(ui.ScrollView(tall, name="page"), (40, 40)))
    driver.widgets.go_to("go")
    driver.pixels()
    accent = (*PALETTE.accent,)
    ring = driver.widgets.place_of("go").inflate(6, 6)
    for at in (ring.midleft, ring.midtop, (ring.right - 1, ring.centery)):
        assert driver.surface.get_at(at)[:3] == accent, at
    driver.do(ui.MouseMoved((200, 150)), ui.Scroll(1), ui.MouseMoved(None))
    driver.pixels()
    assert [driver.surface.get_at((ring.left, y))[:3] == accent for y in (35, 36)] == [False, True]
    driver = WidgetDriver(lambda _: ui.Align(ui.Button("go", name="go")), scale=2.0)
    driver.widgets.go_to("go")
    driver.pixels()
    assert driver.surface.get_at(driver.widgets.place_of("go").inflate(12, 12).midleft)[:3] == accent


def test_equal_widgets_are_not_laid_out_again() -> None:
    driver = WidgetDriver(lambda _: ui.Button("go", name="go"))
    before = next(driver.widgets.walk())
    driver.show()
    assert next(driver.widgets.walk()) is before


def test_drawing_is_clipped_to_the_widget() -> None:
    class Blot(ui.Widget):
        def draw(self, on: ui.PaintContext) -> None:
            on.surface.fill((255, 0, 0))

    driver = WidgetDriver(lambda _: ui.Align(Blot(width=10, height=10)))
    driver.pixels()
    assert driver.surface.get_at((200, 150))[:3] == (255, 0, 0)
    assert driver.surface.get_at((220, 150))[:3] == PALETTE.background


@pytest.mark.parametrize("at", [(0, 0), (399, 0), (0, 299), (399, 299), (200, 150)])
def test_a_tooltip_lies_in_the_window_beside_the_mouse(at: tuple[int, int]) -> None:
    tip = ui.Tooltip()
    tip.hide(0.0)
    tip.update("As many words as a tooltip may have, on as many lines as they take in all. " * 3, 9.0)
    driver = WidgetDriver(in_a_row)
    rect = tip.overlay(driver.style, driver.window, at).rect
    assert driver.window.contains(rect)
    assert not rect.collidepoint(at)


def test_a_tooltip_appears_when_the_mouse_rests_and_hides_when_it_moves() -> None:
    driver = WidgetDriver(lambda _: from_top(*buttons("go", tip="Goes on"), *buttons("x")))
    blank = driver.pixels()
    driver.do(ui.MouseMoved(driver.at("x")))
    assert driver.widgets.next_wake(0.0) is None
    driver.do(ui.MouseMoved(driver.at("go")))
    wake = driver.widgets.next_wake(0.0)
    assert wake is not None
    lit = driver.pixels()
    driver.widgets.update(wake - 0.01)
    assert driver.widgets.draw(driver.surface) == []
    driver.widgets.update(wake)
    assert driver.pixels() not in (blank, lit)
    assert driver.widgets.next_wake(wake) is None
    driver.do(ui.MousePressed((399, 299)))
    assert driver.pixels() == lit
    driver.do(ui.MouseMoved(None))
    assert driver.pixels() == blank


def test_a_dialog_hides_the_tooltip_of_a_covered_widget() -> None:
    over: list[ui.Widget] = []
    driver = WidgetDriver(lambda _: ui.Stack((ui.Button("go", name="go", tip="Goes on"), *over)))
    driver.do(ui.MouseMoved(driver.at("go")))
    driver.widgets.update(9.0)
    shown = driver.pixels()
    over.append(ui.ModalBackdrop(ui.Spacer()))
    driver.show()
    assert driver.pixels() != shown
    fresh = WidgetDriver(lambda _: ui.Stack((ui.Button("go", name="go", tip="Goes on"), *over)))
    assert driver.pixels() == fresh.pixels(), "the tooltip is not visible through the dialog"


def test_widgets_below_a_dialog_get_no_input() -> None:
    def veiled(values: Mapping[str, Any]) -> ui.Widget:
        below, card = long(values), ui.Card(ui.Button("over", name="over"), fill=PALETTE.panel)
        return ui.Stack((below, ui.ModalBackdrop(ui.Align(card)))) if "29" in values else below

    driver = WidgetDriver(veiled)
    footer = driver.at("foot")
    driver.widgets.go_to("5")
    driver.values["29"] = True
    driver.show()
    assert driver.do(ui.MousePressed(footer), ui.Scroll(3), ui.Key("Space")) == []
    assert driver.widgets.find("0") is None
    driver.widgets.next(1)
    driver.widgets.next(1)
    assert driver.widgets.focus == "over"
    assert driver.click("over") == [ui.ControlChanged("over", True)]


def test_every_kind_of_widget_is_drawn_at_every_size() -> None:
    for size in ((400, 300), (40, 30), (3, 3)):
        for scale in SCALES:
            driver = WidgetDriver(everything, size, scale)
            assert driver.pixels() == driver.fresh_pixels()


def everything(values: Mapping[str, Any]) -> ui.Widget:
    get = values.get
    slider = ui.Slider(range(10), get("slider", 3), ((0, "no"),), name="slider", grow=1)
    check = ui.Checkbox("yes", get("check", False), "N", name="check")
    controls: tuple[ui.Widget, ...] = (
        ui.Row((ui.Label(str(get("slider", 3)), width=20), slider)),
        ui.Row((check, ui.Button("go", name="go", tip="A tip of a few words"))),
        ui.SegmentedControl(WORDS, get("choice", "a"), name="choice"),
        ui.Select(WORDS, get("select", "b"), "label", name="select"),
        ui.TextField(get("field", "some text"), "nothing", name="field"),
        ui.TextField(get("number", "12"), is_number=True, is_wrong=get("number", "12") != "12", name="number"),
        ui.Paragraph("Words on as many lines as they take. " * (1 + len(get("field", "")) // 4)),
        *(ui.MenuItem(name, name=name, right="more") for name in ("x", "y", "z") if get("check", False)),
    )
    page = ui.Card(ui.Column(controls, gap=6), fill=PALETTE.panel, edge=PALETTE.line)
    footer = ui.Flow([*buttons("a", "b", "c"), ui.Button("d", name="d", chosen=get("choice") == "d", kind="mode")])
    card = ui.Card(ui.Column((ui.ScrollView(page, name="page", grow=1), footer)), fill=PALETTE.panel, edge=PALETTE.line)
    return ui.ModalBackdrop(ui.Align(card)) if get("go") else card


POINTS = st.tuples(st.integers(0, 399), st.integers(0, 299))
KEYS = st.sampled_from(("Tab", "Space", "Enter", "Esc", "Left", "Right", "Up", "Down", "Home", "End", "Backspace"))
INPUTS: st.SearchStrategy[ui.Input] = st.one_of(
    st.builds(ui.MouseMoved, st.none() | POINTS),
    st.builds(ui.MousePressed, POINTS, st.integers(1, 3)),
    st.just(ui.MouseReleased()),
    st.builds(ui.Scroll, st.integers(-3, 3)),
    st.builds(ui.Key, KEYS),
    st.builds(ui.Key, st.just(""), st.sampled_from("ab1 ")),
    st.builds(ui.Compose, st.sampled_from(("", "ó"))),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(INPUTS, min_size=1, max_size=12), st.sampled_from(SCALES))
def test_drawing_the_changes_equals_drawing_everything(inputs: list[ui.Input], scale: float) -> None:
    driver = WidgetDriver(everything, scale=scale)
    driver.pixels()
    for each in inputs:
        driver.now += 0.4
        if each == ui.Key("Tab"):
            driver.widgets.next(1)
        else:
            driver.do(each)
        driver.widgets.update(driver.now)
        assert driver.pixels() == driver.fresh_pixels()
        assert driver.widgets.draw(driver.surface) == []


def test_only_changed_widgets_are_drawn() -> None:
    driver = WidgetDriver(everything)
    driver.pixels()
    driver.values["check"] = False
    driver.show()
    assert driver.widgets.draw(driver.surface) == []
    driver.do(ui.MouseMoved(driver.at("a")))
    assert driver.widgets.draw(driver.surface) == [driver.widgets.place_of("a")]
    driver.do(ui.MouseMoved(driver.at("check")))
    drawn = driver.widgets.draw(driver.surface)
    assert sorted(map(tuple, drawn)) == sorted(tuple(driver.widgets.place_of(name)) for name in ("a", "check"))


def controls(values: Mapping[str, Any]) -> ui.Widget:
    get = values.get
    return from_top(
        ui.Checkbox("yes", get("check", False), name="check"),
        ui.Slider((0, 10, 20, 30, 40), get("slider", 20), ((0, "none"),), name="slider"),
        ui.SegmentedControl(WORDS, get("choice", "b"), name="choice"),
        ui.SegmentedControl(WORDS, get("rows", "b"), 8, None, 2, name="rows", height=80),
        ui.Select(WORDS, get("select", "b"), name="select"),
    )


@pytest.fixture(params=SCALES)
def driver(request: pytest.FixtureRequest) -> WidgetDriver:
    scale: float = request.param
    return WidgetDriver(controls, (round(400 * scale), round(300 * scale)), scale)


def test_a_slider_follows_the_mouse_while_its_button_is_held(driver: WidgetDriver) -> None:
    assert driver.click("slider", 0.02, 0.2) == [ui.ControlChanged("slider", 0)]
    assert driver.click("slider", 0.99, 0.2) == [ui.ControlChanged("slider", 40)]
    start, end = driver.at("slider", 0.5, 0.2), driver.at("slider", 0.26, 0.2)
    changes = driver.do(ui.MousePressed(start), ui.MouseMoved(start), ui.MouseMoved(end))
    assert changes == [ui.ControlChanged("slider", 20), ui.ControlChanged("slider", 10)]
    assert driver.do(ui.MouseMoved((-50, 999))) == [ui.ControlChanged("slider", 0)]
    assert driver.do(ui.MouseReleased(), ui.MouseMoved(start)) == []
    driver.widgets.go_to("check")
    assert driver.widgets.key(ui.Key("Enter")) is None, "Enter belongs to the main button of the dialog"


def test_a_waiting_slider_changes_when_the_mouse_button_is_released() -> None:
    driver = WidgetDriver(lambda _: ui.Slider((0, 10, 20, 30, 40), 20, waits=True, name="slider"))
    start, end = driver.at("slider", 0.5, 0.2), driver.at("slider", 0.99, 0.2)
    before = driver.pixels()
    assert driver.do(ui.MouseMoved(start), ui.MousePressed(start), ui.MouseMoved(end)) == []
    assert driver.pixels() != before, "the knob follows the mouse"
    assert driver.do(ui.MouseReleased()) == [ui.ControlChanged("slider", 40)]
    assert driver.do(ui.MousePressed(start), ui.MouseReleased()) == [], "the value is the same"


@pytest.mark.parametrize("scale", SCALES)
def test_inputs_change_controls_as_stored(scale: float) -> None:
    def answer(question: str) -> str:
        """Return what a control answers to each key, letter or click at a share of its size, and its open list."""
        name, *inputs = question.split()
        driver = WidgetDriver(controls, (round(400 * scale), round(300 * scale)), scale)
        driver.widgets.go_to(name)
        found = [f"unused: {driver.widgets.key(ui.Key('A', 'a'))}"]
        for each in inputs:
            across, _, down = each.partition(",")
            if down:
                answers = driver.click(name, float(across), float(down))
            else:
                answers = driver.do(ui.Key(each.upper(), each) if len(each) == 1 else ui.Key(each))
            values = [use.value for use in answers if isinstance(use, ui.ControlChanged)]
            found.append(f"{each}: {values} {driver.widgets.open_overlay} {driver.context(name).state}")
        return "\n".join(found)

    assert_answers("controls.txt", answer)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize(("room", "rows"), [(400, 1), (330, 2), (190, 2), (150, 4)])
def test_a_choice_takes_as_few_rows_as_possible(room: int, rows: int, scale: float) -> None:
    choice = ui.SegmentedControl(WORDS, "b", 4, rows=0, cell=ui.Size(90, 40), name="own")
    driver = WidgetDriver(lambda _: from_top(choice), (round(room * scale), round(300 * scale)), scale)
    assert driver.widgets.place_of("own").height == pytest.approx((44 * rows - 4) * scale, abs=1)
    driver.pixels()
    for index, (value, _) in enumerate(WORDS):
        row, column = divmod(index, 4 // rows)
        assert driver.click("own", (column + 0.5) * rows / 4, (row + 0.5) / rows) == [ui.ControlChanged("own", value)]


def test_an_open_list_fits_into_any_window() -> None:
    driver = WidgetDriver(lambda _: ui.Column((ui.Spacer(grow=1), ui.Select(WORDS, "a", name="select"))), (200, 100))
    driver.click("select")
    assert driver.window.contains(driver.widget("select", ui.Select).rows(driver.context("select")))
    assert driver.do(ui.MousePressed((50, 99))) == [ui.ControlChanged("select", "d")]
