"""The one search that a session waits for."""

from __future__ import annotations

from othello.game import AnyGame
from othello.play.news import Answered, Failed, News, NotKept, Preparing, Progress, Ready, Searcher, Seat, Started
from othello.search.report import SearchReport


class Thinking:
    """Stamps requests, and keeps of all the news only what belongs to the latest one.

    Attributes:
        report: the newest snapshot of the current search.
        answer: its final report, until the session has played it.
        failure: why there will be no answer.
        not_kept: why a player could not keep what it learned in the last game, None where it could.
        preparing: the player that is being made ready, None when all are.
        started_at: when the player began to think, None while it does not.
        ended_at: when it answered or failed.
    """

    def __init__(self, searcher: Searcher) -> None:
        self._searcher = searcher
        self._stamp = 0
        self.preparing: str | None = None
        self.not_kept: str | None = None
        self._clear()

    def _clear(self) -> None:
        self.is_wanted = False
        self.report: SearchReport | None = None
        self.answer: SearchReport | None = None
        self.failure: str | None = None
        self.started_at: float | None = None
        self.ended_at: float | None = None

    def ask(self, game: AnyGame, seat: Seat, seconds: float | None = None) -> None:
        """Begin a search, of `seconds` at most where that is not None; whatever was searched before is forgotten."""
        self._stamp += 1
        self._clear()
        self.is_wanted = True
        self._searcher.submit(self._stamp, game, seat, seconds)

    def finish(self) -> None:
        """The game is over."""
        self.not_kept = None
        self._searcher.finish()

    def drop(self) -> None:
        """Stop the search. Its answer, should it still come, is out of date."""
        if self.is_wanted and self.answer is None and self.failure is None:
            self._searcher.cancel()
        self._stamp += 1
        self._clear()

    @property
    def is_running(self) -> bool:
        """Whether a player is at work on the current request."""
        return self.started_at is not None and self.ended_at is None

    @property
    def is_busy(self) -> bool:
        """Whether news is to be expected."""
        return self._searcher.is_busy

    def collect(self) -> bool:
        """Read the news; whether any of it matters."""
        changed = False
        for item in self._searcher.poll():
            changed |= self._take(item)
        return changed

    def _take(self, item: News) -> bool:
        match item:
            case Preparing(player):
                self.preparing = player
            case Ready():
                self.preparing = None
            case NotKept(reason):
                self.not_kept = reason
            case Started(request, at) if request == self._stamp:
                self.started_at = at
            case Progress(request, report) if request == self._stamp:
                self.report = report
            case Answered(request, report, at) if request == self._stamp:
                self.report = self.answer = report
                self.ended_at = at
            case Failed(request, reason, at) if request == self._stamp:
                self.failure = reason
                self.ended_at = at
            case _:
                return False
        return True
