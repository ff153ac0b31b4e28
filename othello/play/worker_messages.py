"""Messages between a session and the worker threads in which computer players search."""

from typing import TypeAlias

from othello.config import PlayerConfig
from othello.errors import Reason
from othello.frozen_dataclass import FrozenDataclass
from othello.game import AnyGame
from othello.rules.protocol import GameSpec
from othello.search.report import SearchReport


class PlayerRequest(FrozenDataclass):
    """A request for a move, or for preparing a player: its configuration, game, and seed for this game."""

    config: PlayerConfig
    spec: GameSpec
    seed: int


class Preparing(FrozenDataclass):
    """A player is being compiled or loaded."""

    player: str | None  # its name; None: all players are ready


class Started(FrozenDataclass):
    """The player has started to search."""

    at: float


class SearchProgress(FrozenDataclass):
    """A snapshot of a running search."""

    report: SearchReport


class SearchAnswered(FrozenDataclass):
    """The final report of a search, with a legal move."""

    report: SearchReport
    at: float


class Failed(FrozenDataclass):
    """The player returned no move that can be played."""

    reason: Reason
    at: float
    is_forfeit: bool = False  # the player loses a tournament game by it; only external programs do


class Drawn(FrozenDataclass):
    """The opening that was requested."""

    game: AnyGame


class NotKept(FrozenDataclass):
    """A player could not save what it had learned."""

    reason: Reason


News: TypeAlias = Preparing | Started | SearchProgress | SearchAnswered | Failed | Drawn | NotKept
