"""A mode of the window: what stands beside the board, and what the board shows and means meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Final, NamedTuple

from othello.game import AnyGame
from othello.gui import commands as gui
from othello.gui import sentences, ui, wording
from othello.gui.commands import Answer, Screen, handles
from othello.gui.dialogs.dialog import Dialog
from othello.gui.faces.board import BoardPlace, BoardState
from othello.gui.play.board import BoardMark, Foot
from othello.gui.play.host import ModeHost
from othello.gui.preferences import PreferencesFile
from othello.play import commands as play
from othello.play.history import Ended
from othello.play.session import Session
from othello.rules.protocol import GameSpec, Move, Position

PLAY = "play"

_LOW: Final = 720  # windows below this height, in real pixels, have narrower gaps


class Mode(Screen):
    """What is beside the board, and what changes on the board meanwhile.

    A mode has methods for commands, marked by `handles`; what it has no method for is carried out as while playing.

    Args:
        table: the room with the board.
        now: the current time.
    """

    name: ClassVar[str]
    """Of its button in the mode switch."""

    part_of: ClassVar[str] = ""
    """The mode whose button in the mode switch stands for this one, too; empty where it has a button of its own."""

    shows_game: ClassVar[bool] = True
    """Whether what there is to tell of the game lies over the board."""

    fills_window: ClassVar[bool] = False
    """Whether the mode takes the place of the board, too."""

    has_switches: ClassVar[bool] = False
    """Whether the buttons below the board, which say what is shown there, mean anything."""

    ends_with_game: ClassVar[bool] = False
    """Whether a new game leads back to the mode Play."""

    holds_game: ClassVar[bool] = False
    """Whether a game that runs waits until another mode takes its place."""

    reads_status: ClassVar[bool] = True
    """Whether a screen reader reads the line below the board as soon as it changes."""

    def __init__(self, table: ModeHost, now: float) -> None:
        self.table, self.stage, self.person = table, table.stage, table.person
        self.session = table.session
        self._hold(now)
        self.enter(now)

    def _hold(self, now: float) -> None:
        """Let the game wait, where the mode holds it and it runs."""
        session = self.session
        is_running = session.allows(play.TogglePause) and not session.pace.paused and not session.referee.is_over
        self._holds = self.holds_game and is_running
        if self._holds:
            session.do(play.TogglePause(), now)

    @property
    def style(self) -> ui.Style:
        """Lengths, text and colours of the window."""
        return self.table.style

    @property
    def spec(self) -> GameSpec:
        """Which game the board is of."""
        return self.session.game.rules.spec

    @property
    def is_low(self) -> bool:
        """Whether the window has little room from top to bottom."""
        return self.table.window.height < _LOW

    @property
    def shown_position(self) -> Position:
        """What moves are chosen in, by mouse, cursor and letters."""
        return self.session.view.shown.position

    @property
    def named_game(self) -> AnyGame | None:
        """The moves that led to what the board shows, None where the board shows no game."""
        return self.session.view.shown

    def caption(self, pointed: Move | None) -> Sequence[str]:
        """What stands above the board: the named opening, and the one to which the move at mouse or cursor leads."""
        game = self.named_game
        return () if game is None else wording.openings(game, pointed)

    @property
    def is_over(self) -> bool:
        """Whether no move can be chosen any more."""
        return self.session.view.is_live and self.session.referee.is_over

    def square_at(self, place: BoardPlace, at: ui.Point) -> Move | None:
        """The square that is marked while the mouse is at a point of the board."""
        return self.table.face.move_at(place, at, self.shown_position)

    def choose(self, square: Move) -> object | None:
        """What a move means: in an earlier position a step to what was played there, else the offer to play on."""
        session, shown = self.session, self.session.view.shown
        can_move = session.awaits_person or not session.view.is_live
        if can_move and square not in shown.legal_moves():
            self.table.looking.typed = None
            return gui.Tell(self.table.face.why_not(shown.position, square, wording.move(shown, square)), is_good=False)
        if not session.view.is_live and not session.referee.job.is_rated:
            followed = (*shown.moves, square)
            is_known = session.history.tree.line.moves[: len(followed)] == followed
            return play.Explore((square,)) if is_known else gui.Offer(square)
        return play.PlayMove(square)

    def enabled(self) -> dict[str, bool]:
        """Which of the buttons that walk through the game can be pressed."""
        session, ply = self.session, self.session.view.shown.ply
        has_next = ply < session.view.listed.ply
        can_undo, can_redo = session.allows(play.Undo), session.allows(play.Redo)
        walks = {"first": ply > 0, "back": ply > 0, "forward": has_next, "last": has_next}
        return {**walks, "undo": can_undo, "redo": can_redo}

    def column(self, now: float) -> ui.Panel:
        """What stands beside the board; where a mode fills the window, all below the toolbar."""
        raise NotImplementedError

    def foot(self) -> Foot:
        """The buttons below what stands beside the board."""
        return (), ()

    def board(self, state: BoardState) -> BoardState:
        """What the board shows."""
        return state

    def marks(self) -> tuple[BoardMark, ...]:
        """What only this mode draws on the board."""
        return ()

    def beside_status(self) -> tuple[ui.Panel, ...]:
        """Buttons below the board, at its right."""
        return ()

    @property
    def shows_values(self) -> bool:
        """Whether the board shows what a search says of each move."""
        return self.person.preferences.value.shows_values

    def past(self) -> str | None:
        """What the board shows instead of the game's latest position; None: as while playing."""
        return None

    def status(self) -> str | None:
        """The line below the board; None: as while playing."""
        return None

    def aloud(self) -> str:
        """What is said before the line below the board to whoever does not see the board."""
        return sentences.own_move(self.session)

    def remark(self) -> str:
        """What is added to the line below the board."""
        return ""

    def hear(self, event: Ended) -> None:
        """Learn what has happened in the session."""

    def update(self, now: float) -> None:
        """Move on with time."""

    def changes(self) -> object:
        """What else differs where the mode looks different, beside what commands, the session and time change."""
        return None

    def next_wake(self, now: float) -> float | None:
        """When to update again without a command, None: any time will do."""
        return None

    def enter(self, now: float) -> None:
        """The mode takes the place of another."""

    def leave(self, now: float) -> None:
        """Another mode takes its place."""
        if self._holds and self.session.pace.paused:
            self.session.do(play.TogglePause(), now)


class Trying(Mode):
    """A mode in which moves are tried out, whoever is to move: the game stays as it is."""

    shows_game = False

    @handles(gui.PressSquare)
    def _press(self, command: gui.PressSquare, now: float) -> object | None:
        self.stage.leave()
        move = command.move
        return play.Explore((move,)) if move is not None and move in self.session.view.shown.legal_moves() else None

    @handles(play.PlayMove, gui.Offer)
    def _explore(self, command: play.PlayMove | gui.Offer, now: float) -> object:
        return play.Explore((command.move,))


class Aside(Mode):
    """A mode in which the game is not seen: what concerns the game means nothing there, and Esc leads back to it."""

    shows_game = False

    @handles(
        *(play.PlayMove, play.Acknowledge, play.GoTo, play.MoveNow, play.Step, play.SwapSides, play.HandOver),
        *(play.TogglePause, play.Undo, play.Redo, play.PlayFromHere, play.SwitchBranch, play.DeleteLine),
        *(gui.PlainCommand.ASK_TO_RESIGN, gui.PlainCommand.OFFER_DRAW, gui.PlainCommand.HINT, gui.NextLegal),
    )
    def _ignore(self, command: object, now: float) -> None:
        """The game is not seen."""

    @handles(gui.PlainCommand.DISMISS)
    def _dismiss(self, command: gui.PlainCommand, now: float) -> Answer:
        return gui.SwitchMode(PLAY)

    @property
    def named_game(self) -> AnyGame | None:
        return None

    def past(self) -> str | None:
        return ""


class Registry(NamedTuple):
    """The modes and dialogs of the window by their names."""

    create_mode: Callable[[str, ModeHost, float], Mode]
    create_dialog: Callable[[str, Session, PreferencesFile], Dialog | None]
