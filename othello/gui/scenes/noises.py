"""What has happened that can be heard: found by comparing a game with what it was a moment ago."""

from __future__ import annotations

from dataclasses import dataclass

from othello.gui.faces.board import Flip
from othello.gui.preferences import Preferences
from othello.gui.scenes.picture import Picture
from othello.gui.scenes.view import View
from othello.gui.sounds import Sound
from othello.play.session import Session


@dataclass(frozen=True, slots=True)
class Moment:
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


def moment(session: Session, view: View, picture: Picture, preferences: Preferences) -> Moment:
    """What it is like now."""
    running, is_still = session.referee.clock.running, view.flip is None
    return Moment(
        session.history,
        session.game.ply,
        view.flip,
        session.announces_pass and is_still,
        any(card.is_low for card in picture.cards if card.color is running and session.seats[card.color].is_user),
        preferences.volume if preferences.sound else None,
    )


def between(before: Moment, after: Moment, session: Session, *, ends: bool = False) -> tuple[Sound, ...]:
    """What is heard when one follows the other.

    Args:
        before: what it was like.
        after: what it is like now.
        session: the game as it is now.
        ends: whether the game's end can be heard now.
    """
    if after.game is not before.game:
        return ()
    heard = []
    passes = session.game.rules.is_pass
    new = session.game.moves[before.ply : after.ply]
    if not all(map(passes, new)):
        heard.append(Sound.MOVE)
    if after.flip is not None and after.flip is not before.flip and after.flip.turns:
        heard.append(Sound.FLIP)
    if (after.passes or any(map(passes, new))) and not before.passes:
        heard.append(Sound.PASS)
    if ends:
        heard.append(Sound.END)
    if after.is_low and not before.is_low:
        heard.append(Sound.LOW_TIME)
    if after.loudness is not None and after.loudness != before.loudness:
        heard.append(Sound.MOVE)  # so loud is it now
    return tuple(heard)
