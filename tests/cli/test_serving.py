"""The players for external programs, connected to this program's servers."""

import random
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from othello.game import Game
from othello.players.conformance import try_out
from othello.players.player import Player, choose, final_report
from othello.players.player_registry import configure, create_player
from othello.programs.program_registry import Program
from othello.search.stop import StopFlag
from tests.positions import RULES, SPEC

ROOT = Path(__file__).parents[2]


def served(protocol: str, *options: str) -> Program:
    command = (sys.executable, "-m", "othello", protocol, *options)
    return Program("ours", command, protocol=protocol, folder=str(ROOT), start_seconds=120.0)


def external(protocol: str, *options: str) -> Player:
    return create_player(configure("external", program="ours", inline_program=served(protocol, *options)), SPEC)


@pytest.mark.slow
@pytest.mark.parametrize("protocol", ["gtp", "nboard"])
def test_a_served_player_plays_as_it_does_here(protocol: str) -> None:
    options, here = {
        "gtp": ("--player heuristic --depth 2", configure("heuristic", depth=2)),
        "nboard": ("--player mcts_uct --simulations 80", configure("mcts_uct", simulation_count=80)),
    }[protocol]
    drawn = random.Random(4)
    with external(protocol, *options.split(), "--seed", "7") as there, create_player(here, SPEC) as player:
        player.prepare()
        for seed in (7, 8, 9):
            there.new_game(seed)
            player.new_game(seed)
            game = Game.new(RULES)
            while not game.is_over:
                if game.ply % 2 == seed % 2:
                    game = game.play(drawn.choice(game.legal_moves()))
                else:
                    move = choose(player, game).move
                    assert choose(there, game).move == move
                    game = game.play(move)


@pytest.mark.slow
@pytest.mark.parametrize("protocol", ["gtp", "nboard"])
def test_the_engine_passes_the_trial(protocol: str) -> None:
    trial = try_out(served(protocol, "--level", "2"), RULES)
    assert trial is not None
    assert trial.name.startswith("Othello-engine-level-2")
    assert trial.moves == 10


@pytest.mark.slow
def test_a_served_player_analyses_and_is_stopped() -> None:
    with external("nboard", "--player", "engine") as player:
        player.prepare()
        player.new_game(1)
        game = Game.new(RULES).play(RULES.legal_moves(RULES.start())[0])
        judged = final_report(player, player.analyse(game, StopFlag(), 1.0))
        assert all(stats.value is not None for stats in judged.moves)
        stop = StopFlag()
        threading.Timer(0.3, stop.time_is_up).start()
        began = time.monotonic()
        assert final_report(player, player.think(game, stop)).move in game.legal_moves()
        assert time.monotonic() - began < 10


@pytest.mark.slow
@pytest.mark.parametrize("protocol", ["gtp", "nboard"])
def test_a_server_ends_with_its_client(protocol: str) -> None:
    """The process that asked is killed in the middle of a search."""
    search = "genmove b" if protocol == "gtp" else "go"
    script = (
        "import subprocess, sys\n"
        f"command = [sys.executable, '-m', 'othello', '{protocol}', '--depth', '100']\n"
        "served = subprocess.Popen(command, stdin=subprocess.PIPE, text=True, bufsize=1)\n"
        f"served.stdin.write('{search}\\n')\n"
        "print(served.pid, flush=True)\n"
        "served.wait()\n"
    )
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT, text=True) as asking:
        assert asking.stdout is not None
        served_process = psutil.Process(int(asking.stdout.readline()))
        time.sleep(2.0)
        asking.kill()
        served_process.wait(60)  # the very first time all is compiled
