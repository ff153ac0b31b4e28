"""What a session can be told to do. Each command is checked when it arrives; one that does not apply is ignored."""

from collections.abc import Mapping
from typing import Any

from othello.config import PlayerConfig
from othello.frozen import Frozen
from othello.game import AnyGame, GameTree
from othello.play.referee import Forfeit
from othello.rules.protocol import Color, GameSpec, Move
from othello.search.report import Line


class SessionCommand(Frozen):
    """Whatever `Session.do` understands."""


class PlayMove(SessionCommand):
    """The person at the window plays a move for the side to move."""

    move: Move


class NewGame(SessionCommand):
    """Start the next game, with the same players where no others are named."""

    players: tuple[PlayerConfig, PlayerConfig] | None = None  # black and white
    game: GameSpec | None = None
    openings: Mapping[str, int] | None = None  # of all games from now on, with their weights; None: as before


class Try(SessionCommand):
    """Find out what a move of a computer player costs on this machine, while nothing is analysed."""

    player: PlayerConfig
    game: GameSpec


class OpenGame(SessionCommand):
    """Put a game on the table that was kept, or begins with a position that was set up."""

    start: AnyGame | GameTree[Any]  # a line, or a tree of a session's moments
    players: tuple[PlayerConfig, PlayerConfig] | None = None  # black and white; None: who sits there now
    seed: int | None = None  # of the game, None where it has none yet
    opening_plies: int = 0  # how many of its moves were made for the players
    forfeit: Forfeit | None = None  # how a side has lost by a fault, None where neither has
    date: str = ""  # when it began, as 2026-01-31T18:30:00; empty: now
    waits: bool = False  # whether a computer moves only after the user has resumed the game, or has moved
    notices: tuple[str, ...] = ()  # settings of the players that this machine limits


class RestoreGame(SessionCommand):
    """Back to the game that `NewGame` put aside."""


class Undo(SessionCommand):
    """Back to a person's last decision, or by one move where only computers play; from a new game to the one before.

    What was deleted, noted or continued elsewhere since the last move is taken back first, one after the other.
    """


class Redo(SessionCommand):
    """Forward again, as far as `Undo` would go back."""


class TogglePause(SessionCommand):
    """Searches and clocks stand still, or go on from there; those of `HoldAnalyses` too."""


class HoldAnalyses(SessionCommand):
    """The searches that nobody's move waits for stand still, or go on from there; the game is not concerned."""

    is_held: bool


class Cover(SessionCommand):
    """The game cannot be seen, and stands still until it can. One that counts goes on."""

    is_covered: bool


class Step(SessionCommand):
    """Let the computer make one move, then hold; or let a computer that failed try again."""


class MoveNow(SessionCommand):
    """The computer plays the best move that it has found so far."""


class ChangePace(SessionCommand):
    """Make the computer's moves follow each other faster or slower."""

    steps: int  # positive: slower


class SetPace(SessionCommand):
    """So many seconds at least from one move of a computer to the next."""

    seconds: float


class GoTo(SessionCommand):
    """Look at the position after `ply` moves of the line that is looked at."""

    ply: int


class Browse(SessionCommand):
    """Look `steps` plies further on, or back where negative."""

    steps: int


class Visit(SessionCommand):
    """Show the position at the end of any line of the tree."""

    line: Line


class SwitchBranch(SessionCommand):
    """Look at another move that was tried instead: the next one, or the one before where `steps` is negative."""

    steps: int


class Explore(SessionCommand):
    """Try moves from the position that is looked at, and look at what follows; the game stays as it is."""

    moves: Line


class DeleteLine(SessionCommand):
    """Forget the position that is looked at, with all that follows, where it is not of the game."""


class PlayFromHere(SessionCommand):
    """The game goes on from the position that is looked at; the moves that it had stay in the tree."""

    move: Move | None = None  # what a person plays there, None where the person has yet to choose


class Annotate(SessionCommand):
    """Note something about a position."""

    note: str
    line: AnyGame | None = None  # None: the position that is looked at


class LookInto(SessionCommand):
    """Let the analysis tell what it knows of the moves after some lines from the position that is looked at."""

    lines: tuple[Line, ...]


class Analyse(SessionCommand):
    """Have a computer player search whatever position is looked at; None: no more."""

    player: PlayerConfig | None


class AnalyseGame(SessionCommand):
    """Judge every move of the game, with those that were taken back last, as far as that has not been done."""

    judge: PlayerConfig | None = None  # None: whoever judges such games usually


class StopAnalysing(SessionCommand):
    """Leave the rest of it for another time."""


class SwapSides(SessionCommand):
    """The two players change colours in the middle of the game."""


class HandOver(SessionCommand):
    """A person takes the side over from a computer player, or gives it back to one."""

    color: Color
    player: PlayerConfig | None = None  # who plays on; None: a person, or who played before


class Resign(SessionCommand):
    """The person gives the game up; of two persons the one to move."""


class AgreeDraw(SessionCommand):
    """Both sides end the game in a draw."""


class Acknowledge(SessionCommand):
    """The announced pass was read; go on."""
