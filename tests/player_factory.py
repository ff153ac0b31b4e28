"""Computer players with options that fit them, and their reports."""

from typing import Any, Final

import pytest

from othello.config import PlayerConfig
from othello.game import AnyGame, Game
from othello.players.mcts_player import MctsPlayer
from othello.players.player import Player, final_report
from othello.players.player_registry import COMPUTERS, PLAYERS, configure, create_player, unsupported_reason
from othello.rules.othello import OthelloPosition
from othello.rules.protocol import GameSpec
from othello.schema import options_of
from othello.search.report import SearchReport
from othello.search.stop import StopFlag
from tests.positions import RULES, SPEC

MCTS_TYPES: Final = [name for name, kind in PLAYERS.items() if issubclass(kind, MctsPlayer)]


def game_at(position: OthelloPosition) -> AnyGame:
    return Game.new(RULES, position)


def fitting(player_type: str, **options: Any) -> PlayerConfig:
    """Return a player's config with the options that it has."""
    known = options_of(PLAYERS[player_type].config_type)
    return configure(player_type, **{key: value for key, value in options.items() if key in known})


def playing(player_type: str, spec: GameSpec, level: int = 1, **options: Any) -> PlayerConfig | None:
    """Return a player as `fitting` does, with a level if it needs one in such games; None if it does not play them."""
    tried = [options]
    if "level" in options_of(PLAYERS[player_type].config_type):
        tried.append({"level": level})
    configs = (fitting(player_type, **chosen) for chosen in tried)
    return next((config for config in configs if unsupported_reason(config, spec) is None), None)


def marks_of(config: Any) -> tuple[pytest.MarkDecorator, ...]:
    """Return the marks of a test: slow with cut playouts, for which every kind of search is compiled, but for one."""
    is_slow = getattr(config, "mcts_playout_plies", 0) and config.player_type != "mcts_ucb1"
    return (pytest.mark.slow,) if is_slow else ()


def endless(player_type: str, spec: GameSpec = SPEC, **more: Any) -> PlayerConfig | None:
    """Return a player with the highest bounds that it accepts; None if it does not play such games."""
    options = options_of(PLAYERS[player_type].config_type).values()
    bounds = {option.name: option.maximum for option in options if option.is_bound}
    return playing(player_type, spec, 10, **bounds, **more)


SEARCHERS: Final = [
    name for name in COMPUTERS if any(option.is_bound for option in options_of(PLAYERS[name].config_type).values())
]
"""The players with options that bound their searches."""


def ready(config: PlayerConfig, seed: int = 1, spec: GameSpec = SPEC) -> Player:
    player = create_player(config, spec)
    player.new_game(seed)
    return player


def answer(config: PlayerConfig, position: OthelloPosition, seed: int = 1, analyse: bool = False) -> SearchReport:
    """Return the final report of a fresh player."""
    player = ready(config, seed)
    report = final_report(player, (player.analyse if analyse else player.think)(game_at(position), StopFlag()))
    assert 0 <= report.seconds < 600, "the time since the machine was started is longer"
    return report
