"""The menu of all commands, the list of keys, and what the program says about itself."""

from __future__ import annotations

import os
from typing import Any, Final

import platformdirs
from pygame import Rect

import othello
from othello.gui import actions
from othello.gui import commands as gui
from othello.gui.actions import Where, key_list
from othello.gui.commands import PASS, Answer, Command, handles
from othello.gui.dialogs.dialog import Dialog, Foot
from othello.gui.log import log_path
from othello.gui.preferences import PreferencesFile
from othello.gui.toolbar import IN_MENU
from othello.gui.toolkit.button import Entry
from othello.gui.toolkit.layout import Column, Row
from othello.gui.toolkit.panel import Panel
from othello.gui.toolkit.style import Style
from othello.gui.toolkit.words import Label, Paragraph
from othello.play.session import Session
from othello.texts import say

_NARROW: Final = 560


class KeysDialog(Dialog):
    """What every key does; a click beside the dialog closes it, too."""

    primary = "close_keys"

    def __init__(self, where: Where, game: str, style: Style, window: Rect) -> None:
        self.title = say("help.title")
        self._keys = key_list(where, game)
        super().__init__(style, window)

    def page(self) -> Panel:
        """Keys and meanings beside each other, or below each other where there is little room."""
        accent, is_narrow = self.style.palette.accent, self.room < _NARROW
        wide = max(self.style.length(keys, 13, bold=True) for keys, _ in self._keys)
        lines: list[Panel] = []
        for keys, meaning in self._keys:
            label = Label(keys, color=accent, bold=True, width=None if is_narrow else wide)
            if is_narrow:
                lines.append(Column((label, Paragraph(meaning)), gap=1))
            else:
                lines.append(Row((label, Paragraph(meaning, grow=1)), gap=24, align="top"))
        return Column(lines, gap=6.5)

    def foot(self) -> Foot:
        return self.answers([("close_keys", say("help.close"))])

    @handles(gui.PressAt)
    def _press(self, command: gui.PressAt, now: float) -> Answer:
        """A click beside the list closes the list."""
        return PASS if self.rect.collidepoint(command.at) else gui.CloseDialog()


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
        return self.answers([("done", say("settings.done"))])


class MenuDialog(Dialog):
    """The commands that mean something in a place, each with its key."""

    primary = "close_menu"

    def __init__(self, where: Where, style: Style, window: Rect) -> None:
        self.title = say("actions.menu.button")
        buttons, offered = actions.buttons(where), actions.offered(where)
        self._actions = {name: buttons[name] for name in IN_MENU if name in offered}
        super().__init__(style, window)

    def page(self) -> Panel:
        entries = []
        for name, action in self._actions.items():
            label = say("help.title" if name == "help" else f"actions.{action.name}.button")
            key = actions.key_text(action.keys[0]) if action.keys else ""
            entries.append(Entry(label, name=name, right=key, height=36))
        return Column(entries, gap=4)

    def foot(self) -> Foot:
        return self.answers([("close_menu", say("new_game.cancel"))])

    def use(self, name: str, value: Any) -> Command | None:
        self.is_done = True
        return self._actions[name].command if name in self._actions else None
