"""The folder and the example class of docs/adding-a-player.md."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "examples" / "player"


def test_the_page_has_the_class_of_the_folder() -> None:
    page = (ROOT / "docs" / "adding-a-player.md").read_text(encoding="utf-8")
    code = (FOLDER / "my_player.py").read_text(encoding="utf-8")
    assert code.replace("MyPlayer", "Greedy") == page.split("```python\n")[1].split("```")[0]


@pytest.mark.slow
def test_a_copy_of_the_folder_is_installed_checked_and_played_with(tmp_path: Path) -> None:
    pytest.importorskip("setuptools", "77")  # older ones need more to build what pip installs
    copy, site = shutil.copytree(FOLDER, tmp_path / "copy"), tmp_path / "site"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join((str(site), str(ROOT), *sys.path))}

    def run(*words: str) -> str:
        command = [sys.executable, "-m", *words]
        ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=copy, env=environment)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    run("pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--target", str(site), str(copy))
    run("pytest", "-q", "-p", "no:cacheprovider")
    assert "my-player  my_player:MyPlayer, installed" in run("othello", "programs", "list")
    assert " NO " not in run("othello", "check-player", "my-player", "--positions", "50")
    page = (ROOT / "docs" / "adding-a-player.md").read_text(encoding="utf-8")
    match = json.loads(page.split("```json\n")[1].split("```")[0])
    match["players"][0] |= {"program": "my-player", "class_options": "corner=5"}
    match["tournament"]["games_per_pair"] = 2
    (copy / "match.json").write_text(json.dumps(match))
    assert "my-player" in run("othello", "--headless", "--config", "match.json", "--output", "games.csv")
