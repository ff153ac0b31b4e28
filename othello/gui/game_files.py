"""Games as files and as text: open, save, copy, paste and drop."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pygame
from pygame import Surface

from othello.errors import OthelloError, Reason, SideMissingError
from othello.files import BackgroundWriter, write_bytes, write_text
from othello.game import AnyGame
from othello.gui import commands as gui, labels, ui
from othello.gui.boards.board_layout import BoardState
from othello.gui.boards.renderer import BoardRenderer
from othello.gui.commands import CommandHandler
from othello.gui.platform.window import copy, pasted
from othello.play.history import History
from othello.play.session import Session
from othello.records.formats.parsed_game import FileItem, ParsedGame
from othello.records.formats.plain import format_text
from othello.records.game_file import GameFile, format_game
from othello.records.readers import WRITTEN, first_of, format_diagram, games_in, read_games
from othello.rules.protocol import Color, GameSpec
from othello.study.game_file_conversion import game_file_from, open_command
from othello.study.library import Library
from othello.texts import joined, tr

if TYPE_CHECKING:
    from othello.gui.dialogs.dialog import Dialog

_PICTURE_SIZE: Final = 1024
_FILM_SIZE: Final = 400
_FILM_COLORS: Final = 128
_MOVE_MILLISECONDS: Final = 800
_END_MILLISECONDS: Final = 4000
_CLOSE_SECONDS: Final = 10.0
_MAX_FAULTS: Final = 100  # faulty games before the rest of a file is read behind the list of games


class Files(CommandHandler):
    """Opens and saves games; `library` stores the user's games, None disables it."""

    def __init__(self, library: Library | None, session: Session, renderer: Callable[[], BoardRenderer]) -> None:
        self.library, self._session, self._renderer = library, session, renderer
        self.folder = Path.home()
        self._shown_notice: Reason | None = None
        self._recovered: Reason | None = None
        self._offered = False  # the unfinished game was offered
        self._writer = BackgroundWriter("films and exports")
        self._written: set[Path] = set()
        self._news: list[gui.Command] = []

    @property
    def is_busy(self) -> bool:
        """True while a file is written, or the unfinished game is loaded."""
        return bool(self._written or self._news) or (self.library is not None and self.library.is_beginning)

    def close(self) -> None:
        """Wait until all files are written."""
        self._writer.close(_CLOSE_SECONDS)

    def dialog(self, name: str, *, has_details: bool) -> Dialog | None:
        """Create a dialog for files by its name; return None for another name."""
        from othello.gui.dialogs.file_dialogs import ArchiveDialog, OpenDialog, ResumeGameDialog
        from othello.gui.dialogs.rating_history_dialog import ResultsDialog
        from othello.gui.dialogs.saving import ExportDialog, SaveDialog

        match name:
            case "open":
                return OpenDialog(self.folder, self.library, self._session.game.rules.spec)
            case "archive":
                return ArchiveDialog(self.folder)
            case "save":
                return SaveDialog(self.folder, _name(self._session), ParsedGame.of(_file(self._session)))
            case "export":
                return ExportDialog(self.folder)
            case "results":
                return ResultsDialog([] if self.library is None else self.library.games(), has_details=has_details)
            case "left" if self.library is not None and self.library.abandoned_game is not None:
                return ResumeGameDialog(self.library.abandoned_game, self.library)
        return None

    def take(self, command: object, now: float) -> gui.Answer:
        """Carry out a command for files. A tournament game is neither stored nor replaced."""
        if self._session.referee.job.is_rated:
            return gui.NOT_HANDLED
        try:
            return super().take(command, now)
        except OthelloError as error:
            return _refused(error)

    def follow(self, ended: Sequence[History], now: float, *, is_covered: bool) -> gui.Command | None:
        """Store the current game; return a command that reports a file, unless a dialog is open."""
        if self._news and not is_covered:
            return self._news.pop(0)
        if self.library is None:
            return None
        self.library.follow(self._session, now, ended)
        if is_covered:
            return None
        if self.library.abandoned_game is not None and not self._offered:
            self._offered = True
            return gui.Open("left")
        notice, recovered = self.library.notice, self.library.store_writer.notice
        if notice != self._shown_notice:
            self._shown_notice = notice
            return None if notice is None else gui.ShowError(tr("files.save_failure"), notice.sentence())
        if recovered is not self._recovered:
            self._recovered = recovered
            if recovered is not None:
                title = tr("files.recovered") if recovered.name == "store_damaged" else tr("files.save_failure")
                return gui.ShowError(title, recovered.sentence())
        return None

    @gui.handles(gui.OpenFile)
    def _open(self, command: gui.OpenFile, now: float) -> tuple[gui.Command, ...]:
        path = command.path
        following = self._begin(read_games(path, self._session.game.rules.spec), path, now)
        self._remember(path)
        return following

    @gui.handles(gui.OpenOwn)
    def _open_own(self, command: gui.OpenOwn, now: float) -> tuple[gui.Command, ...]:
        assert self.library is not None
        game, version = self.library.game(command.number)
        return self._put(game, tr("files.pasted"), now, command.number, version)

    @gui.handles(gui.OpenListed)
    def _open_listed(self, command: gui.OpenListed, now: float) -> tuple[gui.Command, ...]:
        following = self._put(command.parsed.opened, tr("files.opened", file=command.file), now)
        return self._analysed(following) if command.is_pasted else following

    @gui.handles(gui.Paste)
    def _paste(self, command: gui.Paste, now: float) -> tuple[gui.Command, ...]:
        return self._analysed(self._begin(_pasted(self._session.game.rules.spec, command.side), None, now))

    def _analysed(self, following: tuple[gui.Command, ...]) -> tuple[gui.Command, ...]:
        """Add a switch to Analyse after pasting an unfinished game, to keep a computer from continuing it."""
        if following[0] is gui.PlainCommand.CLOSE_DIALOG and not self._session.referee.is_over:
            return following[0], gui.SwitchMode("analyse"), *following[1:]
        return following

    def _begin(self, games: Iterator[FileItem], path: Path | None, now: float) -> tuple[gui.Command, ...]:
        """Open the only game of a file (None: of a text), or let the user choose one of many."""
        from othello.gui.dialogs.games import GamesDialog

        first: list[FileItem] = []
        for game in games:
            first.append(game)
            if len(first) == _MAX_FAULTS or (len(first) > 1 and any(isinstance(item, ParsedGame) for item in first)):
                return (gui.PushDialog(GamesDialog(chain(first, games), path)),)
        words = tr("files.pasted") if path is None else tr("files.opened", file=path.name)
        return self._put(first_of(first), words, now)

    def _put(
        self, game: GameFile, words: str, now: float, number: int | None = None, version: int = 0
    ) -> tuple[gui.Command, ...]:
        """Open a game; `number` and `version` as in `Library.adopt`."""
        session = self._session
        before, command = session.history, open_command(game)
        session.do(command, now)
        if self.library is not None and session.history is not before:
            self.library.adopt(session.history, number, version)
        notices = "; ".join(command.notices)
        return gui.PlainCommand.CLOSE_DIALOG, gui.ShowError(words, notices) if notices else gui.ShowMessage(words)

    def _remember(self, path: Path) -> None:
        """Start in the folder of this file next time."""
        from othello.gui.dialogs.file_dialogs import READABLE_SUFFIXES

        self.folder = path.parent
        if self.library is not None and path.name.endswith(READABLE_SUFFIXES):
            self.library.remember(path)

    @gui.handles(gui.SaveFile)
    def _save(self, command: gui.SaveFile, now: float) -> tuple[gui.Command, ...]:
        path, kind, renderer = command.path, command.kind, self._renderer()
        if kind == "film":
            return self._in_background(path, partial(_write_film, path, renderer, self._session.history.game))
        try:
            _write(path, kind, self._session, renderer)
        except OthelloError as error:
            return (gui.ShowError(tr("files.not_saved"), error.reason.sentence()),)
        if kind != "config":
            self._remember(path)
        return gui.PlainCommand.CLOSE_DIALOG, gui.ShowMessage(tr("files.saved", file=path.name))

    @gui.handles(gui.Copy)
    def _copy(self, command: gui.Copy, now: float) -> gui.Command:
        session = self._session
        game = session.view.shown
        board = game.rules.format_position(game.position)
        if not command.is_board:
            black, white = _names(session)
            head = f"X {black} – O {white}, {session.history.date[:10]}"
            board = "\n\n".join((head, format_diagram(game), format_text(game) or board))
        copy(board)
        return gui.ShowMessage(tr("files.copied_board") if command.is_board else tr("files.copied_moves"))

    @gui.handles(gui.ExportOwn)
    def _export_own(self, command: gui.ExportOwn, now: float) -> tuple[gui.Command, ...]:
        return self._in_background(command.path, partial(self._export, command.path, command.kind))

    def _in_background(self, path: Path, write: Callable[[], str]) -> tuple[gui.Command, ...]:
        """Write a large file in the writer's thread; `write` returns the message at its end."""

        def work() -> None:
            try:
                self._news.append(gui.ShowMessage(write()))
            except OthelloError as error:
                self._news.append(gui.ShowError(tr("files.not_saved"), error.reason.sentence()))
            self._written.discard(path)

        self._written.add(path)
        self._writer.do(path, work)
        self._remember(path)
        return gui.PlainCommand.CLOSE_DIALOG, gui.ShowMessage(tr("files.writing", file=path.name))

    def _export(self, path: Path, kind: str) -> str:
        """Write all of the user's games that the format can store."""
        from othello.gui.dialogs.saving import KINDS

        assert self.library is not None
        format_ = WRITTEN[KINDS[kind] or KINDS["game"]]
        games = self.library.parsed_games()
        readable = (game for game in games if isinstance(game, ParsedGame))
        parsed_games = [game for game in readable if format_.unsupported_reason(game) is None]
        (format_.save_each if kind == "each" else format_.save)(path, parsed_games)
        count, total = len(parsed_games), len(games)
        words = tr("convert.written", n=count, count=count, file=path.name)
        if count == total:
            return words
        return joined(words, Reason("games_left_out", {"count": total - count, "total": total}).sentence())


def _write_film(path: Path, renderer: BoardRenderer, game: AnyGame) -> str:
    write_bytes(path, film_of(renderer, game))
    return tr("files.saved", file=path.name)


def _write(path: Path, kind: str, session: Session, renderer: BoardRenderer) -> None:
    """Write a file of a kind: see `SaveFile`."""
    game = session.view.shown
    match kind:
        case "config":
            from othello.gui.dialogs import player_form

            players = [session.players[color] for color in Color]
            parts = player_form.parts_of(game.rules.spec, players, session.jobs.config.openings)
            player_form.save(path, {"game_type": "match", **parts})
        case "picture":
            is_over = session.view.is_at_latest and session.referee.forfeit is not None
            state = BoardState(game.position, last_move=game.last_move, is_over=is_over)
            write_bytes(path, picture_of(renderer, state))
        case "game":
            write_text(path, format_game(_file(session)))
        case "board":
            write_text(path, f"{game.rules.format_position(game.position)}\n")
        case "moves":
            write_text(path, f"{format_text(session.history.game)}\n")
        case _:
            WRITTEN[path.suffix].save(path, [ParsedGame.of(_file(session))])


def _name(session: Session) -> str:
    """Return a file name for the game: its players and date."""
    black, white = _names(session)
    return f"{tr('files.players', black=black, white=white)} {session.history.date[:10]}"


def _names(session: Session) -> tuple[str, ...]:
    """Return the names of both players, black first."""
    return tuple(labels.player_name(session.game.rules, session.players, color) for color in Color)


def _file(session: Session) -> GameFile:
    history = session.history
    return game_file_from(history.tree, history.referee, history.date)


def _refused(error: OthelloError) -> gui.Command:
    if isinstance(error, SideMissingError):
        from othello.gui.dialogs.notices import SideDialog

        return gui.PushDialog(SideDialog(tr("files.pasted_side"), tr("files.whose_turn")))
    return gui.ShowError(tr("files.not_opened"), error.reason.sentence())


def picture_of(renderer: BoardRenderer, state: BoardState) -> bytes:
    """Return a picture of a board as PNG with transparent corners."""
    stream = io.BytesIO()
    pygame.image.save(_drawn(renderer, state, _PICTURE_SIZE), stream, "board.png")
    return stream.getvalue()


def _pasted(spec: GameSpec, side: str) -> Iterator[FileItem]:
    """Yield the games of the clipboard, which is read when the first game is requested."""
    yield from games_in(f"{pasted()}\n{side} to move" if side else pasted(), spec)


def film_of(renderer: BoardRenderer, game: AnyGame) -> bytes:
    """Return an animation of a game as a looping GIF."""
    from PIL import Image

    size, frames = (_FILM_SIZE, _FILM_SIZE), []
    for moment in map(game.at, range(game.ply + 1)):
        state = BoardState(moment.position, last_move=moment.last_move, is_over=moment.is_over)
        surface = Surface(size)
        surface.fill(renderer.palette.background)
        surface.blit(_drawn(renderer, state, _FILM_SIZE), (0, 0))
        frames.append(Image.frombytes("RGB", size, pygame.image.tobytes(surface, "RGB")))
    colors = frames[-1].quantize(_FILM_COLORS)  # the last frame has all colours
    first, *others = (frame.quantize(palette=colors, dither=Image.Dither.NONE) for frame in frames)
    shown = [*[_MOVE_MILLISECONDS] * len(others), _END_MILLISECONDS]
    stream = io.BytesIO()
    first.save(stream, "GIF", save_all=True, append_images=others, duration=shown, loop=0)
    return stream.getvalue()


def _drawn(renderer: BoardRenderer, state: BoardState, size: int) -> Surface:
    """Return a surface with a board and transparent corners."""
    surface = Surface((size, size), pygame.SRCALPHA)
    style = ui.Style(size / 656, renderer.palette)
    renderer.draw(surface, renderer.layout_in(style, surface.get_rect(), style.px(24)), state, 0.0)
    return surface
