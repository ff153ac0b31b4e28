"""Games in which two sides put marks on squares and a row of marks wins, in plain Python.

Squares are numbered row by row; bit n of a board is square n. A move is the number of its square.
"""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import ClassVar

from othello.errors import BoardTextError
from othello.rules.board_text import BoardGame, TwoBoards, parse_marks, parse_side
from othello.rules.protocol import Color, Move, Outcome


def windows(columns: int, rows: int, length: int) -> tuple[tuple[int, ...], ...]:
    """The squares of every row of `length` squares on a board: across, down and on both diagonals."""
    found = []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row in range(rows):
            for column in range(columns):
                last_row, last_column = row + down * (length - 1), column + right * (length - 1)
                if last_row < rows and 0 <= last_column < columns:
                    found.append(tuple((row + down * step) * columns + column + right * step for step in range(length)))
    return tuple(found)


def board_of(squares: tuple[int, ...]) -> int:
    """A board with marks on these squares."""
    return sum(1 << square for square in squares)


class RowGame(BoardGame[TwoBoards]):
    """Black, shown as X, begins; the first row of `win_length` marks or more wins, and a full board is a draw."""

    evaluation_is_fair: ClassVar[bool] = True
    wins_suddenly: ClassVar[bool] = True

    @property
    @abstractmethod
    def win_length(self) -> int:
        """How many marks in a row win."""

    @property
    def max_plies(self) -> int:
        return self.columns * self.rows

    @cached_property
    def lines(self) -> tuple[tuple[int, ...], ...]:
        return windows(self.columns, self.rows, self.win_length)

    @cached_property
    def _windows(self) -> tuple[int, ...]:
        return tuple(map(board_of, self.lines))

    def start(self) -> TwoBoards:
        return TwoBoards(0, 0, Color.BLACK)

    def squares_open(self, position: TwoBoards) -> int:
        """The board of squares that may be marked while nobody has won."""
        return ~position.taken & (1 << self.max_plies) - 1

    def _winner(self, position: TwoBoards) -> Color | None:
        for color, board in zip(Color, (position.black, position.white), strict=True):
            if any(board & window == window for window in self._windows):
                return color
        return None

    def legal_moves(self, position: TwoBoards) -> tuple[Move, ...]:
        if self._winner(position) is not None:
            return ()
        return squares_of(self.squares_open(position))

    def play(self, position: TwoBoards, move: Move) -> TwoBoards:
        mark = 1 << move
        if position.to_move is Color.BLACK:
            return TwoBoards(position.black | mark, position.white, Color.WHITE)
        return TwoBoards(position.black, position.white | mark, Color.BLACK)

    def outcome(self, position: TwoBoards) -> Outcome | None:
        winner = self._winner(position)
        if winner is None and self.moves_left(position):
            return None
        return Outcome(winner, int(winner is Color.BLACK), int(winner is Color.WHITE))

    def score(self, position: TwoBoards) -> tuple[int, int]:
        winner = self._winner(position)
        return int(winner is Color.BLACK), int(winner is Color.WHITE)

    def can_end(self, black: int, white: int, winner: Color | None) -> bool:
        return (black, white) == (int(winner is Color.BLACK), int(winner is Color.WHITE))

    def parse_position(self, text: str) -> TwoBoards:
        (black, white), rest = parse_marks(text, self.max_plies)
        to_move = parse_side(rest)
        if black.bit_count() - white.bit_count() != int(to_move is Color.WHITE):
            raise BoardTextError("board_count")
        return TwoBoards(black, white, to_move)


def squares_of(board: int) -> tuple[int, ...]:
    """The squares of a board's marks in ascending order."""
    return tuple(square for square in range(board.bit_length()) if board >> square & 1)
