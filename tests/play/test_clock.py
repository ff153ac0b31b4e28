"""Clocks for a whole game."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from othello.play.clock import Clock, allotment
from othello.play.pace import Pace
from othello.rules.protocol import Color
from tests.play.faulty import PERSON


def test_only_the_running_side_uses_time() -> None:
    clock = Clock().started(Color.BLACK, 10.0)
    assert (clock.used(Color.BLACK, 12.5), clock.used(Color.WHITE, 12.5)) == (2.5, 0.0)


def test_starting_the_other_side_stops_the_first() -> None:
    clock = Clock().started(Color.BLACK, 0.0).started(Color.WHITE, 3.0).stopped(5.0)
    assert (clock.spent, clock.running) == ((3.0, 2.0), None)


def test_starting_and_stopping_twice_changes_nothing() -> None:
    clock = Clock().started(Color.BLACK, 1.0).started(Color.BLACK, 2.0).stopped(4.0).stopped(9.0)
    assert clock.used(Color.BLACK, 9.0) == 3.0


def test_time_never_runs_backwards() -> None:
    assert Clock().started(Color.WHITE, 5.0).stopped(4.0).used(Color.WHITE, 5.0) == 0.0


def test_the_time_runs_out_and_increments_add_to_it() -> None:
    seat = replace(PERSON, clock_seconds=2.0)
    clock = Clock().started(Color.WHITE, 0.0).stopped(1.5).gaining(Color.WHITE, 1.0)
    assert clock.remaining(Color.WHITE, seat, 9.0) == pytest.approx(1.5)
    assert clock.started(Color.WHITE, 9.0).remaining(Color.WHITE, seat, 10.6) == pytest.approx(-0.1)
    assert clock.remaining(Color.WHITE, PERSON, 9.0) is None


@given(st.floats(0.2, 10_000), st.floats(0, 100), st.integers(1, 60), st.integers(0, 60))
def test_a_move_never_gets_all_that_is_left(remaining: float, increment: float, moves: int, solved: int) -> None:
    assert 0 < allotment(remaining, increment, moves, solved) < remaining


@given(st.floats(1, 3600), st.floats(0, 10), st.integers(0, 24))
def test_who_takes_what_is_allotted_ends_the_game_in_time(seconds: float, increment: float, solved: int) -> None:
    for moves in range(60, 0, -2):
        seconds -= allotment(seconds, increment, moves, solved)
        assert seconds >= 0
        seconds += increment


def test_next_to_nothing_is_allotted_when_nothing_is_left() -> None:
    assert 0 < allotment(0.0, 0.0, 10) <= 0.001


def test_time_goes_to_the_moves_before_the_end_is_solved() -> None:
    even, late = allotment(60.0, 0.0, 23), allotment(60.0, 0.0, 23, solved=20)
    assert late > 4 * even
    assert allotment(60.0, 0.0, 60, solved=20) > allotment(60.0, 0.0, 60)


def test_players_who_change_colours_take_what_they_gained_along() -> None:
    before = Clock((3.0, 1.0), (5.0, 2.0))
    after = before.swapped(0.0)
    for color in Color:
        seat = replace(PERSON, clock_seconds=60.0)
        assert after.remaining(color.opponent, seat, 0.0) == before.remaining(color, seat, 0.0)


@pytest.mark.parametrize("moves", [1, 2])
def test_time_is_kept_for_a_move_more_than_is_expected(moves: int) -> None:
    assert 4.0 < allotment(10.0, 0.0, moves) <= 5.0


@pytest.mark.parametrize(("delay", "shown"), [(0.0, 1.0), (0.4, 1.0), (3.0, 3.0)])
def test_a_pass_between_computers_can_be_read(delay: float, shown: float) -> None:
    assert Pace(delay).due(is_pass=True, is_watched=True) == shown
