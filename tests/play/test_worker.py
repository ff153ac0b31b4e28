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

DEADLINE = 60.0  # far more than is ever needed; nothing waits for it to pass
Kind = TypeVar("Kind")


class Ear:
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
        heard: list[type[object]] = []
        while not heard or heard[-1] is not kind:
            heard.append(type(self.wait_for(object)))
        return heard


@pytest.fixture
def ear() -> Iterator[Ear]:
    Slow.finish.clear()
    Hanging.woken.clear()
    worker = Worker(make_player, grace_seconds=0.05)
    yield Ear(worker)
    Hanging.woken.set()
    assert worker.close(DEADLINE)


def start() -> AnyGame:
    return Game.new(RULES)


def seat(kind: str, seed: int = 1) -> PlayerRequest:
    return PlayerRequest(computer(kind), SPEC, seed)


def test_a_request_is_answered(ear: Ear) -> None:
    ear.worker.submit(start(), seat("first"))
    assert ear.wait_for(SearchAnswered).report.move == 19
    assert not ear.worker.is_busy


def test_an_opening_is_drawn(ear: Ear) -> None:
    spec = game_spec(options={"start": "random"})
    job = GameJob(1, 1, (computer("first"), computer("first")), spec, 7, opening_plies=8)
    ear.worker.submit(start(), job)
    assert ear.wait_for(OpeningDrawn) == OpeningDrawn(opening_of(job))
    assert not ear.worker.is_busy


def test_news_comes_in_order(ear: Ear) -> None:
    ear.worker.submit(start(), seat("first"))
    assert ear.all_until(SearchAnswered) == [Preparing, Preparing, Started, SearchAnswered]


def test_snapshots_arrive_while_the_player_thinks(ear: Ear) -> None:
    ear.worker.submit(start(), seat("slow"))
    first = ear.wait_for(SearchProgress)
    second = ear.wait_for(SearchProgress)
    assert second.report.simulations > first.report.simulations
    Slow.finish.set()
    assert ear.wait_for(SearchAnswered).report.final


def test_what_a_book_says_is_told_however_soon_and_long_the_search_after_it_is_silent() -> None:
    class Reader(Slow):
        def think(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
            yield replace(report(game), from_book=True)
            self.finish.wait()
            yield report(game, final=True)

    Slow.finish.clear()
    worker = Worker(lambda config, _: Reader(config, RULES))
    worker.submit(start(), seat("slow"))
    ear = Ear(worker)
    threading.Timer(0.2, Slow.finish.set).start()
    heard = ear.all_until(SearchAnswered)
    assert worker.close(DEADLINE)
    assert SearchProgress in heard


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("raising", "RuntimeError: the tree is full"),
        ("exiting", "SystemExit: 1"),
        ("illegal", "answered with d4, which is not legal; legal: d3, c4, f5, e6"),
        ("nonsense", "AttributeError: 'str' object has no attribute 'final'"),
        ("silent", "silent finished its search without choosing a move"),
        ("unprepared", "OSError: no compiler here"),
        ("unheard of", "KeyError: 'unheard of'"),
    ],
)
def test_a_failure_is_one_line_and_the_thread_lives_on(ear: Ear, kind: str, reason: str) -> None:
    ear.worker.submit(start(), seat(kind))
    assert str(ear.wait_for(Failed).reason) == reason
    ear.worker.submit(start(), seat("first"))
    assert ear.wait_for(SearchAnswered).report.player == "first"


def test_a_cancelled_search_stops_at_once_and_says_nothing(ear: Ear) -> None:
    ear.worker.submit(start(), seat("slow"))
    ear.wait_for(SearchProgress)
    ear.worker.cancel()
    end = time.monotonic() + DEADLINE
    while ear.worker.is_busy and time.monotonic() < end:
        assert not any(isinstance(item, (SearchAnswered, Failed)) for item in ear.worker.poll())
    assert not ear.worker.is_busy


def test_a_held_search_makes_one_slice_more_at_most_and_goes_on_from_there(ear: Ear) -> None:
    ear.worker.submit(start(), seat("slow"))
    ear.wait_for(SearchProgress)
    ear.worker.set_paused(True)
    begun = Slow.visits
    time.sleep(0.05)
    assert Slow.visits <= begun + 1000
    assert not any(isinstance(item, SearchAnswered) for item in ear.worker.poll())
    ear.worker.set_paused(False)
    assert ear.wait_for(SearchProgress).report.simulations > begun
    ear.worker.set_paused(True)
    ear.worker.move_now()
    assert ear.wait_for(SearchAnswered).report.final
    ear.worker.submit(start(), seat("slow"))
    ear.worker.set_paused(True)
    ear.worker.submit(start(), seat("first"))
    assert ear.wait_for(SearchAnswered).report.player == "first"


def test_a_new_request_replaces_the_old_one(ear: Ear) -> None:
    ear.worker.submit(start(), seat("slow"))
    ear.wait_for(SearchProgress)
    ear.worker.submit(start(), seat("first"))
    assert ear.wait_for(SearchAnswered).report.player == "first"


def test_nothing_is_heard_of_a_search_that_has_ended_and_is_no_longer_wanted(ear: Ear) -> None:
    ear.worker.submit(start(), seat("slow"))
    ear.wait_for(SearchProgress)
    Slow.finish.set()
    time.sleep(0.05)  # the answer is there, and nobody has read it
    ear.worker.submit(start(), seat("first"))
    assert ear.wait_for(SearchAnswered).report.player == "first"
    assert ear.worker.poll() == []


def test_a_request_that_was_cancelled_before_its_turn_is_never_started(ear: Ear) -> None:
    ear.worker.submit(start(), seat("slow"))
    ear.wait_for(SearchProgress)
    ear.worker.submit(start(), seat("raising"))
    ear.worker.submit(start(), seat("first"))
    assert ear.all_until(SearchAnswered)[-2:] == [Started, SearchAnswered]
    assert ear.worker.poll() == []


def test_an_analysis_judges_every_move_and_keeps_nothing() -> None:
    worker = Worker(make_player, analyses=True)
    ear = Ear(worker)
    worker.submit(start(), seat("forgetful"))
    assert ear.wait_for(SearchAnswered).report.player == "analyst"
    worker.dismiss(start())
    worker.submit(start(), seat("forgetful"))
    assert SaveFailed not in ear.all_until(SearchAnswered)
    assert worker.close(DEADLINE)


def test_players_are_released_exactly_once(ear: Ear) -> None:
    FirstMove.released.clear()
    ear.worker.prepare([computer("first")], SPEC)
    for seed in range(3):
        ear.worker.submit(start(), seat("first", seed=seed))
        ear.wait_for(SearchAnswered)
    ear.worker.dismiss(start())
    ear.worker.submit(start(), seat("raising"))
    ear.wait_for(Failed)
    assert ear.worker.close(DEADLINE)
    assert len(FirstMove.released) == len(set(map(id, FirstMove.released))) == 4


def test_a_hanging_player_loses_its_thread(ear: Ear) -> None:
    ear.worker.submit(start(), seat("hanging"))
    ear.wait_for(Started)
    ear.worker.submit(start(), seat("first"))
    assert ear.wait_for(SearchAnswered).report.player == "first"
    Hanging.woken.set()
    time.sleep(0.05)
    assert ear.worker.poll() == []  # what it says in the end is never heard


def test_requests_meanwhile_do_not_spare_a_hanging_player() -> None:
    Hanging.woken.clear()
    now = 0.0
    worker = Worker(make_player, clock=lambda: now, grace_seconds=1.0)
    ear = Ear(worker)
    worker.submit(start(), seat("hanging"))
    ear.wait_for(Started)
    for _ in range(3):
        now += 0.6
        worker.submit(start(), seat("first"))
    assert ear.wait_for(SearchAnswered).report.player == "first"
    Hanging.woken.set()
    assert worker.close(DEADLINE)


def test_a_search_in_a_hurry_answers_at_once(ear: Ear) -> None:
    ear.worker.submit(start(), seat("slow"))
    ear.wait_for(SearchProgress)
    ear.worker.move_now()
    assert ear.wait_for(SearchAnswered).report.final


def test_closing_tells_whether_a_thread_is_left() -> None:
    Hanging.woken.clear()
    worker = Worker(make_player)
    worker.submit(start(), seat("hanging"))
    Ear(worker).wait_for(Started)
    assert not worker.close(0.01)
    Hanging.woken.set()
    assert worker.close(DEADLINE)


def test_preparing_is_announced_once_a_player(ear: Ear) -> None:
    ear.worker.prepare([computer("first"), computer("first")], SPEC)
    ear.worker.submit(start(), seat("first"))
    assert ear.all_until(SearchAnswered) == [Preparing, Preparing, Started, SearchAnswered]


@pytest.mark.skipif(sys.platform != "linux", reason="a priority is a thread's own on Linux alone")
def test_a_search_gives_way_to_the_window() -> None:
    def priority() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    class Watching(FirstMove):
        def think(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
            found.append(priority())
            yield from super().think(game, stop, seconds)

    found, own = list[int](), priority()
    ear = Ear(Worker(lambda config, _: Watching(config, RULES)))
    ear.worker.submit(start(), seat("first"))
    ear.wait_for(SearchAnswered)
    assert found == [max(5, own)]
    assert priority() == own
    assert ear.worker.close(DEADLINE)


def test_a_player_is_made_once() -> None:
    made: list[Player] = []

    def make(config: PlayerConfig, spec: GameSpec) -> Player:
        made.append(make_player(config, spec))
        return made[-1]

    FirstMove.released.clear()
    given = make_player(computer("second"), SPEC)
    worker = Worker(make, ready={(computer("second"), SPEC): given})
    ear = Ear(worker)
    worker.prepare([computer("first"), computer("second")], SPEC)
    for name in ("first", "second"):
        worker.submit(start(), seat(name))
        ear.wait_for(SearchAnswered)
    assert [player.name for player in made] == ["first"]
    worker.prepare([computer("slow"), computer("silent"), computer("raising")], SPEC)
    assert worker.close(DEADLINE)
    assert len(FirstMove.released) == 5, "nobody is left behind"


def test_a_player_that_cannot_be_prepared_fails_when_it_is_asked(ear: Ear) -> None:
    ear.worker.prepare([computer("unprepared")], SPEC)
    ear.wait_for(Preparing)
    assert ear.wait_for(Preparing).player is None
    ear.worker.submit(start(), seat("unprepared"))
    assert str(ear.wait_for(Failed).reason) == "OSError: no compiler here"
