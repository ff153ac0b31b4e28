"""Options of a player that are lists of values."""

import json
from pathlib import Path
from typing import Any

from jsonschema_rs import Draft202012Validator

from othello.config import Config
from othello.config_file import load
from othello.sweep import read_label
from tests.command_line import RANDOM, write_config
from tools import config_schema


def config_of(folder: Path, *players: dict[str, Any]) -> Config:
    """Load a config that the schema for editors accepts."""
    file = write_config(folder, game_type="tournament", players=players)
    Draft202012Validator(json.loads(config_schema.text())).validate(json.loads(file.read_text()))
    return load(file)


def test_every_value_is_a_player_of_its_own(tmp_path: Path) -> None:
    config = config_of(
        tmp_path,
        {"player_type": "mcts_uct", "simulation_count": [10, 100], "mcts_exploration": 0.5},
        RANDOM,
        {"player_type": "heuristic", "name": "deep", "depth": [7, 8]},
        {"player_type": "mcts_uct", "mcts_final_move": ["max", "secure"]},
        {"player_type": "mcts_uct", "mcts_exploration": [1.4142135623730951]},
    )
    assert [player.name for player in config.players] == [
        "mcts_uct simulation_count=10",
        "mcts_uct simulation_count=100",
        "random",
        "deep depth=7",
        "deep depth=8",
        "mcts_uct mcts_final_move=max",
        "mcts_uct mcts_final_move=secure",
        "mcts_uct mcts_exploration=1.41421",
    ]
    found = [(getattr(each, "simulation_count", 0), getattr(each, "mcts_exploration", 0)) for each in config.players]
    assert found[:2] == [(10, 0.5), (100, 0.5)]
    match = load(write_config(tmp_path, players=[{"player_type": "heuristic", "depth": [7, 8]}]))
    notices = config_of(tmp_path, RANDOM, {**RANDOM, "depth": [1, 2]}).notices
    assert (len(match.players), len(notices), "players[1].depth" in notices[0]) == (2, 1, True)


def test_names_contain_the_varied_option() -> None:
    assert read_label("mcts_uct simulation_count=100") == ("mcts_uct", "simulation_count", "100")
    assert read_label("my own mcts_exploration=0.5") == ("my own", "mcts_exploration", "0.5")
    for name in ("mcts_uct", "a b=1", "depth=3", "name=A x", "A name=B"):
        assert read_label(name) is None
