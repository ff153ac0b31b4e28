"""The list of keys of a place."""

from __future__ import annotations

from typing import Any, Final

from pygame import Rect

from othello.gui import commands as gui
from othello.gui import theme
from othello.gui.actions import Where, key_list
from othello.gui.commands import Command
from othello.gui.dialog import Dialog
from othello.gui.scenes.notices import answers
from othello.gui.sheet import Page
from othello.gui.texts import say
from othello.gui.theme import Style

_PITCH: Final = 26
_GAP: Final = 24
_NARROW: Final = 560


class KeysDialog(Dialog):
    """What every key does; a click beside it closes it, too."""

    primary = "close_keys"

    def __init__(self, where: Where, game: str, style: Style, window: Rect) -> None:
        self.title = say("help.title")
        self._keys = key_list(where, game)
        super().__init__(style, window)

    def fill(self, page: Page) -> None:
        """Write keys and meanings beside each other, or below each other where there is little room."""
        left = 0.0
        if page.width >= _NARROW:
            left = max(page.width_of(keys, bold=True) for keys, _ in self._keys) + _GAP
        y = 8.0
        for keys, meaning in self._keys:
            page.text(keys, 0, y, color=theme.ACCENT, bold=True)
            y += 0 if left else _PITCH * 0.8
            y = max(y + _PITCH, page.paragraph(meaning, left, y, size=13) + _PITCH - 13 * 1.6)

    def fill_foot(self, page: Page) -> None:
        answers(page, [("close_keys", say("help.close"))])

    def do(self, command: Command) -> Command | None:
        self.is_done = isinstance(command, gui.PressAt) and not self.rect.collidepoint(command.at)
        return None if self.is_done else super().do(command)

    def use(self, name: str, value: Any) -> Command | None:
        return gui.CloseDialog()
