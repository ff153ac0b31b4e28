"""Games whose position is a board for each side, and boards as text: every square row by row as `X`, `O` or `-`.

The side to move, and more in some games, follows the squares.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from typing import ClassVar, TypeVar

from othello.errors import BoardTextError, TranscriptError
from othello.rules.protocol import Color, Move, Rules


@dataclass(frozen=True, slots=True)
class TwoBoards:
    """Two disjoint boards and the side to move; a game's `bits` tell the squares."""

    black: int
    white: int
    to_move: Color

    @property
    def own(self) -> int:
        return self.white if self.to_move else self.black

    @property
    def opponent(self) -> int:
        return self.black if self.to_move else self.white

    @property
    def taken(self) -> int:
        """The squares of either side."""
        return self.black | self.white


B = TypeVar("B", bound=TwoBoards)


class BoardGame(Rules[B]):
    """What such games have in common."""

    reads_passes: ClassVar[bool] = False
    """Whether a pass can be written, too."""

    @property
    def bits(self) -> Sequence[int]:
        """The bit of every square, row by row."""
        return range(self.columns * self.rows)

    def moves_made(self, position: B) -> int:
        return position.taken.bit_count() - self.start().taken.bit_count()

    def moves_left(self, position: B) -> int:
        return self.columns * self.rows - position.taken.bit_count()

    def marks(self, position: B) -> tuple[Color | None, ...]:
        return tuple(
            Color.BLACK if position.black >> bit & 1 else Color.WHITE if position.white >> bit & 1 else None
            for bit in self.bits
        )

    def move_text(self, position: B, move: Move) -> str:
        return f"{ascii_lowercase[move % self.columns]}{move // self.columns + 1}"

    def parse_move(self, position: B, text: str) -> Move:
        found = re.fullmatch(r"([a-z])([1-9]\d?)", text.strip().lower())
        if found is not None:
            column, row = ascii_lowercase.index(found[1]), int(found[2]) - 1
            if column < self.columns and row < self.rows:
                return row * self.columns + column
        last = BoardGame.move_text(self, position, self.columns * self.rows - 1)
        raise TranscriptError("no_move_or_pass" if self.reads_passes else "no_move", text=text, first="a1", last=last)

    def format_position(self, position: B) -> str:
        squares = "".join("-" if mark is None else "XO"[mark] for mark in self.marks(position))
        return f"{squares} {'XO'[position.to_move]}"


def parse_marks(text: str, squares: int) -> tuple[tuple[int, int], str]:
    """The boards of X and of O out of a text that begins with every square, and the rest of the text in upper case.

    BoardTextError: there are too few squares, or other signs than X, O, - and full stops.
    """
    symbols = "".join(text.upper().split())
    boards = {"X": 0, "O": 0, "-": 0, ".": 0}
    for square, symbol in enumerate(symbols[:squares]):
        if symbol not in boards:
            raise BoardTextError("board_symbol", symbol=symbol, square=square + 1, allowed="X, O, -, .")
        boards[symbol] |= 1 << square
    if len(symbols) < squares:
        raise BoardTextError("board_length", given=len(symbols), squares=squares)
    return (boards["X"], boards["O"]), symbols[squares:]


def parse_side(text: str) -> Color:
    """The side to move out of the rest of a text; BoardTextError: the rest says anything else."""
    if text not in ("X", "O"):
        raise BoardTextError("board_side", side=text)
    return Color("XO".index(text))
