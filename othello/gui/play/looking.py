"""How a person looks at a game, and what the person hears of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from othello.frozen import Frozen
from othello.game import AnyGame
from othello.gui.faces.board import FLIP_SECONDS, Flip, Typed
from othello.gui.faces.face import Face
from othello.gui.play.cards import is_low
from othello.gui.preferences import Preferences
from othello.gui.sounds import Sound
from othello.play.history import Ended, History
from othello.play.session import Session
from othello.play.view import BoardStep
from othello.rules.protocol import Move


class _Heard(Frozen):
    """What a sound may depend on."""

    game: object  # the game, however far it is; only compared
    ply: int  # how far it is
    flip: Flip | None  # what turns over on the board
    passes: bool  # whether a pass is announced
    is_low: bool  # whether a person's clock is about to run out
    loudness: int | None  # of all sounds; None where they are switched off


class Noises:
    """Listens to a session."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._before: _Heard | None = None
        self._ended: History | None = None  # the game that has ended, until that is heard

    def between(self, events: list[Ended], looking: Looking, preferences: Preferences, now: float) -> tuple[Sound, ...]:
        """What is heard of all that has happened since the last call."""
        session, is_still = self._session, looking.flip is None
        after = _Heard(
            session.history,
            session.game.ply,
            looking.flip,
            session.announces_pass and is_still,
            is_low(session, now),
            preferences.volume if preferences.sound else None,
        )
        before, self._before = self._before or after, after
        self._ended = events[-1].history if events else self._ended
        ends = self._ended is session.history and session.referee.is_over and is_still
        self._ended = None if is_still else self._ended
        if after.game is not before.game:
            return ()
        is_pass, new = session.game.rules.is_pass, session.game.moves[before.ply : after.ply]
        turns = after.flip is not None and after.flip is not before.flip and after.flip.turns
        told = (
            (Sound.MOVE, not all(map(is_pass, new))),
            (Sound.FLIP, turns),
            (Sound.PASS, (after.passes or any(map(is_pass, new))) and not before.passes),
            (Sound.END, ends),
            (Sound.LOW_TIME, after.is_low and not before.is_low),
            (Sound.MOVE, after.loudness is not None and after.loudness != before.loudness),  # so loud is it now
        )
        return tuple(sound for sound, is_heard in told if is_heard)


_MESSAGE_SECONDS: Final = 4.0


@dataclass(slots=True)
class Looking:
    """How somebody looks at a game."""

    message: str = ""  # an answer to the person's last input, empty where none is needed
    murmur: str = ""  # how far something is that nobody waits for
    message_ends: float = 0.0  # when the message has been there long enough
    is_good: bool = False  # whether the message says that all went well
    cursor: Move | None = None  # the keyboard's square
    typed: Typed | None = None  # a move that is half typed
    hover: Move | None = None  # the square under the mouse, where it could be played
    flip: Flip | None = None  # what is turning over
    closed: AnyGame | None = None  # the game whose result or failure was closed
    # A move that was clicked in an earlier position, with that position; None where nothing is offered.
    offer: tuple[AnyGame, Move] | None = None
    # From which row on the list of moves is seen; None: so that the shown move is in sight.
    first_row: int | None = None

    # Who has chosen the game, until a person moves in that game.
    introduction: tuple[History, str] | None = None

    def introduce(self, words: str, session: Session) -> None:
        """Say below the board who has chosen the game."""
        self.introduction = session.history, words

    def introduced(self, session: Session) -> str:
        """What is said of that now; empty where nothing is."""
        history, words = self.introduction or (None, "")
        return words if history is session.history and session.history.undo_ply is None else ""

    @property
    def chosen(self) -> Move | None:
        """The move that was typed, else the square of the cursor."""
        return self.cursor if self.typed is None or self.typed.move is None else self.typed.move

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

    def turn_over(self, step: BoardStep | None, now: float, face: Face, motion: str) -> None:
        """Animate a step on the board, unless `motion`, one of "full", "short" and "none", says otherwise."""
        seconds = FLIP_SECONDS / (2 if motion == "short" else 1)
        squares = () if step is None else face.moving(step.move, step.captured)
        self.flip = None
        if step is not None and squares and motion != "none":
            self.flip = Flip(squares, step.move, step.color, now, seconds)

    def shows_result(self, session: Session) -> bool:
        is_seen = session.view.is_live and session.game is not self.closed and self.flip is None
        return session.referee.is_over and is_seen

    def shows_failure(self, session: Session) -> bool:
        return session.worker.failure is not None and session.game is not self.closed

    def offered(self, session: Session) -> Move | None:
        """A move with which the game may go on from the shown position, None where none is offered."""
        if self.offer is None or session.view.is_live or self.offer[0].moves != session.view.shown.moves:
            return None
        return self.offer[1]
