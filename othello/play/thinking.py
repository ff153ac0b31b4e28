"""The searches of a session: the one that it waits for, and the one that somebody looks at; what is said of both."""

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeAlias

from othello.config import PlayerConfig
from othello.errors import Reason
from othello.frozen import Frozen
from othello.game import AnyGame
from othello.play.referee import Job
from othello.rules.protocol import GameSpec, Move
from othello.search.report import Line, SearchReport


class Seat(Frozen):
    """Who is asked: a computer player's configuration, what it plays, and its seed for this game."""

    config: PlayerConfig
    spec: GameSpec
    seed: int


class Preparing(Frozen):
    """A player is being compiled or loaded; None: all are ready."""

    player: str | None


class Started(Frozen):
    """The player has begun to think."""

    at: float


class Progress(Frozen):
    """A snapshot of the search."""

    report: SearchReport


class Answered(Frozen):
    """The final report; its move is legal."""

    report: SearchReport
    at: float


class Failed(Frozen):
    """The player gave no answer that can be played."""

    reason: Reason
    at: float
    is_forfeit: bool = False  # whether the player loses by it where the game counts. No player of ours does


class Drawn(Frozen):
    """The opening that was asked for."""

    game: AnyGame


class NotKept(Frozen):
    """A player could not keep what it had learned."""

    reason: Reason


News: TypeAlias = Preparing | Started | Progress | Answered | Failed | Drawn | NotKept


class Searcher(Protocol):
    """What a session needs of the thread that thinks."""

    def prepare(self, players: Iterable[PlayerConfig], spec: GameSpec) -> None:
        """Make players ready for their first move in such a game."""

    def submit(self, game: AnyGame, asked: Seat | Job, seconds: float | None = None) -> None:
        """Ask a player for a move, within `seconds` where the game has a clock, or for the opening of a job.

        This cancels what was asked before.
        """

    def hurry(self) -> None:
        """The answer that was asked for is wanted now, as good as it is."""

    def hold(self, is_held: bool) -> None:
        """The search that was asked for stands still, until it goes on from there; that takes none of its time."""

    def dismiss(self, game: AnyGame) -> None:
        """The players get up from a game: they keep what they learned, and are released."""

    def cancel(self) -> None:
        """The answer that was asked for is no longer wanted."""

    def poll(self) -> list[News]:
        """What has happened since the last call; nothing of what was cancelled."""

    def look_into(self, lines: Sequence[Line]) -> None:
        """Tell in snapshots from now on what is known of the moves after these lines (`SearchReport.below`)."""

    @property
    def is_busy(self) -> bool:
        """Whether news is to be expected."""


class Thinking:
    """How the latest request stands. What a search reports is kept in the game's tree; see `History.remember`."""

    def __init__(self, searcher: Searcher) -> None:
        self.searcher = searcher
        self.preparing: str | None = None  # the player that is being made ready, None when all are
        self.not_kept: Reason | None = None  # why a player could not keep what it had learned, None where it could
        self._clear()

    def _clear(self) -> None:
        self.is_wanted = False
        self.answer: Move | None = None  # what the player has chosen, until the session has made the move
        self.failure: Reason | None = None  # why there will be no answer
        self.started_at: float | None = None  # when the player began to think
        self.ended_at: float | None = None  # when the player answered or failed
        self.is_held = False

    def ask(self, game: AnyGame, asked: Seat | Job, seconds: float | None = None) -> None:
        """Begin a search, of `seconds` at most where that is not None, or to draw an opening; drop the one before."""
        self._clear()
        self.is_wanted = True
        self.searcher.submit(game, asked, seconds)

    def dismiss(self, game: AnyGame) -> None:
        """The players are not needed any more."""
        self.not_kept = None
        self.searcher.dismiss(game)

    def hurry(self) -> None:
        if self.is_wanted:
            self.searcher.hurry()
            self.hold(False)

    def hold(self, is_held: bool) -> None:
        if self.is_wanted and is_held != self.is_held:
            self.is_held = is_held
            self.searcher.hold(is_held)

    def drop(self) -> None:
        """Stop the search. Its answer, should it still come, is out of date."""
        if self.is_wanted and self.answer is None and self.failure is None:
            self.searcher.cancel()
        self._clear()

    @property
    def is_running(self) -> bool:
        """Whether a player is at work on the current request."""
        return self.started_at is not None and self.ended_at is None and not self.is_held

    @property
    def is_busy(self) -> bool:
        return self.searcher.is_busy and not self.is_held

    def collect(self) -> list[News]:
        """The news, after they were taken note of."""
        news = self.searcher.poll()
        for item in news:
            match item:
                case Preparing(player):
                    self.preparing = player
                case NotKept(reason):
                    self.not_kept = reason
                case Started(at):
                    self.started_at = at
                case Answered(report, at):
                    self.answer, self.ended_at = report.move, at
                case Failed(reason, at):
                    self.failure, self.ended_at = reason, at
        return news
