"""The dialogs that open and save games: files, kept games, games that were left behind."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from othello.gui import commands as gui
from othello.gui import wording
from othello.gui.commands import Command
from othello.gui.dialogs.career import results
from othello.gui.dialogs.dialog import Dialog
from othello.gui.dialogs.notices import Notice
from othello.gui.toolkit.button import Entry
from othello.gui.toolkit.field import Field
from othello.gui.toolkit.layout import Column, Row, Space
from othello.gui.toolkit.panel import Panel
from othello.gui.toolkit.switches import Choice
from othello.gui.toolkit.words import Label, Paragraph
from othello.play.career import careers
from othello.play.library import Library, Listed, head_of
from othello.players.registry import PLAYERS
from othello.reading import is_folder
from othello.records.game_file import SUFFIX
from othello.rules.protocol import Color
from othello.texts import say

_MOST_ENTRIES = 300


class FolderDialog(Dialog):
    """A dialog that lists a folder."""

    suffixes: tuple[str, ...] = ()  # how the names of the listed files end; without any, only folders are listed
    fault = ""  # why the last file could not be read or written

    def __init__(self, folder: Path) -> None:
        self.folder = folder if is_folder(folder) else Path.home()

    def refuse(self, reason: str) -> bool:
        self.fault = reason
        return True

    def warning(self, words: str) -> list[Panel]:
        """Words in the colour of warnings; nothing where there are none."""
        return [Paragraph(words, color=self.style.palette.warning)] if words else []

    def listed(self) -> list[Panel]:
        """The folder's path, and a row for all that can be chosen."""
        rows = ((name, label, say("files.folder") if is_folder(path) else "") for name, path, label in self._entries())
        return [Label(str(self.folder), 12), *(Entry(label, name=name, right=right) for name, label, right in rows)]

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


_KINDS: Final = {"game": SUFFIX, "moves": ".txt", "board": ".board.txt", "picture": ".png"}


class SaveDialog(FolderDialog):
    """Saves the game, its moves, the position or a picture."""

    buttons = ("cancel", "save")
    focus = "name"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.title = say("files.save_title")
        self._kind, self._name = "game", say("files.name")

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
        fault = say("files.no_name") if self._name.strip() and not self.is_sound else ""
        if self.is_sound and os.path.lexists(self._path):
            fault = say("files.replaces", file=self._path.name)
        name = Field(self._name, is_wrong=not self.is_sound, most=1000, name="name", height=36)
        head = Column((Choice(kinds, self._kind, name="kind", height=36), name), gap=16)
        return Column((head, Column((*self.warning(self.fault or fault), *self.listed()), gap=4)), gap=10)

    def use(self, name: str, value: Any) -> Command | None:
        self.fault = ""
        match name:
            case "kind":
                self._kind = value
            case "name":
                self._name = value
            case "save":
                return gui.SaveFile(self._path, self._kind)
            case _:
                self.choose(name)
        return None


READABLE: Final = (".json", ".txt")
_TABS: Final = ("games", "results", "files", "recent")


class OpenDialog(FolderDialog):
    """The person's games and results, files of a folder, and files that were opened before."""

    suffixes = READABLE

    def __init__(self, folder: Path, library: Library | None) -> None:
        super().__init__(folder)
        self.title = say("files.open_title")
        self._games = [] if library is None else library.games()
        self._recent = [] if library is None else library.recent()
        self._careers = careers(self._games)
        self._tab = "games" if self._games else "files"

    def page(self) -> Panel:
        tabs = tuple((tab, say(f"files.tabs.{tab}")) for tab in _TABS)
        choice = Choice(tabs, self._tab, name="tab", height=36, width=min(self.room, 600))
        body = Column((*self.warning(self.fault), *self._listed()), gap=4)
        return Column((Row((choice, Space(grow=1)), gap=0), body), gap=16)

    def aside(self) -> str:
        return say("files.drop")

    def _listed(self) -> list[Panel]:
        if self._tab == "results":
            return [results(self._careers, self.style)]
        if self._tab == "files":
            return self.listed()
        rows = [entry_of(f"game:{index}", listed) for index, listed in enumerate(self._games)]
        if self._tab == "recent":
            rows = [Entry(path.name, name=f"recent:{path}", right=str(path.parent)) for path in self._recent]
        return [*rows] or [Label(say("files.none"))]

    def use(self, name: str, value: Any) -> Command | None:
        kind, _, rest = name.partition(":")
        match kind:
            case "tab":
                self._tab, self.fault = value, ""
                self.stage.to_top()
            case "game":
                return gui.OpenFile(self._games[int(rest)].path)
            case "recent":
                return gui.OpenFile(Path(rest))
            case "path":
                path = self.choose(name)
                return None if path is None else gui.OpenFile(path)
        return None


class LeftDialog(Notice):
    """Offers the game that was being played when the program ended unasked."""

    buttons = ("not_now", "go_on")

    def __init__(self, path: Path) -> None:
        self._path = path
        listed = head_of(path)
        text = "" if listed is None else say("files.left", players=_names(listed), date=listed.date.replace("T", " "))
        super().__init__(say("files.left_title"), text)

    def use(self, name: str, value: Any) -> Command | None:
        return gui.OpenFile(self._path)


def entry_of(name: str, listed: Listed) -> Entry:
    """A game in the list: when, who, what, how the game ended."""
    title = say(f"games.{listed.game}.title", listed.game)
    date, who = listed.date.replace("T", " "), _names(listed)
    known, right = listed.persons_accuracy, _result(listed)
    if known is not None:
        right = f"{right}  ·  {say('files.accuracy', percent=f'{100 * known:.0f}')}"
    label = "  ·  ".join(filter(None, (date[:16], who, title)))
    shorter = "  ·  ".join(filter(None, (date[:10], who))), who
    return Entry(label, name=name, right=right, shorter=shorter)


def _names(listed: Listed) -> str:
    """Who played."""
    black, white = (_name(entry) for entry in listed.players)
    return say("files.players", black=black, white=white)


def _name(entry: dict[str, object]) -> str:
    kind, level, name = str(entry.get("player_type", "")), entry.get("level"), entry.get("name")
    if wording.is_level_name(name, level):
        return say(f"levels.{level}")  # the file's name was written in the language of that day
    if name:
        return str(name)
    if kind == "user":
        return say("players.you")
    return say(f"player_types.{kind}", PLAYERS[kind].title if kind in PLAYERS else kind)


def _result(listed: Listed) -> str:
    """How the game ended; the person's points come first, else the winner's."""
    winner, person = listed.result.get("winner"), listed.person
    if winner not in ("black", "white"):
        return say("results.draw" if winner == "draw" else "files.unfinished")
    points = [str(listed.result.get(color.label, "")) for color in Color]
    own = winner if person is None else person.label
    score = " : ".join(points[:: 1 if own == "black" else -1]) if all(points) else ""
    if person is not None:
        return say("files.won", score=score) if winner == person.label else say("files.lost", score=score)
    side = say(f"games.{listed.game}.{winner}", say(f"sides.{winner}"))
    return f"{say('results.wins', side=side)} {score}"
