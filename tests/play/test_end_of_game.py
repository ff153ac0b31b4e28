"""The worker thread at the end of a game."""

import time
from pathlib import Path

from othello.game import Game
from othello.play.worker import PlayerRequest, SearchAnswered, Worker
from othello.players.player_registry import configure
from tests.positions import RULES, SPEC

DEADLINE = 90.0  # compiling counts


def test_a_player_writes_what_it_learned_when_the_game_is_over(tmp_path: Path) -> None:
    file = tmp_path / "learned.npz"
    worker = Worker()
    worker.submit(Game.new(RULES), PlayerRequest(configure("mcts_uct", mcts_tree_file=str(file)), SPEC, 1), 5.0)
    end = time.monotonic() + DEADLINE
    while not any(isinstance(news, SearchAnswered) for news in worker.poll()):
        assert time.monotonic() < end
        time.sleep(0.01)
    assert not file.exists()
    worker.dismiss(Game.new(RULES))
    while worker.is_busy:
        worker.poll()
        assert time.monotonic() < end
        time.sleep(0.01)
    assert file.exists()
    assert worker.close(DEADLINE)
