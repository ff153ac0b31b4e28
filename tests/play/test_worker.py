"""The worker thread, with well-behaved and faulty players."""

import os
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar

import pytest

from othello.config import PlayerConfig
from othello.game import AnyGame, Game
from othello.play.referee import GameJob
from othello.play.start_positions import opening_of
from othello.play.worker import (
    Failed,
    News,
    OpeningDrawn,
    PlayerRequest,
    Preparing,
    SaveFailed,
    SearchAnswered,
    SearchProgress,
    Started,
    Worker,
)
from othello.players.player import Player
from othello.rules.protocol import GameSpec
from othello.rules.registry import game_spec
from othello.search.report import SearchReport
from othello.search.stop import StopFlag
from tests.play.fake_players import FirstMove, Hanging, Slow, computer, make_player, report
from tests.positions import RULES, SPEC

DEADLINE = 20.0  # far more than is ever needed
Kind = TypeVar("Kind")


class MessageReader:
    """Collects a worker's messages."""

    def __init__(self, worker: Worker) -> None:
        self.worker = worker
        self.unread: list[News] = []

    def wait_for(self, kind: type[Kind]) -> Kind:
        """Return the next message of a type, and drop those before it."""
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end:
            self.unread += self.worker.poll()
            while self.unread:
                item = self.unread.pop(0)
                if isinstance(item, kind):
                    return item
            time.sleep(0.001)
        raise AssertionError(f"no {kind.__name__} in {DEADLINE} s")

    def all_until(self, kind: type[object]) -> list[type[object]]:
        """Return the types of all messages up to the next one of a type."""
        kinds: list[type[object]] = []
        while not kinds or kinds[-1] is not kind:
            kinds.append(type(self.wait_for(object)))
        return kinds


@pytest.fixture
def messages() -> Iterator[MessageReader]:
    Slow.finish.clear()
    Hanging.woken.clear()
    worker = Worker(make_player, grace_seconds=0.05)
    yield MessageReader(worker)
    Hanging.woken.set()
    assert worker.close(DEADLINE)


START: AnyGame = Game.new(RULES)


def request(kind: str, seed: int = 1) -> PlayerRequest:
    return PlayerRequest(computer(kind), SPEC, seed)


def test_a_request_is_answered(messages: MessageReader) -> None:
    messages.worker.submit(START, request("first"))
    assert messages.wait_for(SearchAnswered).report.move == 19
    assert not messages.worker.is_busy


def test_an_opening_is_drawn(messages: MessageReader) -> None:
    spec = game_spec(options={"start": "random"})
    job = GameJob(1, 1, (computer("first"), computer("first")), spec, 7, opening_plies=8)
    messages.worker.submit(START, job)
    assert messages.wait_for(OpeningDrawn) == OpeningDrawn(opening_of(job))
    assert not messages.worker.is_busy


def test_news_comes_in_order(messages: MessageReader) -> None:
    messages.worker.submit(START, request("first"))
    assert messages.all_until(SearchAnswered) == [Preparing, Preparing, Started, SearchAnswered]


def test_snapshots_arrive_while_the_player_thinks(messages: MessageReader) -> None:
    messages.worker.submit(START, request("slow"))
    first = messages.wait_for(SearchProgress)
    second = messages.wait_for(SearchProgress)
    assert second.report.simulations > first.report.simulations
    Slow.finish.set()
    assert messages.wait_for(SearchAnswered).report.final


def test_a_book_move_is_reported_before_a_silent_search() -> None:
    class Reader(Slow):
        def think(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
            yield replace(report(game), from_book=True)
            self.finish.wait()
            yield report(game, final=True)

    Slow.finish.clear()
    worker = Worker(lambda config, _: Reader(config, RULES))
    worker.submit(START, request("slow"))
    messages = MessageReader(worker)
    threading.Timer(0.2, Slow.finish.set).start()
    kinds = messages.all_until(SearchAnswered)
    assert worker.close(DEADLINE)
    assert SearchProgress in kinds


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("raising", "RuntimeError: the tree is full"),
        ("exiting", "SystemExit: 1"),
        ("illegal", "answered with d4, which is not legal; legal: d3, c4, f5, e6"),
        ("nonsense", "AttributeError: 'str' object has no attribute 'final'"),
        ("silent", "silent finished its search without choosing a move"),
        ("unprepared", "OSError: no compiler here"),
        ("unkinds of", "KeyError: 'unkinds of'"),
    ],
)
def test_a_failure_is_one_line_and_the_thread_lives_on(messages: MessageReader, kind: str, reason: str) -> None:
    messages.worker.submit(START, request(kind))
    assert str(messages.wait_for(Failed).reason) == reason
    messages.worker.submit(START, request("first"))
    assert messages.wait_for(SearchAnswered).report.player == "first"


def test_a_cancelled_search_stops_at_once_and_says_nothing(messages: MessageReader) -> None:
    messages.worker.submit(START, request("slow"))
    messages.wait_for(SearchProgress)
    messages.worker.cancel()
    end = time.monotonic() + DEADLINE
    while messages.worker.is_busy and time.monotonic() < end:
        assert not any(isinstance(item, (SearchAnswered, Failed)) for item in messages.worker.poll())
    assert not messages.worker.is_busy


def test_a_held_search_makes_one_slice_more_at_most_and_goes_on_from_there(messages: MessageReader) -> None:
    messages.worker.submit(START, request("slow"))
    messages.wait_for(SearchProgress)
    messages.worker.set_paused(True)
    begun = Slow.visits
    time.sleep(0.05)
    assert Slow.visits <= begun + 1000
    assert not any(isinstance(item, SearchAnswered) for item in messages.worker.poll())
    messages.worker.set_paused(False)
    assert messages.wait_for(SearchProgress).report.simulations > begun
    messages.worker.set_paused(True)
    messages.worker.move_now()
    assert messages.wait_for(SearchAnswered).report.final
    messages.worker.submit(START, request("slow"))
    messages.worker.set_paused(True)
    messages.worker.submit(START, request("first"))
    assert messages.wait_for(SearchAnswered).report.player == "first"


def test_a_new_request_replaces_the_old_one(messages: MessageReader) -> None:
    messages.worker.submit(START, request("slow"))
    messages.wait_for(SearchProgress)
    messages.worker.submit(START, request("first"))
    assert messages.wait_for(SearchAnswered).report.player == "first"


def test_answers_to_replaced_requests_are_dropped(messages: MessageReader) -> None:
    messages.worker.submit(START, request("slow"))
    messages.wait_for(SearchProgress)
    Slow.finish.set()
    time.sleep(0.05)  # the answer is there, and nobody has read it
    messages.worker.submit(START, request("first"))
    assert messages.wait_for(SearchAnswered).report.player == "first"
    assert messages.worker.poll() == []


def test_a_request_that_was_cancelled_before_its_turn_is_never_started(messages: MessageReader) -> None:
    messages.worker.submit(START, request("slow"))
    messages.wait_for(SearchProgress)
    messages.worker.submit(START, request("raising"))
    messages.worker.submit(START, request("first"))
    assert messages.all_until(SearchAnswered)[-2:] == [Started, SearchAnswered]
    assert messages.worker.poll() == []


def test_an_analysis_judges_every_move_and_keeps_nothing() -> None:
    worker = Worker(make_player, analyses=True)
    messages = MessageReader(worker)
    worker.submit(START, request("forgetful"))
    assert messages.wait_for(SearchAnswered).report.player == "analyst"
    worker.dismiss(START)
    worker.submit(START, request("forgetful"))
    assert SaveFailed not in messages.all_until(SearchAnswered)
    assert worker.close(DEADLINE)


def test_players_are_released_exactly_once(messages: MessageReader) -> None:
    FirstMove.released.clear()
    messages.worker.prepare([computer("first")], SPEC)
    for seed in range(3):
        messages.worker.submit(START, request("first", seed=seed))
        messages.wait_for(SearchAnswered)
    messages.worker.dismiss(START)
    messages.worker.submit(START, request("raising"))
    messages.wait_for(Failed)
    assert messages.worker.close(DEADLINE)
    assert len(FirstMove.released) == len(set(map(id, FirstMove.released))) == 4


def test_a_hanging_player_loses_its_thread(messages: MessageReader) -> None:
    messages.worker.submit(START, request("hanging"))
    messages.wait_for(Started)
    messages.worker.submit(START, request("first"))
    assert messages.wait_for(SearchAnswered).report.player == "first"
    Hanging.woken.set()
    time.sleep(0.05)
    assert messages.worker.poll() == []  # what it says in the end is never kinds


def test_requests_meanwhile_do_not_spare_a_hanging_player() -> None:
    Hanging.woken.clear()
    now = 0.0
    worker = Worker(make_player, clock=lambda: now, grace_seconds=1.0)
    messages = MessageReader(worker)
    worker.submit(START, request("hanging"))
    messages.wait_for(Started)
    for _ in range(3):
        now += 0.6
        worker.submit(START, request("first"))
    assert messages.wait_for(SearchAnswered).report.player == "first"
    Hanging.woken.set()
    assert worker.close(DEADLINE)


def test_a_search_in_a_hurry_answers_at_once(messages: MessageReader) -> None:
    messages.worker.submit(START, request("slow"))
    messages.wait_for(SearchProgress)
    messages.worker.move_now()
    assert messages.wait_for(SearchAnswered).report.final


def test_closing_tells_whether_a_thread_is_left() -> None:
    Hanging.woken.clear()
    worker = Worker(make_player)
    worker.submit(START, request("hanging"))
    MessageReader(worker).wait_for(Started)
    assert not worker.close(0.01)
    Hanging.woken.set()
    assert worker.close(DEADLINE)


def test_preparing_is_announced_once_a_player(messages: MessageReader) -> None:
    messages.worker.prepare([computer("first"), computer("first")], SPEC)
    messages.worker.submit(START, request("first"))
    assert messages.all_until(SearchAnswered) == [Preparing, Preparing, Started, SearchAnswered]


@pytest.mark.skipif(sys.platform != "linux", reason="a priority is a thread's own on Linux alone")
def test_a_search_gives_way_to_the_window() -> None:
    def priority() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    class Watching(FirstMove):
        def think(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
            found.append(priority())
            yield from super().think(game, stop, seconds)

    found, own = list[int](), priority()
    messages = MessageReader(Worker(lambda config, _: Watching(config, RULES)))
    messages.worker.submit(START, request("first"))
    messages.wait_for(SearchAnswered)
    assert found == [max(5, own)]
    assert priority() == own
    assert messages.worker.close(DEADLINE)


def test_a_player_is_made_once() -> None:
    made: list[Player] = []

    def make(config: PlayerConfig, spec: GameSpec) -> Player:
        made.append(make_player(config, spec))
        return made[-1]

    FirstMove.released.clear()
    given = make_player(computer("second"), SPEC)
    worker = Worker(make, ready={(computer("second"), SPEC): given})
    messages = MessageReader(worker)
    worker.prepare([computer("first"), computer("second")], SPEC)
    for name in ("first", "second"):
        worker.submit(START, request(name))
        messages.wait_for(SearchAnswered)
    assert [player.name for player in made] == ["first"]
    worker.prepare([computer("slow"), computer("silent"), computer("raising")], SPEC)
    assert worker.close(DEADLINE)
    assert len(FirstMove.released) == 5, "nobody is left behind"


def test_a_player_that_cannot_be_prepared_fails_when_it_is_asked(messages: MessageReader) -> None:
    messages.worker.prepare([computer("unprepared")], SPEC)
    messages.wait_for(Preparing)
    assert messages.wait_for(Preparing).player is None
    messages.worker.submit(START, request("unprepared"))
    assert str(messages.wait_for(Failed).reason) == "OSError: no compiler here"
