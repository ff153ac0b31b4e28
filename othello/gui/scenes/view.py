"""How a person looks at a game: what is switched on, pointed at, half typed, closed."""

from __future__ import annotations

from dataclasses import dataclass, field

from othello.game import AnyGame
from othello.gui.commands import Switch
from othello.gui.faces.board import Flip, Typed
from othello.gui.scenes.move_list import MoveList
from othello.play.session import Session
from othello.rules.protocol import Move
from othello.search.report import SearchReport


@dataclass(slots=True)
class View:
    """How somebody looks at a game.

    Attributes:
        shown: what is switched on.
        message: an answer to the person's last input, empty where none is needed.
        is_good: whether it says that all went well.
        cursor: the keyboard's square.
        typed: a move that is half typed.
        hover: the square under the mouse, where it could be played.
        moves: how far the list of moves is scrolled, and where the mouse is on it.
        flip: what is turning over.
        closed: the game whose result or failure was closed.
        hint: the search for the person's best move, None where no hint is shown.
    """

    shown: frozenset[Switch] = frozenset(Switch) - {Switch.VALUES}
    message: str = ""
    is_good: bool = False
    cursor: Move | None = None
    typed: Typed | None = None
    hover: Move | None = None
    moves: MoveList = field(default_factory=MoveList)
    flip: Flip | None = None
    closed: AnyGame | None = None
    hint: SearchReport | None = None

    def shows_result(self, session: Session) -> bool:
        return session.is_over and session.is_live and session.game is not self.closed and self.flip is None

    def shows_failure(self, session: Session) -> bool:
        return session.failure is not None and session.game is not self.closed
