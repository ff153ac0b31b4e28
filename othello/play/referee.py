"""Conducts a game: turns, clocks, forfeits and the record.

The same referee is used in the window, without it, in other processes and on a cluster. Its owner asks the players and
reports events and times. A referee never waits.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from functools import partial
from pathlib import Path

from othello.config import PlayerConfig
from othello.config_file import entry_of
from othello.errors import PlayerError, Reason, quoted
from othello.frozen_dataclass import FrozenDataclass
from othello.game import AnyGame
from othello.play.clock import Clock, move_time
from othello.play.players import Players
from othello.play.seeding import opening_seed
from othello.records.record import GameRecord
from othello.rules.protocol import Color, GameSpec, Move
from othello.search.report import SearchReport
from othello.texts import number, tr


class GameJob(FrozenDataclass):
    """A game to be played. It is the same game in any process on any machine."""

    number: int  # of the game in the experiment, from 1
    series: int  # of the series of the game, from 1
    players: tuple[PlayerConfig, PlayerConfig]  # black and white
    game: GameSpec
    seed: int  # of the game; the players' seeds derive from it
    opening_plies: int = 0  # moves that are made for the players
    opening: str = ""  # transcript of these moves; empty: random ones
    adjudicate: int = 0  # number of empty squares from which the engine decides the game; 0: never
    # seconds by which a computer may exceed its time limit; None: the game is unrated, and only a clock can run out
    time_margin_seconds: float | None = 0.5
    experiment: str = ""  # fingerprint of the settings, for the record
    log: Path | None = None  # file for the communication with external programs

    @property
    def is_rated(self) -> bool:
        """True if the game counts: no move can be taken back, and the players cannot change."""
        return self.time_margin_seconds is not None

    @property
    def opening_seed(self) -> int:
        return opening_seed(self.seed)


class Fault(Enum):
    """Reason why a game ended early: a fault of the loser, or a draw by agreement. Records store the values."""

    OUT_OF_TIME = "has run out of time"
    TOO_SLOW = "took {spent:.2f} s for a move; {allowed:g} s are allowed"
    HANGS = "hangs; {allowed:g} s per move are allowed"
    FAILED = "failed: {reason}"
    RESIGNED = "resigned"
    DRAW_AGREED = "draw agreed"


class Forfeit(FrozenDataclass):
    """The end of a game before its result on the board: a loss, or a draw by agreement."""

    color: Color  # the loser, or who offered the draw
    fault: Fault
    spent: float = 0.0  # seconds used for the move
    allowed: float = 0.0  # seconds allowed for the move
    reason: Reason | None = None  # why a player failed

    @property
    def winner(self) -> Color | None:
        return None if self.fault is Fault.DRAW_AGREED else self.color.opponent

    def __str__(self) -> str:
        """Return the English text for results files."""
        if self.fault is Fault.DRAW_AGREED:
            return str(self.fault.value)
        reason = self.reason and self.reason.english
        words = self.fault.value.format(spent=self.spent, allowed=self.allowed, reason=reason)
        return f"{self.color.label} {words}"

    def sentence(self, side: str, *, is_own: bool = False) -> str:
        """Return what happened in the user's language; `is_own`: `side` is the user's."""
        name = self.fault.name.lower()
        if self.reason is not None:
            name = "failed_because"
        elif is_own and self.fault in (Fault.OUT_OF_TIME, Fault.TOO_SLOW, Fault.RESIGNED):
            name = f"your_{name}"
        spent, allowed = number(self.spent, ".2f"), number(self.allowed)
        return tr(f"faults.{name}", side=side, spent=spent, allowed=allowed, reason=self.reason)

    @classmethod
    def of(cls, record: GameRecord) -> Forfeit | None:
        """Return how a recorded game ended early, None if it did not or the record does not say."""
        if not record.fault:
            return None
        fault, color = Fault[record.fault.upper()], Color.BLACK if record.winner is None else record.winner.opponent
        if fault is Fault.FAILED:
            return cls(color, fault, reason=quoted(record.reason.partition(": ")[2]))
        numbers = [0.0, 0.0, *map(float, re.findall(r"\d+(?:\.\d+)?", record.reason))]
        return cls(color, fault, numbers[-2], numbers[-1])


class Referee:
    """One game in progress."""

    def __init__(self, job: GameJob, start: AnyGame) -> None:
        self.job = job
        self.game = start  # with all moves so far
        self.players = Players(job.players)  # players by colour
        self.clock = Clock()
        self.forfeit: Forfeit | None = None  # how the game ended early; None if it did not
        self.proven: AnyGame | None = None  # the game continued with best play, if the engine has decided it

    @property
    def player(self) -> PlayerConfig:
        return self.players[self.game.to_move]

    @property
    def is_over(self) -> bool:
        """True if no more moves can be made."""
        return self.forfeit is not None or self.proven is not None or self.game.is_over

    @property
    def winner(self) -> Color | None:
        """The winner; None for a draw and while the game goes on."""
        if self.forfeit is not None:
            return self.forfeit.winner
        outcome = (self.proven or self.game).outcome
        return None if outcome is None else outcome.winner

    def remaining(self, color: Color, now: float) -> float | None:
        """Return the seconds on a side's clock, None if it has none."""
        return self.clock.remaining(color, self.players[color], now)

    def allotment(self, now: float) -> float | None:
        """Return the seconds that the clock allows for this move, None if there is no clock."""
        remaining = self.remaining(self.game.to_move, now)
        if remaining is None:
            return None
        rules, player = self.game.rules, self.player
        moves = rules.moves_left(self.game.position)
        ends = partial(player.solving_seconds, rules)
        return move_time(remaining, player.increment_seconds, moves, ends, used=player.allotment_used)

    def begin(self, at: float) -> None:
        """Start the clock of the side to move."""
        if self.forfeit is None:
            self.clock = self.clock.started(self.game.to_move, at)

    def set_paused(self, at: float) -> None:
        """Stop the clock until the next `begin`."""
        self.clock = self.clock.stopped(at)

    def check_clock(self, now: float, tolerance: float = 0.0) -> None:
        """End the game if the side to move has exceeded its time by more than `tolerance` seconds."""
        self.forfeit = self.forfeit or self._overdue(now - tolerance, Fault.HANGS)
        if self.forfeit is not None:
            self.set_paused(now)

    def decide(self, at: float) -> None:
        """Stop the clock because a move is chosen. The game ends if that took too long."""
        self.forfeit = self.forfeit or self._overdue(at, Fault.TOO_SLOW)
        self.set_paused(at)

    def fail(self, reason: Reason, at: float) -> None:
        """Report that an external player has failed. In a rated game, it loses."""
        self.set_paused(at)
        if self.job.is_rated:
            self.forfeit = self.forfeit or Forfeit(self.game.to_move, Fault.FAILED, reason=reason)

    def end(self, color: Color, how: Fault, at: float) -> None:
        """End the game by resignation, or by a draw that `color` offered."""
        self.set_paused(at)
        self.forfeit = self.forfeit or Forfeit(color, how)

    def play(self, move: Move) -> None:
        """Make a move or a pass; raise an IllegalMoveError if it is illegal."""
        color, increment = self.game.to_move, self.player.increment_seconds
        self.game = self.game.play(move)
        if not self.game.rules.is_pass(move):
            self.clock = self.clock.gaining(color, increment)

    def adjudicate(self, line: Sequence[Move]) -> None:
        """End the game with the result of best play, which is `line`."""
        self.proven = self.game
        for move in line:
            self.proven = self.proven.play(move)

    def record(self, reports: Sequence[SearchReport | None] = ()) -> GameRecord:
        """Return the record for the results file.

        Args:
            reports: the search for every move; empty if none is known.

        Raises:
            ValueError: the game is not over.
        """
        job = self.job
        return GameRecord.of(
            self.game,
            (self.players[Color.BLACK].name, self.players[Color.WHITE].name),
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
            setup={"players": {player.name: entry_of(player, is_whole=True) for player in self.players.values()}},
        )

    def _overdue(self, now: float, late: Fault) -> Forfeit | None:
        """Return the forfeit of the side to move if it has exceeded its time by `now`, None if it has not.

        `late` is the fault for exceeding the time per move.
        """
        color, spent, margin = self.clock.running, now - self.clock.since, self.job.time_margin_seconds
        if color is None:
            return None
        remaining = self.remaining(color, now)
        if remaining is not None and remaining < 0:
            return Forfeit(color, Fault.OUT_OF_TIME)
        limit = self.players[color].time_limit_seconds
        if limit is None or margin is None or self.players[color].is_user or spent <= limit + margin:
            return None
        return Forfeit(color, late, spent, limit)


def playable(report: SearchReport, game: AnyGame) -> SearchReport:
    """Return a player's answer; raise a PlayerError if its move is illegal."""
    legal = game.legal_moves()
    if report.move not in legal:
        answer = game.text_of(report.move) if 0 <= report.move < game.rules.move_count else repr(report.move)
        allowed = ", ".join(map(game.text_of, legal))
        raise PlayerError("illegal_answer", move=answer, legal=allowed)
    return report
