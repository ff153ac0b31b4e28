"""The dialog that puts the moves up to the shown position into the repertoire."""

from typing import Any

from othello.gui import commands as gui
from othello.gui import ui, wording
from othello.gui.commands import Command
from othello.gui.dialogs import player_form
from othello.gui.dialogs.dialog import Dialog
from othello.gui.dialogs.player_form import TALL
from othello.gui.preferences import PreferencesFile
from othello.play.session import Session
from othello.rules.protocol import Color
from othello.texts import say

_USUAL_PLIES = 16  # of a line; more of a game is no opening


class LearnDialog(Dialog):
    """Which moves, and for which side."""

    buttons = ("cancel", "learn")

    def __init__(self, session: Session, preferences: PreferencesFile) -> None:
        self.title = say("actions.learn.button")
        self._line = session.view.shown
        self._plies = min(self._line.ply, _USUAL_PLIES)
        people = [color for color in Color if session.seats[color].is_user]
        self._color = people[0] if len(people) == 1 else Color.BLACK

    def content(self) -> ui.Panel:
        if not self._line.ply:
            return ui.Paragraph(say("repertoire.no_moves"), 14, max_lines=4)
        line, style = self._line.at(self._plies), self.style
        sides = tuple((color, wording.side(line.rules, color)) for color in Color)
        parts: list[ui.Panel] = [
            ui.Label(wording.line_name(line), 16, bold=True),
            ui.Paragraph(wording.moves(line), 14, max_lines=6),
            player_form.labelled(
                style, say("repertoire.side"), ui.Choice(sides, self._color, name="side", height=TALL)
            ),
        ]
        if self._line.ply > 1:
            lengths = ui.Slider(
                range(1, self._line.ply + 1), self._plies, called=say("repertoire.length"), name="length"
            )
            parts.append(player_form.labelled(style, say("repertoire.length"), lengths))
        return ui.Column(parts, gap=14)

    @property
    def is_valid(self) -> bool:
        return self._line.ply > 0

    def button_label(self, name: str) -> str:
        return say("repertoire.learn") if name == "learn" else super().button_label(name)

    def on_control_changed(self, name: str, value: Any) -> Command | None:
        match name:
            case "side":
                self._color = value
            case "length":
                self._plies = value
            case _:
                return gui.Learn(self._line.at(self._plies), self._color)
        return None
