"""What the window can be told beyond the commands of the session."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TypeAlias

from othello.config import Config
from othello.gui.toolkit.inputs import Compose, Key, Point, PointAt, PressAt, PressRight, Release, Scroll, Use
from othello.gui.toolkit.inputs import Input as WindowCommand
from othello.play.commands import SessionCommand
from othello.rules.protocol import Move
from othello.search.report import Line

__all__ = ["Compose", "Key", "Point", "PointAt", "PressAt", "PressRight", "Release", "Scroll", "Use", "WindowCommand"]


@dataclass(frozen=True)
class Quit(WindowCommand):
    """Close the window."""

    is_certain: bool = False  # whether the person was asked


@dataclass(frozen=True)
class Resize(WindowCommand):
    """The window has another size now, in real pixels."""

    size: Point


@dataclass(frozen=True)
class Maximised(WindowCommand):
    """The window fills the screen now, or no longer."""

    is_so: bool


class ToggleFullScreen(WindowCommand):
    """Show nothing on the screen but this, or again the rest."""


class Redraw(WindowCommand):
    """The window was covered or hidden."""


@dataclass(frozen=True)
class Open(WindowCommand):
    """Open a dialog over the board."""

    dialog: str


@dataclass(frozen=True)
class OpenFile(WindowCommand):
    """Open the game in a file."""

    path: Path


@dataclass(frozen=True)
class SaveFile(WindowCommand):
    """Save the game.

    Attributes:
        path: the file.
        kind: "game" for all of it, "moves" or "board" for its text, "picture" for what the board shows.
    """

    path: Path
    kind: str


@dataclass(frozen=True)
class Copy(WindowCommand):
    """Copy the game's moves, or the position on the board, as text."""

    is_board: bool = False


@dataclass(frozen=True)
class Paste(WindowCommand):
    """Open the game that the copied text tells of."""


@dataclass(frozen=True)
class PressSquare(WindowCommand):
    """The board was clicked.

    Attributes:
        square: which square; None: beside the squares.
        move: which move that stands for, legal or not; None: none.
    """

    square: int | None
    move: Move | None


@dataclass(frozen=True)
class DragSquare(WindowCommand):
    """The mouse was moved over the board with its button held."""

    square: int | None


@dataclass(frozen=True)
class PressSquareRight(WindowCommand):
    """The board was clicked with the right button."""

    square: int | None


@dataclass(frozen=True)
class VisitLine(WindowCommand):
    """Look at the position behind a line of the game or of a variation."""

    line: Line


@dataclass(frozen=True)
class AnnotateLine(WindowCommand):
    """Note something about that position."""

    line: Line


@dataclass(frozen=True)
class ScrollMoves(WindowCommand):
    """See the list of moves from a row on."""

    first_row: int


@dataclass(frozen=True)
class Tell(WindowCommand):
    """Answer the person, for a moment; `is_good`: all went well."""

    words: str
    is_good: bool = True


@dataclass(frozen=True)
class Refuse(WindowCommand):
    """Tell the person why something cannot be done, until that is read."""

    title: str
    reason: str


class ApplyPreferences(WindowCommand):
    """The preferences were changed."""


class CloseDialog(WindowCommand):
    """Close the dialog that is open."""


@dataclass(frozen=True)
class SwitchMode(WindowCommand):
    """Put something else beside the board."""

    mode: str


@dataclass(frozen=True)
class MoveCursor(WindowCommand):
    """Move the keyboard's cursor on the board."""

    columns: int
    rows: int


@dataclass(frozen=True)
class NextLegal(WindowCommand):
    """Move the keyboard's cursor to the next legal square, or the one before it."""

    steps: int


@dataclass(frozen=True)
class NextGroup(WindowCommand):
    """Move the keyboard's focus to the next group of buttons, or the one before it."""

    steps: int


@dataclass(frozen=True)
class NextButton(WindowCommand):
    """Move the keyboard's focus to the next button, or the one before it."""

    steps: int


@dataclass(frozen=True)
class Offer(WindowCommand):
    """Ask whether the game is to go on from the shown position with a move."""

    move: Move


class Confirm(WindowCommand):
    """Enter: play at the cursor, or go on after an announcement."""


@dataclass(frozen=True)
class Type(WindowCommand):
    """One more letter or digit of a typed move."""

    letter: str


class Switch(Enum):
    """What a board can show or hide."""

    CAPTURES = "captures"  # how many pieces each legal move captures
    VALUES = "values"  # what the computer's search says of each move
    MOTION = "motion"  # pieces that turn over
    LEGAL = "legal"  # where one may play
    COORDINATES = "coordinates"
    LAST_MOVE = "last_move"


@dataclass(frozen=True, slots=True)
class Toggle(WindowCommand):
    """Show it or hide it."""

    switch: Switch


class ToggleHelp(WindowCommand):
    """Show or hide the list of keys."""


class Dismiss(WindowCommand):
    """Close what lies over the board, or return to the latest position."""


class Hint(WindowCommand):
    """Show the best move, or no longer."""


class BeginGame(WindowCommand):
    """The person is ready for the next game of the tournament."""


@dataclass(frozen=True)
class Stop(WindowCommand):
    """End the tournament here."""

    is_certain: bool = False  # whether the person was asked


class GoOn(WindowCommand):
    """Play what a stopped tournament has left."""


@dataclass(frozen=True)
class StartTournament(WindowCommand):
    """Begin a tournament."""

    config: Config


class ShowHall(WindowCommand):
    """Show the tournament that is on."""


class OpenReport(WindowCommand):
    """Write a report about the games so far, and show it."""


Command: TypeAlias = SessionCommand | WindowCommand
