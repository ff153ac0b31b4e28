"""Commands of the window beyond those of the session, and how a command finds its handler.

A command that one module issues and handles is defined there.
"""

from collections.abc import Callable, Mapping
from enum import Enum, auto
from pathlib import Path
from typing import Any, ClassVar, Final, TypeAlias, TypeVar

from othello.config import Config, PlayerConfig
from othello.game import AnyGame
from othello.gui.toolkit.inputs import Input, Point
from othello.play.session_commands import SessionCommand
from othello.records.formats.parsed_game import ParsedGame
from othello.rules.protocol import Color, Square

Method = TypeVar("Method", bound=Callable[..., Any])


class NotHandled(Enum):
    """The answer of a handler that leaves a command to the next handler."""

    NOT_HANDLED = "pass"


NOT_HANDLED: Final = NotHandled.NOT_HANDLED
# The command that follows from a command, None if none does, or NOT_HANDLED if another handler has to carry it out.
Answer: TypeAlias = "object | NotHandled | None"

_MARK: Final = "_handles"


def handles(*commands: object) -> Callable[[Method], Method]:
    """Mark a method as the handler of commands: of all of a type, or of a member of `PlainCommand`.

    The method takes the command and the current time in seconds, and returns an `Answer`.
    """

    def mark(method: Method) -> Method:
        setattr(method, _MARK, commands)
        return method

    return mark


class CommandHandler:
    """Base of everything that carries out commands by methods marked with `handles`."""

    _handlers: ClassVar[Mapping[object, str]] = {}

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        handlers = {command: name for name, member in vars(cls).items() for command in getattr(member, _MARK, ())}
        cls._handlers = {**cls._handlers, **handlers}

    def take(self, command: object, now: float) -> Answer:
        """Carry out `command`, or return NOT_HANDLED if no method handles it."""
        key: object = command if isinstance(command, PlainCommand) else type(command)
        name = self._handlers.get(key)
        return NOT_HANDLED if name is None else getattr(self, name)(command, now)


class PlainCommand(Enum):
    """Commands without parameters."""

    # The window
    CLOSE_DIALOG = auto()
    APPLY_PREFERENCES = auto()  # the preferences have changed
    REDRAW = auto()  # the window was covered or hidden
    TOGGLE_FULL_SCREEN = auto()
    TOGGLE_HELP = auto()

    # The game
    CONFIRM = auto()  # Enter: play at the cursor, or continue after an announcement
    DISMISS = auto()  # Esc: close what lies over the board, or return to the latest position
    HINT = auto()  # show the best move, or hide it
    ASK_TO_RESIGN = auto()  # ask the user to confirm the resignation
    OFFER_DRAW = auto()  # a computer answers at once, another user is asked

    # Analysis
    SWITCH_SCALE = auto()  # show the game in discs or in winning chances
    VISIT_NODE = auto()  # show the position of the node that was expanded last
    HOLD_ANALYSIS = auto()  # pause or resume the analysis

    # Exercises and openings
    TRY_AGAIN = auto()  # train the user's own mistakes
    SHOW_ANSWER = auto()
    RETRY = auto()  # restart the exercise
    END_TRAINING_RUN = auto()  # show all lines of the repertoire again

    # The archive
    STOP_READING = auto()  # keep the games that were read
    FILTER_OWN_GAMES = auto()  # explore only the user's own games, or all games again
    CLEAR_FILTERS = auto()  # remove all filters

    # Tournaments
    BEGIN_GAME = auto()  # start the user's next game
    SHOW_STANDINGS = auto()
    OPEN_REPORT = auto()  # write a report of the games so far and open it
    SHOW_COMPARISON = auto()  # show the results of another experiment beside those of the tournament


# The window.


class Quit(Input):
    """Close the window."""

    confirmed: bool = False  # the user has confirmed


class Resize(Input):
    """The window has a new size, in real pixels."""

    size: Point


class WindowMaximised(Input):
    """The window was maximised or restored."""

    maximised: bool


class Open(Input):
    """Open a dialog by its name."""

    dialog: str


class PushDialog(Input):
    """Open a dialog over the open one, which is shown again afterwards."""

    dialog: Any


class Call(Input):
    """Call a function, for buttons with one meaning; it returns the command that follows, or None."""

    function: Callable[..., object | None]
    arguments: tuple[object, ...] = ()


class SwitchMode(Input):
    """Show another mode beside the board."""

    mode: str


class Toggle(Input):
    """Switch an option of the board on or off.

    Captures have three states: none, those of the side to move, and those of both sides.
    """

    option: str  # name of the preference


class MoveFocus(Input):
    """Move the keyboard focus to the next button or group of buttons, or to the previous one."""

    steps: int
    by_group: bool = False


class ShowMessage(Input):
    """Show a message below the board for a few seconds."""

    words: str
    is_success: bool = True  # the message reports a success


class ShowError(Input):
    """Show an error in a dialog."""

    title: str
    reason: str


# The board.


class PressSquare(Input):
    """The board was clicked."""

    square: int | None  # None: beside the squares
    pointed: Square | None  # the square that the click means as a choice of a move, such as that of a falling disc


class DragSquare(Input):
    """The mouse was moved over the board with its button held."""

    square: int | None


class PressSquareRight(Input):
    """The board was clicked with the right button."""

    square: int | None


class MoveCursor(Input):
    """Move the keyboard cursor on the board."""

    columns: int
    rows: int


class PutCursor(Input):
    """Put the keyboard cursor on a square."""

    square: Square


class NextLegal(Input):
    """Move the keyboard cursor to the next legal square, or to the previous one."""

    steps: int


class Type(Input):
    """Add a letter or digit to the typed move."""

    letter: str


# Files.


class OpenFile(Input):
    """Open the game in a file."""

    path: Path


class OpenOwn(Input):
    """Open one of the user's own games."""

    number: int


class OpenListed(Input):
    """Open one of the games of a file."""

    parsed: ParsedGame
    file: str  # its name
    is_pasted: bool  # the games come from the clipboard


class SaveFile(Input):
    """Save the game."""

    path: Path
    # "game" for a file of this program, "moves" or "board" for text, "picture" for the shown board, "film" for an
    # animation of all positions, "config" for game and players, else the name of another program's format
    kind: str


class ExportOwn(Input):
    """Save all of the user's own games."""

    path: Path  # the file or folder
    kind: str  # "each" for a folder with a file each, "game" for one file, else the name of another program's format


class Copy(Input):
    """Copy the game's moves, or the position on the board, as text."""

    is_board: bool = False


class Paste(Input):
    """Open the game in the copied text."""

    side: str = ""  # "black" or "white" to move, if the user was asked because the text does not say


class AddArchive(Input):
    """Read the games of files and folders into the store."""

    paths: tuple[Path, ...]


# The editor and exercises.


class EditBoard(Input):
    """Change the whole board in the editor."""

    change: str


class TakePosition(Input):
    """Leave the editor or the exercise, and open its position in another mode."""

    mode: str


class Learn(Input):
    """Add the moves of a game to the repertoire."""

    game: AnyGame
    color: Color  # the side that learns them


class StartTrainingRun(Input):
    """Play the next line of the repertoire that is due from memory; any line if `is_free`."""

    is_free: bool = False


class Practise(Input):
    """After the last exercise, continue with those that were missed, or with more that are due."""

    is_missed: bool


# Analysis.


class NextEngine(Input):
    """Analyse with the next player."""


class NextSeconds(Input):
    """Analyse for the next longer time."""


class StepTree(Input):
    """Select the neighbour of the selected node of the search tree."""

    columns: int
    rows: int


class StepLine(Input):
    """Play more moves of the best line on the board."""

    steps: int


class ShowWorst(Input):
    """Show the worst moves of both sides, or only of the user."""

    of_both: bool


# Tournaments.


class StartTournament(Input):
    """Start a tournament."""

    config: Config
    document: str = ""  # the text of a config file that is stored beside the results; empty: none


class ResumeTournament(Input):
    """Play the remaining games of a stopped tournament, and more rounds."""

    rounds: int = 0


class Stop(Input):
    """Stop the tournament."""

    confirmed: bool = False  # the user has confirmed


class ListGames(Input):
    """List the games of a tournament, or those between two players."""

    players: tuple[str, ...] = ()  # the names of two players in the results; empty: all


class AnalyseTournamentGame(Input):
    """Leave the tournament, and analyse one of its games on the board."""

    game: AnyGame
    players: tuple[PlayerConfig, PlayerConfig]  # black and white


Command: TypeAlias = SessionCommand | Input | PlainCommand


def is_for_all_screens(command: object) -> bool:
    """Return whether also screens that are not shown have to carry out a command."""
    return isinstance(command, Resize | WindowMaximised) or command is PlainCommand.APPLY_PREFERENCES
