"""What the dialogs for files share: the list of a folder, and a line that says what went wrong."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from pygame import Rect

from othello.gui.dialogs.dialog import Dialog
from othello.gui.toolkit.button import Entry
from othello.gui.toolkit.panel import Panel
from othello.gui.toolkit.style import Style
from othello.gui.toolkit.words import Label, Paragraph
from othello.reading import is_folder
from othello.texts import say

_MOST_ENTRIES = 300


class FolderDialog(Dialog):
    """A dialog that lists a folder.

    Attributes:
        folder: the listed folder.
        suffixes: how the names of the listed files end; without any, only folders are listed.
        fault: why the last file could not be read or written; empty: all was well.
    """

    suffixes: tuple[str, ...] = ()

    def __init__(self, folder: Path, style: Style, window: Rect) -> None:
        self.folder, self.fault = folder if is_folder(folder) else Path.home(), ""
        super().__init__(style, window)

    def refuse(self, reason: str) -> bool:
        self.fault = reason
        return True

    def warning(self, words: str) -> list[Panel]:
        """Words in the colour of warnings; nothing where there are none."""
        return [Paragraph(words, color=self.style.palette.warning)] if words else []

    def listed(self) -> list[Panel]:
        """The folder's path, and a row for all that can be chosen."""
        rows = [
            Entry(label, name=name, right=say("files.folder") if is_folder(path) else "")
            for name, path, label in self._entries()
        ]
        return [Label(str(self.folder), 12), *rows]

    def _entries(self) -> list[tuple[str, Path, str]]:
        """Control, path and words of everything in the folder that can be chosen."""
        entries = [("path:..", self.folder.parent, say("files.up"))]
        with suppress(OSError):
            seen = [path for path in self.folder.iterdir() if not path.name.startswith(".")]
            folders = {path for path in seen if is_folder(path)}
            wanted = [path for path in seen if path in folders or path.name.endswith(self.suffixes)]
            wanted.sort(key=lambda path: (path not in folders, path.name.lower()))
            listed = wanted[:_MOST_ENTRIES] if self.suffixes else wanted
            entries += [(f"path:{path.name}", path, path.name) for path in listed]
        return entries

    def choose(self, name: str) -> Path | None:
        """The file behind a row; a folder is gone into."""
        path = next((path for row, path, _ in self._entries() if row == name), None)
        if path is not None and is_folder(path):
            self.folder, self.fault = path, ""
            self.stage.to_top()
            return None
        return path
