"""The steps of a search, for those who want to follow it.

Values and means are for the side to move at the position of the step, unless stated otherwise. Rewards are 1, 0.5, 0.
"""

from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple, TypeAlias

from othello.rules.protocol import Move, Square
from othello.search.report import Line

# Monte Carlo tree search.


class Edge(NamedTuple):
    """The statistics of a move in a position of the tree. `visits` is 0 for an untried move."""

    visits: int  # simulations that chose the move here
    node_visits: int  # of the position after it, over all paths
    wins: int  # of the side that makes the move, over all paths
    draws: int
    proof: int  # `UNPROVEN`, `LOST`, `DRAWN` or `WON` of othello.search.proofs, for this side
    mean: float  # as the selection reads it, in single precision; NaN without visits
    bonus: float  # the exploration term
    variance: float  # the variance term of UCB1-tuned; NaN in other searches

    @property
    def bound(self) -> float:
        """The number by which moves are selected, in single precision."""
        import numpy as np

        return float(np.float32(self.mean) + np.float32(self.bonus))


class MoveSelection(NamedTuple):
    """A choice among the moves of a position that have all been tried, or of a root whose moves take turns."""

    simulation: int  # from 1
    path: Line  # from the root
    visits: int  # of the position, before this simulation
    children: Mapping[Move, Edge]  # before this simulation; of equal bounds, the first is chosen
    chosen: Move
    in_turn: bool = False  # the move was chosen because it has the most simulations left, not by its bound


class Expansion(NamedTuple):
    """The random choice of an untried move, whose position is added to the tree."""

    simulation: int
    path: Line
    move: Move
    children: Mapping[Move, Edge]  # before this simulation


class Playout(NamedTuple):
    """The evaluation of a leaf."""

    simulation: int
    path: Line  # to the leaf
    moves: Line  # the random moves; empty for an evaluation without moves
    result: float  # for the side to move at the root: 1, 0.5 or 0


class NodeValue(NamedTuple):
    """The results of a position on the path of a simulation."""

    path: Line
    visits: int
    mean: float  # for the side that moved into the position; NaN without visits


class Backup(NamedTuple):
    """The positions on the path of a simulation, from the root on, before and after its visit and its result."""

    simulation: int
    before: tuple[NodeValue, ...]
    nodes: tuple[NodeValue, ...]


# Alpha-beta.


class ExitReason(Enum):
    """Why alpha-beta leaves a position. The values are those of `othello.search.trace_buffers`."""

    SEARCHED = 0  # all moves were searched
    CUT_OFF = 1  # a move is so good that the other side avoids the position
    FROM_TABLE = 2  # the transposition table has the result
    EVALUATED = 3  # the position is at the depth limit
    GAME_OVER = 4


class NodeExit(NamedTuple):
    """A position that alpha-beta leaves."""

    iteration: int  # plies from the root to the depth limit
    path: Line
    alpha: int | None  # None: minus infinity
    beta: int | None  # None: infinity
    value: int
    reason: ExitReason
    terms: Mapping[Square, int]  # by square, of an evaluated position; empty if the game has no such terms

    @property
    def depth(self) -> int:
        """Plies to the depth limit."""
        return self.iteration - len(self.path)


# Q-learning and Sarsa.


class Choice(NamedTuple):
    """The choice of a move in an episode."""

    episode: int  # from 1
    path: Line
    random: float  # the number from 0 to 1 that decided between a random move and the best one
    explores: bool  # the move is random
    move: Move


class Update(NamedTuple):
    """The change of the value of a move: new = old + rate * (target - old). Values are from -1 to 1."""

    episode: int
    path: Line  # to the position of the move
    move: Move
    old: float
    target: float
    rate: float
    new: float


Step: TypeAlias = MoveSelection | Expansion | Playout | Backup | NodeExit | Choice | Update


def line_of(step: Step) -> Line:
    """Return the line to the position that a step leads to."""
    match step:
        case MoveSelection():
            return (*step.path, step.chosen)
        case Expansion() | Choice() | Update():
            return (*step.path, step.move)
        case Backup():
            return step.nodes[-1].path
    return step.path
