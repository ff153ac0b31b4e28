"""A board on the screen: where it lies, what it shows, and what was typed for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from pygame import Rect

from othello.gui.toolkit.style import Style
from othello.rules.protocol import Color, Move
from othello.search.report import SearchReport

FLIP_SECONDS: Final = 0.25
_PIECE_SHARE: Final = 0.79  # of a square's side
_MARKED_CELL: Final = 56  # squares on which marks have their usual size, in design pixels


@dataclass(frozen=True)
class BoardPlace:
    """Where a board lies, in real pixels."""

    style: Style
    board: Rect  # with its frame
    grid: Rect  # the squares
    margin: int  # of frame and coordinates, at least
    cell: int
    columns: int
    is_round: bool = True  # the marks on squares; else they are square

    @property
    def mark_style(self) -> Style:
        """For rings and signs on squares. They stay in proportion to the squares, whatever the size of text is."""
        return replace(self.style, scale=min(self.style.scale, self.cell / _MARKED_CELL))

    @property
    def plate(self) -> int:
        """The diameter of a search's value on a square: as a piece, or what small squares have room for."""
        return self.piece if self.cell >= self.style.px(70) else self.cell - self.mark_style.px(3)

    @property
    def squares(self) -> int:
        """How many there are."""
        return self.grid.width // self.cell * (self.grid.height // self.cell)

    @property
    def piece(self) -> int:
        """The diameter of a piece."""
        return round(self.cell * _PIECE_SHARE)

    def square_rect(self, square: Move) -> Rect:
        row, column = divmod(square, self.columns)
        return Rect(self.grid.left + column * self.cell, self.grid.top + row * self.cell, self.cell, self.cell)

    def square_at(self, point: tuple[int, int]) -> Move | None:
        """The square at a point of the window."""
        if not self.grid.collidepoint(point):
            return None
        column, row = (point[0] - self.grid.left) // self.cell, (point[1] - self.grid.top) // self.cell
        return row * self.columns + column


@dataclass(frozen=True, slots=True)
class Flip:
    """Pieces that move: that change their owner, or fall to where they lie.

    Attributes:
        squares: which.
        source: the square of the move, from which the change spreads.
        color: whose they are when it is over.
        began: when it began.
        seconds: how long it takes.
    """

    squares: tuple[Move, ...]
    source: Move
    color: Color
    began: float
    seconds: float = FLIP_SECONDS

    @property
    def turns(self) -> bool:
        """Whether other pieces move than the one that is played."""
        return self.squares != (self.source,)

    def is_over(self, now: float) -> bool:
        return now - self.began >= self.seconds


@dataclass(frozen=True, slots=True)
class Typed:
    """The part of a move that has been typed.

    Attributes:
        text: what was typed.
        advice: what to type next, in words.
        lit: groups of squares that are lit meanwhile, such as a column.
        move: what it names by now, None where it names no move yet.
        is_complete: whether it is played without Enter.
    """

    text: str
    advice: str
    lit: tuple[tuple[Move, ...], ...] = ()
    move: Move | None = None
    is_complete: bool = False


@dataclass(frozen=True, slots=True)
class BoardState:
    """What a board shows.

    Attributes:
        position: of the face's game.
        captures: the legal moves and how many pieces each captures, empty where nobody is to choose.
        is_choice: whether a person chooses among them.
        shows_counts: whether these numbers are drawn.
        shows_legal: whether the legal moves are, beside the one under the mouse.
        shows_coordinates: whether the names of columns and rows are.
        report: the search of this position whose values are drawn, None where none are.
        last_move: the square that is marked.
        cursor: the keyboard's square.
        typed: a move that is half typed.
        hover: the square under the mouse.
        flip: what is changing at this moment.
        is_over: whether nothing more is played, whatever the position: somebody lost by a fault, or broke off.
    """

    position: Any
    captures: Mapping[Move, int] = field(default_factory=dict)
    is_choice: bool = True
    shows_counts: bool = False
    shows_legal: bool = True
    shows_coordinates: bool = True
    report: SearchReport | None = None
    last_move: Move | None = None
    cursor: Move | None = None
    typed: Typed | None = None
    hover: Move | None = None
    flip: Flip | None = None
    is_over: bool = False

    @property
    def pointed(self) -> Move | None:
        """The legal move under the mouse, or else under the cursor."""
        move = self.hover if self.hover in self.captures else self.cursor
        return move if move in self.captures else None
