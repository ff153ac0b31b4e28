"""Breakthrough in plain Python: pawns run across a board of 8 x 8 squares, and the first to arrive wins.

Black begins at the bottom and moves up. A move is 64 times the square that the pawn leaves, plus the one that it
enters.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from othello.errors import BoardTextError, TranscriptError
from othello.rules.board_text import BitboardPosition, BoardGame, parse_marks, parse_side, squares_in
from othello.rules.protocol import Color, GameSpec, Move, Outcome, Square

SIZE = 8
SQUARES = SIZE * SIZE
_TOP = (1 << SIZE) - 1  # the row that black runs to; bit n is square n
_BOTTOM = _TOP << SQUARES - SIZE
_TWO_ROWS = (1 << 2 * SIZE) - 1
_NAMES = tuple(f"{column}{row}" for row in range(SIZE, 0, -1) for column in "abcdefgh")


@dataclass(frozen=True)
class Breakthrough(BoardGame[BitboardPosition]):
    """Breakthrough: a pawn moves one step forward, straight or diagonally, and captures diagonally."""

    spec: GameSpec

    name: ClassVar[str] = "breakthrough"
    columns = rows = SIZE
    row_names = tuple("87654321")
    move_count = SQUARES * SQUARES
    max_moves = 3 * 2 * SIZE
    max_plies = 2 * (7 + 6) * SIZE
    state_words = 3
    opening_plies = 4
    evaluation_is_fair = True
    one_move_can_decide = True
    move_pattern: ClassVar[str] = "[a-h][1-8][-x]?[a-h][1-8]"

    def start(self) -> BitboardPosition:
        return BitboardPosition(_TWO_ROWS << SQUARES - 2 * SIZE, _TWO_ROWS, Color.BLACK)

    def _winner(self, position: BitboardPosition) -> Color | None:
        if position.black & _TOP or position.white & _BOTTOM:
            return Color.BLACK if position.black & _TOP else Color.WHITE
        return None if position.own else position.to_move.opponent

    def _moves(self, position: BitboardPosition) -> Iterator[Move]:
        step = SIZE if position.to_move else -SIZE
        for origin in squares_in(position.own):
            for aside in (-1, 0, 1):
                target = origin + step + aside
                blocked = position.own if aside else position.taken
                if 0 <= origin % SIZE + aside < SIZE and not blocked >> target & 1:
                    yield Move(SQUARES * origin + target)

    def legal_moves(self, position: BitboardPosition) -> tuple[Move, ...]:
        return () if self._winner(position) is not None else tuple(self._moves(position))

    def play(self, position: BitboardPosition, move: Move) -> BitboardPosition:
        origin, target = self.squares_of(move)
        own = position.own & ~(1 << origin) | 1 << target
        return BitboardPosition.of_sides(position.opponent & ~own, own, position.to_move.opponent)

    def squares_of(self, move: Move) -> tuple[Square, ...]:
        return Square(move // SQUARES), Square(move % SQUARES)

    def captured(self, position: BitboardPosition, move: Move) -> tuple[Square, ...]:
        target = self.squares_of(move)[1]
        return (target,) if position.opponent >> target & 1 else ()

    def outcome(self, position: BitboardPosition) -> Outcome | None:
        winner = self._winner(position)
        return None if winner is None else Outcome(winner, *self.score(position))

    def score(self, position: BitboardPosition) -> tuple[int, int]:
        winner = self._winner(position)
        return int(winner is Color.BLACK), int(winner is Color.WHITE)

    def can_end(self, black: int, white: int, winner: Color | None) -> bool:
        return winner is not None and (black, white) == (int(winner is Color.BLACK), int(winner is Color.WHITE))

    def moves_made(self, position: BitboardPosition) -> int:
        """Return an upper bound: the steps of captured pawns are not known."""
        return self.max_plies - self.moves_left(position)

    def moves_left(self, position: BitboardPosition) -> int:
        """Return the number of rows that all pawns have before them."""
        black = sum(square // SIZE for square in squares_in(position.black))
        return black + sum(SIZE - 1 - square // SIZE for square in squares_in(position.white))

    def move_text(self, position: BitboardPosition, move: Move) -> str:
        return "".join(_NAMES[square] for square in self.squares_of(move))

    def parse_move(self, position: BitboardPosition, text: str) -> Move:
        name = text.strip().lower()
        if not re.fullmatch(self.move_pattern, name):
            raise TranscriptError("no_move", text=text, first="a1a2", last="h8h7")
        return Move(SQUARES * _NAMES.index(name[:2]) + _NAMES.index(name[-2:]))

    def parse_position(self, text: str) -> BitboardPosition:
        (black, white), rest = parse_marks(text, SQUARES)
        position = BitboardPosition(black, white, parse_side(rest))
        if self._winner(position) is position.to_move:
            raise BoardTextError("the side to move has won already")
        return position

    def kernel_state(self, position: BitboardPosition) -> NamedTuple:
        # Here, because importing the compiler takes long.
        import numpy as np

        from breakthrough.kernels import BreakthroughState

        return BreakthroughState(*map(np.uint64, (position.own, position.opponent, position.to_move)))
