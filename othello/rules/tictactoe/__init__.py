"""Tic-tac-toe on n x n squares in plain Python: k marks in a row win, horizontally, vertically or diagonally.

Squares are numbered from a1, row by row; bit n of a board is square n. A move is the number of its square.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final, NamedTuple

from othello.errors import ConfigError
from othello.rules.board_text import BitboardPosition, RowGame
from othello.rules.protocol import GameSpec, SquareMap
from othello.rules.symmetry import square_images
from othello.schema import Option, Value

SMALLEST: Final = 3
LARGEST: Final = 15


@dataclass(frozen=True)
class TicTacToe(RowGame):
    """Tic-tac-toe: marks go on any free square of a square board."""

    name: ClassVar[str] = "tictactoe"
    options: ClassVar[tuple[Option, ...]] = (
        Option(
            "size", "The number of rows and columns.", kind=int, default=SMALLEST, minimum=SMALLEST, maximum=LARGEST
        ),
        Option(
            "win_length",
            "How many marks in a row win. null: 3 on 3 x 3, 4 on boards up to 6 x 6, else 5.",
            kind=int,
            is_optional=True,
            minimum=SMALLEST,
            maximum=LARGEST,
        ),
    )
    move_pattern: ClassVar[str] = r"[a-o]\d{1,2}"

    spec: GameSpec

    @classmethod
    def complete(cls, options: Mapping[str, Value]) -> Mapping[str, Value]:
        size, length = options["size"], options["win_length"]
        assert isinstance(size, int)
        length = length or (3 if size == SMALLEST else 4 if size <= 6 else 5)
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
    def symmetries(self) -> tuple[SquareMap, ...]:
        return square_images(self.columns)

    @property
    def max_moves(self) -> int:
        return self.columns**2

    @property
    def state_words(self) -> int:
        return 2 if self.columns < 8 else 8

    @property
    def opening_plies(self) -> int:
        return 2 * (self.win_length - 3)  # until then no row lacks less than two marks

    @property
    def win_length(self) -> int:
        return self.spec.number("win_length")

    def kernel_state(self, position: BitboardPosition) -> NamedTuple:
        from othello.rules.tictactoe.tictactoe_kernels import row_state  # here: importing the compiler takes long

        return row_state(position.own, position.opponent, self.columns, self.win_length)
