"""Playing a schedule."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from othello.game import AnyGame
from othello.records.record import GameRecord
from othello.tournament.job import Job, play_game
from othello.tournament.schedule import Series


@dataclass(frozen=True, slots=True)
class GameStarted:
    """A game has begun."""

    job: Job


@dataclass(frozen=True, slots=True)
class MovePlayed:
    """A game has gone on by a move."""

    job: Job
    game: AnyGame


@dataclass(frozen=True, slots=True)
class GameFinished:
    """A game is over."""

    job: Job
    record: GameRecord


Event: TypeAlias = GameStarted | MovePlayed | GameFinished


def run(schedule: Iterable[Series], sink: Callable[[Event], None]) -> None:
    """Play all series, one game after the other.

    Args:
        schedule: the series.
        sink: told of everything that happens, in the thread of the caller.

    Raises:
        PlayerError: a player gave no move, or an illegal one.
    """
    for series in schedule:
        records: list[GameRecord] = []
        for job in series.jobs:
            if series.is_decided(records):
                break
            sink(GameStarted(job))
            record = play_game(job, lambda game, job=job: sink(MovePlayed(job, game)))  # type: ignore[misc]
            records.append(record)
            sink(GameFinished(job, record))
