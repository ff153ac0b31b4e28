"""Connect Four in plain Python: seven columns of six squares; a disc falls to the lowest free square.

A move is the number of the square where the disc lands. The notation is the number of the column.
"""

import re
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from othello.errors import BoardTextError, TranscriptError
from othello.rules.board_text import BitboardPosition, RowGame, squares_in
from othello.rules.protocol import GameSpec, Move, Square
from othello.rules.symmetry import mirror_images

COLUMNS = 7
SQUARES = 42
_BOTTOM = (1 << COLUMNS) - 1 << SQUARES - COLUMNS


@dataclass(frozen=True)
class ConnectFour(RowGame):
    """Connect Four: four in a row win, a full board is a draw. Black begins."""

    name: ClassVar[str] = "connect_four"
    columns = COLUMNS
    rows = 6
    win_length = 4
    max_moves = COLUMNS
    state_words = 2
    opening_plies = 4
    column_names = tuple("1234567")
    row_names = ("",) * 6
    symmetries = mirror_images(COLUMNS, 6)
    move_pattern: ClassVar[str] = "[1-7]|[a-g](?![1-9])"  # not "f5", which is a move of other games
    move_separator: ClassVar[str] = ""

    spec: GameSpec

    def squares_open(self, position: BitboardPosition) -> int:
        """Return the lowest free square of each column, as a board."""
        return super().squares_open(position) & (position.taken >> COLUMNS | _BOTTOM)

    def move_text(self, position: BitboardPosition, move: Move) -> str:
        return str(move % COLUMNS + 1)

    def parse_move(self, position: BitboardPosition, text: str) -> Move:
        name = text.strip().lower()
        if not re.fullmatch(self.move_pattern, name):
            raise TranscriptError("no_column", text=text, last="7")
        return Move(self.pointed_square(position, Square(int(name) - 1 if name.isdecimal() else "abcdefg".index(name))))

    def pointed_square(self, position: BitboardPosition, square: Square) -> Square:
        """Return the square where a disc lands in the column of `square`; the top square if the column is full."""
        column = square % COLUMNS
        free = (other for other in range(column, SQUARES, COLUMNS) if not position.taken >> other & 1)
        return Square(max(free, default=column))

    def parse_position(self, text: str) -> BitboardPosition:
        position = super().parse_position(text)
        floating = position.taken & ~(position.taken >> COLUMNS | _BOTTOM)
        if floating:
            raise BoardTextError("board_floating", square=squares_in(floating)[0] + 1)
        return position

    def kernel_state(self, position: BitboardPosition) -> NamedTuple:
        # Here, because importing the compiler takes long.
        from othello.rules.connect_four.connect_four_kernels import drop_state

        return drop_state(position.own, position.opponent)
