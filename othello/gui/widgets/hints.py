"""Hints: the best move for the user, found by a search."""

from othello.config import PlayerConfig
from othello.game import AnyGame
from othello.gui import labels
from othello.gui.preferences import Preferences, adviser_kind
from othello.play import session_commands as cmd
from othello.play.session import Session
from othello.players.player_registry import configure, type_of
from othello.schema import options_of
from othello.search.report import SearchReport, Unit
from othello.texts import tr


class Hints:
    """Requests a hint, and keeps it until the position changes."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._asked: AnyGame | None = None
        self._found: SearchReport | None = None

    @property
    def is_possible(self) -> bool:
        """True if a hint is allowed in the shown position."""
        session = self._session
        has_analyst = session.analysis is not None and not session.referee.job.is_rated
        return has_analyst and session.awaits_user and session.view.is_at_latest

    @property
    def is_running(self) -> bool:
        return self._asked is not None and self._found is None

    def ask(self, preferences: Preferences, now: float) -> None:
        """Start the search for a hint, or remove the current hint."""
        if self._asked is not None:
            self.drop(now)
        elif self.is_possible:
            self._asked = self._session.game
            adviser = unbounded(adviser_kind(preferences, self._asked.rules.spec), preferences.hint_seconds)
            self._session.do(cmd.Analyse(adviser), now)

    def update(self, now: float) -> None:
        """Take the result of the search, and remove the hint when the game continues."""
        session = self._session
        if self._asked is None:
            return
        if session.game is not self._asked or not session.view.is_at_latest or session.referee.is_over:
            self.drop(now)
        elif self._found is None and session.shown_analysis is not None and session.shown_analysis.final:
            self._found = session.shown_analysis
            session.do(cmd.Analyse(None), now)

    def drop(self, now: float) -> None:
        """Remove the hint, and stop the search for one."""
        if self.is_running:
            self._session.do(cmd.Analyse(None), now)
        self._asked = self._found = None

    @property
    def report(self) -> SearchReport | None:
        """The hint for the shown position, or None."""
        is_seen = self._session.game is self._asked and self._session.view.is_at_latest
        return self._found if is_seen else None

    @property
    def words(self) -> str:
        """The hint as text; empty if there is none."""
        analysis = self._session.analysis
        if self.is_running and analysis is not None and analysis.worker.failure is not None:
            return analysis.worker.failure.sentence()
        if self.is_running:
            return tr("hints.running")
        if self._found is None or self._asked is None:
            return ""
        return sentence(self._asked, self._found)


def sentence(game: AnyGame, report: SearchReport) -> str:
    """Return the best move and the expected result as a sentence."""
    how, amount = _outlook(game, report)
    points = labels.on_board(str(round(abs(amount))), report.expected_end(game, report.move))
    return tr(f"hints.{how}", move=labels.move(game, report.move), n=points)


def _outlook(game: AnyGame, report: SearchReport) -> tuple[str, float]:
    """Return the key of the text for the expected result, and its amount."""
    value, unit = report.value, report.unit
    if value is None or (unit is Unit.SCORE and 0 < abs(value) < labels.FINISHED_SCORE):
        return "move", 0.0  # a heuristic value means nothing to users
    if unit is Unit.EXPECTED:
        return ("ahead" if round(value) > 0 else "behind" if round(value) else "even"), value
    if unit is Unit.REWARD and not report.is_certain:
        return "chance", 100 * value
    balance = value - 0.5 if unit is Unit.REWARD else value
    how = "wins" if balance > 0 else "loses" if balance else "draws"
    return (f"{how}_by" if unit is Unit.DISCS and game.rules.points == "discs" and balance else how), balance


def unbounded(kind: str, seconds: float | None, megabytes: int = 512) -> PlayerConfig:
    """Return a player without limits except time in seconds (None: no limit) and memory."""
    options = options_of(type_of(kind).config_type)
    bounds = {key: option.maximum for key, option in options.items() if option.is_bound}
    memory = {"mcts_memory_mb": megabytes} if "mcts_memory_mb" in options else {}
    return configure(kind, **bounds, **memory, time_limit_seconds=seconds)
