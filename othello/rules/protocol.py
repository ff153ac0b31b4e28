"""The interface of a game.

The rest of the program uses `Rules`, plain Python that needs no compiler. Searches use `othello.rules.compiled`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from enum import IntEnum
from functools import cached_property, reduce
from hashlib import blake2b
from string import ascii_lowercase
from struct import iter_unpack
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, NamedTuple, NewType, Protocol, TypeAlias, TypeVar, cast

from othello.frozen_dataclass import FrozenDataclass
from othello.schema import Option, Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Square = NewType("Square", int)  # row by row, from 0 at the upper left
Move = NewType("Move", int)  # from 0 to `Rules.move_count` - 1; `Rules.squares_of` tells its squares

SquareMap: TypeAlias = tuple[Square, ...]  # the square to which each square moves

NO_MOVE: Final = 255  # no move, in indexes of positions


class GameSpec(FrozenDataclass):
    """A game and its options. Equal specs are the same game in all processes."""

    game: str  # name of the game
    options: tuple[tuple[str, Value], ...]  # name and value of each option, in the order of the game

    def __getitem__(self, option: str) -> Value:
        return dict(self.options)[option]

    def number(self, option: str) -> int:
        """Return the value of an integer option."""
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
        """The name in config files and results: "black" or "white"."""
        return self.name.lower()


class Outcome(FrozenDataclass):
    """The result of a finished game."""

    winner: Color | None  # None: a draw
    black: int  # points of black, such as discs
    white: int
    unclaimed: int = 0  # empty squares that are not counted

    @property
    def difference(self) -> int:
        """Black's points minus white's."""
        return self.black - self.white

    @property
    def engines_differ(self) -> bool:
        """True if other programs count another difference."""
        return bool(self.unclaimed and self.difference)

    @property
    def counted(self) -> tuple[int, int]:
        """(black, white) as other programs count: empty squares go to the winner, or are shared in a draw."""
        black_share = (self.difference > 0) + (self.difference >= 0)  # in half points
        return (
            self.black + self.unclaimed * black_share // 2,
            self.white + self.unclaimed * (2 - black_share) // 2,
        )


class Position(Hashable, Protocol):
    """The common attributes of the positions of all games."""

    @property
    def to_move(self) -> Color: ...


P = TypeVar("P", bound=Position)


class Keyed(NamedTuple, Generic[P]):
    """The positions of several games, as keys for an index. A game has one position more than moves."""

    keys: NDArray[np.int64]  # of each position, game by game
    moves: NDArray[np.uint8]  # the next move, numbered as in `Rules.key_of`; NO_MOVE at the end of a game
    ends: list[P]  # last position of each game


class Rules(Protocol[P]):
    """A game for two players, in plain Python.

    Positions are immutable and hashable. A forced pass is a move, listed by `legal_moves` as the only one. Games
    inherit default implementations from this class.
    """

    name: ClassVar[str]
    options: ClassVar[tuple[Option, ...]] = ()
    # What `score` counts, such as "discs"; empty for games without points.
    points: ClassVar[str] = ""

    def __init__(self, spec: GameSpec) -> None:
        """Create rules for a spec from `registry.game_spec`."""

    @classmethod
    def complete(cls, options: Mapping[str, Value]) -> Mapping[str, Value]:
        """Fill in defaults that depend on other options.

        Raises:
            ConfigError: the options are incompatible.
        """
        return options

    # The game and its options.
    spec: GameSpec

    @property
    def columns(self) -> int: ...

    @property
    def rows(self) -> int: ...

    @property
    def max_moves(self) -> int:
        """Upper bound of the legal moves of a position, at most 254."""

    @property
    def move_count(self) -> int:
        """The number of different moves, at most 65,535. By default one for each square, and a pass."""
        return self.columns * self.rows + 1

    @cached_property
    def move_bytes(self) -> int:
        """The size of a move in files and arrays: 1 or 2 bytes."""
        return 1 if self.move_count <= NO_MOVE else 2

    @property
    def max_plies(self) -> int:
        """Upper bound of the plies of a game, including passes."""

    @property
    def state_words(self) -> int:
        """Words of a packed state."""

    @property
    def random_opening_plies(self) -> int:
        """Random plies before the players begin."""
        return 0

    @property
    def opening_plies(self) -> int:
        """First plies on which a search may spend less time because little is decided there."""
        return 0

    # What a board text may say after the side to move, for instance the target board.
    extra_state_options: ClassVar[tuple[str, ...]] = ()

    # True if one move can decide an even game: searches should then prove wins and losses.
    one_move_can_decide: ClassVar[bool] = False

    # True if the number of corners is a useful statistic.
    corners_matter: ClassVar[bool] = False

    @property
    def evaluation_is_fair(self) -> bool:
        """True if `compiled.evaluate` is about 0 in even positions."""

    def start(self) -> P:
        """Return the position before the first move."""

    def legal_moves(self, position: P) -> tuple[Move, ...]:
        """Return all legal moves in ascending order; empty if the game is over."""

    def play(self, position: P, move: Move) -> P:
        """Return the position after a legal move."""

    def outcome(self, position: P) -> Outcome | None:
        """Return the result of a finished game, otherwise None."""

    def score(self, position: P) -> tuple[int, int]:
        """Return the points (black, white), in a finished game those of the result."""

    def can_end(self, black: int, white: int, winner: Color | None) -> bool:
        """Return whether a game can end with these points and this winner."""

    def moves_made(self, position: P) -> int:
        """Return the number of moves that lead to a position, without passes."""

    def moves_left(self, position: P) -> int:
        """Return the maximum number of moves that can follow, without passes."""

    def owners(self, position: P) -> tuple[Color | None, ...]:
        """Return the owner of each square, row by row."""

    def squares_of(self, move: Move) -> tuple[Square, ...]:
        """Return the squares that a move shows: none for a pass, that of a placed piece, or those it leaves and enters.

        In the default, a move has the number of its square.
        """
        return () if self.is_pass(move) else (Square(move),)

    @property
    def symmetries(self) -> tuple[SquareMap, ...]:
        """The maps of the board that map games to games of equal value, the identity first; see `rules.symmetry`.

        In the default, there is only the identity. A game with others implements `image_of`, and also `image_of_move`
        unless its moves have the numbers of their squares.
        """
        return (tuple(map(Square, range(self.columns * self.rows))),)

    def image_of(self, position: P, symmetry: SquareMap) -> P:
        """Return the image of a position under one of the symmetries."""
        return position

    def image_of_move(self, move: Move, symmetry: SquareMap) -> Move:
        """Return the image of a move under one of the symmetries."""
        return move if self.is_pass(move) or len(self.symmetries) == 1 else Move(symmetry[move])

    def captured(self, position: P, move: Move) -> tuple[Square, ...]:
        """Return the squares that a move takes from the other side, in ascending order."""
        return ()

    def evaluation_terms(self, position: P) -> Mapping[Square, int]:
        """Return the terms that add up to `compiled.evaluate`, by square; empty if they do not belong to squares."""
        return {}

    @property
    def lines(self) -> tuple[tuple[Square, ...], ...]:
        """Rows of squares that win if one side has them all; empty for other games."""
        return ()

    def won_lines(self, position: P) -> tuple[tuple[Square, ...], ...]:
        """Return the rows that have won the game. The window draws a line from the first square to the last."""
        owners = self.owners(position)
        return tuple(
            line for line in self.lines if owners[line[0]] is not None and len({owners[square] for square in line}) == 1
        )

    def pointed_square(self, position: P, square: Square) -> Square:
        """Return the square that a click on a square means, such as the one on which a disc lands."""
        return square

    @property
    def column_names(self) -> tuple[str, ...]:
        """Labels above the columns."""
        return tuple(ascii_lowercase[: self.columns])

    @property
    def row_names(self) -> tuple[str, ...]:
        """Labels beside the rows."""
        return tuple(str(row + 1) for row in range(self.rows))

    @property
    def block_size(self) -> int:
        """Side length of the small boards in squares; 0 if the board is not divided."""
        return 0

    @property
    def grid(self) -> dict[str, Any]:
        """The squares of the board and their labels as JSON, for pages that draw the board."""
        return {
            "columns": self.columns,
            "rows": self.rows,
            "columnNames": list(self.column_names),
            "rowNames": list(self.row_names),
            "blockSize": self.block_size,
        }

    def block_owners(self, position: P) -> tuple[Color | None, ...]:
        """Return the winner of each small board, row by row."""
        return ()

    def is_pass(self, move: Move) -> bool:
        """Return whether a move passes the turn and changes nothing else."""
        return False

    def move_text(self, position: P, move: Move) -> str:
        """Return the usual notation of a move, such as "d3"."""

    # Regular expression of a move in a transcript in lower case.
    move_pattern: ClassVar[str]
    # Text between two moves of a transcript.
    move_separator: ClassVar[str] = " "

    def parse_move(self, position: P, text: str) -> Move:
        """Return the move with this notation, which may be illegal.

        Raises:
            TranscriptError: the text is not a move.
        """

    def parse_position(self, text: str) -> P:
        """Return the position that a text describes.

        Raises:
            BoardTextError: the text does not describe a position.
        """

    def format_position(self, position: P) -> str:
        """Return a position as text for `parse_position`."""

    def perft(self, position: P, depth: int) -> int:
        """Return the number of leaves `depth` >= 0 plies below a position. A pass is a ply, a finished game a leaf."""
        from othello.rules.compiled import perft  # here: importing the compiler takes long

        return perft(self.kernel_state(position), depth, self.new_moves(depth + 1, self.max_moves))

    def new_moves(self, *shape: int) -> NDArray[Any]:
        """Return an uninitialised array for moves, uint8 or uint16."""
        import numpy as np

        return np.empty(shape, f"u{self.move_bytes}")

    def pack(self, moves: Sequence[Move]) -> bytes:
        """Return moves as bytes, `move_bytes` for each, the lowest first."""
        return bytes(moves) if self.move_bytes == 1 else b"".join(move.to_bytes(2, "little") for move in moves)

    def unpack(self, data: bytes) -> Sequence[Move]:
        """Return the moves that `pack` has packed."""
        # bytes are the smallest sequence of numbers
        moves = data if self.move_bytes == 1 else tuple(number for (number,) in iter_unpack("<H", data))
        return cast(Sequence[Move], moves)

    def replayed(self, start: P, moves: Sequence[Move]) -> Sequence[Move] | None:
        """Return the moves with all forced passes, also at the end; None if a move is illegal."""
        played, position = list[Move](), start
        for move in (*moves, None):
            legal = self.legal_moves(position)
            while (move is None or not self.is_pass(move)) and len(legal) == 1 and self.is_pass(legal[0]):
                played += legal
                position = self.play(position, legal[0])
                legal = self.legal_moves(position)
            if move is None:
                break
            if move not in legal:
                return None
            played.append(move)
            position = self.play(position, move)
        return tuple(played)

    def all_replayed(self, games: Sequence[tuple[P, Sequence[Move]]]) -> list[Sequence[Move] | None]:
        """Return the results of `replayed` for many games, each given by its start position and moves."""
        return [self.replayed(start, moves) for start, moves in games]

    def all_ended(self, games: Sequence[tuple[P, Sequence[Move]]]) -> list[P]:
        """Return the last position of each game, given its start position and its legal moves, passes included."""
        return [reduce(self.play, moves, start) for start, moves in games]

    def key_of(self, position: P) -> tuple[int, Mapping[int, Move]]:
        """Return a 64-bit key of a position, equal for its symmetric images.

        Returns:
            The key, and the moves of this position by number, 0 to 254. Equivalent moves have one number.
        """
        key, images = self._key_and_images(position)
        number_of = self._numbering(position, images)
        return key, {number_of(move): move for move in reversed(self.legal_moves(position))}

    def image_texts(self, position: P) -> list[str]:
        """Return the images of a position under all symmetries, as texts for `parse_position`."""
        return [self.format_position(self.image_of(position, symmetry)) for symmetry in self.symmetries]

    def _key_and_images(self, position: P) -> tuple[int, list[SquareMap]]:
        """Return the key of a position, and the symmetries that map the position to the keyed image."""
        texts = self.image_texts(position)
        least = min(texts)
        unusual = [
            f"{rule.name}={self.spec[rule.name]}" for rule in self.options if self.spec[rule.name] != rule.default
        ]
        text = " ".join((self.name, *unusual, least))
        digest = blake2b(text.encode(), digest_size=8, person=b"images").digest()
        images = [image for image, text in zip(self.symmetries, texts, strict=True) if text == least]
        return int.from_bytes(digest, "big", signed=True), images

    def _numbering(self, position: P, images: Sequence[SquareMap]) -> Callable[[Move], int]:
        """Return a function for the number of a move: that of its image, or its place if there are too many moves."""
        numbers: Sequence[int] = range(NO_MOVE)
        if self.move_bytes > 1:
            numbers = self.legal_moves(self.image_of(position, images[0]))
        return lambda move: min(numbers.index(self.image_of_move(move, image)) for image in images)

    def keyed(self, games: Sequence[tuple[P, Sequence[Move]]]) -> Keyed[P]:
        """Return the keys of all positions of games, from their start positions and legal moves."""
        import numpy as np

        keys, played, ends = list[int](), list[int](), []
        for position, moves in games:
            for move in moves:
                key, images = self._key_and_images(position)
                keys.append(key)
                played.append(self._numbering(position, images)(move))
                position = self.play(position, move)
            keys.append(self._key_and_images(position)[0])
            played.append(NO_MOVE)
            ends.append(position)
        return Keyed(np.array(keys, np.int64), np.array(played, np.uint8), ends)

    def kernel_state(self, position: P) -> NamedTuple:
        """Return the position as a state of `othello.rules.compiled`. Loads the compiler on first use."""
