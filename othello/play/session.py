"""What can be done with a game, and how games follow each other. Knows no window.

A command comes in by `do`. A command that does not apply is ignored; `allows` tells which commands apply. Every kind of
command has one line in the table at the end, which names the part that carries it out.

A move comes from a person's command or from a computer: `update` asks the player whose turn it is, takes the answer
from the thread that thinks, and makes the move when it is due. Either way the move goes to the referee, then to the
game's tree and to the view, and the next turn begins. When the game ends, `events` says so once.

Nothing in here ever waits: `do` and `update` are told the time, and `next_event` tells when `update` is needed again.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from othello.config import Config
from othello.errors import Reason
from othello.game import AnyGame
from othello.play import commands as cmd
from othello.play.analysis import Analysis, GameAnalysis
from othello.play.history import Edit, Ended, History, Led, Restored, Tree
from othello.play.jobs import Jobs
from othello.play.pace import RESULT_SECONDS, Pace
from othello.play.referee import Fault, Job, Referee
from othello.play.seats import Seats
from othello.play.seeding import player_seed
from othello.play.thinking import Answered, Drawn, Failed, Progress, Seat, Started
from othello.play.view import Viewpoint
from othello.play.worker import Worker
from othello.records.record import GameRecord
from othello.rules.protocol import Color, Move
from othello.search.report import SearchReport, Unit

_EVEN: Final = {Unit.REWARD: 0.55, Unit.EXPECTED: 2.0, Unit.SCORE: 10.0}
"""Up to what a computer thinks that its position is worth, it is glad of a draw."""

_LOADING_SECONDS: Final = 0.03  # between two looks for news while a player is compiled


class Session:
    """One window's games, one after the other, or one game that counts. `history` is the game on the table."""

    def __init__(
        self,
        config: Config,
        worker: Worker,
        now: float,
        on_finished: Callable[[GameRecord], None] | None = None,
        *,
        start: AnyGame | Tree | None = None,
        job: Job | None = None,
        analyst: Worker | None = None,
        judge: Worker | None = None,
    ) -> None:
        """Begin the first game.

        Args:
            config: the players, and how games follow each other.
            worker: the thread in which computer players search.
            on_finished: told of every game that is over.
            start: what the first game begins with; None: the start of the game that the config names.
            job: what was agreed about a game that counts. A computer that oversteps its time loses it.
            analyst: the thread for `Analyse`; None disables it.
            judge: the thread for `AnalyseGame`; None disables it.
        """
        self.jobs = Jobs(config)
        self.pace = Pace(config.move_delay_seconds)  # how fast, and whether the game stands still
        self.worker = worker
        # the search of whatever is looked at; None: nobody does that
        self.analysis = None if analyst is None else Analysis(analyst)
        # judges all moves of the game; None: nobody does that
        self.game_analysis = None if judge is None else GameAnalysis(judge)
        self._analyses = [each for each in (self.analysis, self.game_analysis) if each is not None]
        self._on_finished = on_finished
        self.not_recorded: Reason | None = None  # why the last finished game was not recorded, None where all is well
        self.is_left = False  # whether the person has seen the end of a game that counts, and wants to go on
        self._is_over = False
        self.version = 0  # grows with every change that can be seen
        self._events: list[Ended] = []
        self._put_aside: History | None = None
        self._next_seats: Seats | None = None
        job = job or self.jobs.next(config.players, draws=start is None)
        self._open(History(job, start or self.jobs.start), now)

    @property
    def referee(self) -> Referee:
        return self.history.referee

    @property
    def game(self) -> AnyGame:
        return self.history.referee.game

    @property
    def seats(self) -> Seats:
        return self.history.referee.seats

    @property
    def next_seats(self) -> Seats:
        """Who sits where in the next game: as in this one, unless that was changed after its end."""
        return self._next_seats or self.seats

    @property
    def awaits_person(self) -> bool:
        referee = self.referee
        return referee.seat.is_user and not (referee.is_over or self.game.must_pass or self.is_drawing)

    @property
    def clock_waits(self) -> bool:
        """True if a person is to move whose time runs only after a person's first move."""
        return self.awaits_person and not self._has_person_moved

    @property
    def speaker(self) -> Color | None:
        """The side of the person who may resign or offer a draw: of two, the one to move; None where nobody may."""
        people = [color for color in Color if self.seats[color].is_user]
        if self.referee.is_over or self.is_drawing or not people:
            return None
        return self.game.to_move if len(people) == len(Color) else people[0]

    @property
    def draw_refusal(self) -> str:
        """Why the computer takes no draw now: it is too `early`, it does not `judge`, or stands `better`; else empty.

        What the computer thinks of its last move decides.
        """
        if self.game.ply < self.game.rules.moves_left(self.game.position):
            return "early"
        for ply in range(self.game.ply, -1, -1):
            game = self.game.at(ply)
            report = self.history.tree.known(game).report
            if report is not None and report.value is not None and not self.seats[game.to_move].is_user:
                return "" if report.value <= _EVEN.get(report.unit, 0.0) else "better"
        return "judge"

    @property
    def announces_pass(self) -> bool:
        """Whether a pass waits to be read."""
        return self.game.must_pass and not self.referee.is_over

    @property
    def shown_analysis(self) -> SearchReport | None:
        """What the analysis has found about the position that is looked at."""
        return None if self.analysis is None else self.history.opinion(self.view.shown, self.analysis.player)

    @property
    def is_judging(self) -> bool:
        return self.game_analysis is not None and self.game_analysis.is_running

    def events(self) -> list[Ended]:
        """What has happened since the last call."""
        events, self._events = self._events, []
        return events

    # Time.

    @property
    def next_game_at(self) -> float | None:
        """When the next repetition begins by itself, None where it does not."""
        referee = self.referee
        if not (self.jobs.has_more and referee.is_over and self.next_seats.is_between_computers):
            return None
        return None if referee.job.is_rated or self.pace.is_held else self.pace.began + RESULT_SECONDS

    def next_event(self, now: float) -> float | None:
        """The latest time at which `update` must be called again without a command; None: any time will do."""
        news = (now + each.POLL_SECONDS for each in self._analyses if each.is_busy)
        events = (self._next_move(now), self.next_game_at, *news)
        return min((event for event in events if event is not None), default=None)

    def _next_move(self, now: float) -> float | None:
        worker, running = self.worker, self.referee.clock.running
        if worker.is_busy:  # news can come at any moment; to compile a player takes seconds
            return now if worker.preparing is None else now + _LOADING_SECONDS
        if running is not None:
            remaining = self.referee.remaining(running, now)
            return None if remaining is None else now + max(0.0, remaining)
        waits = self.referee.is_over or self.awaits_person or (self.pace.is_held and not self.is_drawing)
        if waits or worker.failure is not None:
            return None
        is_known = not self.is_drawing and (self.game.must_pass or worker.answer is not None)
        return self._due if is_known else now

    @property
    def _due(self) -> float:
        """When the next move is made, unless a person makes it."""
        return self.pace.due(is_pass=self.game.must_pass, is_watched=self.seats.is_between_computers)

    @property
    def _is_held(self) -> bool:
        return self.is_drawing or self.pace.is_held

    def update(self, now: float) -> None:
        """Take the computer's news and make the moves that are due."""
        if self.next_game_at is not None and now >= self.next_game_at:
            self._exchange(self.jobs.begin(self.next_seats), now)
        self._take_news(now)
        self.referee.judge(now)
        self._notice_end(now)
        if self.is_drawing:
            if not self.worker.is_wanted:
                self.worker.submit(self.game, self.referee.job)
        elif self.announces_pass:
            if not self._is_held and now >= self._due:
                self._append(self.game.legal_moves()[0], now)
        elif not (self.referee.is_over or self.referee.seat.is_user):
            self._move_computer(now)
        for each in self._analyses:
            self.version += each.follow(self.history, self.view.shown)

    def _take_news(self, now: float) -> None:
        referee = self.referee
        for item in self.worker.poll():
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
        worker, referee, game = self.worker, self.referee, self.game
        if not worker.is_wanted:
            if not self._is_held:
                seat = Seat(referee.seat, game.rules.spec, player_seed(referee.job.seed, game.to_move))
                worker.submit(game, seat, referee.allotment(now))
        elif worker.answer is not None and self.pace.plays(self._due, now):
            self._append(worker.answer, now)

    def _append(self, move: Move, now: float) -> None:
        """Make the move of the side to move, unless it comes too late."""
        self.referee.decide(now)
        if not self.referee.is_over:
            self.worker.cancel()
            self.history.play(move)
            self.view.follow(self.game, self.game.ply - 1, self.game.ply)
            self._begin_turn(now)
        self._notice_end(now)

    def _begin_turn(self, now: float) -> None:
        self.version += 1
        self._next_seats = None
        self.pace.begin_turn(now)
        self.history.begin_turn(now)
        self._run_clock(now)
        self._notice_end(now)

    def _run_clock(self, now: float) -> None:
        """A person's time runs from the start of the turn, a computer's only while it thinks.

        No person's time runs before a person's first move: a board that was not touched cannot lose on time.
        """
        is_persons = self.awaits_person and not (self.clock_waits or self._is_held)
        if is_persons or self.worker.is_running:
            self.referee.begin(now)
        else:
            self.referee.hold(now)

    def _notice_end(self, now: float) -> None:
        was_over, self._is_over = self._is_over, self.referee.is_over
        if was_over or not self._is_over:
            return
        self.version += 1
        self.pace.begin_turn(now)
        self.worker.cancel()
        self.referee.hold(now)
        self.worker.dismiss(self.game)
        if not self.history.is_recorded:
            self.not_recorded = self.history.hand_on(self._on_finished)
        if self.game_analysis is not None:
            self.game_analysis.judge_ended(self.history)
        self._events.append(Ended(self.history))

    # Games.

    def _open(self, history: History, now: float) -> None:
        self.worker.cancel()
        for each in self._analyses:
            each.stop()
        self.history, self.view = history, Viewpoint(history)
        self._has_person_moved = False  # since the game was opened here
        job, game = history.referee.job, history.game
        self.is_drawing = bool(job.opening or job.opening_plies) and game == self.jobs.start
        self._is_over = history.is_recorded and history.referee.is_over
        self._begin_turn(now)

    def _exchange(self, history: History, now: float) -> None:
        """Put another game on the table, and release the players of the old one."""
        self.worker.cancel()
        self.worker.dismiss(self.game)
        self._open(history, now)
        self.worker.prepare(self.seats.computers, self.game.rules.spec)

    # Commands.

    def allows(self, kind: type[cmd.SessionCommand]) -> bool:
        """Whether commands of a kind apply now, as far as that does not depend on what they say."""
        deed = _DEEDS[kind]
        return (deed.in_rated or not self.referee.job.is_rated) and deed.applies(self)

    def do(self, command: cmd.SessionCommand, now: float) -> None:
        """Carry a command out, or ignore it where it does not apply."""
        self.version += 1
        if self.allows(type(command)):
            _DEEDS[type(command)].act(self, command, now)

    def _play_move(self, command: cmd.PlayMove | cmd.PlayFromHere, now: float) -> None:
        if not self.view.is_live:
            self.view.visit(None)  # nobody means to move in a position of the past
        elif self.awaits_person and command.move in self.game.legal_moves():
            if self.pace.paused:
                self._pause(False, now)
            self._has_person_moved = True
            self._append(command.move, now)

    def _undo(self, command: cmd.Undo, now: float) -> None:
        """Take moves back, or what else was changed since. From elsewhere, moves stay: this leads back to the game."""
        ply = self.history.undo_ply
        edit = self._seen(self.history.undone_next)
        if edit is not None:
            self._change_tree(edit, self.history.undo_edit, now)
        elif self.view.is_live and ply is None and self._put_aside is not None:
            self._restore(now)
        else:
            self._go(ply, now, pauses=True)

    def _redo(self, command: cmd.Redo, now: float) -> None:
        edit = self._seen(self.history.redone_next)
        if edit is not None:
            self._change_tree(edit, self.history.redo_edit, now)
        else:
            self._go(self.history.redo_ply, now)

    def _seen(self, edit: Edit | None) -> Edit | None:
        """The edit, unless it moves the game while something else is looked at."""
        return None if isinstance(edit, Led) and not self.view.is_live else edit

    def _change_tree(self, edit: Edit, change: Callable[[float], None], now: float) -> None:
        """Take an edit back, or make it again, and look at what has changed."""
        if isinstance(edit, Led):
            self._drop_search()
            seats = self.seats
            change(now)
            self.view.visit(None)
            if self.seats != seats:
                self._change_players()
            self.pace.paused |= not (self.referee.seat.is_user or self.referee.is_over)
            self._begin_turn(now)
        else:
            change(now)
            self.view.visit(edit.line.at(edit.line.ply - 1) if isinstance(edit, Restored) else edit.line)

    def _go(self, ply: int | None, now: float, *, pauses: bool = False) -> None:
        """Walk along the game's line. Where it `pauses`, a computer does not make the same move again at once."""
        if not self.view.is_live:
            self.view.visit(None)
        elif ply is not None:
            self._drop_search()
            seats, line, before = self.seats, self.history.tree.line, self.game.ply
            self.history.go(ply, now)
            self.view.follow(line, before, ply)
            if self.seats != seats:
                self._change_players()
            self.pace.paused |= pauses and not self.referee.seat.is_user
            self._begin_turn(now)

    def _play_from_here(self, command: cmd.PlayFromHere, now: float) -> None:
        self._drop_search()
        self.history.lead(self.view.shown, now)
        self.view.visit(None)
        self._begin_turn(now)
        self._play_move(command, now)

    def _new_game(self, command: cmd.NewGame, now: float) -> None:
        if self.referee.job.is_rated:
            self.is_left = self.referee.is_over
            return
        self._put_away()
        self.jobs.change(command.game or self.jobs.config.game, command.players, command.openings)
        seats = self.next_seats if command.players is None else Seats(command.players)
        self._exchange(self.jobs.begin(seats), now)

    def _open_game(self, command: cmd.OpenGame, now: float) -> None:
        """Put a kept game on the table, and the current one aside. Two computers wait until the user resumes."""
        self._put_away()
        self._exchange(self.jobs.resume(command, self.seats), now)
        may_move = self.seats.is_between_computers or (command.waits and not self.awaits_person)
        if may_move and not self.referee.is_over:
            self.pace.paused = True
            self._hold(now)

    def _restore(self, now: float) -> None:
        history = self._put_aside
        assert history is not None  # else the command does not apply
        self._drop_search()
        self._put_aside = self.history if self.history.is_begun else None
        self.jobs.change(history.game.rules.spec)
        self._exchange(history, now)

    def _put_away(self) -> None:
        self._drop_search()
        self._put_aside = self.history if self.history.is_begun else self._put_aside
        self.pace.paused = False

    def _reseat(self, command: cmd.SwapSides | cmd.HandOver, now: float) -> None:
        """Change who sits where: in this game, or in the next one where this one is over."""
        old = self.next_seats
        new = old.handed_over(command.color, command.player) if isinstance(command, cmd.HandOver) else old.swapped()
        if self.referee.is_over:
            self._next_seats = None if new == self.seats else new
            return
        self._drop_search()
        if isinstance(command, cmd.HandOver):
            self.referee.seats = new
        else:
            self.referee.swap(now)
        self._change_players()
        self._begin_turn(now)

    def _change_players(self) -> None:
        """Others have sat down: those who sat there keep what they learned."""
        self.worker.dismiss(self.game)
        self.worker.prepare(self.seats.computers, self.game.rules.spec)
        self.pace.paused &= bool(self.seats.computers)  # else there is nobody to hold back

    def _drop_search(self) -> None:
        """No answer is wanted any more. A search that begins again has all of its time again."""
        if self.worker.is_wanted and self.worker.answer is None:
            self.history.call_off()
        self.worker.cancel()

    def _pause(self, is_paused: bool, now: float) -> None:
        """Let the game and the analyses stand still, or go on."""
        self.pace.paused, self.pace.is_stepping = is_paused, False
        self._hold(now)
        self._advise(cmd.HoldAnalyses(is_paused), now)

    def _cover(self, command: cmd.Cover, now: float) -> None:
        self.pace.is_covered = command.is_covered
        self._hold(now)

    def _hold(self, now: float) -> None:
        """Let search and clocks stand still, or go on, as the game's pace has it."""
        self.pace.began = now
        self.worker.hold(self._is_held)
        self._run_clock(now)

    def _step(self, command: cmd.Step, now: float) -> None:
        """Let a computer make one move, or try again where it has failed."""
        has_failed = self.worker.failure is not None
        if has_failed:
            self._drop_search()
            self._begin_turn(now)
        self.pace.paused, self.pace.is_stepping = self.pace.paused or not has_failed, True
        self._hold(now)

    def _move_now(self) -> None:
        self.pace.is_hurried = True
        self.worker.hurry()

    def _end(self, command: cmd.Resign | cmd.AgreeDraw, now: float) -> None:
        """End the game before its end."""
        assert self.speaker is not None  # else the command does not apply
        self._drop_search()
        self.referee.end(self.speaker, Fault.RESIGNED if isinstance(command, cmd.Resign) else Fault.DRAW_AGREED, now)
        self.view.visit(None)
        self._notice_end(now)

    def _advise(self, command: cmd.SessionCommand, now: float) -> None:
        """Leave a command to the analysis that it concerns."""
        for each in self._analyses:
            each.do(command, self.history)

    def _can_undo(self) -> bool:
        history = self.history
        has_any = self._put_aside is not None or history.undone_next is not None or history.undo_ply is not None
        return has_any or not self.view.is_live

    def _can_redo(self) -> bool:
        history = self.history
        return history.redone_next is not None or history.redo_ply is not None or not self.view.is_live

    def _can_pause(self) -> bool:
        """Whether there is anything to hold. Nobody holds a person's clock in a game that counts."""
        referee = self.referee
        if referee.job.is_rated and self.awaits_person and referee.seat.clock_seconds is not None:
            return False
        return not referee.is_over or self.pace.paused or self.next_game_at is not None

    def _can_step(self) -> bool:
        """Whether the next move is not a person's, or the player to move has failed and may try again."""
        is_due = bool(self.seats.computers) and not (self.referee.is_over or self.awaits_person)
        return is_due or self.worker.failure is not None

    def _can_hurry(self) -> bool:
        """Whether a computer thinks, or holds its answer back, and may be told to move."""
        return self.worker.is_wanted and self.worker.failure is None and not self.is_drawing


class _Deed(NamedTuple):
    """What a command does."""

    act: Callable[[Session, Any, float], None]
    applies: Callable[[Session], bool] = lambda _: True
    # whether it is allowed in a game that counts: whatever takes something back, helps, or holds the clock is not
    in_rated: bool = True


_DEEDS: Final[Mapping[type[cmd.SessionCommand], _Deed]] = {
    cmd.PlayMove: _Deed(Session._play_move),
    cmd.Acknowledge: _Deed(lambda on, _, now: on._append(on.game.legal_moves()[0], now), lambda on: on.announces_pass),
    cmd.NewGame: _Deed(Session._new_game),
    cmd.OpenGame: _Deed(Session._open_game, in_rated=False),
    cmd.RestoreGame: _Deed(lambda on, _, now: on._restore(now), lambda on: on._put_aside is not None, in_rated=False),
    cmd.Undo: _Deed(Session._undo, Session._can_undo, in_rated=False),
    cmd.Redo: _Deed(Session._redo, Session._can_redo, in_rated=False),
    cmd.PlayFromHere: _Deed(Session._play_from_here, lambda on: not on.view.is_live, in_rated=False),
    cmd.SwapSides: _Deed(Session._reseat, in_rated=False),
    cmd.HandOver: _Deed(Session._reseat, in_rated=False),
    cmd.TogglePause: _Deed(lambda on, _, now: on._pause(not on.pace.paused, now), Session._can_pause),
    cmd.HoldAnalyses: _Deed(Session._advise),
    cmd.Cover: _Deed(Session._cover, in_rated=False),
    cmd.Step: _Deed(Session._step, Session._can_step),
    cmd.MoveNow: _Deed(lambda on, *_: on._move_now(), Session._can_hurry, in_rated=False),
    cmd.ChangePace: _Deed(lambda on, command, _: on.pace.change(command.steps)),
    cmd.SetPace: _Deed(lambda on, command, _: on.pace.set(command.seconds)),
    cmd.GoTo: _Deed(lambda on, command, _: on.view.go_to(command.ply)),
    cmd.Browse: _Deed(lambda on, command, _: on.view.go_to(on.view.shown.ply + command.steps)),
    cmd.Visit: _Deed(lambda on, command, _: on.view.visit(on.game.at(0).after(command.line))),
    cmd.SwitchBranch: _Deed(lambda on, command, _: on.view.switch_branch(command.steps)),
    cmd.Explore: _Deed(lambda on, command, _: on.view.explore(command.moves)),
    cmd.DeleteLine: _Deed(lambda on, *_: on.view.delete(), lambda on: on.view.is_aside),
    cmd.Resign: _Deed(Session._end, lambda on: on.speaker is not None),
    cmd.AgreeDraw: _Deed(Session._end, lambda on: on.speaker is not None),
    cmd.Annotate: _Deed(lambda on, command, _: on.history.annotate(command.line or on.view.shown, command.note)),
    cmd.Try: _Deed(Session._advise),
    cmd.LookInto: _Deed(Session._advise),
    cmd.Analyse: _Deed(Session._advise, in_rated=False),
    cmd.AnalyseGame: _Deed(Session._advise, in_rated=False),
    cmd.StopAnalysing: _Deed(Session._advise),
}
