"""Dialog that lists the games of a file and opens one of them."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Thread
from typing import Any, Final

from othello.errors import OthelloError
from othello.game import Game
from othello.gui import commands as gui, labels, ui
from othello.gui.dialogs.file_dialogs import ListDialog, Preview, date_of, ended, matches
from othello.records.formats.parsed_game import FileItem, ParsedGame, result_of
from othello.texts import tr

_MAX_GAMES: Final = 200_000  # listed games, to limit the memory they take
_SHOWN_MOVES: Final = 8  # moves that are listed if the players are unknown
_GAMES_PER_FRAME: Final = 20_000  # games that are compared with the search per frame
_POLL_SECONDS: Final = 0.1  # seconds between updates while games are read


class GamesReader(Thread):
    """Thread that reads games.

    Attributes:
        parsed_games: the games read so far.
        faults: the number of unreadable games.
        fault: the error in the first of them.
        is_stopped: set to end the thread.
    """

    def __init__(self, games: Iterator[FileItem]) -> None:
        super().__init__(name="games", daemon=True)
        self.parsed_games: list[ParsedGame] = []
        self.faults = 0
        self.fault: OthelloError | None = None
        self.is_stopped = False
        self._games = games
        self.start()

    def run(self) -> None:
        try:
            for game in self._games:
                self._add(game)
                if self.is_stopped or len(self.parsed_games) == _MAX_GAMES:
                    break
        except OthelloError as error:
            self._add(error)

    def _add(self, found: FileItem) -> None:
        if isinstance(found, ParsedGame):
            self.parsed_games.append(found)
            return
        self.faults += 1
        self.fault = self.fault or found


class GamesDialog(ListDialog):
    """Lists the games of a file while they are read.

    Args:
        games: yields the games.
        path: the file; None if the games are not from a file of games.
        title: title for games without a file; empty: the games were pasted.
    """

    buttons = ("cancel", "open")

    def __init__(self, games: Iterator[FileItem], path: Path | None, title: str = "") -> None:
        super().__init__()
        self._path, self._is_pasted = path, path is None and not title
        self.title = title or (tr("files.pasted_title") if path is None else path.name)
        self._reader = GamesReader(games)
        self._search = ""
        self._seen = 0  # number of games compared with the search text
        self._items = ui.LazySequence[ParsedGame, ui.ListItem]([], item_of)

    def entries(self) -> Sequence[ui.ListItem]:
        return self._items

    def content(self) -> ui.Widget:
        reader = self._reader
        count = len(self._items)
        words = tr("files.count", n=count, count=count)
        if reader.is_alive():
            words = tr("files.reading", n=count, count=count)
        elif len(reader.parsed_games) == _MAX_GAMES:
            words = tr("files.most", n=_MAX_GAMES, count=_MAX_GAMES)
        if reader.fault is not None:
            first = reader.fault.reason.sentence()
            words = f"{words}  {tr('files.faulty', n=reader.faults, count=reader.faults, reason=first)}"
        line = self.status_line(self.fault, words)
        search = ui.Row((self.search_field(self._search, tr("files.search")),))
        return ui.Column((search, line, self.with_preview(self.rows())), gap=8, grow=True)

    def preview_of(self, parsed: ParsedGame) -> Preview:
        game = Game.new(parsed.rules, parsed.start).after(parsed.moves)
        title = labels.full_title(game.rules)
        result = f"{_result(parsed)} · {_moves(parsed)}"
        return Preview(game, (_players(parsed), title, parsed.event, date_of(parsed.date), result))

    def footer_buttons(self) -> list[tuple[str, str]]:
        return [] if self._path is None else [("archive", tr("files.do.archive"))]

    def is_button_enabled(self, name: str) -> bool:
        return name != "open" or self.chosen is not None

    def update(self) -> gui.Command | None:
        """List the games read since the last update, and show the chosen game."""
        new = self._reader.parsed_games[self._seen : self._seen + _GAMES_PER_FRAME]
        if new:
            self._seen += len(new)
            self._items = ui.LazySequence([*self._items.sources, *filter(self._matches, new)], item_of)
        return super().update()

    def next_wake(self, now: float) -> float | None:
        return now + _POLL_SECONDS if self._reader.is_alive() or self._seen < len(self._reader.parsed_games) else None

    def leave(self) -> None:
        self._reader.is_stopped = True

    def _matches(self, parsed: ParsedGame) -> bool:
        """Return whether a game contains all words of the search."""
        text = f"{parsed.number} {parsed.players[0]} {parsed.players[1]} {parsed.date} {parsed.event}"
        return matches(self._search, text)

    def on_control_changed(self, name: str, value: Any) -> gui.Command | None:
        match name:
            case "search":
                self._search, self.pick = value, ui.Selection()
                self._seen, self._items = 0, ui.LazySequence[ParsedGame, ui.ListItem]([], item_of)
            case "rows":
                self.pick = value
                return self.on_control_changed("open", True) if value.opens else None
            case "open" if self.chosen is not None:
                self.below = None  # the dialog below must not appear again
                return gui.OpenListed(self.chosen, self.title, self._is_pasted)
            case "archive" if self._path is not None:
                self.below = None
                return gui.AddArchive((self._path,))
        return None


def item_of(parsed: ParsedGame) -> ui.ListItem:
    """Return the row of a game: number, players or first moves, date, event, result and number of moves."""
    who = _players(parsed) or " ".join(Game.new(parsed.rules, parsed.start).texts_of([*parsed.moves[:_SHOWN_MOVES]]))
    date = parsed.date[:10]
    event = "" if date and parsed.event.startswith(date) else parsed.event  # the event is only a date
    labels = (f"{parsed.number}", who, date, event), (f"{parsed.number}", who, date), (who,)
    return ui.ListItem.of(labels, f"{_result(parsed)}  ·  {_moves(parsed)}", parsed)


def _players(parsed: ParsedGame) -> str:
    """Return the names of the players; empty if both are unknown."""
    black, white = (name or "?" for name in parsed.players)
    return tr("files.players", black=black, white=white) if any(parsed.players) else ""


def _moves(parsed: ParsedGame) -> str:
    count = sum(not parsed.rules.is_pass(move) for move in parsed.moves)
    return tr("files.moves", n=count, count=count)


def _result(parsed: ParsedGame) -> str:
    result = parsed.result
    if not result and (difference := parsed.difference) is not None:
        result = result_of(difference)
    return ended(parsed.rules.spec.game, result)
