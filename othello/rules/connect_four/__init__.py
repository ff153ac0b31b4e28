"""Connect Four in plain Python: seven columns of six squares, and a disc falls to the lowest free square.

A move is the number of the square where the disc lands. People write the number of the column.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from othello.errors import BoardTextError, TranscriptError
from othello.rules.board_text import BitboardPosition, RowGame, squares_of
from othello.rules.protocol import GameSpec, Move

if TYPE_CHECKING:
    from othello.rules.connect_four.connect_four_kernels import DropState

COLUMNS = 7
SQUARES = 42
_BOTTOM = (1 << COLUMNS) - 1 << SQUARES - COLUMNS


@dataclass(frozen=True)
class ConnectFour(RowGame):
    """Black begins; four in a row, a column or a diagonal win, and a full board is a draw."""

    name: ClassVar[str] = "connect_four"
    columns = COLUMNS
    rows = 6
    win_length = 4
    max_moves = COLUMNS
    state_words = 2
    opening_plies = 4
    column_names = tuple("1234567")
    row_names = ("",) * 6
    move_pattern: ClassVar[str] = "[1-7]|[a-g](?![1-9])"  # "f5" begins no game of columns
    move_separator: ClassVar[str] = ""

    spec: GameSpec

    def squares_open(self, position: BitboardPosition) -> int:
        """The lowest free square of every column."""
        return super().squares_open(position) & (position.taken >> COLUMNS | _BOTTOM)

    def move_text(self, position: BitboardPosition, move: Move) -> str:
        return str(move % COLUMNS + 1)

    def parse_move(self, position: BitboardPosition, text: str) -> Move:
        name = text.strip().lower()
        if not re.fullmatch(self.move_pattern, name):
            raise TranscriptError("no_column", text=text, last="7")
        return self.move_at(position, int(name) - 1 if name.isdecimal() else "abcdefg".index(name))

    def move_at(self, position: BitboardPosition, square: Move) -> Move:
        """The square where a disc lands that is dropped over a square; the top square in a full column."""
        column = square % COLUMNS
        free = (other for other in range(column, SQUARES, COLUMNS) if not position.taken >> other & 1)
        return max(free, default=column)

    def parse_position(self, text: str) -> BitboardPosition:
        position = super().parse_position(text)
        floating = position.taken & ~(position.taken >> COLUMNS | _BOTTOM)
        if floating:
            raise BoardTextError("board_floating", square=squares_of(floating)[0] + 1)
        return position

    def kernel_state(self, position: BitboardPosition) -> DropState:
        from othello.rules.connect_four.connect_four_kernels import (
            drop_state,  # the compiler takes longer to import than a window
        )

        return drop_state(position.own, position.opponent)
