"""Measure frame times and stop latency from inside the program. Prints JSON; started by `window.py`."""

import json
import random
import sys
import time
from itertools import pairwise

import pygame

from othello.config import Config, PlayerConfig
from othello.game import Game
from othello.gui.app import app, loop
from othello.gui.commands import Toggle
from othello.gui.platform.window import DESIGN_SIZE, open_window
from othello.gui.screens.game_screen import GameScreen
from othello.play.session import Session
from othello.play.session_commands import NewGame
from othello.play.worker import PlayerRequest, SearchAnswered, Started, Worker
from othello.players.player_registry import configure
from othello.rules.registry import game_spec, rules_of

PERSON = configure("user")
DEEP = 1_000_000
CANCELS = 40
SEARCHES = 10  # a search lasts half a second, too few frames for a 99th percentile
SEARCHERS = (
    configure("mcts_uct", simulation_count=DEEP),
    configure("mcts_ucb1", simulation_count=DEEP),
    configure("mcts_grouping", simulation_count=DEEP),
    configure("heuristic", depth=14),
)


class RestlessTable(GameScreen):
    """A game screen that is rebuilt and redrawn in every frame: the worst case."""

    def state_key(self) -> None:
        return None

    def draw(self, surface: pygame.Surface) -> list[pygame.Rect]:
        self.widgets.forget()
        return super().draw(surface)


def frame_times(player: PlayerConfig) -> list[float]:
    """Return the seconds between frames during several searches of a player's first move."""
    worker = Worker()
    open_window()
    now = time.monotonic()
    session = Session(Config((player, PERSON), seed=1, move_delay_seconds=0.0), worker, now)
    scene = RestlessTable(session, DESIGN_SIZE, now)
    scene.do(Toggle("shows_values"), now)
    wake: float | None = now
    times: list[float] = []
    for _ in range(SEARCHES):
        while not session.worker.is_running:  # loads the kernels
            wake = loop.turn(scene, wake)
        frames = [time.perf_counter()]
        while session.game.ply == 0:
            wake = loop.turn(scene, wake)
            frames.append(time.perf_counter())
        times += [later - earlier for earlier, later in pairwise(frames)]
        scene.do(NewGame(), time.monotonic())
    worker.close(5.0)
    return times


def stop_times(player: PlayerConfig) -> list[float]:
    """Return the seconds from a cancellation until the thread is free, at random moments of a search."""
    worker = Worker()
    game = Game.new(rules_of(game_spec()))
    dice = random.Random(1)
    waits = []
    for number in range(CANCELS):
        worker.submit(game, PlayerRequest(player, game.rules.spec, number))
        while not any(isinstance(item, Started) for item in worker.poll()):
            time.sleep(0.0005)
        time.sleep(dice.uniform(0.0, 0.1))
        if any(isinstance(item, SearchAnswered) for item in worker.poll()):
            raise RuntimeError(f"{player.name} is too fast to be stopped")
        began = time.perf_counter()
        worker.cancel()
        while worker.is_busy:
            time.sleep(0.0001)
        waits.append(time.perf_counter() - began)
    worker.close(5.0)
    return waits


if __name__ == "__main__":
    sys.setswitchinterval(app.SWITCH_SECONDS)
    print(
        json.dumps(
            {
                "frames": {player.name: frame_times(player) for player in SEARCHERS[:3]},
                "stops": {player.name: stop_times(player) for player in SEARCHERS},
            }
        )
    )
