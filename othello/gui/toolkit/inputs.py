"""Input events of the window, and the command of a control that was used."""

from typing import Any, Final, TypeAlias

from othello.frozen_dataclass import FrozenDataclass

Point: TypeAlias = tuple[int, int]
"""A position in the window, in real pixels."""


class Input(FrozenDataclass):
    """The base class of input events."""


class MouseMoved(Input):
    """The mouse was moved."""

    at: Point | None  # None: out of the window


class MousePressed(Input):
    """The left mouse button was pressed."""

    at: Point
    clicks: int = 1  # 2 for the second press of a double click


class RightMousePressed(Input):
    """The right mouse button was pressed."""

    at: Point


class MouseReleased(Input):
    """The left mouse button was released."""


class Scroll(Input):
    """The mouse wheel was turned."""

    rows: int  # positive: towards the end of a list


class Key(Input):
    """A key was pressed."""

    name: str  # such as `Ctrl+Z`, `Left`, `N`; empty for text of an input method
    text: str = ""  # the text that the key enters


class Compose(Input):
    """An input method changed its unfinished text."""

    text: str  # empty: the composition has ended


class AccessibilityAction(Input):
    """A screen reader requested an action."""

    key: str  # key of the item in `AccessibilityTree.voices`
    act: str  # `press`, `focus`, `more`, `less`, `put` or `select`
    value: str | float | tuple[int, int] = ""  # the new value of `put`; anchor and caret of `select`


_MOUSE_INPUTS: Final = (MouseMoved, MousePressed, RightMousePressed, MouseReleased, Scroll)
WIDGET_INPUTS: Final = (*_MOUSE_INPUTS, Compose, AccessibilityAction)
"""The input events that go to a widget by the mouse or the focus, keys excepted."""


class ControlChanged(Input):
    """The user changed the value of a control, or pressed a button."""

    name: str  # name of the control
    value: Any  # True for a button
