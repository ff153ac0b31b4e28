"""Dialogs of a few words: one that is only read, and one that asks."""

from __future__ import annotations

from typing import Any

from pygame import Rect

from othello.gui import commands as gui
from othello.gui.commands import Command
from othello.gui.controls import Button
from othello.gui.dialog import Dialog
from othello.gui.sheet import Page
from othello.gui.texts import say
from othello.gui.theme import Style

_MOST_LINES = 12


class Notice(Dialog):
    """A few words, and a button that closes them."""

    primary = "close_notice"

    def __init__(self, title: str, text: str, style: Style, window: Rect) -> None:
        self.title, self._text = title, text
        super().__init__(style, window)

    def fill(self, page: Page) -> None:
        room = round(page.width * page.style.scale)
        for index, line in enumerate(page.style.wrap(self._text, 14, room, _MOST_LINES)):
            page.text(line, 0, 12 + 24 * index, size=14)

    def fill_foot(self, page: Page) -> None:
        answers(page, [("close_notice", say("files.understood"))])

    def use(self, name: str, value: Any) -> Command | None:
        return gui.CloseDialog()


class Question(Notice):
    """Asks before something is done that cannot be taken back.

    Args:
        yes: what is written on the button that does it.
        command: what that is.
    """

    primary = "yes"

    def __init__(self, title: str, text: str, yes: str, command: Command, style: Style, window: Rect) -> None:
        self._yes, self._command = yes, command
        super().__init__(title, text, style, window)

    def fill_foot(self, page: Page) -> None:
        answers(page, [("no", say("new_game.cancel")), ("yes", self._yes)])

    def use(self, name: str, value: Any) -> Command | None:
        return self._command if name == "yes" else gui.CloseDialog()


def answers(page: Page, buttons: list[tuple[str, str]]) -> None:
    """Write the buttons of a footer from the right, each as wide as its words; the last one is the main one."""
    right = page.width
    for index, (name, label) in enumerate(reversed(buttons)):
        size, look = (14, "primary") if index == 0 else (13, "outline")
        width = max(120.0, page.style.width(label, size, bold=index == 0) / page.style.scale + 32)
        page.controls.insert(0, Button(name, page.rect(right - width, 0, width, 40), label, look))
        right -= width + 16
