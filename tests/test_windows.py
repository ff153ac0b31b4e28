"""The program on other systems with the modules and functions of Windows only."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command_line import RANDOM, write_config

PRETENDED = """
import asyncio, concurrent.futures, ctypes, logging.handlers, multiprocessing.connection, os, shutil, signal
import multiprocessing.popen_spawn_posix, subprocess, sys, tempfile, threading, time, webbrowser
from pathlib import Path
import jsonschema_rs, numba, numpy, PIL.Image, platformdirs, pygame, rich.live, rich.progress, rich.table
from numba.core import caching, codegen

def load(name, *rest, real=ctypes.CDLL):
    assert "X11" not in str(name)
    if name is None:
        raise TypeError
    return real(name, *rest)

for module, names in (
    (os, "fork getuid mkfifo nice setpriority getpriority setsid sched_getaffinity O_NONBLOCK"),
    (signal, "pthread_sigmask SIGHUP"),
):
    for name in names.split():
        delattr(module, name)
for name in ("fcntl", "pwd", "grp", "resource", "termios"):
    sys.modules[name] = None
ctypes.CDLL = load
os._exit = int  # a search that is still being made ready would end the process, and with it this script
sys.platform = "win32"

from othello import machine
machine._physical_bytes = lambda: 1 << 33
from othello.cli import main
from othello.gui.app import app, loop
plies = []
def turn(scene, wake, real=loop.turn):
    plies.append(scene.game_screen.session.game.ply)
    if len(plies) > 9:
        scene.active_screen.wants_to_quit = True
    return real(scene, time.monotonic())
loop.turn = turn
folder = Path(sys.argv[1])
status = main(["--config", str(folder / "config.json"), "--headless"])
assert status == 0 and len((folder / "games.jsonl").read_text().splitlines()) == 2, status
assert main(["--open", str(folder / "moves.othello.txt")]) == 0
assert plies[-1] == 3, "the file is open"
print("done")
"""


@pytest.mark.slow
def test_no_function_that_windows_lacks_is_used(tmp_path: Path) -> None:
    players = [RANDOM, {"player_type": "simple_heuristic"}]
    write_config(tmp_path, players=players, game_repetitions=2, output_file=str(tmp_path / "games.jsonl"))
    (tmp_path / "moves.othello.txt").write_text("f5d6c3")
    own = dict.fromkeys(("OTHELLO_CONFIG_DIR", "OTHELLO_DATA_DIR", "XDG_STATE_HOME"), str(tmp_path))
    command, environment = [sys.executable, "-c", PRETENDED, str(tmp_path)], {**os.environ, **own}
    environment["SDL_VIDEODRIVER"] = "dummy"
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    log = tmp_path / "othello" / "log" / "othello.log"
    assert done.stdout.endswith("done\n"), done.stderr
    assert not any("ERROR" in path.read_text() for path in tmp_path.rglob("*.log")), log
