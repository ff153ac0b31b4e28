"""The two players that learn the values of moves from games against themselves.

Searches are imported where they are used: the compiler takes longer to import than the window to open.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from othello.game import AnyGame
from othello.players.knowledge_file import KnowledgeFile
from othello.players.player import TREE_FILE, ComputerConfig, Player, draw, move_seed
from othello.rules.protocol import Position, Rules
from othello.schema import ABOVE_0, option
from othello.search.report import SearchReport, Unit
from othello.search.stop import Deadline, StopFlag

if TYPE_CHECKING:
    from numpy.random import SeedSequence

    from othello.search.learner import Learner

SLICE: Final = 512  # episodes between two snapshots
_MOST_NODES: Final = 8_000_000  # 14 bytes each, twice
_NODES_A_PLY: Final = 12  # that an episode adds, or a few more or less
_EPISODES_A_SECOND: Final = 1_000_000  # more than a core can do


@dataclass(frozen=True)
class LearningConfig(ComputerConfig):
    """What players that learn can be told."""

    learning_episodes: int = option(
        5000,
        "Episodes per move for q_learning and sarsa.",
        1,
        1_000_000_000,
        is_bound=True,
        is_strength=True,
    )
    learning_epsilon: float = option(0.1, "How often an episode tries a random move.", 0, 1)
    learning_rate_start: float = option(0.05, "The learning rate of an episode's first move.", maximum=1, words=ABOVE_0)
    learning_rate_end: float = option(0.5, "The learning rate of an episode's last move.", maximum=1, words=ABOVE_0)
    learning_discount: float = option(1.0, "The factor by which a reply's value counts for the move before it.", 0, 1)
    learning_file: str | None = option(
        None,
        "A .npz file with the values that this player has learned. An existing file is read before a game; the file is "
        "written after it. For a match only. null: no file.",
        words=TREE_FILE,
        is_personal=True,
        is_memory=True,
    )


@dataclass(frozen=True)
class QLearningConfig(LearningConfig):
    """What Q-learning can be told."""

    learning_target: str = option(
        "outcome",
        "The target of the values of q_learning.",
        choices={"outcome": "the episode's result", "bootstrap": "the value of the best reply"},
    )


class LearningPlayer(Player):
    """Learns from episodes that begin with the position, and plays the move of the highest value.

    What was learned of a position is kept for the positions that follow it. The rest is dropped after each move, unless
    `learning_file` keeps all for games to come.
    """

    unit = Unit.REWARD
    config: LearningConfig
    remembers = True

    def __init__(self, config: LearningConfig, rules: Rules[Position]) -> None:
        super().__init__(config, rules)
        path = config.memory_files.get("learning_file")
        self._file = None if path is None else KnowledgeFile(path, self.player_type, rules)
        self._learner = self._new_learner(self._capacity())
        self._line: tuple[int, ...] | None = None
        if self._file is not None:
            self._file.load(self._learner.learn_from)

    def _new_learner(self, capacity: int) -> Learner:
        from othello.search.learner import Learner
        from othello.search.learning import Lessons

        config = self.config
        rates = config.learning_rate_start, config.learning_rate_end
        lessons = Lessons(self._target(), config.learning_epsilon, *rates, config.learning_discount)
        return Learner(self.rules, lessons, capacity, keeps_all=self._file is not None)

    def _target(self) -> int:
        raise NotImplementedError

    def _capacity(self) -> int:
        episodes = self.config.most_of(self.config.learning_episodes, _EPISODES_A_SECOND)
        games = self.rules.max_plies if self._file is not None else 2
        return int(min(_MOST_NODES, 4096 + games * episodes * self.rules.max_plies * _NODES_A_PLY))

    def new_game(self, seed: int) -> None:
        super().new_game(seed)
        self._line = None
        if self._file is None:
            self._learner.clear()

    def think(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
        begun = stop.clock()
        learn_seed, tie_seed = move_seed(self.seed, game).spawn(2)
        done, episodes = 0, self.config.learning_episodes
        with Deadline(self.config.limit(seconds), stop):
            self._go_to(game, learn_seed, stop)
            while done < episodes and not (done and stop.is_set):
                done += self._learner.learn(min(SLICE, episodes - done), stop)
                if done < episodes and not stop.is_set:
                    yield self._report(done, tie_seed, stop.clock() - begun)
        if not stop.is_cancelled:
            yield self._report(done, tie_seed, stop.clock() - begun, final=True)

    def _go_to(self, game: AnyGame, seed: SeedSequence, stop: StopFlag) -> None:
        """Learn about the next position of a game, with the knowledge from earlier positions."""
        states = [self.rules.kernel_state(position) for position in game.positions]
        steps = list(zip(states[:-1], game.moves, strict=True))
        known = 0
        if self._file is not None:
            self._file.check(game)
        elif self._line is not None and game.moves[: len(self._line)] == self._line:
            known = len(self._line)
        else:
            self._learner.clear()
            known = game.ply
        self._learner.go_to(steps[known:], states[-1], seed, stop)
        self._line = game.moves

    def _report(self, done: int, tie_seed: SeedSequence, seconds: float, *, final: bool = False) -> SearchReport:
        moves = self._learner.root_moves()
        best = max(stats.value for stats in moves if stats.value is not None)
        move = draw([stats.move for stats in moves if stats.value == best], tie_seed)
        return SearchReport(
            player=self.player_type,
            move=move,
            value=best,
            moves=tuple(moves),
            unit=self.unit,
            simulations=done,
            nodes=self._learner.nodes,
            depth=self._learner.depth,
            pv=self._learner.principal_variation(move),
            seconds=seconds,
            final=final,
        )

    def prepare(self) -> None:
        """Compile by learning a little, on the side."""
        from numpy.random import SeedSequence

        start = self.rules.start()
        state = self.rules.kernel_state(start)
        learner = self._new_learner(0)
        learner.go_to((), state, SeedSequence(0), StopFlag())
        learner.learn(1, StopFlag())
        learner.learn_from(learner.knowledge())
        move = learner.root_moves()[0].move
        after = self.rules.kernel_state(self.rules.play(start, move))
        learner.go_to([(state, move)], after, SeedSequence(0), StopFlag())

    def game_over(self, game: AnyGame) -> None:
        if self._file is not None:
            self._file.save(self._learner.knowledge())

    def release(self) -> None:
        del self._learner


class QLearningPlayer(LearningPlayer):
    """Learns towards the episode's result, or towards what the best reply leaves."""

    player_type: ClassVar[str] = "q_learning"
    title = "Q-learning"
    description = "Q-learning from episodes against itself"
    config_type = QLearningConfig
    config: QLearningConfig

    def _target(self) -> int:
        from othello.search import learning

        return learning.OUTCOME if self.config.learning_target == "outcome" else learning.BEST_REPLY


class SarsaPlayer(LearningPlayer):
    """Learns towards what the reply leaves that was taken."""

    player_type: ClassVar[str] = "sarsa"
    title = "Sarsa"
    description = "Sarsa, which learns from the replies that its episodes played"
    config_type = LearningConfig

    def _target(self) -> int:
        from othello.search import learning

        return learning.TAKEN_REPLY
