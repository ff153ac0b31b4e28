"""What this program is, and where its files are."""

from __future__ import annotations

import os
from typing import Any

import platformdirs
from pygame import Rect

import othello
from othello.gui import commands as gui
from othello.gui.commands import Command
from othello.gui.dialogs.dialog import Dialog, Foot, answers
from othello.gui.log import log_path
from othello.gui.preferences import PreferencesFile
from othello.gui.toolkit.layout import Column
from othello.gui.toolkit.panel import Panel
from othello.gui.toolkit.style import Style
from othello.gui.toolkit.words import Label, Paragraph
from othello.play.session import Session
from othello.texts import say


class AboutDialog(Dialog):
    """Version, licence, and the folders that the program writes to."""

    primary = "done"

    def __init__(self, session: Session, preferences: PreferencesFile, style: Style, window: Rect) -> None:
        self.title = say("about.title")
        self._settings = "–" if preferences.path is None else str(preferences.path)
        super().__init__(style, window)

    def page(self) -> Panel:
        rows = (
            (say("about.version"), othello.__version__),
            (say("about.settings"), self._settings),
            (say("about.log"), str(log_path())),
            (say("about.cache"), os.environ.get("OTHELLO_CACHE_DIR") or str(platformdirs.user_cache_path("othello"))),
        )
        muted = self.style.palette.muted
        facts = (Column((Label(label, 12, muted), Paragraph(value)), gap=2) for label, value in rows)
        return Column((Paragraph(say("about.what"), 14), *facts), gap=14)

    def foot(self) -> Foot:
        return answers(self.style, self.room, [("done", say("settings.done"))])

    def use(self, name: str, value: Any) -> Command | None:
        return gui.CloseDialog()
