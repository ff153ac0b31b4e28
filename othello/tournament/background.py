"""A tournament in background threads, controlled by pause and stop, and observed by events."""

import copy
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from queue import Empty, SimpleQueue
from typing import Final, TypeAlias

from othello.config import Config
from othello.errors import OthelloError, Reason
from othello.frozen_dataclass import FrozenDataclass
from othello.game import AnyGame
from othello.machine import cores
from othello.play.referee import GameJob
from othello.play.start_positions import opening_of
from othello.records.record import GameRecord
from othello.tournament.executor import Executor
from othello.tournament.experiment import Experiment
from othello.tournament.processes import GAMES_AHEAD, ProcessExecutor
from othello.tournament.scheduler import RunControl
from othello.tournament.standings import Standings, TournamentAnalysis, analyse

_STANDINGS_SECONDS: Final = 0.25  # minimum time between two standings
_PAUSE_FACTOR: Final = 5  # pause between two standings, relative to the time that they take


class PositionShown(FrozenDataclass):
    """The position of a running game."""

    job: GameJob
    game: AnyGame


class PersonInvited(FrozenDataclass):
    """A game of the user is next. It ends with `BackgroundTournament.answer`."""

    job: GameJob
    start: AnyGame


class GameFinished(FrozenDataclass):
    """A game is over, written and counted. These events have the order of the schedule."""

    record: GameRecord


class StandingsShown(FrozenDataclass):
    """The findings so far, from time to time and once before the end."""

    findings: TournamentAnalysis


class TournamentEnded(FrozenDataclass):
    """The last event."""

    broke_off: bool = False  # because of an error
    error: Reason | None = None  # None for an unexpected error, which the terminal shows


Event: TypeAlias = PositionShown | PersonInvited | GameFinished | StandingsShown | TournamentEnded

Invite: TypeAlias = Callable[[GameJob, AnyGame], None]  # called with a game of the user and its opening


class InteractiveExecutor:
    """Hands the user's games to the window one after another, and all other games to another executor.

    No other games run during a game of the user, because they would slow the user's opponent.
    """

    def __init__(self, invite: Invite, others: Callable[[], Executor], max_lookahead: int) -> None:
        """Create the executor. `others` creates the other one, which has this `max_lookahead`, when it is needed."""
        self.max_lookahead = max_lookahead
        self._on_invite = invite
        self._make_others = others
        self._others: Executor | None = None
        self._awaited: GameJob | None = None
        self._answers: SimpleQueue[GameRecord] = SimpleQueue()

    def answer(self, record: GameRecord) -> None:
        """Hand over the record of the user's game. May be called from any thread."""
        self._answers.put(record)

    @property
    def free_slots(self) -> int:
        if self._awaited is not None:
            return 0
        return 1 if self._others is None else self._others.free_slots

    def submit(self, job: GameJob) -> None:
        if any(player.is_user for player in job.players):
            self._awaited = job
            self._on_invite(job, opening_of(job))
            return
        if self._others is None:
            self._others = self._make_others()
        self._others.submit(job)

    def collect(self, seconds: float) -> list[GameRecord]:
        if self._awaited is None:
            return [] if self._others is None else self._others.collect(seconds)
        with suppress(Empty):
            record = self._answers.get(timeout=seconds)
            self._awaited = None
            return [record]
        return []

    def close(self) -> None:
        if self._others is not None:
            self._others.close()


class BackgroundTournament:
    """Plays the tournament of a config in the background. `events` returns the news since the last call.

    One thread plays the games, another one computes the standings, which nothing has to wait for.
    """

    def __init__(self, config: Config) -> None:
        """Read the earlier games. Raises the errors of `Experiment`."""
        # After `start`, the experiment's standings belong to the tournament's thread. Observers keep a copy and add
        # every `GameFinished`.
        self.experiment = Experiment(config)
        self.control = RunControl()
        self.error: OthelloError | None = None  # the error that ended the tournament early
        self._events: SimpleQueue[Event] = SimpleQueue()
        self._uncounted: SimpleQueue[GameRecord | TournamentEnded] = SimpleQueue()
        processes, put = config.tournament.processes or cores(), self._events.put
        self._people = InteractiveExecutor(
            lambda job, start: put(PersonInvited(job, start)),
            lambda: ProcessExecutor(processes, watcher=lambda job, game: put(PositionShown(job, game))),
            GAMES_AHEAD * processes,
        )
        counted = copy.deepcopy(self.experiment.standings)
        self._threads = [
            threading.Thread(target=self._count, args=(counted,), name="standings", daemon=True),
            threading.Thread(target=self._run, name="tournament", daemon=True),
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def events(self) -> list[Event]:
        """Return the events since the last call, without waiting."""
        return [self._events.get() for _ in range(self._events.qsize())]

    def close(self) -> None:
        """Stop, and wait until everything is written and all processes have ended."""
        self.control.stop()
        for thread in self._threads:
            if thread.is_alive():
                thread.join()
        self.experiment.close()

    def answer(self, record: GameRecord) -> None:
        """Hand over the record of the game that the user was invited to."""
        self._people.answer(record)

    def _run(self) -> None:
        end = TournamentEnded(broke_off=True)
        try:
            with closing(self._people), closing(self.experiment.play(self._people, self.control)) as games:
                for record in games:
                    self._events.put(GameFinished(record))
                    self._uncounted.put(record)
            end = TournamentEnded()
        except OthelloError as error:
            self.error, end = error, TournamentEnded(broke_off=True, error=error.reason)
        finally:
            self._uncounted.put(end)

    def _count(self, standings: Standings) -> None:
        """Put the findings during the games and the end into the events."""
        end = None
        try:
            while end is None:
                began = time.monotonic()
                self._events.put(StandingsShown(analyse(standings)))
                pause = max(_STANDINGS_SECONDS, _PAUSE_FACTOR * (time.monotonic() - began))
                end = self._add_news(standings, until=began + pause)
            self._events.put(StandingsShown(analyse(standings)))
        finally:
            self._events.put(end or TournamentEnded(broke_off=True))

    def _add_news(self, standings: Standings, until: float) -> TournamentEnded | None:
        """Count games until a time, at least one. Returns the end of the tournament when it has come."""
        timeout = None
        with suppress(Empty):
            while not isinstance(news := self._uncounted.get(timeout=timeout), TournamentEnded):
                standings.add(news)
                timeout = max(0.0, until - time.monotonic())
            return news
        return None
