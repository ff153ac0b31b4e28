"""What a search tells of itself, while it runs and when it is done."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple, TypeAlias

from othello.game import AnyGame
from othello.rules.protocol import Move, Outcome

Line: TypeAlias = tuple[Move, ...]
"""Moves one after the other, from the position that is searched."""


class Unit(Enum):
    """What the values of a report measure, always for the side to move at the root."""

    REWARD = "reward"  # expected reward: 0 lost, 0.5 drawn, 1 won
    SCORE = "score"  # positional score; a finished game counts +-(10000 + disc difference), a draw 0
    DISCS = "discs"  # final disc difference with best play, empty squares to the winner: exact
    EXPECTED = "expected"  # the same, as far as the search can tell
    NONE = "none"  # the player does not judge


class BoundTerms(NamedTuple):
    """What a search by simulations chooses a move by, 0..1 each and more."""

    mean: float  # reward of the simulations that went there
    bonus: float  # the exploration term
    variance: float | None = None  # in the exploration term of UCB1-tuned, before it is limited

    @property
    def bound(self) -> float:
        return self.mean + self.bonus


@dataclass(frozen=True, slots=True)
class MoveStats:
    """What a search learned about one root move."""

    move: Move
    visits: int  # playouts of simulations that began with it; nodes below it for alpha-beta
    value: float | None  # in the report's unit; None where nothing is known yet
    exact: bool = True  # False: alpha-beta only proved that the move is no better than `value`
    is_proven: bool = False  # by simulations: the value is certain, and no mean
    terms: BoundTerms | None = field(default=None, compare=False)  # None where no simulation chose by such terms

    @property
    def certainty(self) -> int:
        """1 where the move is proven to win, -1 where it is proven to lose, else 0."""
        return 0 if not self.is_proven or self.value == 0.5 else 1 if self.value else -1


@dataclass(frozen=True, slots=True)
class SearchReport:
    """A snapshot of a search; the last one of a search is `final` and its `move` is the answer."""

    player: str  # the player type that searched
    move: Move  # the best so far
    value: float | None  # of `move`, in `unit`
    moves: tuple[MoveStats, ...]  # every legal root move, in ascending order
    unit: Unit
    simulations: int = 0  # finished ones, 0 for searches that do not simulate
    nodes: int = 0  # positions visited (alpha-beta) or stored (MCTS)
    depth: int = 0  # the deepest line looked at, in plies
    pv: Line = ()  # principal variation from the root, `move` first
    seconds: float = 0.0  # since the search began
    final: bool = False
    is_full: bool = False  # whether the store has used up its room and grows no further
    # The findings about the moves after the lines from the root that are looked at.
    below: Mapping[Line, tuple[MoveStats, ...]] = field(default_factory=dict, compare=False)
    chance: float | None = None  # points to expect of the game, 0 to 1, where `value` counts discs; None: nobody knows
    from_book: bool = False  # whether a book tells all this, and nothing was searched

    @property
    def is_certain(self) -> bool:
        """Whether `value` is the game's own with best play, and no estimate."""
        chosen = (stats.is_proven for stats in self.moves if stats.move == self.move)
        return self.unit is Unit.DISCS or any(chosen)

    def expected_end(self, game: AnyGame, move: Move) -> Outcome | None:
        """How a game of discs ends on the line that is expected after a move; None where it is not known to the end."""
        counts_discs = self.unit in (Unit.DISCS, Unit.EXPECTED)
        return game.after(self.pv).outcome if counts_discs and move == self.move else None

    @property
    def simulations_per_second(self) -> float:
        return self.simulations / self.seconds if self.seconds > 0 else 0.0

    @property
    def best_value(self) -> MoveStats | None:
        """The root move with the highest value, the search's own move among equals; None without any value."""
        return max(
            (stats for stats in self.moves if stats.value is not None and stats.exact),
            key=lambda stats: (stats.value or 0.0, stats.move == self.move),
            default=None,
        )

    @property
    def most_visited(self) -> MoveStats | None:
        """The root move with the most visits, the search's own move among equals; None without any visit."""
        most = max(self.moves, key=lambda stats: (stats.visits, stats.move == self.move), default=None)
        return most if most is not None and most.visits else None
