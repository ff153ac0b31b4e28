"""A tournament in a thread of its own, for those who watch it: events out, pause and stop in."""

from __future__ import annotations

import os
import queue
import threading
from contextlib import closing
from dataclasses import dataclass
from typing import TypeAlias

from othello.config import Config
from othello.errors import OthelloError
from othello.game import AnyGame
from othello.records.record import GameRecord
from othello.tournament.experiment import Experiment
from othello.tournament.job import Job
from othello.tournament.processes import ProcessCrew
from othello.tournament.run import Control


@dataclass(frozen=True, slots=True)
class PositionShown:
    """A game under way, as it stands."""

    job: Job
    game: AnyGame


@dataclass(frozen=True, slots=True)
class GameFinished:
    """A game is over, written and counted. These come in the order of the schedule."""

    record: GameRecord


@dataclass(frozen=True, slots=True)
class TournamentEnded:
    """Nothing more will come.

    Attributes:
        verdict: why the sequential test ended it, empty where it did not.
        error: what went wrong, in one line; empty where nothing did.
    """

    verdict: str = ""
    error: str = ""


Event: TypeAlias = PositionShown | GameFinished | TournamentEnded


class WatchedTournament:
    """Plays a config's tournament beside its caller, who takes events when it likes.

    Attributes:
        experiment: its config, seed and number of games. Its standings belong to the tournament's thread once that is
            started: who watches keeps standings of its own, from a copy of these and every `GameFinished`.
        control: pauses, goes on, stops.
    """

    def __init__(self, config: Config) -> None:
        """Read what was played before; nothing is played yet.

        Raises:
            ResultsError: the results file is damaged, or of another experiment.
        """
        self.experiment = Experiment(config)
        self.control = Control()
        self._events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="tournament", daemon=True)

    def start(self) -> None:
        """Begin to play."""
        self._thread.start()

    def events(self) -> list[Event]:
        """What has happened since the last call, without waiting."""
        happened = []
        while not self._events.empty():
            happened.append(self._events.get())
        return happened

    def close(self) -> None:
        """Stop, and wait until everything is written and every process has ended."""
        self.control.stop()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        error = ""
        try:
            processes = self.experiment.config.tournament.processes or os.cpu_count() or 1
            crew = ProcessCrew(processes, watcher=lambda job, game: self._events.put(PositionShown(job, game)))
            with closing(crew), closing(self.experiment.play(crew, self.control)) as games:
                for record in games:
                    self._events.put(GameFinished(record))
        except OthelloError as problem:
            error = str(problem)
        finally:
            self._events.put(TournamentEnded(self.experiment.verdict, error))
