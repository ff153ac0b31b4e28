"""The event loop: read events, carry out commands, update, draw, and sleep."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import logging
import time
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, cast

import pygame

from othello.errors import DisplayError, reason_of
from othello.gui import commands as gui, ui
from othello.gui.app.screen_manager import ScreenManager
from othello.gui.app.startup import StartupGame
from othello.gui.modes.mode_host import Storage
from othello.gui.platform import window
from othello.gui.platform.screen_reader import screen_reader
from othello.gui.preferences import PreferencesFile
from othello.gui.screen import Screen, earliest
from othello.gui.screens.game_screen import GameScreen
from othello.gui.sounds import Sounds
from othello.play.session import Session
from othello.play.worker import Worker
from othello.players.compilation import Compiler
from othello.records.results import ResultsWriter
from othello.study.library import Library
from othello.study.repertoire import Repertoire
from othello.study.store_writer import StoreWriter
from othello.study.training import Deck
from othello.texts import tr

if TYPE_CHECKING:
    from othello.gui.screens.tournament.tournament_handle import TournamentHandle
    from othello.store.database import Store

_SPECIAL_KEYS: Final = (
    *(pygame.K_LEFT, pygame.K_RIGHT, pygame.K_UP, pygame.K_DOWN),
    *(pygame.K_HOME, pygame.K_END, pygame.K_PAGEUP, pygame.K_PAGEDOWN),
    *(pygame.K_TAB, pygame.K_SPACE, pygame.K_BACKSPACE, pygame.K_DELETE, pygame.K_INSERT),
    *range(pygame.K_F1, pygame.K_F12 + 1),
)
_NAMED: Final = {
    **{key: pygame.key.name(key).title() for key in _SPECIAL_KEYS},
    pygame.K_RETURN: "Enter",
    pygame.K_KP_ENTER: "Enter",
    pygame.K_KP_PLUS: "+",
    pygame.K_KP_MINUS: "-",
    pygame.K_ESCAPE: "Esc",
}
_SHORTCUT: Final = pygame.KMOD_CTRL | pygame.KMOD_META
_MODIFIERS: Final = (
    (_SHORTCUT, "Ctrl+"),
    (pygame.KMOD_ALT, "Alt+"),
    (pygame.KMOD_SHIFT, "Shift+"),
)
_DOUBLE_CLICK: Final = 400  # milliseconds
_MAX_CLICKS: Final = 3
_STILL: Final = 4  # maximum movement in pixels between the clicks of a double click
_OF_LETTERS: Final = pygame.KMOD_ALT | pygame.KMOD_MODE  # AltGr, also if it arrives as Ctrl+Alt
_ONCE: Final = (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_ESCAPE)  # keys that do not repeat while they are held
_REPEAT: Final = (400, 33)  # milliseconds before and between repeats of a key in a text field


class EventTranslator:
    """Translates pygame events to inputs and commands; keeps track of double clicks and held keys."""

    def __init__(self) -> None:
        self._clicked, self._pressed_at, self._place = 0, -_DOUBLE_CLICK, (0, 0)
        self._held: set[int] = set()
        self._is_shortcut = False

    def read(self, event: pygame.Event, writes: Callable[[], bool]) -> object | None:
        """Return the command that an event stands for, or None.

        Args:
            event: the event.
            writes: returns True if the focus is in a text field.
        """
        was_shortcut, self._is_shortcut = self._is_shortcut, False
        match event.type:
            case pygame.KEYDOWN:
                return self._key(event, writes=writes())
            case pygame.KEYUP:
                self._held.discard(event.key)
                return None
            case pygame.TEXTINPUT if writes() and not was_shortcut:  # Ctrl+1 writes nothing
                return ui.Key("", event.text)
            case pygame.TEXTEDITING if writes():
                return ui.Compose(event.text)
            case pygame.MOUSEBUTTONDOWN if event.button == pygame.BUTTON_LEFT:
                return ui.MousePressed(event.pos, self._clicks(event.pos))
            case pygame.MOUSEBUTTONDOWN if event.button == pygame.BUTTON_RIGHT:
                return ui.RightMousePressed(event.pos)
            case pygame.MOUSEBUTTONUP if event.button == pygame.BUTTON_LEFT:
                return ui.MouseReleased()
        make = _COMMANDS.get(event.type)
        return None if make is None else make(event)

    def _clicks(self, place: tuple[int, int]) -> int:
        """Return 1 for a single click, 2 for a double click, 3 for a triple click."""
        now, (x, y) = pygame.time.get_ticks(), self._place
        is_still = max(abs(place[0] - x), abs(place[1] - y)) <= _STILL
        is_repeated = is_still and now - self._pressed_at < _DOUBLE_CLICK and self._clicked < _MAX_CLICKS
        self._clicked, self._pressed_at, self._place = self._clicked + 1 if is_repeated else 1, now, place
        return self._clicked

    def _key(self, event: pygame.Event, *, writes: bool) -> ui.Key | None:
        """Return a key by its name and text, for any keyboard layout.

        In a text field the text arrives as an event of its own, also from AltGr, dead keys and input methods.
        """
        is_repeated = event.key in self._held
        self._held.add(event.key)
        if is_repeated and (not writes or event.key in _ONCE):
            return None
        pressed, written = event.dict.get("mod", 0), event.dict.get("unicode", "")
        self._is_shortcut = bool(pressed & _SHORTCUT) and not pressed & _OF_LETTERS
        if writes and written.isprintable() and written and not self._is_shortcut:
            return None
        modifiers = "".join(name for mask, name in _MODIFIERS if pressed & mask)
        return _named_key(event.key, modifiers) or (None if writes or not written else _letter(written))


def _named_key(code: int, modifiers: str) -> ui.Key | None:
    """Return a key without a text, or with modifiers; None for a key that writes a letter."""
    if code in _NAMED:
        name = _NAMED[code]
        return ui.Key(modifiers + name, " " if name == "Space" and not modifiers else "")
    if "Ctrl+" in modifiers or "Alt+" in modifiers:
        return ui.Key(modifiers + pygame.key.name(code).upper())
    return None


def _letter(written: str) -> ui.Key:
    return ui.Key("Full stop" if written == "." else written.upper(), written)


# The commands of events that have one meaning.
_COMMANDS: Final[Mapping[int, Callable[[pygame.Event], object | None]]] = {
    pygame.MOUSEMOTION: lambda event: ui.MouseMoved(event.pos),
    pygame.MOUSEWHEEL: lambda event: ui.Scroll(-event.y),
    pygame.WINDOWLEAVE: lambda _: ui.MouseMoved(None),
    pygame.VIDEORESIZE: lambda event: gui.Resize((event.w, event.h)),
    pygame.DROPFILE: lambda event: gui.OpenFile(Path(event.file)),
    pygame.WINDOWMAXIMIZED: lambda _: gui.WindowMaximised(True),
    pygame.WINDOWRESTORED: lambda _: gui.WindowMaximised(False),
    pygame.WINDOWEXPOSED: lambda _: gui.PlainCommand.REDRAW,
    pygame.WINDOWSHOWN: lambda _: gui.PlainCommand.REDRAW,
    pygame.QUIT: lambda _: gui.Quit(),
    screen_reader.EVENT: lambda event: event.command,
}


def settled(events: Iterable[pygame.Event]) -> list[pygame.Event]:
    """Drop all resize events but the last, and move that to the front."""
    events = list(events)
    sizes = [event for event in events if event.type == pygame.VIDEORESIZE]
    return [*sizes[-1:], *(event for event in events if event.type != pygame.VIDEORESIZE)]


_log = logging.getLogger(__name__)

_MAX_FAILURES: Final = 4  # failures within _FAILURE_SECONDS that end the window
_FAILURE_SECONDS: Final = 3.0
_SHORTEST_NAP: Final = 0.004  # seconds between two polls for events after an event
_LONGEST_NAP: Final = 0.04  # and after a while without events; too short to be noticed
_SHORTEST_SLEEP: Final = 0.002  # SDL counts milliseconds
_LONGEST_SLEEP: Final = 0.5  # if SDL wakes the loop: the maximum delay of Ctrl-C in the terminal
_OBJECTS: Final = 10_000  # new objects between two garbage collections, which then take less time than a frame
_SLEEPERS: Final = ("x11", "wayland", "windows", "cocoa")  # SDL's drivers that wait for events instead of polling


_reader: Final = EventTranslator()


class Workers(NamedTuple):
    """The threads in which computer players search, and the compiler of their kernels."""

    player: Worker  # the players of the game
    analyst: Worker  # analysis of the shown position
    game_analyst: Worker  # analysis of whole games
    opponent: Worker  # the user's opponents in a tournament
    compiler: Compiler  # compiles kernels in the background before they are needed


def play(
    first: StartupGame, workers: Workers, preferences: PreferencesFile, tournament: TournamentHandle | None = None
) -> None:
    """Run the open window with a game until the user quits; `tournament` is shown first."""
    config = first.config
    writer = None if config.output_file is None else ResultsWriter(config.output_file, config.existing_output)
    with writer or contextlib.nullcontext(), contextlib.closing(StoreWriter()) as store_writer:
        on_finished = None if writer is None else writer.append
        library = Library(store_writer)
        now = time.monotonic()
        session = Session(
            config, workers.player, now, on_finished, analyst=workers.analyst, game_analyst=workers.game_analyst
        )
        size = pygame.display.get_window_size()
        storage = Storage(preferences, library, Deck(store_writer), Repertoire(store_writer), _store)
        game_screen = GameScreen(session, size, now, storage)
        game_screen.view_state.introduce(first.words, session)
        computers = [seat for seat in config.players if not seat.is_user]
        prepare = partial(workers.player.prepare, computers, config.game)
        screens = ScreenManager(game_screen, workers.opponent, preferences, prepare, workers.compiler)
        with contextlib.closing(screens):
            if tournament is not None:
                screens.enter(tournament, now)
            _draw(screens.active_screen)
            gc.freeze()  # modules and assets stay loaded, so the collector skips them
            gc.set_threshold(_OBJECTS)
            if first.file is not None:
                screens.do(gui.OpenFile(first.file), now)
            elif first.offers_left:
                library.begin()
            try:
                run(screens, preferences)
            finally:
                library.flush(session, time.monotonic())
                game_screen.close()
        known = window.window_state(is_maximised=game_screen.is_maximised, before=preferences.value.window)
        preferences.change(window=known)


def _store() -> Store:
    from othello.store.database import Store

    store = Store()
    store.add_shipped()
    return store


def run(screens: Screen | ScreenManager, preferences: PreferencesFile | None = None) -> None:
    """Run the event loop until the user quits.

    An unexpected error is logged and shown, and the loop continues.

    Raises:
        DisplayError: unexpected errors are repeated.
    """
    wake: float | None = time.monotonic()
    failures: list[float] = []
    error: Exception | None = None
    with contextlib.closing(Sounds(preferences or PreferencesFile())) as sounds:
        while not screens.active_screen.wants_to_quit:
            try:
                if error is not None:
                    words, error = str(reason_of(error)), None
                    screens.recover(tr("failure.unexpected"), tr("failure.continues", reason=words), time.monotonic())
                wake = turn(screens, wake)
                sounds.play(screens.active_screen.new_sounds)
            except Exception as failure:  # no error may lose the game
                _log.exception("unexpected")
                error, wake = failure, time.monotonic()
                failures = [at for at in failures if at > wake - _FAILURE_SECONDS] + [wake]
                if len(failures) == _MAX_FAILURES:
                    raise DisplayError("window_fails", reason=reason_of(failure)) from failure


def turn(screens: Screen | ScreenManager, wake: float | None) -> float | None:
    """Run one round of the loop: sleep, carry out commands, update, and draw what has changed.

    Args:
        screens: the screens.
        wake: when to stop sleeping if no event arrives; None: never.

    Returns:
        The value of `wake` for the next round; 0: at once.
    """
    for event in settled(_wait(wake)):  # one by one: a key may open what the next one is for
        window.whereabouts.handle_event(event.type, time.monotonic())
        screen_reader.handle_event(event.type)
        command = _reader.read(event, lambda: screens.active_screen.writes)
        if command is not None:
            _carry_out(screens, command)
    now = time.monotonic()
    screens.update(now)
    following = screens.next_commands()
    for command in following:
        _carry_out(screens, command)
    _draw(screens.active_screen)
    pygame.key.set_repeat(*(_REPEAT if screens.active_screen.writes else ()))
    return 0.0 if following else earliest(screens.next_wake(now), screen_reader.next_wake())


def _carry_out(screens: Screen | ScreenManager, command: object) -> None:
    """Carry out a command, and the commands that follow from it."""
    screens.do(command, time.monotonic())
    for following in screens.next_commands():
        _carry_out(screens, following)


def _draw(active_screen: Screen) -> None:
    surface = pygame.display.get_surface()
    assert surface is not None  # the window is open while the loop runs
    changed = active_screen.draw(surface)
    now = time.monotonic()
    if screen_reader.is_wanted(now, has_changed=bool(changed)):
        screen_reader.show(active_screen.accessibility_tree(), now)
    if not changed:
        return
    window.call(active_screen.title)
    caret = active_screen.widgets.caret
    if caret is not None:
        pygame.key.set_text_input_rect(caret)  # the place of an input method's popup
    if not pygame.display.get_active():
        window.appear()  # at its first frame; a window that the user hides stays hidden
    pygame.display.update(changed)


def _wait(until: float | None) -> list[pygame.Event]:
    """Sleep until an event arrives or the time has come, and return the events.

    `pygame.event.wait` polls a thousand times a second, which costs an idle window several per cent of a core.
    """
    events = pygame.event.get()
    sleep, nap = _sleep(), _SHORTEST_NAP
    while not events and (until is None or time.monotonic() < until):
        left = _LONGEST_SLEEP if until is None else min(_LONGEST_SLEEP, max(0.0, until - time.monotonic()))
        if sleep is None or left < _SHORTEST_SLEEP:
            time.sleep(min(nap, left))
            nap = min(2 * nap, _LONGEST_NAP)
            events = pygame.event.get()
        else:
            sleep(None, int(1000 * left))
            events = pygame.event.get(pump=False)  # another pump would lose the text of keys
    return events


@cache
def _sleep() -> Callable[[None, int], int] | None:
    """Return SDL's function that sleeps for some milliseconds or until an event arrives; None if it would poll, too.

    It is found through pygame's extension module, which is linked to SDL.
    """
    if pygame.display.get_driver() not in _SLEEPERS:
        return None
    try:
        return cast("Callable[[None, int], int]", ctypes.CDLL(pygame.base.__file__).SDL_WaitEventTimeout)
    except (AttributeError, OSError):
        return None
