"""The games of a file that holds many, one of which is opened."""

from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any, Final

from othello.errors import OthelloError
from othello.game import Game
from othello.gui import commands as gui
from othello.gui import ui, wording
from othello.gui.commands import Command
from othello.gui.dialogs.files import ListDialog, Look
from othello.gui.dialogs.listing import ended
from othello.records.formats.sheet import Found, Sheet, result_of
from othello.texts import say

_MOST: Final = 200_000  # games that are listed: the memory is for other things, too
_SHOWN: Final = 8  # moves of a game whose players nobody knows
_AT_ONCE: Final = 20_000  # games that are compared with the search before the window is drawn again
_SOON: Final = 0.1  # seconds until games that were read meanwhile are listed


class Reading(Thread):
    """Reads games in a thread of its own.

    Attributes:
        sheets: the games so far.
        faults: the number of unreadable games.
        fault: the error in the first of them.
        is_stopped: set it to end the thread.
    """

    def __init__(self, games: Iterator[Found]) -> None:
        super().__init__(name="games", daemon=True)
        self.sheets: list[Sheet] = []
        self.faults = 0
        self.fault: OthelloError | None = None
        self.is_stopped = False
        self._games = games
        self.start()

    def run(self) -> None:
        try:
            for found in self._games:
                self._add(found)
                if self.is_stopped or len(self.sheets) == _MOST:
                    break
        except OthelloError as error:
            self._add(error)

    def _add(self, found: Found) -> None:
        if isinstance(found, Sheet):
            self.sheets.append(found)
            return
        self.faults += 1
        self.fault = self.fault or found


class GamesDialog(ListDialog):
    """Lists the games of a file while they are read.

    Args:
        games: what is in the file.
        path: the file; None: the games have no file of their own.
        title: of the dialog, where the games have no file; empty: they were pasted.
    """

    buttons = ("cancel", "open")
    focus = "rows"

    def __init__(self, games: Iterator[Found], path: Path | None, title: str = "") -> None:
        super().__init__()
        self._path, self._is_pasted = path, path is None and not title
        self.title = title or (say("files.pasted_title") if path is None else path.name)
        self._reading = Reading(games)
        self._search = ""
        self._seen = 0  # how many games were compared with the search
        self._items = ui.Made[Sheet, ui.Item]([], item_of)
        self._look: tuple[Sheet | None, Look] = None, Look()

    @property
    def chosen(self) -> Sheet | None:
        """The game of the chosen row."""
        return self._items.sources[min(self.pick.row, len(self._items) - 1)] if self._items else None

    def content(self) -> ui.Panel:
        reading = self._reading
        count = len(self._items)
        words = say("files.count", n=count, count=count)
        if reading.is_alive():
            words = say("files.reading", n=count, count=count)
        elif len(reading.sheets) == _MOST:
            words = say("files.most", n=_MOST, count=_MOST)
        if reading.fault is not None:
            first = reading.fault.reason.sentence()
            words = f"{words}  {say('files.faulty', n=reading.faults, count=reading.faults, reason=first)}"
        rows = ui.Rows(self._items, self.pick, self.title, name="rows", grow=1)
        line = self.said(self.fault, words)
        search = ui.Row((self.searched(self._search),))
        return ui.Column((search, line, self.with_look(rows, self._look[1])), gap=8, grow=1)

    def footer_buttons(self) -> list[tuple[str, str]]:
        return [] if self._path is None else [("archive", say("files.do.archive"))]

    def is_button_enabled(self, name: str) -> bool:
        return name != "open" or self.chosen is not None

    def update(self) -> Command | None:
        """List what was read meanwhile, and look at the chosen game."""
        new = self._reading.sheets[self._seen : self._seen + _AT_ONCE]
        if new:
            self._seen += len(new)
            self._items = ui.Made([*self._items.sources, *(sheet for sheet in new if self._is_wanted(sheet))], item_of)
        if self._look[0] is not self.chosen:
            self._look = self.chosen, Look() if self.chosen is None else _look_at(self.chosen)
        return None

    def next_wake(self, now: float) -> float | None:
        return now + _SOON if self._reading.is_alive() or self._seen < len(self._reading.sheets) else None

    def leave(self) -> None:
        self._reading.is_stopped = True

    def _is_wanted(self, sheet: Sheet) -> bool:
        """Whether all words of the search are in what is told of a game."""
        told = f"{sheet.number} {sheet.players[0]} {sheet.players[1]} {sheet.date} {sheet.event}".lower()
        return all(word in told for word in self._search.lower().split())

    def on_control_changed(self, name: str, value: Any) -> Command | None:
        self.fault = ""
        match name:
            case "search":
                self._search, self.pick = value, ui.Pick()
                self._seen, self._items = 0, ui.Made[Sheet, ui.Item]([], item_of)
            case "rows":
                self.pick = value
                return self.on_control_changed("open", True) if value.opens else None
            case "open" if self.chosen is not None:
                self.below = None  # nothing else is opened there
                return gui.OpenListed(self.chosen, self.title, self._is_pasted)
            case "archive" if self._path is not None:
                self.below = None
                return gui.AddArchive((self._path,))
        return None


def item_of(sheet: Sheet) -> ui.Item:
    """A game in the list: its number, who, when, where, how it ended."""
    who = _players(sheet) or " ".join(Game.new(sheet.rules, sheet.start).texts_of([*sheet.moves[:_SHOWN]]))
    date = sheet.date[:10]
    event = "" if date and sheet.event.startswith(date) else sheet.event  # a tournament without a name
    labels = (f"{sheet.number}", who, date, event), (f"{sheet.number}", who, date), (who,)
    label, *shorter = ("  ·  ".join(filter(None, each)) for each in labels)
    return ui.Item(label, f"{_result(sheet)}  ·  {_moves(sheet)}", tuple(shorter))


def _look_at(sheet: Sheet) -> Look:
    game = Game.new(sheet.rules, sheet.start).after(sheet.moves)
    title = wording.full_title(game.rules)
    result = f"{_result(sheet)} · {_moves(sheet)}"
    return Look(game, (_players(sheet), title, sheet.event, sheet.date.replace("T", " ")[:16], result))


def _players(sheet: Sheet) -> str:
    """Who played; empty where nobody knows."""
    black, white = (name or "?" for name in sheet.players)
    return say("files.players", black=black, white=white) if any(sheet.players) else ""


def _moves(sheet: Sheet) -> str:
    count = sum(not sheet.rules.is_pass(move) for move in sheet.moves)
    return say("files.moves", n=count, count=count)


def _result(sheet: Sheet) -> str:
    result = sheet.result
    if not result and (difference := sheet.difference) is not None:
        result = result_of(difference)
    return ended(sheet.rules.spec.game, result)
