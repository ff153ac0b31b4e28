"""The configs that come with the program."""

import json
from dataclasses import replace
from pathlib import Path

import jsonschema_rs
import pytest

from othello.config_file import load
from othello.players.player_registry import configure
from othello.resources import schema_path
from othello.tournament.executor import play_game
from othello.tournament.schedule import max_games, schedule
from othello.tournament.tuning import Tuning

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.json"))


def test_editors_find_no_fault_in_the_examples() -> None:
    judge = jsonschema_rs.Draft202012Validator(json.loads(schema_path().read_text("utf-8")))
    assert {
        file.name: [fault.message for fault in judge.iter_errors(json.loads(file.read_text("utf-8")))]
        for file in EXAMPLES
    } == {file.name: [] for file in EXAMPLES}


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.name)
def test_examples_can_be_played(file: Path) -> None:
    """Play one game with players who need no time: the contract tests play every player in every game."""
    config = load(file)
    players = tuple(configure("random", name=player.name) for player in config.players)
    config = replace(config, players=players, tournament=replace(config.tournament, opening_plies=0))
    assert not play_game(next(schedule(config, 1)).jobs[0]).reason


def test_what_examples_tune_can_be_tuned() -> None:
    assert [file.stem for file in EXAMPLES if (config := load(file)).tune and Tuning(config).axes] == [
        "tune-exploration-ultimate"
    ]


def test_shipped_sweeps_are_those_that_the_experiments_ask_for() -> None:
    games = {(load(file).game.game, file.stem.split("-")[1]) for file in EXAMPLES if file.stem.startswith("sweep")}
    swept = ("depth", "exploration", "playouts", "simulations")
    assert games == {(game, option) for game in ("othello", "ultimate_tictactoe") for option in swept}


def test_the_reports_experiment() -> None:
    assert [max_games(load(file)) for file in EXAMPLES if file.stem.startswith("report")] == [6000, 2400, 36, 4200, 60]
