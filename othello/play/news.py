"""What the session and the thread that thinks say to each other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from othello.config import PlayerConfig
from othello.game import AnyGame
from othello.rules.protocol import GameSpec
from othello.search.report import SearchReport


@dataclass(frozen=True, slots=True)
class Seat:
    """Who is asked: a computer player's configuration, what it plays, and its seed for this game."""

    config: PlayerConfig
    spec: GameSpec
    seed: int


@dataclass(frozen=True, slots=True)
class Preparing:
    """A player is being compiled or loaded."""

    player: str


@dataclass(frozen=True, slots=True)
class Ready:
    """The preparation ended."""


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
    """The player gave no answer that can be played. `reason` is one line."""

    request: int
    reason: str
    at: float


@dataclass(frozen=True, slots=True)
class NotKept:
    """A player could not keep what it had learned. `reason` is one line."""

    reason: str


News: TypeAlias = Preparing | Ready | Started | Progress | Answered | Failed | NotKept


class Searcher(Protocol):
    """What a session needs of the thread that thinks."""

    def prepare(self, players: Iterable[PlayerConfig], spec: GameSpec) -> None:
        """Make players ready for their first move in such a game."""
        ...

    def submit(self, request: int, game: AnyGame, seat: Seat, seconds: float | None = None) -> None:
        """Ask for a move, within `seconds` where the game has a clock; cancels what was asked before."""
        ...

    def hurry(self) -> None:
        """The answer that was asked for is wanted now, as good as it is."""
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

    @property
    def is_busy(self) -> bool:
        """Whether news is to be expected."""
        ...
