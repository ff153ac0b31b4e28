"""The dialog that lets another player play on: a level, any computer player, or a program that is registered here."""

from dataclasses import replace
from typing import Any

from othello.errors import OthelloError
from othello.gui import ui, wording
from othello.gui.commands import Command
from othello.gui.dialogs import player_form
from othello.gui.dialogs.dialog import Dialog
from othello.gui.dialogs.player_form import LEVEL, TALL
from othello.gui.preferences import PreferencesFile
from othello.play import commands as play
from othello.play.session import Session
from othello.players.levels import COUNT
from othello.players.registry import advisers, type_title
from othello.rules.protocol import Color
from othello.texts import say


class HandOverDialog(Dialog):
    """Which side, and to whom."""

    buttons = ("cancel", "hand_over")

    def __init__(self, session: Session, preferences: PreferencesFile) -> None:
        self.title = say("actions.hand_to.button")
        self._session, self._fault = session, ""
        self._color = session.speaker or session.game.to_move
        spec = session.game.rules.spec
        self._kinds = [f"{LEVEL}{number}" for number in range(1, COUNT + 1)] + advisers(spec)
        self._kind = self._kinds[0]

    def content(self) -> ui.Panel:
        style, rules = self.style, self._session.game.rules
        sides = tuple((color, wording.side(rules, color)) for color in Color)
        kinds = tuple((kind, _called(kind)) for kind in self._kinds)
        fault = [ui.Paragraph(self._fault, 12, style.palette.warning)] if self._fault else []
        side = ui.Choice(sides, self._color, called=say("hand_over.side"), name="side", height=TALL)
        player = ui.Select(kinds, self._kind, say("new_game.player"), name="player")
        return ui.Column(
            [
                player_form.labelled(style, say("hand_over.side"), side),
                player_form.labelled(style, say("new_game.player"), player),
                *fault,
            ],
            gap=14,
        )

    def button_label(self, name: str) -> str:
        return say("hand_over.yes") if name == "hand_over" else super().button_label(name)

    def on_control_changed(self, name: str, value: Any) -> Command | None:
        match name:
            case "side":
                self._color = value
            case "player":
                self._kind, self._fault = value, ""
            case _:
                return self._handed_over()
        return None

    def _handed_over(self) -> Command | None:
        """The player goes on with the clock of the side."""
        old = self._session.next_seats[self._color]
        form = {"player_type": self._kind, "name": "", "time_limit_seconds": ""}
        try:
            player = player_form.players_of([form], self._session.game.rules.spec)[0]
        except OthelloError as error:
            self._fault = error.reason.sentence()
            return None
        self.is_done = True
        player = replace(player, clock_seconds=old.clock_seconds, increment_seconds=old.increment_seconds)
        return play.HandOver(self._color, player)


def _called(kind: str) -> str:
    return say(f"levels.{kind.removeprefix(LEVEL)}") if kind.startswith(LEVEL) else type_title(kind)
