"""The example of docs/adding-a-game.md: its code, and the steps of the page with the installed package."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "examples" / "breakthrough"
PAGE = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
QUICK = "not (test_players or test_matches) or test_a_match and random"


def test_the_code_of_the_page_is_that_of_the_package() -> None:
    files = [path.read_text(encoding="utf-8") for path in FOLDER.rglob("*") if path.suffix in (".py", ".toml", ".json")]
    blocks = re.findall(r"```(?:python|toml|json)\n(.*?)\n```", PAGE, re.DOTALL)
    assert len(blocks) == 5
    for block in blocks:
        assert any(block in file for file in files), block


@pytest.mark.parametrize("only", [QUICK, pytest.param(f"not ({QUICK})", marks=pytest.mark.slow)], ids=["quick", "rest"])
def test_the_steps_of_the_page(tmp_path: Path, only: str) -> None:
    """In a cache of its own: the code that others find must not lead to a game that is not there."""
    pytest.importorskip("setuptools", "77")  # older ones need more to build what pip installs
    site, pictures = tmp_path / "site", [*(ROOT / "tests" / "golden" / "boards").iterdir()]
    paths = {
        "PYTHONPATH": f"{ROOT}{os.pathsep}{site}",
        "OTHELLO_CACHE_DIR": str(tmp_path / "cache"),
        "SDL_VIDEODRIVER": "dummy",
        "PYTEST_ADDOPTS": "",
    }

    def run(*words: str) -> str:
        command = [sys.executable, "-m", *words]
        ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, env=os.environ | paths)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    steps = re.findall(r"^\| `(.+?)` \|", PAGE.partition("## 5.")[2], re.MULTILINE)
    install, draw, test = (step.split() for step in steps)
    assert install == ["pip", "install", "-e", "examples/breakthrough"]
    copy = shutil.copytree(FOLDER, tmp_path / "copy")
    run("pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--target", str(site), str(copy))
    before = {path: path.stat().st_mtime_ns for path in pictures}
    picture = site / "breakthrough" / "breakthrough.png"
    assert run(*draw[2:]) == ""
    picture.unlink()
    assert run(*draw[2:]).split() == [str(picture)]
    assert {path: path.stat().st_mtime_ns for path in pictures} == before
    *words, games = test[2:]
    assert " passed" in run(*words, f"({games}) and ({only})", "-q", "-n0", "-p", "no:cacheprovider")
