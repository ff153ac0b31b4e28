"""The mode in which games are played: cards, moves, figures of the search, and the buttons of a game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from othello.gui import actions
from othello.gui.buttons import button
from othello.gui.commands import Switch
from othello.gui.mode import PLAY, Mode
from othello.gui.play.cards import ScoreBar, card, cards
from othello.gui.play.figures import search_panel
from othello.gui.toolkit.button import Button
from othello.gui.toolkit.layout import Column, Flow, Space
from othello.gui.toolkit.panel import Panel
from othello.play import commands as play
from othello.rules.protocol import Color

_SIDE: Final = ("first", "back", "forward", "last", "pause", "turn", "undo", "redo", "swap")
_TURN: Final = ("hint", "move_now")  # one button gives way to the other, and stays as wide
_SEARCH: Final = 96 + 12  # what the figures take of the list's height
_LEAST: Final = 200  # what list and figures need


class PlayMode(Mode):
    """A game that is played or watched."""

    name = PLAY
    has_switches = True

    def column(self, now: float) -> Panel:
        session, shown = self.session, self.session.view.shown
        palette, face = self.style.palette, self.table.face
        sides = tuple(card(session, face, color, now, hand=self._hand(color)) for color in Color)
        black, white = shown.rules.score(shown.position) if shown.rules.points else (0, 0)
        has_search = Switch.VALUES in self.table.looking.shown
        figures = (search_panel(session.view.listed, session.view.report, palette),) if has_search else ()
        spare = _SEARCH if has_search else 0
        rest = (
            replace(self.table.move_list(spare=spare), height=_LEAST - spare),
            *(Column((Space(), each), 12) for each in figures),
        )
        is_low = self.table.window.height < 720
        gap = Space(height=12 if is_low else 20)
        top = Column((cards(sides), ScoreBar(face, black, white)), 16)
        return Column((top, Space(height=16), *rest, gap, Flow([*self._controls()])), 0)

    def _hand(self, color: Color) -> Button:
        """The button that hands a side over."""
        return button(f"hand_{color.label}", self.table.place, other=self.session.seats[color].is_user)

    def _controls(self) -> Iterator[Button]:
        for name in _SIDE:
            yield self.control(self.turn_button if name == "turn" else name)

    def control(self, name: str) -> Button:
        """One of the buttons below the moves, as it looks now."""
        session, hints = self.session, self.table.hints
        ply, end = session.view.shown.ply, session.view.listed.ply
        is_hinted = hints.is_running or self.table.looking.hint is not None
        enabled = {
            "first": ply > 0,
            "back": ply > 0,
            "forward": ply < end,
            "last": ply < end,
            "pause": session.allows(play.TogglePause),
            "step": session.allows(play.Step),
            "move_now": session.allows(play.MoveNow),
            "hint": hints.is_possible,
            "undo": session.allows(play.Undo),
            "redo": session.allows(play.Redo),
        }.get(name, True)
        is_paused = name == "pause" and session.pace.paused
        chosen = is_paused or (name == "hint" and is_hinted)
        shown = button(name, self.table.place, enabled=enabled, chosen=chosen, other=is_paused)
        if name not in _TURN:
            return shown
        return replace(shown, widest=tuple(actions.words(each, self.table.place)[0] for each in _TURN))

    @property
    def turn_button(self) -> str:
        """The button that fits whose turn it is."""
        session = self.session
        if session.referee.job.is_rated or session.seats.is_between_computers:
            return "step"
        return "hint" if session.awaits_person or session.referee.is_over else "move_now"
