"""What the window can be told beyond the commands of the session, and how a command finds its screen."""

from collections.abc import Callable, Mapping
from enum import Enum
from pathlib import Path
from typing import Any, ClassVar, Final, TypeAlias, TypeVar

from othello.config import Config, PlayerConfig
from othello.game import AnyGame
from othello.gui.toolkit.inputs import Compose, Key, Point, PointAt, PressAt, PressRight, Release, Scroll, Use
from othello.gui.toolkit.inputs import Input as WindowCommand
from othello.play.commands import SessionCommand
from othello.records.formats.sheet import Sheet
from othello.rules.protocol import Color, Move
from othello.search.report import Line


class EditBoard(WindowCommand):
    """Change all of the board that is edited."""

    change: str


class TakePosition(WindowCommand):
    """Leave the board's editor with its position, for a mode."""

    mode: str


class NextEngine(WindowCommand):
    """Let the next of the players that can do it analyse, or one before where `steps` is negative."""

    steps: int = 1


class NextSeconds(WindowCommand):
    """Give the analysis another time, likewise."""

    steps: int = 1


class SwitchScale(WindowCommand):
    """Show the game in discs, or in winning chances."""


class StepTree(WindowCommand):
    """Unfold the node beside the one that was unfolded last."""

    columns: int
    rows: int


class PressNode(WindowCommand):
    """A node of the tree was clicked."""

    line: Line  # the moves that lead there from the position that is looked at


class PressLine(WindowCommand):
    """The best line was clicked; `moves`: up to which of its moves."""

    moves: int


class VisitNode(WindowCommand):
    """Look at the position behind the node of the tree that was unfolded last."""


class StepLine(WindowCommand):
    """Play so many moves more of the best line out on the board."""

    steps: int


class HoldAnalysis(WindowCommand):
    """The analysis stands still, or goes on from there."""


class ShowWorst(WindowCommand):
    """Show the worst moves of both sides, or of the person alone."""

    of_both: bool


class VisitWorst(WindowCommand):
    """Analyse the position before one of the worst moves, the worst being 0."""

    index: int


class TryAgain(WindowCommand):
    """Train the positions of one's own mistakes."""


class ShowAnswer(WindowCommand):
    """Show the answer of an exercise."""


class Retry(WindowCommand):
    """Begin an exercise anew."""


class Learn(WindowCommand):
    """Put the moves of a game into the repertoire."""

    game: AnyGame
    color: Color  # the side that learns them


class Forget(WindowCommand):
    """Take a line out of the repertoire."""

    line: int  # its place among all lines
    is_certain: bool = False  # whether the person was asked


class Drill(WindowCommand):
    """Play the next line of the repertoire from memory, one in which something is due; any line where `is_free`."""

    is_free: bool = False


class EndDrill(WindowCommand):
    """See all lines of the repertoire again."""


class Practise(WindowCommand):
    """Once all exercises are through, go on with those that were missed, or with more that are due."""

    is_missed: bool


Method = TypeVar("Method", bound=Callable[..., Any])


class Pass(Enum):
    """What a screen answers to a command that is for somebody else."""

    PASS = "pass"


PASS: Final = Pass.PASS
Answer: TypeAlias = "object | Pass | None"
"""What follows from a command: another command, nothing, or PASS where the command is for somebody else."""

_MARK: Final = "_handles"


def handles(*commands: type) -> Callable[[Method], Method]:
    """Mark a method as what carries out commands of these types: it takes the command and the current time."""

    def mark(method: Method) -> Method:
        setattr(method, _MARK, commands)
        return method

    return mark


class Screen:
    """Something that commands find by their types."""

    _handlers: ClassVar[Mapping[type, str]] = {}

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        own = {each: name for name, member in vars(cls).items() for each in getattr(member, _MARK, ())}
        cls._handlers = {**cls._handlers, **own}

    def take(self, command: object, now: float) -> Answer:
        """Carry a command out."""
        name = self._handlers.get(type(command))
        return PASS if name is None else getattr(self, name)(command, now)


__all__ = ["Compose", "Key", "Point", "PointAt", "PressAt", "PressRight", "Release", "Scroll", "Use", "WindowCommand"]


class AddArchive(WindowCommand):
    """Read the games of files and folders into the store."""

    paths: tuple[Path, ...]


class StopReading(WindowCommand):
    """Read no further in the archives; what was read stays."""


class ShowOwn(WindowCommand):
    """Explore one's own games alone, or all again."""


class ShowAll(WindowCommand):
    """Explore all games again."""


class CompareGame(WindowCommand):
    """Show how a kept game goes on from the shown position, as a variation."""

    number: int


class Quit(WindowCommand):
    """Close the window."""

    is_certain: bool = False  # whether the person was asked


class Resize(WindowCommand):
    """The window has another size now, in real pixels."""

    size: Point


class Maximised(WindowCommand):
    """The window fills the screen now, or no longer."""

    is_so: bool


class ToggleFullScreen(WindowCommand):
    """Show nothing on the screen but this, or again the rest."""


class Redraw(WindowCommand):
    """The window was covered or hidden."""


class Open(WindowCommand):
    """Open a dialog over the board."""

    dialog: str


class OpenOver(WindowCommand):
    """Open a dialog over the one that is open, which is seen again afterwards."""

    dialog: Any


class OpenFile(WindowCommand):
    """Open the game in a file."""

    path: Path


class OpenOwn(WindowCommand):
    """Open a game of the person's own."""

    number: int


class ExportOwn(WindowCommand):
    """Save all games of the person's own."""

    path: Path  # the file or folder
    kind: str  # "each" for a folder with a file each, "game" for one file, else the name of another program's format


class OpenListed(WindowCommand):
    """Open one of the games of a file."""

    sheet: Sheet
    file: str  # its name


class SaveFile(WindowCommand):
    """Save the game."""

    path: Path  # the file
    # "game" for all of it, "moves" or "board" for its text, "picture" for what the board shows, "film" for all
    # positions one after the other, "config" for game and players, else the name of another program's format
    kind: str


class Copy(WindowCommand):
    """Copy the game's moves, or the position on the board, as text."""

    is_board: bool = False


class Paste(WindowCommand):
    """Open the game that the copied text tells of."""

    side: str = ""  # "black" or "white" to move, if the user was asked because the text does not say


class PressSquare(WindowCommand):
    """The board was clicked."""

    square: int | None  # which square; None: beside the squares
    move: Move | None  # which move that stands for, legal or not; None: none


class DragSquare(WindowCommand):
    """The mouse was moved over the board with its button held."""

    square: int | None


class PressSquareRight(WindowCommand):
    """The board was clicked with the right button."""

    square: int | None


class VisitLine(WindowCommand):
    """Look at the position behind a line of the game or of a variation."""

    line: Line


class AnnotateLine(WindowCommand):
    """Note something about that position."""

    line: Line


class ScrollMoves(WindowCommand):
    """See the list of moves from a row on."""

    first_row: int


class Murmur(WindowCommand):
    """Say behind what is said below the board how far something is that nobody waits for; empty: nothing is."""

    words: str


class Tell(WindowCommand):
    """Answer the person, for a moment; `is_good`: all went well."""

    words: str
    is_good: bool = True


class Refuse(WindowCommand):
    """Tell the person why something cannot be done, until that is read."""

    title: str
    reason: str


class ApplyPreferences(WindowCommand):
    """The preferences were changed."""


class CloseDialog(WindowCommand):
    """Close the dialog that is open."""


class SwitchMode(WindowCommand):
    """Put something else beside the board."""

    mode: str


class MoveCursor(WindowCommand):
    """Move the keyboard's cursor on the board."""

    columns: int
    rows: int


class PutCursor(WindowCommand):
    """Put the keyboard's cursor on a square."""

    square: Move


class NextLegal(WindowCommand):
    """Move the keyboard's cursor to the next legal square, or the one before it."""

    steps: int


class MoveFocus(WindowCommand):
    """Move the keyboard's focus to the next button or group of buttons, or the one before it."""

    steps: int
    by_group: bool = False


class Offer(WindowCommand):
    """Ask whether the game is to go on from the shown position with a move."""

    move: Move


class Confirm(WindowCommand):
    """Enter: play at the cursor, or go on after an announcement."""


class Type(WindowCommand):
    """One more letter or digit of a typed move."""

    letter: str


class Switch(Enum):
    """What a board can show or hide."""

    CAPTURES = "captures"  # how many pieces each legal move captures
    VALUES = "values"  # what the computer's search says of each move
    MOTION = "motion"  # pieces that turn over
    LEGAL = "legal"  # where one may play
    COORDINATES = "coordinates"
    LAST_MOVE = "last_move"


class Toggle(WindowCommand):
    """Show it or hide it. Captures go through none, those of the side to move, and those of both."""

    switch: Switch


class ToggleHelp(WindowCommand):
    """Show or hide the help."""


class Dismiss(WindowCommand):
    """Close what lies over the board, or return to the latest position."""


class Hint(WindowCommand):
    """Show the best move, or no longer."""


class AskToResign(WindowCommand):
    """The person wants to resign, and is asked first."""


class OfferDraw(WindowCommand):
    """The person offers a draw: a computer answers at once, a person is asked."""


class BeginGame(WindowCommand):
    """The person is ready for the next game of the tournament."""


class Stop(WindowCommand):
    """End the tournament here."""

    is_certain: bool = False  # whether the person was asked


class GoOn(WindowCommand):
    """Play what a stopped tournament has left, and more rounds if so many are named."""

    rounds: int = 0


class ListGames(WindowCommand):
    """List the games of a tournament, or those between two players."""

    players: tuple[str, ...] = ()  # the names of two players in the results


class StartTournament(WindowCommand):
    """Begin a tournament."""

    config: Config
    document: str = ""  # the text of a config file that is kept beside the results; empty: none


class ShowHall(WindowCommand):
    """Show the tournament that is on."""


class WatchGame(WindowCommand):
    """Show one of a tournament's games large; `board`: the place of its board."""

    board: int


class LookAtGame(WindowCommand):
    """Leave the tournament for the board, and analyse one of its games there."""

    game: AnyGame
    players: tuple[PlayerConfig, PlayerConfig]  # black and white


class OpenReport(WindowCommand):
    """Write a report about the games so far, and show it."""


class ShowComparison(WindowCommand):
    """Show another experiment's figures beside those of the tournament."""


Command: TypeAlias = SessionCommand | WindowCommand
