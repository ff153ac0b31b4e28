"""A time limit sets its flag once, and only during its search."""

import sys
import threading
import time
from unittest.mock import Mock

import pytest

from othello.search.stop import Deadline, StopFlag, earliest
from tests.waiting import wait_until

PATIENCE = 30.0


def test_the_shortest_limit_counts_and_no_limit_is_none() -> None:
    assert (earliest(None, 2.0, 1.0), earliest(None, None)) == (1.0, None)
    stop = StopFlag()
    with Deadline(None, stop):
        time.sleep(0.02)
    assert not stop.is_set


def test_a_search_begins_without_waiting_for_the_deadline_s_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[float] = []
    stop, interval = StopFlag(), sys.getswitchinterval()
    monkeypatch.setattr(stop, "wait", lambda: looks.append(stop.clock()))
    sys.setswitchinterval(PATIENCE)  # another thread runs only where this one waits
    try:
        with Deadline(1.0, stop):
            is_first = not looks
    finally:
        sys.setswitchinterval(interval)
    assert is_first


def test_a_deadline_does_not_stop_a_search_that_has_ended() -> None:
    whole = StopFlag()
    for seconds in (0.01, 0.02, 0.03):
        stop = whole.part()
        with Deadline(seconds, stop):
            ended_early = not stop.is_set
        time.sleep(2 * seconds)
        assert not (ended_early and stop.is_set)
        assert not whole.is_set


def test_a_deadline_is_earlier_by_the_delays_that_it_measures() -> None:
    for seconds, delay, end in ((1.0, 0.0, 0.995), (1.0, 0.002, 0.993), (0.006, 0.0, 0.003)):
        now, stop = [0.0], Mock()
        stop.clock.side_effect = lambda now=now: now[0]
        deadline = Deadline(seconds, stop)
        deadline._left = Mock()
        deadline._left.wait.side_effect = lambda nap, now=now, delay=delay: now.append(now.pop() + nap + delay)
        deadline._left.is_set.return_value = False
        deadline._watch(seconds, 0.0)
        assert now == pytest.approx([end])
        assert (stop.time_is_up.call_count, stop.wait.called) == (1, True)


def test_a_part_is_stopped_with_the_whole_but_not_the_whole_with_it() -> None:
    whole = StopFlag()
    part = whole.part()
    part.time_is_up()
    assert (part.is_set, whole.is_set) == (True, False)
    second = whole.part()
    assert not second.is_set
    whole.time_is_up()
    assert second.is_set
    assert not second.is_cancelled
    whole.cancel()
    assert second.is_cancelled
    assert whole.part().is_cancelled


def test_time_stands_still_in_a_pause_and_runs_out_after_it() -> None:
    stop = StopFlag()
    stop.set_paused(True)
    with Deadline(0.02, stop):
        before = stop.clock()
        time.sleep(0.1)
        assert stop.clock() == before
        assert not stop.is_set
        stop.set_paused(False)
        wait_until(lambda: stop.is_set, PATIENCE)
    assert not stop.is_cancelled


def test_no_pause_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    stop, seconds = StopFlag(), iter((10.0, 13.0, 20.0, 25.0, 40.0))
    monkeypatch.setattr("othello.search.stop.time", Mock(perf_counter=lambda: next(seconds)))
    for is_paused in (True, True, False, False, True, False):
        stop.set_paused(is_paused)
    assert stop.clock() == 40.0 - 3.0 - 5.0


def test_pausing_and_ending_a_search_pauses_and_ends_its_parts() -> None:
    whole = StopFlag()
    first = whole.part()
    whole.set_paused(True)
    parts = [first, whole.part()]
    waiting = [threading.Thread(target=part.wait, daemon=True) for part in parts]
    for thread in waiting:
        thread.start()
    waiting[0].join(0.02)
    assert all(thread.is_alive() for thread in waiting)
    assert not any(part.is_set for part in parts)
    first.time_is_up()
    waiting[0].join(PATIENCE)
    assert [thread.is_alive() for thread in waiting] == [False, True]
    whole.cancel()
    waiting[1].join(PATIENCE)
    assert not waiting[1].is_alive()
