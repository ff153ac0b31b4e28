"""How a person looks at a game: what is switched on, pointed at, half typed, closed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from othello.game import AnyGame
from othello.gui.commands import Switch
from othello.gui.faces.board import FLIP_SECONDS, Flip, Typed
from othello.gui.faces.face import Face
from othello.play.session import Session
from othello.play.view import BoardStep
from othello.rules.protocol import Move
from othello.search.report import SearchReport

_MESSAGE_SECONDS: Final = 4.0


@dataclass(slots=True)
class Looking:
    """How somebody looks at a game.

    Attributes:
        shown: what is switched on.
        message: an answer to the person's last input, empty where none is needed.
        message_ends: when the message has been there long enough.
        is_good: whether the message says that all went well.
        cursor: the keyboard's square.
        typed: a move that is half typed.
        hover: the square under the mouse, where it could be played.
        flip: what is turning over.
        closed: the game whose result or failure was closed.
        offer: a move that was clicked in an earlier position, with that position; None where nothing is offered.
        hint: the search for the person's best move, None where no hint is shown.
        first_row: from which row on the list of moves is seen; None: so that the shown move is in sight.
    """

    shown: frozenset[Switch] = frozenset(Switch) - {Switch.VALUES}
    message: str = ""
    message_ends: float = 0.0
    is_good: bool = False
    cursor: Move | None = None
    typed: Typed | None = None
    hover: Move | None = None
    flip: Flip | None = None
    closed: AnyGame | None = None
    offer: tuple[AnyGame, Move] | None = None
    hint: SearchReport | None = None
    first_row: int | None = None

    def tell(self, words: str, now: float, *, is_good: bool) -> None:
        """Answer the person, for a moment."""
        self.message, self.is_good, self.message_ends = words, is_good, now + _MESSAGE_SECONDS

    def pass_time(self, now: float, *, is_over: bool) -> None:
        """Drop what is out of date; `is_over`: nothing can be played any more."""
        if now >= self.message_ends:
            self.message = ""
        if is_over:
            self.typed = None
        if self.flip is not None and self.flip.is_over(now):
            self.flip = None

    def turn_over(self, step: BoardStep | None, now: float, face: Face, *, is_short: bool) -> None:
        """Begin to move what a step moves on the board, where the person wants to see that."""
        seconds = FLIP_SECONDS / (2 if is_short else 1)
        squares = () if step is None else face.moving(step.move, step.captured)
        self.flip = None
        if step is not None and squares and Switch.MOTION in self.shown:
            self.flip = Flip(squares, step.move, step.color, now, seconds)

    def shows_result(self, session: Session) -> bool:
        is_seen = session.view.is_live and session.game is not self.closed and self.flip is None
        return session.referee.is_over and is_seen

    def shows_failure(self, session: Session) -> bool:
        return session.thinking.failure is not None and session.game is not self.closed

    def offered(self, session: Session) -> Move | None:
        """A move with which the game may go on from the shown position, None where none is offered."""
        if self.offer is None or session.view.is_live or self.offer[0].moves != session.view.shown.moves:
            return None
        return self.offer[1]
