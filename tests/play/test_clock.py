"""Clocks for a whole game."""

from collections.abc import Callable
from dataclasses import replace
from math import inf

import pytest
from hypothesis import given, strategies as st

from othello.play.clock import Clock, move_time
from othello.play.playback import PlaybackSpeed
from othello.rules.protocol import Color
from tests.play.fake_players import PERSON

BLACK, WHITE = Color


@pytest.mark.parametrize(
    ("clock", "now", "used"),
    [
        pytest.param(Clock().started(BLACK, 10.0), 12.5, (2.5, 0.0), id="running"),
        pytest.param(
            Clock().started(BLACK, 0.0).started(WHITE, 3.0).stopped(5.0), 9.0, (3.0, 2.0), id="one side after the other"
        ),
        pytest.param(
            Clock().started(BLACK, 1.0).started(BLACK, 2.0).stopped(4.0).stopped(9.0), 9.0, (3.0, 0.0), id="twice"
        ),
        pytest.param(Clock().started(WHITE, 5.0).stopped(4.0), 5.0, (0.0, 0.0), id="never backwards"),
    ],
)
def test_used_time(clock: Clock, now: float, used: tuple[float, float]) -> None:
    assert (clock.used(BLACK, now), clock.used(WHITE, now)) == used


def test_time_runs_out_and_increments_are_added() -> None:
    seat = replace(PERSON, clock_seconds=2.0)
    clock = Clock().started(Color.WHITE, 0.0).stopped(1.5).gaining(Color.WHITE, 1.0)
    assert clock.remaining(Color.WHITE, seat, 9.0) == pytest.approx(1.5)
    assert clock.started(Color.WHITE, 9.0).remaining(Color.WHITE, seat, 10.6) == pytest.approx(-0.1)
    assert clock.remaining(Color.WHITE, PERSON, 9.0) is None


def _solver(empties: int) -> Callable[[int], float]:
    """Return a function for a player that solves one empty square more in twice the time, starting with a second."""
    return lambda moves: 2.0 ** (moves - empties)


ENDS = st.sampled_from([lambda _: inf, lambda moves: 0.0 if moves <= 12 else inf, _solver(16), _solver(24)])


@given(st.floats(0.2, 10_000), st.floats(0, 100), st.integers(1, 60), ENDS, st.floats(0.3, 1))
def test_a_move_gets_more_of_more_time_but_never_all(
    remaining: float, increment: float, moves: int, ends: Callable[[int], float], used: float
) -> None:
    plan = move_time(remaining, increment, moves, ends, used=lambda _: used)
    assert 0 < plan <= remaining / 2
    assert plan <= move_time(1.1 * remaining, increment, moves, ends, used=lambda _: used)


@given(st.floats(1, 3600), st.floats(0, 10), ENDS, st.floats(0.5, 1))
def test_allotted_time_is_enough(seconds: float, increment: float, ends: Callable[[int], float], used: float) -> None:
    """One player uses all of its time per move, the other the share that it declares, until the endgame is solved."""
    for share in (1.0, used):
        left = seconds
        for moves in range(60, 0, -2):
            plan = share * move_time(left, increment, moves, ends, used=lambda _: used)
            left -= min(plan, ends(moves))
            assert left > 0
            left += increment
        assert increment or left < 0.3 * seconds


def test_time_goes_to_the_moves_before_the_end_is_solved() -> None:
    even, hasty = (move_time(60.0, 0.0, 60, ends) for ends in (lambda _: inf, _solver(20)))
    assert 1.3 * even < hasty < 2 * even
    assert move_time(3600.0, 0.0, 60, _solver(20)) > 60 * hasty  # with more time, an earlier end is worth solving
    assert move_time(10.0, 0.0, 40, stones=1, used=lambda _: 0.5) == pytest.approx(9.9)  # what is left of it is lost
    assert move_time(10.0, 0.0, 40, stones=4) == pytest.approx(2.475)
    assert 0 < move_time(0.0, 0.0, 10) <= 0.001, "nothing is left"


def test_swapped_players_keep_their_time() -> None:
    before = Clock((3.0, 1.0), (5.0, 2.0))
    after = before.swapped(0.0)
    for color in Color:
        seat = replace(PERSON, clock_seconds=60.0)
        assert after.remaining(color.opponent, seat, 0.0) == before.remaining(color, seat, 0.0)


@pytest.mark.parametrize(("delay", "shown"), [(0.0, 1.0), (0.4, 1.0), (3.0, 3.0)])
def test_a_pass_between_computers_is_shown_for_a_second_or_more(delay: float, shown: float) -> None:
    assert PlaybackSpeed(delay).due(is_pass=True, is_watched=True) == shown
