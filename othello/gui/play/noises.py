"""What has happened that can be heard: found by comparing a game with what it was a moment ago."""

from __future__ import annotations

from dataclasses import dataclass

from othello.gui.faces.board import Flip
from othello.gui.play.cards import is_low
from othello.gui.play.looking import Looking
from othello.gui.preferences import Preferences
from othello.gui.sounds import Sound
from othello.play.history import Ended, History
from othello.play.session import Session


@dataclass(frozen=True, slots=True)
class _Heard:
    """What a sound may depend on.

    Attributes:
        game: the game, however far it is; only compared.
        ply: how far it is.
        flip: what turns over on the board.
        passes: whether a pass is announced.
        is_low: whether a person's clock is about to run out.
        loudness: of all sounds; None where they are switched off.
    """

    game: object
    ply: int
    flip: Flip | None
    passes: bool
    is_low: bool
    loudness: int | None


class Noises:
    """Listens to a session.

    Args:
        session: what is played.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._before: _Heard | None = None
        self._ended: History | None = None  # the game that has ended, until that is heard

    def between(self, events: list[Ended], looking: Looking, preferences: Preferences, now: float) -> tuple[Sound, ...]:
        """What is heard of all that has happened since the last call.

        Args:
            events: of the session.
            looking: how the person looks at the game.
            preferences: how loud the person wants sounds.
            now: the current time.
        """
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
        return tuple(self._heard(before, after, ends=ends)) if after.game is before.game else ()

    def _heard(self, before: _Heard, after: _Heard, *, ends: bool) -> list[Sound]:
        heard = []
        is_pass = self._session.game.rules.is_pass
        new = self._session.game.moves[before.ply : after.ply]
        if not all(map(is_pass, new)):
            heard.append(Sound.MOVE)
        if after.flip is not None and after.flip is not before.flip and after.flip.turns:
            heard.append(Sound.FLIP)
        if (after.passes or any(map(is_pass, new))) and not before.passes:
            heard.append(Sound.PASS)
        if ends:
            heard.append(Sound.END)
        if after.is_low and not before.is_low:
            heard.append(Sound.LOW_TIME)
        if after.loudness is not None and after.loudness != before.loudness:
            heard.append(Sound.MOVE)  # so loud is it now
        return heard
