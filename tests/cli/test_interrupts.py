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


WAIT_FOR_GAMES = """
from pathlib import Path
from tests.results_files import lines_in

def wait_for_games():
    while lines_in(Path("games.jsonl")) < 2:
        time.sleep(0.01)
"""


@pytest.mark.parametrize("kind", ["leaves", "search", "game", "games"])
def test_ctrl_c_ends_with_130(kind: str, config_file: Path) -> None:
    board, endless = "-" * 27 + "OX------XO" + "-" * 27 + " X", {"player_type": "heuristic", "depth": 40}
    write_config(config_file.parent, game_repetitions=100_000, players=[endless if kind == "game" else RANDOM, RANDOM])
    argv: dict[str, tuple[object, ...]] = {
        "leaves": ("perft", 30),
        "search": ("analyse", "--board", board, "--player", "heuristic", "--depth", 30),
        "game": ("--config", config_file, "--headless"),
        "games": ("--config", config_file, "--output", "games.jsonl"),
    }
    ran = run_interrupted(
        f"""
{WAIT_FOR_GAMES}
def interrupt():
    if {kind == "games"}:
        wait_for_games()
    signal.raise_signal(signal.SIGINT)

main(["perft", "2"])  # loads the kernel
threading.Timer(0.2, interrupt).start()
""",
        *argv[kind],
    )
    assert (ran.returncode, ran.stderr) == (130, "")
    assert ("Ranking" in ran.stdout) == (kind == "games")


INTERRUPTER = """
class Interrupter:
    def find_spec(self, name, *rest):
        if name == "{module}":
            signal.raise_signal(signal.{name})

sys.meta_path.insert(0, Interrupter())
"""


@ON_POSIX
@pytest.mark.parametrize(
    ("module", "name"),
    [("othello.cli.arguments", "SIGINT"), ("numpy.random", "SIGTERM"), ("numba", "SIGINT"), ("llvmlite", "SIGTERM")],
)
def test_an_interrupt_is_no_traceback_however_early(module: str, name: str) -> None:
    ran = run_interrupted(INTERRUPTER.format(module=module, name=name), "perft", "3")
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "")


@pytest.mark.parametrize("start", ["run_module('othello', None, '__main__')", "run_path('main.py', None, '__main__')"])
def test_an_interrupt_before_there_is_a_command_line_is_no_traceback(start: str) -> None:
    program = f"import runpy, signal, sys{INTERRUPTER.format(module='othello.cli', name='SIGINT')}\nrunpy.{start}"
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
{WAIT_FOR_GAMES}
def interrupt():
    wait_for_games()
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
