"""What the window can be told beyond the commands of the session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from othello.play.commands import SessionCommand

Point: TypeAlias = tuple[int, int]


class WindowCommand:
    """Whatever only the window understands."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Quit(WindowCommand):
    """Close the window."""


@dataclass(frozen=True, slots=True)
class Resize(WindowCommand):
    """The window has another size now, in real pixels."""

    size: Point


@dataclass(frozen=True, slots=True)
class Redraw(WindowCommand):
    """The window was covered or hidden."""


@dataclass(frozen=True, slots=True)
class PointAt(WindowCommand):
    """The mouse is here; None: it has left the window."""

    at: Point | None


@dataclass(frozen=True, slots=True)
class PressAt(WindowCommand):
    """The left button was pressed here, not on a widget."""

    at: Point


@dataclass(frozen=True, slots=True)
class Scroll(WindowCommand):
    """The wheel was turned; positive: towards the end of a list."""

    rows: int


@dataclass(frozen=True, slots=True)
class MoveCursor(WindowCommand):
    """Move the keyboard's cursor on the board."""

    columns: int
    rows: int


@dataclass(frozen=True, slots=True)
class NextLegal(WindowCommand):
    """Move the keyboard's cursor to the next legal square, or the one before it."""

    steps: int


@dataclass(frozen=True, slots=True)
class Confirm(WindowCommand):
    """Enter: play at the cursor, or go on after an announcement."""


@dataclass(frozen=True, slots=True)
class Type(WindowCommand):
    """One more letter or digit of a typed move."""

    letter: str


@dataclass(frozen=True, slots=True)
class ToggleCaptures(WindowCommand):
    """Show or hide how many discs each legal move captures."""


@dataclass(frozen=True, slots=True)
class ToggleValues(WindowCommand):
    """Show or hide what the computer's search says of each move."""


@dataclass(frozen=True, slots=True)
class ToggleMotion(WindowCommand):
    """Turn the flip animation on or off."""


@dataclass(frozen=True, slots=True)
class ToggleHelp(WindowCommand):
    """Show or hide the list of keys."""


@dataclass(frozen=True, slots=True)
class Dismiss(WindowCommand):
    """Close what lies over the board, or return to the latest position."""


@dataclass(frozen=True, slots=True)
class BeginGame(WindowCommand):
    """The person is ready for the next game of the tournament."""


@dataclass(frozen=True, slots=True)
class Stop(WindowCommand):
    """End the tournament here."""


@dataclass(frozen=True, slots=True)
class OpenReport(WindowCommand):
    """Write a report about the games so far, and show it."""


Command: TypeAlias = SessionCommand | WindowCommand
