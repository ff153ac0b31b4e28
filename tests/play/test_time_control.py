"""Clocks for a whole game."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from othello.play.time_control import GameClock, allotment


@given(st.floats(0.2, 10_000), st.floats(0, 100), st.integers(1, 60))
def test_a_move_never_gets_all_that_is_left(remaining: float, increment: float, empties: int) -> None:
    assert 0 < allotment(remaining, increment, empties) < remaining


@given(st.floats(1, 3600), st.floats(0, 10))
def test_who_takes_what_is_allotted_ends_the_game_in_time(seconds: float, increment: float) -> None:
    clock = GameClock(seconds, increment)
    for empties in range(60, 0, -2):
        share = clock.allotment(empties)
        assert share is not None
        assert clock.spend(share)


def test_next_to_nothing_is_allotted_when_nothing_is_left() -> None:
    assert 0 < allotment(0.0, 0.0, 10) <= 0.001


def test_the_time_runs_out() -> None:
    clock = GameClock(2.0, 1.0)
    assert clock.spend(1.5)
    assert clock.remaining == pytest.approx(1.5)
    assert not clock.spend(1.6)
    assert clock.used == pytest.approx(3.1)


def test_without_a_limit_it_only_counts() -> None:
    clock = GameClock(None)
    assert clock.allotment(20) is None
    assert clock.spend(1e6)
    assert clock.used == 1e6
