"""The dialogs that open games: files, kept games, games that were left behind."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from operator import attrgetter
from pathlib import Path
from typing import Any, Final, NamedTuple

import platformdirs

from othello.errors import OthelloError
from othello.game import AnyGame
from othello.gui import commands as gui
from othello.gui import ui, wording
from othello.gui.commands import Command
from othello.gui.dialogs.dialog import Dialog
from othello.gui.dialogs.listing import date_of, item_of, name_of, names_of, result_of
from othello.gui.dialogs.notices import Notice
from othello.gui.faces.board import BoardState
from othello.gui.faces.face import Face, face_of
from othello.play.library import Library
from othello.reading import is_folder
from othello.records.game_file import SUFFIX, GameFile, Listed
from othello.records.recognition import WRITTEN, read_game
from othello.records.results import SUFFIXES as RESULTS
from othello.rules.protocol import GameSpec
from othello.texts import say

LINE: Final = 36  # how high tabs and fields are, and what is said of the list below them
READABLE: Final = tuple(WRITTEN)
_ITEM: Final = attrgetter("item")
_TABS: Final = ("games", "files", "recent")
_WITH_BOARD: Final = 620  # a page of fewer design pixels has no room for a board beside the list
_BOARD: Final = 200
_SEARCH: Final = 160  # how narrow the field may be beside the tabs
_FOLDERS: Final = ("user_desktop_dir", "user_documents_dir", "user_downloads_dir")  # as `platformdirs` calls them


class Look(NamedTuple):
    """What is known of a file or a game beside its row: the game, or why there is none."""

    game: AnyGame | None = None
    words: tuple[str, ...] = ()


class Place(NamedTuple):
    """A row of a list, and the file, folder or game behind the row."""

    what: Path | Listed
    item: ui.Item

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
    field = "search"  # the field for all that is typed

    def __init__(self) -> None:
        self.pick = ui.Pick()

    def refuse(self, reason: str) -> bool:
        self.fault = reason
        return True

    def said(self, fault: str, words: str) -> ui.Panel:
        """What is wrong, else a few words about the list; there always is as much room for them."""
        color = self.style.palette.warning if fault else self.style.palette.muted
        return ui.Paragraph(fault or words, 12, color, max_lines=2, height=LINE)

    def searched(self, search: str, words: str = "") -> ui.Field:
        """The field for what is searched in the list."""
        words = words or say("files.search")
        return ui.Field(
            search, words, max_length=1000, called=words, name="search", height=LINE, grow=1, min_content=_SEARCH
        )

    def with_look(self, rows: ui.Panel, look: Look) -> ui.Panel:
        """The list beside the board of what is chosen, where there is room."""
        if self.content_width < _WITH_BOARD:
            return rows
        game = look.game
        board = [] if game is None else [Picture(face_of(game.rules.spec, self.style.palette), _state(game))]
        told = (ui.Paragraph(each, 13 if not index else 12) for index, each in enumerate(filter(None, look.words)))
        return ui.Row((rows, ui.Column((*board, *told), gap=4, width=_BOARD)), 16, "fill", grow=1)

    def key(self, key: ui.Key) -> Command | None:
        """Go to the field with Ctrl+F and with all that is typed, and from there to the list with Down."""
        if key.name == "Down":
            self.stage.go_to("rows", shows=False)
        elif key.name == "Ctrl+F" or key.text.strip():  # the letter itself follows, as the window's text input
            self.stage.go_to(self.field)
        elif key.name == "Ctrl+V":
            self.stage.go_to(self.field)
            for use in self.stage.key(key) or ():
                self.on_control_changed(self.field, use.value if isinstance(use, ui.Use) else "")
        return None


def path_in(text: str) -> Path | None:
    """Return the absolute path that is typed or pasted, with or without quotes, or None if the text is none."""
    path = Path(text.strip().strip("\"'"))
    with suppress(RuntimeError):  # there is no such person
        path = path.expanduser()
    return path if path.is_absolute() else None


class FolderDialog(ListDialog):
    """A dialog that lists a folder, in which a path can be typed."""

    suffixes: tuple[str, ...] = ()  # how the names of the listed files end; without any, only folders are listed

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder if is_folder(folder) else Path.home()
        self.typed = ""  # in the search field: words, or a path
        self._entries_of = lru_cache(maxsize=1)(self._entries)
        self._found: tuple[object, Sequence[Place]] | None = None  # what was listed last, and what for
        usual = (Path(getattr(platformdirs, name)()) for name in _FOLDERS)
        drives = map(Path, getattr(os, "listdrives", list)())  # only on Windows
        self._usual_folders = Path.home(), *filter(is_folder, usual), Path.cwd(), *drives

    @property
    def wanted(self) -> tuple[object, ...]:
        """What is to be listed."""
        return self.folder, self.typed

    def places(self) -> Sequence[Place]:
        """Return everything that can be chosen and that is searched for."""
        if self._found is None or self._found[0] != self.wanted:
            places, path = self.everything(), path_in(self.typed)
            if path is not None:
                places = [*self._at(path, places)]
            elif self.typed.strip():
                words = self.typed.lower()
                found = (place for place in places if place.has(words))
                places = sorted(found, key=lambda place: not place.item.label.lower().startswith(words))
            self._found = self.wanted, places
        return self._found[1]

    def everything(self) -> Sequence[Place]:
        """Return everything that can be chosen without a search."""
        return self._entries_of(self.folder)

    def _at(self, path: Path, places: Sequence[Place]) -> Iterator[Place]:
        """List a typed path, whatever it is called, and all that begins like it."""
        if path == self.folder:
            yield from places
        elif path.parent == self.folder:
            found = [place for place in places[1:] if str(place.what).lower().startswith(str(path).lower())]
            if os.path.lexists(path):
                yield next((place for place in found if place.what == path), Place(path, ui.Item(path.name)))
            yield from (place for place in found if place.what != path)

    def _entries(self, folder: Path) -> list[Place]:
        """Return the parent of a folder, its folders, and its files with one of the suffixes."""
        places = [Place(folder.parent, ui.Item(say("files.up"), say("files.folder")))]
        with suppress(OSError):
            seen = [path for path in folder.iterdir() if not path.name.startswith(".")]
            folders = {path for path in seen if is_folder(path)}
            wanted = [path for path in seen if path in folders or path.name.lower().endswith(self.suffixes)]
            wanted.sort(key=lambda path: (path not in folders, path.name.lower()))
            places += [
                Place(path, ui.Item(path.name, say("files.folder") if path in folders else "")) for path in wanted
            ]
        return places

    @property
    def chosen(self) -> Path | Listed | None:
        """What is behind the chosen row."""
        places = self.places()
        return places[min(self.pick.row, len(places) - 1)].what if places else None

    def content(self) -> ui.Panel:
        line = self.said(self.fault, "" if self.places() else say("files.not_found"))
        head = self.searched(self.typed, say("files.path")), self.where()
        return ui.Column((ui.First((ui.Row(head), ui.Column(head))), line, self.rows()), gap=8, grow=1)

    def rows(self) -> ui.Panel:
        """The list."""
        return ui.Rows(ui.Made(self.places(), _ITEM), self.pick, self.title, name="rows", grow=1)

    def where(self) -> ui.Panel:
        """The folder, in a list of all folders above it and of those that people keep files in."""
        near = dict.fromkeys((self.folder, *self.folder.parents, *self._usual_folders))
        folders = tuple((folder, str(folder)) for folder in near)
        return ui.Select(
            folders, self.folder, say("files.place"), name="folder", height=LINE, grow=1, min_content=_SEARCH
        )

    def key(self, key: ui.Key) -> Command | None:
        if key.name == "Backspace" and not self.typed and self.stage.focus != "name":
            self.enter(self.folder.parent)
            return None
        return super().key(key)

    def on_control_changed(self, name: str, value: Any) -> Command | None:
        self.fault = ""
        if name in ("rows", self.buttons[-1]):
            what = self.go(value if name == "rows" else self.pick._replace(opens=True))
            return None if what is None else self.open(what)
        if name == "folder":
            self.enter(value)
        elif name == "search":
            self.typed, self.pick, path = value, ui.Pick(), path_in(value)
            if path is not None:
                self.show_folder_of(path, value)
        return None

    def open(self, what: Path | Listed) -> Command | None:
        """Return what follows when a file or a game is opened."""
        return None

    def show_folder_of(self, path: Path, text: str) -> None:
        """List the folder in which a typed path lies, or which it is if the text ends like one; if there is one."""
        self.folder = next(filter(is_folder, (path, path.parent)[not text.endswith(os.sep) :]), self.folder)

    def go(self, pick: ui.Pick) -> Path | Listed | None:
        """Take a row; the file or game, where one is to be opened. A folder is gone into."""
        self.pick, self.fault = pick, ""
        path = self.chosen if pick.opens else None
        if not isinstance(path, Path) or not is_folder(path):
            return path
        self.enter(path)
        return None

    def enter(self, folder: Path) -> None:
        """List a folder, at first at the row of the one that was left."""
        before, self.folder, self.typed = self.folder, folder, ""
        names = [place.what for place in self.places()]
        self.pick = ui.Pick(names.index(before) if before in names[1:] else 0)


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
        self._look: tuple[Path | Listed | None, Look] = None, Look()
        self._games: Sequence[Place] = ()
        self._load()
        self._tab = "games" if self._games else "files"

    def _look_into(self, what: Path | Listed | None) -> Look:
        """What is in a file, or a game of the person's own."""
        if what is None or (isinstance(what, Path) and is_folder(what)):
            return Look()
        if isinstance(what, Path) and what.name.lower().endswith(RESULTS):
            return Look(None, (what.name, say("files.results")))
        try:
            if isinstance(what, Path):
                return _look_at(read_game(what, self._spec), what.name)
            assert self._library is not None
            return _look_at(self._library.game(what.number)[0], what.name)
        except OthelloError as error:
            return Look(None, (what.name, error.reason.sentence()))

    def _load(self) -> None:
        """Find the person's games."""
        games = [] if self._library is None else self._library.games()
        self._games, self._found = ui.Made(games, lambda listed: Place(listed, item_of(listed))), None
        self._entries_of.cache_clear()

    # What is in it.

    @property
    def wanted(self) -> tuple[object, ...]:
        return self._tab, *super().wanted

    def everything(self) -> Sequence[Place]:
        if self._tab == "recent":
            recent = [] if self._library is None else self._library.recent()
            return [Place(path, ui.Item(path.name, str(path.parent))) for path in recent]
        return super().everything() if self._tab == "files" else self._games

    def content(self) -> ui.Panel:
        tabs = tuple((tab, say(f"files.tabs.{tab}")) for tab in _TABS)
        choice = ui.Choice(tabs, self._tab, called=self.title, name="tab", height=LINE)
        search = self.searched(self.typed, say("files.path"))
        head: ui.Panel = ui.First((ui.Row((choice, search)), ui.Column((choice, search))))
        count = len(self.places())
        words = say("files.count", n=count, count=count) if count else say("files.none")
        line: ui.Panel = self.said(self.fault, say("files.not_found") if self.typed and not count else words)
        if self._tab == "files" and count and not self.fault:
            line = ui.Row((self.where(),))
        return ui.Column((head, line, self.with_look(self.rows(), self._look[1])), gap=8, grow=1)

    def footer_note(self) -> str:
        return say("files.drop")

    def footer_buttons(self) -> list[tuple[str, str]]:
        return [(name, say(f"files.do.{name}")) for name in ("rename", "delete", "restore", "export")]

    def is_button_enabled(self, name: str) -> bool:
        match name:
            case "rename" | "delete":
                return self._library is not None and self._look[1].game is not None
            case "export":
                return bool(self._games)
            case "restore":
                return self._library is not None and self._library.can_restore
            case "open":
                return self.chosen is not None
        return True

    def update(self) -> Command | None:
        """Look into the chosen file."""
        if self._look[0] != self.chosen:
            self._look = self.chosen, self._look_into(self.chosen)
        return None

    # What happens.

    def key(self, key: ui.Key) -> Command | None:
        """Rename with F2; in the list, delete with Delete."""
        in_list = self.stage.focus == "rows"
        match key.name:
            case "F2" if self.is_button_enabled("rename"):
                return self.on_control_changed("rename", True)
            case "Delete" if in_list and self.is_button_enabled("delete"):
                return self.on_control_changed("delete", True)
            case "Ctrl+Z" if self.is_button_enabled("restore"):
                return self.on_control_changed("restore", True)
            case "Backspace" if self._tab != "files":
                return None
        return super().key(key)

    def on_control_changed(self, name: str, value: Any) -> Command | None:
        if name == "search" and path_in(value) is not None:
            self._tab = "files"
        following, chosen, library = super().on_control_changed(name, value), self.chosen, self._library
        match name:
            case "tab":
                self._tab, self.pick = value, ui.Pick()
            case "export":
                return gui.Open("export")
            case "rename" if library is not None and chosen is not None:
                return gui.OpenOver(RenameDialog(chosen, partial(self._change, chosen, library.rename)))
            case "delete" if library is not None and chosen is not None:
                self.fault = self._change(chosen, library.delete)
            case "restore" if library is not None:
                self.fault = self._change(chosen, lambda _: library.restore())
        return following

    def open(self, what: Path | Listed) -> Command | None:
        return gui.OpenOwn(what.number) if isinstance(what, Listed) else gui.OpenFile(what)

    def _change(self, what: Path | Listed | None, change: Callable[..., Path | Listed | None], *values: Any) -> str:
        """Change the library, and choose the result. Returns why the change failed, or an empty string."""
        fault = ""
        try:
            what = change(what, *values)
        except OthelloError as error:
            fault = error.reason.sentence()
        self._load()
        self._go_to(what)
        return fault

    def _behind_rows(self) -> Sequence[object]:
        places = self.places()
        return places.sources if isinstance(places, ui.Made) else [place.what for place in places]

    def _go_to(self, what: Path | Listed | None) -> None:
        """Choose a file or a game, if it is in the list; what is searched for may hide it."""
        known = self._behind_rows()
        if self.typed and what not in known:
            self.typed = ""
            known = self._behind_rows()
        row = known.index(what) if what in known else self.pick.row
        self.pick, self._look = ui.Pick(row, self.pick.first), (None, Look())


class ArchiveDialog(FolderDialog):
    """Chooses a file of games, or all files of a folder, for the store."""

    suffixes = READABLE + RESULTS
    buttons = ("cancel", "add")
    focus = "rows"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.title = say("files.archive_title")

    def footer_buttons(self) -> list[tuple[str, str]]:
        return [("all", say("files.do.add_folder"))]

    def on_control_changed(self, name: str, value: Any) -> Command | None:
        return gui.AddArchive((self.folder,)) if name == "all" else super().on_control_changed(name, value)

    def open(self, what: Path | Listed) -> Command | None:
        return gui.AddArchive((what,)) if isinstance(what, Path) else None


class RenameDialog(Dialog):
    """Gives a file or a game another name.

    Args:
        what: the file, or the game.
        rename: called with the new name; returns why the renaming failed, or an empty string.
    """

    buttons = ("cancel", "rename")
    focus = "name"

    def __init__(self, what: Path | Listed, rename: Callable[[str], str]) -> None:
        self.title, self._what, self._rename = say("files.rename_title"), what, rename
        self._suffix = ""
        if isinstance(what, Path):
            self._suffix = SUFFIX if what.name.endswith(SUFFIX) else what.suffix
        self._name, self._fault = what.name.removesuffix(self._suffix), ""

    @property
    def is_valid(self) -> bool:
        name = self._name.strip()
        if isinstance(self._what, Listed):
            return "\0" not in name
        return bool(name) and not name.startswith(".") and not set(name) & set('\\/:*?"<>|\0')

    def content(self) -> ui.Panel:
        name = ui.Field(self._name, is_wrong=not self.is_valid, max_length=120, name="name", height=LINE)
        return ui.Column((name, ui.Paragraph(self._fault, 12, self.style.palette.warning, height=LINE)))

    def on_control_changed(self, name: str, value: Any) -> Command | None:
        if name == "name":
            self._name, self._fault = value, ""
            return None
        self._fault = self._rename(f"{self._name.strip()}{self._suffix}")
        return None if self._fault else gui.PlainCommand.CLOSE_DIALOG


class Picture(ui.Panel):
    """A board, as wide as there is room."""

    face: Face
    state: BoardState

    def measure(self, style: ui.Style, width: float) -> ui.Size:
        return ui.Size(width, width)

    def draw(self, on: ui.Canvas) -> None:
        self.face.draw(on.surface, self.face.place(on.style, on.rect, on.style.px(6)), self.state, 0.0)


def _state(game: AnyGame) -> BoardState:
    return BoardState(game.position, last_move=game.last_move, is_over=game.is_over)


def _look_at(file: GameFile, name: str) -> Look:
    """What there is to see of a game; `name`: of its file, where nobody says who played."""
    game, listed = file.tree.game, Listed.of(file)
    title, moves = wording.full_title(game.rules), say("files.moves", n=game.number, count=game.number)
    if file.players is None:
        return Look(game, (name, title, moves))
    return Look(game, (names_of(listed), title, date_of(listed), f"{result_of(listed)} · {moves}"))


class LeftDialog(Notice):
    """Offers the game that was not finished when the program ended."""

    buttons = ("not_now", "go_on")

    def __init__(self, left: Listed, library: Library) -> None:
        self._left, self._library, words = left, library, names_of(left)
        with suppress(OthelloError):
            game = library.game(left.number)[0].tree.game
            move, begun = game.number + 1, date_of(left)
            words = say("files.left", players=words, move=move, date=begun)
            if left.person is not None:
                player = name_of(left, left.person.opponent)
                words = say("files.left_against", player=player, move=move, date=begun)
            words = f"{wording.full_title(game.rules)} · {words}"
        super().__init__(say("files.left_title"), words)

    def footer_buttons(self) -> list[tuple[str, str]]:
        return [("never", say("files.left_never"))]

    def on_control_changed(self, name: str, value: Any) -> Command | None:
        if name == "go_on":
            return gui.OpenOwn(self._left.number)
        self._library.forget_left()
        return gui.PlainCommand.CLOSE_DIALOG
