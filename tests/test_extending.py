"""The examples of docs/extending.md, adding-a-game.md and adding-a-player.md, used as the pages say."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from othello import resources, texts
from othello.gui.preferences import palette_named, read_themes, theme_names
from othello.texts import tr
from othello.translations import read_languages
from tools.docs_tables import ROOT, pages

PAGE, GAME_PAGE, PLAYER_PAGE = (
    pages()[ROOT / "docs" / f"{name}.md"] for name in ("extending", "adding-a-game", "adding-a-player")
)
GAME, PLAYER = ROOT / "examples" / "breakthrough", ROOT / "examples" / "player"
EXAMPLES = re.findall(r"^\*\*([\w/.-]+)\*\*\n\n```(\w+)\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)
COPIED = ("othello", "docs", "assets")
QUICK = "not (test_players or test_matches) or test_a_match and random"


def run(folder: Path, import_path: tuple[Path, ...], *words: str, **environment: str) -> str:
    """Run a module of Python that finds the packages of a path, and return its output."""
    environment |= {"PYTHONPATH": os.pathsep.join(map(str, import_path)), "SDL_VIDEODRIVER": "dummy"}
    command, environment = [sys.executable, "-m", *words], os.environ | {"PYTEST_ADDOPTS": ""} | environment
    ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=environment)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def run_tests(folder: Path, import_path: tuple[Path, ...], *words: str, **environment: str) -> None:
    options = ("-q", "-n0", "-p", "no:cacheprovider")
    assert " passed" in run(folder, import_path, "pytest", *options, *words, **environment)


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


@pytest.mark.usefixtures("restored_language")
def test_a_theme_and_a_language(tmp_path: Path) -> None:
    for path, kind, text in EXAMPLES:
        if kind == "json":
            add(path, kind, text, tmp_path)
    assert (read_themes(tmp_path), read_languages(tmp_path)) == ([], [])
    assert theme_names()[-1] == "dusk"
    code = json.loads((tmp_path / "themes" / "dusk.json").read_text(encoding="utf-8"))["background"]
    assert palette_named("dusk").background == tuple(bytes.fromhex(code))
    assert palette_named("dusk").text == palette_named().text
    read_themes(tmp_path / "none")
    assert texts.use("eo") == "eo"
    words = [texts.name_of("eo"), tr("actions.new.button"), tr("columns.player")]
    assert words == ["Esperanto", "Nova ludo", "Ludanto"]


@pytest.fixture
def changed(tmp_path: Path) -> Path:
    """Return a copy of the program with the examples that change it."""
    for name in COPIED:
        shutil.copytree(ROOT / name, tmp_path / name)  # with compiled modules
    for path in ROOT.iterdir():
        if path.name[0] != "." and path.name not in (*COPIED, "build"):
            (tmp_path / path.name).symlink_to(path)
    for path, kind, text in EXAMPLES:
        if kind != "json":
            add(path, kind, text, tmp_path)
    return tmp_path


def test_a_mode_columns_a_command_and_a_setting(changed: Path) -> None:
    run(changed, (), "ruff", "check", "othello")
    run(changed, (), "ruff", "format", "--check", "othello")
    run(changed, (changed,), "tools.docs_tables")
    files = (f"tests/{name}.py" for name in ("extension_checks", "contract/test_modes", "test_docs"))
    run_tests(changed, (changed,), *files, "-k", "not example and (not test_a_mode_is_found or mobility)")


@pytest.mark.slow
def test_the_layers_and_texts_of_the_examples(changed: Path) -> None:
    layers = "every_contract_is_kept", "only_listed_modules_are_imported_late"
    tests = [f"tests/test_layers.py::test_{name}" for name in layers]
    tests.append("tests/test_texts.py::test_every_action_has_its_words")
    run_tests(changed, (changed,), "-m", "slow or not slow", *tests)


def install(package: Path, site: Path) -> tuple[Path, ...]:
    """Install a package, and return the import path with it."""
    pytest.importorskip("setuptools", "77")  # older ones need more to build what pip installs
    options = ("--quiet", "--no-deps", "--no-build-isolation", "--target", str(site))
    run(package, (), "pip", "install", *options, str(package))
    return site, ROOT, *map(Path, sys.path)


def test_the_code_of_the_pages_is_that_of_the_packages() -> None:
    files = [path.read_text(encoding="utf-8") for path in GAME.rglob("*") if path.suffix in (".py", ".toml", ".json")]
    blocks = re.findall(r"```(?:python|toml|json)\n(.*?)\n```", GAME_PAGE, re.DOTALL)
    assert len(blocks) == 5
    for block in blocks:
        assert any(block in file for file in files), block
    code = (PLAYER / "my_player.py").read_text(encoding="utf-8")
    assert code.replace("MyPlayer", "Greedy") == PLAYER_PAGE.split("```python\n")[1].split("```")[0]


@pytest.mark.parametrize("only", [QUICK, pytest.param(f"not ({QUICK})", marks=pytest.mark.slow)], ids=["quick", "rest"])
def test_the_steps_of_adding_a_game(tmp_path: Path, only: str) -> None:
    site, pictures = tmp_path / "site", [*(ROOT / "tests" / "golden" / "boards").iterdir()]
    # a cache of its own: other tests must not find code for a game that they do not have
    cache = str(resources.cache_folder() / "breakthrough")
    steps = re.findall(r"^\| `(.+?)` \|", GAME_PAGE.partition("## 5.")[2], re.MULTILINE)
    pip, draw, test = (step.split() for step in steps)
    assert pip == ["pip", "install", "-e", "examples/breakthrough"]
    import_path = install(shutil.copytree(GAME, tmp_path / "copy"), site)
    before = {path: path.stat().st_mtime_ns for path in pictures}
    picture = site / "breakthrough" / "breakthrough.png"
    picture.unlink()
    assert run(ROOT, import_path, *draw[2:], OTHELLO_CACHE_DIR=cache).split() == [str(picture)]
    assert {path: path.stat().st_mtime_ns for path in pictures} == before
    *words, games = test[3:]
    run_tests(ROOT, import_path, *words, f"({games}) and ({only})", OTHELLO_CACHE_DIR=cache)


@pytest.mark.slow
def test_a_copy_of_the_player_is_installed_checked_and_played_with(tmp_path: Path) -> None:
    copy = shutil.copytree(PLAYER, tmp_path / "copy")
    import_path = install(copy, tmp_path / "site")
    run_tests(copy, import_path)
    assert "my-player  my_player:MyPlayer, installed" in run(copy, import_path, "othello", "programs", "list")
    assert " NO " not in run(copy, import_path, "othello", "check-player", "my-player", "--positions", "50")
    match = json.loads(PLAYER_PAGE.split("```json\n")[1].split("```")[0])
    match["players"][0] |= {"program": "my-player", "class_options": "corner=5"}
    match["tournament"]["games_per_pair"] = 2
    (copy / "match.json").write_text(json.dumps(match))
    words = ("othello", "--headless", "--config", "match.json", "--output", "games.csv")
    assert "my-player" in run(copy, import_path, *words)
