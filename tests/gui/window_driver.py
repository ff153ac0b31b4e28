"""A window without a screen, driven by real pygame events."""

import time
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, overload

import numpy as np
import pygame
from numpy.typing import NDArray

from othello.config import Config, PlayerConfig
from othello.game import AnyGame
from othello.gui import commands as gui, ui
from othello.gui.app import loop
from othello.gui.app.screen_manager import ScreenManager
from othello.gui.boards.board_layout import BoardLayout, BoardState
from othello.gui.boards.renderer import renderer_for
from othello.gui.dialogs.dialog import Dialog
from othello.gui.modes.analyse.analyse import SideRow
from othello.gui.modes.mode_host import Storage
from othello.gui.platform.window import DESIGN_SIZE
from othello.gui.preferences import palette_named
from othello.gui.screen import Screen
from othello.gui.screens.game_screen import GameScreen
from othello.gui.sounds import Sound
from othello.gui.widgets.board_widget import BOARD, BoardPanel, Status
from othello.gui.widgets.move_list import MOVES, MoveList, MoveTable
from othello.gui.widgets.side_cards import SideCard
from othello.play.analysis import Analysis, GameAnalysis
from othello.play.session import Session
from othello.play.worker import PlayerFactory, Worker
from othello.records.record import GameRecord
from othello.rules.othello import Othello
from othello.rules.protocol import GameSpec, Move, Square
from othello.store.database import Store
from tests.play.fake_players import make_judge, make_player
from tests.positions import SPEC

TIMEOUT = 20.0  # seconds
COMPILE_TIMEOUT = 240.0  # where kernels may have to be compiled first
W = TypeVar("W")
Kind: TypeAlias = type[W]
_KEYS = {"Enter": "RETURN", "Esc": "ESCAPE", "Page Up": "PAGEUP", "Page Down": "PAGEDOWN"}
_TEXTS = {"Tab": "\t", "Space": " "}
RENDERER = renderer_for(SPEC, palette_named())
SIZES = [(900, 600), (1280, 800), (901, 603), (900, 1400), (2560, 600), (3840, 2160)]


class EventDriver:
    """Posts pygame events, and runs the event loop until a condition holds."""

    scene: Screen | ScreenManager
    wake: float | None = None
    analyst: Worker | None = None  # of positions
    sounds: tuple[Sound, ...] = ()  # all that were played

    def turn(self) -> None:
        """Run one turn of the event loop, which sleeps at most 0.003 s."""
        soon = time.monotonic() + 0.003
        self._turn(soon if self.wake is None else min(soon, self.wake))

    def show(self) -> None:
        """Run one turn of the event loop without sleeping, and a second one if the loop asks for it at once."""
        self._turn(0.0)
        if self.wake == 0.0:
            self._turn(0.0)

    def _turn(self, until: float) -> None:
        self.wake = loop.turn(self.scene, until)
        self.sounds += self.screen.new_sounds

    def until(self, condition: Callable[[], object], seconds: float = TIMEOUT) -> None:
        """Run the event loop until a condition holds."""
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, f"not so after {seconds} s"
            self.turn()

    def settle(self) -> None:
        """Go on until the analysis has ended and nothing moves any more."""
        self.turn()
        self.until(lambda: self.analyst is None or not self.analyst.is_busy)
        self.until(lambda: self.wake is None or self.wake > time.monotonic() + 0.03)

    def post(self, *events: pygame.Event) -> None:
        """Post events, and run the event loop until what follows from them is shown."""
        for event in events:
            pygame.event.post(event)
        self.show()

    def key(self, key: int, text: str = "", mod: int = 0) -> None:
        event = pygame.event.Event
        is_text = text.isprintable() and text and not mod & (pygame.KMOD_CTRL | pygame.KMOD_ALT)
        written = [event(pygame.TEXTINPUT, text=text)] if is_text else []
        down, up = event(pygame.KEYDOWN, key=key, unicode=text, mod=mod), event(pygame.KEYUP, key=key, mod=mod)
        self.post(down, *written, up)

    def keys(self, *names: str) -> None:
        """Press keys by their names in the window, such as `Ctrl+Shift+Z` or `Page Up`."""
        for name in names:
            *modifiers, last = name.split("+")
            mod = sum(getattr(pygame, f"KMOD_{each.upper()}") for each in modifiers)
            if len(last) == 1:
                self.key(ord(last.lower()), "" if mod else last, mod)
            else:
                code = _KEYS.get(last, last.replace(" ", "").upper())
                self.key(getattr(pygame, f"K_{code}"), _TEXTS.get(last, ""), mod)

    def type(self, text: str) -> None:
        for letter in text:
            self.key(ord(letter), letter)

    def paste(self, text: str) -> None:
        pygame.scrap.put_text(text)
        self.keys("Ctrl+V")

    def click(self, at: tuple[int, int], button: int = pygame.BUTTON_LEFT) -> None:
        event = pygame.event.Event
        moved = event(pygame.MOUSEMOTION, pos=at, rel=(0, 0), buttons=(0, 0, 0))
        down, up = (event(kind, pos=at, button=button) for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP))
        self.post(moved, down, up)

    def press(self, *names: str, across: float = 0.5) -> None:
        """Click widgets by name, scrolled into sight, at a share of their width."""
        for name in names:
            self.screen.widgets.reveal(name)
            rect = self.placed(name).rect
            self.click((rect.left + round(across * rect.width), rect.centery))

    def point_at(self, at: tuple[int, int]) -> None:
        """Move the mouse, with no button held."""
        self.post(pygame.event.Event(pygame.MOUSEMOTION, pos=at, rel=(0, 0), buttons=(0, 0, 0)))

    def scroll(self, rows: int) -> None:
        self.post(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=-rows))

    def drop(self, path: Path) -> None:
        self.post(pygame.event.Event(pygame.DROPFILE, file=str(path)))

    def resize(self, size: tuple[int, int]) -> None:
        pygame.display.set_mode(size, pygame.RESIZABLE)
        self.post(pygame.event.Event(pygame.VIDEORESIZE, w=size[0], h=size[1], size=size))

    def do(self, command: object) -> None:
        self.screen.do(command, time.monotonic())
        self.show()

    def prefer(self, **wanted: object) -> None:
        """Change settings."""
        self.screen.preferences.change(**wanted)
        self.do(gui.PlainCommand.APPLY_PREFERENCES)

    def switch(self, mode: str) -> None:
        self.do(gui.SwitchMode(mode))

    def open(self, name: str) -> Dialog:
        """Open a dialog, or the help by the name of its topic."""
        self.do(gui.PlainCommand.TOGGLE_HELP if name in ("keys", "how_to_play") else gui.Open(name))
        return self.dialog()

    def use(self, *changes: tuple[str, object]) -> None:
        """Change controls of the open dialog by name."""
        for name, value in changes:
            self.screen.issue(self.dialog().on_control_changed(name, value))
            self._turn(0.0)

    @overload
    def dialog(self) -> Dialog: ...
    @overload
    def dialog(self, kind: Kind[W]) -> W: ...
    def dialog(self, kind: Any = Dialog) -> Any:
        """Return the open dialog, which has to be of a type."""
        assert isinstance(self.screen.dialog, kind)
        return self.screen.dialog

    @property
    def screen(self) -> Screen:
        return self.scene.active_screen

    def has(self, name: str) -> bool:
        """Return whether a widget of that name exists, visible or scrolled away."""
        return self.screen.widgets.find(name) is not None

    def placed(self, name: str) -> ui.LaidOutWidget:
        found = self.screen.widgets.find(name)
        assert found is not None, name
        return found

    def widget(self, name: str, kind: Kind[W]) -> W:
        """Return a widget by name, which has to be of a type."""
        found = self.placed(name).widget
        assert isinstance(found, kind)
        return found

    def panels(self, kind: Kind[W]) -> list[W]:
        """Return the widgets of a type, from above."""
        return [each.widget for each in self.screen.widgets.walk() if isinstance(each.widget, kind)]

    def is_enabled(self, name: str) -> bool:
        return self.placed(name).widget.is_enabled

    def words(self) -> list[str]:
        """Return the texts of all widgets, from above."""
        return [words for each in self.screen.widgets.walk() for words in words_of(each.widget)]

    def shows_words(self, part: str) -> bool:
        """Return whether a text of the window contains a part."""
        return any(part in words for words in self.words())


class WindowDriver(EventDriver):
    """A person at the window."""

    scene: GameScreen
    analyst: Worker

    def __init__(
        self,
        black: PlayerConfig,
        white: PlayerConfig,
        size: tuple[int, int] = DESIGN_SIZE,
        delay: float = 0.0,
        players: PlayerFactory = make_player,
        start: AnyGame | None = None,
        spec: GameSpec = SPEC,
        judges: PlayerFactory = make_judge,
        store: Callable[[], Store] | None = None,
    ) -> None:
        pygame.display.init()
        pygame.font.init()
        pygame.display.set_mode(size, pygame.RESIZABLE)
        pygame.event.clear()
        self.records: list[GameRecord] = []
        self.worker = Worker(players, grace_seconds=0.05)
        now = time.monotonic()
        config = Config((black, white), seed=5, move_delay_seconds=delay, game=spec)
        self.analyst = Worker(players, grace_seconds=0.05, analyses=True)
        self.judge = Worker(judges, grace_seconds=0.05, analyses=True)
        self.session = Session(
            config, self.worker, now, self.records.append, start=start, analyst=self.analyst, game_analyst=self.judge
        )
        self.scene = GameScreen(self.session, size, now, storage=Storage(store=store))
        self.wake = now
        self.turn()

    def tab_to(self, name: str) -> None:
        """Press Tab until a control has the focus."""
        passed: list[str] = []
        while self.scene.widgets.focus != name:
            assert len(passed) < 100, f"Tab never reached {name}, but {dict.fromkeys(passed)}"
            self.keys("Tab")
            passed.append(self.scene.widgets.focus)

    def write(self, letter: str, mod: int = 0) -> None:
        """Press a key with the text that SDL reports for it."""
        event, code = pygame.event.Event, ord(letter)
        down, up = event(pygame.KEYDOWN, key=code, unicode=letter, mod=mod), event(pygame.KEYUP, key=code, mod=mod)
        self.post(down, event(pygame.TEXTINPUT, text=letter), up)

    def click_square(self, name: str) -> None:
        self.click(self.board_place.square_rect(self.square(name)).center)

    def square(self, name: str) -> Square:
        """Return the square that the move of a name enters."""
        rules = self.session.game.rules
        return rules.squares_of(rules.parse_move(self.session.game.position, name))[-1]

    def canvas(self, name: str) -> ui.PaintContext:
        """Return the paint context of a widget, to find the places of its parts."""
        return ui.PaintContext(
            pygame.Surface((1, 1)), self.scene.style, self.placed(name).rect, input=ui.InputContext(self.scene.window)
        )

    @property
    def board_place(self) -> BoardLayout:
        place = self.scene.board_place
        assert place is not None
        return place

    @property
    def board(self) -> BoardState:
        """The state of the board on display."""
        return self.board_panel.state

    @property
    def board_panel(self) -> BoardPanel:
        return self.widget(BOARD, BoardPanel)

    @property
    def move_table(self) -> MoveTable:
        """The rectangles of the moves in the list."""
        return self.move_list.table(self.scene.style, self.placed(MOVES).rect)

    @property
    def cards(self) -> list[SideCard]:
        """The texts on the cards of both sides, black first."""
        panels = (each.widget for each in self.scene.widgets.walk())
        found = (panel.card if isinstance(panel, SideRow) else panel for panel in panels)
        return [panel for panel in found if isinstance(panel, SideCard)]

    @property
    def move_list(self) -> MoveList:
        return self.widget(MOVES, MoveList)

    @property
    def analysis(self) -> Analysis:
        """The analysis of the position on display."""
        assert self.session.analysis is not None
        return self.session.analysis

    @property
    def game_analysis(self) -> GameAnalysis:
        assert self.session.game_analysis is not None
        return self.session.game_analysis

    def rows_of_moves(self) -> range:
        """Return the rows of the list of moves that are seen."""
        return self.move_table.shown_rows(self.move_list.first_seen(self.move_table))

    @property
    def status(self) -> str:
        return self._status.meanwhile or self._status.words

    @property
    def is_bad(self) -> bool:
        """True if the line below the board reports an error."""
        return self._status.is_bad

    @property
    def _status(self) -> Status:
        return self.widget("status", Status)

    def use_text(self, per_cent: int) -> None:
        """Make the text of the window larger or smaller."""
        self.prefer(text_size=per_cent)

    def assert_laid_out(self) -> None:
        """Assert that every widget lies inside its parent, as far as required, and that siblings do not overlap."""
        for placed in self.scene.widgets.walk():
            is_page = isinstance(placed.widget, ui.ScrollView)
            around, parts = placed.rect.inflate(4, 4), [each for each in placed.parts if not is_space(each)]
            for part in parts:
                assert is_page or around.contains(part.rect), (placed, part)
                assert part.rect.height > 0, part
            if isinstance(placed.widget, ui.Row | ui.Column | ui.Flow | ui.Grid):
                for one, other in combinations(parts, 2):
                    assert not one.rect.inflate(-4, -4).colliderect(other.rect.inflate(-4, -4)), (one, other)

    def pixel(self, at: tuple[int, int]) -> tuple[int, int, int]:
        surface = pygame.display.get_surface()
        assert surface is not None
        red, green, blue, _ = surface.get_at(at)
        return red, green, blue

    def brightness(self, rect: pygame.Rect) -> NDArray[np.intp]:
        """Return the brightest of red, green and blue of every pixel, shape (width, height)."""
        surface = pygame.display.get_surface()
        assert surface is not None
        pixels: NDArray[np.intp] = pygame.surfarray.array3d(surface.subsurface(rect)).max(axis=2).astype(np.intp)
        return pixels

    def shows(self, name: str) -> str:
        """Return what lies on a square, by its looks."""
        rect = self.board_place.square_rect(self.square(name))
        red, green, blue = self.pixel((rect.centerx - rect.width // 5, rect.centery - rect.height // 8))
        if min(red, green, blue) > 180:
            return "white"
        return "black" if max(red, green, blue) < 90 and green < red + 25 else "empty"

    def moves(self) -> list[str]:
        return self.session.game.at(0).texts_of(self.session.game.moves)

    def close(self) -> None:
        self.scene.close()
        closed = all(worker.close(COMPILE_TIMEOUT) for worker in (self.worker, self.analyst, self.judge))
        pygame.display.quit()
        assert closed


OpenWindow: TypeAlias = Callable[..., WindowDriver]


def words_of(panel: object) -> list[str]:
    found = [getattr(panel, name, "") for name in ("words", "label", "title", "value")]
    return [each if isinstance(each, str) else each[0] for each in found if each and isinstance(each, str | tuple)]


def context_of(screen: Screen, placed: ui.LaidOutWidget, surface: pygame.Surface, **more: Any) -> ui.PaintContext:
    inner = placed.parts[0].rect if placed.parts else None
    return ui.PaintContext(surface, screen.style, placed.rect, inner=inner, **more)


def draw_part(screen: Screen, part: ui.LaidOutWidget, surface: pygame.Surface | None = None) -> pygame.Surface:
    """Draw a part of a screen alone."""
    surface = surface or pygame.Surface(screen.window.size)
    ui.paint(part, screen.window, (context_of(screen, each, surface) for each in part.walk()))
    return surface


def is_space(placed: ui.LaidOutWidget) -> bool:
    """Return whether nothing is visible."""
    if isinstance(placed.widget, ui.Label):
        return "" in (placed.widget.words, placed.widget.words[-1])
    is_group = isinstance(placed.widget, ui.Container)
    return isinstance(placed.widget, ui.Spacer) or (is_group and all(map(is_space, placed.parts)))


def move(name: str) -> Move:
    return Othello().parse_move(Othello().start(), name)


def square(name: str) -> Square:
    return Square(move(name))
