"""The dialog for what is saved, under which name, in which folder."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

from pygame import Rect

from othello.gui import commands as gui
from othello.gui.commands import Command
from othello.gui.dialogs.dialog import Foot, answers
from othello.gui.dialogs.folder import FolderDialog
from othello.gui.toolkit.field import Field
from othello.gui.toolkit.layout import Column
from othello.gui.toolkit.panel import Panel
from othello.gui.toolkit.style import Style
from othello.gui.toolkit.switches import Choice
from othello.reading import is_folder
from othello.records.game_file import SUFFIX
from othello.texts import say

_KINDS: Final = {"game": SUFFIX, "moves": ".txt", "board": ".board.txt", "picture": ".png"}


class SaveDialog(FolderDialog):
    """Saves the game, its moves, the position or a picture."""

    primary = "save"
    focus = "name"

    def __init__(self, folder: Path, style: Style, window: Rect) -> None:
        self.title = say("files.save_title")
        self._kind, self._name = "game", say("files.name")
        super().__init__(folder, style, window)

    @property
    def _path(self) -> Path:
        suffix, name = _KINDS[self._kind], self._name.strip()
        return self.folder / (name if name.endswith(suffix) else name + suffix)

    @property
    def is_sound(self) -> bool:
        """Whether a file can have that name, with or without a folder, which has to be there."""
        typed = Path(self._name.strip())
        is_name = typed.name not in ("", "..") and not set(typed.name) & set('\\:*?"<>|') and "\0" not in self._name
        return is_name and is_folder(self.folder / typed.parent)

    def page(self) -> Panel:
        kinds = tuple((kind, say(f"files.kinds.{kind}")) for kind in _KINDS)
        words = self.fault
        if not self.is_sound:
            words = words or (say("files.no_name") if self._name.strip() else "")
        elif os.path.lexists(self._path):
            words = words or say("files.replaces", file=self._path.name)
        name = Field(self._name, is_wrong=not self.is_sound, name="name", height=36)
        head = Column((Choice(kinds, self._kind, name="kind", height=36), name), gap=16)
        return Column((head, Column((*self.warning(words), *self.listed()), gap=4)), gap=10)

    def foot(self) -> Foot:
        buttons = [("cancel", say("files.cancel")), ("save", say("files.save"))]
        return answers(self.style, self.room, buttons, disabled=() if self.is_sound else ("save",))

    def use(self, name: str, value: Any) -> Command | None:
        self.fault = ""
        match name.partition(":")[0]:
            case "kind":
                self._kind = value
            case "name":
                self._name = value
            case "path":
                self.choose(name)
            case "save":
                return gui.SaveFile(self._path, self._kind)
            case "cancel":
                return gui.CloseDialog()
        return None
