"""Checkboxes, sliders, segmented controls and lists, by mouse and keyboard."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from othello.gui.toolkit.controls import Checkbox, SegmentedControl, Select, Slider
from othello.gui.toolkit.inputs import ControlChanged, Key, MouseMoved, MousePressed, MouseReleased
from othello.gui.toolkit.layout import Column, Spacer
from othello.gui.toolkit.style import Size
from othello.gui.toolkit.widget import PaintContext, Widget
from tests.gui.toolkit.widget_driver import SCALES, WidgetDriver

OPTIONS = (("a", "apple"), ("b", "banana"), ("c", "cherry"), ("d", "date"))


def controls(values: Mapping[str, Any]) -> Widget:
    get = values.get
    return Column(
        (
            Checkbox("yes", get("check", False), name="check"),
            Slider((0, 10, 20, 30, 40), get("slider", 20), ((0, "none"),), name="slider"),
            SegmentedControl(OPTIONS, get("choice", "b"), name="choice"),
            SegmentedControl(OPTIONS, get("rows", "b"), 8, None, 2, name="rows", height=80),
            Select(OPTIONS, get("select", "b"), name="select"),
            Spacer(grow=1),
        )
    )


@pytest.fixture(params=SCALES)
def driver(request: pytest.FixtureRequest) -> WidgetDriver:
    scale: float = request.param
    return WidgetDriver(controls, (round(400 * scale), round(300 * scale)), scale)


def test_a_checkbox_switches_by_mouse_and_keyboard(driver: WidgetDriver) -> None:
    assert driver.click("check", 0.02) == [ControlChanged("check", True)]
    assert driver.keys("Space") == [ControlChanged("check", False)]
    assert driver.widgets.key(Key("Enter")) is None, "Enter belongs to the main button of the dialog"


def test_a_slider_follows_the_mouse_while_its_button_is_held(driver: WidgetDriver) -> None:
    assert driver.click("slider", 0.02, 0.2) == [ControlChanged("slider", 0)]
    assert driver.click("slider", 0.99, 0.2) == [ControlChanged("slider", 40)]
    start, end = driver.at("slider", 0.5, 0.2), driver.at("slider", 0.26, 0.2)
    assert driver.do(MousePressed(start), MouseMoved(start), MouseMoved(end)) == [
        ControlChanged("slider", 20),
        ControlChanged("slider", 10),
    ]
    assert driver.do(MouseMoved((-50, 999))) == [ControlChanged("slider", 0)]
    assert driver.do(MouseReleased(), MouseMoved(start)) == []


def test_a_waiting_slider_changes_when_the_mouse_button_is_released() -> None:
    driver = WidgetDriver(lambda _: Slider((0, 10, 20, 30, 40), 20, waits=True, name="slider"))
    start, end = driver.at("slider", 0.5, 0.2), driver.at("slider", 0.99, 0.2)
    before = driver.pixels()
    assert driver.do(MouseMoved(start), MousePressed(start), MouseMoved(end)) == []
    assert driver.pixels() != before, "the knob follows the mouse"
    assert driver.do(MouseReleased()) == [ControlChanged("slider", 40)]
    assert driver.do(MousePressed(start), MouseReleased()) == [], "the value is the same"


def test_a_click_chooses_an_option(driver: WidgetDriver) -> None:
    for index, (value, _) in enumerate(OPTIONS):
        assert driver.click("choice", (index + 0.5) / 4) == [ControlChanged("choice", value)]
        row, column = divmod(index, 2)
        assert driver.click("rows", 0.25 + column / 2, 0.25 + row / 2) == [ControlChanged("rows", value)]
    assert driver.click("rows", 0.5, 0.25) == [], "between two cells"


@pytest.mark.parametrize(
    ("name", "values"),
    [("slider", (10, 30, 30, 10, 0, 40)), ("choice", "acacad"), ("rows", "acacad"), ("select", "acacad")],
)
def test_keys_change_a_control(name: str, values: Sequence[object]) -> None:
    for key, value in zip(("Left", "Right", "Up", "Down", "Home", "End"), values, strict=True):
        driver = WidgetDriver(controls)
        driver.widgets.go_to(name)
        assert driver.keys(key) == [ControlChanged(name, value)]
        assert driver.widgets.key(Key("A", "a")) is None
    driver.keys("Right")
    assert driver.values[name] == values[-1], "the last value"


def test_a_choice_may_have_its_own_drawing() -> None:
    drawn: list[tuple[Any, bool, bool]] = []

    def paint(on: PaintContext, value: Any, is_chosen: bool) -> None:
        drawn.append((value, is_chosen, on.is_lit))

    driver = WidgetDriver(
        lambda _: Column((SegmentedControl(OPTIONS, "b", 4, paint, name="own", height=50), Spacer(grow=1)))
    )
    driver.do(MouseMoved(driver.at("own", 0.9)))
    driver.pixels()
    assert drawn == [("a", False, False), ("b", True, False), ("c", False, False), ("d", False, True)]


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize(("room", "rows"), [(400, 1), (330, 2), (190, 2), (150, 4)])
def test_a_choice_takes_as_few_rows_as_possible(room: int, rows: int, scale: float) -> None:
    choice = SegmentedControl(OPTIONS, "b", 4, rows=0, cell=Size(90, 40), name="own")
    driver = WidgetDriver(lambda _: Column((choice, Spacer(grow=1))), (round(room * scale), round(300 * scale)), scale)
    assert driver.widgets.place_of("own").height == pytest.approx((44 * rows - 4) * scale, abs=1)
    driver.pixels()
    for index, (value, _) in enumerate(OPTIONS):
        row, column = divmod(index, 4 // rows)
        assert driver.click("own", (column + 0.5) * rows / 4, (row + 0.5) / rows) == [ControlChanged("own", value)]


def test_an_open_list_fits_into_any_window() -> None:
    driver = WidgetDriver(lambda _: Column((Spacer(grow=1), Select(OPTIONS, "a", name="select"))), (200, 100))
    driver.click("select")
    assert driver.window.contains(driver.widget("select", Select).rows(driver.context("select")))
    assert driver.do(MousePressed((50, 99))) == [ControlChanged("select", "d")]
