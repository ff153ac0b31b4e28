"""Input events of the window, and the command of a control that was used."""

from typing import Any, TypeAlias

from othello.frozen import Frozen

Point: TypeAlias = tuple[int, int]
"""A position in the window, in real pixels."""


class Input(Frozen):
    """The base class of input events."""


class PointAt(Input):
    """The mouse was moved."""

    at: Point | None  # None: out of the window


class PressAt(Input):
    """The left mouse button was pressed."""

    at: Point
    clicks: int = 1  # 2 for the second press of a double click


class PressRight(Input):
    """The right mouse button was pressed."""

    at: Point


class Release(Input):
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


class Reach(Input):
    """A screen reader requested an action."""

    key: str  # key of the item in `Telling.voices`
    act: str  # `press`, `focus`, `more`, `less`, `put` or `select`
    value: str | float | tuple[int, int] = ""  # the new value of `put`; anchor and caret of `select`


class Use(Input):
    """The user changed the value of a control, or pressed a button."""

    name: str  # of the control
    value: Any  # True for a button
