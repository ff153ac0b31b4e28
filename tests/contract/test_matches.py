"""Tests for the matches of every computer player, in every game and rule set that it plays."""

from dataclasses import replace

import pytest

from othello.play.referee import GameJob
from othello.players.player_registry import COMPUTERS
from othello.rules.protocol import Color, Position, Rules
from othello.tournament.executor import play_game
from tests.contract.test_players import SHORT
from tests.player_factory import fitting, playing
from tests.rule_sets import each_pairing


@each_pairing(COMPUTERS)
def test_a_match(player: str, rules: Rules[Position]) -> None:
    able = playing(player, rules.spec, **SHORT)
    if able is None:
        pytest.skip("does not play this")
    players = able, fitting("random", name="chance")
    job = GameJob(1, 1, players, rules.spec, 7, rules.random_opening_plies, time_margin_seconds=3600.0)
    record, again = (replace(play_game(job), black_seconds=0.0, white_seconds=0.0) for _ in range(2))
    assert again == record
    assert (record.reason, record.spec, record.opening_plies) == ("", rules.spec, rules.random_opening_plies)
    assert record.points(Color.BLACK) + record.points(Color.WHITE) == 1
    game = record.replayed()
    assert game.outcome is not None
    assert game.outcome.winner == record.winner
    assert rules.score(game.position) == (record.black_points, record.white_points)
