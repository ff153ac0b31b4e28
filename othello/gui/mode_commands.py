"""What only a mode beside the board understands: the editor, Analyse, Review, Train."""

from __future__ import annotations

from dataclasses import dataclass

from othello.gui.commands import WindowCommand
from othello.search.report import Line


@dataclass(frozen=True)
class EditBoard(WindowCommand):
    """Change all of the board that is edited."""

    change: str


@dataclass(frozen=True)
class TakePosition(WindowCommand):
    """Leave the board's editor with its position, for a mode."""

    mode: str


@dataclass(frozen=True)
class NextEngine(WindowCommand):
    """Let the next of the players that can do it analyse, or one before where `steps` is negative."""

    steps: int = 1


@dataclass(frozen=True)
class NextSeconds(WindowCommand):
    """Give the analysis another time, likewise."""

    steps: int = 1


class SwitchScale(WindowCommand):
    """Show the game in discs, or in winning chances."""


@dataclass(frozen=True)
class StepTree(WindowCommand):
    """Unfold the node beside the one that was unfolded last."""

    columns: int
    rows: int


@dataclass(frozen=True)
class PressNode(WindowCommand):
    """A node of the tree was clicked.

    Attributes:
        line: the moves that lead there from the position that is looked at.
    """

    line: Line


@dataclass(frozen=True)
class PressLine(WindowCommand):
    """The best line was clicked; `moves`: up to which of its moves."""

    moves: int


class VisitNode(WindowCommand):
    """Look at the position behind the node of the tree that was unfolded last."""


@dataclass(frozen=True)
class StepLine(WindowCommand):
    """Play so many moves more of the best line out on the board."""

    steps: int


class HoldAnalysis(WindowCommand):
    """The analysis stands still, or goes on from there."""


@dataclass(frozen=True)
class ShowWorst(WindowCommand):
    """Show the worst moves of both sides, or of the person alone."""

    of_both: bool


@dataclass(frozen=True)
class VisitWorst(WindowCommand):
    """Analyse the position before one of the worst moves, the worst being 0."""

    index: int


class TryAgain(WindowCommand):
    """Train the positions of one's own mistakes."""


class ShowAnswer(WindowCommand):
    """Show the answer of an exercise."""


class Retry(WindowCommand):
    """Begin an exercise anew."""
