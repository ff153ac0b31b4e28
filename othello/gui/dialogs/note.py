"""The dialog for what a person notes about a position."""

from __future__ import annotations

from typing import Any

from pygame import Rect

from othello.gui import commands as gui
from othello.gui import wording
from othello.gui.commands import Command
from othello.gui.dialogs.dialog import Dialog, Foot, answers
from othello.gui.preferences import PreferencesFile
from othello.gui.toolkit.field import Field
from othello.gui.toolkit.panel import Panel
from othello.gui.toolkit.style import Style
from othello.play import commands as play
from othello.play.session import Session
from othello.texts import say


class NoteDialog(Dialog):
    """A line about the position that is looked at; every letter is kept with the game as it is written."""

    primary = "done"
    focus = "note"

    def __init__(self, session: Session, preferences: PreferencesFile, style: Style, window: Rect) -> None:
        shown = session.view.shown
        self._session = session
        self.title = say("note.start")
        if shown.ply:
            self.title = say("note.title", ply=shown.ply, move=wording.last_move(shown))
        self._text = session.history.tree.known(shown).note
        super().__init__(style, window)

    def page(self) -> Panel:
        return Field(self._text, say("note.none"), name="note", height=36, begins_selected=False)

    def foot(self) -> Foot:
        beside = [("delete", say("note.delete"))] if self._session.view.is_aside else []
        return answers(self.style, self.room, [("done", say("settings.done"))], beside)

    def use(self, name: str, value: Any) -> Command | None:
        if name == "note":
            self._text = value
            return play.Annotate(value)
        if name == "delete":
            self._session.view.delete()
        return gui.CloseDialog()
