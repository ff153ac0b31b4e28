"""The searches of a session: the one that it waits for, and the one that somebody looks at; what is said of both."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from othello.config import PlayerConfig
from othello.errors import Reason
from othello.game import AnyGame
from othello.play.referee import Job
from othello.rules.protocol import GameSpec, Move
from othello.search.report import Line, SearchReport


@dataclass(frozen=True, slots=True)
class Seat:
    """Who is asked: a computer player's configuration, what it plays, and its seed for this game."""

    config: PlayerConfig
    spec: GameSpec
    seed: int


@dataclass(frozen=True, slots=True)
class Preparing:
    """A player is being compiled or loaded; None: all are ready."""

    player: str | None


@dataclass(frozen=True, slots=True)
class Started:
    """The player has begun to think about a request."""

    request: int
    at: float


@dataclass(frozen=True, slots=True)
class Progress:
    """A snapshot of the search for a request."""

    request: int
    report: SearchReport


@dataclass(frozen=True, slots=True)
class Answered:
    """The final report of a request; its move is legal."""

    request: int
    report: SearchReport
    at: float


@dataclass(frozen=True, slots=True)
class Failed:
    """The player gave no answer that can be played."""

    request: int
    reason: Reason
    at: float
    is_forfeit: bool = False  # whether the player loses by it where the game counts. No player of ours does


@dataclass(frozen=True, slots=True)
class Drawn:
    """The opening that was asked for."""

    request: int
    game: AnyGame


@dataclass(frozen=True, slots=True)
class NotKept:
    """A player could not keep what it had learned."""

    reason: Reason


News: TypeAlias = Preparing | Started | Progress | Answered | Failed | Drawn | NotKept


class Searcher(Protocol):
    """What a session needs of the thread that thinks."""

    def prepare(self, players: Iterable[PlayerConfig], spec: GameSpec) -> None:
        """Make players ready for their first move in such a game."""
        ...

    def submit(self, request: int, game: AnyGame, asked: Seat | Job, seconds: float | None = None) -> None:
        """Ask a player for a move, within `seconds` where the game has a clock, or for the opening of a job.

        This cancels what was asked before.
        """
        ...

    def hurry(self) -> None:
        """The answer that was asked for is wanted now, as good as it is."""
        ...

    def hold(self, is_held: bool) -> None:
        """The search that was asked for stands still, until it goes on from there; that takes none of its time."""
        ...

    def dismiss(self, game: AnyGame) -> None:
        """The players get up from a game: they keep what they learned, and are released."""
        ...

    def cancel(self) -> None:
        """The answer that was asked for is no longer wanted."""
        ...

    def poll(self) -> list[News]:
        """What has happened since the last call."""
        ...

    def look_into(self, lines: Sequence[Line]) -> None:
        """Tell in snapshots from now on what is known of the moves after these lines (`SearchReport.below`)."""
        ...

    @property
    def is_busy(self) -> bool:
        """Whether news is to be expected."""
        ...


class Thinking:
    """Stamps requests, and hands on of all the news only what belongs to the latest one.

    What a search reports is kept in the game's tree; see `History.remember`.

    Attributes:
        answer: the move that the player has chosen, until the session has made it.
        failure: why there will be no answer.
        started_at: when the player began to think, None while it does not.
        ended_at: when it answered or failed.
        is_held: whether the search stands still.
    """

    def __init__(self, searcher: Searcher) -> None:
        self.searcher = searcher
        self._stamp = 0
        self.preparing: str | None = None  # the player that is being made ready, None when all are
        self.not_kept: Reason | None = None  # why a player could not keep what it had learned, None where it could
        self._clear()

    def _clear(self) -> None:
        self.is_wanted = False
        self.answer: Move | None = None
        self.failure: Reason | None = None
        self.started_at: float | None = None
        self.ended_at: float | None = None
        self.is_held = False

    def ask(self, game: AnyGame, asked: Seat | Job, seconds: float | None = None) -> None:
        """Begin a search, of `seconds` at most where that is not None, or to draw an opening; drop the one before."""
        self._stamp += 1
        self._clear()
        self.is_wanted = True
        self.searcher.submit(self._stamp, game, asked, seconds)

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
        self._stamp += 1
        self._clear()

    @property
    def is_running(self) -> bool:
        """Whether a player is at work on the current request."""
        return self.started_at is not None and self.ended_at is None and not self.is_held

    @property
    def is_busy(self) -> bool:
        return self.searcher.is_busy and not self.is_held

    def collect(self) -> list[News]:
        """The news that matter."""
        return [item for item in self.searcher.poll() if self._take(item)]

    def _take(self, item: News) -> bool:
        match item:
            case Preparing(player):
                self.preparing = player
            case NotKept(reason):
                self.not_kept = reason
            case Started(request, at) if request == self._stamp:
                self.started_at = at
            case Answered(request, report, at) if request == self._stamp:
                self.answer = report.move
                self.ended_at = at
            case Failed(request, reason, at, _) if request == self._stamp:
                self.failure = reason
                self.ended_at = at
            case Progress() | Drawn():
                return item.request == self._stamp
            case _:
                return False
        return True
