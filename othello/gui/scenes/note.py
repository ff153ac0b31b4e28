"""The dialog for what a person notes about a position."""

from __future__ import annotations

from typing import Any

from pygame import Rect

from othello.gui import commands as gui
from othello.gui import wording
from othello.gui.commands import Command
from othello.gui.controls import Field
from othello.gui.dialog import Dialog
from othello.gui.preferences import PreferencesFile
from othello.gui.scenes.notices import answers
from othello.gui.sheet import Page
from othello.gui.texts import say
from othello.gui.theme import Style
from othello.play import commands as play
from othello.play.session import Session


class NoteDialog(Dialog):
    """A line about the position that is looked at; it is kept with the game as it is written."""

    primary = "done"

    def __init__(self, session: Session, preferences: PreferencesFile, style: Style, window: Rect) -> None:
        shown = session.view.shown
        self._session = session
        self.title = say("note.start")
        if shown.ply:
            self.title = say("note.title", ply=shown.ply, move=wording.move(shown.rules, shown.moves[-1]))
        self._text = session.history.tree.known(shown).note
        super().__init__(style, window)
        self._focus = "note"

    def fill(self, page: Page) -> None:
        page.add(Field("note", page.rect(0, 8, page.width, 36), self._text, say("note.none")))

    def fill_foot(self, page: Page) -> None:
        beside = [("delete", say("note.delete"))] if self._session.view.is_aside else []
        answers(page, [("done", say("settings.done"))], beside)

    def use(self, name: str, value: Any) -> Command | None:
        if name == "note":
            self._text = value
            return play.Annotate(value)
        if name == "delete":
            self._session.view.delete()
        return gui.CloseDialog()
