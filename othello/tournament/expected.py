"""Whether records are of the games that a schedule has."""

from __future__ import annotations

from collections.abc import Iterable

from othello.errors import TranscriptError
from othello.play.referee import Job
from othello.records.record import GameRecord
from othello.records.transcript import parse_transcript
from othello.rules.registry import rules_of, unusual_options
from othello.schema import shown
from othello.tournament.schedule import Series


class ExpectedGames:
    """The games of a schedule by number, looked up no further than needed."""

    def __init__(self, schedule: Iterable[Series], most: int) -> None:
        self._most = most
        self._coming = (job for series in schedule for job in series.jobs)
        self._jobs: dict[int, Job] = {}

    def fault(self, record: GameRecord) -> str:
        """Why a record cannot be of its game, empty where it can."""
        if not 1 <= record.game <= self._most:
            return f"is none of the {self._most} games that there are"
        job = self._job(record.game)
        due = {
            "series": job.series,
            "black": job.players[0].name,
            "white": job.players[1].name,
            "seed": job.seed,
            "opening_plies": job.opening_plies,
            "game_name": job.game.game,
            "rules": unusual_options(job.game),
        }
        for name, value in due.items():
            found = getattr(record, name)
            if found != value:
                return f"has {shown(found)} as {name}, due is {shown(value)}"
        return _fault_of_moves(record, job)

    def _job(self, number: int) -> Job:
        while number not in self._jobs:
            job = next(self._coming)
            self._jobs[job.number] = job
        return self._jobs[number]


def _fault_of_moves(record: GameRecord, job: Job) -> str:
    rules = rules_of(job.game)
    try:
        game = parse_transcript(record.transcript, rules)
    except TranscriptError as error:
        return f"cannot be replayed: {error}"
    score = rules.score(game.position)
    if score != (record.black_points, record.white_points):
        counted = rules.points or "points"
        return f"ends with {score[0]} to {score[1]} {counted}, not {record.black_points} to {record.white_points}"
    if record.reason:
        return ""  # forfeited: anybody can have won it, at any time
    if game.outcome is None:
        return f"is not over after {game.ply} moves"
    winner = "draw" if game.outcome.winner is None else game.outcome.winner.label
    return "" if record.result == winner else f"has {record.result} as result, due is {winner}"
