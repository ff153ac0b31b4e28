"""A hint: what a search thinks is best where a person is to move."""

from __future__ import annotations

from dataclasses import replace

from othello.config import PlayerConfig
from othello.game import AnyGame
from othello.gui import wording
from othello.gui.preferences import Preferences, adviser_kind
from othello.play import commands as play
from othello.play.session import Session
from othello.players.registry import PLAYERS, configure
from othello.schema import options_of
from othello.search.report import SearchReport, Unit
from othello.texts import say


class Hints:
    """Asks for a hint, and keeps it until the position is another."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._asked: AnyGame | None = None
        self._found: SearchReport | None = None

    @property
    def is_possible(self) -> bool:
        """Whether anybody may be asked for the position that is shown."""
        session = self._session
        is_free = session.analysis is not None and (session.analysis.player is None or self.is_running)
        return is_free and session.awaits_person and session.view.is_live and not session.referee.job.is_rated

    @property
    def is_running(self) -> bool:
        return self._asked is not None and self._found is None

    def ask(self, preferences: Preferences, now: float) -> None:
        """Begin the search for a hint, or drop the hint that is there."""
        if self._asked is not None:
            self._drop(now)
        elif self.is_possible:
            self._asked = self._session.game
            adviser = unbounded(adviser_kind(preferences, self._asked.rules.spec), preferences.hint_seconds)
            self._session.do(play.Analyse(adviser), now)

    def update(self, now: float) -> None:
        """Take what was found; forget it when the game goes on."""
        session = self._session
        if self._asked is None:
            return
        if session.game is not self._asked or not session.view.is_live:
            self._drop(now)
        elif self._found is None and session.shown_analysis is not None and session.shown_analysis.final:
            self._found = session.shown_analysis
            session.do(play.Analyse(None), now)

    def _drop(self, now: float) -> None:
        if self.is_running:
            self._session.do(play.Analyse(None), now)
        self._asked = self._found = None

    @property
    def report(self) -> SearchReport | None:
        """The move that is shown on the board."""
        if self._found is None:
            return None
        return replace(self._found, moves=tuple(move for move in self._found.moves if move.move == self._found.move))

    @property
    def words(self) -> str:
        """What is said of it, empty where nothing is."""
        analysis = self._session.analysis
        if self.is_running and analysis is not None and analysis.failure is not None:
            return analysis.failure.sentence()
        if self.is_running:
            return say("hints.running")
        if self._found is None or self._asked is None:
            return ""
        move = wording.move(self._asked, self._found.move)
        if self._found.value is None:
            return say("hints.move", move=move)
        amount, unit = self._found.value, self._found.unit
        value = wording.value(amount, unit)
        if unit is Unit.REWARD:
            return say("hints.chance", move=move, value=value)
        if unit is Unit.SCORE or self._asked.rules.points != "discs":
            return say("hints.score", move=move, value=value)
        return say("hints.discs", n=round(abs(amount)), move=move, value=value)


def unbounded(kind: str, seconds: float | None) -> PlayerConfig:
    """A player that searches as long as the time allows."""
    options = options_of(PLAYERS[kind].config_type)
    bounds = {key: option.maximum for key, option in options.items() if option.is_bound}
    return configure(kind, **bounds, time_limit_seconds=seconds)
