"""Play games in several processes of this machine."""

import contextlib
import logging
import multiprocessing
import os
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess
from typing import Final, TypeAlias

from othello.child_process import Connection, start_process
from othello.errors import OthelloError, TournamentError
from othello.game import AnyGame
from othello.play.referee import GameJob
from othello.records.record import GameRecord
from othello.tournament.executor import RunningGame, Watcher

GAMES_AHEAD: Final = 8  # games per process that may finish before the first unfinished one
_QUICK_SECONDS: Final = 0.2  # a process that plays faster gets the next game in advance
_TOLERANCE_SECONDS: Final = 2.0  # after time limit and margin, until the process of a hanging player is ended
_GUARD_SECONDS: Final = 0.25  # how often a process checks for a hanging player
_WATCH_SECONDS: Final = 0.05  # minimum time between two positions of a process
_MAX_DEATHS: Final = 3  # of processes that play the same game

Play = Callable[[RunningGame, Callable[[AnyGame], None] | None], GameRecord]


@dataclass
class _Worker:
    process: SpawnProcess
    connection: Connection
    jobs: deque[GameJob] = field(default_factory=deque)  # the first is being played
    has_played: bool = False


class ProcessExecutor:
    """Plays games in several processes. A process that dies is replaced, and its games are played again."""

    def __init__(self, processes: int, watcher: Watcher | None = None, play: Play = RunningGame.play) -> None:
        """Start the processes.

        Args:
            processes: the number of processes.
            watcher: called with positions of all games, at most 20 times a second per process.
            play: plays a game; must be importable in other processes.
        """
        self.max_lookahead = GAMES_AHEAD * processes
        self._watcher = watcher
        self._play = play
        self._deaths: Counter[int] = Counter()
        self._ahead = 1
        self._error: OthelloError | None = None  # raised after the records that came with it
        self._workers: list[_Worker] = []
        try:
            for number in range(processes):
                self._workers.append(self._start(is_quiet=number > 0))
        except BaseException:
            self.close()
            raise

    @property
    def free_slots(self) -> int:
        return sum(max(0, self._ahead - len(worker.jobs)) for worker in self._workers)

    def submit(self, job: GameJob) -> None:
        worker = min(self._workers, key=lambda worker: len(worker.jobs))
        worker.jobs.append(job)
        with contextlib.suppress(OSError):  # the process has died: `collect` plays its jobs again
            worker.connection.send(job)

    def collect(self, seconds: float) -> list[GameRecord]:
        if self._error is not None:
            raise self._error
        records = []
        by_connection = {worker.connection: worker for worker in self._workers}
        for connection in wait(list(by_connection), seconds):
            worker = by_connection[connection]  # type: ignore[index]  # `wait` returns some of its arguments
            try:
                news: _News = worker.connection.recv()
            except (EOFError, OSError):
                self._replace(worker)
                continue
            number, content = news
            if isinstance(content, OthelloError):
                self._error = content
            elif not worker.jobs or worker.jobs[0].number != number:
                continue  # an answer of a process after its game was lost on time
            elif isinstance(content, GameRecord):
                records.append(content)
                worker.jobs.popleft()
                worker.has_played = True
                self._ahead = 2 if content.black_seconds + content.white_seconds < _QUICK_SECONDS else 1
            elif self._watcher is not None:
                self._watcher(worker.jobs[0], content)
        if self._error is not None and not records:
            raise self._error
        return records

    def close(self) -> None:
        for worker in self._workers:
            worker.connection.close()
            worker.process.kill()  # it has no unsaved data
        for worker in self._workers:
            worker.process.join()
        self._workers.clear()

    def _start(self, *, is_quiet: bool) -> _Worker:
        return _Worker(*start_process("othello-games", _work, self._play, self._watcher is not None, is_quiet))

    def _replace(self, worker: _Worker) -> None:
        worker.process.join()
        worker.connection.close()
        jobs = worker.jobs
        status = worker.process.exitcode
        if jobs:
            self._deaths[jobs[0].number] += 1
            if self._deaths[jobs[0].number] >= _MAX_DEATHS:
                raise TournamentError("process_died", number=jobs[0].number, status=status)
        elif not worker.has_played:
            raise TournamentError("process_died_early", status=status)
        place = self._workers.index(worker)
        self._workers[place] = self._start(is_quiet=place > 0)
        for job in jobs:
            self.submit(job)


# A game's number, with its position, its record or an error.
_News: TypeAlias = tuple[int, AnyGame | GameRecord | OthelloError]


def _work(connection: Connection, play: Play, watched: bool, is_quiet: bool) -> None:
    """Play jobs until the parent process is gone. This is the main function of a process."""
    if is_quiet:
        logging.getLogger("othello").setLevel(logging.ERROR)  # the first process logs warnings for all
    outbox = _Outbox(connection)
    threading.Thread(target=outbox.guard, daemon=True).start()
    with contextlib.suppress(EOFError, OSError):
        while True:
            job: GameJob = connection.recv()
            outbox.live = live = RunningGame(job)
            try:
                record = play(live, outbox.show if watched else None)
                outbox.live = None
                outbox.send((job.number, record))
                live.close()
            except OthelloError as error:
                outbox.send((job.number, error))
                return


class _Outbox:
    """Sends messages to the parent process, from the main thread and the guard."""

    def __init__(self, connection: Connection) -> None:
        self.live: RunningGame | None = None
        self._connection = connection
        self._lock = threading.Lock()
        self._shown_at = 0.0

    def send(self, news: _News) -> None:
        with self._lock:
            self._connection.send(news)

    def show(self, game: AnyGame) -> None:
        """Send a position, unless one was sent a moment ago."""
        now = time.monotonic()
        if self.live is not None and now >= self._shown_at + _WATCH_SECONDS:
            self._shown_at = now
            self.send((self.live.job.number, game))

    def guard(self) -> None:
        """End the process when the parent process is gone, or when a player hangs; its loss is sent first."""
        parent = multiprocessing.parent_process()
        while parent is None or parent.is_alive():
            time.sleep(_GUARD_SECONDS)
            live = self.live
            record = live.timeout_record(_TOLERANCE_SECONDS) if live is not None else None
            if live is not None and record is not None:
                self.send((live.job.number, record))
                break
        os._exit(1)  # the main thread cannot be stopped
