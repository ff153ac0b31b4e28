"""The base classes of the modes of the game screen, such as Play and Analyse."""

from collections.abc import Sequence
from typing import ClassVar, Final

from othello.game import AnyGame
from othello.gui import commands as gui, labels, status_text, ui
from othello.gui.boards.board_layout import BoardLayout, BoardState
from othello.gui.commands import CommandHandler
from othello.gui.mode_registry import PLAY
from othello.gui.modes.mode_host import ModeHost
from othello.gui.widgets.board_widget import BoardMark, Footer
from othello.play import session_commands as cmd
from othello.rules.protocol import GameSpec, Move, Position, Square

_LOW: Final = 720  # windows below this height, in real pixels, have narrower gaps


class Mode(CommandHandler):
    """The side panel of the game screen, and its changes to the board.

    Commands without a method marked by `handles` are carried out as in the mode Play.
    """

    name: ClassVar[str]  # a key of `MODES`
    shows_game: ClassVar[bool] = True  # game notices (result, pass) are shown over the board
    fills_window: ClassVar[bool] = False  # the side panel takes the place of the board, too
    has_switches: ClassVar[bool] = False  # the buttons of the options of the board are shown
    ends_with_game: ClassVar[bool] = False  # a new game switches to the mode Play
    holds_game: ClassVar[bool] = False  # a running game is paused
    reads_status: ClassVar[bool] = True  # a screen reader reads every change of the status line

    def __init__(self, host: ModeHost, now: float) -> None:
        self.host, self.widgets, self.person = host, host.widgets, host.person
        self.session = host.session
        self._hold(now)
        self.enter(now)

    def _hold(self, now: float) -> None:
        """Pause a running game if the mode wants that."""
        session = self.session
        is_running = session.allows(cmd.TogglePause) and not session.pace.paused and not session.referee.is_over
        self._holds = self.holds_game and is_running
        if self._holds:
            session.do(cmd.TogglePause(), now)

    @property
    def style(self) -> ui.Style:
        """The style of the window."""
        return self.host.style

    @property
    def spec(self) -> GameSpec:
        """The game on the board."""
        return self.session.game.rules.spec

    @property
    def is_low(self) -> bool:
        """True if the window is low."""
        return self.host.window.height < _LOW

    @property
    def shown_position(self) -> Position:
        """The position in which the user picks a move."""
        return self.session.view.shown.position

    @property
    def named_game(self) -> AnyGame | None:
        """The line up to the shown position; None if the board shows no game."""
        return self.session.view.shown

    def caption(self, pointed: Move | None) -> Sequence[str]:
        """Return the texts above the board: the opening, and the one that the move `pointed` at leads to."""
        game = self.named_game
        return () if game is None else labels.openings(game, pointed)

    @property
    def is_over(self) -> bool:
        """True if no move can be chosen."""
        return self.session.view.is_at_latest and self.session.referee.is_over

    @property
    def takes_moves(self) -> bool:
        """True if the user can choose a move in the shown position."""
        return self.session.awaits_user or not self.session.view.is_at_latest

    def square_at(self, layout: BoardLayout, at: ui.Point) -> Square | None:
        """Return the square to be marked while the mouse is at a point of the board."""
        return self.host.renderer.square_at(layout, at, self.shown_position)

    @property
    def picked(self) -> tuple[Square, ...]:
        """The chosen first squares of a move, such as that of the piece to be moved."""
        return self.host.view_state.picked(self.shown_position)

    def point(self, square: Square) -> object | None:
        """Choose a square of a move, and return the command that follows.

        A square that completes a legal move plays it. A square with which several moves begin is picked, and its
        targets are marked. Any other square drops the picked one.
        """
        view_state, renderer = self.host.view_state, self.host.renderer
        position, picked = self.shown_position, self.picked
        view_state.typed = view_state.pick = None
        if not self.takes_moves:
            return None
        for squares in ((*picked, square), (square,)):
            moves = renderer.moves_on(position, squares)
            if moves and renderer.rules.squares_of(moves[0]) == squares:
                return self.choose(moves[0])
            if moves and square not in picked:
                view_state.pick = position, squares
                return None
        return None if picked else self.refuse(renderer.why_not(position, square))

    def refuse(self, words: str) -> object | None:
        """Report why a square was not chosen."""
        return gui.ShowMessage(words, is_success=False)

    def choose(self, move: Move) -> object | None:
        """Return the command that plays a chosen legal move.

        In an earlier position, step to a move that was played there, or offer to continue with another move.
        """
        session, shown = self.session, self.session.view.shown
        if not session.view.is_at_latest and not session.referee.job.is_rated:
            followed = (*shown.moves, move)
            if session.history.tree.line.moves[: len(followed)] == followed:
                return cmd.PlayVariation((move,))
            self.host.view_state.offer = shown, move
            return None
        return cmd.PlayMove(move)

    def enabled(self) -> dict[str, bool]:
        """Return whether each button for browsing and undo is enabled."""
        session, ply = self.session, self.session.view.shown.ply
        has_next = ply < session.view.listed.ply
        can_undo, can_redo = session.allows(cmd.Undo), session.allows(cmd.Redo)
        walks = {"first": ply > 0, "back": ply > 0, "forward": has_next, "last": has_next}
        return {**walks, "undo": can_undo, "redo": can_redo}

    def side_panel(self, now: float) -> ui.Widget:
        """Return the side panel, or everything below the toolbar if the mode fills the window."""
        raise NotImplementedError

    def footer(self) -> Footer:
        """Return the buttons below the side panel."""
        return (), ()

    def board(self, state: BoardState) -> BoardState:
        """Return the state of the board with the changes of this mode."""
        return state

    def marks(self) -> tuple[BoardMark, ...]:
        """Return the marks of this mode on the board."""
        return ()

    def status_buttons(self) -> tuple[ui.Widget, ...]:
        """Return the buttons at the right below the board."""
        return ()

    @property
    def shows_values(self) -> bool:
        """True if the board shows the value of each move."""
        return self.person.preferences.value.shows_values

    def history_label(self) -> str | None:
        """Return the label of a position other than the game's latest; None: as in the mode Play."""
        return None

    def status(self) -> str | None:
        """Return the status line; None: as in the mode Play."""
        return None

    def announcement(self) -> str:
        """Return a text that a screen reader says before the status line."""
        return status_text.own_move(self.session)

    def remark(self) -> str:
        """Return a text to add to the status line."""
        return ""

    def update(self, now: float) -> None:
        """Update the state of the mode."""

    def state_key(self) -> object:
        """Return a value that is equal if the mode looks the same; commands, session and time are excluded."""
        return None

    def next_wake(self, now: float) -> float | None:
        """Return the time of the next update that needs no input, or None."""
        return None

    def enter(self, now: float) -> None:
        """Start the mode."""

    def leave(self, now: float) -> None:
        """End the mode."""
        if self._holds and self.session.pace.paused:
            self.session.do(cmd.TogglePause(), now)


class VariationMode(Mode):
    """A mode in which moves are variations: the game does not change."""

    shows_game = False
    takes_moves = True

    @gui.handles(gui.PressSquare)
    def _press(self, command: gui.PressSquare, now: float) -> object | None:
        self.widgets.leave()
        return None if command.pointed is None else self.point(command.pointed)

    def choose(self, move: Move) -> object | None:
        return cmd.PlayVariation((move,))

    @gui.handles(gui.PlainCommand.HINT)
    def _hint(self, command: gui.PlainCommand, now: float) -> None:
        """Do nothing: the values of the moves are on display anyway."""


class BackgroundGameMode(Mode):
    """A mode that hides the game and ignores its commands; Esc returns to the game."""

    shows_game = False

    @gui.handles(
        *(cmd.Acknowledge, cmd.GoTo, cmd.MoveNow, cmd.StepMoves, cmd.SwapSides, cmd.HandOver),
        *(cmd.TogglePause, cmd.Undo, cmd.Redo, cmd.PlayFromHere, cmd.SwitchBranch, cmd.DeleteLine),
        *(gui.PlainCommand.ASK_TO_RESIGN, gui.PlainCommand.OFFER_DRAW, gui.PlainCommand.HINT, gui.NextLegal),
    )
    def _ignore(self, command: object, now: float) -> None:
        """Ignore commands of the hidden game."""

    @gui.handles(gui.PlainCommand.DISMISS)
    def _dismiss(self, command: gui.PlainCommand, now: float) -> gui.Answer:
        return gui.SwitchMode(PLAY)

    @property
    def named_game(self) -> AnyGame | None:
        return None

    def history_label(self) -> str | None:
        return ""
