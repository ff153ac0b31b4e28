"""The list of keys of a place."""

from __future__ import annotations

from typing import Any, Final

from pygame import Rect

from othello.gui import commands as gui
from othello.gui.actions import Where, key_list
from othello.gui.commands import Command
from othello.gui.dialogs.dialog import Dialog, Foot, answers
from othello.gui.screen import PASS, Answer, handles
from othello.gui.toolkit.layout import Column, Row
from othello.gui.toolkit.panel import Panel
from othello.gui.toolkit.style import Style
from othello.gui.toolkit.words import Label, Paragraph
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
        return answers(self.style, self.room, [("close_keys", say("help.close"))])

    @handles(gui.PressAt)
    def _press(self, command: gui.PressAt, now: float) -> Answer:
        """A click beside the list closes the list."""
        return PASS if self.rect.collidepoint(command.at) else gui.CloseDialog()

    def use(self, name: str, value: Any) -> Command | None:
        return gui.CloseDialog()
