"""A sequence of games in one window, without the window.

Commands arrive by `do`, which ignores a command that does not apply. `_RULES` has the method that carries out each
command.

A move comes from a user's command, or from a computer player: `update` requests a move of the player whose turn it is,
takes the answer from the worker thread, and plays it when it is due. In both cases the move goes to the referee, to the
game's tree, and to the view, and the next turn begins. When the game ends, `ended_games` returns it.

Nothing here blocks: `do` and `update` take the current time, and `next_event` returns when `update` is needed next.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final, NamedTuple

from othello.config import Config
from othello.errors import Reason
from othello.game import AnyGame
from othello.play import session_commands as cmd
from othello.play.analysis import Analysis, GameAnalysis
from othello.play.board_view import BoardView
from othello.play.game_queue import GameQueue
from othello.play.history import Edit, History, MainlineChanged, Restored, Tree
from othello.play.playback import RESULT_SECONDS, PlaybackSpeed
from othello.play.players import Players
from othello.play.referee import Fault, GameJob, Referee
from othello.play.seeding import player_seed
from othello.play.worker import Failed, OpeningDrawn, PlayerRequest, SearchAnswered, SearchProgress, Started, Worker
from othello.records.record import GameRecord
from othello.rules.protocol import Color, Move
from othello.search.report import SearchReport, Unit

_EVEN: Final = {Unit.REWARD: 0.55, Unit.EXPECTED: 2.0, Unit.SCORE: 10.0}
"""The highest evaluation at which a computer player accepts a draw."""

_LOADING_SECONDS: Final = 0.03  # how often the worker is polled while a player is compiled


class Session:
    """The games of one window, one after the other, or one tournament game.

    `history` is the current game. Times are in seconds of the event loop's clock.
    """

    def __init__(
        self,
        config: Config,
        worker: Worker,
        now: float,
        on_finished: Callable[[GameRecord], None] | None = None,
        *,
        start: AnyGame | Tree | None = None,
        job: GameJob | None = None,
        analyst: Worker | None = None,
        game_analyst: Worker | None = None,
    ) -> None:
        """Start the first game.

        Args:
            config: the players and the number of games.
            worker: the thread in which computer players search.
            now: the current time.
            on_finished: called with the record of every finished game.
            start: position or tree of the first game; None: the start position of the config's game.
            job: the terms of a tournament game, in which a computer loses if its time runs out; None for others.
            analyst: the thread for `Analyse`; None disables it.
            game_analyst: the thread for `AnalyseGame`; None disables it.
        """
        self.jobs = GameQueue(config)
        self.pace = PlaybackSpeed(config.move_delay_seconds)
        self.worker = worker
        self.analysis = None if analyst is None else Analysis(analyst)
        self.game_analysis = None if game_analyst is None else GameAnalysis(game_analyst)
        self._analyses = [analysis for analysis in (self.analysis, self.game_analysis) if analysis is not None]
        self._on_finished = on_finished
        self.not_recorded: Reason | None = None  # why the last finished game was not recorded
        self.is_left = False  # the user has left a finished tournament game
        self._is_over = False
        self.version = 0  # grows with every visible change
        self._ended: list[History] = []
        self._put_aside: History | None = None
        self._next_players: Players | None = None
        job = job or self.jobs.next(config.players, draws=start is None)
        self._open(History(job, start or self.jobs.start), now)

    @property
    def referee(self) -> Referee:
        return self.history.referee

    @property
    def game(self) -> AnyGame:
        return self.history.referee.game

    @property
    def players(self) -> Players:
        return self.history.referee.players

    @property
    def next_players(self) -> Players:
        """The players of the next game: those of this game, unless they were changed after its end."""
        return self._next_players or self.players

    @property
    def awaits_user(self) -> bool:
        referee = self.referee
        return referee.player.is_user and not (referee.is_over or self.game.must_pass or self.is_drawing)

    @property
    def clock_waits(self) -> bool:
        """True if a user is to move whose clock starts only after the first move of a user."""
        return self.awaits_user and not self._has_user_moved

    @property
    def side_that_may_resign(self) -> Color | None:
        """The side of the user who may resign or offer a draw; of two users, the side to move."""
        people = [color for color in Color if self.players[color].is_user]
        if self.referee.is_over or self.is_drawing or not people:
            return None
        return self.game.to_move if len(people) == len(Color) else people[0]

    @property
    def draw_refusal(self) -> str:
        """Why the computer refuses a draw now, or an empty string.

        "early": too few moves were played; "judge": it has no evaluation; "better": it evaluates its last position as
        better than a draw.
        """
        if self.game.ply < self.game.rules.moves_left(self.game.position):
            return "early"
        for ply in range(self.game.ply, -1, -1):
            game = self.game.at(ply)
            report = self.history.tree.known(game).report
            if report is not None and report.value is not None and not self.players[game.to_move].is_user:
                return "" if report.value <= _EVEN.get(report.unit, 0.0) else "better"
        return "judge"

    @property
    def announces_pass(self) -> bool:
        """True if the side to move must pass: at once with `Acknowledge`, otherwise after some time."""
        return self.game.must_pass and not self.referee.is_over

    @property
    def shown_analysis(self) -> SearchReport | None:
        """The analysis of the shown position."""
        return None if self.analysis is None else self.history.analysis_by(self.view.shown, self.analysis.player)

    @property
    def is_judging(self) -> bool:
        return self.game_analysis is not None and self.game_analysis.is_running

    def ended_games(self) -> list[History]:
        """Return the games that have ended since the last call."""
        ended, self._ended = self._ended, []
        return ended

    # Time.

    @property
    def next_game_at(self) -> float | None:
        """The time at which the next game starts without a command, or None."""
        referee = self.referee
        if not (self.jobs.has_more and referee.is_over and self.next_players.is_between_computers):
            return None
        return None if referee.job.is_rated or self.pace.is_paused else self.pace.began + RESULT_SECONDS

    def next_event(self, now: float) -> float | None:
        """Return the latest time of the next `update` if no command arrives, or None."""
        news = (now + analysis.POLL_SECONDS for analysis in self._analyses if analysis.worker.is_busy)
        events = (self._next_move(now), self.next_game_at, *news)
        return min((event for event in events if event is not None), default=None)

    def _next_move(self, now: float) -> float | None:
        worker, running = self.worker, self.referee.clock.running
        if worker.is_busy:  # news can arrive at any time; compiling a player takes seconds
            return now if worker.preparing is None else now + _LOADING_SECONDS
        if running is not None:
            remaining = self.referee.remaining(running, now)
            return None if remaining is None else now + max(0.0, remaining)
        waits = self.referee.is_over or self.awaits_user or (self.pace.is_paused and not self.is_drawing)
        if waits or worker.failure is not None:
            return None
        is_known = not self.is_drawing and (self.game.must_pass or worker.answer is not None)
        return self._due if is_known else now

    @property
    def _due(self) -> float:
        """The time of the next move, unless a user makes it."""
        return self.pace.due(is_pass=self.game.must_pass, is_watched=self.players.is_between_computers)

    @property
    def _is_waiting(self) -> bool:
        return self.is_drawing or self.pace.is_paused

    def update(self, now: float) -> None:
        """Process the news of the workers, and play moves that are due: the computer's, and passes."""
        if self.next_game_at is not None and now >= self.next_game_at:
            self._exchange(self.jobs.begin(self.next_players), now)
        self._take_news(now)
        self.referee.check_clock(now)
        self._notice_end(now)
        if self.is_drawing:
            if not self.worker.is_wanted:
                self.worker.submit(self.game, self.referee.job)
        elif self.announces_pass:
            if not self._is_waiting and now >= self._due:
                self._append(self.game.legal_moves()[0], now)
        elif not (self.referee.is_over or self.referee.player.is_user):
            self._move_computer(now)
        for analysis in self._analyses:
            self.version += analysis.follow(self.history, self.view.shown)

    def _take_news(self, now: float) -> None:
        referee = self.referee
        for item in self.worker.poll():
            self.version += 1
            match item:
                case Started(at=at) if not self._is_waiting:
                    referee.begin(at)
                case SearchProgress(report=report):
                    self.history.remember(self.game, report=report)
                case SearchAnswered(report=report, at=at):
                    self.history.remember(self.game, report=report)
                    referee.decide(at)
                case Failed(reason=reason, at=at, is_forfeit=True):
                    referee.fail(reason, at)
                case Failed(at=at):
                    referee.set_paused(at)
                case OpeningDrawn(game=game):
                    history = History(referee.job, game)
                    history.referee.players = referee.players
                    self._open(history, now)

    def _move_computer(self, now: float) -> None:
        worker, referee, game = self.worker, self.referee, self.game
        if not worker.is_wanted:
            if not self._is_waiting:
                player = PlayerRequest(referee.player, game.rules.spec, player_seed(referee.job.seed, game.to_move))
                worker.submit(game, player, referee.allotment(now))
        elif worker.answer is not None and self.pace.plays(self._due, now):
            self._append(worker.answer, now)

    def _append(self, move: Move, now: float) -> None:
        """Play a move, unless the time of the side to move has run out."""
        self.referee.decide(now)
        if not self.referee.is_over:
            self.worker.cancel()
            self.history.play(move)
            self.view.follow(self.game, self.game.ply - 1, self.game.ply)
            self._begin_turn(now)
        self._notice_end(now)

    def _begin_turn(self, now: float) -> None:
        self.version += 1
        self._next_players = None
        self.pace.begin_turn(now)
        self.history.begin_turn(now)
        self._run_clock(now)
        self._notice_end(now)

    def _run_clock(self, now: float) -> None:
        """Start or stop the clock.

        A user's clock runs from the start of the turn, but not before the first move of a user; a computer's clock runs
        only while the computer searches.
        """
        is_persons = self.awaits_user and not (self.clock_waits or self._is_waiting)
        if is_persons or self.worker.is_running:
            self.referee.begin(now)
        else:
            self.referee.set_paused(now)

    def _notice_end(self, now: float) -> None:
        was_over, self._is_over = self._is_over, self.referee.is_over
        if was_over or not self._is_over:
            return
        self.version += 1
        self.pace.begin_turn(now)
        self.worker.cancel()
        self.referee.set_paused(now)
        self.worker.dismiss(self.game)
        if not self.history.is_recorded:
            self.not_recorded = self.history.record_result(self._on_finished)
        if self.game_analysis is not None:
            self.game_analysis.judge_ended(self.history)
        self._ended.append(self.history)

    # Games.

    def _open(self, history: History, now: float) -> None:
        self.worker.cancel()
        for analysis in self._analyses:
            analysis.stop()
        self.history, self.view = history, BoardView(history)
        self._has_user_moved = False  # since the game was opened
        job, game = history.referee.job, history.game
        self.is_drawing = bool(job.opening or job.opening_plies) and game == self.jobs.start
        self._is_over = history.is_recorded and history.referee.is_over
        self._begin_turn(now)

    def _exchange(self, history: History, now: float) -> None:
        """Replace the current game, and release its players."""
        self.worker.dismiss(self.game)
        self._open(history, now)
        self.worker.prepare(self.players.computers, self.game.rules.spec)

    # Commands.

    def allows(self, kind: type[cmd.SessionCommand]) -> bool:
        """Return whether commands of a type apply now, as far as their parameters do not matter."""
        rule = _RULES[kind]
        return (rule.in_rated or not self.referee.job.is_rated) and rule.applies(self)

    def do(self, command: cmd.SessionCommand, now: float) -> None:
        """Carry out `command`, or ignore it if it does not apply."""
        self.version += 1
        if self.allows(type(command)):
            _RULES[type(command)].method(self, command, now)

    # Moves.

    def _play_move(self, command: cmd.PlayMove | cmd.PlayFromHere, now: float) -> None:
        if not self.view.is_at_latest:
            self.view.visit(None)  # the user sees an earlier position: return to the game first
        elif self.awaits_user and command.move in self.game.legal_moves():
            if self.pace.paused:
                self._pause(False, now)
            self._has_user_moved = True
            self._append(command.move, now)

    def _acknowledge(self, command: cmd.Acknowledge, now: float) -> None:
        self._append(self.game.legal_moves()[0], now)

    def _can_undo(self) -> bool:
        history = self.history
        has_any = self._put_aside is not None or history.undone_next is not None or history.undo_ply is not None
        return has_any or not self.view.is_at_latest

    def _undo(self, command: cmd.Undo, now: float) -> None:
        """Take back the last change, or moves if there is none. If another position is shown, return to the game."""
        ply = self.history.undo_ply
        edit = self._if_visible(self.history.undone_next)
        if edit is not None:
            self._change_tree(edit, self.history.undo_edit, now)
        elif self.view.is_at_latest and ply is None and self._put_aside is not None:
            self._restore(cmd.RestoreGame(), now)
        else:
            self._go(ply, now, pauses=True)

    def _can_redo(self) -> bool:
        history = self.history
        return history.redone_next is not None or history.redo_ply is not None or not self.view.is_at_latest

    def _redo(self, command: cmd.Redo, now: float) -> None:
        edit = self._if_visible(self.history.redone_next)
        if edit is not None:
            self._change_tree(edit, self.history.redo_edit, now)
        else:
            self._go(self.history.redo_ply, now)

    def _if_visible(self, edit: Edit | None) -> Edit | None:
        """Return the edit, or None if it changes the latest position and an earlier one is shown."""
        return None if isinstance(edit, MainlineChanged) and not self.view.is_at_latest else edit

    def _change_tree(self, edit: Edit, change: Callable[[float], None], now: float) -> None:
        """Undo or redo an edit, and show the position that it changes."""
        if isinstance(edit, MainlineChanged):
            self._drop_search()
            players = self.players
            change(now)
            self.view.visit(None)
            if self.players != players:
                self._change_players()
            self.pace.paused |= not (self.referee.player.is_user or self.referee.is_over)
            self._begin_turn(now)
        else:
            change(now)
            self.view.visit(edit.line.at(edit.line.ply - 1) if isinstance(edit, Restored) else edit.line)

    def _go(self, ply: int | None, now: float, *, pauses: bool = False) -> None:
        """Go to a ply of the game; with `pauses`, pause it to keep a computer from repeating its move at once."""
        if not self.view.is_at_latest:
            self.view.visit(None)
        elif ply is not None:
            self._drop_search()
            players, line, before = self.players, self.history.tree.line, self.game.ply
            self.history.go(ply, now)
            self.view.follow(line, before, ply)
            if self.players != players:
                self._change_players()
            self.pace.paused |= pauses and not self.referee.player.is_user
            self._begin_turn(now)

    def _play_from_here(self, command: cmd.PlayFromHere, now: float) -> None:
        self._drop_search()
        self.history.continue_from(self.view.shown, now)
        self.view.visit(None)
        self._begin_turn(now)
        self._play_move(command, now)

    # Games.

    def _new_game(self, command: cmd.NewGame, now: float) -> None:
        if self.referee.job.is_rated:
            self.is_left = self.referee.is_over
            return
        self._put_away()
        self.jobs.change(command.game or self.jobs.config.game, command.players, command.openings)
        players = self.next_players if command.players is None else Players(command.players)
        self._exchange(self.jobs.begin(players), now)

    def _open_game(self, command: cmd.OpenGame, now: float) -> None:
        """Open a stored game, and set the current game aside. Two computers wait until the user resumes the game."""
        self._put_away()
        self._exchange(self.jobs.resume(command, self.players), now)
        may_move = self.players.is_between_computers or (command.waits and not self.awaits_user)
        if may_move and not self.referee.is_over:
            self.pace.paused = True
            self._hold(now)

    def _restore(self, command: cmd.RestoreGame, now: float) -> None:
        history = self._put_aside
        assert history is not None  # otherwise the command does not apply
        self._drop_search()
        self._put_aside = self.history if self.history.is_begun else None
        self.jobs.change(history.game.rules.spec)
        self._exchange(history, now)

    def _put_away(self) -> None:
        self._drop_search()
        self._put_aside = self.history if self.history.is_begun else self._put_aside
        self.pace.paused = False

    # Players.

    def _replace_players(self, command: cmd.SwapSides | cmd.HandOver, now: float) -> None:
        """Change the players of this game, or of the next game if this game is over."""
        old = self.next_players
        new = old.handed_over(command.color, command.player) if isinstance(command, cmd.HandOver) else old.swapped()
        if self.referee.is_over:
            self._next_players = None if new == self.players else new
            return
        self._drop_search()
        if isinstance(command, cmd.HandOver):
            self.referee.players = new
        else:
            self.referee.players, self.referee.clock = new, self.referee.clock.swapped(now)
        self._change_players()
        self._begin_turn(now)

    def _change_players(self) -> None:
        """Let the players before the change save what they learned, and prepare the new ones."""
        self.worker.dismiss(self.game)
        self.worker.prepare(self.players.computers, self.game.rules.spec)
        self.pace.paused &= bool(self.players.computers)  # users are never held back

    def _drop_search(self) -> None:
        """Cancel the search, and give the time that it took back to the clock."""
        if self.worker.is_wanted and self.worker.answer is None:
            self.referee.clock = self.history.tree.known(self.game).clock
        self.worker.cancel()

    # Time and pauses.

    def _can_pause(self) -> bool:
        """Return whether the game can be paused; in a tournament game, a user's clock cannot."""
        referee = self.referee
        if referee.job.is_rated and self.awaits_user and referee.player.clock_seconds is not None:
            return False
        return not referee.is_over or self.pace.paused or self.next_game_at is not None

    def _pause(self, is_paused: bool, now: float) -> None:
        """Pause or resume the game and the analyses."""
        self.pace.paused, self.pace.is_stepping = is_paused, False
        self._hold(now)
        self._advise(cmd.HoldAnalyses(is_paused), now)

    def set_covered(self, is_covered: bool, now: float) -> None:
        """Pause the game while it is hidden, unless it is a tournament game."""
        if not self.referee.job.is_rated:
            self.version += 1
            self.pace.is_covered = is_covered
            self._hold(now)

    def _hold(self, now: float) -> None:
        """Pause or resume the search and the clocks, as `pace` says."""
        self.pace.began = now
        self.worker.set_paused(self._is_waiting)
        self._run_clock(now)

    def _can_step(self) -> bool:
        """Return whether a computer is to move, or has failed and may try again."""
        is_due = bool(self.players.computers) and not (self.referee.is_over or self.awaits_user)
        return is_due or self.worker.failure is not None

    def _step(self, command: cmd.StepMoves, now: float) -> None:
        """Let a computer play one move, or try again if it has failed."""
        has_failed = self.worker.failure is not None
        if has_failed:
            self._drop_search()
            self._begin_turn(now)
        self.pace.paused, self.pace.is_stepping = self.pace.paused or not has_failed, True
        self._hold(now)

    def _can_move_now(self) -> bool:
        """Return whether a computer searches, or holds its move back."""
        return self.worker.is_wanted and self.worker.failure is None and not self.is_drawing

    def _move_now(self, command: cmd.MoveNow, now: float) -> None:
        self.pace.must_move_now = True
        self.worker.move_now()

    def _end(self, command: cmd.Resign | cmd.AgreeDraw, now: float) -> None:
        assert self.side_that_may_resign is not None  # otherwise the command does not apply
        self._drop_search()
        fault = Fault.RESIGNED if isinstance(command, cmd.Resign) else Fault.DRAW_AGREED
        self.referee.end(self.side_that_may_resign, fault, now)
        self.view.visit(None)
        self._notice_end(now)

    # Analysis.

    def _advise(self, command: cmd.SessionCommand, now: float) -> None:
        """Pass a command to the analyses."""
        for analysis in self._analyses:
            analysis.do(command, self.history)


class _Rule(NamedTuple):
    """The function that carries out a command, and the conditions for it."""

    method: Callable[[Session, Any, float], None]
    applies: Callable[[Session], bool] = lambda _: True
    in_rated: bool = True  # a tournament game allows it; that is nothing that takes back, helps, or stops the clock


_RULES: Final[dict[type[cmd.SessionCommand], _Rule]] = {
    # Moves
    cmd.PlayMove: _Rule(Session._play_move),
    cmd.Acknowledge: _Rule(Session._acknowledge, attrgetter("announces_pass")),
    cmd.Undo: _Rule(Session._undo, Session._can_undo, in_rated=False),
    cmd.Redo: _Rule(Session._redo, Session._can_redo, in_rated=False),
    cmd.PlayFromHere: _Rule(Session._play_from_here, lambda session: not session.view.is_at_latest, in_rated=False),
    # Games and players
    cmd.NewGame: _Rule(Session._new_game),
    cmd.OpenGame: _Rule(Session._open_game, in_rated=False),
    cmd.RestoreGame: _Rule(Session._restore, lambda session: session._put_aside is not None, in_rated=False),
    cmd.SwapSides: _Rule(Session._replace_players, in_rated=False),
    cmd.HandOver: _Rule(Session._replace_players, in_rated=False),
    cmd.Resign: _Rule(Session._end, lambda session: session.side_that_may_resign is not None),
    cmd.AgreeDraw: _Rule(Session._end, lambda session: session.side_that_may_resign is not None),
    # Time and pauses
    cmd.TogglePause: _Rule(lambda session, _, now: session._pause(not session.pace.paused, now), Session._can_pause),
    cmd.StepMoves: _Rule(Session._step, Session._can_step),
    cmd.MoveNow: _Rule(Session._move_now, Session._can_move_now, in_rated=False),
    cmd.ChangePace: _Rule(lambda session, command, _: session.pace.change(command.steps)),
    # The shown position
    cmd.GoTo: _Rule(lambda session, command, _: session.view.go_to(command.ply)),
    cmd.Browse: _Rule(lambda session, command, _: session.view.go_to(session.view.shown.ply + command.steps)),
    cmd.Visit: _Rule(lambda session, command, _: session.view.visit(session.game.at(0).after(command.line))),
    cmd.SwitchBranch: _Rule(lambda session, command, _: session.view.switch_branch(command.steps)),
    cmd.PlayVariation: _Rule(lambda session, command, _: session.view.explore(command.moves)),
    cmd.DeleteLine: _Rule(lambda session, *_: session.view.delete(), attrgetter("view.is_in_variation")),
    cmd.Annotate: _Rule(
        lambda session, command, _: session.history.annotate(command.line or session.view.shown, command.note)
    ),
    # Analysis
    cmd.Analyse: _Rule(Session._advise, in_rated=False),
    cmd.AnalyseGame: _Rule(Session._advise, in_rated=False),
    cmd.MeasureMoveTime: _Rule(Session._advise),
    cmd.ExpandLines: _Rule(Session._advise),
    cmd.HoldAnalyses: _Rule(Session._advise),
    cmd.StopAnalysing: _Rule(Session._advise),
}
