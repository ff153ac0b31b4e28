"""The three players that search by simulations."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from othello.config import PlayerConfig
from othello.game import AnyGame
from othello.players.player import move_seed
from othello.players.tree_memory import TreeMemory
from othello.rules.protocol import Move, Rules
from othello.search.limits import Deadline, earliest
from othello.search.mcts import LANES
from othello.search.parallel import ParallelSearch
from othello.search.report import MoveStats, SearchReport, Unit
from othello.search.simulator import GraphSearch, Simulator, TreeSearch
from othello.search.stop import StopFlag
from othello.search.tree import UCB1_TUNED, UCT

SLICE: Final = 2048 * LANES  # simulations between two snapshots: some 25 ms, so that the window gets its turns
_MAX_NODES: Final = 40_000_000  # 27 bytes each
_MAX_GRAPH_NODES: Final = 12_000_000
_SIMULATIONS_A_SECOND: Final = 4_000_000  # more than a core can do; memory that is never used is slow to get, too
_MOVES_A_GAME: Final = 32  # that one player makes, at most
_EXTRA_SLICES: Final = 5  # `max_robust` searches on for at most this many tenths of the count
_CAUTION: Final = 1.0  # `secure` judges a move by its mean minus this over the root of its visits


def batch_size(simulations: int) -> int:
    """How many simulations to gather before they are played out: 1 to `LANES`, a power of two.

    A gathered simulation cannot learn from the others of its batch, so a batch is at most a small part of the whole.
    """
    return min(LANES, 1 << max(0, (simulations // 32).bit_length() - 1))


def simulations_after(config: PlayerConfig, moves: int) -> int:
    """How many simulations a move gets after so many moves of the game, at least 1."""
    if config.player_type == "mcts_grouping" and moves < config.grouping_opening_plies:
        return max(1, round(config.simulation_count * config.grouping_opening_share))
    return config.simulation_count


def expected_simulations(config: PlayerConfig) -> int:
    """No fewer simulations than a move can get, in the time that it has."""
    clock = None if config.clock_seconds is None else config.clock_seconds + config.increment_seconds
    seconds = earliest(config.time_limit_seconds, clock)
    if seconds is None:
        return config.simulation_count
    return min(config.simulation_count, 1000 + int(_SIMULATIONS_A_SECOND * seconds))


def create_simulator(config: PlayerConfig, max_moves: int) -> Simulator:
    """The search of an `mcts_*` player, with room for the simulations of one move, or of a game where it keeps them."""
    if config.search_threads > 1:
        share = -(-config.simulation_count // config.search_threads)
        part = replace(config, simulation_count=share, search_threads=1)
        return ParallelSearch([create_simulator(part, max_moves) for _ in range(config.search_threads)])
    count = expected_simulations(config) * (_MOVES_A_GAME if config.mcts_reuse_tree or config.mcts_tree_file else 1)
    moves = max_moves * (count + 1)  # no simulation adds more than one position's moves
    if config.player_type == "mcts_grouping":
        nodes = min(count + count // 2 + 64, _MAX_GRAPH_NODES)  # `max_robust` may search on for half as long
        return GraphSearch(config.mcts_exploration, nodes, min(moves, 65_536 + 4 * nodes))
    rule = UCB1_TUNED if config.player_type == "mcts_ucb1" else UCT
    return TreeSearch(rule, config.mcts_exploration, min(moves, 65_536 + 8 * count, _MAX_NODES))


class MctsPlayer:
    """Searches by simulations and plays the move that `mcts_final_move` picks."""

    def __init__(self, config: PlayerConfig, rules: Rules[Any], seed: int, batch: int | None = None) -> None:
        """Make a player for one game.

        Args:
            config: what and how much to search.
            rules: of the game.
            seed: decides all that is random.
            batch: 1..LANES, instead of `batch_size`.

        Raises:
            TreeFileError: `mcts_tree_file` is there, but is not the file of such a search.
        """
        self.name = config.name or config.player_type
        self._config = config
        self._seed = seed
        self._batch = batch
        self._rules = rules
        self._simulator = create_simulator(config, rules.max_moves)
        self._memory = TreeMemory(config, rules, self._simulator)

    def think(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
        begun = time.perf_counter()
        search_seed, tie_seed = move_seed(self._seed, game).spawn(2)
        simulations = simulations_after(self._config, game.rules.moves_made(game.position))
        done = 0
        with Deadline(earliest(self._config.time_limit_seconds, seconds), stop):
            self._memory.recall(game, search_seed)
            for done in self._search(simulations, stop):
                if done < simulations and not stop.is_set:
                    yield self._report(done, tie_seed, begun)
        if not stop.is_cancelled:
            yield self._report(done, tie_seed, begun, final=True)

    def _search(self, simulations: int, stop: StopFlag) -> Iterator[int]:
        """Run them in slices, one batch at least, and tell after each how many are done."""
        batch = self._batch or batch_size(simulations)
        slice_ = SLICE * self._config.search_threads
        done = 0
        while done < simulations and not (done and stop.is_set):
            done += self._simulator.simulate(min(slice_, simulations - done), batch, stop)
            yield done
        if self._config.mcts_final_move == "max_robust":
            for _ in range(_EXTRA_SLICES):
                if stop.is_set or _agree(self._simulator.root_moves()):
                    break
                done += self._simulator.simulate(max(1, simulations // 10), batch, stop)
                yield done

    def _report(
        self, done: int, tie_seed: np.random.SeedSequence, begun: float, *, final: bool = False
    ) -> SearchReport:
        simulator = self._simulator
        moves = simulator.root_moves()
        move = pick_move(moves, self._config.mcts_final_move, np.random.default_rng(tie_seed))
        return SearchReport(
            player=self._config.player_type,
            move=move,
            value=next(stats.value for stats in moves if stats.move == move),
            moves=tuple(moves),
            unit=Unit.REWARD,
            simulations=done,
            nodes=simulator.nodes,
            depth=simulator.depth,
            pv=simulator.principal_variation(move),
            seconds=time.perf_counter() - begun,
            note="the tree is full and grows no further" if simulator.is_full else "",
            final=final,
        )

    def warm_up(self) -> None:
        """Compile by searching a little, on the side."""
        rules = self._rules
        config = replace(self._config, simulation_count=2 * LANES, mcts_tree_file=None)
        simulator = create_simulator(config, rules.max_moves)
        simulator.go_to([], rules.kernel_state(rules.start()), np.random.SeedSequence(0))
        simulator.simulate(2 * LANES, LANES, StopFlag())
        simulator.root_moves()
        simulator.principal_variation(rules.legal_moves(rules.start())[0])

    def close(self) -> None:
        """Keep what was learned, where the configuration says so; the game is over.

        Raises:
            TreeFileError: `mcts_tree_file` cannot be written.
        """
        self._memory.keep()


def _agree(moves: Sequence[MoveStats]) -> bool:
    """Whether one move has both the most visits and the highest mean."""
    most = max(stats.visits for stats in moves)
    highest = max(stats.value or 0.0 for stats in moves)
    return any(stats.visits == most and (stats.value or 0.0) == highest for stats in moves)


def pick_move(moves: Sequence[MoveStats], final_move: str, random: np.random.Generator) -> Move:
    """The move to play after a search; equals are drawn at random.

    Args:
        moves: every root move.
        final_move: `robust` (most visits), `max` (highest mean), `max_robust` (the one that is both, else most visits)
            or `secure` (highest lower confidence bound).
        random: breaks ties.

    Source: Chaslot et al., "Progressive Strategies for Monte-Carlo Tree Search", 2008, section 2.4.
    """

    def merit(stats: MoveStats) -> tuple[float, ...]:
        if stats.value is None:
            return (-math.inf, -math.inf)
        if final_move == "max":
            return (stats.value,)
        if final_move == "secure":
            return (stats.value - _CAUTION / math.sqrt(stats.visits),)
        if final_move == "max_robust":
            return (stats.visits, stats.value)
        return (stats.visits,)

    best = max(merit(stats) for stats in moves)
    equals = [stats.move for stats in moves if merit(stats) == best]
    return equals[int(random.integers(len(equals)))]
