"""Playing a schedule with a crew."""

from __future__ import annotations

import threading
from collections.abc import Generator
from typing import Final

from othello.records.record import GameRecord
from othello.tournament.agenda import Agenda
from othello.tournament.crew import Crew

_WAIT_SECONDS: Final = 0.1


class Control:
    """Pauses or stops a tournament from another thread."""

    def __init__(self) -> None:
        self._may_begin = threading.Event()
        self._may_begin.set()
        self.is_stopped = False

    @property
    def is_paused(self) -> bool:
        return not self._may_begin.is_set()

    def pause(self) -> None:
        """Begin no more games; those under way are played to their end."""
        self._may_begin.clear()

    def go_on(self) -> None:
        """Begin games again."""
        self._may_begin.set()

    def stop(self) -> None:
        """End as soon as possible. Games under way are dropped."""
        self.is_stopped = True
        self._may_begin.set()

    def wait(self, seconds: float) -> None:
        """Wait for the end of a pause, at most so long."""
        self._may_begin.wait(seconds)


def play(agenda: Agenda, crew: Crew, control: Control | None = None) -> Generator[GameRecord]:
    """Play all games of an agenda and yield their records in its order.

    Raises:
        TournamentError: games cannot be played at all.
    """
    control = control or Control()
    under_way = 0
    while not control.is_stopped:
        while crew.room and not control.is_paused:
            job = agenda.take()
            if job is None:
                break
            crew.submit(job)
            under_way += 1
        if under_way:
            for record in crew.collect(_WAIT_SECONDS):
                under_way -= 1
                agenda.finish(record)
            yield from agenda.finished()
        elif control.is_paused:
            control.wait(_WAIT_SECONDS)
        else:
            return
