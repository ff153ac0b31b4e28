"""The common part of training exercises and training openings."""

from dataclasses import replace
from typing import Any

from othello.game import AnyGame
from othello.gui import commands as gui
from othello.gui.boards.board_layout import BoardState
from othello.gui.mode_registry import PLAY
from othello.gui.modes.mode import BackgroundGameMode


class TrainingMode(BackgroundGameMode):
    """A mode in which the user answers questions on a board of the mode."""

    holds_game = True
    ends_with_game = True
    _message = ""  # about the latest answer

    @property
    def takes_moves(self) -> bool:
        return not self.is_over

    def refuse(self, words: str) -> None:
        self._message = words

    @property
    def _way_back(self) -> object:
        """The command of Esc if nothing is chosen or previewed; None: there is something to take back."""
        return gui.SwitchMode(PLAY)

    def _take_back(self) -> None:
        """Remove the chosen move and the preview."""
        self.host.view_state.drop_choice()

    @gui.handles(gui.PressSquare)
    def _press(self, command: gui.PressSquare, now: float) -> None:
        self.host.view_state.cursor = None
        if self.is_over:
            self._take_back()
        elif command.pointed is not None:
            self.point(command.pointed)

    @gui.handles(gui.MoveCursor, gui.Type)
    def _move_or_type(self, command: object, now: float) -> gui.Answer:
        return None if self.is_over else gui.NOT_HANDLED

    @gui.handles(gui.PlainCommand.DISMISS)
    def _dismiss(self, command: gui.PlainCommand, now: float) -> gui.Answer:
        if self.widgets.focus:
            return gui.NOT_HANDLED
        view_state = self.host.view_state
        has_choice = view_state.typed is not None or view_state.cursor is not None or bool(self.picked)
        way_back = None if has_choice else self._way_back
        self._take_back()
        return way_back

    @gui.handles(gui.NextLegal)
    def _next_legal(self, command: gui.NextLegal, now: float) -> gui.Answer:
        return gui.NOT_HANDLED

    def _board_of(self, state: BoardState, game: AnyGame, **changes: Any) -> BoardState:
        """Return the state of the board for a question."""
        chosen: dict[str, Any] = dict.fromkeys(("cursor", "hover") if self.is_over else ())
        return replace(state, position=game.position, last_move=game.last_move, flip=None, **chosen, **changes)
