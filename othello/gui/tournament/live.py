"""A game of a tournament, large, as long as it goes on."""

from typing import Any

from othello.gui import commands as gui
from othello.gui import ui
from othello.gui.commands import Command
from othello.gui.dialogs.dialog import Dialog
from othello.gui.faces.face import face_of
from othello.gui.tournament import results
from othello.gui.tournament.following import Following, LiveGame
from othello.gui.tournament.panels import LiveBoard
from othello.texts import say

_AROUND = 216  # what a dialog has above and below its page


class LiveDialog(Dialog):
    """Follows one game; its other button leads to the analysis of the moves so far."""

    buttons = ("analyse", "close_keys")

    def __init__(self, following: Following, live: LiveGame) -> None:
        self.title = say("hall.game", game=live.number)
        self._following, self._live = following, live

    def content(self) -> ui.Panel:
        state = results.live(self._live, is_last=self._following.end is not None)
        face = face_of(self._live.game.rules.spec, self.style.palette)
        return LiveBoard(face, state, height=max(240.0, self.window.height / self.style.scale - _AROUND))

    def button_label(self, name: str) -> str:
        return say("actions.analyse.button") if name == "analyse" else super().button_label(name)

    def on_control_changed(self, name: str, value: Any) -> Command | None:
        return gui.LookAtGame(self._live.game, self._following.players_of(self._live))
