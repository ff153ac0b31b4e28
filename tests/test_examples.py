"""The configs that come with the program, and the commands in `othello --help` and in the pages."""

import json
import os
import re
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import jsonschema_rs
import pytest

from othello.cli.arguments import parse
from othello.config_file import load
from othello.players.player_registry import configure
from othello.resources import schema_path
from othello.tournament.executor import play_game
from othello.tournament.schedule import max_games, schedule
from othello.tournament.tuning import Tuning
from tools.docs_tables import ROOT, pages

EXAMPLES = sorted((ROOT / "examples").glob("*.json"))


def test_editors_find_no_fault_in_the_examples() -> None:
    validator = jsonschema_rs.Draft202012Validator(json.loads(schema_path().read_text("utf-8")))
    for file in EXAMPLES:
        faults = validator.iter_errors(json.loads(file.read_text("utf-8")))
        assert [fault.message for fault in faults] == [], file.name


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.name)
def test_examples_can_be_played(file: Path) -> None:
    """Play one game with random players: the contract tests play every player in every game."""
    config = load(file)
    players = tuple(configure("random", name=player.name) for player in config.players)
    config = replace(config, players=players, tournament=replace(config.tournament, opening_plies=0))
    assert not play_game(next(schedule(config, 1)).jobs[0]).reason


def test_the_example_of_tuning_can_be_tuned() -> None:
    tuned = [config for config in map(load, EXAMPLES) if config.tune]
    assert [axis.key for config in tuned for axis in Tuning(config).axes] == ["mcts_exploration"]


def test_sweeps_vary_the_options_of_the_experiments() -> None:
    games = {(load(file).game.game, file.stem.split("-")[1]) for file in EXAMPLES if file.stem.startswith("sweep")}
    swept = ("depth", "exploration", "playouts", "simulations")
    assert games == {(game, option) for game in ("othello", "ultimate_tictactoe") for option in swept}


def test_the_number_of_games_of_the_experiments() -> None:
    assert [max_games(load(file)) for file in EXAMPLES if file.stem.startswith("report")] == [6000, 2400, 36, 4200, 60]


DUEL = '{"players": [{"player_type": "mcts_uct"}, {"player_type": "heuristic"}]}'


def in_help(capsys: pytest.CaptureFixture[str]) -> list[str]:
    with pytest.raises(SystemExit):
        parse(["--help"])
    text = capsys.readouterr().out.partition("\nexamples")[2]
    assert DUEL in text.partition("\n")[0]
    return re.findall(r"^  (othello.*?)(?:  .*)?$", text, flags=re.MULTILINE)


def in_docs() -> list[str]:
    """Return the commands in blocks without a language. Synopses are blocks of `text`."""
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", "\n".join(pages().values()), flags=re.MULTILINE | re.DOTALL)
    commands = "\n".join(block for language, block in blocks if not language)
    return re.findall(r"^(?:\$ )?(othello (?!/).*?)(?:  .*)?$", commands, flags=re.MULTILINE)


def test_every_example_of_help_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "duel.json").write_text(DUEL)
    environment = os.environ | {"OTHELLO_DATA_DIR": str(tmp_path / "data")}
    examples = in_help(capsys)
    assert len(examples) > 10
    for example in examples:
        _, *words = shlex.split(example)
        parse(words)
        if words and words[0] != "tune":  # those open a window, and tune plays for hours
            command = [sys.executable, "-P", "-m", "othello", *words]
            ran = subprocess.run(
                command, cwd=tmp_path, env=environment, input="quit\n", capture_output=True, text=True, check=False
            )
            assert (ran.returncode, ran.stderr) == (0, ""), example
    assert (tmp_path / "page" / "report.html").is_file()


@pytest.mark.parametrize("example", in_docs())
def test_every_example_of_the_docs_is_parsed(example: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    arguments = parse(shlex.split(example)[1:])
    config = getattr(arguments, "config", None)
    if config is not None and config.parts[0] == "examples":
        assert load(config).players
