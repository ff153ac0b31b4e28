"""The looks of the buttons around a game that do not always look the same."""

from __future__ import annotations

from othello.gui.commands import Switch
from othello.gui.faces.face import Face
from othello.gui.scenes.hints import Hints
from othello.gui.scenes.view import View
from othello.gui.widgets import ButtonState
from othello.play.session import Session
from othello.play.turns import PACES
from othello.rules.protocol import Color


def button_states(session: Session, view: View, face: Face, hints: Hints) -> dict[str, ButtonState]:
    """Every such button by its name."""
    return {
        "slower": ButtonState(enabled=session.delay < PACES[-1]),
        "faster": ButtonState(enabled=session.delay > PACES[0]),
        **{switch.value: ButtonState(selected=switch in view.shown) for switch in Switch},
        "captures": ButtonState(face.has_captures, selected=face.has_captures and Switch.CAPTURES in view.shown),
        "first": ButtonState(enabled=session.shown_ply > 0),
        "back": ButtonState(enabled=session.shown_ply > 0),
        "forward": ButtonState(enabled=session.shown_ply < session.view.listed.ply),
        "last": ButtonState(enabled=session.shown_ply < session.view.listed.ply),
        "pause": ButtonState(session.can_pause, selected=session.paused, other=session.paused),
        "step": ButtonState(enabled=session.can_step),
        "move_now": ButtonState(enabled=session.can_hurry),
        "hint": ButtonState(hints.is_possible, selected=hints.is_running or view.hint is not None),
        "undo": ButtonState(enabled=session.can_undo),
        "redo": ButtonState(enabled=session.can_redo),
        "new": ButtonState(enabled=session.is_over or not session.is_rated),
        "hand_black": ButtonState(other=session.seats[Color.BLACK].is_user),
        "hand_white": ButtonState(other=session.seats[Color.WHITE].is_user),
    }


def turn_button(session: Session) -> str:
    """The button that fits whose turn it is."""
    if session.is_rated or session.is_between_computers:
        return "step"
    return "hint" if session.awaits_person or session.is_over else "move_now"
