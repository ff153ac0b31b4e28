"""Games with a board for each side, and boards as text.

The text has `X`, `O` or `-` for each square, row by row, then the side to move, and in some games more. Squares are
numbered row by row; bit n of a board is square n.
"""

import re
from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from operator import itemgetter
from string import ascii_lowercase
from typing import ClassVar, Self, TypeVar

from othello.errors import BoardTextError, TranscriptError
from othello.rules.protocol import Color, Move, Outcome, Rules, Square, SquareMap


@dataclass(frozen=True, slots=True)
class BitboardPosition:
    """Two disjoint boards and the side to move. The game's `bits` map squares to bits."""

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
        """The squares of both sides."""
        return self.black | self.white

    @classmethod
    def of_sides(cls, own: int, opponent: int, to_move: Color) -> Self:
        """Create a position from the boards of the side to move and of the other side."""
        return cls(opponent, own, to_move) if to_move else cls(own, opponent, to_move)


B = TypeVar("B", bound=BitboardPosition)


class BoardGame(Rules[B]):
    """Base class of games with a board for each side."""

    # True if a pass can be written as a move.
    reads_passes: ClassVar[bool] = False

    @property
    def bits(self) -> Sequence[int]:
        """The bit of each square, row by row."""
        return range(self.columns * self.rows)

    def moves_made(self, position: B) -> int:
        return position.taken.bit_count() - self.start().taken.bit_count()

    def moves_left(self, position: B) -> int:
        return self.columns * self.rows - position.taken.bit_count()

    def image_of(self, position: B, symmetry: SquareMap) -> B:
        black, white = (self._board_image(board, symmetry) for board in (position.black, position.white))
        return replace(position, black=black, white=white)

    def image_texts(self, position: B) -> list[str]:
        squares, text = self.columns * self.rows, self.format_position(position)
        return ["".join(pick(text[:squares])) + text[squares:] for pick in _pickers(self.symmetries)]

    def _board_image(self, board: int, symmetry: SquareMap) -> int:
        bits = self.bits
        return sum(1 << bits[symmetry[square]] for square, bit in enumerate(bits) if board >> bit & 1)

    def owners(self, position: B) -> tuple[Color | None, ...]:
        return tuple(
            Color.BLACK if position.black >> bit & 1 else Color.WHITE if position.white >> bit & 1 else None
            for bit in self.bits
        )

    def move_text(self, position: B, move: Move) -> str:
        return f"{ascii_lowercase[move % self.columns]}{move // self.columns + 1}"

    def parse_move(self, position: B, text: str) -> Move:
        match = re.fullmatch(r"([a-z])([1-9]\d?)", text.strip().lower())
        if match is not None:
            column, row = ascii_lowercase.index(match[1]), int(match[2]) - 1
            if column < self.columns and row < self.rows:
                return Move(row * self.columns + column)
        last = BoardGame.move_text(self, position, Move(self.columns * self.rows - 1))
        raise TranscriptError("no_move_or_pass" if self.reads_passes else "no_move", text=text, first="a1", last=last)

    def format_position(self, position: B) -> str:
        squares = "".join("-" if mark is None else "XO"[mark] for mark in self.owners(position))
        return f"{squares} {'XO'[position.to_move]}"


@cache
def _pickers(symmetries: tuple[SquareMap, ...]) -> list[Callable[[str], Sequence[str]]]:
    """Return for each symmetry a function that brings the signs of a board into the order of the image."""
    return [itemgetter(*sorted(range(len(symmetry)), key=symmetry.__getitem__)) for symmetry in symmetries]


def parse_marks(text: str, squares: int) -> tuple[tuple[int, int], str]:
    """Read a board of X and a board of O from the start of a text. Returns them and the rest in upper case.

    Raises:
        BoardTextError: there are too few squares, or other symbols than X, O, - and full stops.
    """
    symbols = "".join(text.upper().split())
    boards = dict.fromkeys("XO-.", 0)
    for square, symbol in enumerate(symbols[:squares]):
        if symbol not in boards:
            raise BoardTextError("board_symbol", symbol=symbol, square=square + 1, allowed="X, O, -, .")
        boards[symbol] |= 1 << square
    if len(symbols) < squares:
        raise BoardTextError("board_length", given=len(symbols), squares=squares)
    return (boards["X"], boards["O"]), symbols[squares:]


def parse_side(text: str) -> Color:
    """Read the side to move.

    Raises:
        BoardTextError: the text is neither X nor O.
    """
    if text not in ("X", "O"):
        raise BoardTextError("board_side", side=text)
    return Color("XO".index(text))


def windows(columns: int, rows: int, length: int) -> tuple[tuple[Square, ...], ...]:
    """Return all rows of `length` squares on a board: horizontal, vertical and diagonal."""
    lines = []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row in range(rows):
            for column in range(columns):
                last_row, last_column = row + down * (length - 1), column + right * (length - 1)
                if last_row < rows and 0 <= last_column < columns:
                    squares = ((row + down * step) * columns + column + right * step for step in range(length))
                    lines.append(tuple(map(Square, squares)))
    return tuple(lines)


def board_of(squares: Iterable[int]) -> int:
    """Return a board with these squares."""
    return sum(1 << square for square in squares)


class RowGame(BoardGame[BitboardPosition]):
    """Base class of games in which a row of `win_length` marks wins, and a full board is a draw. Black (X) begins."""

    evaluation_is_fair: ClassVar[bool] = True
    one_move_can_decide: ClassVar[bool] = True

    @property
    @abstractmethod
    def win_length(self) -> int:
        """Marks in a row that win."""

    @property
    def max_plies(self) -> int:
        return self.columns * self.rows

    @cached_property
    def lines(self) -> tuple[tuple[Square, ...], ...]:
        return windows(self.columns, self.rows, self.win_length)

    @cached_property
    def _windows(self) -> tuple[int, ...]:
        return tuple(map(board_of, self.lines))

    def start(self) -> BitboardPosition:
        return BitboardPosition(0, 0, Color.BLACK)

    def squares_open(self, position: BitboardPosition) -> int:
        """Return the squares that may be played if the board is not won, as a board."""
        return ~position.taken & (1 << self.max_plies) - 1

    def _winner(self, position: BitboardPosition) -> Color | None:
        for color, board in zip(Color, (position.black, position.white), strict=True):
            if any(board & window == window for window in self._windows):
                return color
        return None

    def legal_moves(self, position: BitboardPosition) -> tuple[Move, ...]:
        if self._winner(position) is not None:
            return ()
        return tuple(map(Move, squares_in(self.squares_open(position))))

    def play(self, position: BitboardPosition, move: Move) -> BitboardPosition:
        own = position.own | 1 << move
        return BitboardPosition.of_sides(position.opponent, own, position.to_move.opponent)

    def outcome(self, position: BitboardPosition) -> Outcome | None:
        winner = self._winner(position)
        if winner is None and self.moves_left(position):
            return None
        return Outcome(winner, int(winner is Color.BLACK), int(winner is Color.WHITE))

    def score(self, position: BitboardPosition) -> tuple[int, int]:
        winner = self._winner(position)
        return int(winner is Color.BLACK), int(winner is Color.WHITE)

    def can_end(self, black: int, white: int, winner: Color | None) -> bool:
        return (black, white) == (int(winner is Color.BLACK), int(winner is Color.WHITE))

    def parse_position(self, text: str) -> BitboardPosition:
        (black, white), rest = parse_marks(text, self.max_plies)
        to_move = parse_side(rest)
        if black.bit_count() - white.bit_count() != int(to_move is Color.WHITE):
            raise BoardTextError("board_count")
        return BitboardPosition(black, white, to_move)


def squares_in(board: int) -> tuple[Square, ...]:
    """Return the squares of a board in ascending order."""
    return tuple(Square(square) for square in range(board.bit_length()) if board >> square & 1)
