"""The packages of docs/adding-a-game.md and docs/adding-a-player.md: their code, and the steps of the pages."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools.docs_tables import ROOT, pages

GAME, PLAYER = ROOT / "examples" / "breakthrough", ROOT / "examples" / "player"
GAME_PAGE, PLAYER_PAGE = (pages()[ROOT / "docs" / f"adding-a-{kind}.md"] for kind in ("game", "player"))
QUICK = "not (test_players or test_matches) or test_a_match and random"


def run(folder: Path, site: Path, *words: str, **environment: str) -> str:
    """Run a module of Python with the packages in `site`, and return its output."""
    paths = {"PYTHONPATH": os.pathsep.join((str(site), str(ROOT), *sys.path)), **environment}
    command = [sys.executable, "-m", *words]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=os.environ | paths)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def install(package: Path, site: Path) -> None:
    pytest.importorskip("setuptools", "77")  # older ones need more to build what pip installs
    options = ("--quiet", "--no-deps", "--no-build-isolation", "--target", str(site))
    run(package, site, "pip", "install", *options, str(package))


def test_the_code_of_the_page_is_that_of_the_game() -> None:
    files = [path.read_text(encoding="utf-8") for path in GAME.rglob("*") if path.suffix in (".py", ".toml", ".json")]
    blocks = re.findall(r"```(?:python|toml|json)\n(.*?)\n```", GAME_PAGE, re.DOTALL)
    assert len(blocks) == 5
    for block in blocks:
        assert any(block in file for file in files), block


@pytest.mark.parametrize("only", [QUICK, pytest.param(f"not ({QUICK})", marks=pytest.mark.slow)], ids=["quick", "rest"])
def test_the_steps_of_adding_a_game(tmp_path: Path, only: str) -> None:
    site, pictures = tmp_path / "site", [*(ROOT / "tests" / "golden" / "boards").iterdir()]
    # a cache of its own: other tests must not find code for a game that they do not have
    environment = {"OTHELLO_CACHE_DIR": str(tmp_path / "cache"), "SDL_VIDEODRIVER": "dummy", "PYTEST_ADDOPTS": ""}
    steps = re.findall(r"^\| `(.+?)` \|", GAME_PAGE.partition("## 5.")[2], re.MULTILINE)
    pip, draw, test = (step.split() for step in steps)
    assert pip == ["pip", "install", "-e", "examples/breakthrough"]
    install(shutil.copytree(GAME, tmp_path / "copy"), site)
    before = {path: path.stat().st_mtime_ns for path in pictures}
    picture = site / "breakthrough" / "breakthrough.png"
    assert run(ROOT, site, *draw[2:], **environment) == ""
    picture.unlink()
    assert run(ROOT, site, *draw[2:], **environment).split() == [str(picture)]
    assert {path: path.stat().st_mtime_ns for path in pictures} == before
    *words, games = test[2:]
    options = ("-q", "-n0", "-p", "no:cacheprovider")
    assert " passed" in run(ROOT, site, *words, f"({games}) and ({only})", *options, **environment)


def test_the_code_of_the_page_is_that_of_the_player() -> None:
    code = (PLAYER / "my_player.py").read_text(encoding="utf-8")
    assert code.replace("MyPlayer", "Greedy") == PLAYER_PAGE.split("```python\n")[1].split("```")[0]


@pytest.mark.slow
def test_a_copy_of_the_player_is_installed_checked_and_played_with(tmp_path: Path) -> None:
    copy, site = shutil.copytree(PLAYER, tmp_path / "copy"), tmp_path / "site"
    install(copy, site)
    run(copy, site, "pytest", "-q", "-p", "no:cacheprovider")
    assert "my-player  my_player:MyPlayer, installed" in run(copy, site, "othello", "programs", "list")
    assert " NO " not in run(copy, site, "othello", "check-player", "my-player", "--positions", "50")
    match = json.loads(PLAYER_PAGE.split("```json\n")[1].split("```")[0])
    match["players"][0] |= {"program": "my-player", "class_options": "corner=5"}
    match["tournament"]["games_per_pair"] = 2
    (copy / "match.json").write_text(json.dumps(match))
    words = ("othello", "--headless", "--config", "match.json", "--output", "games.csv")
    assert "my-player" in run(copy, site, *words)
