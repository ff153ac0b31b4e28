"""What a person does at a window, and what a control answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

Point: TypeAlias = tuple[int, int]
"""A point of the window, in real pixels."""


@dataclass(frozen=True)
class Input:
    """Whatever a window can be told."""


@dataclass(frozen=True)
class PointAt(Input):
    """The mouse is here; None: the mouse has left the window."""

    at: Point | None


@dataclass(frozen=True)
class PressAt(Input):
    """The left button was pressed here.

    Attributes:
        at: where.
        clicks: 2 for the second press of a double click.
    """

    at: Point
    clicks: int = 1


@dataclass(frozen=True)
class PressRight(Input):
    """The right button was pressed here."""

    at: Point


@dataclass(frozen=True)
class Release(Input):
    """The left button was let go."""


@dataclass(frozen=True)
class Scroll(Input):
    """The wheel was turned; positive: towards the end of a list."""

    rows: int


@dataclass(frozen=True)
class Key(Input):
    """A key was pressed.

    Attributes:
        name: as a list of keys has it: `Ctrl+Z`, `Left`, `N`; empty where an input method wrote the text.
        text: what the key writes, empty where it writes nothing.
    """

    name: str
    text: str = ""


@dataclass(frozen=True)
class Compose(Input):
    """An input method shows what will be written; empty: no longer."""

    text: str


@dataclass(frozen=True)
class Use(Input):
    """A control was used.

    Attributes:
        name: of the control.
        value: its new value; True for a button.
    """

    name: str
    value: Any
