"""What a person does at a window, and what a control answers."""

from typing import Any, TypeAlias

from othello.frozen import Frozen

Point: TypeAlias = tuple[int, int]
"""A point of the window, in real pixels."""


class Input(Frozen):
    """Whatever a window can be told."""


class PointAt(Input):
    """The mouse is here; None: the mouse has left the window."""

    at: Point | None


class PressAt(Input):
    """The left button was pressed here."""

    at: Point  # where
    clicks: int = 1  # 2 for the second press of a double click


class PressRight(Input):
    """The right button was pressed here."""

    at: Point


class Release(Input):
    """The left button was let go."""


class Scroll(Input):
    """The wheel was turned; positive: towards the end of a list."""

    rows: int


class Key(Input):
    """A key was pressed."""

    name: str  # as a list of keys has it: `Ctrl+Z`, `Left`, `N`; empty where an input method wrote the text
    text: str = ""  # what the key writes, empty where it writes nothing


class Compose(Input):
    """An input method shows what will be written; empty: no longer."""

    text: str


class Reach(Input):
    """A screen reader acts for the person."""

    key: str  # what on, by what it is listed under
    act: str  # `press`, `focus`, `more`, `less`, `put` or `select`
    value: str | float | tuple[int, int] = ""  # what is put there; or where the selection begins, and the caret


class Use(Input):
    """A control was used."""

    name: str  # of the control
    value: Any  # its new value; True for a button
