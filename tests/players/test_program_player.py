"""Other programs as players: they play like ours, and what they do wrong is their own."""

from __future__ import annotations

import pytest

from othello.play.referee import Job
from othello.players.registry import configure
from othello.tournament.crew import play_game
from tests.positions import SPEC
from tests.programs.opponents import seat


@pytest.mark.parametrize("protocol", ["gtp", "nboard", "json"])
def test_a_program_plays_a_whole_game(protocol: str) -> None:
    record = play_game(Job(1, 1, (seat(protocol), configure("random")), SPEC, 7))
    assert record.reason == ""
    assert record.black == protocol


def test_what_a_program_does_wrong_loses_its_game() -> None:
    record = play_game(Job(1, 1, (configure("random"), seat("gtp", "occupied")), SPEC, 7))
    assert record.winner_name == "random"
    assert "answered with d4, which is not legal" in record.reason
