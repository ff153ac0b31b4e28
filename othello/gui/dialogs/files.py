"""The dialogs that open games: files, kept games, games that were left behind."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from othello.errors import OthelloError
from othello.game import AnyGame
from othello.gui import commands as gui
from othello.gui import wording
from othello.gui.commands import Command
from othello.gui.dialogs.dialog import Dialog
from othello.gui.dialogs.notices import Notice
from othello.gui.faces.board import BoardState
from othello.gui.faces.face import Face, face_of
from othello.gui.toolkit.field import Field
from othello.gui.toolkit.inputs import Key
from othello.gui.toolkit.layout import Column, First, Row
from othello.gui.toolkit.panel import Canvas, Panel
from othello.gui.toolkit.rows import Item, Pick, Rows
from othello.gui.toolkit.style import Size, Style
from othello.gui.toolkit.switches import Choice
from othello.gui.toolkit.words import Paragraph
from othello.play.library import Library, Listed, head_of
from othello.players.registry import PLAYERS
from othello.reading import is_folder
from othello.records.game_file import SUFFIX, Entry
from othello.records.recognition import WRITTEN, read_game
from othello.records.results import SUFFIXES as RESULTS
from othello.rules.protocol import Color, GameSpec
from othello.rules.registry import game_spec
from othello.texts import say

LINE: Final = 36  # how high tabs and fields are, and what is said of the list below them
READABLE: Final = tuple(WRITTEN)
_TABS: Final = ("games", "files", "recent")
_WITH_BOARD: Final = 620  # a page of fewer design pixels has no room for a board beside the list
_BOARD: Final = 200
_SEARCH: Final = 160  # how narrow the field may be beside the tabs


class Look(NamedTuple):
    """What is known of a file or a game beside its row: the game, or why there is none."""

    game: AnyGame | None = None
    words: tuple[str, ...] = ()


class Place(NamedTuple):
    """A row of a list, and the file or folder behind the row."""

    path: Path
    item: Item

    def has(self, words: str) -> bool:
        """Whether all of some words in lower case are in the row."""
        return all(word in f"{self.item.label} {self.item.right}".lower() for word in words.split())


class ListDialog(Dialog):
    """A dialog with a list.

    Attributes:
        pick: where the person is in the list.
        fault: why what was chosen last could not be read or written.
    """

    keeps_size = True
    fault = ""

    def __init__(self) -> None:
        self.pick = Pick()

    def refuse(self, reason: str) -> bool:
        self.fault = reason
        return True

    def said(self, fault: str, words: str) -> Panel:
        """What is wrong, else a few words about the list; there always is as much room for them."""
        color = self.style.palette.warning if fault else self.style.palette.muted
        return Paragraph(fault or words, 12, color, most=2, height=LINE)

    def searched(self, search: str) -> Field:
        """The field for what is searched in the list."""
        words = say("files.search")
        return Field(search, words, called=words, name="search", height=LINE, grow=1, least=_SEARCH)

    def with_look(self, rows: Panel, look: Look) -> Panel:
        """The list beside the board of what is chosen, where there is room."""
        if self.room < _WITH_BOARD:
            return rows
        game = look.game
        board = [] if game is None else [Picture(face_of(game.rules.spec, self.style.palette), _state(game))]
        told = (Paragraph(each, 13 if not index else 12) for index, each in enumerate(filter(None, look.words)))
        return Row((rows, Column((*board, *told), gap=4, width=_BOARD)), 16, "fill", grow=1)

    def key(self, key: Key) -> Command | None:
        """Ctrl+F leads to the search, Down from there to the list."""
        match key.name:
            case "Ctrl+F":
                self.stage.go_to("search")
            case "Down":
                self.stage.go_to("rows", shows=False)
        return None


class FolderDialog(ListDialog):
    """A dialog that lists a folder."""

    suffixes: tuple[str, ...] = ()  # how the names of the listed files end; without any, only folders are listed

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder if is_folder(folder) else Path.home()
        self._listed: tuple[Path, list[Place]] | None = None

    def places(self) -> list[Place]:
        """Everything that can be chosen."""
        if self._listed is None or self._listed[0] != self.folder:
            self._listed = self.folder, [*self._entries()]
        return self._listed[1]

    def _entries(self) -> Iterator[Place]:
        """Everything in the folder that can be chosen: the folder above, folders, files."""
        yield Place(self.folder.parent, Item(say("files.up"), say("files.folder")))
        with suppress(OSError):
            seen = [path for path in self.folder.iterdir() if not path.name.startswith(".")]
            folders = {path for path in seen if is_folder(path)}
            wanted = [path for path in seen if path in folders or path.name.lower().endswith(self.suffixes)]
            wanted.sort(key=lambda path: (path not in folders, path.name.lower()))
            for path in wanted:
                yield Place(path, Item(path.name, say("files.folder") if path in folders else ""))

    @property
    def chosen(self) -> Path | None:
        """The file or folder of the chosen row."""
        places = self.places()
        return places[min(self.pick.row, len(places) - 1)].path if places else None

    def rows(self) -> Panel:
        """The list."""
        items = tuple(place.item for place in self.places())
        return Rows(items, self.pick, name="rows", grow=1)

    def go(self, pick: Pick) -> Path | None:
        """Take a row; the file, where one is to be opened. A folder is gone into."""
        self.pick, self.fault = pick, ""
        path = self.chosen if pick.opens else None
        if path is None or not is_folder(path):
            return path
        before, self.folder = self.folder, path
        names = [place.path for place in self.places()]
        self.pick = Pick(names.index(before) if before in names[1:] else 0)
        return None


class OpenDialog(FolderDialog):
    """The person's games, files of a folder, and files that were opened before, each with a look at its board.

    Args:
        folder: where the dialog begins.
        library: the person's games, None where none are kept.
        spec: the game of a text that names none.
    """

    suffixes = READABLE + RESULTS
    buttons = ("cancel", "open")
    focus = "rows"

    def __init__(self, folder: Path, library: Library | None, spec: GameSpec) -> None:
        super().__init__(folder)
        self.title = say("files.open_title")
        self._library, self._spec = library, spec
        self._search = ""
        self._look: tuple[Path | None, Look] = None, Look()
        self._games: list[Place] = []
        self._found: tuple[object, list[Place]] | None = None  # what was listed last, and what for
        self._load()
        self._tab = "games" if self._games else "files"

    def _load(self) -> None:
        """Find the person's games."""
        games = [] if self._library is None else self._library.games()
        self._games, self._listed = [Place(listed.path, item_of(listed)) for listed in games], None
        self._found = None

    # What is in it.

    def places(self) -> list[Place]:
        wanted = self._tab, self._search, self.folder
        if self._found is None or self._found[0] != wanted:
            places = self._games
            if self._tab == "files":
                places = super().places()
            elif self._tab == "recent":
                recent = [] if self._library is None else self._library.recent()
                places = [Place(path, Item(path.name, str(path.parent))) for path in recent]
            self._found = wanted, [place for place in places if place.has(self._search.lower())]
        return self._found[1]

    def page(self) -> Panel:
        tabs = tuple((tab, say(f"files.tabs.{tab}")) for tab in _TABS)
        choice = Choice(tabs, self._tab, name="tab", height=LINE)
        search = self.searched(self._search)
        head = First((Row((choice, search)), Column((choice, search))))
        count = len(self.places())
        where = str(self.folder) if self._tab == "files" else say("files.count", n=count, count=count)
        line = self.said(self.fault, where if count else say("files.none"))
        return Column((head, line, self.with_look(self.rows(), self._look[1])), gap=8, grow=1)

    def aside(self) -> str:
        return say("files.drop")

    def beside(self) -> list[tuple[str, str]]:
        return [(name, say(f"files.do.{name}")) for name in ("rename", "delete", "restore")]

    def can(self, name: str) -> bool:
        match name:
            case "rename" | "delete":
                return self._library is not None and self._look[1].game is not None
            case "restore":
                return self._library is not None and self._library.can_restore
            case "open":
                return self.chosen is not None
        return True

    def update(self) -> Command | None:
        """Look into the chosen file."""
        if self._look[0] != self.chosen:
            self._look = self.chosen, _look_into(self.chosen, self._spec)
        return None

    # What happens.

    def key(self, key: Key) -> Command | None:
        """In the list, F2 renames and Delete deletes."""
        in_list = self.stage.focus == "rows"
        match key.name:
            case "F2" if in_list and self.can("rename"):
                return self.use("rename", True)
            case "Delete" if in_list and self.can("delete"):
                return self.use("delete", True)
            case "Ctrl+Z" if self.can("restore"):
                return self.use("restore", True)
        return super().key(key)

    def use(self, name: str, value: Any) -> Command | None:
        self.fault, path = "", self.chosen
        match name:
            case "tab":
                self._tab, self.pick = value, Pick()
            case "search":
                self._search, self.pick = value, Pick()
            case "rows":
                path = self.go(value)
                return None if path is None else gui.OpenFile(path)
            case "open":
                path = self.go(self.pick._replace(opens=True))
                return None if path is None else gui.OpenFile(path)
            case "rename" if path is not None:
                return gui.OpenOver(RenameDialog(path, self._rename))
            case "delete" | "restore":
                self._try(name, path)
        return None

    def _try(self, name: str, path: Path | None) -> None:
        """Delete a file, or bring one back."""
        assert self._library is not None
        try:
            if name == "restore":
                path = self._library.restore()
            elif path is not None:
                self._library.delete(path)
        except OthelloError as error:
            self.fault = error.reason.sentence()
        self._load()
        self._go_to(path)

    def _rename(self, path: Path, name: str) -> str:
        """Give a file another name; why that cannot be done, empty where it was."""
        assert self._library is not None
        try:
            path = self._library.rename(path, name)
        except OthelloError as error:
            return error.reason.sentence()
        self._load()
        self._go_to(path)
        return ""

    def _go_to(self, path: Path | None) -> None:
        """Choose a file, where it is in the list."""
        row = next((row for row, place in enumerate(self.places()) if place.path == path), self.pick.row)
        self.pick, self._look = Pick(row, self.pick.first), (None, Look())


class ArchiveDialog(FolderDialog):
    """Chooses a file of games, or all files of a folder, for the store."""

    suffixes = READABLE + RESULTS
    buttons = ("cancel", "add")
    focus = "rows"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.title = say("files.archive_title")

    def page(self) -> Panel:
        return Column((self.said(self.fault, str(self.folder)), self.rows()), gap=8, grow=1)

    def beside(self) -> list[tuple[str, str]]:
        return [("all", say("files.do.add_folder"))]

    def use(self, name: str, value: Any) -> Command | None:
        pick = value if name == "rows" else self.pick._replace(opens=True)
        path = self.folder if name == "all" else self.go(pick)
        return None if path is None else gui.AddArchive((path,))


class RenameDialog(Dialog):
    """Gives a file another name.

    Args:
        path: the file.
        rename: does so; returns why that cannot be done, empty where it was.
    """

    buttons = ("cancel", "rename")
    focus = "name"

    def __init__(self, path: Path, rename: Callable[[Path, str], str]) -> None:
        self.title, self._path, self._rename = say("files.rename_title"), path, rename
        self._suffix = SUFFIX if path.name.endswith(SUFFIX) else path.suffix
        self._name, self._fault = path.name.removesuffix(self._suffix), ""

    @property
    def is_sound(self) -> bool:
        name = self._name.strip()
        return bool(name) and not name.startswith(".") and not set(name) & set('\\/:*?"<>|\0')

    def page(self) -> Panel:
        name = Field(self._name, is_wrong=not self.is_sound, most=120, name="name", height=LINE)
        return Column((name, Paragraph(self._fault, 12, self.style.palette.warning, height=LINE)))

    def use(self, name: str, value: Any) -> Command | None:
        if name == "name":
            self._name, self._fault = value, ""
            return None
        self._fault = self._rename(self._path, f"{self._name.strip()}{self._suffix}")
        return None if self._fault else gui.CloseDialog()


class Picture(Panel):
    """A board, as wide as there is room."""

    face: Face
    state: BoardState

    def measure(self, style: Style, width: float) -> Size:
        return Size(width, width)

    def draw(self, on: Canvas) -> None:
        self.face.draw(on.surface, self.face.place(on.style, on.rect, on.style.px(6)), self.state, 0.0)


def _state(game: AnyGame) -> BoardState:
    return BoardState(game.position, last_move=game.last_move, is_over=game.is_over)


def _look_into(path: Path | None, spec: GameSpec) -> Look:
    """What is in a file."""
    if path is None or is_folder(path):
        return Look()
    if path.name.lower().endswith(RESULTS):
        return Look(None, (path.name, say("files.results")))
    try:
        game = read_game(path, spec).tree.game
    except OthelloError as error:
        return Look(None, (path.name, error.reason.sentence()))
    listed, moves = head_of(path), say("files.moves", n=game.ply, count=game.ply)
    title = " · ".join(filter(None, (wording.title(game.rules), wording.unusual_rules(game.rules))))
    if listed is None:
        return Look(game, (path.name, title, moves))
    return Look(game, (_names(listed), title, _date(listed), f"{_result(listed)} · {moves}"))


class LeftDialog(Notice):
    """Offers the game that was not finished when the program ended."""

    buttons = ("not_now", "go_on")

    def __init__(self, path: Path) -> None:
        self._path = path
        super().__init__(say("files.left_title"), _left(path))

    def use(self, name: str, value: Any) -> Command | None:
        return gui.OpenFile(self._path)


def _left(path: Path) -> str:
    """Against whom the game in a file is, and how far; empty where that cannot be made out."""
    listed = head_of(path)
    if listed is None:
        return ""
    with suppress(OthelloError):
        move, begun = read_game(path, game_spec(listed.game)).tree.game.ply + 1, _date(listed)
        if listed.person is None:
            return say("files.left", players=_names(listed), move=move, date=begun)
        return say("files.left_against", player=_name(listed, listed.person.opponent), move=move, date=begun)
    return _names(listed)


def _date(listed: Listed) -> str:
    """When the game began, to the minute."""
    return listed.date.replace("T", " ")[:16]


_OWN_NAME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d{6}(-\d+)?")  # of a file that nobody has given a name


def item_of(listed: Listed) -> Item:
    """A game in the list: its name where somebody has given one, when, who, what, how the game ended."""
    title = say(f"games.{listed.game}.title", listed.game)
    name = listed.path.name.removesuffix(SUFFIX)
    name = "" if _OWN_NAME.fullmatch(name) else name
    begun, who = _date(listed), _names(listed)
    known, right = listed.persons_accuracy, _result(listed)
    if known is not None:
        right = f"{right}  ·  {say('files.accuracy', percent=f'{100 * known:.0f}')}"
    labels = (name, begun, who, title), (name, begun[:10], who), (name or who,)
    label, *shorter = ("  ·  ".join(filter(None, each)) for each in labels)
    return Item(label, right, tuple(shorter))


def _names(listed: Listed) -> str:
    """Who played."""
    black, white = (_name(listed, color) for color in Color)
    return say("files.players", black=black, white=white)


def _name(listed: Listed, color: Color) -> str:
    """What a side was called while the game was played."""
    entry, has_person = listed.players[color], listed.players[color.opponent].get("player_type") == "user"
    kind, level, name = str(entry.get("player_type", "")), entry.get("level"), entry.get("name")
    if wording.is_level_name(name, level):
        return say(f"levels.{level}")  # the file's name was written in the language of that day
    if name:
        return str(name)
    if kind == "user":
        return _side(listed.game, color.label) if has_person else say("players.you")
    if program := entry.get("program"):
        return str(program)
    if has_person:
        return say("players.computer")
    return say(f"player_types.{kind}", PLAYERS[kind].title if kind in PLAYERS else kind)


def _result(listed: Listed) -> str:
    return ended(listed.game, listed.result, listed.person)


def ended(game: str, result: Entry, person: Color | None = None) -> str:
    """How a game ended, as its file has it; the person's points come first, else the winner's."""
    winner = result.get("winner")
    if winner not in ("black", "white"):
        return say("results.draw" if winner == "draw" else "files.unfinished")
    points = [str(result.get(color.label, "")) for color in Color]
    own = winner if person is None else person.label
    score = " : ".join(points[:: 1 if own == "black" else -1]) if all(points) else ""
    if person is not None:
        return say("files.won", score=score) if winner == person.label else say("files.lost", score=score)
    return say("files.wins", side=_side(game, winner), score=score).strip()


def _side(game: str, label: str) -> str:
    """What a side is called in a game of that name."""
    return say(f"games.{game}.{label}", say(f"sides.{label}"))
