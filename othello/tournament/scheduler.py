"""Play the games of a schedule. Records are yielded in the order of the schedule."""

import threading
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping
from itertools import count, takewhile
from typing import Final

from othello.play.referee import GameJob
from othello.records.record import GameRecord
from othello.tournament.executor import Executor
from othello.tournament.schedule import Series

_WAIT_SECONDS: Final = 0.1


class _OpenSeries:
    """A series with games that are not finished."""

    def __init__(self, series: Series, played: Mapping[int, str | None]) -> None:
        self.series = series
        self._winners = {index: played[job.number] for index, job in enumerate(series.jobs) if job.number in played}
        self._records: dict[int, GameRecord] = {}
        self._unyielded = [index for index in range(len(series.jobs)) if index not in self._winners]
        self._unstarted = self._unyielded.copy()

    def take(self) -> GameJob | None:
        """Return the next job to start, or None if there is none, or none yet."""
        if self._unstarted and self._needs(self._unstarted[0]):
            return self.series.jobs[self._unstarted.pop(0)]
        return None

    def finish(self, record: GameRecord) -> None:
        index = next(index for index, job in enumerate(self.series.jobs) if job.number == record.game)
        self._records[index] = record
        self._winners[index] = record.winner_name

    def finished(self) -> Iterator[GameRecord]:
        """Yield the records that are next in order, each once."""
        while self._unyielded and self._unyielded[0] in self._records:
            yield self._records.pop(self._unyielded.pop(0))

    @property
    def left_out(self) -> int:
        """The number of games that are unnecessary because the series is decided."""
        return sum(self._needs(index) is False for index in range(len(self.series.jobs)))

    @property
    def is_over(self) -> bool:
        return all(self._needs(index) is False for index in self._unyielded)

    def _needs(self, index: int) -> bool | None:
        first_games = takewhile(self._winners.__contains__, count())
        return self.series.needs(index, [self._winners[game] for game in first_games])


class Scheduler:
    """Hands out the jobs of a schedule, and sorts the records into its order.

    Because of the order, the results file does not depend on the number of processes, and the file of a stopped
    experiment is the beginning of the complete one.
    """

    def __init__(
        self, schedule: Iterable[Series], max_lookahead: int, played: Mapping[int, str | None] | None = None
    ) -> None:
        """Begin or continue a schedule.

        Args:
            schedule: all games.
            max_lookahead: the maximum number of games that are started and not yielded.
            played: the winners of earlier games by number; None for a draw.
        """
        self._schedule = iter(schedule)
        self._horizon = max_lookahead
        self._played = played or {}
        self._open: deque[_OpenSeries] = deque()
        self._started: dict[int, _OpenSeries] = {}
        self.left_out = 0  # number of unnecessary games in finished series

    def take(self) -> GameJob | None:
        """Return the next game to play, or None if no game is left or the next one depends on unfinished games."""
        if len(self._started) >= self._horizon:
            return None
        for entry in self._open:
            job = entry.take()
            if job is not None:
                self._started[job.number] = entry
                return job
        for series in self._schedule:
            entry = _OpenSeries(series, self._played)
            job = entry.take()
            if job is not None:
                self._open.append(entry)
                self._started[job.number] = entry
                return job
            self.left_out += entry.left_out
        return None

    def finish(self, record: GameRecord) -> None:
        """Add the record of a started job."""
        self._started[record.game].finish(record)

    def finished(self) -> Iterator[GameRecord]:
        """Yield the records that are next in order, each once."""
        while self._open:
            for record in self._open[0].finished():
                del self._started[record.game]
                yield record
            if not self._open[0].is_over:
                return
            self.left_out += self._open.popleft().left_out


class RunControl:
    """Pauses or stops a tournament from another thread."""

    def __init__(self) -> None:
        self._may_begin = threading.Event()
        self._may_begin.set()
        self.is_stopped = False

    @property
    def is_paused(self) -> bool:
        return not self._may_begin.is_set()

    def pause(self) -> None:
        """Start no more games. Running games are played to their end."""
        self._may_begin.clear()

    def resume(self) -> None:
        self._may_begin.set()

    def stop(self) -> None:
        """Stop as soon as possible. Running games are dropped."""
        self.is_stopped = True
        self._may_begin.set()

    def wait(self, seconds: float) -> None:
        """Wait for the end of a pause, at most so many seconds."""
        self._may_begin.wait(seconds)


def play(scheduler: Scheduler, executor: Executor, control: RunControl | None = None) -> Generator[GameRecord]:
    """Play all games of a scheduler, and yield the records in its order. Raises the errors of `Executor.collect`."""
    control = control or RunControl()
    under_way = 0
    while not control.is_stopped:
        while executor.free_slots and not control.is_paused:
            job = scheduler.take()
            if job is None:
                break
            executor.submit(job)
            under_way += 1
        if under_way:
            for record in executor.collect(_WAIT_SECONDS):
                under_way -= 1
                scheduler.finish(record)
            yield from scheduler.finished()
        elif control.is_paused:
            control.wait(_WAIT_SECONDS)
        else:
            return
