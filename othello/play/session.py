"""What can be done with a game, and how games follow each other. Knows no window.

A session is told what to do by commands (`do`) and moves on with time (`update`); both take the current time,
so that nothing in here ever waits. A person is a state of the session: while it is a person's turn, the session
waits for `PlayMove`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from othello.config import Config, PlayerConfig
from othello.game import AnyGame
from othello.play import commands as cmd
from othello.play.analysis import Analysis
from othello.play.game_analysis import POLL_SECONDS, GameAnalysis
from othello.play.history import History, Tree
from othello.play.jobs import Jobs
from othello.play.referee import Job
from othello.play.seats import Seats
from othello.play.thinking import Searcher
from othello.play.turns import RESULT_SECONDS, Turns, slower
from othello.records.record import GameRecord
from othello.rules.protocol import GameSpec, Move
from othello.search.report import SearchReport

_NOT_RATED: Final = (
    cmd.Undo,
    cmd.Redo,
    cmd.PlayFromHere,
    cmd.SwapSides,
    cmd.HandOver,
    cmd.Cover,
    cmd.RestoreGame,
    cmd.Analyse,
    cmd.AnalyseGame,
    cmd.OpenGame,
)
"""What takes something back, helps, or holds the clock."""


class Session(Turns):
    """One window's games, one after the other, or one game that counts.

    Attributes:
        analysis: the search of whatever is looked at.
        game_analysis: judges all moves of the game; None: nobody does.
        is_left: whether the person has seen the end of a game that counts, and wants to go on.
    """

    def __init__(
        self,
        config: Config,
        searcher: Searcher,
        now: float,
        on_finished: Callable[[GameRecord], None] | None = None,
        *,
        start: AnyGame | Tree | None = None,
        job: Job | None = None,
        analyst: Searcher | None = None,
        judge: Searcher | None = None,
    ) -> None:
        """Begin the first game.

        Args:
            config: the players, and how games follow each other.
            searcher: what computers think in.
            now: the current time.
            on_finished: told of every game that is over.
            start: what the first game begins with; None: the start of the game that the config names.
            job: what was agreed about a game that counts. A computer that oversteps its time loses it.
            analyst: what `Analyse` searches in.
            judge: what `AnalyseGame` searches in.
        """
        super().__init__(searcher, config.move_delay_seconds, on_finished)
        self.analysis = None if analyst is None else Analysis(analyst)
        self.game_analysis = None if judge is None else GameAnalysis(judge)
        self.is_left = False
        self._jobs = Jobs(config)
        self._put_aside: History | None = None
        job = job or self._jobs.next(config.players, draws=start is None)
        self._open(History(job, start or self._jobs.start), now)

    @property
    def config(self) -> Config:
        """What is played now, and how many games follow each other."""
        return self._jobs.config

    @property
    def seed(self) -> int:
        """Draws the seeds of the games."""
        return self._jobs.seed

    def _open(self, history: History, now: float) -> None:
        if self.analysis is not None:
            self.analysis.stop()
        if self.game_analysis is not None:
            self.game_analysis.stop()
        super()._open(history, now)

    @property
    def shown_analysis(self) -> SearchReport | None:
        """What the analysis has found about the position that is looked at."""
        return None if self.analysis is None else self.analysis.report(self.history, self.shown)

    @property
    def is_judging(self) -> bool:
        """Whether the whole game is being judged."""
        return self.game_analysis is not None and self.game_analysis.is_running

    @property
    def can_undo(self) -> bool:
        return self.can_restore or (not self.is_rated and self.history.undo_ply is not None)

    @property
    def can_restore(self) -> bool:
        """Whether there is a game to go back to, which another took the place of."""
        return not self.is_rated and self._put_aside is not None

    @property
    def can_redo(self) -> bool:
        return not self.is_rated and self.history.redo_ply is not None

    @property
    def can_pause(self) -> bool:
        """Whether there is anything to hold. Nobody holds a person's clock in a game that counts."""
        is_timed = self.is_rated and self.awaits_person and self.seat.clock_seconds is not None
        return not is_timed and (not self.is_over or self.paused or self.next_game_at is not None)

    @property
    def next_game_at(self) -> float | None:
        """When the next repetition begins by itself, None where it does not."""
        more = self._jobs.has_more and not self.is_rated
        is_due = more and self.is_between_computers and self.is_over and not (self.paused or self.is_covered)
        return self._turn_began + RESULT_SECONDS if is_due else None

    def next_event(self, now: float) -> float | None:
        if self.analysis is not None and self.analysis.is_busy:
            return now
        event = self._next_event(now)
        if self.game_analysis is not None and self.game_analysis.is_busy:
            return now + POLL_SECONDS if event is None else min(event, now + POLL_SECONDS)
        return event

    def _next_event(self, now: float) -> float | None:
        return self.next_game_at if self.is_over and not self.thinking.is_busy else super().next_event(now)

    # What can be done.

    def do(self, command: cmd.SessionCommand, now: float) -> None:
        """Carry a command out, or ignore it where it does not apply."""
        self.version += 1
        if self.is_rated and isinstance(command, _NOT_RATED):
            return
        match command:
            case cmd.PlayMove(move):
                self._play_for_person(move, now)
            case cmd.Acknowledge() if self.announces_pass:
                self._append(self.game.legal_moves()[0], now)
            case cmd.NewGame(players, game):
                self._leave(now, players, game)
            case cmd.Try(candidate, spec) if self.analysis is not None:
                self.analysis.try_out(candidate, spec)
            case cmd.OpenGame():
                self._open_kept(command, now)
            case cmd.RestoreGame() if self._put_aside is not None:
                self._restore(self._put_aside, now)
            case cmd.Undo() | cmd.Redo():
                self._walk(command, now)
            case cmd.PlayFromHere(move) if not self.is_live:
                self._play_from_here(now)
                if move is not None:
                    self._play_for_person(move, now)
            case cmd.TogglePause() if self.can_pause:
                self._pause(not self.paused, now)
                self._hold_analyses(self.paused)
            case cmd.Cover(is_covered):
                self.is_covered = is_covered
                self._hold(now)
            case cmd.HoldAnalyses(is_held):
                self._hold_analyses(is_held)
            case cmd.Step() if self.failure is not None:
                self._drop_search()
                self._begin_turn(now)
                self._pause(self.paused, now, steps=True)
            case cmd.Step() if self.can_step:
                self._pause(True, now, steps=True)
            case cmd.MoveNow() if self.can_hurry:
                self._is_hurried = True
                self.thinking.hurry()
            case cmd.ChangePace(steps):
                self.delay = slower(self.delay, steps)
            case cmd.SetPace(seconds):
                self.delay = seconds
            case cmd.SwapSides() | cmd.HandOver():
                self._reseat(command, now)
            case cmd.Analyse(player) if self.analysis is not None:
                self.analysis.switch(player, self.game)
            case cmd.AnalyseGame() if self.game_analysis is not None:
                self.game_analysis.begin(self.history, self.history.tree.line)
            case cmd.StopAnalysing() if self.game_analysis is not None:
                self.game_analysis.stop()
            case cmd.Annotate(note):
                self.history.remember(self.shown, note=note)
            case cmd.Look():
                self.view.do(command)
            case cmd.LookInto(lines) if self.analysis is not None:
                self.analysis.look_into(lines)

    def _hold_analyses(self, is_held: bool) -> None:
        for analysis in (self.analysis, self.game_analysis):
            if analysis is not None:
                analysis.hold(is_held)

    def _play_for_person(self, move: Move, now: float) -> None:
        if not self.is_live:
            self.view.visit(None)  # nobody means to move in a position of the past
        elif self.awaits_person and move in self.game.legal_moves():
            if self.paused:
                self._pause(False, now)
                self._hold_analyses(False)
            self._append(move, now)

    def _walk(self, command: cmd.Undo | cmd.Redo, now: float) -> None:
        """Undo or redo. What is not looked at is not changed: from elsewhere, this only leads back to the game."""
        history, seats, is_undo = self.history, self.seats, isinstance(command, cmd.Undo)
        ply = history.undo_ply if is_undo else history.redo_ply
        if not self.is_live:
            self.view.visit(None)
        elif ply is not None:
            self._drop_search()
            line, before = history.tree.line, self.game.ply
            history.go(ply, now)
            self.view.follow(line, before, ply)
            if self.seats != seats:
                self._change_players()
            self.paused |= is_undo and not self.seat.is_user  # else the same move would come again at once
            self._begin_turn(now)
        elif is_undo and self._put_aside is not None:
            self._restore(self._put_aside, now)

    def _play_from_here(self, now: float) -> None:
        self._drop_search()
        self.history.stand_at(self.shown, now)
        self.view.visit(None)
        self._begin_turn(now)

    def _reseat(self, command: cmd.SwapSides | cmd.HandOver, now: float) -> None:
        self._drop_search()
        referee = self.history.referee
        if isinstance(command, cmd.HandOver):
            referee.seats = self.seats.handed_over(command.color)
        else:
            referee.swap(now)
        self._change_players()
        self._begin_turn(now)

    def update(self, now: float) -> None:
        super().update(now)
        if self.next_game_at is not None and now >= self.next_game_at:
            self._begin(self._jobs.begin(self.seats), now)
        if self.analysis is not None and self.analysis.follow(self.history, self.shown):
            self.version += 1
        if self.game_analysis is not None and self.game_analysis.follow(self.history):
            self.version += 1

    def _leave(self, now: float, players: tuple[PlayerConfig, PlayerConfig] | None, game: GameSpec | None) -> None:
        """Go on to the next game, and put this one aside."""
        if self.is_rated:
            self.is_left = self.is_over
            return
        self._put_away()
        self._jobs.change(game or self.config.game, players)
        self._begin(self._jobs.begin(self.seats if players is None else Seats(players)), now)

    def _open_kept(self, kept: cmd.OpenGame, now: float) -> None:
        """Put a kept game on the table, and the one that is there aside. Computers wait until it has been looked at."""
        self._put_away()
        self._begin(self._jobs.resume(kept, self.seats), now)
        if self.is_between_computers and not self.is_over:
            self._pause(True, now)

    def _put_away(self) -> None:
        self._drop_search()
        self._put_aside = self.history if self.history.is_begun else self._put_aside
        self.paused = False

    def _begin(self, history: History, now: float) -> None:
        self._exchange(history, now)
        self._searcher.prepare(self.seats.computers, self.game.rules.spec)

    def _restore(self, history: History, now: float) -> None:
        """Exchange the game for the one that was put aside."""
        self._drop_search()
        self._put_aside = self.history if self.history.is_begun else None
        self._jobs.change(history.game.rules.spec)
        self._exchange(history, now)
