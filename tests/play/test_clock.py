from othello.play.clock import TurnClock
from othello.rules.protocol import Color


def test_only_the_running_side_uses_time() -> None:
    clock = TurnClock()
    clock.start(Color.BLACK, 10.0)
    assert clock.used(Color.BLACK, 12.5) == 2.5
    assert clock.used(Color.WHITE, 12.5) == 0.0


def test_starting_the_other_side_stops_the_first() -> None:
    clock = TurnClock()
    clock.start(Color.BLACK, 0.0)
    clock.start(Color.WHITE, 3.0)
    clock.stop(5.0)
    assert (clock.used(Color.BLACK, 99.0), clock.used(Color.WHITE, 99.0)) == (3.0, 2.0)
    assert clock.running is None


def test_starting_and_stopping_twice_changes_nothing() -> None:
    clock = TurnClock()
    clock.start(Color.BLACK, 1.0)
    clock.start(Color.BLACK, 2.0)
    clock.stop(4.0)
    clock.stop(9.0)
    assert clock.used(Color.BLACK, 9.0) == 3.0


def test_time_never_runs_backwards() -> None:
    clock = TurnClock()
    clock.start(Color.WHITE, 5.0)
    clock.stop(4.0)
    assert clock.used(Color.WHITE, 5.0) == 0.0
