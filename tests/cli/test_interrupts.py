"""Ctrl-C and SIGTERM, however early and however often."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.command_line import RANDOM, write_config

ROOT = Path(__file__).parents[2]
ON_POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
SIGNALS = pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])


def run_interrupted(script: str, *argv: object) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process, after a script that sends it signals."""
    program = f"""
import os, signal, sys, threading, time
sys.path.append({str(ROOT)!r})  # for the helper modules of the tests
from othello.cli import main
sys.argv = ["othello", *{[*map(str, argv)]!r}]
{script}
raise SystemExit(main())
"""
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=120)


@pytest.mark.parametrize("kind", ["leaves", "search", "game"])
def test_ctrl_c_ends_with_130(kind: str, config_file: Path) -> None:
    board, endless = "-" * 27 + "OX------XO" + "-" * 27 + " X", {"player_type": "heuristic", "depth": 40}
    write_config(config_file.parent, players=[endless, RANDOM])
    argv: dict[str, tuple[object, ...]] = {
        "leaves": ("perft", 30),
        "search": ("analyse", "--board", board, "--player", "heuristic", "--depth", 30),
        "game": ("--config", config_file, "--headless"),
    }
    script = """
main(["perft", "2"])  # loads the kernel
threading.Timer(0.2, signal.raise_signal, [signal.SIGINT]).start()
"""
    ran = run_interrupted(script, *argv[kind])
    assert (ran.returncode, ran.stderr) == (130, "")
    assert "Ranking" not in ran.stdout


@ON_POSIX
@pytest.mark.parametrize(
    ("module", "name", "start"),
    [
        ("othello.cli", "SIGINT", "run_path('main.py', "),
        ("othello.cli", "SIGINT", "run_module('othello', "),
        ("othello.cli.arguments", "SIGINT", "run_module('othello', "),
        ("numpy.random", "SIGTERM", "run_module('othello', "),
        ("numba", "SIGINT", "run_module('othello', "),
        ("llvmlite", "SIGTERM", "run_module('othello', "),
    ],
)
def test_an_interrupt_is_no_traceback_however_early(module: str, name: str, start: str) -> None:
    program = f"""
import runpy, signal, sys

class Interrupter:
    def find_spec(self, name, *rest):
        if name == "{module}":
            signal.raise_signal(signal.{name})

sys.meta_path.insert(0, Interrupter())
sys.argv = ["othello", "perft", "3"]
runpy.{start}None, "__main__")
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=ROOT)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "")


@ON_POSIX
@SIGNALS
def test_an_interrupt_does_not_stop_the_start_of_a_process(name: str, config_file: Path) -> None:
    write_config(config_file.parent, game_type="tournament", game_repetitions=1000, tournament={"processes": 2})
    ran = run_interrupted(
        f"""
from multiprocessing import util
spawn = util.spawnv_passfds

def interrupted(path, arguments, descriptors):
    process = spawn(path, arguments, descriptors)
    if "spawn_main" in str(arguments):
        signal.raise_signal(signal.{name})
    return process

util.spawnv_passfds = interrupted
""",
        *("--headless", "--config", config_file),
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "")


@ON_POSIX
@SIGNALS
def test_quickly_repeated_interrupts_count_once(name: str, config_file: Path) -> None:
    write_config(config_file.parent, game_repetitions=1_000_000)
    ran = run_interrupted(
        f"""
from pathlib import Path
from tests.results_files import lines_in

def interrupt():
    while lines_in(Path("games.jsonl")) < 2:
        time.sleep(0.01)
    while True:
        os.kill(os.getpid(), signal.{name})
        time.sleep(0.05)

threading.Thread(target=interrupt, daemon=True).start()
""",
        *("--config", config_file, "--output", "games.jsonl", "--headless"),
    )
    assert (ran.returncode, ran.stderr) == (130, "")
    assert "Ranking" in ran.stdout
    assert ran.stdout.rstrip().endswith(f"of {1_000_000} games.")


@ON_POSIX
def test_a_second_interrupt_kills_a_hanging_process() -> None:
    ran = run_interrupted(
        """
import othello.cli.arguments

def hang(arguments):
    threading.Thread(target=interrupt, daemon=True).start()
    try:
        time.sleep(600)
    finally:
        time.sleep(600)

def interrupt():
    while True:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.2)

parsed = othello.cli.arguments.parse(["perft", "3"])
parsed.command = hang
othello.cli.arguments.parse = lambda argv: parsed
"""
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "")


@ON_POSIX
def test_signals_ignored_by_the_parent_are_ignored() -> None:
    script = """
signal.signal(signal.SIGINT, signal.SIG_IGN)
threading.Timer(0.3, signal.raise_signal, [signal.SIGINT]).start()
"""
    ran = run_interrupted(script, "perft", 6)
    assert ran.returncode == 0
    assert "8200" in ran.stdout
