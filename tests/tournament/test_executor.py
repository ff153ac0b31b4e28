"""Games played one after the other in this process, and their records."""

from pathlib import Path

import pytest

from othello.config import PlayerConfig
from othello.errors import TournamentError
from othello.play.referee import GameJob
from othello.players.player_registry import configure
from othello.tournament.executor import SerialExecutor
from tests.positions import SPEC

RANDOM = configure("random", name="other")


def learner(file: Path) -> PlayerConfig:
    return configure("mcts_uct", name="learner", simulation_count=20, mcts_tree_file=str(file))


def test_a_record_is_kept_if_learned_values_cannot_be_written(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    executor = SerialExecutor()
    executor.submit(GameJob(1, 1, (learner(folder / "tree.npz"), RANDOM), SPEC, seed=1))
    folder.rmdir()
    folder.touch()
    with pytest.raises(TournamentError, match=r"game 1: learner failed: .* there is no folder"):
        executor.collect(0.0)  # known before the first move
    executor.submit(GameJob(1, 1, (learner(tmp_path / "gone" / "tree.npz"), RANDOM), SPEC, seed=1))
    (tmp_path / "gone").mkdir()
    records = executor.collect(0.0)
    (tmp_path / "gone").rmdir()
    (tmp_path / "gone").touch()  # a folder that is only missing would be made again
    assert [record.game for record in records] == [1]
    with pytest.raises(TournamentError, match=r"game 1: learner failed: .* could not be saved"):
        executor.close()


def test_learned_values_are_kept_when_the_opponent_forfeits(tmp_path: Path) -> None:
    file = tmp_path / "tree.npz"
    executor = SerialExecutor()
    executor.submit(GameJob(1, 1, (learner(file), configure("random", name="late", clock_seconds=1e-9)), SPEC, seed=1))
    assert [record.reason for record in executor.collect(0.0)] == ["white has run out of time"]
    assert not file.exists()
    executor.close()
    assert file.exists()
