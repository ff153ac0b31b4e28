"""The floors of the house, as pyproject.toml names them, and that they bear: every import that must fail does."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

UPWARDS = {
    "game": "othello.players.player",
    "kernel/bits": "othello.rules.protocol",
    "players/random_player": "othello.tournament.crew",
    "rules/protocol": "othello.search.report",
    "search/stop": "othello.engine.endgame",
    "gui/theme": "othello.gui.layout",
    "gui/views/board": "othello.gui.scenes.play",
    "search/report": "othello.search.alphabeta",
    "tournament/statistics": "othello.tournament.findings",
    "tournament/crew": "othello.tournament.processes",
}
FOREIGN = {
    "errors": "pygame",
    "strict_json": "pygame_gui",
    "bench": "distributed",
    "tournament/processes": "dask",
    "search/report": "numba",
    "game": "othello.rules.othello",
    "search/alphabeta": "othello.rules.othello_lanes",
    "players/random_player": "othello.rules.othello_kernels",
    "play/openings": "othello.rules.reference",
    "engine/endgame": "othello.rules.tictactoe",
    "cli/positions": "othello.rules.ultimate",
    "gui/loop": "othello.rules.othello",
    "search/mcts": "othello.rules.registry",
    "search/pvs": "matplotlib",
    "tournament/report": "matplotlib",
    "players/mcts_player": "othello.rules.registry",
    "gui/sentences": "rich",
    "play/session": "rich",
}
NEWCOMERS = {
    "search/newcomer": "othello.rules.othello",
    "players/newcomer": "othello.rules.othello_lanes",
    "rules/newcomer": "othello.search.stop",
    "engine/newcomer": "pygame",
    "tournament/newcomer": "matplotlib",
    "cli/newcomer": "distributed",
    "gui/views/newcomer": "othello.gui.scenes.play",
}


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    lint_imports = Path(sys.executable).with_name("lint-imports")
    return subprocess.run([str(lint_imports)], capture_output=True, text=True, check=False, cwd=folder)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The house once more, to be built on."""
    shutil.copytree(ROOT / "othello", tmp_path / "othello", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_every_file_imports_only_from_floors_below(copy: Path) -> None:
    for folder in (ROOT, copy):
        ran = lint(folder)
        assert ran.returncode == 0, ran.stdout


@pytest.mark.parametrize("attacks", [UPWARDS, FOREIGN, NEWCOMERS], ids=["upwards", "foreign", "newcomers"])
def test_an_import_that_must_fail_does(copy: Path, attacks: dict[str, str]) -> None:
    for file, module in attacks.items():
        with (copy / "othello" / f"{file}.py").open("a", encoding="utf-8") as source:
            source.write(f"import {module}\n")
    ran = lint(copy)
    assert ran.returncode == 1, ran.stdout
    for file, module in attacks.items():
        assert f"othello.{file.replace('/', '.')} -> {module}" in ran.stdout


def test_a_new_file_is_given_a_floor(copy: Path) -> None:
    newcomers = ["newcomer", "gui/newcomer", "search/newcomer", "tournament/newcomer"]
    for file in newcomers:
        (copy / "othello" / f"{file}.py").write_text("", encoding="utf-8")
    ran = lint(copy)
    assert ran.returncode == 1
    for file in newcomers:
        assert f"othello.{file.replace('/', '.')}" in ran.stdout
