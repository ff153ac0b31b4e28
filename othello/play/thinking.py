"""Messages between a session and the worker threads in which computer players search."""

from typing import TypeAlias

from othello.config import PlayerConfig
from othello.errors import Reason
from othello.frozen import Frozen
from othello.game import AnyGame
from othello.rules.protocol import GameSpec
from othello.search.report import SearchReport


class Seat(Frozen):
    """A request for a move, or for preparing a player: its configuration, game, and seed for this game."""

    config: PlayerConfig
    spec: GameSpec
    seed: int


class Preparing(Frozen):
    """A player is being compiled or loaded."""

    player: str | None  # its name; None: all players are ready


class Started(Frozen):
    """The player has started to search."""

    at: float


class Progress(Frozen):
    """A snapshot of a running search."""

    report: SearchReport


class Answered(Frozen):
    """The final report of a search, with a legal move."""

    report: SearchReport
    at: float


class Failed(Frozen):
    """The player returned no move that can be played."""

    reason: Reason
    at: float
    is_forfeit: bool = False  # the player loses a tournament game by it; only external programs do


class Drawn(Frozen):
    """The opening that was requested."""

    game: AnyGame


class NotKept(Frozen):
    """A player could not save what it had learned."""

    reason: Reason


News: TypeAlias = Preparing | Started | Progress | Answered | Failed | Drawn | NotKept
