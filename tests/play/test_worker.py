"""The worker thread, with correct and faulty players."""

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar
from unittest.mock import Mock

import pytest

from othello.game import AnyGame, Game
from othello.play import worker
from othello.play.referee import GameJob
from othello.play.start_positions import opening_of
from othello.players.player_registry import configure
from othello.rules.registry import game_spec
from othello.search.report import SearchReport
from othello.search.stop import StopFlag
from tests.play.fake_players import FirstMove, Hanging, Slow, computer, make_player, report
from tests.positions import RULES, SPEC
from tests.waiting import wait_until

DEADLINE = 90.0  # kernels may be compiled
Kind = TypeVar("Kind")
START: AnyGame = Game.new(RULES)


class MessageReader:
    """Collects a worker's messages."""

    def __init__(self, started: worker.Worker) -> None:
        self.worker = started
        self.unread: list[worker.News] = []

    def wait_for(self, kind: type[Kind]) -> Kind:
        """Return the next message of a type, and drop those before it."""
        while True:
            wait_until(self.poll, DEADLINE)
            if isinstance(item := self.unread.pop(0), kind):
                return item

    def poll(self) -> list[worker.News]:
        self.unread += self.worker.poll()
        return self.unread

    def all_until(self, kind: type[object]) -> list[type[object]]:
        """Return the types of all messages up to the next one of a type."""
        kinds: list[type[object]] = []
        while not kinds or kinds[-1] is not kind:
            kinds.append(type(self.wait_for(object)))
        return kinds

    def ask(self, kind: str, until: type[object] | None = None, seed: int = 1) -> None:
        """Ask a player, and wait for a message of a type."""
        self.worker.submit(START, worker.PlayerRequest(computer(kind), SPEC, seed))
        if until is not None:
            self.wait_for(until)

    def assert_answers(self) -> None:
        """Ask another player, whose answer must be the next one."""
        self.ask("first")
        assert self.wait_for(worker.SearchAnswered).report.player == "first"


Start = Callable[..., MessageReader]


@pytest.fixture
def start() -> Iterator[Start]:
    """Return a function that starts a worker, which ends with the test."""
    readers: list[MessageReader] = []

    def start_worker(*arguments: Any, **options: Any) -> MessageReader:
        readers.append(MessageReader(worker.Worker(*arguments, **options)))
        return readers[-1]

    Slow.finish.clear()
    Hanging.woken.clear()
    FirstMove.released.clear()
    yield start_worker
    Hanging.woken.set()
    assert all(reader.worker.close(DEADLINE) for reader in readers)


@pytest.fixture
def messages(start: Start) -> MessageReader:
    return start(make_player, grace_seconds=0.05)


@pytest.mark.parametrize("is_prepared", [True, False])
def test_a_request_is_answered(messages: MessageReader, is_prepared: bool) -> None:
    if is_prepared:
        messages.worker.prepare([computer("first"), computer("first")], SPEC)
    messages.ask("first")
    expected = [worker.Preparing, worker.Preparing, worker.Started]
    assert messages.all_until(worker.Started) == expected, "announced once, by begin and end"
    assert messages.wait_for(worker.SearchAnswered).report.move == 19
    assert not messages.worker.is_busy


def test_progress_is_reported_until_the_search_ends(messages: MessageReader) -> None:
    messages.worker.expand_lines([()])
    messages.ask("slow")
    first, second = (messages.wait_for(worker.SearchProgress).report for _ in range(2))
    assert (second.simulations > first.simulations, [*second.below]) == (True, [()])
    Slow.finish.set()
    assert messages.wait_for(worker.SearchAnswered).report.final


def test_an_opening_is_drawn(messages: MessageReader) -> None:
    job = GameJob(1, 1, (computer("first"),) * 2, game_spec(options={"start": "random"}), 7, opening_plies=8)
    messages.worker.submit(START, job)
    assert messages.wait_for(worker.OpeningDrawn) == worker.OpeningDrawn(opening_of(job))
    assert not messages.worker.is_busy


def test_a_book_move_is_reported_before_a_silent_search(start: Start) -> None:
    class Reader(Slow):
        def think(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
            yield replace(report(game), from_book=True)
            self.finish.wait()
            yield report(game, final=True)

    messages = start(lambda config, _: Reader(config, RULES))
    messages.ask("slow", worker.SearchProgress)
    Slow.finish.set()
    messages.wait_for(worker.SearchAnswered)


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("raising", "RuntimeError: the tree is full"),
        ("exiting", "SystemExit: 1"),
        ("illegal", "answered with d4, which is not legal; legal: d3, c4, f5, e6"),
        ("nonsense", "AttributeError: 'str' object has no attribute 'final'"),
        ("silent", "silent finished its search without choosing a move"),
        ("unprepared", "OSError: no compiler here"),
        ("unknown", "KeyError: 'unknown'"),
    ],
)
def test_a_failure_is_one_line_and_the_thread_continues(
    messages: MessageReader, kind: str, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    if kind == "unprepared":
        messages.worker.prepare([computer(kind)], SPEC)
        messages.wait_for(worker.Preparing)
        assert messages.wait_for(worker.Preparing).player is None
    messages.ask(kind)
    assert str(messages.wait_for(worker.Failed).reason) == reason
    logged = [f"{kind} could not be prepared"] if kind == "unprepared" else []
    assert [row.split(" ")[-3:] for row in caplog.messages] == [row.split(" ")[-3:] for row in (*logged, "at move 1")]
    messages.assert_answers()


def test_a_cancelled_search_has_no_answer(messages: MessageReader) -> None:
    messages.ask("slow", worker.SearchProgress)
    messages.worker.cancel()
    wait_until(lambda: messages.poll() is not None and not messages.worker.is_busy, DEADLINE)
    assert not any(isinstance(item, (worker.SearchAnswered, worker.Failed)) for item in messages.unread)


def test_a_paused_search_makes_at_most_one_more_slice_and_continues_there(messages: MessageReader) -> None:
    messages.ask("slow", worker.SearchProgress)
    messages.worker.set_paused(True)
    begun = Slow.visits
    time.sleep(0.05)
    assert Slow.visits <= begun + 1000
    assert not any(isinstance(item, worker.SearchAnswered) for item in messages.worker.poll())
    messages.worker.set_paused(False)
    assert messages.wait_for(worker.SearchProgress).report.simulations > begun
    messages.worker.set_paused(True)
    messages.worker.move_now()
    assert messages.wait_for(worker.SearchAnswered).report.final
    messages.ask("slow")
    messages.worker.set_paused(True)
    messages.assert_answers()


@pytest.mark.parametrize("is_finished", [True, False])
def test_answers_to_replaced_requests_are_dropped(messages: MessageReader, is_finished: bool) -> None:
    messages.ask("slow", worker.SearchProgress)
    if is_finished:
        Slow.finish.set()
        time.sleep(0.05)  # the answer is in the queue
    messages.assert_answers()
    assert messages.worker.poll() == []


def test_a_request_that_was_replaced_before_its_turn_is_never_started(messages: MessageReader) -> None:
    messages.ask("slow", worker.SearchProgress)
    messages.ask("raising")
    messages.ask("first")
    assert messages.all_until(worker.SearchAnswered)[-2:] == [worker.Started, worker.SearchAnswered]
    assert messages.worker.poll() == []


def test_an_analysis_rates_every_move_and_saves_nothing(start: Start) -> None:
    messages = start(make_player, analyses=True)
    messages.ask("forgetful")
    assert messages.wait_for(worker.SearchAnswered).report.player == "analyst"
    messages.worker.dismiss(START)
    messages.ask("forgetful")
    assert worker.SaveFailed not in messages.all_until(worker.SearchAnswered)


def test_a_player_that_cannot_be_saved_or_released_is_reported(
    messages: MessageReader, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    messages.ask("forgetful", worker.SearchAnswered)
    monkeypatch.setattr(FirstMove, "release", Mock(side_effect=SystemExit))
    messages.worker.dismiss(START)
    assert messages.wait_for(worker.SaveFailed).reason == messages.worker.save_failure
    messages.assert_answers()
    assert caplog.messages == ["forgetful could not keep what it learned", "forgetful could not be released"]
    messages.worker.dismiss(START)
    assert messages.worker.save_failure is None


def test_players_are_released_exactly_once(messages: MessageReader) -> None:
    messages.worker.prepare([computer("first")], SPEC)
    for seed in range(3):
        messages.ask("first", worker.SearchAnswered, seed)
    messages.worker.dismiss(START)
    messages.ask("raising", worker.Failed)
    assert messages.worker.close(DEADLINE)
    assert len(FirstMove.released) == len(set(map(id, FirstMove.released))) == 4


def test_a_hanging_player_is_replaced_and_its_late_answer_is_dropped(
    messages: MessageReader, caplog: pytest.LogCaptureFixture
) -> None:
    messages.ask("hanging", worker.Started)
    messages.assert_answers()
    assert caplog.messages == ["a cancelled player did not stop within 0.05 s; its thread is abandoned"]
    Hanging.woken.set()
    time.sleep(0.05)
    assert messages.worker.poll() == []


def test_more_requests_do_not_prolong_the_wait_for_a_hanging_player(start: Start) -> None:
    now = 0.0
    messages = start(make_player, clock=lambda: now, grace_seconds=1.0)
    messages.ask("hanging", worker.Started)
    for _ in range(3):
        now += 0.6
        messages.ask("first")
    assert messages.wait_for(worker.SearchAnswered).report.player == "first"


def test_close_returns_whether_all_threads_have_ended(messages: MessageReader) -> None:
    messages.ask("hanging", worker.Started)
    assert not messages.worker.close(0.01)
    Hanging.woken.set()
    assert messages.worker.close(DEADLINE)


@pytest.mark.skipif(sys.platform != "linux", reason="a priority is a thread's own on Linux alone")
def test_a_search_gives_way_to_the_window(start: Start) -> None:
    def priority() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    class Watching(FirstMove):
        def think(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
            found.append(priority())
            yield from super().think(game, stop, seconds)

    found, own = list[int](), priority()
    messages = start(lambda config, _: Watching(config, RULES))
    messages.ask("first", worker.SearchAnswered)
    assert (found, priority()) == ([max(5, own)], own)


def test_a_player_is_made_once(start: Start) -> None:
    make, given = Mock(side_effect=make_player), make_player(computer("second"), SPEC)
    messages = start(make, ready={(computer("second"), SPEC): given})
    messages.worker.prepare([computer("first"), computer("second")], SPEC)
    for name in ("first", "second"):
        messages.ask(name, worker.SearchAnswered)
    make.assert_called_once_with(computer("first"), SPEC)
    messages.worker.prepare([computer("slow"), computer("silent"), computer("raising")], SPEC)
    assert messages.worker.close(DEADLINE)
    assert len(FirstMove.released) == 5, "all players are released"


def test_a_player_saves_what_it_has_learned_when_the_game_is_over(start: Start, tmp_path: Path) -> None:
    file = tmp_path / "learned.npz"
    messages = start()
    messages.worker.submit(START, worker.PlayerRequest(configure("mcts_uct", mcts_tree_file=str(file)), SPEC, 1), 5.0)
    messages.wait_for(worker.SearchAnswered)
    assert not file.exists()
    messages.worker.dismiss(START)
    assert messages.worker.close(DEADLINE)
    assert file.exists()
