"""Background analysis: of the position on display, and of all positions of a game."""

from functools import cache
from typing import Final

from othello.config import PlayerConfig
from othello.errors import Reason
from othello.game import AnyGame, Game
from othello.play import session_commands as cmd
from othello.play.assessment import default_analyst, plies_with_choice, unanalysed_plies
from othello.play.history import History
from othello.play.worker import Failed, PlayerRequest, Preparing, SearchAnswered, SearchProgress, Worker
from othello.players.player_registry import unsupported_reason
from othello.rules.protocol import GameSpec
from othello.rules.registry import rules_of
from othello.search.report import SearchReport

_MAX_SECONDS: Final = 20.0  # per position in the analysis of a game
_TRIAL_SECONDS: Final = 1.5  # long enough to measure a player's speed
_ANALYSIS_SEED: Final = 0  # analyses are repeatable and do not depend on a game


class Analysis:
    """Analyses the position on display. Its results are stored in the game's tree."""

    POLL_SECONDS: Final = 0.0  # longest delay of results; the user is watching

    def __init__(self, worker: Worker) -> None:
        self.player: PlayerConfig | None = None  # the analysing player; None if analysis is off
        self.worker = worker
        self.is_paused = False
        self._asked: tuple[PlayerConfig, AnyGame] | None = None
        self._trial: tuple[PlayerConfig, AnyGame] | None = None
        self._is_trying = False
        # searches of a middle-game position, by player and game: they show the player's speed
        self.trials: dict[tuple[PlayerConfig, GameSpec], SearchReport] = {}

    def do(self, command: cmd.SessionCommand, history: History) -> None:
        """Handle a command for this analysis; `history` is the current game."""
        match command:
            case cmd.Analyse(player):
                self.worker.dismiss(history.game)
                self.player = player
                self.set_paused(False)
            case cmd.MeasureMoveTime(player, spec) if (player, spec) not in self.trials:
                self._trial = player, _middle_game(spec)
            case cmd.ExpandLines(lines):
                self.worker.expand_lines(lines)
            case cmd.HoldAnalyses(is_paused):
                self.set_paused(is_paused)

    def set_paused(self, is_paused: bool) -> None:
        """Pause or resume. Trials go on, and choosing another player also resumes."""
        self.is_paused = is_paused
        self.worker.set_paused(is_paused and not self._is_trying)

    def stop(self) -> None:
        """Stop, and release the memory of the search. `follow` starts again."""
        self.is_paused = False
        self.worker.cancel()
        if self._asked is not None:
            self.worker.dismiss(self._asked[1])
        self._asked = None

    def follow(self, history: History, shown: AnyGame) -> bool:
        """Store new results, and analyse the position on display; return whether there are news.

        Finished searches are not repeated. A trial waits until no player is analysing.
        """
        news = self.worker.poll()
        reports = [item.report for item in news if isinstance(item, SearchProgress | SearchAnswered)]
        if reports and self._asked is not None:
            self._store_report(history, *self._asked, reports[-1])
        is_trial = self.player is None and self._trial is not None
        wanted = self._trial if is_trial else self._next_target(shown)
        if wanted != self._asked and (is_trial or not self.is_paused):
            self.worker.cancel()
            self._asked, self._is_trying = wanted, is_trial
            if wanted is not None:
                self._submit(history, *wanted)
        return bool(news)

    def _submit(self, history: History, player: PlayerConfig, game: AnyGame) -> None:
        """Search a position, unless its search is known or the player does not play such a game."""
        known = None if self._is_trying else history.analysis_by(game, player)
        if (known is None or not known.final) and not unsupported_reason(player, game.rules.spec):
            player_request = PlayerRequest(player, game.rules.spec, _ANALYSIS_SEED)
            self.worker.submit(game, player_request, _TRIAL_SECONDS if self._is_trying else None)

    def _next_target(self, shown: AnyGame) -> tuple[PlayerConfig, AnyGame] | None:
        """Return the player and the position to analyse, None if analysis is off or there is no choice of moves."""
        return None if self.player is None or shown.is_over or shown.must_pass else (self.player, shown)

    def _store_report(self, history: History, player: PlayerConfig, game: AnyGame, report: SearchReport) -> None:
        if not self._is_trying:
            history.store_analysis(game, player, report)
        elif report.final:
            self.trials[player, game.rules.spec] = report
            self._trial = None if self._trial == (player, game) else self._trial


class GameAnalysis:
    """Analyses all positions of a game that are not analysed yet. Its results are stored in the game's tree."""

    POLL_SECONDS: Final = 0.1  # longest delay of results; the user is not waiting for them

    def __init__(self, worker: Worker) -> None:
        self.worker = worker
        self._history: History | None = None
        self._line: AnyGame | None = None
        self._judge: PlayerConfig | None = None
        self.done = self.total = 0  # analysed positions, and all positions with a choice of moves
        # analyse the user's games as soon as they end, except rated games
        self.judges_ended = False
        # analyse every move as soon as it is made, except in rated games
        self.judges_moves = False
        self._seen: AnyGame | None = None  # the last known position of the current game
        self.ply: int | None = None  # ply being searched; None if none is
        self.failure: Reason | None = None  # why the analysis has stopped; None if it has not failed

    @property
    def is_running(self) -> bool:
        return self._line is not None

    @property
    def share(self) -> float:
        """The share of positions that are analysed, 0 to 1."""
        return self.done / self.total if self.total else 1.0

    def do(self, command: cmd.SessionCommand, history: History) -> None:
        """Handle a command for this analysis; `history` is the current game."""
        match command:
            case cmd.AnalyseGame(analyst):
                self.begin(history, history.tree.line, analyst)
            case cmd.StopAnalysing():
                self.stop()
            case cmd.HoldAnalyses(is_paused):
                self.worker.set_paused(is_paused)

    def begin(self, history: History, line: AnyGame, analyst: PlayerConfig | None = None) -> None:
        self.stop()
        self._history, self._line, self.failure = history, line, None
        self._judge = analyst or default_analyst(line.rules.spec)
        self.total = len(plies_with_choice(line, history.referee.job.opening_plies))
        self._next(history, line, self._judge)

    def stop(self) -> None:
        """Stop the analysis; it can be continued later."""
        self.worker.cancel()
        if self._line is not None:
            self.worker.dismiss(self._line)
        self._history = self._line = self.ply = None

    def judge_ended(self, history: History) -> None:
        """Analyse a game that has just ended, if that is wanted."""
        referee = history.referee
        if self.judges_ended and not (referee.players.is_between_computers or referee.job.is_rated):
            self.begin(history, history.tree.line)

    def follow(self, history: History, shown: AnyGame) -> bool:
        """Store new results and continue with the next position; return whether there are news."""
        if self.judges_moves and not self.is_running and history.game is not self._seen:
            self._seen = history.game
            if history.is_begun and not history.referee.job.is_rated:
                self.begin(history, history.game)
        news = self.worker.poll()
        for item in news:
            if self._history is None or self._line is None or self._judge is None or self.ply is None:
                break
            if isinstance(item, SearchAnswered):
                game = self._line.at(self.ply)
                self._history.store_analysis(game, self._judge, item.report)
                self._next(self._history, self._line, self._judge)
                return True
            if isinstance(item, Failed):
                self.stop()
                self.failure = item.reason
                return True
        return any(isinstance(item, Preparing) for item in news)

    def _next(self, history: History, line: AnyGame, analyst: PlayerConfig) -> None:
        waiting = unanalysed_plies(history.tree, line, history.referee.job.opening_plies, analyst)
        self.done = self.total - len(waiting)
        if not waiting:
            self.stop()
            return
        self.ply = waiting[0 if line.is_over else -1]  # in a game in progress, the newest move first
        is_paused = self.worker.is_paused  # a pause during the last search also applies to the next
        player_request = PlayerRequest(analyst, line.rules.spec, _ANALYSIS_SEED)
        self.worker.submit(line.at(self.ply), player_request, _MAX_SECONDS)
        self.worker.set_paused(is_paused)


@cache
def _middle_game(spec: GameSpec) -> AnyGame:
    """Return a position of the middle game, in which a player has to think."""
    game = Game.new(rules_of(spec))
    for ply in range(game.rules.max_moves // 3):
        legal = game.legal_moves()
        following = game.play(legal[ply * 7 % len(legal)])
        if following.is_over:
            break
        game = following
    return game
