"""The dialogs for what is opened: one of the person's games, a file, or a game that was left behind."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from pygame import Rect

from othello.gui import commands as gui
from othello.gui import wording
from othello.gui.commands import Command
from othello.gui.dialogs.career import results
from othello.gui.dialogs.dialog import Foot, answers
from othello.gui.dialogs.folder import FolderDialog
from othello.gui.dialogs.notices import Notice
from othello.gui.toolkit.button import Entry
from othello.gui.toolkit.layout import Column, Row, Space
from othello.gui.toolkit.panel import Panel
from othello.gui.toolkit.style import Style
from othello.gui.toolkit.switches import Choice
from othello.gui.toolkit.words import Label
from othello.play.career import careers
from othello.play.library import Library, Listed, head_of
from othello.players.registry import PLAYERS
from othello.rules.protocol import Color
from othello.texts import say

READABLE: Final = (".json", ".txt")
_TABS: Final = ("games", "results", "files", "recent")


class OpenDialog(FolderDialog):
    """The person's games and results, files of a folder, and files that were opened before."""

    primary = "cancel"
    suffixes = READABLE

    def __init__(self, folder: Path, library: Library | None, style: Style, window: Rect) -> None:
        self.title = say("files.open_title")
        self._games = [] if library is None else library.games()
        self._recent = [] if library is None else library.recent()
        self._careers = careers(self._games)
        self._tab = "games" if self._games else "files"
        super().__init__(folder, style, window)

    def page(self) -> Panel:
        tabs = tuple((tab, say(f"files.tabs.{tab}")) for tab in _TABS)
        choice = Choice(tabs, self._tab, name="tab", height=36, width=min(self.room, 600))
        body = Column((*self.warning(self.fault), *self._listed()), gap=4)
        return Column((Row((choice, Space(grow=1)), gap=0), body), gap=16)

    def _listed(self) -> list[Panel]:
        match self._tab:
            case "results":
                return [results(self._careers, self.style)]
            case "files":
                return self.listed()
            case "games":
                rows = [entry_of(f"game:{index}", listed) for index, listed in enumerate(self._games)]
            case _:
                rows = [Entry(path.name, name=f"recent:{path}", right=str(path.parent)) for path in self._recent]
        return [*rows] or [Label(say("files.none"))]

    def foot(self) -> Foot:
        return answers(self.style, self.room, [("cancel", say("files.cancel"))], words=say("files.drop"))

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
            case "cancel":
                return gui.CloseDialog()
        return None


class LeftDialog(Notice):
    """Offers the game that was being played when the program ended unasked."""

    primary = "go_on"

    def __init__(self, path: Path, style: Style, window: Rect) -> None:
        self._path = path
        listed = head_of(path)
        text = "" if listed is None else say("files.left", players=_names(listed), date=listed.date.replace("T", " "))
        super().__init__(say("files.left_title"), text, style, window)

    def foot(self) -> Foot:
        buttons = [("not_now", say("files.not_now")), ("go_on", say("files.go_on"))]
        return answers(self.style, self.room, buttons)

    def use(self, name: str, value: Any) -> Command | None:
        return gui.OpenFile(self._path) if name == "go_on" else gui.CloseDialog()


def entry_of(name: str, listed: Listed) -> Entry:
    """A game in the list: when, who, what, how the game ended."""
    title = say(f"games.{listed.game}.title", listed.game)
    date, who = listed.date.replace("T", " "), _names(listed)
    known, right = listed.persons_accuracy, _result(listed)
    if known is not None:
        right = f"{right}  ·  {say('files.accuracy', percent=f'{100 * known:.0f}')}"
    texts = ("  ·  ".join(filter(None, parts)) for parts in ((date[:16], who, title), (date[:10], who), (who,)))
    label, *shorter = texts
    return Entry(label, name=name, right=right, shorter=tuple(shorter))


def _names(listed: Listed) -> str:
    """Who played."""
    black, white = (_name(entry) for entry in listed.players)
    return say("files.players", black=black, white=white)


def _name(entry: dict[str, object]) -> str:
    kind, level = str(entry.get("player_type", "")), entry.get("level")
    if "name" in entry and wording.is_level_name(entry["name"], level):
        return say(f"levels.{level}")  # the file's name was written in the language of that day
    if entry.get("name"):
        return str(entry["name"])
    if kind == "user":
        return say("players.you")
    return say(f"player_types.{kind}", PLAYERS[kind].title if kind in PLAYERS else kind)


def _result(listed: Listed) -> str:
    """How the game ended; the person's points come first, else the winner's."""
    winner = listed.result.get("winner")
    if winner not in ("black", "white", "draw"):
        return say("files.unfinished")
    if winner == "draw":
        return say("results.draw")
    person = listed.person
    points = [str(listed.result.get(color.label, "")) for color in Color]
    if (winner if person is None else person.label) == Color.WHITE.label:
        points.reverse()
    score = f"{points[0]} : {points[1]}" if all(points) else ""
    if person is not None:
        return say("files.won", score=score) if winner == person.label else say("files.lost", score=score)
    side = say(f"games.{listed.game}.{winner}", say(f"sides.{winner}"))
    return f"{say('results.wins', side=side)} {score}"
