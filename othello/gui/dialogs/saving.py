"""Dialogs that save: the game in many formats, pictures, the players, or a tournament's settings."""

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, Final

from othello.files import is_folder
from othello.gui import commands as gui, ui
from othello.gui.dialogs import player_form
from othello.gui.dialogs.dialog import failure
from othello.gui.dialogs.file_dialogs import LINE_HEIGHT, FolderDialog, typed_path
from othello.records.formats.format import NO_NAME
from othello.records.formats.parsed_game import ParsedGame
from othello.records.game_file import SUFFIX
from othello.records.readers import WRITTEN
from othello.resources import default_config
from othello.texts import tr

_OTHERS: Final = {WRITTEN[suffix].name: WRITTEN[suffix] for suffix in (".ggf", ".sgf", ".pgn", ".wtb")}
"""Formats of other programs, by name."""
KINDS: Final = {
    "game": SUFFIX,
    "moves": ".othello.txt",
    "board": ".board.txt",
    "picture": ".png",
    "film": ".gif",
    "config": ".json",
    "each": "",  # a folder
    **{name: format_.suffixes[0] for name, format_ in _OTHERS.items()},
}


class SaveDialog(FolderDialog):
    """Saves the game, its moves, the position, a picture, an animation, or the players.

    Enter never replaces a file: that takes a button of its own.

    Args:
        folder: the first folder that is listed.
        name: the proposed name. A number is added if there is such a file.
        parsed: the game for formats of other programs; None: these formats are not offered.
    """

    buttons = ("cancel", "save")
    focus = field = "name"
    kinds: tuple[str, ...] = tuple(kind for kind in KINDS if kind != "each")

    def __init__(self, folder: Path, name: str, parsed: ParsedGame | None = None) -> None:
        super().__init__(folder)
        self.title, self._parsed = tr("files.save_title"), parsed
        refused = [name for name, format_ in _OTHERS.items() if parsed is None or format_.unsupported_reason(parsed)]
        self.kinds = tuple(kind for kind in self.kinds if kind not in refused)
        self._kind, self._proposed = self.kinds[0], " ".join(NO_NAME.sub(" ", name).split())
        self._typed: str | None = None

    @property
    def _name(self) -> str:
        """The typed name, or else a proposal that no file has."""
        if self._typed is not None:
            return self._typed
        suffix = KINDS[self._kind]
        return player_form.free_name(self._proposed, lambda name: self._taken(self.folder / f"{name}{suffix}"))

    @property
    def _path(self) -> Path:
        suffix, name = KINDS[self._kind], self._name.strip()
        path = typed_path(name) or self.folder / name
        return path if name.endswith(suffix) else Path(f"{path}{suffix}")

    @property
    def _is_name(self) -> bool:
        """True if a file can have the name. A folder in the name has to exist."""
        name = self._name.strip()
        typed = typed_path(name) or Path(name)
        is_name = typed.name not in ("", "..") and not set(typed.name) & set('\\:*?"<>|') and "\0" not in name
        return is_name and not name.endswith(os.sep) and is_folder(self.folder / typed.parent)

    def _taken(self, path: Path) -> Path | None:
        """Return the first existing file that saving to a path would replace."""
        paths = _OTHERS[self._kind].files(path) if self._kind in _OTHERS else (path,)
        return next(filter(os.path.lexists, paths), None)

    @property
    def _replaced(self) -> Path | None:
        return self._taken(self._path) if self._is_name else None

    @property
    def is_valid(self) -> bool:
        return self._is_name and self._replaced is None

    def footer_buttons(self) -> list[tuple[str, str]]:
        return [] if self._replaced is None else [("replace", tr("files.replace"))]

    @property
    def _words(self) -> str:
        """A remark on the parts of the game that the format cannot store."""
        if self._parsed is None or self._kind not in _OTHERS:
            return ""
        lost = sorted(self._parsed.features - _OTHERS[self._kind].supports)
        what = ", ".join(tr(f"lost.{name}") for name in lost)
        return tr("files.lacks", format=self._kind, what=what) if lost else ""

    def content(self) -> ui.Widget:
        kinds = tuple((kind, _described(kind)) for kind in self.kinds)
        kind = ui.Select(kinds, self._kind, tr("files.format"), name="kind", height=LINE_HEIGHT)
        fault = tr("files.no_name") if self._name.strip() and not self._is_name else ""
        if self._replaced is not None:
            fault = tr("files.exists", file=self._replaced.name)
        name = ui.TextField(self._name, is_wrong=not self.is_valid, max_length=1000, name="name", height=LINE_HEIGHT)
        name = replace(name, accessible_name=tr("spoken.file_name"))
        status, folder = self.status_line(self.fault or fault, self._words), ui.Row((self.folder_select(),))
        parts = [*([kind] if len(kinds) > 1 else []), name, status, folder, self.rows()]
        return ui.Column(parts, gap=8, grow=True)

    def on_control_changed(self, name: str, value: Any) -> gui.Command | None:
        match name:
            case "kind":
                self._kind = value
            case "name":
                self._typed = value
                self.show_folder_of_path(value)
            case "save" | "replace":
                return self.save(self._path, self._kind)
            case _:
                return super().on_control_changed(name, value)
        return None

    def show_folder(self, folder: Path) -> None:
        path = typed_path(self._typed or "")
        self._typed = self._typed if path is None else path.name
        super().show_folder(folder)

    def save(self, path: Path, kind: str) -> gui.Command | None:
        """Save to a file, and return the command that follows."""
        return gui.SaveFile(path, kind)


def _described(kind: str) -> str:
    """Return the name of a format, its suffix and a description, in one line."""
    name, suffix = kind if kind in _OTHERS else tr(f"files.kinds.{kind}"), KINDS[kind]
    about = tr(f"files.about.{kind}")
    return tr("files.kind" if suffix else "files.folder_kind", kind=name, suffix=suffix, about=about)


class ExportDialog(SaveDialog):
    """Saves all games of the user, to one file each in a new folder, or to one file."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, f"{tr('files.tabs.games')} {date.today().isoformat()}")
        self.title, self.kinds, self._kind = tr("files.export_title"), ("each", "game", *_OTHERS), "each"

    def footer_buttons(self) -> list[tuple[str, str]]:
        return [] if self._kind == "each" else super().footer_buttons()

    def save(self, path: Path, kind: str) -> gui.Command | None:
        return gui.ExportOwn(path, kind)


class ConfigDialog(SaveDialog):
    """Saves the settings of a tournament in a config file. Other keys of an existing file are kept.

    Args:
        parts: the keys.
        on_saved: called with a message that names the file.
    """

    kinds = ("config",)

    def __init__(self, parts: Mapping[str, Any], on_saved: Callable[[str], None]) -> None:
        folder = default_config().absolute().parent
        name = f"{tr('setup.title')} {date.today().isoformat()}"
        super().__init__(folder if os.access(folder, os.W_OK) else Path.home(), name)
        self._parts, self._on_saved = parts, on_saved

    def save(self, path: Path, kind: str) -> gui.Command | None:
        self.fault = failure(partial(player_form.save, path, self._parts))
        if self.fault:
            return None
        self._on_saved(tr("new_game.saved", file=str(path)))
        return gui.PlainCommand.CLOSE_DIALOG
