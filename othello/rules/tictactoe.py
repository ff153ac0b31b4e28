"""Tic-tac-toe on n x n squares in plain Python: a row of k marks wins, across, down or diagonally.

Squares are numbered from a1, row by row; bit n of a board is square n. A move is the number of its square.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Final

from othello.errors import BoardTextError, ConfigError, TranscriptError
from othello.rules.protocol import Color, GameSpec, Move, Outcome, Rules
from othello.schema import Option, Value

if TYPE_CHECKING:
    from othello.rules.tictactoe_kernels import RowState

SMALLEST: Final = 3
LARGEST: Final = 15
_COLUMNS: Final = "abcdefghijklmno"


@dataclass(frozen=True, slots=True)
class TicTacToePosition:
    """Two disjoint boards and the side to move."""

    black: int
    white: int
    to_move: Color


def usual_win_length(size: int) -> int:
    """How many in a row win where nobody has chosen: 3 on 3 x 3, 4 up to 6 x 6, else 5."""
    return 3 if size == SMALLEST else 4 if size <= 6 else 5


def windows(size: int, length: int) -> tuple[int, ...]:
    """Every row of `length` squares on a board, as boards."""
    found = []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row in range(size):
            for column in range(size):
                last_row, last_column = row + down * (length - 1), column + right * (length - 1)
                if last_row < size and 0 <= last_column < size:
                    squares = ((row + down * step) * size + column + right * step for step in range(length))
                    found.append(sum(1 << square for square in squares))
    return tuple(found)


def squares_of(board: int) -> tuple[int, ...]:
    """The squares of a board's marks in ascending order."""
    return tuple(square for square in range(board.bit_length()) if board >> square & 1)


@dataclass(frozen=True)
class TicTacToe(Rules[TicTacToePosition]):
    """Black, shown as X, begins; the first row of `win_length` marks or more wins, and a full board is a draw."""

    name: ClassVar[str] = "tictactoe"
    options: ClassVar[tuple[Option, ...]] = (
        Option("size", "Squares a side.", kind=int, default=SMALLEST, minimum=SMALLEST, maximum=LARGEST),
        Option(
            "win_length",
            "So many in a row win. null: 3 on 3 x 3, 4 on boards up to 6 x 6, else 5.",
            kind=int,
            is_optional=True,
            minimum=SMALLEST,
            maximum=LARGEST,
        ),
    )
    evaluation_is_fair: ClassVar[bool] = True
    wins_suddenly: ClassVar[bool] = True
    move_pattern: ClassVar[str] = r"[a-o]\d{1,2}"

    spec: GameSpec

    @classmethod
    def complete(cls, options: Mapping[str, Value]) -> Mapping[str, Value]:
        size, length = options["size"], options["win_length"]
        assert isinstance(size, int)
        length = usual_win_length(size) if length is None else length
        assert isinstance(length, int)
        if length > size:
            raise ConfigError("win_length", length=length, size=size)
        return {"size": size, "win_length": length}

    @cached_property
    def columns(self) -> int:
        return self.spec.number("size")

    @property
    def rows(self) -> int:
        return self.columns

    @property
    def max_moves(self) -> int:
        return self.columns**2

    @property
    def max_plies(self) -> int:
        return self.columns**2

    @property
    def state_words(self) -> int:
        return 2 if self.columns < 8 else 8

    @property
    def opening_plies(self) -> int:
        return 2 * (self.win_length - 3)  # nobody has to be stopped yet: a row is two marks short at least

    @property
    def win_length(self) -> int:
        return self.spec.number("win_length")

    @cached_property
    def _windows(self) -> tuple[int, ...]:
        return windows(self.columns, self.win_length)

    def start(self) -> TicTacToePosition:
        return TicTacToePosition(0, 0, Color.BLACK)

    @cached_property
    def lines(self) -> tuple[tuple[int, ...], ...]:
        return tuple(squares_of(window) for window in self._windows)

    def _winner(self, position: TicTacToePosition) -> Color | None:
        for color, board in ((Color.BLACK, position.black), (Color.WHITE, position.white)):
            if any(board & window == window for window in self._windows):
                return color
        return None

    def legal_moves(self, position: TicTacToePosition) -> tuple[Move, ...]:
        if self._winner(position) is not None:
            return ()
        taken = position.black | position.white
        return tuple(square for square in range(self.max_moves) if not taken >> square & 1)

    def play(self, position: TicTacToePosition, move: Move) -> TicTacToePosition:
        mark = 1 << move
        if position.to_move is Color.BLACK:
            return TicTacToePosition(position.black | mark, position.white, Color.WHITE)
        return TicTacToePosition(position.black, position.white | mark, Color.BLACK)

    def outcome(self, position: TicTacToePosition) -> Outcome | None:
        winner = self._winner(position)
        if winner is None and self.moves_left(position):
            return None
        return Outcome(winner, *self.score(position))

    def score(self, position: TicTacToePosition) -> tuple[int, int]:
        winner = self._winner(position)
        return int(winner is Color.BLACK), int(winner is Color.WHITE)

    def moves_made(self, position: TicTacToePosition) -> int:
        return (position.black | position.white).bit_count()

    def moves_left(self, position: TicTacToePosition) -> int:
        return self.max_moves - self.moves_made(position)

    def marks(self, position: TicTacToePosition) -> tuple[Color | None, ...]:
        return tuple(
            Color.BLACK if position.black >> square & 1 else Color.WHITE if position.white >> square & 1 else None
            for square in range(self.max_moves)
        )

    def can_end(self, black: int, white: int, winner: Color | None) -> bool:
        return (black, white) == (int(winner is Color.BLACK), int(winner is Color.WHITE))

    def move_text(self, move: Move) -> str:
        return f"{_COLUMNS[move % self.columns]}{move // self.columns + 1}"

    def parse_move(self, text: str) -> Move:
        found = re.fullmatch(r"([a-o])([1-9]\d?)", text.strip().lower())
        if found is not None:
            column, row = _COLUMNS.index(found[1]), int(found[2]) - 1
            if column < self.columns and row < self.columns:
                return row * self.columns + column
        raise TranscriptError("no_move", text=text, first="a1", last=self.move_text(self.max_moves - 1))

    def perft(self, position: TicTacToePosition, depth: int) -> int:
        from othello.rules.perft import perft

        return perft(self.kernel_state(position), depth, self.max_moves)

    def parse_position(self, text: str) -> TicTacToePosition:
        boards, rest = parse_marks(text, self.max_moves)
        if rest not in ("X", "O"):
            raise BoardTextError("board_side", side=rest)
        black, white = boards
        to_move = Color.WHITE if rest == "O" else Color.BLACK
        if black.bit_count() - white.bit_count() != int(to_move is Color.WHITE):
            raise BoardTextError("board_count")
        return TicTacToePosition(black, white, to_move)

    def format_position(self, position: TicTacToePosition) -> str:
        return f"{format_marks(self.marks(position))} {'XO'[position.to_move]}"

    def kernel_state(self, position: TicTacToePosition) -> RowState:
        from othello.rules.tictactoe_kernels import (
            row_state,
        )  # the compiler takes longer to import than a window to open

        own, opponent = position.black, position.white
        if position.to_move is Color.WHITE:
            own, opponent = opponent, own
        return row_state(own, opponent, self.columns, self.win_length)


def parse_marks(text: str, squares: int) -> tuple[tuple[int, int], str]:
    """The boards of X and of O out of a text that begins with every square, and the rest of the text in upper case.

    Raises:
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


def format_marks(marks: tuple[Color | None, ...]) -> str:
    """The inverse of the first part of `parse_marks`."""
    return "".join("-" if mark is None else "XO"[mark] for mark in marks)
