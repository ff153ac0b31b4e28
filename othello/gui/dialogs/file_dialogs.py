"""Dialogs that open games: from files, from the user's games, or the game that was not finished."""

import os
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import platformdirs

from othello.errors import OthelloError, printable
from othello.files import is_folder
from othello.game import AnyGame
from othello.gui import commands as gui, labels, ui
from othello.gui.boards.board_layout import BoardState
from othello.gui.boards.renderer import BoardRenderer, renderer_for
from othello.gui.dialogs.dialog import Dialog
from othello.gui.dialogs.notices import MessageDialog
from othello.players.levels import COUNT
from othello.players.player_registry import PLAYERS
from othello.records.game_file import SUFFIX, Entry, GameFile, GameListEntry
from othello.records.readers import WRITTEN, read_game
from othello.records.results import SUFFIXES as RESULTS
from othello.rules.protocol import Color, GameSpec
from othello.study.library import Library
from othello.texts import person, side_name, tr

LINE_HEIGHT: Final = 36  # of tabs and fields, and of the text below them
READABLE_SUFFIXES: Final = tuple(WRITTEN)
_KEYS: Final = {"F2": "rename", "Delete": "delete", "Ctrl+Z": "restore"}
_TABS: Final = ("games", "files", "recent")
_WITH_BOARD: Final = 620  # minimum width of the content for a board beside the list, in design pixels
_BOARD: Final = 200
_PLACE: Final[Mapping[str, Any]] = {"height": LINE_HEIGHT, "grow": 1, "min_content": 160}  # controls above the list
_FOLDERS: Final = ("user_desktop_dir", "user_documents_dir", "user_downloads_dir")  # functions of platformdirs


Target: TypeAlias = Path | GameListEntry
"""The item of a row in a list: a file or folder, or one of the user's games."""


class Preview(NamedTuple):
    """The board and the texts beside the list: about the chosen game, or why it cannot be read."""

    game: AnyGame | None = None
    texts: tuple[str, ...] = ()


def matches(words: str, text: str) -> bool:
    """Return whether a text contains all words of a search."""
    return all(word in text.lower() for word in words.lower().split())


class ListDialog(Dialog):
    """Base of the dialogs with a list and a field for a search.

    Attributes:
        pick: the chosen row and the scroll position.
        field: name of the field that takes typed text while another control has the focus.
    """

    focus = "rows"
    keeps_size = True
    field = "search"

    def __init__(self) -> None:
        self.pick = ui.Selection()
        self.preview: tuple[object, Preview] = None, Preview()  # the target, and its preview

    @abstractmethod
    def entries(self) -> Sequence[ui.ListItem]:
        """Return the rows."""

    @property
    def chosen(self) -> Any:
        """The value of the chosen row; None if there are no rows."""
        entries = self.entries()
        return entries[min(self.pick.row, len(entries) - 1)].data if entries else None

    def rows(self) -> ui.Widget:
        return ui.ListView(self.entries(), self.pick, accessible_name=self.title, name="rows", grow=True)

    def preview_of(self, target: Any) -> Preview:
        """Return the preview of a target."""
        return Preview()

    def update(self) -> gui.Command | None:
        chosen = self.chosen
        if self.preview[0] is not chosen:
            self.preview = chosen, Preview() if chosen is None else self.preview_of(chosen)
        return None

    def show_error(self, reason: str) -> bool:
        self.fault = reason
        return True

    def status_line(self, fault: str, text: str) -> ui.Widget:
        """Return a line for a fault, or else for a text about the list. Its height is always the same."""
        color = self.style.palette.warning if fault else self.style.palette.muted
        return ui.Paragraph(fault or text, 12, color, max_lines=2, height=LINE_HEIGHT)

    def search_field(self, search: str, hint: str) -> ui.TextField:
        return ui.TextField(search, hint, max_length=1000, accessible_name=hint, name="search", **_PLACE)

    def with_preview(self, rows: ui.Widget) -> ui.Widget:
        """Return the list, beside the preview of the chosen row if there is room."""
        if self.content_width < _WITH_BOARD:
            return rows
        game, texts = self.preview[1]
        board = [] if game is None else [Picture(renderer_for(game.rules.spec, self.style.palette), _state(game))]
        lines = (ui.Paragraph(text, 12 if index else 13) for index, text in enumerate(filter(None, texts)))
        return ui.Row((rows, ui.Column((*board, *lines), gap=4, width=_BOARD)), 16, "fill", grow=True)

    def key(self, key: ui.Key) -> gui.Command | None:
        """Focus the list with Down, and the field with Ctrl+F and with everything that is typed or pasted."""
        if key.name == "Down":
            self.widgets.go_to("rows", shows=False)
        elif key.name == "Ctrl+F" or key.text.strip():  # the letter itself follows as text input
            self.widgets.go_to(self.field)
        elif key.name == "Ctrl+V":
            self.widgets.go_to(self.field)
            for use in self.widgets.key(key) or ():
                self._use(ui.ControlChanged(self.field, use.value if isinstance(use, ui.ControlChanged) else ""), 0.0)
        return None


def typed_path(text: str) -> Path | None:
    """Return the absolute path in a text, with or without quotes, or None if the text is no absolute path."""
    path = Path(text.strip().strip("\"'"))
    with suppress(RuntimeError):  # ~NAME, if there is no such user
        path = path.expanduser()
    return path if path.is_absolute() else None


class FolderDialog(ListDialog):
    """Base of the dialogs that list a folder. A path can be typed into the field."""

    suffixes: tuple[str, ...] = ()  # of the listed files; empty: only folders are listed

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder if is_folder(folder) else Path.home()
        self.typed = ""  # text of the search field: words or a path
        self._entries_of = lru_cache(maxsize=1)(self.list_folder)
        self._found: tuple[object, Sequence[ui.ListItem]] | None = None  # key and result of the last search
        usual = (Path(getattr(platformdirs, name)()) for name in _FOLDERS)
        drives = map(Path, getattr(os, "listdrives", list)())  # only on Windows
        self._usual_folders = Path.home(), *filter(is_folder, usual), Path.cwd(), *drives

    @property
    def _search_key(self) -> tuple[object, ...]:
        """The values that the result of entries() depends on."""
        return self.folder, self.typed

    def entries(self) -> Sequence[ui.ListItem]:
        """Return the rows that match the search."""
        if self._found is None or self._found[0] != self._search_key:
            entries, path = self.all_entries(), typed_path(self.typed)
            if path is not None:
                entries = [*self._at(path, entries)]
            elif self.typed.strip():
                matching = (entry for entry in entries if matches(self.typed, f"{entry.label} {entry.right}"))
                entries = sorted(matching, key=lambda entry: not entry.label.lower().startswith(self.typed.lower()))
            self._found = self._search_key, entries
        return self._found[1]

    def all_entries(self) -> Sequence[ui.ListItem]:
        """Return the rows without a search."""
        return self._entries_of(self.folder)

    def _at(self, path: Path, entries: Sequence[ui.ListItem]) -> Iterator[ui.ListItem]:
        """Yield the entry of a typed path, even if it is not listed, and entries that begin with the path."""
        if path == self.folder:
            yield from entries
        elif path.parent == self.folder:
            matching = [entry for entry in entries[1:] if str(entry.data).lower().startswith(str(path).lower())]
            if os.path.lexists(path):
                yield next((entry for entry in matching if entry.data == path), ui.ListItem(path.name, data=path))
            yield from (entry for entry in matching if entry.data != path)

    def list_folder(self, folder: Path) -> list[ui.ListItem]:
        """Return the parent of a folder, its folders, and its files with one of the suffixes."""
        entries = [ui.ListItem(tr("files.up"), tr("files.folder"), data=folder.parent)]
        with suppress(OSError):
            paths = [path for path in folder.iterdir() if not path.name.startswith(".")]
            folders = {path for path in paths if is_folder(path)}
            wanted = [path for path in paths if path in folders or path.name.lower().endswith(self.suffixes)]
            wanted.sort(key=lambda path: (path not in folders, path.name.lower()))
            for path in wanted:
                entries.append(ui.ListItem(path.name, tr("files.folder") if path in folders else "", data=path))
        return entries

    def content(self) -> ui.Widget:
        line = self.status_line(self.fault, "" if self.entries() else tr("files.not_found"))
        head = self.search_field(self.typed, tr("files.path")), self.folder_select()
        return ui.Column((ui.FirstThatFits((ui.Row(head), ui.Column(head))), line, self.rows()), gap=8, grow=True)

    def folder_select(self) -> ui.Widget:
        """Return a list to choose the folder from: its parents, common folders and drives."""
        folders = dict.fromkeys((self.folder, *self.folder.parents, *self._usual_folders))
        options = tuple((folder, str(folder)) for folder in folders)
        return ui.Select(options, self.folder, tr("files.place"), name="folder", **_PLACE)

    def key(self, key: ui.Key) -> gui.Command | None:
        if key.name == "Backspace" and not self.typed and self.widgets.focus != "name":
            self.show_folder(self.folder.parent)
            return None
        return super().key(key)

    def on_control_changed(self, name: str, value: Any) -> gui.Command | None:
        if name in ("rows", self.buttons[-1]):
            target = self.select(value if name == "rows" else self.pick._replace(opens=True))
            return None if target is None else self.open(target)
        if name == "folder":
            self.show_folder(value)
        elif name == "search":
            self.typed, self.pick = value, ui.Selection()
            self.show_folder_of_path(value)
        return None

    def open(self, target: Target) -> gui.Command | None:
        """Return the command that opens a file or a game."""
        return None

    def show_folder_of_path(self, text: str) -> None:
        """List the folder of a path in a text, or the path itself if the text ends with a separator."""
        path = typed_path(text)
        if path is not None:
            self.folder = next(filter(is_folder, (path, path.parent)[not text.endswith(os.sep) :]), self.folder)

    def select(self, pick: ui.Selection) -> Target | None:
        """Choose a row. Returns the file or game to open; folders are listed instead."""
        self.pick = pick
        path = self.chosen if pick.opens else None
        if not isinstance(path, Path) or not is_folder(path):
            return path
        self.show_folder(path)
        return None

    def show_folder(self, folder: Path) -> None:
        """List a folder, and choose the row of the folder that was listed before."""
        before, self.folder, self.typed = self.folder, folder, ""
        names = [entry.data for entry in self.entries()]
        self.pick = ui.Selection(names.index(before) if before in names[1:] else 0)


class OpenDialog(FolderDialog):
    """Opens a game: one of the user's games, a file in a folder, or a recent file.

    Args:
        folder: the first folder that is listed.
        library: the user's games; None if games are not stored.
        spec: the game of files that do not name their game.
    """

    suffixes = READABLE_SUFFIXES + RESULTS
    buttons = ("cancel", "open")

    def __init__(self, folder: Path, library: Library | None, spec: GameSpec) -> None:
        super().__init__(folder)
        self.title = tr("files.open_title")
        self._library, self._spec = library, spec
        self._games: Sequence[ui.ListItem] = ()
        self._load()
        self._tab = "games" if self._games else "files"

    def preview_of(self, target: Target) -> Preview:
        if isinstance(target, Path) and is_folder(target):
            return Preview()
        if isinstance(target, Path) and target.name.lower().endswith(RESULTS):
            return Preview(None, (target.name, tr("files.results")))
        try:
            if isinstance(target, Path):
                return _preview_game(read_game(target, self._spec), target.name)
            assert self._library is not None
            return _preview_game(self._library.game(target.number)[0], target.name)
        except OthelloError as error:
            return Preview(None, (target.name, error.reason.sentence()))

    def _load(self) -> None:
        """Read the list of the user's games, and forget all cached lists."""
        games = [] if self._library is None else self._library.games()
        self._games, self._found = ui.LazySequence(games, item_of), None
        self._entries_of.cache_clear()

    # Content

    @property
    def _search_key(self) -> tuple[object, ...]:
        return self._tab, *super()._search_key

    def all_entries(self) -> Sequence[ui.ListItem]:
        if self._tab == "recent":
            recent = [] if self._library is None else self._library.recent()
            return [ui.ListItem(path.name, str(path.parent), data=path) for path in recent]
        return super().all_entries() if self._tab == "files" else self._games

    def content(self) -> ui.Widget:
        tabs = tuple((tab, tr(f"files.tabs.{tab}")) for tab in _TABS)
        choice = ui.SegmentedControl(tabs, self._tab, accessible_name=self.title, name="tab", height=LINE_HEIGHT)
        search = self.search_field(self.typed, tr("files.path"))
        head: ui.Widget = ui.FirstThatFits((ui.Row((choice, search)), ui.Column((choice, search))))
        count = len(self.entries())
        words = tr("files.count", n=count, count=count) if count else tr("files.none")
        line: ui.Widget = self.status_line(self.fault, tr("files.not_found") if self.typed and not count else words)
        if self._tab == "files" and count and not self.fault:
            line = ui.Row((self.folder_select(),))
        return ui.Column((head, line, self.with_preview(self.rows())), gap=8, grow=True)

    def footer_note(self) -> str:
        return tr("files.drop")

    def footer_buttons(self) -> list[tuple[str, str]]:
        return [(name, tr(f"files.do.{name}")) for name in ("rename", "delete", "restore", "export")]

    def is_button_enabled(self, name: str) -> bool:
        has_game = self._library is not None and self.preview[1].game is not None
        can_restore = self._library is not None and bool(self._library.deleted)
        enabled = {"rename": has_game, "delete": has_game, "export": bool(self._games), "restore": can_restore}
        return self.chosen is not None if name == "open" else enabled.get(name, True)

    # Input

    def key(self, key: ui.Key) -> gui.Command | None:
        """Rename with F2, delete with Delete in the list, and restore with Ctrl+Z."""
        button = _KEYS.get(key.name, "")
        if button and self.is_button_enabled(button) and (button != "delete" or self.widgets.focus == "rows"):
            return self.on_control_changed(button, True)
        return None if key.name == "Backspace" and self._tab != "files" else super().key(key)

    def on_control_changed(self, name: str, value: Any) -> gui.Command | None:
        if name == "search" and typed_path(value) is not None:
            self._tab = "files"
        following, chosen, library = super().on_control_changed(name, value), self.chosen, self._library
        match name:
            case "tab":
                self._tab, self.pick = value, ui.Selection()
            case "export":
                return gui.Open("export")
            case "rename" if library is not None and chosen is not None:
                return gui.PushDialog(RenameDialog(chosen, partial(self._change, chosen, library.rename)))
            case "delete" if library is not None and chosen is not None:
                self.fault = self._change(chosen, library.delete)
            case "restore" if library is not None:
                self.fault = self._change(chosen, lambda _: library.restore())
        return following

    def open(self, target: Target) -> gui.Command | None:
        return gui.OpenOwn(target.number) if isinstance(target, GameListEntry) else gui.OpenFile(target)

    def _change(self, target: Target | None, change: Callable[..., Target | None], *values: Any) -> str:
        """Change the library, and choose the result. Returns why the change failed, or an empty string."""
        fault = ""
        try:
            target = change(target, *values)
        except OthelloError as error:
            fault = error.reason.sentence()
        self._load()
        self._go_to(target)
        return fault

    def _behind_rows(self) -> Sequence[object]:
        entries = self.entries()
        return entries.sources if isinstance(entries, ui.LazySequence) else [entry.data for entry in entries]

    def _go_to(self, target: Target | None) -> None:
        """Choose the row of a file or game. Ends a search that hides the row."""
        known = self._behind_rows()
        if self.typed and target not in known:
            self.typed = ""
            known = self._behind_rows()
        row = known.index(target) if target in known else self.pick.row
        self.pick, self.preview = ui.Selection(row, self.pick.first), (None, Preview())


class ArchiveDialog(FolderDialog):
    """Chooses files whose games are added to the store: one file, or all files of a folder."""

    suffixes = READABLE_SUFFIXES + RESULTS
    buttons = ("cancel", "add")

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.title = tr("files.archive_title")

    def footer_buttons(self) -> list[tuple[str, str]]:
        return [("all", tr("files.do.add_folder"))]

    def on_control_changed(self, name: str, value: Any) -> gui.Command | None:
        return gui.AddArchive((self.folder,)) if name == "all" else super().on_control_changed(name, value)

    def open(self, target: Target) -> gui.Command | None:
        return gui.AddArchive((target,)) if isinstance(target, Path) else None


class RenameDialog(Dialog):
    """Renames a file or a game.

    Args:
        target: the file or the game.
        rename: called with the new name; returns why the renaming failed, or an empty string.
    """

    buttons = ("cancel", "rename")
    focus = "name"

    def __init__(self, target: Target, rename: Callable[[str], str]) -> None:
        self.title, self._target, self._rename = tr("files.rename_title"), target, rename
        own = SUFFIX if target.name.endswith(SUFFIX) else ""
        self._suffix = (own or target.suffix) if isinstance(target, Path) else ""
        self._name = target.name.removesuffix(self._suffix)

    @property
    def is_valid(self) -> bool:
        name = self._name.strip()
        if isinstance(self._target, GameListEntry):
            return "\0" not in name
        return bool(name) and not name.startswith(".") and not set(name) & set('\\/:*?"<>|\0')

    def content(self) -> ui.Widget:
        name = ui.TextField(self._name, is_wrong=not self.is_valid, max_length=120, name="name", height=LINE_HEIGHT)
        fault = ui.Paragraph(self.fault, 12, self.style.palette.warning, height=LINE_HEIGHT)
        return ui.Column((name, fault), accessible_name=self.title)

    def on_control_changed(self, name: str, value: Any) -> gui.Command | None:
        if name == "name":
            self._name = value
            return None
        self.fault = self._rename(f"{self._name.strip()}{self._suffix}")
        return None if self.fault else gui.PlainCommand.CLOSE_DIALOG


class Picture(ui.Widget):
    """Picture of a board, as wide as its place."""

    renderer: BoardRenderer
    state: BoardState

    def measure(self, style: ui.Style, width: float) -> ui.Size:
        return ui.Size(width, width)

    def draw(self, on: ui.PaintContext) -> None:
        self.renderer.draw(on.surface, self.renderer.layout_in(on.style, on.rect, on.style.px(6)), self.state, 0.0)


def _state(game: AnyGame) -> BoardState:
    return BoardState(game.position, last_move=game.last_move, is_over=game.is_over)


def _preview_game(file: GameFile, name: str) -> Preview:
    """Return the preview of a game. `name` is the name of the file, for a game without players."""
    game, listed = file.tree.game, GameListEntry.of(file)
    title, moves = labels.full_title(game.rules), tr("files.moves", n=game.number, count=game.number)
    if file.players is None:
        return Preview(game, (name, title, moves))
    return Preview(game, (names_of(listed), title, date_of(listed.headers.date), f"{result_of(listed)} · {moves}"))


def date_of(date: str) -> str:
    """Return the date of a game, to the minute if it has a time."""
    return date.replace("T", " ")[:16]


def item_of(listed: GameListEntry) -> ui.ListItem:
    """Return the row of a game: its name if it has one, date, players, kind of game and result."""
    title = tr(f"games.{listed.headers.game}.title", listed.headers.game)
    date, who = date_of(listed.headers.date), names_of(listed)
    known, right = listed.persons_accuracy, result_of(listed)
    if known is not None:
        right = f"{right}  ·  {tr('files.accuracy', percent=f'{100 * known:.0f}')}"
    name = printable(listed.name)
    return ui.ListItem.of(((name, date, who, title), (name, date[:10], who), (name or who,)), right, listed)


def names_of(listed: GameListEntry) -> str:
    black, white = (name_of(listed, color) for color in Color)
    return tr("files.players", black=black, white=white)


def name_of(listed: GameListEntry, color: Color) -> str:
    """Return the name of a side. Names of levels are in the language in use, not in that of the file."""
    players = listed.headers.players
    entry, has_user = players[color], players[color.opponent].get("player_type") == "user"
    kind, level, name = str(entry.get("player_type", "")), entry.get("level"), entry.get("name")
    is_level = type(level) is int and 1 <= level <= COUNT
    if is_level and (not name or labels.is_level_name(name, level)):
        return tr(f"levels.{level}")
    if name:
        return str(name)
    if kind == "user":
        return side_name(listed.headers.game, color.label) if has_user else person()
    return str(entry.get("program") or tr(f"player_types.{kind}", PLAYERS[kind].title if kind in PLAYERS else kind))


def result_of(listed: GameListEntry) -> str:
    return ended(listed.headers.game, listed.headers.result, listed.person)


def ended(game: str, result: Entry, person: Color | None = None) -> str:
    """Return the result of a game in words, with Black's points first.

    Args:
        game: name of the kind of game.
        result: the result as its file has it.
        person: side of the user, who reads "won" or "lost" instead of the winner's colour.
    """
    winner = result.get("winner")
    if winner not in ("black", "white"):
        return tr("results.draw" if winner == "draw" else "files.unfinished")
    points = [str(result.get(color.label, "")) for color in Color]
    score = " : ".join(points) if all(points) else ""
    if person is not None:
        return tr("files.won", score=score) if winner == person.label else tr("files.lost", score=score)
    return tr("files.wins", side=side_name(game, winner), score=score).strip()


class ResumeGameDialog(MessageDialog):
    """Offers to resume the game that was not finished when the program ended."""

    buttons = ("not_now", "go_on")

    def __init__(self, left: GameListEntry, library: Library) -> None:
        self._left, self._library, words = left, library, names_of(left)
        with suppress(OthelloError):
            game = library.game(left.number)[0].tree.game
            move, date = game.number + 1, date_of(left.headers.date)
            words = tr("files.left", players=words, move=move, date=date)
            if left.person is not None:
                player = name_of(left, left.person.opponent)
                words = tr("files.left_against", player=player, move=move, date=date)
            words = f"{labels.full_title(game.rules)} · {words}"
        super().__init__(tr("files.left_title"), words)

    def footer_buttons(self) -> list[tuple[str, str]]:
        return [("never", tr("files.left_never"))]

    def on_control_changed(self, name: str, value: Any) -> gui.Command | None:
        if name == "go_on":
            return gui.OpenOwn(self._left.number)
        self._library.forget_left()
        return gui.PlainCommand.CLOSE_DIALOG
