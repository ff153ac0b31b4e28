"""Players that misbehave, and ways to play with them that other processes can import."""

import os
import time
from collections.abc import Callable, Iterator
from errno import ENOSPC
from pathlib import Path
from typing import Any

import pytest

from othello.config import PlayerConfig
from othello.errors import ForfeitError, TreeFileError, WeightsError
from othello.game import AnyGame
from othello.players.player import Player
from othello.players.random_player import RandomPlayer
from othello.records.record import GameRecord
from othello.rules.protocol import GameSpec, Move
from othello.rules.registry import rules_of
from othello.search.report import SearchReport, Unit
from othello.search.stop import StopFlag
from othello.tournament import executor
from othello.tournament.executor import RunningGame

BEGINS_AT_PLY = 10
ERRORS = {
    "raises": ZeroDivisionError("by zero,\nof course"),
    "foreign": ForfeitError("the program has gone"),
    "unreadable": TreeFileError("learned.npz: is no tree"),
    "damaged": WeightsError("damaged", path=Path("weights.bin"), fault="torn"),
    "full": OSError(ENOSPC, "No space left on device"),
}
WRONG_MOVES: dict[str, Any] = {"illegal": Move(27), "nonsense": "e9"}
SECONDS = {"slow": 0.2, "hangs": 3600}


class FaultyPlayer(RandomPlayer):
    """Plays at random, until it does what its name says."""

    def think(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
        if game.ply >= BEGINS_AT_PLY:
            if self.name in ERRORS:
                raise ERRORS[self.name]
            if self.name in WRONG_MOVES:
                yield SearchReport("random", WRONG_MOVES[self.name], None, (), Unit.NONE, final=True)
            if self.name == "silent":
                return
            time.sleep(SECONDS.get(self.name, 0))
        yield from super().think(game, stop)

    def game_over(self, game: AnyGame) -> None:
        if self.name == "forgets":
            raise ValueError("nothing is kept")


def create_player(config: PlayerConfig, spec: GameSpec) -> Player:
    if config.name == "cannot be made":
        raise RuntimeError("no such engine")
    return FaultyPlayer(config, rules_of(spec))


def play(live: RunningGame, on_position: Callable[[AnyGame], None] | None) -> GameRecord:
    """Play like `RunningGame.play`, with players named after their faults."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(executor, "create_player", create_player)
        return live.play(on_position)


def die_once(live: RunningGame, on_position: Callable[[AnyGame], None] | None) -> GameRecord:
    """Play like `RunningGame.play`; the first process that gets one of three games ends in the middle of it."""
    mark = Path(os.environ["OTHELLO_TEST_FOLDER"], f"died-{live.job.number}")
    if live.job.number % 3 == 0 and not mark.exists():
        mark.touch()
        os._exit(9)
    return live.play(on_position)
