"""The loop: events become commands; update, draw, flip; and between two rounds, sleep."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import logging
import time
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, cast

import pygame

from othello.config import Config
from othello.errors import DisplayError, reason_of
from othello.gui import commands as gui
from othello.gui import ui, window
from othello.gui.modes import REGISTRY
from othello.gui.play.host import Storage
from othello.gui.play.table import Table
from othello.gui.preferences import PreferencesFile
from othello.gui.room import Room, ScreenGroup, earliest
from othello.gui.rooms import Rooms
from othello.gui.screen_reader import screen_reader
from othello.gui.sounds import Sounds
from othello.play.keeper import Keeper
from othello.play.library import Library
from othello.play.repertoire import Repertoire
from othello.play.session import Session
from othello.play.training import Deck
from othello.play.worker import Worker
from othello.players.compiling import Compiler
from othello.records.record import GameRecord
from othello.records.results import ResultsWriter
from othello.texts import say

if TYPE_CHECKING:
    from othello.gui.tournament.contest import Venue
    from othello.store.database import Store

_ARROWS: Final = (pygame.K_LEFT, pygame.K_RIGHT, pygame.K_UP, pygame.K_DOWN)
_ENDS: Final = (pygame.K_HOME, pygame.K_END, pygame.K_PAGEUP, pygame.K_PAGEDOWN)
_EDITING: Final = (pygame.K_TAB, pygame.K_SPACE, pygame.K_BACKSPACE, pygame.K_DELETE, pygame.K_INSERT)
_FUNCTIONS: Final = range(pygame.K_F1, pygame.K_F12 + 1)
_NAMED: Final = {
    **{key: pygame.key.name(key).title() for key in (*_ARROWS, *_ENDS, *_EDITING, *_FUNCTIONS)},
    pygame.K_RETURN: "Enter",
    pygame.K_KP_ENTER: "Enter",
    pygame.K_KP_PLUS: "+",
    pygame.K_KP_MINUS: "-",
    pygame.K_ESCAPE: "Esc",
}
_MODIFIERS: Final = (
    (pygame.KMOD_CTRL | pygame.KMOD_META, "Ctrl+"),
    (pygame.KMOD_ALT, "Alt+"),
    (pygame.KMOD_SHIFT, "Shift+"),
)
_DOUBLE_CLICK: Final = 400  # milliseconds
_MOST_CLICKS: Final = 3
_STILL: Final = 4  # pixels that the mouse may move between two clicks
_SHORTCUT: Final = pygame.KMOD_CTRL | pygame.KMOD_META
_OF_LETTERS: Final = pygame.KMOD_ALT | pygame.KMOD_MODE  # AltGr, also where it is Ctrl+Alt
_ONCE: Final = (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_ESCAPE)  # however long they are held
_REPEAT: Final = (400, 33)  # milliseconds until a key that is held in a field counts once more, and from then on


class Reader:
    """Reads events one after the other, and remembers what makes a double click, and which keys are held."""

    def __init__(self) -> None:
        self._clicked, self._pressed_at, self._place = 0, -_DOUBLE_CLICK, (0, 0)
        self._held: set[int] = set()
        self._is_shortcut = False

    def read(self, event: pygame.Event, writes: Callable[[], bool]) -> object | None:
        """Return the command that an event stands for, or None.

        Args:
            event: the event.
            writes: returns whether the focus is in a text field.
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
        return self._mouse(event) or _window_command(event)

    def _mouse(self, event: pygame.Event) -> ui.Input | None:
        match event.type:
            case pygame.MOUSEMOTION:
                return ui.PointAt(event.pos)
            case pygame.MOUSEBUTTONDOWN if event.button == pygame.BUTTON_LEFT:
                return ui.PressAt(event.pos, self._clicks(event.pos))
            case pygame.MOUSEBUTTONDOWN if event.button == pygame.BUTTON_RIGHT:
                return ui.PressRight(event.pos)
            case pygame.MOUSEBUTTONUP if event.button == pygame.BUTTON_LEFT:
                return ui.Release()
            case pygame.MOUSEWHEEL:
                return ui.Scroll(-event.y)
            case pygame.WINDOWLEAVE:
                return ui.PointAt(None)
        return None

    def _clicks(self, place: tuple[int, int]) -> int:
        """2 where a press follows another at the same place at once, 3 where it follows two."""
        now, (x, y) = pygame.time.get_ticks(), self._place
        is_still = max(abs(place[0] - x), abs(place[1] - y)) <= _STILL
        goes_on = is_still and now - self._pressed_at < _DOUBLE_CLICK and self._clicked < _MOST_CLICKS
        self._clicked, self._pressed_at, self._place = self._clicked + 1 if goes_on else 1, now, place
        return self._clicked

    def _key(self, event: pygame.Event, *, writes: bool) -> ui.Key | None:
        """A key by what it is called and what it writes, wherever on the keyboard it lies.

        In a field what is written comes as an event of its own, also from AltGr, dead keys and input methods.
        """
        is_repeated = event.key in self._held
        self._held.add(event.key)
        if is_repeated and (not writes or event.key in _ONCE):
            return None
        held, written = event.dict.get("mod", 0), event.dict.get("unicode", "")
        self._is_shortcut = bool(held & _SHORTCUT) and not held & _OF_LETTERS
        if writes and written.isprintable() and written and not self._is_shortcut:
            return None
        modifiers = "".join(name for mask, name in _MODIFIERS if held & mask)
        if event.key in _NAMED:
            name = _NAMED[event.key]
            return ui.Key(modifiers + name, " " if name == "Space" and not modifiers else "")
        if "Ctrl+" in modifiers or "Alt+" in modifiers:
            return ui.Key(modifiers + pygame.key.name(event.key).upper())
        if writes or not written:
            return None
        return ui.Key("Full stop" if written == "." else written.upper(), written)


def _window_command(event: pygame.Event) -> object | None:
    match event.type:
        case pygame.VIDEORESIZE:
            return gui.Resize((event.w, event.h))
        case pygame.DROPFILE:
            return gui.OpenFile(Path(event.file))
        case pygame.WINDOWMAXIMIZED | pygame.WINDOWRESTORED:
            return gui.Maximised(event.type == pygame.WINDOWMAXIMIZED)
        case pygame.WINDOWEXPOSED | pygame.WINDOWSHOWN:
            return gui.PlainCommand.REDRAW
        case pygame.QUIT:
            return gui.Quit()
        case screen_reader.EVENT:
            requested: ui.Reach | None = event.command
            return requested
    return None


def settled(events: Iterable[pygame.Event]) -> list[pygame.Event]:
    """The events in the order in which they count: of many resizes only the last, and that first."""
    events = list(events)
    sizes = [event for event in events if event.type == pygame.VIDEORESIZE]
    return [*sizes[-1:], *(event for event in events if event.type != pygame.VIDEORESIZE)]


_log = logging.getLogger(__name__)

_MOST_FAILURES: Final = 4  # within so many seconds: then the window ends
_FAILURE_SECONDS: Final = 3.0
_SHORTEST_NAP: Final = 0.004  # between two looks for events, while the person is at it
_LONGEST_NAP: Final = 0.04  # and once nothing has come for a while; nobody feels so short a delay
_SHORTEST_SLEEP: Final = 0.002  # SDL counts milliseconds
_LONGEST_SLEEP: Final = 0.5  # where SDL wakes us: Ctrl-C in the terminal is heard no later than this
_OBJECTS: Final = 10_000  # after so many new ones the interpreter looks for garbage, in less time than a frame takes
_SLEEPERS: Final = ("x11", "wayland", "windows", "cocoa")  # SDL's drivers that are woken, rather than look again


_reader: Final = Reader()


class Staff(NamedTuple):
    """What computers think in.

    Attributes:
        player: in the game.
        analyst: about a position that is looked at.
        judge: about all moves of a game.
        rival: in a tournament's games against the person.
        compiler: compiles meanwhile what they may need next.
    """

    player: Worker
    analyst: Worker
    judge: Worker
    rival: Worker
    compiler: Compiler


def play(
    config: Config,
    staff: Staff,
    preferences: PreferencesFile,
    venue: Venue | None = None,
    words: str = "",
    file: Path | None = None,
    *,
    offers_left: bool = True,
) -> None:
    """Fill the open window with a game, or with a tournament first, until the person quits.

    Args:
        config: the game.
        staff: what computers think in.
        preferences: how the person wants the window.
        venue: the tournament, None where there is none yet.
        words: who has chosen the game, for the line below the board.
        file: of a game that is to be opened, None where nobody has named one.
        offers_left: asks whether to go on with a game that was left unfinished, unless a file is opened.
    """
    with _results(config) as on_finished, contextlib.closing(Keeper()) as keeper:
        library = Library(keeper)
        now = time.monotonic()
        session = Session(config, staff.player, now, on_finished, analyst=staff.analyst, judge=staff.judge)
        size = pygame.display.get_window_size()
        storage = Storage(library, Deck(keeper), Repertoire(keeper), _store)
        table = Table(session, size, now, REGISTRY, preferences=preferences, storage=storage)
        table.looking.introduce(words, session)
        computers = [seat for seat in config.players if not seat.is_user]
        prepare = partial(staff.player.prepare, computers, config.game)
        rooms = Rooms(table, staff.rival, preferences, prepare, staff.compiler)
        with contextlib.closing(rooms):
            if venue is not None:
                rooms.enter(venue, now)
            _draw(rooms.front)
            gc.freeze()  # what is loaded stays for good, and is not looked through for garbage
            gc.set_threshold(_OBJECTS)
            if file is not None:
                rooms.do(gui.OpenFile(file), now)
            elif offers_left:
                library.begin()
            try:
                run(rooms, preferences)
            finally:
                library.flush(session, time.monotonic())
                table.close()
        known = window.place(is_maximised=table.is_maximised, before=preferences.value.window)
        preferences.change(window=known)


def _store() -> Store:
    from othello.store.database import Store

    store = Store()
    store.add_shipped()
    return store


def run(scene: Room | Rooms, preferences: PreferencesFile | None = None) -> None:
    """Show a scene, and let it be heard, until the person quits.

    An error that nobody expected is written to the log and told, and the window goes on.

    Raises:
        DisplayError: such errors came again and again.
    """
    wake: float | None = time.monotonic()
    failures: list[float] = []
    error: Exception | None = None
    with contextlib.closing(Sounds(preferences or PreferencesFile())) as sounds:
        while not scene.front.wants_to_quit:
            try:
                if error is not None:
                    words, error = str(reason_of(error)), None
                    scene.recover(say("failure.unexpected"), say("failure.goes_on", reason=words), time.monotonic())
                wake = turn(scene, wake)
                sounds.play(scene.front.heard)
            except Exception as failure:  # the last resort: whatever it is, the game must not be lost
                _log.exception("unexpected")
                error, wake = failure, time.monotonic()
                failures = [at for at in failures if at > wake - _FAILURE_SECONDS] + [wake]
                if len(failures) == _MOST_FAILURES:
                    reason = reason_of(failure)
                    raise DisplayError("window_fails", reason=reason) from failure


def turn(scene: Room | ScreenGroup, wake: float | None) -> float | None:
    """One round of the loop: sleep, take commands, move on, draw what has changed.

    Args:
        scene: what fills the window.
        wake: when to stop sleeping if no event comes; None: any time will do.

    Returns:
        The same for the next round.
    """
    for event in settled(_wait(wake)):  # one by one: what a key means depends on what the one before has opened
        window.whereabouts.hear(event.type, time.monotonic())
        screen_reader.hear(event.type)
        command = _reader.read(event, lambda: scene.front.writes)
        if command is not None:
            _carry_out(scene, command)
    now = time.monotonic()
    scene.update(now)
    following = scene.next_commands()
    for command in following:
        _carry_out(scene, command)
    _draw(scene.front)
    pygame.key.set_repeat(*(_REPEAT if scene.front.writes else ()))
    return now if following else earliest(scene.next_wake(now), screen_reader.next_wake())


def _carry_out(scene: Room | ScreenGroup, command: object) -> None:
    """Have a command carried out, and all that follows from it."""
    scene.do(command, time.monotonic())
    for following in scene.next_commands():
        _carry_out(scene, following)


def _draw(front: Room) -> None:
    surface = pygame.display.get_surface()
    assert surface is not None  # the window is open as long as the loop runs
    changed = front.draw(surface)
    now = time.monotonic()
    if screen_reader.is_wanted(now, has_changed=bool(changed)):
        screen_reader.show(front.told(), now)
    if not changed:
        return
    window.call(front.title)
    if front.caret is not None:
        pygame.key.set_text_input_rect(front.caret)  # an input method shows there what it offers
    if not pygame.display.get_active():
        window.appear()  # with its first picture; a window that a person has hidden stays so
    pygame.display.update(changed)


def _wait(until: float | None) -> list[pygame.Event]:
    """The events that have come, after sleeping until there is one or the time has come.

    `pygame.event.wait` would do the same, but looks for events a thousand times a second while it sleeps, which
    costs an idle window several per cent of a core.
    """
    found = pygame.event.get()
    sleep, nap = _sleep(), _SHORTEST_NAP
    while not found and (until is None or time.monotonic() < until):
        left = _LONGEST_SLEEP if until is None else min(_LONGEST_SLEEP, max(0.0, until - time.monotonic()))
        if sleep is None or left < _SHORTEST_SLEEP:
            time.sleep(min(nap, left))
            nap = min(2 * nap, _LONGEST_NAP)
            found = pygame.event.get()
        else:
            sleep(None, max(1, int(1000 * left)))
            found = pygame.event.get(pump=False)  # what keys write is forgotten where it looks for events once more
    return found


@cache
def _sleep() -> Callable[[None, int], int] | None:
    """SDL's own way to sleep for so many milliseconds or until something comes; None where it would not sleep either.

    Nothing but pygame knows where its SDL is, so that is looked up where pygame has looked it up.
    """
    if pygame.display.get_driver() not in _SLEEPERS:
        return None
    try:
        return cast("Callable[[None, int], int]", ctypes.CDLL(pygame.base.__file__).SDL_WaitEventTimeout)
    except (AttributeError, OSError):
        return None


@contextlib.contextmanager
def _results(config: Config) -> Iterator[Callable[[GameRecord], None] | None]:
    """Where finished games go, None where nobody wants them."""
    if config.output_file is None:
        yield None
    else:
        with ResultsWriter(config.output_file, config.existing_output) as writer:
            yield writer.append
