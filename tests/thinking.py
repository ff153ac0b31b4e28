"""Asking computer players for moves."""

from __future__ import annotations

from othello.config import PlayerConfig
from othello.game import AnyGame, Game
from othello.players.player import choose
from othello.players.registry import create_player
from othello.rules.othello import OthelloPosition
from othello.search.report import SearchReport
from tests.positions import RULES, SPEC


def game_at(position: OthelloPosition) -> AnyGame:
    return Game.new(RULES, position)


def answer(config: PlayerConfig, position: OthelloPosition, seed: int = 1, analyse: bool = False) -> SearchReport:
    """The final report of a fresh player."""
    return choose(create_player(config, SPEC, seed, analyse), game_at(position))
