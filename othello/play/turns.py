"""How a game goes on with time: whose move is due, who is asked for it, when it is made. Nothing in here ever waits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from othello.errors import OutputError, Reason
from othello.play.history import History
from othello.play.seeding import player_seed
from othello.play.table import Table
from othello.play.thinking import Answered, Drawn, Failed, Progress, Searcher, Seat, Started, Thinking
from othello.play.view import View
from othello.records.record import GameRecord
from othello.rules.protocol import Move

PACES: Final = (0.0, 0.2, 0.4, 0.8, 1.5, 3.0, 6.0)
"""Seconds from one computer move to the next, fastest first."""

PASS_SECONDS: Final = 2.0
"""How long a pass is announced before it is made."""

RESULT_SECONDS: Final = 4.0
"""How long a result stays before the next repetition between computers begins."""

_LOADING_SECONDS: Final = 0.03


class Turns(Table):
    """A game at a table, with the players that sit there.

    Attributes:
        thinking: the computer's search.
        delay: seconds from one computer move to the next.
        paused: whether searches and clocks stand still.
        is_covered: whether nobody sees the game, which stands still meanwhile.
        is_drawing: whether the opening is still being drawn.
        version: grows with every change that can be seen.
        notice: why the last finished game was not recorded, None where all is well.
    """

    def __init__(self, searcher: Searcher, delay: float, on_finished: Callable[[GameRecord], None] | None) -> None:
        """Bring what computers think in. Nothing can be done before there is a game; see `_open`."""
        self.thinking = Thinking(searcher)
        self.delay = delay
        self.paused = False
        self.is_covered = False
        self.is_drawing = False
        self.version = 0
        self.notice: Reason | None = None
        self._searcher = searcher
        self._on_finished = on_finished

    def _open(self, history: History, now: float) -> None:
        """Put a game on the table."""
        self.thinking.drop()
        self.history, self.view = history, View(history)
        self.is_drawing = history.referee.job.opening_plies > 0 and not history.game.moves
        self._begin_turn(now)

    def _exchange(self, history: History, now: float) -> None:
        """Put another game on the table. Who played the one that is there gets up from it."""
        self.thinking.drop()
        self.thinking.dismiss(self.game)
        self._open(history, now)

    @property
    def awaits_person(self) -> bool:
        """Whether the next move is for a person to choose."""
        return self.seat.is_user and not (self.is_over or self.game.must_pass or self.is_drawing)

    @property
    def announces_pass(self) -> bool:
        """Whether a pass waits to be read."""
        return self.game.must_pass and not self.is_over

    @property
    def failure(self) -> Reason | None:
        """Why the computer whose turn it is does not move."""
        return self.thinking.failure

    @property
    def has_computer(self) -> bool:
        return bool(self.seats.computers)

    @property
    def is_between_computers(self) -> bool:
        return self.seats.is_between_computers

    @property
    def can_step(self) -> bool:
        """Whether the next move is not a person's."""
        return self.has_computer and not self.is_over and not self.awaits_person

    @property
    def can_hurry(self) -> bool:
        """Whether a computer thinks, or holds its answer back, and may be told to move."""
        return not self.is_rated and self.thinking.is_wanted and self.failure is None and not self.is_drawing

    @property
    def _is_held(self) -> bool:
        return self.is_drawing or self.is_covered or (self.paused and not self._step)

    @property
    def _due(self) -> float:
        """When the move after the current position is made, unless a person makes it."""
        seconds = self.delay
        if self.game.must_pass:
            seconds = max(1.0, self.delay) if self.is_between_computers else PASS_SECONDS
        return self._turn_began + seconds

    def next_event(self, now: float) -> float | None:
        """The latest time at which `update` must be called again without a command; None: any time will do."""
        if self.thinking.is_busy:  # news can come at any moment; to compile a player takes seconds
            return now if self.thinking.preparing is None else now + _LOADING_SECONDS
        running = self.clock.running
        if running is not None:
            remaining = self.remaining(running, now)
            return None if remaining is None else now + max(0.0, remaining)
        if self.is_over or self._is_held or self.awaits_person or self.failure is not None:
            return None
        return self._due if self.game.must_pass or self.thinking.answer is not None else now

    def update(self, now: float) -> None:
        """Take the computer's news and make the moves that are due."""
        self._take_news(now)
        self.history.referee.judge(now)
        if self.is_drawing:
            if not self.thinking.is_wanted:
                self.thinking.ask(self.game, self.history.referee.job)
        elif self.is_over:
            self._end(now)
        elif self.game.must_pass:
            if not self._is_held and now >= self._due:
                self._append(self.game.legal_moves()[0], now)
        elif not self.seat.is_user:
            self._move_computer(now)

    def _take_news(self, now: float) -> None:
        referee = self.history.referee
        for item in self.thinking.collect():
            self.version += 1
            match item:
                case Started(at=at) if not self._is_held:
                    referee.begin(at)
                case Progress(report=report):
                    self.history.remember(self.game, report=report)
                case Answered(report=report, at=at):
                    self.history.remember(self.game, report=report)
                    referee.decide(at)
                case Failed(reason=reason, at=at, is_forfeit=True):
                    referee.fail(reason, at)
                case Failed(at=at):
                    referee.hold(at)
                case Drawn(game=game):
                    history = History(referee.job, game)
                    history.referee.seats = referee.seats
                    self._open(history, now)

    def _move_computer(self, now: float) -> None:
        if not self.thinking.is_wanted:
            if not self._is_held:
                seat = Seat(self.seat, self.game.rules.spec, player_seed(self.game_seed, self.game.to_move))
                self.thinking.ask(self.game, seat, self.history.referee.allotment(now))
        elif self.thinking.answer is not None and not self.is_covered:
            is_due = not self.paused and now >= self._due
            if is_due or self._step or self._is_hurried:
                self._append(self.thinking.answer.move, now)

    def _append(self, move: Move, now: float) -> None:
        """Make the move of the side to move, unless it comes too late."""
        self.history.referee.decide(now)
        if self.is_over:
            self._end(now)
        else:
            self.thinking.drop()
            self.history.play(move)
            self.view.follow(self.game, self.game.ply - 1, self.game.ply)
            self._begin_turn(now)

    def _begin_turn(self, now: float) -> None:
        self._turn_began = now
        self._step = self._is_hurried = self._is_ended = False
        self.version += 1
        self.history.begin_turn(now)
        self._run_clock(now)
        if self.is_over:
            self._end(now)

    def _run_clock(self, now: float) -> None:
        """A person's time runs from the start of the turn, a computer's only while it thinks."""
        if (self.awaits_person and not self._is_held) or self.thinking.is_running:
            self.history.referee.begin(now)
        else:
            self.history.referee.hold(now)

    def _pause(self, is_paused: bool, now: float, *, steps: bool = False) -> None:
        """Let search and clocks stand still, but for one move of a computer if it `steps`; or let them go on."""
        self.paused, self._step = is_paused, steps
        self._hold(now)

    def _hold(self, now: float) -> None:
        """Let search and clocks stand still, or go on, as the game does."""
        self._turn_began = now
        self.thinking.hold(self._is_held)
        self._run_clock(now)

    def _drop_search(self) -> None:
        """No answer is wanted any more. A search that begins again has all of its time again."""
        if self.thinking.is_wanted and self.thinking.answer is None:
            self.history.call_off()
        self.thinking.drop()

    def _change_players(self) -> None:
        """Others have sat down: those who sat there keep what they learned."""
        self.thinking.dismiss(self.game)
        self._searcher.prepare(self.seats.computers, self.game.rules.spec)
        self.paused &= self.has_computer  # there is nobody else to hold back

    def _end(self, now: float) -> None:
        """The game is over. What is taken back and played on after that is not recorded again."""
        if self._is_ended:
            return
        self._is_ended = True
        self._turn_began = now
        self.version += 1
        self.thinking.drop()
        self.history.referee.hold(now)
        self.thinking.dismiss(self.game)
        if not self.history.is_recorded:
            self.history.is_recorded = True
            self._record()

    def _record(self) -> None:
        if self._on_finished is not None:
            try:
                self._on_finished(self.history.referee.record())
                self.notice = None
            except OutputError as error:
                self.notice = error.reason


def slower(delay: float, steps: int) -> float:
    """The pace so many steps slower, or faster where `steps` is negative, as far as there is one."""
    nearest = min(range(len(PACES)), key=lambda index: abs(PACES[index] - delay))
    return PACES[min(max(nearest + steps, 0), len(PACES) - 1)]
