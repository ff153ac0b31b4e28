"""All commands of the toolbar in one list: for windows that have no room for their buttons, and for the keyboard."""

from __future__ import annotations

from typing import Any

from pygame import Rect

from othello.gui import actions
from othello.gui.actions import Where
from othello.gui.commands import Command
from othello.gui.dialogs.dialog import Dialog, Foot, answers
from othello.gui.toolbar import IN_MENU
from othello.gui.toolkit.button import Entry
from othello.gui.toolkit.layout import Column
from othello.gui.toolkit.panel import Panel
from othello.gui.toolkit.style import Style
from othello.texts import say


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
        return answers(self.style, self.room, [("close_menu", say("new_game.cancel"))])

    def use(self, name: str, value: Any) -> Command | None:
        self.is_done = True
        return self._actions[name].command if name in self._actions else None
