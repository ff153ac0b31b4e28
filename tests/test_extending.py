"""The examples of docs/extending.md, added to a copy of the program as the page says."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from othello import texts
from othello.gui.preferences import palette_named, read_themes, theme_names
from othello.texts import tr
from othello.translations import read_languages

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^\*\*([\w/.-]+)\*\*\n\n```(\w+)\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)
COPIED = ("othello", "docs", "assets")


def add(path: str, kind: str, text: str, folder: Path) -> None:
    """Write a file of the page, or change one: lines with "+" are new, the others show the place."""
    file = folder / path
    if kind != "diff":
        assert not file.exists()
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return
    lines = text.splitlines(keepends=True)
    before = "".join(line[1:] for line in lines if line[0] == " ")
    old = file.read_text(encoding="utf-8")
    assert old.count(before) == 1, f"{path}: {before}"
    file.write_text(old.replace(before, "".join(line[1:] for line in lines)), encoding="utf-8")


@pytest.fixture
def settings(tmp_path: Path) -> Iterator[Path]:
    """Return a settings folder with the examples that need no change of the program."""
    for path, kind, text in EXAMPLES:
        if kind == "json":
            add(path, kind, text, tmp_path)
    yield tmp_path
    texts.add({})
    read_themes(tmp_path / "none")


@pytest.mark.usefixtures("restored_language")
def test_a_theme_and_a_language(settings: Path) -> None:
    assert (read_themes(settings), read_languages(settings)) == ([], [])
    assert theme_names()[-1] == "dusk"
    code = json.loads((settings / "themes" / "dusk.json").read_text(encoding="utf-8"))["background"]
    assert palette_named("dusk").background == tuple(bytes.fromhex(code))
    assert palette_named("dusk").text == palette_named().text
    assert texts.use("eo") == "eo"
    assert [texts.name_of("eo"), tr("actions.new.button"), tr("columns.player")] == [
        "Esperanto",
        "Nova ludo",
        "Ludanto",
    ]


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., str]:
    """Return a function that runs a Python module in a copy of the program with the examples that change it."""
    for name in COPIED:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for path in ROOT.iterdir():
        if path.name[0] != "." and path.name not in (*COPIED, "build"):
            (tmp_path / path.name).symlink_to(path)
    for path, kind, text in EXAMPLES:
        if kind != "json":
            add(path, kind, text, tmp_path)
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "PYTEST_ADDOPTS": "", "SDL_VIDEODRIVER": "dummy"}

    def run(*words: str) -> str:
        command = [sys.executable, "-m", *words]
        ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, env=environment)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    return run


def test_a_mode_columns_a_command_and_a_setting(run: Callable[..., str]) -> None:
    run("ruff", "check", "othello")
    run("ruff", "format", "--check", "othello")
    run("tools.docs_tables")
    files = ("extension_checks.py", "contract/test_modes.py", "test_docs.py")
    assert " passed" in run("pytest", "-q", "-n0", "-p", "no:cacheprovider", *(f"tests/{file}" for file in files))


@pytest.mark.slow
def test_the_layers_and_texts_of_the_examples(run: Callable[..., str]) -> None:
    kept = (
        "tests/test_layers.py::test_every_contract_is_kept",
        "tests/test_layers.py::test_only_listed_modules_are_imported_late",
    )
    words = "tests/test_texts.py::test_every_action_has_its_words"
    assert " passed" in run("pytest", "-q", "-n0", "-p", "no:cacheprovider", "-m", "slow or not slow", *kept, words)
