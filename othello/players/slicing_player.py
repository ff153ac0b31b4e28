"""The base of players that search in slices of simulations or episodes, and their choice of the final move.

Searches are imported only when they are needed, because the compiler is slow to import.
"""

from __future__ import annotations

import logging
import math
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from othello.config import PlayerConfig
from othello.errors import TreeFileError
from othello.game import AnyGame
from othello.players.player import Player, SearchConfig, break_tie, move_seed
from othello.rules.protocol import GameSpec, Move, Position, Rules
from othello.search.report import MoveStats, SearchReport, Unit
from othello.search.stop import Deadline, StopFlag

if TYPE_CHECKING:
    from numpy.random import SeedSequence

    from othello.search.learner import Learner
    from othello.search.mcts_search import MctsSearch
    from othello.search.simulator import Simulator
    from othello.search.stepping import SteppedLearner, SteppedSearch
    from othello.search.tree_snapshot import Arrays

FINAL_MOVES: Final = {
    "robust": "most visits",
    "max": "highest mean",
    "max_robust": "both; if they differ, the search is extended",
    "secure": "highest lower confidence bound",
}
_CAUTION: Final = 1.0  # `secure` subtracts this, divided by the root of the visits, from the mean


_log = logging.getLogger(__name__)


def check_file(config: PlayerConfig, spec: GameSpec, path: Path) -> None:
    """Check that a file belongs to such a player, without reading the learned values.

    Raises:
        TreeFileError: the file belongs to another player or game.
    """
    from othello.search import tree_file

    tree_file.check(path, _kind_of(config, spec))


def _kind_of(config: PlayerConfig, spec: GameSpec) -> str:
    """Return the kind of a player's file. Files are not shared between rules, because results differ."""
    return ", ".join([config.player_type, spec.game, *(f"{name} {value}" for name, value in spec.options)])


class SlicingPlayer(Player):
    """Searches in slices, and keeps its search tree from move to move or in a file, as its options say.

    The tree begins at the start of the game and contains every searched line. An undo removes nothing from it.
    """

    unit = Unit.REWARD
    config: SearchConfig

    def __init__(self, config: SearchConfig, rules: Rules[Position]) -> None:
        super().__init__(config, rules)
        self._file = next(iter(config.memory_files.values()), None)
        self._kind = _kind_of(config, rules.spec)
        self.reuses_tree = self.remembers  # True if a search continues with the tree of the move before
        self._final_move = "max"
        self._simulator = self._new_simulator()
        self._load()

    @abstractmethod
    def _new_simulator(self) -> Simulator | Learner:
        """Create the search; it must have `snapshot` if there is a file."""

    @abstractmethod
    def _new_stepped(self) -> SteppedSearch | SteppedLearner:
        """Create a search that can record its steps."""

    def step_through(self) -> SteppedSearch | SteppedLearner:
        """Replace the search by one that can record its steps, and return the new search."""
        self._simulator = stepped = self._new_stepped()
        self._load()
        return stepped

    @abstractmethod
    def _count(self, game: AnyGame) -> int:
        """Return the number of simulations or episodes for a move."""

    @abstractmethod
    def _search(self, count: int, stop: StopFlag, limit: float | None) -> Iterator[int]:
        """Search in one or more slices, and yield the number of finished simulations or episodes after each.

        `limit`: seconds until `stop` will be set; None: unknown.
        """

    def new_game(self, seed: int) -> None:
        super().new_game(seed)
        if self._file is None:
            self._simulator.clear()

    def think(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
        begun = stop.clock()
        search_seed, tie_seed = move_seed(self.seed, game).spawn(2)
        count, done = self._count(game), 0
        limit = self.config.limit(seconds)
        with Deadline(limit, stop):
            self._recall(game, search_seed)
            for done in self._search(count, stop, limit):
                if done < count and not stop.is_set:
                    yield self._report(done, tie_seed, stop.clock() - begun)
        if not stop.is_cancelled:
            yield self._report(done, tie_seed, stop.clock() - begun, final=True)

    def _recall(self, game: AnyGame, seed: SeedSequence) -> None:
        """Move the search to the game's position, and keep the tree if the options say so."""
        if self._file is not None and game.positions[0] != game.rules.start():
            raise TreeFileError("tree_file_start", path=self._file)
        path = []
        if self.reuses_tree:
            states = map(game.rules.kernel_state, game.positions[:-1])
            path = list(zip(states, game.moves, strict=True))
        else:
            self._simulator.clear()
        self._is_complete &= self._simulator.set_root(path, game.rules.kernel_state(game.position), seed)

    def _report(self, done: int, tie_seed: SeedSequence, seconds: float, *, final: bool = False) -> SearchReport:
        moves = self._simulator.root_moves()
        move = self._pick(moves, tie_seed)
        counts = {"simulations": done, "nodes": self._simulator.nodes, "depth": self._simulator.depth}
        line = self._simulator.principal_variation(move)
        return self.report(move, moves, line, self.unit, **counts, seconds=seconds, final=final)

    def _pick(self, moves: Sequence[MoveStats], seed: SeedSequence) -> Move:
        """Return the best move according to the search so far."""
        return pick_move(moves, self._final_move, seed, self.config.tie_break)

    def _load(self) -> None:
        """Load the file, if there is one.

        Raises:
            TreeFileError: the file is not of such a search.
        """
        self._is_complete = True  # the tree contains the whole content of the file
        if self._file is None:
            return
        from othello.search import tree_file

        tree_file.check_place(self._file)
        snapshot = tree_file.load(self._file, self._kind)
        try:
            if snapshot is not None:
                cast("MctsSearch | Learner", self._simulator).load_snapshot(snapshot)
        except ValueError as error:
            raise TreeFileError("damaged", path=self._file, fault=error) from error

    def game_over(self, game: AnyGame) -> None:
        """Write the tree to the file, if there is one.

        A search that ran out of memory has dropped a part of the file's contents: the file is kept and read again.
        """
        if self._file is None:
            return
        if self._is_complete:
            from othello.search import tree_file

            tree_file.save(self._file, self._kind, self._knowledge_after(game))
        else:
            _log.warning("%s: nothing is written after this game: the search outgrew its memory", self._file)
            self._simulator.clear()
            self._load()

    def _knowledge_after(self, game: AnyGame) -> Arrays:
        """Return the contents of the file after a game."""
        return cast("MctsSearch | Learner", self._simulator).snapshot()

    def release(self) -> None:
        self._simulator.close()
        del self._simulator


def agree(moves: Sequence[MoveStats]) -> bool:
    """Return whether one move has both the most visits and the highest mean."""
    moves = _most_certain(moves)
    most = max(stats.visits for stats in moves)
    highest = max(stats.value or 0.0 for stats in moves)
    return any(stats.visits == most and (stats.value or 0.0) == highest for stats in moves)


def is_settled(moves: Sequence[MoveStats]) -> bool:
    """Return whether the result is known: one move is proven to win, or all moves are proven."""
    return all(stats.is_proven for stats in moves) or any(stats.certainty > 0 for stats in moves)


def _most_certain(moves: Sequence[MoveStats]) -> Sequence[MoveStats]:
    """Return the moves that are proven to win, else those not proven to lose, else all."""
    best = max(stats.certainty for stats in moves)
    return [stats for stats in moves if stats.certainty == best]


def pick_move(moves: Sequence[MoveStats], final_move: str, seed: SeedSequence, ties: str = "random") -> Move:
    """Return the move to play after a search: a proven win first, a proven loss last.

    Args:
        moves: every root move.
        final_move: one of FINAL_MOVES; `max_robust` takes the most visits if the two differ.
        seed: for a draw among equals.
        ties: one of FINAL_TIES.

    Source: Chaslot et al., "Progressive Strategies for Monte-Carlo Tree Search", 2008, section 2.4.
    """

    def merit(stats: MoveStats) -> tuple[float, ...]:
        visits, value = stats.visits, stats.value
        if value is None:
            return (-math.inf,)
        secure = value - _CAUTION / math.sqrt(visits)
        return {"max": (value,), "secure": (secure,), "max_robust": (visits, value)}.get(final_move, (visits,))

    best_moves = _most_certain(moves)
    best = max(merit(stats) for stats in best_moves)
    return break_tie([stats.move for stats in best_moves if merit(stats) == best], ties, seed)
