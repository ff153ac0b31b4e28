"""Open, save, copy, paste and drop: what a person does with games as files and as texts, and the dialogs for it."""

from __future__ import annotations

import io
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Protocol

import pygame
from pygame import Rect

from othello.errors import OthelloError
from othello.game import Game
from othello.gui import commands as gui
from othello.gui import theme, wording
from othello.gui.choices import Choice
from othello.gui.commands import Command
from othello.gui.controls import Button, Field
from othello.gui.dialog import Dialog
from othello.gui.faces.board import BoardState
from othello.gui.faces.face import Face
from othello.gui.layout import Layout
from othello.gui.scenes.editor import EditMode
from othello.gui.scenes.mode import Mode
from othello.gui.sheet import Page
from othello.gui.texts import say
from othello.gui.theme import Style
from othello.gui.views.files import Row, listed_row, names
from othello.play import commands as play
from othello.play.archive import kept, opened
from othello.play.library import Library, head_of
from othello.play.session import Session
from othello.records.game_file import SUFFIX, format_game
from othello.records.recognition import format_text, read_game, recognise
from othello.writing import write_bytes

_KINDS: Final = {"game": SUFFIX, "moves": ".txt", "board": ".board.txt", "picture": ".png"}
_READABLE: Final = (".json", ".txt")
_PICTURE_SIZE: Final = 1024
_MOST_ENTRIES: Final = 300
_ROW: Final = 36


class Desk(Protocol):
    """What the scene is for files."""

    session: Session
    face: Face
    layout: Layout
    dialog: Dialog | None
    mode: Mode | None

    def do(self, command: Command, now: float) -> None: ...


class Files:
    """What the window does with files.

    Args:
        library: the person's games, None where none are kept.
    """

    def __init__(self, library: Library | None) -> None:
        self.library = library
        self.folder = Path.home()
        self._told = ""

    def do(self, command: Command, desk: Desk, now: float) -> bool:
        """Carry a command out; False where it is about something else."""
        if desk.session.is_rated:
            return False
        style, window = desk.layout.style, desk.layout.window
        match command:
            case gui.Open("open"):
                desk.dialog = OpenDialog(self, style, window)
            case gui.Open("save"):
                desk.dialog = SaveDialog(self, style, window)
            case gui.Open("left") if self.library is not None and self.library.left is not None:
                desk.dialog = LeftDialog(self.library.left, style, window)
            case gui.OpenFile(path):
                self._open(path, desk, now)
            case gui.SaveFile(path, kind):
                self._save(path, kind, desk, now)
            case gui.TakePosition(mode) if isinstance(desk.mode, EditMode):
                if desk.mode.position is not None:
                    game = Game.new(desk.session.game.rules, desk.mode.position)
                    desk.do(play.OpenGame(game), now)
                    desk.do(gui.SwitchMode(mode), now)
            case gui.Dismiss() if isinstance(desk.mode, EditMode):
                desk.do(gui.SwitchMode("play"), now)
            case gui.Copy(is_board):
                game = desk.session.shown
                text = game.rules.format_position(game.position) if is_board else format_text(game)
                with suppress(pygame.error):
                    pygame.scrap.put_text(text or game.rules.format_position(game.position))
                desk.do(gui.Tell(say("files.copied_board") if is_board else say("files.copied_moves")), now)
            case gui.Paste():
                self._paste(clipboard(), desk, now)
            case _:
                return False
        return True

    def follow(self, desk: Desk, now: float) -> None:
        """Keep the game as it goes on, and tell once where that fails."""
        if self.library is None:
            return
        self.library.follow(desk.session, now)
        notice = self.library.notice
        if notice != self._told:
            self._told = notice
            if notice:
                desk.dialog = desk.dialog or Notice(
                    say("files.not_kept"), notice, desk.layout.style, desk.layout.window
                )

    def _open(self, path: Path, desk: Desk, now: float) -> None:
        try:
            file = read_game(path, desk.session.game.rules.spec)
            command = opened(file)
        except OthelloError as error:
            self._refuse(str(error), desk)
            return
        self._put(command, desk, now)
        self._remember(path)
        if self.library is not None:
            self.library.adopt(desk.session.history, path)
        desk.do(gui.Tell(say("files.opened", file=path.name)), now)

    def _paste(self, text: str, desk: Desk, now: float) -> None:
        try:
            command = opened(recognise(text, desk.session.game.rules.spec))
        except OthelloError as error:
            self._refuse(str(error), desk)
            return
        self._put(command, desk, now)
        desk.do(gui.Tell(say("files.pasted")), now)

    @staticmethod
    def _put(command: play.OpenGame, desk: Desk, now: float) -> None:
        desk.session.do(command, now)
        desk.dialog = None

    @staticmethod
    def _refuse(reason: str, desk: Desk) -> None:
        if isinstance(desk.dialog, OpenDialog):
            desk.dialog.refuse(reason)
        else:
            desk.dialog = Notice(say("files.not_opened"), reason, desk.layout.style, desk.layout.window)

    def _remember(self, path: Path) -> None:
        """Begin there the next time. The games' own folder is the program's."""
        if self.library is None or path.parent != self.library.folder:
            self.folder = path.parent
            if self.library is not None and path.name.endswith(_READABLE):
                self.library.remember(path)

    def _save(self, path: Path, kind: str, desk: Desk, now: float) -> None:
        history, game = desk.session.history, desk.session.shown
        try:
            if kind == "picture":
                data = picture_of(desk.face, game.position, wording.last_move(game))
            elif kind == "game":
                data = format_game(kept(history.tree, history.referee, time.strftime("%Y-%m-%dT%H:%M:%S"))).encode()
            else:
                text = game.rules.format_position(game.position) if kind == "board" else format_text(history.game)
                data = f"{text}\n".encode()
            write_bytes(path, data)
        except OthelloError as error:
            if isinstance(desk.dialog, SaveDialog):
                desk.dialog.refuse(str(error))
            return
        self._remember(path)
        desk.dialog = None
        desk.do(gui.Tell(say("files.saved", file=path.name)), now)


def clipboard() -> str:
    """What was copied last, wherever that was; empty where it is no text."""
    try:
        return pygame.scrap.get_text()
    except (pygame.error, UnicodeDecodeError):
        return ""


def picture_of(face: Face, position: Any, last_move: int | None) -> bytes:
    """A board as a PNG."""
    surface = pygame.Surface((_PICTURE_SIZE, _PICTURE_SIZE))
    style = Style(_PICTURE_SIZE / 656)
    place = face.place(style, surface.get_rect(), style.px(24))
    face.draw(surface, place, BoardState(position, last_move=last_move), 0.0)
    stream = io.BytesIO()
    pygame.image.save(surface, stream, "board.png")
    return stream.getvalue()


class _FileDialog(Dialog):
    """What lists a folder and can be refused."""

    def __init__(self, files: Files, style: Style, window: Rect) -> None:
        self._files, self._fault = files, ""
        self._folder = files.folder if files.folder.is_dir() else Path.home()
        super().__init__(style, window)

    def refuse(self, reason: str) -> None:
        """Say why what was asked cannot be done."""
        self._fault = reason
        self.version += 1
        self.rewrite()

    def _fill_fault(self, page: Page, y: float) -> float:
        """Write it, and say where to go on."""
        lines = page.style.wrap(self._fault, 13, round(page.width * page.style.scale), 3)
        for line in lines:
            page.text(line, 0, y + 10, color=theme.WARNING)
            y += 22
        return y

    def _fill_folder(self, page: Page, y: float, suffixes: tuple[str, ...]) -> None:
        page.text(str(self._folder), 0, y + 8, size=12, width=page.width)
        y += 28
        for name, path, label in self._entries(suffixes):
            right = say("files.folder") if path.is_dir() else ""
            page.add(Row(name, page.rect(0, y, page.width, _ROW - 4), label=label, right=right))
            y += _ROW

    def _entries(self, suffixes: tuple[str, ...]) -> list[tuple[str, Path, str]]:
        """Control, path and words of everything in the folder that can be chosen."""
        entries = [("path:..", self._folder.parent, say("files.up"))]
        with suppress(OSError):
            inside = sorted(self._folder.iterdir(), key=lambda path: (not path.is_dir(), path.name.lower()))
            shown = [path for path in inside if not path.name.startswith(".")]
            wanted = [path for path in shown if path.is_dir() or path.name.endswith(suffixes)]
            entries += [(f"path:{path.name}", path, path.name) for path in wanted[:_MOST_ENTRIES] if suffixes]
            entries += [(f"path:{path.name}", path, path.name) for path in wanted if not suffixes and path.is_dir()]
        return entries

    def _choose(self, name: str, suffixes: tuple[str, ...]) -> Path | None:
        """The file behind a row; a folder is gone into."""
        path = next((path for row, path, _ in self._entries(suffixes) if row == name), None)
        if path is not None and path.is_dir():
            self._folder, self._fault = path, ""
            self.to_top()
            return None
        return path


class OpenDialog(_FileDialog):
    """The person's games, files of a folder, and files that were opened before."""

    primary = "cancel"

    def __init__(self, files: Files, style: Style, window: Rect) -> None:
        self.title = say("files.open_title")
        library = files.library
        self._games = [] if library is None else library.games()
        self._recent = [] if library is None else library.recent()
        self._tab = "games" if self._games else "files"
        super().__init__(files, style, window)

    def fill(self, page: Page) -> None:
        tabs = (("games", say("files.games")), ("files", say("files.files")), ("recent", say("files.recent")))
        page.add(Choice("tab", page.rect(0, 0, min(page.width, 480), 36), options=tabs, value=self._tab))
        y = self._fill_fault(page, 52)
        if self._tab == "files":
            self._fill_folder(page, y, _READABLE)
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

    def fill_foot(self, page: Page) -> None:
        page.text(say("files.drop"), 0, 20, size=12, width=page.width - 140)
        page.add(Button("cancel", page.rect(page.width - 120, 0, 120, 40), label=say("files.cancel"), look="outline"))

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
                path = self._choose(name, _READABLE)
                return None if path is None else gui.OpenFile(path)
            case "cancel":
                return gui.CloseDialog()
        return None


class SaveDialog(_FileDialog):
    """What is saved, under which name, in which folder."""

    primary = "save"

    def __init__(self, files: Files, style: Style, window: Rect) -> None:
        self.title = say("files.save_title")
        self._kind = "game"
        self._name = say("files.name")
        super().__init__(files, style, window)
        self._focus = "name"

    @property
    def _path(self) -> Path:
        suffix = _KINDS[self._kind]
        name = self._name.strip()
        return self._folder / (name if name.endswith(suffix) else name + suffix)

    @property
    def _is_sound(self) -> bool:
        name = self._name.strip()
        return bool(name) and not set(name) & set('/\\:*?"<>|\0') and name not in (".", "..")

    def fill(self, page: Page) -> None:
        kinds = tuple((kind, say(f"files.kinds.{kind}")) for kind in _KINDS)
        page.add(Choice("kind", page.rect(0, 0, page.width, 36), options=kinds, value=self._kind))
        page.add(Field("name", page.rect(0, 52, page.width, 36), value=self._name, is_wrong=not self._is_sound))
        y = 100.0
        if self._path.exists() and not self._fault and self._is_sound:
            page.text(say("files.replaces", file=self._path.name), 0, y + 8, color=theme.WARNING, width=page.width)
            y += 28
        self._fill_folder(page, self._fill_fault(page, y), ())

    def fill_foot(self, page: Page) -> None:
        right = page.width - 160
        page.add(Button("cancel", page.rect(right - 136, 0, 120, 40), label=say("files.cancel"), look="outline"))
        button = Button("save", page.rect(right, 0, 160, 40), label=say("files.save"), look="primary")
        page.add(Button(button.name, button.rect, label=button.label, look=button.look, enabled=self._is_sound))

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


class Notice(Dialog):
    """A few words, and a button that closes them."""

    primary = "close_notice"

    def __init__(self, title: str, text: str, style: Style, window: Rect) -> None:
        self.title, self._text = title, text
        super().__init__(style, window)

    def fill(self, page: Page) -> None:
        for index, line in enumerate(page.style.wrap(self._text, 14, round(page.width * page.style.scale), 12)):
            page.text(line, 0, 12 + 24 * index, size=14)

    def fill_foot(self, page: Page) -> None:
        label = say("files.understood")
        page.add(Button("close_notice", page.rect(page.width - 160, 0, 160, 40), label=label, look="primary"))

    def use(self, name: str, value: Any) -> Command | None:
        return gui.CloseDialog()


class LeftDialog(Notice):
    """Offers the game that was being played when the program ended unasked."""

    primary = "go_on"

    def __init__(self, path: Path, style: Style, window: Rect) -> None:
        self._path = path
        listed = head_of(path)
        text = "" if listed is None else say("files.left", players=names(listed), date=listed.date.replace("T", " "))
        super().__init__(say("files.left_title"), text, style, window)

    def fill_foot(self, page: Page) -> None:
        right = page.width - 200
        page.add(Button("not_now", page.rect(right - 156, 0, 140, 40), label=say("files.not_now"), look="outline"))
        page.add(Button("go_on", page.rect(right, 0, 200, 40), label=say("files.go_on"), look="primary"))

    def use(self, name: str, value: Any) -> Command | None:
        return gui.OpenFile(self._path) if name == "go_on" else gui.CloseDialog()
