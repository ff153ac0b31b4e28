"""Othello in plain Python, on two 64-bit boards.

Moves are squares from a1, row by row; 64 is a pass. Boards are those of `scalar_bits`.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Final, cast

from othello.rules.board_text import BitboardPosition, BoardGame, parse_marks, parse_side
from othello.rules.othello.scalar_bits import BITS, PASS, bits_or_pass, flips, squares
from othello.rules.protocol import Color, GameSpec, Keyed, Move, Outcome, Square, SquareMap
from othello.rules.symmetry import square_images
from othello.schema import Option, Value

if TYPE_CHECKING:
    from othello.rules.othello.othello_kernels import AnyState


@dataclass(frozen=True, slots=True)
class OthelloPosition(BitboardPosition):
    """Two disjoint 64-bit boards and the side to move."""


_NAME: Final = "othello"
_OPTIONS: Final = (
    Option(
        "no_legal_move",
        "What happens when a side has no legal move.",
        {"pass": "the other side moves again", "game_over": "the game ends at once"},
    ),
    Option(
        "start",
        "The position before the first move.",
        {
            "standard": "white on d4 and e5, black on e4 and d5",
            "alternate": "white on d4 and e4, black on d5 and e5",
            "reversi": "the four squares of the centre are empty and filled in turn, without captures",
            "random": "the standard position after eight random plies that leave it balanced",
        },
    ),
    Option("goal", "Which side wins.", {"most": "the side with more discs", "fewest": "the side with fewer discs"}),
    Option(
        "size",
        "The number of rows and columns.",
        {8: "squares a1 to h8", 6: "squares a1 to f6, with the start position on c3 to d4"},
        kind=int,
    ),
    Option(
        "handicap",
        "The number of corners that black has at the start. Black still moves first.",
        {0: "none", 1: "a1", 2: "the opposite corner too", 3: "the last square of row 1 too", 4: "all"},
        kind=int,
    ),
    Option(
        "empty_squares",
        "How squares count that are empty at the end.",
        {
            "ignored": "only the discs on the board count",
            "to_winner": "for the winner, as in human tournaments and solvers; a draw shares them",
        },
    ),
)
_CENTRE: Final = 1 << 27 | 1 << 28 | 1 << 35 | 1 << 36
_STANDARD: Final = (1 << 28 | 1 << 35, 1 << 27 | 1 << 36)
_STARTS: Final[Mapping[Value, tuple[int, int]]] = {
    "standard": _STANDARD,
    "alternate": (1 << 35 | 1 << 36, 1 << 27 | 1 << 28),
    "reversi": (0, 0),
    "random": _STANDARD,
}
_WORTH_COMPILING: Final = 500  # number of games that Python replays in the time to load the compiler
_USUAL: Final = GameSpec(_NAME, tuple((option.name, option.default) for option in _OPTIONS))


@dataclass(frozen=True)
class Othello(BoardGame[OthelloPosition]):
    """Othello and its variants. Black moves first."""

    name: ClassVar[str] = _NAME
    points: ClassVar[str] = "discs"
    corners_matter = True
    options: ClassVar[tuple[Option, ...]] = _OPTIONS
    state_words = 2
    opening_plies = 12

    move_pattern: ClassVar[str] = "[a-h][1-8]|pass|ps|pa|--"
    move_separator: ClassVar[str] = ""
    reads_passes: ClassVar[bool] = True

    spec: GameSpec = _USUAL

    @cached_property
    def columns(self) -> int:
        return self.spec.number("size")

    @property
    def rows(self) -> int:
        return self.columns

    @property
    def max_moves(self) -> int:
        return self.columns**2 - 2  # in games on 8 x 8 at most 33 are known, but edited positions can have more

    @property
    def max_plies(self) -> int:
        return 2 * self.max_moves  # each square is played once, with at most one pass between two moves

    @property
    def symmetries(self) -> tuple[SquareMap, ...]:
        return square_images(self.columns)

    @cached_property
    def bits(self) -> tuple[int, ...]:
        return BITS[self.columns]

    @cached_property
    def _moves(self) -> Mapping[int, Move]:
        """The move of each bit."""
        return {bit: Move(square) for square, bit in enumerate(self.bits)} | {PASS: PASS}

    @property
    def random_opening_plies(self) -> int:
        return 8 if self.spec["start"] == "random" else 0

    @property
    def evaluation_is_fair(self) -> bool:
        return self._passes and self._most_wins

    @cached_property
    def _passes(self) -> bool:
        return self.spec["no_legal_move"] == "pass"

    @cached_property
    def _most_wins(self) -> bool:
        return self.spec["goal"] == "most"

    @cached_property
    def _shares_empties(self) -> bool:
        return self.spec["empty_squares"] == "to_winner"

    @cached_property
    def _fills_centre(self) -> bool:
        return self.spec["start"] == "reversi"

    def start(self) -> OthelloPosition:
        return self._start

    @cached_property
    def _start(self) -> OthelloPosition:
        black, white = _STARTS[self.spec["start"]]
        corners = (self.bits[0], self.bits[-1], self.bits[self.columns - 1], self.bits[-self.columns])
        black |= sum(1 << bit for bit in corners[: self.spec.number("handicap")])
        return OthelloPosition(black, white, Color.BLACK)

    def legal_moves(self, position: OthelloPosition) -> tuple[Move, ...]:
        centre = self._centre_to_fill(position)
        if centre:
            return tuple(self._moves[bit] for bit in squares(centre))
        moves = tuple(self._moves[bit] for bit in bits_or_pass(position.own, position.opponent, self.columns))
        return () if moves == (PASS,) and not self._passes else moves

    def _centre_to_fill(self, position: OthelloPosition) -> int:
        """Return the empty centre squares if the next move must go there, otherwise 0."""
        return _CENTRE & ~position.taken if self._fills_centre else 0

    def captured(self, position: OthelloPosition, move: Move) -> tuple[Square, ...]:
        return tuple(Square(self._moves[bit]) for bit in squares(self._flips(position, move)))

    def _flips(self, position: OthelloPosition, move: Move) -> int:
        if move == PASS or self._centre_to_fill(position):
            return 0
        return flips(position.own, position.opponent, self.bits[move])

    def play(self, position: OthelloPosition, move: Move) -> OthelloPosition:
        captured = self._flips(position, move)
        placed = 0 if move == PASS else 1 << self.bits[move]
        own, opponent = position.own | captured | placed, position.opponent & ~captured
        return OthelloPosition.of_sides(opponent, own, position.to_move.opponent)

    def outcome(self, position: OthelloPosition) -> Outcome | None:
        if self.legal_moves(position):
            return None
        black, white = self.score(position)
        return Outcome(self._winner(black, white), black, white, len(self.bits) - black - white)

    def _winner(self, black: int, white: int) -> Color | None:
        if black == white:
            return None
        return Color.BLACK if (black > white) is self._most_wins else Color.WHITE

    def can_end(self, black: int, white: int, winner: Color | None) -> bool:
        all_count = black + white == len(self.bits) if self._shares_empties else black + white <= len(self.bits)
        return all_count and winner is self._winner(black, white)

    def score(self, position: OthelloPosition) -> tuple[int, int]:
        black, white = position.black.bit_count(), position.white.bit_count()
        if not self._shares_empties or self.legal_moves(position):
            return black, white
        return Outcome(self._winner(black, white), black, white, len(self.bits) - black - white).counted

    @property
    def move_count(self) -> int:
        return PASS + 1

    def evaluation_terms(self, position: OthelloPosition) -> Mapping[Square, int]:
        from othello.rules.othello.othello_kernels import square_weights

        weights = square_weights(self.columns)
        own = -1 if self.spec["goal"] == "fewest" else 1
        return {
            Square(square): weights[bit] * (own if owner is position.to_move else -own)
            for square, (bit, owner) in enumerate(zip(BITS[self.columns], self.owners(position), strict=True))
            if owner is not None and bit in weights
        }

    def is_pass(self, move: Move) -> bool:
        return move == PASS

    def move_text(self, position: OthelloPosition, move: Move) -> str:
        return "pass" if move == PASS else super().move_text(position, move)

    def parse_move(self, position: OthelloPosition, text: str) -> Move:
        if text.strip().lower() in ("pass", "ps", "pa", "--"):
            return PASS
        return super().parse_move(position, text)

    def parse_position(self, text: str) -> OthelloPosition:
        """Read a position. Spaces, lower case, `*` for black and `.` for empty are accepted."""
        boards, rest = parse_marks(text.replace("*", "X"), len(self.bits))
        black, white = (sum(1 << self.bits[square] for square in squares(board)) for board in boards)
        return OthelloPosition(black, white, parse_side(rest))

    def _is_replayed_compiled(self, count: int) -> bool:
        """Return whether to replay `count` games with kernels: always once the compiler is loaded."""
        is_worth_it = count >= _WORTH_COMPILING or "othello.rules.othello.batch_replay" in sys.modules
        return is_worth_it and self._passes and not self._fills_centre and self.columns == 8

    def all_replayed(self, games: Sequence[tuple[OthelloPosition, Sequence[Move]]]) -> list[Sequence[Move] | None]:
        if not self._is_replayed_compiled(len(games)):
            return super().all_replayed(games)
        from othello.rules.othello.batch_replay import replayed

        packed = replayed([(start.own, start.opponent, bytes(moves)) for start, moves in games])
        return cast("list[Sequence[Move] | None]", packed)  # as `unpack` returns them

    def all_ended(self, games: Sequence[tuple[OthelloPosition, Sequence[Move]]]) -> list[OthelloPosition]:
        if not self._is_replayed_compiled(len(games)):
            return super().all_ended(games)
        from othello.rules.othello.batch_replay import ended

        boards = ended([(start.own, start.opponent, bytes(moves)) for start, moves in games])
        sides = (Color(start.to_move ^ len(moves) & 1) for start, moves in games)
        return [OthelloPosition.of_sides(own, other, side) for (own, other), side in zip(boards, sides, strict=True)]

    @cached_property
    def _is_standard(self) -> bool:
        """True for standard rules on 8 x 8, in which positions have keys of their own."""
        return self._passes and self._most_wins and not self._fills_centre and self.columns == 8

    def key_of(self, position: OthelloPosition) -> tuple[int, Mapping[int, Move]]:
        if not self._is_standard:
            return super().key_of(position)
        from othello.rules.othello.keys import key_of

        return key_of(position.own, position.opponent, position.to_move)

    def keyed(self, games: Sequence[tuple[OthelloPosition, Sequence[Move]]]) -> Keyed[OthelloPosition]:
        if not self._is_standard:
            return super().keyed(games)
        from othello.rules.othello.keys import keys_of

        keys, moves, ends = keys_of(
            [(start.own, start.opponent, start.to_move, bytes(moves)) for start, moves in games]
        )
        return Keyed(keys, moves, [OthelloPosition.of_sides(own, other, Color(side)) for own, other, side in ends])

    def kernel_state(self, position: OthelloPosition) -> "AnyState":
        # Here, because importing the compiler takes long.
        from othello.rules.othello import playouts  # noqa: F401  (they register themselves)
        from othello.rules.othello.othello_kernels import othello_state

        return othello_state(position.own, position.opponent, self._kernel_options)

    @cached_property
    def _kernel_options(self) -> int:
        """The flags of `othello_kernels`, in their order."""
        flags = not self._passes, not self._most_wins, self._fills_centre, self.columns < 8, self._shares_empties
        return sum(flag << bit for bit, flag in enumerate(flags))

    def perft(self, position: OthelloPosition, depth: int) -> int:
        from othello.rules.othello.othello_kernels import leaves

        return int(leaves(self.kernel_state(position), depth)) if depth else 1
