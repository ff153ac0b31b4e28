"""Searches beside that of the game: of whatever position is looked at, and of all positions of a game in turn."""

from functools import cache
from typing import Final

from othello.config import PlayerConfig
from othello.errors import Reason
from othello.game import AnyGame, Game
from othello.play import commands as cmd
from othello.play.history import History
from othello.play.judging import choices, judge_of, unknown
from othello.play.thinking import Answered, Failed, Preparing, Progress, Seat
from othello.play.worker import Worker
from othello.players.registry import refusal
from othello.rules.protocol import GameSpec
from othello.rules.registry import rules_of
from othello.search.report import SearchReport

_MOST_SECONDS: Final = 20.0  # for a position of a game that is judged
_TRIAL_SECONDS: Final = 1.5  # long enough to tell what a move costs
_ANALYSIS_SEED: Final = 0  # an opinion is of no game, and the same whenever it is asked for


class Analysis:
    """A second search, of whatever position is looked at. What it finds is kept in the game's tree."""

    POLL_SECONDS: Final = 0.0  # how long news may wait: a person watches

    def __init__(self, worker: Worker) -> None:
        self.player: PlayerConfig | None = None  # who searches, None while nobody does
        self._worker = worker
        self.is_held = False
        self._asked: tuple[PlayerConfig, AnyGame] | None = None
        self._trial: tuple[PlayerConfig, AnyGame] | None = None
        self._is_trying = False
        # what players have shown of themselves in the middle of a game, by who played what
        self.trials: dict[tuple[PlayerConfig, GameSpec], SearchReport] = {}

    def do(self, command: cmd.SessionCommand, history: History) -> None:
        """Carry a command out that concerns this search; `history` is the game on the table."""
        match command:
            case cmd.Analyse(player):
                self._worker.dismiss(history.game)
                self.player = player
                self.hold(False)
            case cmd.Try(player, spec) if (player, spec) not in self.trials:
                self._trial = player, _middle(spec)
            case cmd.LookInto(lines):
                self._worker.look_into(lines)
            case cmd.HoldAnalyses(is_held):
                self.hold(is_held)

    def hold(self, is_held: bool) -> None:
        """The search stands still, and none but a trial begins, until it goes on or another player is asked."""
        self.is_held = is_held
        self._worker.hold(is_held and not self._is_trying)

    @property
    def is_busy(self) -> bool:
        return self._worker.is_busy

    @property
    def failure(self) -> Reason | None:
        """Why the player that searches finds nothing, None while it may."""
        return self._worker.failure

    def stop(self) -> None:
        """Forget what is searched, and give its memory back; `follow` begins anew."""
        self.is_held = False
        self._worker.cancel()
        if self._asked is not None:
            self._worker.dismiss(self._asked[1])
        self._asked = None

    def follow(self, history: History, shown: AnyGame) -> bool:
        """Keep what was found, and search the shown position; whether there is any news.

        A position whose search came to its end is not searched again. A trial waits until nobody searches.
        """
        news = self._worker.poll()
        found = [item.report for item in news if isinstance(item, Progress | Answered)]
        if found and self._asked is not None:
            self._keep(history, *self._asked, found[-1])
        is_trial = self.player is None and self._trial is not None
        wanted = self._trial if is_trial else self._wanted(shown)
        if wanted != self._asked and (is_trial or not self.is_held):
            self._worker.cancel()
            self._asked, self._is_trying = wanted, is_trial
            if wanted is not None:
                player, game = wanted
                known = None if is_trial else history.opinion(game, player)
                is_refused = refusal(player, game.rules.spec)  # as long as nobody else is asked for another game
                if (known is None or not known.final) and not is_refused:
                    seat = Seat(player, game.rules.spec, _ANALYSIS_SEED)
                    self._worker.submit(game, seat, _TRIAL_SECONDS if is_trial else None)
        return bool(news)

    def _wanted(self, shown: AnyGame) -> tuple[PlayerConfig, AnyGame] | None:
        """Who is to search what, None where there is nothing to choose or nobody to search."""
        return None if self.player is None or shown.is_over or shown.must_pass else (self.player, shown)

    def _keep(self, history: History, player: PlayerConfig, game: AnyGame, report: SearchReport) -> None:
        if not self._is_trying:
            history.form_opinion(game, player, report)
        elif report.final:
            self.trials[player, game.rules.spec] = report
            self._trial = None if self._trial == (player, game) else self._trial


class GameAnalysis:
    """Searches the positions of a game that are not known yet, and keeps what it finds in the game's tree."""

    POLL_SECONDS: Final = 0.1  # how long news may wait: the search is in nobody's way

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._history: History | None = None
        self._line: AnyGame | None = None
        self._judge: PlayerConfig | None = None
        self.done = self.total = 0  # positions with a choice: the analysed ones, and all
        # whether a game in which a person plays is judged as soon as it ends, unless it counts
        self.judges_ended = False
        # whether each move of the game on the table is judged as soon as it is made, unless the game counts
        self.judges_moves = False
        self._seen: AnyGame | None = None  # the newest position of that game that was noticed
        self.ply: int | None = None  # the ply being searched; None if none is
        self.failure: Reason | None = None  # why it has stopped by itself, None where it has not

    @property
    def is_running(self) -> bool:
        return self._line is not None

    @property
    def is_busy(self) -> bool:
        return self._worker.is_busy

    @property
    def is_preparing(self) -> bool:
        """Whether whoever judges is still being made ready."""
        return self.is_running and self._worker.preparing is not None

    @property
    def share(self) -> float:
        """How much is done, 0 .. 1."""
        return self.done / self.total if self.total else 1.0

    def do(self, command: cmd.SessionCommand, history: History) -> None:
        """Carry a command out that concerns this search; `history` is the game on the table."""
        match command:
            case cmd.AnalyseGame(judge):
                self.begin(history, history.tree.line, judge)
            case cmd.StopAnalysing():
                self.stop()
            case cmd.HoldAnalyses(is_held):
                self._worker.hold(is_held)

    def begin(self, history: History, line: AnyGame, judge: PlayerConfig | None = None) -> None:
        self.stop()
        self._history, self._line, self.failure = history, line, None
        self._judge = judge or judge_of(line.rules.spec)
        self.total = len(choices(line, history.referee.job.opening_plies))
        self._next()

    @property
    def is_held(self) -> bool:
        return self._worker.is_held

    def stop(self) -> None:
        """Leave the rest for another time."""
        self._worker.cancel()
        if self._line is not None:
            self._worker.dismiss(self._line)
        self._history = self._line = self.ply = None

    def judge_ended(self, history: History) -> None:
        """A game has ended on the table: judge it, where that is wanted."""
        referee = history.referee
        if self.judges_ended and not (referee.seats.is_between_computers or referee.job.is_rated):
            self.begin(history, history.tree.line)

    def follow(self, history: History, shown: AnyGame) -> bool:
        """Take what was found, and go on to the next position, whatever is looked at; whether anything is new."""
        if self.judges_moves and not self.is_running and history.game is not self._seen:
            self._seen = history.game
            if history.is_begun and not history.referee.job.is_rated:
                self.begin(history, history.game)
        news = self._worker.poll()
        for item in news:
            if self._history is None or self._line is None or self._judge is None or self.ply is None:
                break
            if isinstance(item, Answered):
                game = self._line.at(self.ply)
                self._history.form_opinion(game, self._judge, item.report)
                self._next()
                return True
            if isinstance(item, Failed):
                self.stop()
                self.failure = item.reason
                return True
        return any(isinstance(item, Preparing) for item in news)

    def _next(self) -> None:
        assert self._history is not None
        assert self._line is not None
        assert self._judge is not None
        waiting = unknown(self._history.tree, self._line, self._history.referee.job.opening_plies, self._judge)
        self.done = self.total - len(waiting)
        if not waiting:
            self.stop()
            return
        self.ply = waiting[0 if self._line.is_over else -1]  # of a game that goes on, the newest moves are waited for
        is_held = self._worker.is_held  # a pause that came with the answer holds what follows, too
        seat = Seat(self._judge, self._line.rules.spec, _ANALYSIS_SEED)
        self._worker.submit(self._line.at(self.ply), seat, _MOST_SECONDS)
        self._worker.hold(is_held)


@cache
def _middle(spec: GameSpec) -> AnyGame:
    """A position in which a player has to think."""
    game = Game.new(rules_of(spec))
    for ply in range(game.rules.max_moves // 3):
        legal = game.legal_moves()
        following = game.play(legal[ply * 7 % len(legal)])
        if following.is_over:
            break
        game = following
    return game
