"""The dialogs for files: what to open, what to save and where, what was left behind."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from pygame import Rect

from othello.gui import commands as gui
from othello.gui import theme
from othello.gui.choices import Choice
from othello.gui.commands import Command
from othello.gui.controls import Field
from othello.gui.dialog import Dialog
from othello.gui.scenes.notices import Notice, answers
from othello.gui.sheet import Page
from othello.gui.texts import say
from othello.gui.theme import Style
from othello.gui.views.career import Plot, ScoreRow
from othello.gui.views.files import Row, listed_row, names
from othello.play.career import FIRST_STEP, LAST_STEP, careers
from othello.play.library import Library, head_of
from othello.reading import is_folder
from othello.records.game_file import SUFFIX

READABLE: Final = (".json", ".txt")
_KINDS: Final = {"game": SUFFIX, "moves": ".txt", "board": ".board.txt", "picture": ".png"}
_MOST_ENTRIES: Final = 300
_ROW: Final = 36
_PLOT: Final = 190


class _FileDialog(Dialog):
    """What lists a folder and can be refused."""

    def __init__(self, folder: Path, style: Style, window: Rect) -> None:
        self._folder, self._fault = folder if is_folder(folder) else Path.home(), ""
        super().__init__(style, window)

    def refuse(self, reason: str) -> bool:
        self._fault = reason
        self.version += 1
        self.rewrite()
        return True

    def _fill_fault(self, page: Page, y: float) -> float:
        """Write it, and say where to go on."""
        return page.paragraph(self._fault, 0, y + 10, size=13, color=theme.WARNING) + 8 if self._fault else y

    def _fill_folder(self, page: Page, y: float, suffixes: tuple[str, ...]) -> None:
        page.text(str(self._folder), 0, y + 8, size=12, width=page.width)
        y += 28
        for name, path, label in self._entries(suffixes):
            right = say("files.folder") if is_folder(path) else ""
            page.add(Row(name, page.rect(0, y, page.width, _ROW - 4), label=label, right=right))
            y += _ROW

    def _entries(self, suffixes: tuple[str, ...]) -> list[tuple[str, Path, str]]:
        """Control, path and words of everything in the folder that can be chosen."""
        entries = [("path:..", self._folder.parent, say("files.up"))]
        with suppress(OSError):
            seen = [path for path in self._folder.iterdir() if not path.name.startswith(".")]
            folders = {path for path in seen if is_folder(path)}
            wanted = [path for path in seen if path in folders or path.name.endswith(suffixes)]
            wanted.sort(key=lambda path: (path not in folders, path.name.lower()))
            listed = wanted[:_MOST_ENTRIES] if suffixes else wanted
            entries += [(f"path:{path.name}", path, path.name) for path in listed]
        return entries

    def _choose(self, name: str, suffixes: tuple[str, ...]) -> Path | None:
        """The file behind a row; a folder is gone into."""
        path = next((path for row, path, _ in self._entries(suffixes) if row == name), None)
        if path is not None and is_folder(path):
            self._folder, self._fault = path, ""
            self.to_top()
            return None
        return path


class OpenDialog(_FileDialog):
    """The person's games, files of a folder, and files that were opened before."""

    primary = "cancel"

    def __init__(self, folder: Path, library: Library | None, style: Style, window: Rect) -> None:
        self.title = say("files.open_title")
        self._games = [] if library is None else library.games()
        self._recent = [] if library is None else library.recent()
        self._careers = careers(self._games)
        self._tab = "games" if self._games else "files"
        super().__init__(folder, style, window)

    def fill(self, page: Page) -> None:
        tabs = tuple((tab, say(f"files.tabs.{tab}")) for tab in ("games", "results", "files", "recent"))
        page.add(Choice("tab", page.rect(0, 0, min(page.width, 600), 36), options=tabs, value=self._tab))
        y = self._fill_fault(page, 52)
        if self._tab == "results":
            self._fill_results(page, y)
            return
        if self._tab == "files":
            self._fill_folder(page, y, READABLE)
            return
        rows = (
            [listed_row(f"game:{index}", listed) for index, listed in enumerate(self._games)]
            if self._tab == "games"
            else [
                Row(f"recent:{path}", Rect(0, 0, 0, 0), label=path.name, right=str(path.parent))
                for path in self._recent
            ]
        )
        if not rows:
            page.text(say("files.none"), 0, y + 12)
        for row in rows:
            page.add(row.at(page.rect(0, y, page.width, _ROW - 4)))
            y += _ROW

    def _fill_results(self, page: Page, y: float) -> None:
        """How the person has fared against the levels, in every game in which they have been measured."""
        if not self._careers:
            page.paragraph(say("career.none"), 0, y + 12, size=13)
            return
        for game, career in self._careers.items():
            count = len(career.games)
            rating = say("career.rating", n=count, rating=f"{career.games[-1].rating:.0f}", count=count)
            page.text(f"{say(f'games.{game}.title', game)}  ·  {rating}", 0, y + 10, size=15, bold=True)
            page.add(Plot(f"plot:{game}", page.rect(0, y + 28, page.width, _PLOT), career))
            y += 28 + _PLOT + 12
            for score in career.scores:
                page.add(ScoreRow(f"score:{game}:{score.level}", page.rect(0, y, page.width, _ROW - 8), score))
                y += _ROW - 8
            y += 16
        page.paragraph(
            say("career.formula", first=f"{FIRST_STEP:.0f}", last=f"{LAST_STEP:.0f}"), 0, y, color=theme.MUTED
        )

    def fill_foot(self, page: Page) -> None:
        left = answers(page, [("cancel", say("files.cancel"))])
        if page.width_of(say("files.drop"), 12) <= page.width - left - 160:
            page.text(say("files.drop"), left, 20, size=12)

    def use(self, name: str, value: Any) -> Command | None:
        kind, _, rest = name.partition(":")
        match kind:
            case "tab":
                self._tab, self._fault = value, ""
                self.to_top()
            case "game":
                return gui.OpenFile(self._games[int(rest)].path)
            case "recent":
                return gui.OpenFile(Path(rest))
            case "path":
                path = self._choose(name, READABLE)
                return None if path is None else gui.OpenFile(path)
            case "cancel":
                return gui.CloseDialog()
        return None


class SaveDialog(_FileDialog):
    """What is saved, under which name, in which folder."""

    primary = "save"

    def __init__(self, folder: Path, style: Style, window: Rect) -> None:
        self.title = say("files.save_title")
        self._kind = "game"
        self._name = say("files.name")
        super().__init__(folder, style, window)
        self._focus = "name"

    @property
    def _path(self) -> Path:
        suffix = _KINDS[self._kind]
        name = self._name.strip()
        return self._folder / (name if name.endswith(suffix) else name + suffix)

    @property
    def _is_sound(self) -> bool:
        """Whether that can be the name of a file, with or without a folder, which has to be there."""
        typed = Path(self._name.strip())
        is_name = typed.name not in ("", "..") and not set(typed.name) & set('\\:*?"<>|') and "\0" not in self._name
        return is_name and is_folder(self._folder / typed.parent)

    def fill(self, page: Page) -> None:
        kinds = tuple((kind, say(f"files.kinds.{kind}")) for kind in _KINDS)
        page.add(Choice("kind", page.rect(0, 0, page.width, 36), options=kinds, value=self._kind))
        page.add(Field("name", page.rect(0, 52, page.width, 36), value=self._name, is_wrong=not self._is_sound))
        y = 100.0
        if self._is_sound and not self._fault and os.path.lexists(self._path):
            page.text(say("files.replaces", file=self._path.name), 0, y + 8, color=theme.WARNING, width=page.width)
            y += 28
        elif self._name.strip() and not self._is_sound:
            page.text(say("files.no_name"), 0, y + 8, color=theme.WARNING, width=page.width)
            y += 28
        self._fill_folder(page, self._fill_fault(page, y), ())

    def fill_foot(self, page: Page) -> None:
        buttons = [("cancel", say("files.cancel")), ("save", say("files.save"))]
        answers(page, buttons, disabled=() if self._is_sound else ("save",))

    def use(self, name: str, value: Any) -> Command | None:
        self._fault = ""
        match name.partition(":")[0]:
            case "kind":
                self._kind = value
            case "name":
                self._name = value
            case "path":
                self._choose(name, ())
            case "save":
                return gui.SaveFile(self._path, self._kind)
            case "cancel":
                return gui.CloseDialog()
        return None


class LeftDialog(Notice):
    """Offers the game that was being played when the program ended unasked."""

    primary = "go_on"

    def __init__(self, path: Path, style: Style, window: Rect) -> None:
        self._path = path
        listed = head_of(path)
        text = "" if listed is None else say("files.left", players=names(listed), date=listed.date.replace("T", " "))
        super().__init__(say("files.left_title"), text, style, window)

    def fill_foot(self, page: Page) -> None:
        answers(page, [("not_now", say("files.not_now")), ("go_on", say("files.go_on"))])

    def use(self, name: str, value: Any) -> Command | None:
        return gui.OpenFile(self._path) if name == "go_on" else gui.CloseDialog()
