"""Ctrl-C and SIGTERM, however early and however often."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.command_line import RANDOM, write_config


@pytest.mark.parametrize("what", ["leaves", "a search", "a deep game", "games"])
def test_ctrl_c_ends_with_130(what: str, tmp_path: Path) -> None:
    games = tmp_path / "games.csv"
    match = ["--config", str(write_config(tmp_path, game_repetitions=100_000)), "--output", str(games)]
    start = "-" * 27 + "OX------XO" + "-" * 27 + " X"
    deep = ["analyse", "--board", start, "--player", "heuristic", "--depth", "30"]
    folder = tmp_path / "deep"
    folder.mkdir()
    endless = write_config(folder, heuristic_simulation_depth=40, players=[{"player_type": "heuristic"}, RANDOM])
    game = ["--config", str(endless), "--headless"]
    argv = {"games": match, "leaves": ["perft", "30"], "a search": deep, "a deep game": game}[what]
    script = f"""
import pathlib, signal, threading, time
from othello.cli import main
from tests.results_files import lines_in

def interrupt():
    games = pathlib.Path({str(games)!r})
    while {what == "games"} and lines_in(games) < 2:
        time.sleep(0.01)
    signal.raise_signal(signal.SIGINT)

main(["perft", "2"])  # the kernel is loaded now
threading.Timer(0.2, interrupt).start()
raise SystemExit(main({argv!r}))
"""
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=60)
    assert ran.returncode == 130
    assert ran.stderr == ""
    assert ("Ranking" in ran.stdout) == (what == "games")


def run_interrupted(script: str, *argv: str) -> subprocess.CompletedProcess[str]:
    """Return a process of its own, in which `interrupt(SIGNAL)` sends it a signal from within."""
    program = f"""
import os, signal, sys, threading, time
sys.path.append({str(Path(__file__).parents[2])!r})  # for what tests share
from othello.cli import main
sys.argv = ["othello", *{argv!r}]
{script}
raise SystemExit(main())
"""
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=120)


SIGNALS = pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])


INTERRUPTER = """
class Interrupter:
    def find_spec(self, name, *rest):
        if name == "{module}":
            signal.raise_signal(signal.{name})

sys.meta_path.insert(0, Interrupter())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
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
    root = Path(__file__).parents[2]
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=root)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "")


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
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
        *["--headless", "--config", str(config_file)],
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "")


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
@SIGNALS
def test_quickly_repeated_interrupts_count_once(name: str, config_file: Path) -> None:
    write_config(config_file.parent, game_repetitions=1_000_000)
    ran = run_interrupted(
        f"""
from tests.results_files import lines_in
from pathlib import Path

def interrupt():
    while lines_in(Path("games.jsonl")) < 2:
        time.sleep(0.01)
    while True:
        os.kill(os.getpid(), signal.{name})
        time.sleep(0.05)

threading.Thread(target=interrupt, daemon=True).start()
""",
        *["--config", str(config_file), "--output", "games.jsonl", "--headless"],
    )
    assert (ran.returncode, ran.stderr) == (130, "")
    assert "Ranking" in ran.stdout
    assert ran.stdout.rstrip().endswith(f"of {1_000_000} games.")


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
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


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_signals_ignored_by_the_parent_are_ignored(tmp_path: Path) -> None:
    ran = run_interrupted(
        """
signal.signal(signal.SIGINT, signal.SIG_IGN)
threading.Timer(0.3, signal.raise_signal, [signal.SIGINT]).start()
""",
        "perft",
        "6",
    )
    assert ran.returncode == 0
    assert "8200" in ran.stdout
