"""Ultimate tic-tac-toe in plain Python: nine boards of 3 x 3; a move determines the board of the next move.

Squares are numbered row by row over the 9 x 9 squares; bit n of a board of marks is square n. A move is the number of
its square. Small boards and their cells are numbered row by row from 0.
"""

import re
from dataclasses import dataclass, replace
from typing import ClassVar, Final, NamedTuple

from othello.errors import BoardTextError, TranscriptError
from othello.rules.board_text import BitboardPosition, BoardGame, board_of, parse_marks, windows
from othello.rules.protocol import Color, GameSpec, Move, Outcome, Square, SquareMap
from othello.rules.symmetry import square_images
from othello.rules.ultimate_tictactoe.squares import BOARD_OF, CELL_OF, SQUARE_OF, SQUARES
from othello.schema import Option

SIZE: Final = 9
# The target board if any board may be played.
ANY: Final = 9

_LINES: Final = windows(3, 3, 3)
# The images of the small boards, in the order of the symmetries of the squares.
_BOARD_IMAGES: Final = square_images(3)
_ROWS: Final = tuple(map(board_of, _LINES))
_FULL: Final = (1 << 9) - 1


def has_row(cells: int) -> bool:
    """Return whether three of nine cells, given as bits, are in a row."""
    return any(cells & row == row for row in _ROWS)


@dataclass(frozen=True, slots=True)
class UltimatePosition(BitboardPosition):
    """Marks, side to move, won boards, and target board."""

    won: tuple[int, int] = (0, 0)  # small boards won by X and O, as bits
    target: int = ANY  # small board of the next move, or `ANY`


def _cells(marks: int, board: int) -> int:
    """Return the marks on a small board as nine bits."""
    return sum((marks >> SQUARE_OF[board][cell] & 1) << cell for cell in range(9))


def is_finished(position: UltimatePosition, board: int) -> bool:
    """Return whether a small board is won or full."""
    won_by_either = position.won[0] | position.won[1]
    return bool(won_by_either >> board & 1) or _cells(position.taken, board) == _FULL


@dataclass(frozen=True)
class UltimateTicTacToe(BoardGame[UltimatePosition]):
    """Ultimate tic-tac-toe: three won boards in a row win. Black (X) begins."""

    name: ClassVar[str] = "ultimate_tictactoe"
    points: ClassVar[str] = "boards"
    options: ClassVar[tuple[Option, ...]] = (
        Option(
            "tie",
            "The result of a game that ends without three won boards in a line.",
            {"draw": "a draw", "boards": "a win for the side with more boards"},
        ),
    )
    columns = SIZE
    rows = SIZE
    max_moves = SQUARES
    max_plies = SQUARES
    state_words = 5
    opening_plies = 4  # no small board can be won before the fifth
    extra_state_options = ("any", *map(str, range(1, 10)))
    one_move_can_decide = True
    evaluation_is_fair = True
    move_pattern: ClassVar[str] = r"\(?[1-9]\s*[, ]\s*[1-9]\)?"
    block_size = 3
    column_names = tuple("123456789")
    symmetries = square_images(SIZE)

    spec: GameSpec

    @property
    def _counts_boards(self) -> bool:
        return self.spec["tie"] == "boards"

    def start(self) -> UltimatePosition:
        return UltimatePosition(0, 0, Color.BLACK)

    def open_boards(self, position: UltimatePosition) -> tuple[int, ...]:
        """Return the small boards that the side to move may play on, in ascending order."""
        if any(map(has_row, position.won)):
            return ()
        if position.target != ANY:
            return (position.target,)
        return tuple(board for board in range(9) if not is_finished(position, board))

    def legal_moves(self, position: UltimatePosition) -> tuple[Move, ...]:
        squares = (square for board in self.open_boards(position) for square in SQUARE_OF[board])
        return tuple(Move(square) for square in sorted(squares) if not position.taken >> square & 1)

    def play(self, position: UltimatePosition, move: Move) -> UltimatePosition:
        marks = [position.black, position.white]
        won = list(position.won)
        mover, board = position.to_move, BOARD_OF[move]
        marks[mover] |= 1 << move
        if has_row(_cells(marks[mover], board)):
            won[mover] |= 1 << board
        after = UltimatePosition(marks[0], marks[1], mover.opponent, (won[0], won[1]), CELL_OF[move])
        return replace(after, target=ANY) if is_finished(after, after.target) else after

    def image_of(self, position: UltimatePosition, symmetry: SquareMap) -> UltimatePosition:
        there = _BOARD_IMAGES[self.symmetries.index(symmetry)]
        won = [board_of(there[board] for board in range(9) if boards >> board & 1) for boards in position.won]
        target = ANY if position.target == ANY else there[position.target]
        return replace(super().image_of(position, symmetry), won=(won[0], won[1]), target=target)

    def image_texts(self, position: UltimatePosition) -> list[str]:
        texts = super().image_texts(replace(position, target=ANY))
        if position.target == ANY:
            return texts
        images = zip(texts, _BOARD_IMAGES, strict=True)
        return [f"{text.removesuffix('any')}{image[position.target] + 1}" for text, image in images]

    def outcome(self, position: UltimatePosition) -> Outcome | None:
        if self.legal_moves(position):
            return None
        black, white = self.score(position)
        for color in Color:
            if has_row(position.won[color]):
                return Outcome(color, black, white)
        leader = None if black == white else Color.BLACK if black > white else Color.WHITE
        return Outcome(leader if self._counts_boards else None, black, white)

    def score(self, position: UltimatePosition) -> tuple[int, int]:
        return position.won[0].bit_count(), position.won[1].bit_count()

    def block_owners(self, position: UltimatePosition) -> tuple[Color | None, ...]:
        return tuple(next((color for color in Color if position.won[color] >> board & 1), None) for board in range(9))

    def won_lines(self, position: UltimatePosition) -> tuple[tuple[Square, ...], ...]:
        """Return the centre squares of the three boards of each won row."""
        lines = (line for line in _LINES if any(won & board_of(line) == board_of(line) for won in position.won))
        return tuple(tuple(Square(SQUARE_OF[board][4]) for board in line) for line in lines)

    def can_end(self, black: int, white: int, winner: Color | None) -> bool:
        return black + white <= SIZE

    def move_text(self, position: UltimatePosition, move: Move) -> str:
        return f"{move // SIZE + 1},{move % SIZE + 1}"

    def parse_move(self, position: UltimatePosition, text: str) -> Move:
        match = re.fullmatch(r"\(?\s*([1-9])\s*[,\s]\s*([1-9])\s*\)?", text.strip())
        if match is None:
            raise TranscriptError("no_move", text=text, first="1,1", last="9,9")
        return Move((int(match[1]) - 1) * SIZE + int(match[2]) - 1)

    def parse_position(self, text: str) -> UltimatePosition:
        (black, white), rest = parse_marks(text, SQUARES)
        if not re.fullmatch(r"[XO](ANY|[1-9])", rest):
            raise BoardTextError("board_side_and_board", side=rest)
        to_move = Color.WHITE if rest[0] == "O" else Color.BLACK
        target = ANY if rest[1:] == "ANY" else int(rest[1:]) - 1
        won = [0, 0]
        for board in range(9):
            for color, marks in zip(Color, (black, white), strict=True):
                won[color] |= has_row(_cells(marks, board)) << board
        position = UltimatePosition(black, white, to_move, (won[0], won[1]), target)
        self._check(position)
        return position

    def _check(self, position: UltimatePosition) -> None:
        """Check that the position can occur in a game, as far as that can be decided without its moves.

        Raises:
            BoardTextError: it cannot.
        """
        ahead = position.black.bit_count() - position.white.bit_count()
        if ahead != int(position.to_move is Color.WHITE):
            raise BoardTextError("board_count")
        if position.won[0] & position.won[1]:
            raise BoardTextError("board_rows")
        if position.target != ANY and is_finished(position, position.target):
            raise BoardTextError("board_target", board=position.target + 1)

    def format_position(self, position: UltimatePosition) -> str:
        target = "any" if position.target == ANY else str(position.target + 1)
        return f"{super().format_position(position)} {target}"

    def kernel_state(self, position: UltimatePosition) -> NamedTuple:
        # Here, because importing the compiler takes long.
        from othello.rules.ultimate_tictactoe.ultimate_kernels import ultimate_state

        own, opponent = ([_cells(marks, board) for board in range(9)] for marks in (position.own, position.opponent))
        won = position.won[position.to_move], position.won[position.to_move.opponent]
        return ultimate_state(own, opponent, *won, position.target, self._counts_boards)
