"""Classes that play, as people write them: well, or as badly as can be."""

import os
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from othello.game import AnyGame
from othello.players.heuristic_player import HeuristicPlayer
from othello.players.python_class_player import GameView
from othello.players.random_player import RandomPlayer
from othello.rules.protocol import Move
from othello.search.report import SearchReport
from othello.search.stop import StopFlag


class Greedy:
    """Plays what leaves most points."""

    games = ("othello", "tictactoe")
    deterministic = True

    def __init__(self, sign: int = 1) -> None:
        self.sign = sign

    def choose(self, game: GameView) -> str:
        print("this is no line of JSON")
        return max(game.moves, key=lambda move: self.sign * game.play(move).score[game.to_move])


class Wrong:
    """Does what its option says."""

    def __init__(self, what: str) -> None:
        self.what = what
        if what == "begin":
            raise RuntimeError("no weights")

    def choose(self, game: GameView) -> Any:
        match self.what:
            case "raise":
                return 1 // 0
            case "illegal":
                return "z9"
            case "nothing":
                return None
            case "crash":
                os.kill(os.getpid(), 11)
            case "exit":
                sys.exit(3)
            case "hang":
                time.sleep(3600)
        return game.moves[0]


class Thinker(HeuristicPlayer):
    """A player like ours."""


class Diarist(RandomPlayer):
    """Writes down how its games end."""

    def game_over(self, game: AnyGame) -> None:
        with Path(os.environ["OTHELLO_TEST_DIARY"]).open("a") as diary:
            diary.write(f"{game.rules.format_position(game.position)}\n")


class Sleeper:
    """Sleeps, and plays its first move if `game.seconds` is not 0 afterwards, otherwise its last."""

    def choose(self, game: GameView) -> str:
        time.sleep(0.3)
        return game.moves[0 if game.seconds else -1]


class Deaf(HeuristicPlayer):
    """Ignores the stop flag and all limits while it searches."""

    def think(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
        time.sleep(0.8)
        return super().think(game, StopFlag(), None)


class Fickle(RandomPlayer):
    """Ignores its seed, so it plays other moves in every game."""

    def new_game(self, seed: int) -> None:
        super().new_game(time.monotonic_ns())


class Cheat(RandomPlayer):
    """Plays where it may not."""

    def think(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
        return (replace(report, move=Move(0)) for report in super().think(game, stop, seconds))


class Silent(RandomPlayer):
    """Has no answer."""

    def think(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
        return iter(())


class Forgetful(RandomPlayer):
    """Forgets its line, and after the start a move."""

    def think(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
        for report in super().think(game, stop, seconds):
            yield replace(report, moves=report.moves[game.ply > 0 :], pv=())


class Stubborn(RandomPlayer):
    """Answers cancelled and paused searches, too."""

    is_deterministic = False

    def think(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
        while seconds is None and self.config.time_limit_seconds is None and not (stop.is_set or stop.is_paused):
            time.sleep(0.005)
        return super().think(game, StopFlag())
