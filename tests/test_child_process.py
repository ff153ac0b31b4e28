"""No process of the program imports files of the current folder."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from othello.child_process import program_environment, spawn_context, without_interrupts
from tests.command_line import RANDOM, write_config

ROOT = Path(__file__).parents[1]
MODULES = {"numpy", "numba", "llvmlite", "pygame", "rich", "jsonschema_rs", "platformdirs", "yaml", "PIL", "matplotlib"}
TRAP = "open({log!r}, 'a').write({name!r} + chr(10))\nraise SystemExit('a file of the current folder was run')\n"
INTERPRETER = "import runpy, sys; print(*sys.modules)"  # what `python -m` imports before it runs the module
Run = Callable[..., str]

WINDOW = """
import sys
import time
from pathlib import Path

if __name__ == "__main__":
    from othello.gui.preferences import PreferencesFile
    from othello.gui.screens.tournament.standings_text import ReportWriter
    from othello.gui.sounds import Sound, Sounds
    from othello.players.compilation import compiler
    from othello.players.player_registry import configure
    from othello.rules.registry import game_spec

    folder = Path(sys.argv[1])
    sounds = Sounds(PreferencesFile(folder / "preferences.json"))
    sounds.play([Sound.MOVE])
    compiler.compile((configure("random"), game_spec()))
    report = ReportWriter(folder / "games.jsonl", browse=print)
    report.open()
    while report.is_busy:
        report.update()
        time.sleep(0.05)
    assert not report.failed, report.message
    compiler.end()
    sounds.close()
"""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run Python in a folder with a trap for every module, check that none was imported, and return the output."""
    folder, log = tmp_path / "current", tmp_path / "log.txt"
    folder.mkdir()
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    command = [sys.executable, "-P", "-c", INTERPRETER]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    for name in {*sys.stdlib_module_names, *MODULES, "sitecustomize"} - set(loaded):
        (folder / f"{name}.py").write_text(TRAP.format(log=str(log), name=name))
    environment = {**program_environment(), "PYTHONPATH": str(ROOT), "SDL_AUDIODRIVER": "dummy"}

    def run(*arguments: object) -> str:
        command = [sys.executable, *map(str, arguments)]
        ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        assert not log.exists(), f"imported from the current folder: {log.read_text()}"
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    return run


@pytest.mark.parametrize("start", [["-m", "othello"], [ROOT / "main.py"]], ids=["module", "script"])
def test_the_processes_of_a_tournament_and_of_the_window(run: Run, start: list[object], tmp_path: Path) -> None:
    file = write_config(tmp_path, game_type="tournament", tournament={"processes": 2})
    run(*start, "--config", file, "--headless", "--output", tmp_path / "games.jsonl")
    if start[0] == "-m":
        (tmp_path / "script.py").write_text(WINDOW)
        run(tmp_path / "script.py", tmp_path)


def test_a_class_that_plays_finds_its_own_modules_only(run: Run, tmp_path: Path) -> None:
    (tmp_path / "current" / "bot_moves.py").write_text("def first(game): return game.moves[0]\n")
    (tmp_path / "current" / "bot.py").write_text(
        "import json, random, bot_moves\nclass Bot:\n    def choose(self, game): return bot_moves.first(game)\n"
    )
    file = write_config(tmp_path, players=[{"player_type": "python", "class": "bot:Bot"}, RANDOM])
    assert "bot" in run("-m", "othello", "--config", file, "--headless", "--allow-programs").lower()
    run("-m", "othello", "check-player", "bot:Bot", "--game", "tictactoe", "--positions", 2)


@pytest.mark.slow
def test_the_processes_that_make_books(run: Run, tmp_path: Path) -> None:
    run("-m", "othello", "book", "make", tmp_path / "a.book", "--positions", 20, "--depth", 1, "--processes", 2)


def test_external_programs_keep_the_path_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    spawn_context()
    assert os.environ["PYTHONSAFEPATH"]
    assert "PYTHONSAFEPATH" not in program_environment()
    monkeypatch.setenv("PYTHONSAFEPATH", "1")
    spawn_context()
    assert program_environment()["PYTHONSAFEPATH"] == "1"


def test_no_other_module_starts_python_processes() -> None:
    sources = (path for name in ("othello", "tools", "training") for path in (ROOT / name).rglob("*.py"))
    assert [path.stem for path in sources if "get_context(" in path.read_text()] == ["child_process"]


def test_signals_are_blocked_while_processes_start() -> None:
    with without_interrupts():
        assert signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
