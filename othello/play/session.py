"""A game in progress: whose turn it is, what may be done, what the computer thinks. Knows no window.

A session is told what to do by commands (`do`) and moves on with time (`update`); both take the current time,
so that nothing in here ever waits. A person is a state of the session: while it is a person's turn, the session
waits for `PlayMove`.
"""

from __future__ import annotations

from collections.abc import Callable

from othello.config import Config, PlayerConfig
from othello.errors import OutputError
from othello.game import AnyGame, Game
from othello.play import commands as cmd
from othello.play.clock import TurnClock
from othello.play.news import Searcher, Seat
from othello.play.pace import PASS_SECONDS, RESULT_SECONDS, slower
from othello.play.seats import Seats
from othello.play.seeding import draw_seed, endless_game_seeds, player_seed
from othello.play.thinking import Thinking
from othello.play.time_control import allotment
from othello.records.record import GameRecord
from othello.rules.protocol import Color, Move
from othello.rules.registry import rules_of
from othello.search.report import SearchReport


class Session:
    """One window's games, one after the other.

    Attributes:
        game: the game so far.
        seats: who plays which colour.
        thinking: the computer's search.
        clock: the time that both sides have used.
        version: grows with every change that can be seen.
        forfeit: the side that has lost by a fault, None while neither has.
        fault: what it did, such as "has run out of time".
        notice: why the last finished game was not recorded, None where all is well.
    """

    def __init__(
        self, config: Config, searcher: Searcher, now: float, on_finished: Callable[[GameRecord], None] | None = None
    ) -> None:
        self.config = config
        self.seats = Seats(config.players)
        self.thinking = Thinking(searcher)
        self.delay = config.move_delay_seconds
        self.paused = False
        self.version = 0
        self.notice: str | None = None
        self.seed = draw_seed() if config.seed is None else config.seed
        self.number = 0
        self._searcher = searcher
        self._on_finished = on_finished
        self._seeds = endless_game_seeds(self.seed)
        self._new_game(now)

    def _new_game(self, now: float) -> None:
        self.thinking.drop()
        self.game, self.game_seed = self._start()
        self.number += 1
        self.clock = TurnClock()
        self.reports: dict[int, SearchReport] = {}
        self._undone: tuple[Move, ...] = ()
        self._viewed: int | None = None
        self._step = False
        self._recorded = False
        self.forfeit: Color | None = None
        self.fault = ""
        self._begin_turn(now)

    def _start(self) -> tuple[AnyGame, int]:
        """What the next game begins with, and its seed."""
        return Game.new(rules_of(self.config.game)), next(self._seeds)

    # What can be seen.

    @property
    def seat(self) -> PlayerConfig:
        """Who is to move."""
        return self.seats[self.game.to_move]

    @property
    def is_over(self) -> bool:
        """Whether no more moves can be made: the game has ended, or somebody has forfeited it."""
        return self.game.is_over or self.forfeit is not None

    @property
    def winner(self) -> Color | None:
        """Who has won, None for a draw or while nobody has."""
        if self.forfeit is not None:
            return self.forfeit.opponent
        return None if self.game.outcome is None else self.game.outcome.winner

    def remaining(self, color: Color, now: float) -> float | None:
        """Seconds on a side's clock, None where it has none."""
        return self.clock.remaining(color, self.seats[color], now)

    @property
    def awaits_person(self) -> bool:
        """Whether the next move is for a person to choose."""
        return self.seat.is_user and not self.is_over and not self.game.must_pass

    @property
    def is_rated(self) -> bool:
        """Whether the game counts: no move is taken back, and the players stay where they are."""
        return False

    @property
    def occasion(self) -> tuple[str, ...]:
        """Which game this is, in ever fewer words."""
        games = self.config.game_repetitions
        number = f"Game {self.number} of {games}" if 1 < games >= self.number else f"Game {self.number}"
        return (f"{number} · seed {self.game_seed}",)

    @property
    def has_computer(self) -> bool:
        return bool(self.seats.computers)

    @property
    def is_between_computers(self) -> bool:
        return len(self.seats.computers) == len(self.seats)

    @property
    def shown_ply(self) -> int:
        """The ply that is looked at: the latest, unless somebody went back."""
        return self.game.ply if self._viewed is None else self._viewed

    @property
    def shown(self) -> AnyGame:
        """The game up to `shown_ply`."""
        return self.game if self._viewed is None else self.game.at(self._viewed)

    @property
    def is_live(self) -> bool:
        """Whether the latest position is the one that is looked at."""
        return self._viewed is None

    @property
    def shown_report(self) -> tuple[int, SearchReport] | None:
        """The search of the position that is looked at, else the last one before it, with its ply."""
        ply = max((ply for ply in self.reports if ply <= self.shown_ply), default=None)
        return None if ply is None else (ply, self.reports[ply])

    @property
    def announces_pass(self) -> bool:
        """Whether a pass waits to be read."""
        return self.game.must_pass and not self.is_over

    @property
    def failure(self) -> str | None:
        """Why the computer whose turn it is does not move."""
        return self.thinking.failure

    @property
    def can_undo(self) -> bool:
        return self._undo_ply() is not None

    @property
    def can_redo(self) -> bool:
        return bool(self._undone)

    @property
    def next_game_at(self) -> float | None:
        """When the next repetition begins by itself, None where it does not."""
        more = self.number < self.config.game_repetitions
        if not (more and self.is_between_computers and self.is_over and not self.paused):
            return None
        return self._turn_began + RESULT_SECONDS

    def next_event(self, now: float) -> float | None:
        """The latest time at which `update` must be called again without a command; None: any time will do."""
        if self.thinking.is_busy:
            return now  # news can come at any moment
        if self.is_over:
            return self.next_game_at
        running = self.clock.running
        if running is not None:
            remaining = self.remaining(running, now)
            return None if remaining is None else now + max(0.0, remaining)
        if self._is_held or self.awaits_person or self.failure is not None:
            return None
        if self.game.must_pass or self.thinking.answer is not None:
            return self._turn_began + self._turn_seconds
        return now

    # What can be done.

    def do(self, command: cmd.SessionCommand, now: float) -> None:
        """Carry a command out, or ignore it where it does not apply."""
        self.version += 1
        match command:
            case cmd.PlayMove(move):
                self._play_for_person(move, now)
            case cmd.NewGame():
                self.paused = False
                self._new_game(now)
            case cmd.Undo():
                self._undo(now)
            case cmd.Redo():
                self._redo(now)
            case cmd.TogglePause():
                self.paused, self._step = not self.paused, False
                self._turn_began = now
                self._run_clock(now)
            case cmd.Step():
                self.paused = self._step = True
            case cmd.ChangePace(steps):
                self.delay = slower(self.delay, steps)
            case cmd.GoTo(ply):
                self._viewed = max(0, ply) if max(0, ply) < self.game.ply else None
            case cmd.Browse(steps):
                self.do(cmd.GoTo(self.shown_ply + steps), now)
            case cmd.SwapSides():
                self.clock.swap(now)
                self._seat(self.seats.swapped(), now)
            case cmd.HandOver(color):
                self._seat(self.seats.handed_over(color), now)
            case cmd.Acknowledge():
                if self.announces_pass:
                    self._append(self.game.legal_moves()[0], now)

    def _play_for_person(self, move: Move, now: float) -> None:
        if not self.is_live:
            self._viewed = None  # nobody means to move in a position of the past
        elif self.awaits_person and move in self.game.legal_moves():
            self._append(move, now)

    def _undo_ply(self) -> int | None:
        """Where undo goes: the last earlier choice of a person; by one choice where no person plays."""
        game = self.game
        for ply in range(game.ply - 1, -1, -1):
            chooser = self.seats[game.positions[ply].to_move]
            if not game.rules.is_pass(game.moves[ply]) and (chooser.is_user or self.is_between_computers):
                return ply
        return None

    def _undo(self, now: float) -> None:
        ply = self._undo_ply()
        if ply is None:
            return
        self._undone = self.game.moves[ply:] + self._undone
        self.paused |= self.is_between_computers  # else the same move would come again at once
        self.reports = {at: report for at, report in self.reports.items() if at <= ply}
        self.forfeit, self.fault = None, ""
        self.thinking.drop()
        self.clock.rewind(ply)
        self._set_game(self.game.at(ply), now)

    def _redo(self, now: float) -> None:
        game = self.game
        while self._undone and not self.is_over:
            game = game.play(self._undone[0])
            self._undone = self._undone[1:]
            chooser = self.seats[game.to_move]
            if not game.must_pass and (chooser.is_user or self.is_between_computers):
                break
        if game is not self.game:
            self._set_game(game, now)

    def _seat(self, seats: Seats, now: float) -> None:
        self.seats = seats
        self.paused &= self.has_computer  # there is nobody else to hold back
        self._searcher.prepare(seats.computers, self.config.game)
        self.thinking.drop()
        self._begin_turn(now)

    # How the game goes on.

    def update(self, now: float) -> None:
        """Take the computer's news and make the moves that are due."""
        if self.thinking.collect():
            self.version += 1
            if self.thinking.report is not None:
                self.reports[self.game.ply] = self.thinking.report
        self._run_clock(now)
        self._check_faults(now)
        if self.is_over:
            if self.next_game_at is not None and now >= self.next_game_at:
                self.version += 1
                self._new_game(now)
        elif self.game.must_pass:
            if not self._is_held and now >= self._turn_began + self._turn_seconds:
                self._append(self.game.legal_moves()[0], now)
        elif not self.seat.is_user:
            self._move_computer(now)

    def _move_computer(self, now: float) -> None:
        if not self.thinking.is_wanted:
            if not self._is_held:
                color = self.game.to_move
                seat = Seat(self.seat, self.game.rules.spec, player_seed(self.game_seed, color))
                self.thinking.ask(self.game, seat, self._allotment(now))
        elif self.thinking.answer is not None:
            is_due = not self.paused and now >= self._turn_began + self._turn_seconds
            if is_due or self._step:
                self._append(self.thinking.answer.move, now)

    def _allotment(self, now: float) -> float | None:
        """How long the clock lets a computer think about its move; None without a clock."""
        remaining = self.remaining(self.game.to_move, now)
        if remaining is None:
            return None
        return allotment(remaining, self.seat.increment_seconds, self.game.rules.moves_left(self.game.position))

    @property
    def _is_held(self) -> bool:
        return self.paused and not self._step

    @property
    def _turn_seconds(self) -> float:
        """How long the current position stays at least, unless a person moves."""
        if not self.game.must_pass:
            return self.delay
        return max(1.0, self.delay) if self.is_between_computers else PASS_SECONDS

    def _append(self, move: Move, now: float) -> None:
        self._undone = ()
        self._step = False
        self._check_faults(now)
        if self.is_over:  # the move came too late
            return
        if not self.game.must_pass:
            self.clock.gain(self.game.to_move, self.seat.increment_seconds)
        self._set_game(self.game.play(move), now)

    def _set_game(self, game: AnyGame, now: float) -> None:
        self.thinking.drop()
        self.game = game
        if self._viewed is not None and self._viewed >= game.ply:
            self._viewed = None
        self.version += 1
        self._begin_turn(now)

    def _begin_turn(self, now: float) -> None:
        self._turn_began = now
        self._charged = False
        self.clock.mark(self.game.ply, now)
        self._run_clock(now)
        if self.is_over:
            self._end(now)

    def _check_faults(self, now: float) -> None:
        """End the game where the side to move has run out of time."""
        remaining = self.remaining(self.game.to_move, now)
        if remaining is not None and remaining < 0 and not self.is_over:
            self._forfeit("has run out of time", now)

    def _forfeit(self, fault: str, now: float) -> None:
        """The side to move loses, whatever is on the board."""
        self.forfeit, self.fault = self.game.to_move, fault
        self.thinking.drop()
        self.clock.stop(now)
        self._turn_began = now
        self.version += 1
        self._end(now)

    def _end(self, now: float) -> None:
        """Record the game, once."""
        if not self._recorded:
            self._recorded = True
            self.thinking.finish()
            self._record(now)

    def _run_clock(self, now: float) -> None:
        """A person's time runs from the start of the turn, a computer's only while it thinks."""
        thinking = self.thinking
        if thinking.started_at is not None:
            if not self._charged:
                self.clock.start(self.game.to_move, thinking.started_at)
            if thinking.ended_at is not None:
                self.clock.stop(thinking.ended_at)
                self._charged = True  # the answer may be held back for a while yet
        elif self.awaits_person and not self.paused:
            self.clock.start(self.game.to_move, now)
        else:
            self.clock.stop(now)

    def _record(self, now: float) -> None:
        """Hand the finished game on. What is taken back and played on after the end is not recorded again."""
        if self._on_finished is not None:
            black, white = (self.clock.used(color, now) for color in Color)
            names = (self.seats[Color.BLACK].name, self.seats[Color.WHITE].name)
            fault = None if self.forfeit is None else (self.forfeit, f"{self.forfeit.label} {self.fault}")
            record = GameRecord.of(
                self.game, names, self.game_seed, (black, white), fault, game=self.number, series=self.number
            )
            try:
                self._on_finished(record)
                self.notice = None
            except OutputError as error:
                self.notice = str(error)
