"""All commands of the toolbar in one list: for windows that have no room for their buttons, and for the keyboard."""

from __future__ import annotations

from typing import Any

from pygame import Rect

from othello.gui import actions, bars
from othello.gui.actions import Where
from othello.gui.commands import Command
from othello.gui.controls import Button
from othello.gui.dialog import Dialog
from othello.gui.scenes.notices import answers
from othello.gui.sheet import Page
from othello.gui.texts import say
from othello.gui.theme import Style
from othello.gui.views.files import Row

_ROW = 40


class MenuDialog(Dialog):
    """The commands that mean something in a place, each with its key."""

    primary = "close_menu"

    def __init__(self, where: Where, style: Style, window: Rect) -> None:
        self.title = say("actions.menu.button")
        buttons = actions.buttons(where)
        offered = actions.offered(where)
        self._actions = {name: buttons[name] for name in bars.IN_MENU if name in offered}
        super().__init__(style, window)

    def fill(self, page: Page) -> None:
        controls: list[Button] = []
        for index, (name, action) in enumerate(self._actions.items()):
            key = actions.key_text(action.keys[0]) if action.keys else ""
            rect = page.rect(0, _ROW * index, page.width, _ROW - 4)
            label = say("help.title") if name == "help" else say(f"actions.{action.name}.button")
            controls.append(Row(name, rect, label, right=key))
        page.controls += controls

    def fill_foot(self, page: Page) -> None:
        answers(page, [("close_menu", say("new_game.cancel"))])

    def use(self, name: str, value: Any) -> Command | None:
        self.is_done = True
        return self._actions[name].command if name in self._actions else None
