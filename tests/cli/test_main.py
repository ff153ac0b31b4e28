"""The program as the system sees it: the ways to start it, errors in one line, output that fails, and interrupts."""

import subprocess
import sys
import sysconfig
from pathlib import Path
from unittest.mock import Mock, call

import pygame
import pytest

import othello
from othello.cli import end_process, main
from tests.command_line import RANDOM, CommandLine, write_config

ROOT = Path(__file__).parents[2]
WITH_USER = {"players": [RANDOM, {"player_type": "user"}]}


def test_help_is_no_error() -> None:
    for words in (["--help"], ["perft", "--help"], ["analyse", "--help"]):
        with pytest.raises(SystemExit, match=r"^0$"):
            main(words)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a display")
@pytest.mark.parametrize(
    ("game_type", "way_out"),
    [
        ("match", "; --terminal plays in the terminal; --headless is for games between computers\n"),
        ("tournament", "; a tournament with a person needs a window; --headless plays computers only\n"),
    ],
)
def test_without_a_display_the_error_names_what_helps(
    game_type: str, way_out: str, config_file: Path, monkeypatch: pytest.MonkeyPatch, cli: CommandLine
) -> None:
    for variable in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(variable, raising=False)
    pygame.display.quit()  # a display that another test opened would show the window
    write_config(config_file.parent, game_type=game_type, show_visualisation=True)
    error = cli.error("--config", config_file)
    assert "no window can be opened here (neither DISPLAY nor WAYLAND_DISPLAY is set)" in error
    assert error.endswith("; --headless plays without a window\n")
    cli("--config", config_file, "--headless")
    write_config(config_file.parent, game_type=game_type, **WITH_USER)
    assert cli.error("--config", config_file).endswith(way_out)
    assert "or name a config of computer players: --config FILE" in cli.error("--config", config_file, "--headless")


needs_full_device = pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")


@needs_full_device
@pytest.mark.parametrize(
    ("command", "redirection"),
    [("perft 3", ">/dev/full"), ("--version", ">&-"), ("--headless --seed 1", ">/dev/full"), ("--version", ">&- 2>&-")],
)
def test_an_output_that_cannot_be_written_is_no_traceback(command: str, redirection: str, tmp_path: Path) -> None:
    config = f'--config "{write_config(tmp_path)}"' if "headless" in command else ""
    line = f'PYTHONUNBUFFERED= "{sys.executable}" -m othello {config} {command} {redirection}'
    done = subprocess.run(["bash", "-c", line], check=False, stderr=subprocess.PIPE, text=True, timeout=60)
    full = 2, "othello: cannot write the output: the disk is full\n"
    assert (done.returncode, done.stderr) == (full if "full" in redirection else (0, ""))


@needs_full_device
def test_a_full_disk_is_one_line(config_file: Path, cli: CommandLine) -> None:
    Path("games.jsonl").symlink_to("/dev/full")
    cli("--config", config_file, "--output", "games.jsonl", status=2)
    assert "the disk is full" in cli.errors
    assert cli.errors.count("\n") == 1


def test_other_system_errors_are_not_output_errors(monkeypatch: pytest.MonkeyPatch, cli: CommandLine) -> None:
    for error, words in (
        (PermissionError(13, "Permission denied", "some/file"), "some/file: permission denied"),
        (BrokenPipeError(32, "Broken pipe"), "the system reports error 32: Broken pipe"),
    ):
        monkeypatch.setattr("othello.cli.arguments.parse", Mock(return_value=Mock(command=Mock(side_effect=error))))
        assert cli.error("perft", 3) == f"othello: {words}\n"


def test_output_is_written_before_the_process_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    system = Mock()
    monkeypatch.setattr(sys, "stdout", system.stdout)
    monkeypatch.setattr("os._exit", system.end)
    end_process(3)
    assert system.mock_calls == [call.stdout.flush(), call.end(3)]


def test_a_closed_pipe_is_no_error() -> None:
    command = [sys.executable, "-m", "othello", "perft", "4", "--divide"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 0


def test_all_three_ways_to_start_are_the_same_program(tmp_path: Path) -> None:
    script = Path(sysconfig.get_path("scripts"), "othello")  # which need not be on the PATH
    for command in ([sys.executable, str(ROOT / "main.py")], [sys.executable, "-m", "othello"], [str(script)]):
        ran = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True, cwd=tmp_path)
        assert ran.stdout.strip() == f"othello {othello.__version__}"


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
    ("module", "name", "place", "start"),
    [
        ("othello.cli", "SIGINT", "interrupt", "run_path('main.py', "),
        ("othello.cli", "SIGINT", "interrupt", "run_module('othello', "),
        ("othello.cli.arguments", "SIGTERM", "interrupt_in_a_destructor", "run_module('othello', "),
        ("numpy.random", "SIGTERM", "interrupt", "run_module('othello', "),
        ("numba", "SIGINT", "interrupt", "run_module('othello', "),
        ("llvmlite", "SIGTERM", "interrupt", "run_module('othello', "),
    ],
)
def test_an_interrupt_is_no_traceback_however_early(module: str, name: str, place: str, start: str) -> None:
    program = f"""
import runpy, signal, sys

class Interrupter:
    def find_spec(self, name, *rest):
        if name == "{module}":
            {place}()

interrupt = lambda *_: signal.raise_signal(signal.{name})
interrupt_in_a_destructor = type("", (), {{"__del__": interrupt}})
sys.meta_path.insert(0, Interrupter())
sys.argv = ["othello", "perft", "12"]
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
