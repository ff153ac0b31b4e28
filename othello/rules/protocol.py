"""What a game is, for everything above it.

A game has two faces. Sessions, records and views use `Rules`: plain Python, ready as soon as the program starts.
Searches use `othello.rules.compiled`.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from enum import IntEnum
from functools import reduce
from hashlib import blake2b
from string import ascii_lowercase
from typing import TYPE_CHECKING, ClassVar, Final, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from othello.frozen_dataclass import FrozenDataclass
from othello.schema import Option, Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Move: TypeAlias = int
"""The number of a square, row by row, at most 254. A pass has the number after the last square's."""

NO_MOVE: Final = 255


class GameSpec(FrozenDataclass):
    """Which game is played, by which rules. Specs that are equal are the same game in all processes."""

    game: str  # the name of the game
    options: tuple[tuple[str, Value], ...]  # name and value of every option, in the game's order

    def __getitem__(self, option: str) -> Value:
        return dict(self.options)[option]

    def number(self, option: str) -> int:
        """The value of an option that is a whole number."""
        value = self[option]
        assert isinstance(value, int)
        return value


class Color(IntEnum):
    """The two sides, in the order in which they move."""

    BLACK = 0
    WHITE = 1

    @property
    def opponent(self) -> Color:
        return Color(1 - self)

    @property
    def label(self) -> str:
        """The name as config files and results write it: "black" or "white"."""
        return self.name.lower()


class Outcome(FrozenDataclass):
    """How a finished game ended."""

    winner: Color | None  # None: a draw
    black: int  # what black has: discs in Othello
    white: int
    unclaimed: int = 0  # empty squares that count for nobody

    @property
    def difference(self) -> int:
        """Black's points minus white's."""
        return self.black - self.white

    @property
    def engines_differ(self) -> bool:
        """Whether engines count another difference."""
        return bool(self.unclaimed and self.difference)

    @property
    def counted(self) -> tuple[int, int]:
        """(black, white) as engines count: unclaimed squares for the side with more discs, shared in a draw."""
        black_share = (self.difference > 0) + (self.difference >= 0)  # of two
        return (
            self.black + self.unclaimed * black_share // 2,
            self.white + self.unclaimed * (2 - black_share) // 2,
        )


class Position(Hashable, Protocol):
    """What every game's position can say of itself."""

    @property
    def to_move(self) -> Color: ...


P = TypeVar("P", bound=Position)


class Keyed(NamedTuple, Generic[P]):
    """Positions of games as an index has them: every game has one more of them than moves."""

    keys: NDArray[np.int64]  # of every position, one game after the other
    moves: NDArray[np.uint8]  # what was played there, as `Rules.key_of` numbers moves; NO_MOVE at the end of a game
    ends: list[P]  # the last position of every game


class Rules(Protocol[P]):
    """A game for two players, in plain Python.

    Positions are immutable and hashable. A forced pass is a move like any other, listed by `legal_moves`
    where it is the only move. A game inherits from this class what most games have in common.
    """

    name: ClassVar[str]
    options: ClassVar[tuple[Option, ...]] = ()
    points: ClassVar[str] = ""
    """What `score` counts, "discs" in Othello; empty in a game without points."""

    def __init__(self, spec: GameSpec) -> None:
        """Rules by a spec that `registry.game_spec` has made."""

    @classmethod
    def complete(cls, options: Mapping[str, Value]) -> Mapping[str, Value]:
        """All options, each with a default that may depend on others; ConfigError: they do not go together."""
        return options

    spec: GameSpec
    """What was asked for, and is played."""

    @property
    def columns(self) -> int: ...

    @property
    def rows(self) -> int: ...

    @property
    def max_moves(self) -> int:
        """No position has more legal moves than this."""

    @property
    def max_plies(self) -> int:
        """No game has more plies than this, passes included."""

    @property
    def state_words(self) -> int:
        """Words of a packed state."""

    @property
    def random_opening_plies(self) -> int:
        """Plies of the random opening before the players begin; 0 without one."""
        return 0

    @property
    def opening_plies(self) -> int:
        """How many plies from the start decide so little that a search may spend less on them; 0: none."""
        return 0

    extra_state_options: ClassVar[tuple[str, ...]] = ()
    """What a board text may say after the side to move, where it says more, such as the board to be played in."""

    one_move_can_decide: ClassVar[bool] = False
    """Whether one move can decide an even game, so that a search should prove wins and losses."""

    corners_matter: ClassVar[bool] = False
    """Whether who holds more corners says something about the game."""

    @property
    def evaluation_is_fair(self) -> bool:
        """Whether `compiled.evaluate` is about 0 in even positions."""

    def start(self) -> P:
        """The position before the first move."""

    def legal_moves(self, position: P) -> tuple[Move, ...]:
        """All legal moves in ascending order; empty when the game is over."""

    def play(self, position: P, move: Move) -> P:
        """The position after a move, which must be legal."""

    def outcome(self, position: P) -> Outcome | None:
        """The result of a finished game, None while it goes on."""

    def score(self, position: P) -> tuple[int, int]:
        """Points on the board, (black, white); of a finished game its result."""

    def can_end(self, black: int, white: int, winner: Color | None) -> bool:
        """Whether a finished game can have these points and this winner."""

    def moves_made(self, position: P) -> int:
        """How many moves lead to a position, without passes. The moves need not be known."""

    def moves_left(self, position: P) -> int:
        """How many moves can follow at most, passes not counted."""

    def marks(self, position: P) -> tuple[Color | None, ...]:
        """The owner of every square, row by row."""

    def captured(self, position: P, move: Move) -> tuple[int, ...]:
        """The squares that a move takes from the other side, in ascending order."""
        return ()

    @property
    def lines(self) -> tuple[tuple[int, ...], ...]:
        """The rows of squares; a side that has all squares of a row wins. Empty in games without such rows."""
        return ()

    def won_lines(self, position: P) -> tuple[tuple[int, ...], ...]:
        """The squares of every row that has won the game: a line is drawn from the first to the last."""
        owners = self.marks(position)
        return tuple(
            line for line in self.lines if owners[line[0]] is not None and len({owners[square] for square in line}) == 1
        )

    def move_at(self, position: P, square: int) -> Move:
        """The move that pointing at a square means, legal or not."""
        return square

    @property
    def column_names(self) -> tuple[str, ...]:
        """What stands above the columns."""
        return tuple(ascii_lowercase[: self.columns])

    @property
    def row_names(self) -> tuple[str, ...]:
        """What stands beside the rows."""
        return tuple(str(row + 1) for row in range(self.rows))

    @property
    def block_size(self) -> int:
        """The side, in squares, of the small boards that make the board; 0 where the board is not divided."""
        return 0

    def block_owners(self, position: P) -> tuple[Color | None, ...]:
        """The winner of every small board, row by row."""
        return ()

    def is_pass(self, move: Move) -> bool:
        """Whether a move passes the turn and changes nothing else."""
        return False

    def move_text(self, position: P, move: Move) -> str:
        """A move in a position as people write it, such as "d3"."""

    move_pattern: ClassVar[str]
    """What a move looks like in a transcript in lower case, as a regular expression."""
    move_separator: ClassVar[str] = " "
    """What stands between two moves of a transcript."""

    def parse_move(self, position: P, text: str) -> Move:
        """The inverse of `move_text`, perhaps of an illegal move; TranscriptError: the text names no move."""

    def parse_position(self, text: str) -> P:
        """The position that a text describes; raises `BoardTextError` if there is none."""

    def format_position(self, position: P) -> str:
        """The inverse of `parse_position`."""

    def perft(self, position: P, depth: int) -> int:
        """The number of leaves `depth` >= 0 plies below a position. A pass is a ply, and a finished game a leaf."""
        from othello.rules.compiled import perft  # the compiler is slow to import

        return perft(self.kernel_state(position), depth, self.max_moves)

    def replayed(self, start: P, moves: bytes) -> bytes | None:
        """Moves with all passes that the rules force, the last ones too; None where one of the moves is not legal."""
        played, position = bytearray(), start
        for move in (*moves, None):
            legal = self.legal_moves(position)
            while (move is None or not self.is_pass(move)) and len(legal) == 1 and self.is_pass(legal[0]):
                played += bytes(legal)
                position = self.play(position, legal[0])
                legal = self.legal_moves(position)
            if move is None:
                break
            if move not in legal:
                return None
            played.append(move)
            position = self.play(position, move)
        return bytes(played)

    def all_replayed(self, games: Sequence[tuple[P, bytes]]) -> list[bytes | None]:
        """As `replayed`, for start and moves of many games."""
        return [self.replayed(start, moves) for start, moves in games]

    def all_ended(self, games: Sequence[tuple[P, bytes]]) -> list[P]:
        """The last positions of many games, by their starts and their moves with all passes, which must be legal."""
        return [reduce(self.play, moves, start) for start, moves in games]

    def key_of(self, position: P) -> tuple[int, Sequence[Move]]:
        """A number of 64 bits for a position, the same for its images where the game knows symmetries.

        And what every move of the position by that number means in this position: an image has other squares.
        """
        unusual = [
            f"{each.name}={self.spec[each.name]}" for each in self.options if self.spec[each.name] != each.default
        ]
        text = " ".join((self.name, *unusual, self.format_position(position)))
        return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big", signed=True), range(NO_MOVE + 1)

    def keyed(self, games: Sequence[tuple[P, bytes]]) -> Keyed[P]:
        """The keys of all positions of games, by their starts and their moves, which must be legal."""
        import numpy as np

        keys, played, ends = [], [], []
        for position, moves in games:
            for move in (*moves, NO_MOVE):
                keys.append(self.key_of(position)[0])
                played.append(move)
                position = position if move == NO_MOVE else self.play(position, move)
            ends.append(position)
        return Keyed(np.array(keys, np.int64), np.array(played, np.uint8), ends)

    def kernel_state(self, position: P) -> NamedTuple:
        """The same position as `othello.rules.compiled` takes it. Loads the compiler on first use."""
