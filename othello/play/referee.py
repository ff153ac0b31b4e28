"""Conducts a game: whose turn it is, what time is left, who has lost by a fault, what is put on record.

The same in the window, headless, in other processes and on a cluster. Who drives a referee asks the players and tells
it what happens and when; a referee never waits.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from functools import partial
from itertools import product
from pathlib import Path

from othello.config import PlayerConfig
from othello.config_file import entry_of
from othello.errors import PlayerError, Reason, quoted
from othello.frozen import Frozen
from othello.game import AnyGame
from othello.play.clock import Clock, allotment
from othello.play.seats import Seats
from othello.play.seeding import opening_seed
from othello.records.record import GameRecord
from othello.rules.protocol import Color, GameSpec, Move
from othello.search.report import SearchReport
from othello.texts import number, say


class Job(Frozen):
    """A game to be played. It can be sent to any process on any machine and is the same game everywhere."""

    number: int  # of the game in the experiment, from 1
    series: int  # of the series that the game belongs to, from 1
    players: tuple[PlayerConfig, PlayerConfig]  # black and white
    game: GameSpec
    seed: int  # of the game; the seeds of both players derive from it
    opening_plies: int = 0  # how many moves are made for the players
    opening: str = ""  # the transcript of these moves, empty where they are drawn
    adjudicate: int = 0  # with so few empty squares the engine ends the game, 0: never
    # how far a computer may overstep its time limit. None: the game does not count, and only a clock that has run out
    # ends it
    time_margin_seconds: float | None = 0.5
    experiment: str = ""  # fingerprint of the settings, for the record
    log: Path | None = None  # a file for the talk with external programs

    @property
    def is_rated(self) -> bool:
        """Whether the game counts: no move is taken back, and the players stay where they are."""
        return self.time_margin_seconds is not None

    @property
    def opening_seed(self) -> int:
        return opening_seed(self.seed)


class Fault(Enum):
    """Why a game ended before its end: what a player did, whose side the words follow, or what both agreed."""

    OUT_OF_TIME = "has run out of time"
    TOO_SLOW = "took {spent:.2f} s for a move; {allowed:g} s are allowed"
    HANGS = "hangs; {allowed:g} s per move are allowed"
    FAILED = "failed: {reason}"
    RESIGNED = "resigned"
    DRAW_AGREED = "draw agreed"


class Forfeit(Frozen):
    """How a game ended, whatever was on the board: a side lost, or both agreed to a draw."""

    color: Color  # who lost, or offered the draw
    fault: Fault
    spent: float = 0.0  # seconds that it took for the move, where they matter
    allowed: float = 0.0  # seconds that it had
    reason: Reason | None = None  # why a player failed, where it did

    @property
    def winner(self) -> Color | None:
        return None if self.fault is Fault.DRAW_AGREED else self.color.opponent

    def __str__(self) -> str:
        """As results files have it: in English."""
        if self.fault is Fault.DRAW_AGREED:
            return str(self.fault.value)
        reason = self.reason and self.reason.english
        words = self.fault.value.format(spent=self.spent, allowed=self.allowed, reason=reason)
        return f"{self.color.label} {words}"

    def told(self, side: str, *, is_own: bool = False) -> str:
        """What the side did, in the language in use; told to the person where the side is the person's own."""
        name = self.fault.name.lower()
        if self.reason is not None:
            name = "failed_because"
        elif is_own and self.fault in (Fault.OUT_OF_TIME, Fault.TOO_SLOW, Fault.RESIGNED):
            name = f"your_{name}"
        spent, allowed = number(self.spent, ".2f"), number(self.allowed)
        return say(f"faults.{name}", side=side, spent=spent, allowed=allowed, reason=self.reason)

    @classmethod
    def read(cls, text: str) -> Forfeit | None:
        """The inverse of `str`, for those who read records; None where a text says something else."""
        if text == Fault.DRAW_AGREED.value:
            return cls(Color.BLACK, Fault.DRAW_AGREED)
        for color, fault in product(Color, Fault):
            words = re.escape(f"{color.label} {fault.value}").replace(r"\{reason\}", "(?P<reason>.*)")
            pattern = re.sub(r"\\{(\w+).*?\\}", r"(?P<\1>\\d+(?:\\.\\d+)?)", words)
            found = re.fullmatch(pattern, text)
            if found is not None:
                parts = found.groupdict()
                spent, allowed = (float(parts.get(key, 0.0)) for key in ("spent", "allowed"))
                return cls(color, fault, spent, allowed, quoted(parts["reason"]) if fault is Fault.FAILED else None)
        return None


class Referee:
    """One game, as far as it is played."""

    def __init__(self, job: Job, start: AnyGame) -> None:
        self.job = job
        self.game = start  # the moves so far
        self.seats = Seats(job.players)  # who plays which colour
        self.clock = Clock()  # the time that both sides have used
        self.forfeit: Forfeit | None = None  # how a side has lost by a fault, None while neither has
        self.proven: AnyGame | None = None  # the game with best play to its end, where it is ended with that result

    @property
    def seat(self) -> PlayerConfig:
        return self.seats[self.game.to_move]

    @property
    def is_over(self) -> bool:
        """Whether no more moves can be made: the game has ended, or was ended before its end."""
        return self.forfeit is not None or self.proven is not None or self.game.is_over

    @property
    def winner(self) -> Color | None:
        """Who has won, None for a draw or while nobody has."""
        if self.forfeit is not None:
            return self.forfeit.winner
        outcome = (self.proven or self.game).outcome
        return None if outcome is None else outcome.winner

    def remaining(self, color: Color, now: float) -> float | None:
        """Seconds on a side's clock, None where it has none."""
        return self.clock.remaining(color, self.seats[color], now)

    def allotment(self, now: float) -> float | None:
        """How long the clock lets the side to move think about its move, None where it has none."""
        remaining = self.remaining(self.game.to_move, now)
        if remaining is None:
            return None
        rules, seat = self.game.rules, self.seat
        moves = rules.moves_left(self.game.position)
        ends = partial(seat.solving_seconds, rules)
        return allotment(remaining, seat.increment_seconds, moves, ends, used=seat.allotment_used)

    def begin(self, at: float) -> None:
        """The side to move begins to think: its time runs."""
        if self.forfeit is None:
            self.clock = self.clock.started(self.game.to_move, at)

    def hold(self, at: float) -> None:
        """Nobody's time runs until the next `begin`."""
        self.clock = self.clock.stopped(at)

    def judge(self, now: float, patience: float = 0.0) -> None:
        """End the game if the thinking side has exceeded its time by more than the given seconds."""
        self.forfeit = self.forfeit or self._overdue(now - patience, Fault.HANGS)
        if self.forfeit is not None:
            self.hold(now)

    def decide(self, at: float) -> None:
        """The side that thought has chosen its move: its time stands, and the game is over where it took too long."""
        self.forfeit = self.forfeit or self._overdue(at, Fault.TOO_SLOW)
        self.hold(at)

    def fail(self, reason: Reason, at: float) -> None:
        """The player to move is no part of this program, and has failed. Where the game counts, it has lost."""
        self.hold(at)
        if self.job.is_rated:
            self.forfeit = self.forfeit or Forfeit(self.game.to_move, Fault.FAILED, reason=reason)

    def end(self, color: Color, how: Fault, at: float) -> None:
        """End the game by a side's resignation, or by a draw that the side offered."""
        self.hold(at)
        self.forfeit = self.forfeit or Forfeit(color, how)

    def play(self, move: Move) -> None:
        """Make the chosen move, or a pass; IllegalMoveError where the rules do not allow it."""
        color, increment = self.game.to_move, self.seat.increment_seconds
        self.game = self.game.play(move)
        if not self.game.rules.is_pass(move):
            self.clock = self.clock.gaining(color, increment)

    def adjudicate(self, line: Sequence[Move]) -> None:
        """End the game with the result of best play, which is this line."""
        self.proven = self.game
        for move in line:
            self.proven = self.proven.play(move)

    def swap(self, now: float) -> None:
        """The players change colours, and take their times with them."""
        self.seats, self.clock = self.seats.swapped(), self.clock.swapped(now)

    def record(self, reports: Sequence[SearchReport | None] = ()) -> GameRecord:
        """Return the game for the results file, with the search for every move; ValueError while the game goes on."""
        job = self.job
        return GameRecord.of(
            self.game,
            (self.seats[Color.BLACK].name, self.seats[Color.WHITE].name),
            job.seed,
            self.clock.spent,
            None if self.forfeit is None else (self.forfeit.winner, str(self.forfeit)),
            self.proven,
            reports,
            fault="" if self.forfeit is None else self.forfeit.fault.name.lower(),
            game=job.number,
            series=job.series,
            opening_plies=job.opening_plies,
            experiment=job.experiment,
            setup={"players": {seat.name: entry_of(seat, is_whole=True) for seat in self.seats.values()}},
        )

    def _overdue(self, now: float, late: Fault) -> Forfeit | None:
        """What the side whose time runs has done wrong by `now`; `late` where it is its time for a move."""
        color, spent, margin = self.clock.running, now - self.clock.since, self.job.time_margin_seconds
        if color is None:
            return None
        remaining = self.remaining(color, now)
        if remaining is not None and remaining < 0:
            return Forfeit(color, Fault.OUT_OF_TIME)
        limit = self.seats[color].time_limit_seconds
        if limit is None or margin is None or self.seats[color].is_user or spent <= limit + margin:
            return None
        return Forfeit(color, late, spent, limit)


def playable(report: SearchReport, game: AnyGame) -> SearchReport:
    """A player's answer; PlayerError where its move is not legal."""
    legal = game.legal_moves()
    if report.move not in legal:
        answer = game.text_of(report.move) if 0 <= report.move <= max(legal) else repr(report.move)
        allowed = ", ".join(map(game.text_of, legal))
        raise PlayerError("illegal_answer", move=answer, legal=allowed)
    return report
