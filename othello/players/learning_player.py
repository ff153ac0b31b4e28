"""The two players that learn the values of moves by self-play: Q-learning and Sarsa.

Searches are imported only when they are needed, because the compiler is slow to import.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Final, cast

from othello.game import AnyGame
from othello.players.player import KEEPS, SearchConfig
from othello.players.slicing_player import SlicingPlayer
from othello.schema import ABOVE_0, option
from othello.search.stop import StopFlag

if TYPE_CHECKING:
    from othello.search.learner import Learner
    from othello.search.stepping import SteppedLearner

SLICE: Final = 512  # episodes between two snapshots
_MAX_NODES: Final = 8_000_000  # 14 bytes each, in two arrays
_NODES_PER_PLY: Final = 12  # nodes that an episode adds for each of its plies, roughly
_EPISODES_PER_SECOND: Final = 1_000_000  # an upper bound for one core


class LearningConfig(SearchConfig):
    """Options of players that learn."""

    learning_episodes: int = option(
        5000,
        "Episodes per move for q_learning and sarsa.",
        1,
        1_000_000_000,
        is_bound=True,
        is_strength=True,
    )
    learning_epsilon: float = option(0.1, "The probability of a random move in an episode.", 0, 1)
    learning_rate_start: float = option(0.05, "The learning rate of an episode's first move.", maximum=1, words=ABOVE_0)
    learning_rate_end: float = option(0.5, "The learning rate of an episode's last move.", maximum=1, words=ABOVE_0)
    learning_discount: float = option(1.0, "The factor gamma by which the value of a reply is discounted.", 0, 1)
    learning_file: str | None = option(
        None,
        "A .npz file with the values that this player has learned. An existing file is read before a game; the file is "
        "written after it. For a match only. null: no file.",
        **KEEPS,
    )


class QLearningConfig(LearningConfig):
    """Options of Q-learning."""

    learning_target: str = option(
        "outcome",
        "The target of the values of q_learning.",
        choices={"outcome": "the episode's result", "bootstrap": "the value of the best reply"},
    )


class LearningPlayer(SlicingPlayer):
    """Learns from episodes that begin with the position, and plays the move with the highest value.

    Values of positions that can still occur in the game remain. All others are dropped after each move, unless
    `learning_file` keeps them for later games.
    """

    config: LearningConfig
    counts = "episodes"
    remembers = True
    _simulator: Learner

    def _new_simulator(self, capacity: int | None = None, kind: type[Learner] | None = None) -> Learner:
        from othello.search import value_tree
        from othello.search.learner import Learner

        kind = kind or Learner
        config = self.config
        target = value_tree.TAKEN_REPLY
        if isinstance(config, QLearningConfig):
            target = value_tree.OUTCOME if config.learning_target == "outcome" else value_tree.BEST_REPLY
        lessons = value_tree.LearningParameters(
            target,
            float(config.learning_epsilon),
            float(config.learning_rate_start),
            float(config.learning_rate_end),
            float(config.learning_discount),
        )
        capacity = self._capacity() if capacity is None else capacity
        return kind(self.rules, lessons, capacity, keeps_all=self._file is not None)

    def _new_stepped(self) -> SteppedLearner:
        from othello.search.stepping import SteppedLearner

        return cast(SteppedLearner, self._new_simulator(kind=SteppedLearner))

    def _capacity(self) -> int:
        episodes = self.config.max_count(self.config.learning_episodes, _EPISODES_PER_SECOND)
        games = 2 if self._file is None else self.rules.max_plies
        return int(min(_MAX_NODES, 4096 + games * episodes * self.rules.max_plies * _NODES_PER_PLY))

    def _count(self, game: AnyGame) -> int:
        return self.config.learning_episodes

    def _search(self, count: int, stop: StopFlag, limit: float | None) -> Iterator[int]:
        done = 0
        while done < count and not (done and stop.is_set):
            done += self._simulator.learn(min(SLICE, count - done), stop)
            yield done

    def prepare(self) -> None:
        """Compile with an episode of a separate learner."""
        from numpy.random import SeedSequence

        start = self.rules.start()
        state = self.rules.kernel_state(start)
        learner, seed = self._new_simulator(0), SeedSequence(0)
        learner.set_root((), state, seed)
        learner.load_snapshot(learner.snapshot())
        move = learner.root_moves()[0].move
        after = self.rules.kernel_state(self.rules.play(start, move))
        learner.set_root([(state, move)], after, seed)
        learner.learn(1, StopFlag())


class QLearningPlayer(LearningPlayer):
    """Learns from the episode's result or from the value of the best reply."""

    player_type: ClassVar[str] = "q_learning"
    title = "Q-learning"
    description = "Q-learning from episodes against itself"
    config_type = QLearningConfig


class SarsaPlayer(LearningPlayer):
    """Learns from the value of the reply that was played."""

    player_type: ClassVar[str] = "sarsa"
    title = "Sarsa"
    description = "Sarsa, which learns from the replies that its episodes played"
    config_type = LearningConfig
