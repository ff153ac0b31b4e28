"""The commands of a session, which ignores those that do not apply."""

from collections.abc import Mapping
from typing import Any

from othello.config import PlayerConfig
from othello.frozen_dataclass import FrozenDataclass
from othello.game import AnyGame, GameTree
from othello.play.referee import Forfeit
from othello.rules.protocol import Color, GameSpec, Move
from othello.search.report import Line


class SessionCommand(FrozenDataclass):
    """Base of all commands of a session."""


class PlayMove(SessionCommand):
    """The user plays a move for the side to move."""

    move: Move


class NewGame(SessionCommand):
    """Start the next game."""

    players: tuple[PlayerConfig, PlayerConfig] | None = None  # black and white; None: the same
    game: GameSpec | None = None  # None: the game and rules of the last game
    openings: Mapping[str, int] | None = None  # opening files of all further games, with their weights; None: the same


class MeasureMoveTime(SessionCommand):
    """Measure the time that a computer player needs for a move, as soon as nothing is analysed."""

    player: PlayerConfig
    game: GameSpec


class OpenGame(SessionCommand):
    """Open a stored game, or a game from a position that was set up."""

    start: AnyGame | GameTree[Any]  # a line, or a tree of a session
    players: tuple[PlayerConfig, PlayerConfig] | None = None  # black and white; None: the current players
    seed: int | None = None  # of the game's random numbers; None: a new one
    opening_plies: int = 0  # number of opening moves that were not the players' choice
    forfeit: Forfeit | None = None  # the fault by which a side has lost
    date: str = ""  # start of the game, as 2026-01-31T18:30:00; empty: now
    waits: bool = False  # no computer moves before the user resumes the game or moves
    notices: tuple[str, ...] = ()  # player settings that this machine limits


class RestoreGame(SessionCommand):
    """Return to the game that `NewGame` set aside."""


class Undo(SessionCommand):
    """Return to the user's last move, or take one move back if only computers play; leave a new game.

    Edits since the last move (deleted lines, notes, another continuation) are taken back first, one by one.
    """


class Redo(SessionCommand):
    """Redo what `Undo` took back."""


class TogglePause(SessionCommand):
    """Pause or resume searches, clocks and analyses."""


class HoldAnalyses(SessionCommand):
    """Pause or resume the analyses, but not the game."""

    is_paused: bool


class StepMoves(SessionCommand):
    """Let the computer play one move and pause, or let a computer that has failed try again."""


class MoveNow(SessionCommand):
    """Let the computer play the best move found so far."""


class ChangePace(SessionCommand):
    """Make the computer move faster or slower."""

    steps: int  # positive: slower


class GoTo(SessionCommand):
    """Show the position after `ply` moves of the shown line."""

    ply: int


class Browse(SessionCommand):
    """Show the position `steps` plies later, or earlier if negative."""

    steps: int


class Visit(SessionCommand):
    """Show the position at the end of any line of the tree."""

    line: Line


class SwitchBranch(SessionCommand):
    """Show the next variation, or the previous one if `steps` is negative."""

    steps: int


class PlayVariation(SessionCommand):
    """Play moves from the shown position as a variation, and show the position after them."""

    moves: Line


class DeleteLine(SessionCommand):
    """Delete the shown variation from the shown position on."""


class PlayFromHere(SessionCommand):
    """Continue the game from the shown position; its former moves stay in the tree."""

    move: Move | None = None  # the user's move there; None: the user has not chosen yet


class Annotate(SessionCommand):
    """Set the note of a position."""

    note: str
    line: AnyGame | None = None  # None: the shown position


class ExpandLines(SessionCommand):
    """Let the analysis report the moves after some lines from the shown position."""

    lines: tuple[Line, ...]


class Analyse(SessionCommand):
    """Let a computer player analyse the shown position."""

    player: PlayerConfig | None  # None: stop the analysis


class AnalyseGame(SessionCommand):
    """Analyse all moves of the game that are not analysed yet, including those that were taken back last."""

    analyst: PlayerConfig | None = None  # the player that analyses; None: the default for this game


class StopAnalysing(SessionCommand):
    """Stop the analysis of the game."""


class SwapSides(SessionCommand):
    """Let the two players swap colours."""


class HandOver(SessionCommand):
    """Hand a side over from a computer to the user, or from the user to a computer."""

    color: Color
    player: PlayerConfig | None = None  # who continues; None: the user, or the side's last computer


class Resign(SessionCommand):
    """The user resigns; of two users, the side to move."""


class AgreeDraw(SessionCommand):
    """Both sides end the game in a draw."""


class Acknowledge(SessionCommand):
    """The user has read that a side must pass."""
