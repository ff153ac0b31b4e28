"""Programs as processes: they end when they are not needed, with all their descendants."""

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable

import psutil
import pytest

from othello.errors import ProgramError
from othello.game import Game
from othello.play.worker import Failed, News, PlayerRequest, SearchAnswered, Worker
from othello.programs.engine_connection import EngineConnection
from othello.programs.engine_protocol import EngineMove, EngineRequest
from tests.positions import RULES, SPEC
from tests.programs.registered import external_player, opponent


def until(holds: Callable[[], bool], seconds: float = 20.0) -> bool:
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.02)
    return holds()


def marked(mark: str) -> list[psutil.Process]:
    """Return all processes whose environment has a mark."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get("OTHELLO_TEST_MARK") == mark and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue
    return found


def answer(connection: EngineConnection) -> int | None:
    connection.ask(EngineRequest(Game.new(RULES)))
    while True:
        for fact in connection.read():
            if isinstance(fact, EngineMove):
                return fact.move


def test_a_program_ends_with_all_that_it_has_begun() -> None:
    """Children, grandchildren, and those that have left its group."""
    connection = EngineConnection(opponent("json", "family", environment=(("OTHELLO_TEST_MARK", "family"),)), RULES)
    assert len(marked("family")) == 5  # our launcher, the program, and three that sleep
    connection.close()
    assert marked("family") == []


@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_a_program_ends_when_we_are_killed(end: signal.Signals) -> None:
    script = """
import sys, time
from othello.programs.engine_connection import EngineConnection
from tests.positions import RULES, SPEC
from tests.programs.registered import opponent, external_player
talk = EngineConnection(opponent("gtp", environment=(("OTHELLO_TEST_MARK", sys.argv[1]),)), RULES)
talk.child.set_paused(True)
print("ready", flush=True)
time.sleep(600)
"""
    ours = subprocess.Popen([sys.executable, "-c", script, end.name], stdout=subprocess.PIPE)
    assert ours.stdout is not None
    with ours.stdout:
        assert ours.stdout.readline() == b"ready\n"
    assert len(marked(end.name)) == 2
    ours.send_signal(end)
    ours.wait()
    assert until(lambda: marked(end.name) == [])


@pytest.mark.rare
def test_two_hundred_starts_leave_no_child() -> None:
    before, threads = set(marked("many")), threading.active_count()
    descriptors = psutil.Process().num_fds()
    for number in range(200):
        fault = ("", "crash", "spaced", "leave")[number % 4]
        connection = EngineConnection(opponent("gtp", fault, environment=(("OTHELLO_TEST_MARK", "many"),)), RULES)
        try:
            answer(connection)
        except ProgramError:
            assert fault in ("crash", "leave")
        finally:
            connection.close()
    assert set(marked("many")) == before
    assert until(lambda: threading.active_count() <= threads)
    assert psutil.Process().num_fds() <= descriptors


@pytest.mark.slow
def test_the_processor_time_of_a_program_is_known() -> None:
    connection = EngineConnection(opponent("json", "busy"), RULES)
    try:
        answer(connection)
        assert 0.4 < connection.child.cpu_seconds < 2.0
    finally:
        connection.close()


def test_a_program_that_does_not_read_is_told_of() -> None:
    connection = EngineConnection(opponent("gtp"), RULES)
    connection.child.set_paused(True)
    with pytest.raises(ProgramError, match="does not read"):
        connection.child.send(["# " + "x" * 1_000_000])
    connection.close()


@pytest.mark.slow
def test_a_program_at_the_table_ends_when_its_seat_is_left() -> None:
    mark = (("OTHELLO_TEST_MARK", "seat"),)
    news, worker, game = list[News](), Worker(), Game.new(RULES)

    def has_told(kind: type[News]) -> bool:
        news.extend(worker.poll())
        return any(isinstance(item, kind) for item in news)

    worker.submit(game, PlayerRequest(external_player("gtp", "crash", environment=mark), SPEC, 1))
    assert until(lambda: has_told(Failed))
    assert marked("seat") == []
    worker.submit(game, PlayerRequest(external_player("gtp", environment=mark), SPEC, 1))
    assert until(lambda: has_told(SearchAnswered))
    assert len(marked("seat")) == 2
    worker.dismiss(game)
    assert until(lambda: marked("seat") == [])
    worker.submit(game, PlayerRequest(external_player("gtp", "silent", environment=mark), SPEC, 1))
    assert until(lambda: len(marked("seat")) == 2)
    worker.close(5.0)
    assert until(lambda: marked("seat") == [])
