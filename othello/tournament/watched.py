"""A tournament in its own thread, to be watched: events come out, pause and stop go in."""

import copy
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from queue import Empty, SimpleQueue
from typing import Final, TypeAlias

from othello.config import Config
from othello.errors import OthelloError, Reason
from othello.frozen import Frozen
from othello.game import AnyGame
from othello.machine import cores
from othello.play.openings import opening_of
from othello.play.referee import Job
from othello.records.record import GameRecord
from othello.tournament.crew import Crew
from othello.tournament.experiment import Experiment
from othello.tournament.processes import GAMES_AHEAD, ProcessCrew
from othello.tournament.run import RunControl
from othello.tournament.standings import Findings, Standings, findings

_STANDINGS_SECONDS: Final = 0.25  # how often standings are worked out anew
_SHARE: Final = 5  # working out standings takes at most this part of the time, as a fraction 1 / n


class PositionShown(Frozen):
    """A game under way, as it stands."""

    job: Job
    game: AnyGame


class PersonInvited(Frozen):
    """A person's game is next, and waits for `WatchedTournament.answer`."""

    job: Job
    start: AnyGame


class GameFinished(Frozen):
    """A game is over, written and counted. These events come in the order of the schedule."""

    record: GameRecord


class StandingsShown(Frozen):
    """What the games so far show: now and then during the tournament, and once before the end."""

    findings: Findings


class TournamentEnded(Frozen):
    """Nothing more will come."""

    broke_off: bool = False
    error: Reason | None = None  # what that was, None where only the terminal tells


Event: TypeAlias = PositionShown | PersonInvited | GameFinished | StandingsShown | TournamentEnded

Invite: TypeAlias = Callable[[Job, AnyGame], None]  # told of a person's game, and what it begins with


class PersonCrew:
    """Asks for a person's games one after the other, and gives all other games to another crew.

    While a person plays, computers rest: their games would slow the person's opponent down.
    """

    def __init__(self, invite: Invite, others: Callable[[], Crew], horizon: int) -> None:
        """Begin. The crew of the other games, with its horizon, is made for the first of these games."""
        self.horizon = horizon
        self._invite = invite
        self._make_others = others
        self._others: Crew | None = None
        self._awaited: Job | None = None
        self._answers: SimpleQueue[GameRecord] = SimpleQueue()

    def answer(self, record: GameRecord) -> None:
        """The game that was asked for is over. This can be called in any thread."""
        self._answers.put(record)

    @property
    def room(self) -> int:
        if self._awaited is not None:
            return 0
        return 1 if self._others is None else self._others.room

    def submit(self, job: Job) -> None:
        if any(player.is_user for player in job.players):
            self._awaited = job
            self._invite(job, opening_of(job))
            return
        if self._others is None:
            self._others = self._make_others()
        self._others.submit(job)

    def collect(self, seconds: float) -> list[GameRecord]:
        if self._awaited is None:
            return [] if self._others is None else self._others.collect(seconds)
        try:
            record = self._answers.get(timeout=seconds)
        except Empty:
            return []
        self._awaited = None
        return [record]

    def close(self) -> None:
        if self._others is not None:
            self._others.close()


class WatchedTournament:
    """Plays the tournament of a config in the background. The caller takes events when it likes.

    One thread plays the games. Another thread works out standings, so neither games nor watchers wait for them.
    """

    def __init__(self, config: Config) -> None:
        """Read the earlier games; nothing is played yet. Raises what `Experiment` raises."""
        # its config, seed and number of games. Once the tournament's thread has started, the standings belong to that
        # thread. A watcher keeps its own standings, from a copy and every `GameFinished`
        self.experiment = Experiment(config)
        self.control = RunControl()
        self.error: OthelloError | None = None  # what has ended it before its end, None where nothing has
        self._events: SimpleQueue[Event] = SimpleQueue()
        self._uncounted: SimpleQueue[GameRecord | TournamentEnded] = SimpleQueue()
        self._processes = config.tournament.processes or cores()
        self._people = PersonCrew(
            lambda job, start: self._events.put(PersonInvited(job, start)), self._crew, GAMES_AHEAD * self._processes
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
        """What has happened since the last call, without waiting."""
        happened = []
        while not self._events.empty():
            happened.append(self._events.get())
        return happened

    def close(self) -> None:
        """Stop, and wait until everything is written and every process has ended."""
        self.control.stop()
        for thread in self._threads:
            if thread.is_alive():
                thread.join()
        self.experiment.close()

    def answer(self, record: GameRecord) -> None:
        """The game that a person was invited to is over."""
        self._people.answer(record)

    def _crew(self) -> ProcessCrew:
        return ProcessCrew(self._processes, watcher=lambda job, game: self._events.put(PositionShown(job, game)))

    def _run(self) -> None:
        is_over = False
        try:
            with closing(self._people), closing(self.experiment.play(self._people, self.control)) as games:
                for record in games:
                    self._events.put(GameFinished(record))
                    self._uncounted.put(record)
            is_over = True
        except OthelloError as error:
            self.error = error
        finally:
            told = None if self.error is None else self.error.reason
            self._uncounted.put(TournamentEnded(not is_over, told))

    def _count(self, standings: Standings) -> None:
        """Report the standings during the games, and the end."""
        end = None
        try:
            while end is None:
                began = time.monotonic()
                self._events.put(StandingsShown(findings(standings)))
                pause = max(_STANDINGS_SECONDS, _SHARE * (time.monotonic() - began))
                end = self._add_news(standings, until=began + pause)
            self._events.put(StandingsShown(findings(standings)))
        finally:
            self._events.put(end or TournamentEnded(broke_off=True))

    def _add_news(self, standings: Standings, until: float) -> TournamentEnded | None:
        """Count games until that time, or wait for one game. Returns the end when it has come."""
        timeout = None
        with suppress(Empty):
            while not isinstance(news := self._uncounted.get(timeout=timeout), TournamentEnded):
                standings.add(news)
                timeout = max(0.0, until - time.monotonic())
            return news
        return None
