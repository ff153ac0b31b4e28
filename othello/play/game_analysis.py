"""A game is judged in the background: every position in which somebody chose, one after the other."""

from __future__ import annotations

from typing import Final

from othello.errors import Reason
from othello.game import AnyGame
from othello.play import commands as cmd
from othello.play.history import History
from othello.play.judging import choices, judge_of, unknown
from othello.play.thinking import Answered, Failed, Searcher, Seat, Thinking

_MOST_SECONDS: Final = 20.0  # for a position
_SEED: Final = 0  # an opinion is of no game, and the same whenever it is asked for


class GameAnalysis:
    """Searches the positions of a game, and keeps what it finds in the game's tree.

    What is known already is not searched again, so that one that was stopped goes on where it was.

    Attributes:
        done: how many positions of the game are known.
        total: how many there are in which somebody chose.
    """

    POLL_SECONDS: Final = 0.1
    """How long news may wait: the search is in nobody's way."""

    def __init__(self, searcher: Searcher) -> None:
        self._thinking = Thinking(searcher)
        self._history: History | None = None
        self._line: AnyGame | None = None
        self.done = self.total = 0
        # whether a game in which a person plays is judged as soon as it ends, unless it counts
        self.judges_ended = False
        self.ply: int | None = None  # the one that is searched; None while none is
        self.failure: Reason | None = None  # why it has stopped by itself, None where it has not

    @property
    def is_running(self) -> bool:
        return self._line is not None

    @property
    def is_busy(self) -> bool:
        return self._thinking.is_busy

    @property
    def share(self) -> float:
        """How much is done, 0 .. 1."""
        return self.done / self.total if self.total else 1.0

    def do(self, command: cmd.SessionCommand, history: History) -> None:
        """Carry a command out that concerns this search; `history` is the game on the table."""
        match command:
            case cmd.AnalyseGame():
                self.begin(history, history.tree.line)
            case cmd.StopAnalysing():
                self.stop()
            case cmd.HoldAnalyses(is_held):
                self._thinking.hold(is_held)

    def begin(self, history: History, line: AnyGame) -> None:
        self.stop()
        self._history, self._line, self.failure = history, line, None
        self.total = len(choices(line, history.referee.job.opening_plies))
        self._next()

    @property
    def is_held(self) -> bool:
        return self._thinking.is_held

    def stop(self) -> None:
        """Leave the rest for another time."""
        self._thinking.drop()
        if self._line is not None:
            self._thinking.dismiss(self._line)
        self._history = self._line = self.ply = None

    def judge_ended(self, history: History) -> None:
        """A game has ended on the table: judge it, where that is wanted."""
        referee = history.referee
        if self.judges_ended and not (referee.seats.is_between_computers or referee.job.is_rated):
            self.begin(history, history.tree.line)

    def follow(self, *_: object) -> bool:
        """Take what was found, and go on to the next position, whatever is on the table; whether anything is new."""
        for item in self._thinking.collect():
            if self._history is None or self._line is None or self.ply is None:
                break
            if isinstance(item, Answered):
                game = self._line.at(self.ply)
                self._history.form_opinion(game, judge_of(game.rules.spec), item.report)
                self._next()
                return True
            if isinstance(item, Failed):
                self.stop()
                self.failure = item.reason
                return True
        return False

    def _next(self) -> None:
        assert self._history is not None
        assert self._line is not None
        waiting = unknown(self._history.tree, self._line, self._history.referee.job.opening_plies)
        self.done = self.total - len(waiting)
        if not waiting:
            self.stop()
            return
        self.ply = waiting[0]
        spec = self._line.rules.spec
        self._thinking.ask(self._line.at(self.ply), Seat(judge_of(spec), spec, _SEED), _MOST_SECONDS)
