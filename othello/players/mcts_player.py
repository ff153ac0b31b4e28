"""The three players that use Monte Carlo tree search.

Searches are imported only when they are needed, because the compiler is slow to import.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, cast

from othello.engine import knows
from othello.errors import Reason
from othello.game import AnyGame, Game
from othello.players.player import KEEPS, SearchConfig, move_seed
from othello.players.slicing_player import FINAL_MOVES, SlicingPlayer, agree, is_settled, pick_move
from othello.rules.protocol import Move, Position, Rules
from othello.schema import ABOVE_0, option
from othello.search.report import Line, MoveStats, SearchReport
from othello.search.stop import Deadline, StopFlag

if TYPE_CHECKING:
    from numpy.random import SeedSequence

    from othello.search.mcts_search import MctsSearch
    from othello.search.simulator import Halves, Simulator
    from othello.search.stepping import SteppedSearch
    from othello.search.tree_snapshot import Arrays

LEAVES: Final = {
    "playout": "by a random game to the end",
    "evaluation": "by the engine's evaluation, for standard Othello only",
}
ROOTS: Final = {
    "tree_policy": "as in the rest of the tree",
    "sequential_halving": "equally many for all, then for the better half of them, and so on. The last move is played; "
    "mcts_final_move has no effect",
}
TREES_LEARN: Final = {
    "searches": "the results of searches",
    "results": "the results of finished games, each counted as a simulation along its moves",
    "both": "searches and finished games",
}
TIES: Final = {"first": "the first that was tried", "random": "a random one"}
THREADS: Final = "The number of threads of an mcts player or the engine."
BATCH: Final = 16  # simulations played out together at most, unless `mcts_batch` is set
SLICE: Final = 2048 * BATCH  # simulations between two snapshots: about 25 ms, to keep the window responsive
_MAX_PLAYOUTS: Final = 4_000_000_000  # visit counts have 32 bits
# An upper bound for one core; bounds the memory, because unused memory also takes time to allocate.
_SIMULATIONS_PER_SECOND: Final = 4_000_000
_PLANNED_SPEED: Final = 500_000  # simulations a second, from which the memory of a search with a time limit is planned
_SIMULATION_BYTES: Final = 512
_EXTRA_SLICES: Final = 5  # tenths of the count by which `max_robust` may extend the search


class MctsConfig(SearchConfig):
    """Options of all players that simulate."""

    simulation_count: int = option(
        300,
        "Simulations per move for the mcts players.",
        1,
        1_000_000_000,
        top_key="mcts_simulation_count",
        is_bound=True,
        is_strength=True,
    )
    mcts_final_move: str = option("robust", "Which root move to play.", choices=FINAL_MOVES)
    mcts_reuse_tree: bool = option(
        False,
        "Whether mcts players keep the part of their search tree below the moves that were played.",
    )
    mcts_tree_file: str | None = option(
        None,
        "A .npz file with the search tree of this mcts player. An existing file is read before a game; the file is "
        "written after it. Implies mcts_reuse_tree; for a match only. null: no file.",
        **KEEPS,
    )
    mcts_tree_file_updates: str = option(
        "searches", "The results from which the tree in mcts_tree_file is updated.", choices=TREES_LEARN
    )
    mcts_leaf: str = option("playout", "How mcts players evaluate a new position.", choices=LEAVES)
    mcts_playouts: int = option(
        1,
        "The number of playouts of an mcts player from a new position. Each playout counts as a visit. At most "
        "4,000,000,000 per move.",
        1,
        1000,
    )
    mcts_playout_plies: int = option(
        0,
        "The number of plies after which a playout of an mcts player ends. The side that is ahead by the heuristic "
        "player's evaluation then wins the playout. 0: playouts go to the end. No effect if mcts_leaf is evaluation.",
        0,
        1000,
    )
    mcts_batch: int | None = option(
        None,
        "The number of simulations of an mcts player that walk down the tree before they are played out together. 1: "
        "single simulations. null: 1 to 16, depending on the simulations per move.",
        1,
        64,
    )
    mcts_root: str = option(
        "tree_policy", "How an mcts player divides its simulations among the moves of its position.", choices=ROOTS
    )
    mcts_tie_break: str = option("first", "Which of equal moves a simulation of an mcts player chooses.", choices=TIES)
    mcts_solver: bool | None = option(
        None,
        "Whether mcts players prove wins and losses. They then play a proven win, and avoid a proven loss if they can. "
        "null: on in games where one move can decide an even position.",
    )
    search_threads: int = option(1, THREADS, 1, 64)
    mcts_memory_mb: int = option(
        1024, "How many megabytes the search tree of an mcts player may take, all threads together.", 16, 1 << 20
    )

    def simulations_for(self, rules: Rules[Position], position: Position) -> int:
        """Return the number of simulations for a move in a position, at least 1."""
        return min(self.simulation_count, _MAX_PLAYOUTS // self.mcts_playouts)

    def proves(self, rules: Rules[Position]) -> bool:
        """Return whether the search proves wins and losses in such games."""
        return rules.one_move_can_decide if self.mcts_solver is None else self.mcts_solver

    @property
    def memory_megabytes(self) -> int:
        count = self.max_count(self.simulation_count, _PLANNED_SPEED) * (30 if self.keeps else 1)
        return min(self.mcts_memory_mb, count * _SIMULATION_BYTES >> 20)

    def conflict(self, rules: Rules[Position]) -> tuple[str, Reason] | None:
        if self.mcts_leaf == "evaluation" and not knows(rules):
            return "mcts_leaf", Reason("no_evaluation")
        if self.mcts_tree_file is None or self.search_threads == 1:
            return None
        return "mcts_tree_file", Reason("one_thread", {"threads": self.search_threads})

    @property
    def keeps(self) -> bool:
        """True if the tree of one move is reused for the next."""
        return self.mcts_reuse_tree or self.mcts_tree_file is not None


class UctConfig(MctsConfig):
    """Options of players with UCT."""

    mcts_exploration: float = option(
        math.sqrt(2.0),
        "The constant C of UCT. Higher values try more moves, lower ones search the best moves deeper.",
        0,
        100,
    )


class GroupingConfig(UctConfig):
    """Options of UCT on groups of symmetric positions."""

    grouping_opening_plies: int | None = option(
        None,
        "The number of plies of the opening, in which mcts_grouping uses only a share of its simulations. null: "
        "depends on the game and its rules.",
        0,
        225,
    )
    grouping_opening_share: float = option(
        0.7, "The share of its simulations that mcts_grouping uses in the opening.", maximum=1, words=ABOVE_0
    )

    def simulations_for(self, rules: Rules[Position], position: Position) -> int:
        opening = rules.opening_plies if self.grouping_opening_plies is None else self.grouping_opening_plies
        share = self.grouping_opening_share if rules.moves_made(position) < opening else 1.0
        return max(1, round(super().simulations_for(rules, position) * share))


class MctsPlayer(SlicingPlayer):
    """Searches by simulations and plays the move that `mcts_final_move` selects."""

    config: MctsConfig
    _simulator: Simulator

    def __init__(self, config: MctsConfig, rules: Rules[Position]) -> None:
        super().__init__(config, rules)
        self.reuses_tree = config.keeps
        self._left: list[Move] = []  # moves that sequential halving has not dropped; empty: another root policy
        self._final_move = config.mcts_final_move

    def _new_simulator(self) -> Simulator:
        return create_simulator(self.config, self.rules)

    def _new_stepped(self) -> SteppedSearch:
        from othello.search.stepping import SteppedSearch

        return SteppedSearch(cast("MctsSearch", self._new_simulator()), cast("MctsSearch", self._new_simulator()))

    def _count(self, game: AnyGame) -> int:
        return self.config.simulations_for(game.rules, game.position)

    def _recall(self, game: AnyGame, seed: SeedSequence) -> None:
        super()._recall(game, seed)
        if self.config.mcts_root == "sequential_halving":
            from numpy.random import default_rng

            # Shuffled, because halving keeps the first of equal moves.
            self._left = default_rng(seed).permutation(game.legal_moves()).tolist()

    def _search(self, count: int, stop: StopFlag, limit: float | None) -> Iterator[int]:
        batch = self.config.mcts_batch or min(batch_size(count), max(1, BATCH // self.config.mcts_playouts))
        if self._left:
            yield from self._halve(count, batch, stop, limit)
            return
        slice_ = SLICE // batch * batch * self.config.search_threads
        done = 0
        while done < count and not (done and stop.is_set):
            done += self._simulator.simulate(min(slice_, count - done), batch, stop)
            yield done
            # Saves clock time once the result is proven.
            if limit is not None and is_settled(self._simulator.root_moves()):
                return
        if self.config.mcts_final_move == "max_robust":
            for _ in range(_EXTRA_SLICES):
                if stop.is_set or agree(self._simulator.root_moves()):
                    break
                done += self._simulator.simulate(max(1, count // 10), batch, stop)
                yield done

    def _halve(self, count: int, batch: int, stop: StopFlag, limit: float | None) -> Iterator[int]:
        """Run sequential halving: give each round an equal share, and keep the better half of the moves after each.

        Source: Karnin, Koren and Somekh, "Almost Optimal Exploration in Multi-Armed Bandits", ICML 2013; at the root of
        a search tree: Pepels, Cazenave, Winands and Lanctot, "Minimizing Simple and Cumulative Regret in Monte-Carlo
        Tree Search", CGW 2014.
        """
        begun, done, reported = stop.clock(), 0, 0
        rounds = max(1, (len(self._left) - 1).bit_length())
        for number in range(1, rounds + 1):
            moves = len(self._left)
            is_last = number == rounds
            end = count if is_last else min(count, done + moves * max(1, count // (moves * rounds)))
            slice_ = max(1, SLICE // moves) * moves * self.config.search_threads
            part, seconds = stop, None
            if limit is not None and not is_last:
                part, seconds = stop.part(), number / rounds * limit - (stop.clock() - begun)
            with Deadline(seconds, part):
                while done < end and not (done and part.is_set):
                    done += self._simulator.simulate(min(slice_, end - done), batch, part, self._left)
                    if done - reported >= SLICE:
                        reported = done
                        yield done
            found = self._simulator.root_moves()
            if stop.is_set or (limit is not None and is_settled(found)):
                break
            merits = {stats.move: (stats.certainty, -1.0 if stats.value is None else stats.value) for stats in found}
            self._left.sort(key=lambda move: merits[move])
            del self._left[: moves // 2]
        yield done

    def _pick(self, moves: Sequence[MoveStats], seed: SeedSequence) -> Move:
        soundest = max(stats.certainty for stats in moves)
        left = [stats for stats in moves if stats.move in self._left and stats.certainty == soundest]
        return pick_move(left, "max", seed, self.config.tie_break) if left else super()._pick(moves, seed)

    def _report(self, done: int, tie_seed: SeedSequence, seconds: float, *, final: bool = False) -> SearchReport:
        report = super()._report(done, tie_seed, seconds, final=final)
        if self._left:  # moves took turns, so there are no bounds to show
            report = replace(report, moves=tuple(replace(stats, terms=None) for stats in report.moves))
        return replace(report, is_full=self._simulator.is_full, below=self._below(report.moves, final=final))

    def _below(self, moves: Sequence[MoveStats], *, final: bool) -> dict[Line, tuple[MoveStats, ...]]:
        """Return the statistics after the expanded lines, and in the final report after every reply, too.

        The search cannot be asked for other lines once it has ended.
        """
        lines = {*self.expanded_lines, *((stats.move,) for stats in moves if final and self.expanded_lines)}
        return {line: tuple(self._simulator.child_stats(line)) for line in lines}

    def _load(self) -> None:
        super()._load()
        if self._file is not None and self.config.mcts_tree_file_updates == "results":
            self._known = self._tree.snapshot()

    def _knowledge_after(self, game: AnyGame) -> Arrays:
        if self.config.mcts_tree_file_updates == "results":
            self._tree.load_snapshot(self._known)
        if self.config.mcts_tree_file_updates != "searches" and game.is_over:
            self._tree.learn_game(game.rules.kernel_state(game.positions[0]), game.moves)
        self._known = self._tree.snapshot()
        return self._known

    @property
    def _tree(self) -> MctsSearch:
        """The search of a player that has a file."""
        return cast("MctsSearch", self._simulator)

    def prepare(self) -> None:
        """Compile with a few simulations of a separate search."""
        rules = self.rules
        config = replace(self.config, simulation_count=2 * BATCH, mcts_tree_file=None)
        simulator = create_simulator(config, rules)
        simulator.set_root([], rules.kernel_state(rules.start()), move_seed(0, Game.new(rules)))
        simulator.simulate(config.simulation_count, BATCH, StopFlag())
        if self._file is not None and config.mcts_tree_file_updates != "searches":
            cast("MctsSearch", simulator).learn_game(rules.kernel_state(rules.start()), ())
        simulator.principal_variation(min(rules.legal_moves(rules.start())))
        simulator.close()

    def compile_jobs(self) -> Halves:
        config = replace(self.config, simulation_count=BATCH, mcts_tree_file=None, search_threads=1)
        search = cast("MctsSearch", create_simulator(config, self.rules))
        return search.compile_jobs(self.rules.kernel_state(self.rules.start()))


class UctPlayer(MctsPlayer):
    """Monte Carlo tree search with UCT."""

    player_type = "mcts_uct"
    title = "UCT"
    description = "Monte Carlo tree search with UCT"
    config_type = UctConfig


class Ucb1Player(MctsPlayer):
    """Monte Carlo tree search with UCB1-tuned, which uses the variance of the rewards instead of a constant."""

    player_type = "mcts_ucb1"
    title = "UCB1-tuned"
    description = "Monte Carlo tree search with UCB1-tuned"
    config_type = MctsConfig


class GroupingPlayer(MctsPlayer):
    """Monte Carlo graph search with UCT, in which symmetric positions share a node."""

    player_type = "mcts_grouping"
    title = "Grouping"
    description = "Monte Carlo tree search with UCT on groups of symmetric positions"
    config_type = GroupingConfig


def batch_size(simulations: int) -> int:
    """Return how many simulations are selected before they are played out: a power of two from 1 to `BATCH`.

    The simulations of a batch cannot learn from each other, so a batch is a small part of the whole.
    """
    return min(BATCH, 1 << max(0, (simulations // 32).bit_length() - 1))


def create_simulator(config: MctsConfig, rules: Rules[Position], memory: int | None = None) -> Simulator:
    """Create the search of an `mcts_*` player, with room for a move, or for a game if the tree is kept.

    Args:
        config: of the player.
        rules: of the game.
        memory: limit in bytes; None: `mcts_memory_mb`.
    """
    memory = config.mcts_memory_mb << 20 if memory is None else memory
    from othello.search.mcts import CutPlayouts, Ucb1Tuned, Uct
    from othello.search.mcts_search import GraphSearch, TreeSearch
    from othello.search.simulator import ParallelSearch

    if config.search_threads > 1:
        threads = config.search_threads
        part = replace(config, simulation_count=-(-config.simulation_count // threads), search_threads=1)
        return ParallelSearch([create_simulator(part, rules, memory // threads) for _ in range(threads)])
    moves = rules.moves_left(rules.start()) // 2 + 2  # moves of one player in a game
    count = config.max_count(config.simulation_count, _SIMULATIONS_PER_SECOND) * (moves if config.keeps else 1)
    count += count // 2  # `max_robust` may extend the search by half
    if config.mcts_tree_file is not None:
        count *= 2  # earlier games get at most half of the room
    kind = GraphSearch if isinstance(config, GroupingConfig) else TreeSearch
    rule = Uct(float(config.mcts_exploration)) if isinstance(config, UctConfig) else Ucb1Tuned()
    simulator = kind(rules, rule, count, memory, proves=config.proves(rules))
    simulator.playouts = config.mcts_playouts
    simulator.draws_ties = config.mcts_tie_break == "random"
    if config.mcts_leaf == "evaluation":
        from othello.engine.leaf import evaluation_leaf

        simulator.leaf = evaluation_leaf()
    elif config.mcts_playout_plies:
        simulator.leaf = CutPlayouts(config.mcts_playout_plies)
    return simulator
