"""Programs as processes: they end when they are not needed, with all their descendants."""

import signal
import subprocess
import sys
import threading
from contextlib import closing, suppress

import psutil
import pytest

from othello.errors import ProgramError
from othello.game import Game
from othello.play.worker import Failed, News, PlayerRequest, SearchAnswered, Worker
from othello.programs.engine_connection import EngineConnection
from othello.programs.engine_protocol import EngineMove, EngineRequest
from tests.positions import RULES, SPEC
from tests.programs.registered import external_player, opponent
from tests.waiting import wait_until


def marked(mark: str) -> list[psutil.Process]:
    """Return all processes whose environment has a mark."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.NoSuchProcess, psutil.AccessDenied):
            if process.environ().get("OTHELLO_TEST_MARK") == mark and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


def wait_for_move(connection: EngineConnection) -> None:
    connection.ask(EngineRequest(Game.new(RULES)))
    while not any(isinstance(fact, EngineMove) for fact in connection.read()):
        pass


def test_a_program_ends_with_its_descendants() -> None:
    program = opponent("json", "family", environment=(("OTHELLO_TEST_MARK", "family"),))
    files = psutil.Process().num_fds()
    with closing(EngineConnection(program, RULES)):
        # The launcher, the program, two children and a grandchild; a new process has no environment for a moment.
        wait_until(lambda: len(marked("family")) == 5)
    assert marked("family") == []
    wait_until(lambda: psutil.Process().num_fds() <= files)


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_a_program_ends_when_we_are_killed(end: signal.Signals) -> None:
    script = """
import sys, time
from othello.programs.engine_connection import EngineConnection
from tests.positions import RULES
from tests.programs.registered import opponent
connection = EngineConnection(opponent("gtp", environment=(("OTHELLO_TEST_MARK", sys.argv[1]),)), RULES)
connection.child.set_paused(True)
print("ready", flush=True)
time.sleep(600)
"""
    ours = subprocess.Popen([sys.executable, "-c", script, end.name], stdout=subprocess.PIPE)
    assert ours.stdout is not None
    with ours.stdout:
        assert ours.stdout.readline() == b"ready\n"
    wait_until(lambda: len(marked(end.name)) == 2)
    ours.send_signal(end)
    ours.wait()
    wait_until(lambda: marked(end.name) == [])


@pytest.mark.rare
def test_two_hundred_starts_leave_no_child() -> None:
    before, threads = set(marked("many")), threading.active_count()
    descriptors = psutil.Process().num_fds()
    for number in range(200):
        fault = ("", "crash", "spaced", "leave")[number % 4]
        connection = EngineConnection(opponent("gtp", fault, environment=(("OTHELLO_TEST_MARK", "many"),)), RULES)
        try:
            wait_for_move(connection)
        except ProgramError:
            assert fault in ("crash", "leave")
        finally:
            connection.close()
    assert set(marked("many")) == before
    wait_until(lambda: threading.active_count() <= threads)
    assert psutil.Process().num_fds() <= descriptors


def test_the_processor_time_of_a_program_is_known() -> None:
    with closing(EngineConnection(opponent("json", "busy"), RULES)) as connection:
        wait_for_move(connection)
        (busy,) = psutil.Process(connection.child._process.pid).children()
        wait_until(lambda: abs(sum(busy.cpu_times()[:4]) - connection.child.cpu_seconds) < 0.02)
        assert connection.child.cpu_seconds > 0.4
    assert connection.child.cpu_seconds == 0, "an ended program has no descendants"


def test_a_program_that_does_not_read_is_an_error() -> None:
    with closing(EngineConnection(opponent("gtp"), RULES)) as connection:
        connection.child.set_paused(True)
        with pytest.raises(ProgramError, match="does not read"):
            connection.child.send(["# " + "x" * 1_000_000])


def test_a_player_is_a_process_until_it_fails_is_dismissed_or_its_worker_closes() -> None:
    mark = (("OTHELLO_TEST_MARK", "player"),)
    worker, game = Worker(), Game.new(RULES)

    def start(fault: str) -> None:
        worker.submit(game, PlayerRequest(external_player("gtp", fault, environment=mark), SPEC, 1))

    def is_news(kind: type[News]) -> bool:
        return any(isinstance(news, kind) for news in worker.poll())

    start("crash")
    wait_until(lambda: is_news(Failed))
    assert marked("player") == []
    start("")
    wait_until(lambda: is_news(SearchAnswered))
    assert len(marked("player")) == 2
    worker.dismiss(game)
    wait_until(lambda: marked("player") == [])
    start("silent")
    wait_until(lambda: len(marked("player")) == 2)
    worker.close(5.0)
    wait_until(lambda: marked("player") == [])
