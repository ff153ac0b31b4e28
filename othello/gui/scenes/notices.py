"""A few words that lie over everything until they are read."""

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


class Notice(Dialog):
    """A few words, and a button that closes them."""

    primary = "close_notice"

    def __init__(self, title: str, text: str, style: Style, window: Rect) -> None:
        self.title, self._text = title, text
        super().__init__(style, window)

    def fill(self, page: Page) -> None:
        for index, line in enumerate(page.style.wrap(self._text, 14, round(page.width * page.style.scale), 12)):
            page.text(line, 0, 12 + 24 * index, size=14)

    def fill_foot(self, page: Page) -> None:
        label = say("files.understood")
        page.add(Button("close_notice", page.rect(page.width - 160, 0, 160, 40), label=label, look="primary"))

    def use(self, name: str, value: Any) -> Command | None:
        return gui.CloseDialog()
