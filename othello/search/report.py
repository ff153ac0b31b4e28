"""Reports of a search, while it runs and when it is done."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple, TypeAlias

from othello.game import AnyGame
from othello.rules.protocol import Move, Outcome

# Consecutive moves from the root position.
Line: TypeAlias = tuple[Move, ...]


class Unit(Enum):
    """The unit of the values in a report, always for the side to move at the root."""

    REWARD = "reward"  # expected reward: 0 loss, 0.5 draw, 1 win
    SCORE = "score"  # positional score; finished games: +-(10000 + disc difference), 0 for a draw
    DISCS = "discs"  # exact final disc difference with best play, empty squares to the winner
    EXPECTED = "expected"  # estimated final disc difference
    NONE = "none"  # the player reports no values


def value_text(value: float | None, unit: Unit, number: Callable[[float, str], str] = format) -> str:
    """Return a value as text: a reward in per cent, written by `number`, and any other value with its sign."""
    if value is None:
        return "-"
    return f"{number(100 * value, '.1f')} %" if unit is Unit.REWARD else f"{value:+.0f}"


class BoundTerms(NamedTuple):
    """The terms of the upper bound by which simulations select a move. Rewards are 0 to 1."""

    mean: float  # mean reward of the simulations with this move
    bonus: float  # the exploration term
    variance: float | None = None  # of UCB1-tuned, before it is limited to 0.25

    @property
    def bound(self) -> float:
        return self.mean + self.bonus


@dataclass(frozen=True, slots=True)
class MoveStats:
    """The result of a search for one root move."""

    move: Move
    visits: int  # playouts that began with the move; for alpha-beta: nodes below it
    value: float | None  # in the report's unit; None: unknown
    exact: bool = True  # False: `value` is an upper bound, found by alpha-beta
    is_proven: bool = False  # simulations proved the value
    terms: BoundTerms | None = field(default=None, compare=False)  # None: not selected by such terms

    @property
    def certainty(self) -> int:
        """1 for a proven win, -1 for a proven loss, otherwise 0."""
        return 0 if not self.is_proven or self.value == 0.5 else 1 if self.value else -1


@dataclass(frozen=True, slots=True)
class SearchReport:
    """A snapshot of a search. The last report of a search is `final`, and its `move` is the answer."""

    player: str  # the player type that searched
    move: Move  # the best so far
    value: float | None  # of `move`, in `unit`
    moves: tuple[MoveStats, ...]  # every legal root move, in ascending order
    unit: Unit
    simulations: int = 0  # finished simulations; 0 for other searches
    nodes: int = 0  # positions visited (alpha-beta) or stored (MCTS)
    depth: int = 0  # maximum depth in plies
    pv: Line = ()  # principal variation, from `move` on
    seconds: float = 0.0  # since the start of the search
    final: bool = False
    is_full: bool = False  # the store is full and does not grow
    # Results for the moves after other lines, which the user has expanded.
    below: Mapping[Line, tuple[MoveStats, ...]] = field(default_factory=dict, compare=False)
    chance: float | None = None  # expected points of the game, 0 to 1, if `value` is in discs; None: unknown
    from_book: bool = False  # the report comes from the opening book, without a search

    @property
    def is_certain(self) -> bool:
        """True if `value` is the game-theoretic value, not an estimate."""
        chosen = (stats.is_proven for stats in self.moves if stats.move == self.move)
        return self.unit is Unit.DISCS or any(chosen)

    def expected_end(self, game: AnyGame, move: Move) -> Outcome | None:
        """Return how a game of discs ends after `move` and the principal variation, or None if that is unknown."""
        counts_discs = self.unit in (Unit.DISCS, Unit.EXPECTED)
        return game.after(self.pv).outcome if counts_discs and move == self.move else None

    @property
    def simulations_per_second(self) -> float:
        return self.simulations / self.seconds if self.seconds > 0 else 0.0

    @property
    def best_value(self) -> MoveStats | None:
        """The root move with the highest value, or None if there are no values. Ties: the search's own move."""
        return max(
            (stats for stats in self.moves if stats.value is not None and stats.exact),
            key=lambda stats: (stats.value or 0.0, stats.move == self.move),
            default=None,
        )

    @property
    def most_visited(self) -> MoveStats | None:
        """The root move with the most visits, or None if there are no visits. Ties: the search's own move."""
        most = max(self.moves, key=lambda stats: (stats.visits, stats.move == self.move), default=None)
        return most if most is not None and most.visits else None
