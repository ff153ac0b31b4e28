"""Links, files, commands, options, tables, configs and examples in the pages, `--help` and examples/ are right."""

import json
import re
import shlex
import sys
from contextlib import redirect_stdout, suppress
from dataclasses import replace
from functools import cache
from io import StringIO
from pathlib import Path

import jsonschema_rs
import pytest

from othello.cli import main
from othello.cli.arguments import SERVED_OPTIONS, parse
from othello.config_file import load
from othello.players.player_registry import configure
from othello.resources import schema_path
from othello.tournament.executor import play_game
from othello.tournament.schedule import max_games, schedule
from othello.tournament.tuning import Tuning
from tools.docs_tables import ROOT, option_tables, pages, with_tables

PAGES = pages()
COMMAND_LINE = PAGES[ROOT / "docs" / "command-line.md"]
EXAMPLES = sorted((ROOT / "examples").glob("*.json"))
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)
OPTION = re.compile(r"(?<![\w-])--[a-z]+(?:-[a-z]+)*")
ARGUMENT = re.compile(r"^  ([A-Z][A-Z.]*)", flags=re.MULTILINE)  # in `--help`


@cache
def help_of(*words: str) -> str:
    with redirect_stdout(StringIO()) as out, suppress(SystemExit):
        parse([*words, "--help"])
    return out.getvalue().partition("\nexamples")[0]


def commands(*words: str) -> list[str]:
    return re.findall(r"^    ([a-z][a-z-]+) ", help_of(*words), flags=re.MULTILINE)


@cache
def options() -> dict[tuple[str, ...], set[str]]:
    """Return the options of every command and of its actions."""
    names = [(), *((name, *action) for name in commands() for action in ((), *((each,) for each in commands(name))))]
    return {words: set(OPTION.findall(help_of(*words))) for words in names}


def anchors(text: str) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", text), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_and_files(page: Path) -> None:
    text = FENCE.sub("", PAGES[page])
    for name, anchor in re.findall(r"\]\((?!http)([^)#]*)#?([^)]*)\)", text):
        target = page.parent / name if name else page
        assert target.exists(), name
        assert not anchor or anchor in anchors(target.read_text(encoding="utf-8")), (name, anchor)
    for name in re.findall(
        r"`((?:othello|docs|examples|tests|tools|training|benchmarks|assets)/(?!.*apart)[\w/.-]*)`", text
    ):
        assert (ROOT / name).exists(), name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_and_options(page: Path) -> None:
    blocks = "\n".join(block for _, block in FENCE.findall(PAGES[page]))
    for code in [*re.findall(r"`([^`\n]+)`", FENCE.sub("", PAGES[page])), *blocks.splitlines()]:
        command = re.search(r"(?:^|[$|] )othello( \S.*|$)", code)
        if command:
            first, second, *_ = *re.findall(r"\S+", command[1]), "", ""
            words = next(words for words in ((first, second), (first,), ()) if words in options())
            assert words or not re.match("[a-z]", first), code
            assert set(OPTION.findall(command[1].partition(" -- ")[0])) <= options()[words], code
        elif code.startswith("--"):
            assert set(OPTION.findall(code)) <= set().union(*options().values()), code


def test_every_command_and_option_is_described() -> None:
    for words, names in options().items():
        heading = re.escape(" ".join(("othello", *words)))
        section = re.search(rf"^#+ {heading}\n(.*?)(?=^#|\Z)", COMMAND_LINE, flags=re.MULTILINE | re.DOTALL)
        assert section, words
        filters = options()["archive", "search"] if words == ("archive", "export") else set()
        assert names - set(SERVED_OPTIONS) - filters - {"--help"} <= set(OPTION.findall(section[1])), words
        if words and not commands(*words):
            synopsis = re.search(r"^```text\n(.*?)^```$", section[1], flags=re.MULTILINE | re.DOTALL)
            assert synopsis, words
            assert set(OPTION.findall(synopsis[1])) <= names, words
            arguments = {name.partition(".")[0] for name in ARGUMENT.findall(help_of(*words))}
            assert arguments - {"ACTION"} <= set(re.findall(r"\w+", synopsis[1])), words  # it is spelled out
    first_table = COMMAND_LINE.partition("\n## ")[0]
    assert [name for name in commands() if f"[`{name}`](#othello-{name})" not in first_table] == []


def test_every_option_of_a_config_is_described() -> None:
    page = PAGES[ROOT / "docs" / "config.md"]
    for key in {key for table in option_tables().values() for key in table}:
        assert f"\n| `{key}` |" in page, key


def test_the_tables_are_up_to_date() -> None:
    for page, text in PAGES.items():
        assert with_tables(text) == text, f"{page.name}: run python -m tools.docs_tables"


def test_configs_load(tmp_path: Path) -> None:
    for text in (block for page in PAGES.values() for kind, block in FENCE.findall(page) if kind == "json"):
        if '"players"' in text and "external" not in text and "python" not in text:
            (tmp_path / "config.json").write_text(text)
            assert load(tmp_path / "config.json").players


def test_every_page_is_in_the_index() -> None:
    index = PAGES[ROOT / "docs" / "README.md"] + PAGES[ROOT / "docs" / "lab" / "README.md"]
    assert {page.name for page in PAGES if "docs" in page.parts} <= set(re.findall(r"[\w-]+\.md", index))


def test_editors_find_no_fault_in_the_examples() -> None:
    validator = jsonschema_rs.Draft202012Validator(json.loads(schema_path().read_text("utf-8")))
    for file in EXAMPLES:
        assert [fault.message for fault in validator.iter_errors(json.loads(file.read_text("utf-8")))] == [], file.name


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.name)
def test_an_example_can_be_played(file: Path) -> None:
    """Play one game with random players: the contract tests play every player in every game."""
    config = load(file)
    players = tuple(configure("random", name=player.name) for player in config.players)
    config = replace(config, players=players, tournament=replace(config.tournament, opening_plies=0))
    assert not play_game(next(schedule(config, 1)).jobs[0]).reason


def test_the_examples_are_the_experiments_of_the_pages() -> None:
    configs = {file.stem: load(file) for file in EXAMPLES}
    tuned = [config for config in configs.values() if config.tune]
    assert [axis.key for config in tuned for axis in Tuning(config).axes] == ["mcts_exploration"]
    swept = {(configs[name].game.game, name.split("-")[1]) for name in configs if name.startswith("sweep")}
    varied = ("depth", "exploration", "playouts", "simulations")
    assert swept == {(game, option) for game in ("othello", "ultimate_tictactoe") for option in varied}
    assert [max_games(configs[name]) for name in configs if name.startswith("report")] == [6000, 2400, 36, 4200, 60]


@pytest.mark.usefixtures("data_dir")
def test_every_example_of_help_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for module in ("server", "terminal"):
        monkeypatch.setattr(f"othello.cli.{module}.end_process", sys.exit)
    with redirect_stdout(StringIO()) as out, suppress(SystemExit):
        parse(["--help"])
    first, _, text = out.getvalue().partition("\nexamples")[2].partition("\n")
    (tmp_path / "duel.json").write_text(re.findall(r"{.*}", first)[0])
    examples = re.findall(r"^  othello(.*?)(?:  .*)?$", text, flags=re.MULTILINE)
    assert len(examples) > 10
    for example in examples:
        words = shlex.split(example)
        parse(words)
        if words and words[0] != "tune":  # those open a window, and tune plays for hours
            monkeypatch.setattr(sys, "stdin", StringIO("quit\n"))
            try:
                status = main(words)
            except SystemExit as end:
                status = int(end.code or 0)
            assert (status, capsys.readouterr().err) == (0, ""), example
    assert (tmp_path / "page" / "report.html").is_file()


def test_every_example_of_the_pages_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    blocks = (block for page in PAGES.values() for kind, block in FENCE.findall(page) if not kind)  # no synopses
    examples = re.findall(r"^(?:\$ )?othello (?!/)(.*?)(?:  .*)?$", "\n".join(blocks), flags=re.MULTILINE)
    assert len(examples) > 10
    for example in examples:
        config = getattr(parse(shlex.split(example)), "config", None)
        if config is not None and config.parts[0] == "examples":
            assert load(config).players
