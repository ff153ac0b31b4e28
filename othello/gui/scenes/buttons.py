"""What the person has switched on, and what the buttons of a game look like."""

from __future__ import annotations

from dataclasses import dataclass

from othello.gui.widgets import ButtonState
from othello.play.session import Session
from othello.play.turns import PACES
from othello.rules.protocol import Color


@dataclass(slots=True)
class Preferences:
    """What the person has switched on."""

    captures: bool = True
    values: bool = False
    motion: bool = True


def button_states(session: Session, preferences: Preferences) -> dict[str, ButtonState]:
    """The looks of the buttons that do not always look the same."""
    return {
        "slower": ButtonState(enabled=session.delay < PACES[-1]),
        "faster": ButtonState(enabled=session.delay > PACES[0]),
        "captures": ButtonState(selected=preferences.captures),
        "values": ButtonState(selected=preferences.values),
        "motion": ButtonState(selected=preferences.motion),
        "first": ButtonState(enabled=session.shown_ply > 0),
        "back": ButtonState(enabled=session.shown_ply > 0),
        "forward": ButtonState(enabled=not session.is_live),
        "last": ButtonState(enabled=not session.is_live),
        "pause": ButtonState(session.can_pause, selected=session.paused, other=session.paused),
        "step": ButtonState(enabled=session.can_step),
        "undo": ButtonState(enabled=session.can_undo),
        "redo": ButtonState(enabled=session.can_redo),
        "new": ButtonState(enabled=session.is_over or not session.is_rated),
        "hand_black": ButtonState(other=session.seats[Color.BLACK].is_user),
        "hand_white": ButtonState(other=session.seats[Color.WHITE].is_user),
    }
