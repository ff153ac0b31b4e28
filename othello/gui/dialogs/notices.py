"""Dialogs of a few words: one that is only read, one that asks, and one in which a note is written."""

from __future__ import annotations

from typing import Any, Final

from pygame import Rect

from othello.gui import commands as gui
from othello.gui import wording
from othello.gui.commands import Command
from othello.gui.dialogs.dialog import Dialog, Foot
from othello.gui.preferences import PreferencesFile
from othello.gui.toolkit.field import Field
from othello.gui.toolkit.panel import Panel
from othello.gui.toolkit.style import Style
from othello.gui.toolkit.words import Paragraph
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
        return self.answers([("done", say("settings.done"))], beside)

    def use(self, name: str, value: Any) -> Command | None:
        if name == "note":
            self._text = value
            return play.Annotate(value)
        if name == "delete":
            self._session.view.delete()
        return gui.CloseDialog()


_MOST_LINES: Final = 12


class Notice(Dialog):
    """A few words, and a button that closes them."""

    primary = "close_notice"

    def __init__(self, title: str, text: str, style: Style, window: Rect) -> None:
        self.title, self._text = title, text
        super().__init__(style, window)

    def page(self) -> Panel:
        return Paragraph(self._text, 14, most=_MOST_LINES, pitch=24 / 14)

    def foot(self) -> Foot:
        return self.answers([("close_notice", say("files.understood"))])


class Question(Notice):
    """Asks before something is done that cannot be taken back; the button `yes` means the command."""

    primary = "yes"

    def __init__(self, title: str, text: str, yes: str, command: Command, style: Style, window: Rect) -> None:
        self._yes, self.command = yes, command
        super().__init__(title, text, style, window)

    def foot(self) -> Foot:
        return self.answers([("no", say("new_game.cancel")), ("yes", self._yes)])

    def use(self, name: str, value: Any) -> Command | None:
        return self.command if name == "yes" else gui.CloseDialog()
