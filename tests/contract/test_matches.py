"""Tests for the matches of every computer player, in every game and rule set that it plays."""

from dataclasses import replace

import pytest

from othello.config import PlayerConfig
from othello.play.referee import GameJob
from othello.players.player_registry import COMPUTERS
from othello.records.record import GameRecord
from othello.rules.protocol import Color, Position, Rules
from othello.tournament.executor import play_game
from tests.player_factory import fitting, playing
from tests.rule_sets import each_pairing

SHORT = {"simulation_count": 20, "learning_episodes": 20, "depth": 1, "grouping_opening_plies": 0}


def match(player: PlayerConfig, rules: Rules[Position], seed: int) -> GameRecord:
    """Return a game of a player against a random one, without the times."""
    players = player, fitting("random", name="chance")
    record = play_game(GameJob(1, 1, players, rules.spec, seed, rules.random_opening_plies, time_margin_seconds=3600.0))
    return replace(record, black_seconds=0.0, white_seconds=0.0)


@each_pairing(COMPUTERS)
def test_a_match(player: str, rules: Rules[Position]) -> None:
    config = playing(player, rules.spec, **SHORT)
    if config is None:
        pytest.skip("does not play this")
    record = match(config, rules, 7)
    assert (record.reason, record.spec, record.opening_plies) == ("", rules.spec, rules.random_opening_plies)
    assert match(config, rules, 7) == record
    assert record.points(Color.BLACK) + record.points(Color.WHITE) == 1
    game = record.replayed()
    assert game.outcome is not None
    assert game.outcome.winner == record.winner
    assert rules.score(game.position) == (record.black_points, record.white_points)
