"""View state of the game screen, and the sounds of a game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from othello.frozen_dataclass import FrozenDataclass
from othello.game import AnyGame
from othello.gui.boards.board_layout import FLIP_SECONDS, FlipAnimation, TypedMove
from othello.gui.boards.renderer import BoardRenderer
from othello.gui.preferences import Preferences
from othello.gui.sounds import Sound
from othello.gui.widgets.side_cards import is_low
from othello.play.board_view import BoardStep
from othello.play.history import History
from othello.play.session import Session
from othello.rules.protocol import Move, Position, Square


class _SoundState(FrozenDataclass):
    """The state that sounds depend on."""

    game: object  # only compared
    ply: int  # length of the game
    flip: FlipAnimation | None  # the running animation
    passes: bool  # a pass is announced
    is_low: bool  # a user's clock is running out
    loudness: int | None  # volume in per cent; None: no sound


class SoundCues:
    """Finds the sounds of a session."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._before: _SoundState | None = None
        self._ended: History | None = None  # the ended game, until its sound is played

    def between(
        self, ended: list[History], view_state: BoardViewState, preferences: Preferences, now: float
    ) -> tuple[Sound, ...]:
        """Return the sounds for the events since the last call."""
        session, is_still = self._session, view_state.flip is None
        passes, loudness = session.announces_pass and is_still, preferences.volume if preferences.sound else None
        clock_is_low = is_low(session, now)
        after = _SoundState(session.history, session.game.ply, view_state.flip, passes, clock_is_low, loudness)
        before, self._before = self._before or after, after
        self._ended = [self._ended, *ended][-1]
        ends = self._ended is session.history and session.referee.is_over and is_still
        self._ended = None if is_still else self._ended
        if after.game is not before.game:
            return ()
        is_pass, new = session.game.rules.is_pass, session.game.moves[before.ply : after.ply]
        turns = after.flip is not None and after.flip is not before.flip and after.flip.turns
        cues = (
            (Sound.MOVE, not all(map(is_pass, new))),
            (Sound.FLIP, turns),
            (Sound.PASS, (after.passes or any(map(is_pass, new))) and not before.passes),
            (Sound.END, ends),
            (Sound.LOW_TIME, after.is_low and not before.is_low),
            (Sound.MOVE, after.loudness not in (None, before.loudness)),  # a new volume
        )
        return tuple(sound for sound, is_heard in cues if is_heard)


_MESSAGE_SECONDS: Final = 4.0


@dataclass(slots=True)
class BoardViewState:
    """View state of the game screen: everything on display that is not part of the game.

    Times are in seconds of the event loop's clock.
    """

    message: str = ""  # reply to the last input
    background_status: str = ""  # progress of background work
    message_ends: float = 0.0  # when the message disappears
    is_success: bool = False  # the message reports a success
    cursor: Square | None = None  # square selected with the keyboard
    pick: tuple[Position, tuple[Square, ...]] | None = None  # a position, and the chosen first squares of a move
    typed: TypedMove | None = None  # the typed part of a square
    hover: Square | None = None  # the square under the mouse, if it can be chosen
    flip: FlipAnimation | None = None  # the running animation
    closed: AnyGame | None = None  # game whose result or error was closed
    offer: tuple[AnyGame, Move] | None = None  # an earlier position, and the move clicked in it
    first_row: int | None = None  # first visible row of the list of moves; None: the shown move is visible
    introduction: tuple[History, str] | None = None  # a game, and how it was chosen; shown until a user moves

    def introduce(self, words: str, session: Session) -> None:
        """Show in the status line how the game was chosen."""
        self.introduction = session.history, words

    def introduced(self, session: Session) -> str:
        """Return how the game was chosen, or an empty string after the first move of a user."""
        history, words = self.introduction or (None, "")
        return words if history is session.history and session.history.undo_ply is None else ""

    @property
    def chosen(self) -> Square | None:
        """The typed square, or that of the cursor."""
        return self.cursor if self.typed is None or self.typed.square is None else self.typed.square

    def picked(self, position: Position) -> tuple[Square, ...]:
        """Return the squares of a move that were chosen in a position."""
        return self.pick[1] if self.pick is not None and self.pick[0] == position else ()

    def drop_choice(self) -> None:
        """End the animation, and remove the picked piece, the typed square and the cursor."""
        self.flip = self.pick = self.typed = self.cursor = None

    def show_message(self, words: str, now: float, *, is_success: bool) -> None:
        """Show a message for a few seconds."""
        self.message, self.is_success, self.message_ends = words, is_success, now + _MESSAGE_SECONDS

    def update(self, now: float, *, is_over: bool) -> None:
        """Remove an expired message, a finished animation, and a half-typed move if the game is over."""
        if now >= self.message_ends:
            self.message = ""
        if is_over:
            self.typed = None
        if self.flip is not None and self.flip.is_over(now):
            self.flip = None

    def turn_over(self, step: BoardStep | None, now: float, renderer: BoardRenderer, motion: str) -> None:
        """Animate a step on the board, unless `motion`, one of "full", "short" and "none", says otherwise."""
        seconds = FLIP_SECONDS / (2 if motion == "short" else 1)
        squares = () if step is None else renderer.moving(step.move, step.captured)
        self.flip = None
        if step is not None and squares and motion != "none":
            path = renderer.rules.squares_of(step.move)
            self.flip = FlipAnimation(squares, path, step.color, now, seconds)

    def shows_result(self, session: Session) -> bool:
        """Return whether the result of the game is shown."""
        is_seen = session.view.is_at_latest and session.game is not self.closed and self.flip is None
        return session.referee.is_over and is_seen

    def shows_failure(self, session: Session) -> bool:
        """Return whether the error of a player is shown."""
        return session.worker.failure is not None and session.game is not self.closed

    def offered(self, session: Session) -> Move | None:
        """Return the offered move of the shown position, or None."""
        if self.offer is None or session.view.is_at_latest or self.offer[0].moves != session.view.shown.moves:
            return None
        return self.offer[1]
