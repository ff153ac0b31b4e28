"""The buttons around a game: where they are, and the looks of those that do not always look the same."""

from __future__ import annotations

from collections.abc import Mapping

from pygame import Rect

from othello.gui.commands import Switch
from othello.gui.faces.face import Face
from othello.gui.layout import Layout
from othello.gui.play.hints import Hints
from othello.gui.scenes.mode import PLAY, Mode
from othello.gui.scenes.view import View
from othello.gui.views import panels
from othello.gui.widgets import ButtonState
from othello.play import commands as play
from othello.play.pace import PACES
from othello.play.session import Session
from othello.rules.protocol import Color


def button_places(layout: Layout, session: Session, mode: Mode | None) -> dict[str, Rect]:
    """Where all buttons lie, but for those over the board; `mode` is what stands beside it, None while playing."""
    if mode is None:
        return {**layout.fixed, **layout.controls, turn_button(session): layout.turn}
    return {**layout.fixed, **mode.buttons(layout)}


def places_over(layout: Layout, session: Session, view: View, mode: Mode | None) -> tuple[dict[str, Rect], Rect | None]:
    """The buttons of what lies over the window, and what that covers, None where nothing does."""
    if (mode is None or mode.shows_game) and view.offered(session) is not None:
        return panels.offer_buttons(layout), panels.offer_rect(layout)
    if mode is None and view.shows_result(session):
        return panels.result_buttons(layout), panels.result_rect(layout)
    is_told = mode is None and (session.announces_pass or view.shows_failure(session))
    return {}, panels.ground(layout) if is_told else None


def seen_places(layout: Layout, places: Mapping[str, Rect], cover: Rect | None = None) -> dict[str, Rect]:
    """Those of the buttons that are neither scrolled away nor covered."""
    seen = layout.seen(places)
    return {name: rect for name, rect in seen.items() if cover is None or not cover.colliderect(rect)}


def button_states(session: Session, view: View, face: Face, hints: Hints, mode: Mode | None) -> dict[str, ButtonState]:
    """The looks of every button that does not always look the same, by its name."""
    end = session.view.listed.ply
    return {
        PLAY if mode is None else mode.name: ButtonState(selected=True),
        "slower": ButtonState(enabled=session.pace.delay < PACES[-1]),
        "faster": ButtonState(enabled=session.pace.delay > PACES[0]),
        **{switch.value: ButtonState(selected=switch in view.shown) for switch in Switch},
        "captures": ButtonState(face.has_captures, selected=face.has_captures and Switch.CAPTURES in view.shown),
        "first": ButtonState(enabled=session.view.shown.ply > 0),
        "back": ButtonState(enabled=session.view.shown.ply > 0),
        "forward": ButtonState(enabled=session.view.shown.ply < end),
        "last": ButtonState(enabled=session.view.shown.ply < end),
        "pause": ButtonState(session.allows(play.TogglePause), selected=session.pace.paused, other=session.pace.paused),
        "step": ButtonState(enabled=session.allows(play.Step)),
        "move_now": ButtonState(enabled=session.allows(play.MoveNow)),
        "hint": ButtonState(hints.is_possible, selected=hints.is_running or view.hint is not None),
        "undo": ButtonState(enabled=session.allows(play.Undo)),
        "redo": ButtonState(enabled=session.allows(play.Redo)),
        "new": ButtonState(enabled=session.referee.is_over or not session.referee.job.is_rated),
        "hand_black": ButtonState(other=session.seats[Color.BLACK].is_user),
        "hand_white": ButtonState(other=session.seats[Color.WHITE].is_user),
        **({} if mode is None else mode.button_states()),
    }


def turn_button(session: Session) -> str:
    """The button that fits whose turn it is."""
    if session.referee.job.is_rated or session.seats.is_between_computers:
        return "step"
    return "hint" if session.awaits_person or session.referee.is_over else "move_now"
