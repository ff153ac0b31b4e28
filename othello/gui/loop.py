"""The loop: events, update, draw, flip; and between two rounds, sleep."""

from __future__ import annotations

import contextlib
import ctypes
import logging
import time
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, cast

import pygame

from othello.config import Config
from othello.errors import DisplayError, reason_of
from othello.gui import commands as gui
from othello.gui import events, window
from othello.gui.play.table import Table
from othello.gui.preferences import PreferencesFile
from othello.gui.rooms import Rooms
from othello.gui.sounds import Sound, Sounds
from othello.play.deck import DECK_NAME, Deck
from othello.play.library import Library, data_folder
from othello.play.session import Session
from othello.play.worker import Worker
from othello.records.record import GameRecord
from othello.records.results import ResultsWriter
from othello.texts import say

if TYPE_CHECKING:
    from othello.gui.tournament.venue import Venue

_log = logging.getLogger(__name__)

_MOST_FAILURES: Final = 4  # within so many seconds: then the window ends
_FAILURE_SECONDS: Final = 3.0
_SHORTEST_NAP: Final = 0.004  # between two looks for events, while the person is at it
_LONGEST_NAP: Final = 0.04  # and once nothing has come for a while; nobody feels so short a delay
_SHORTEST_SLEEP: Final = 0.002  # SDL counts milliseconds
_LONGEST_SLEEP: Final = 0.5  # where SDL wakes us: Ctrl-C in the terminal is heard no later than this
_SLEEPERS: Final = ("x11", "wayland", "windows", "cocoa")  # SDL's drivers that are woken, rather than look again


_reader: Final = events.Reader()


class Front(events.Listener, Protocol):
    """What fills the window."""

    wants_to_quit: bool
    heard: tuple[Sound, ...]

    @property
    def title(self) -> str: ...

    @property
    def needs_drawing(self) -> bool: ...

    @property
    def caret(self) -> pygame.Rect | None: ...

    def draw(self, surface: pygame.Surface) -> pygame.Rect: ...


class Scene(Protocol):
    """What goes on behind it."""

    @property
    def front(self) -> Front: ...

    def do(self, command: object, now: float) -> None: ...

    def next_commands(self) -> list[object]: ...

    def update(self, now: float) -> None: ...

    def next_wake(self, now: float) -> float | None: ...


class Recoverable(Scene, Protocol):
    """A scene that can go on after an error."""

    def recover(self, title: str, reason: str, now: float) -> None: ...


class Staff(NamedTuple):
    """What computers think in.

    Attributes:
        player: in the game.
        analyst: about a position that is looked at.
        judge: about all moves of a game.
        rival: in a tournament's games against the person.
    """

    player: Worker
    analyst: Worker
    judge: Worker
    rival: Worker


def play(config: Config, staff: Staff, preferences: PreferencesFile, venue: Venue | None = None) -> None:
    """Fill the open window with a game, or with a tournament first, until the person quits.

    Args:
        config: the game.
        staff: what computers think in.
        preferences: how the person wants the window.
        venue: the tournament, None where there is none yet.
    """
    library, deck = Library(data_folder()), Deck(data_folder().parent / DECK_NAME)
    with _results(config) as on_finished, contextlib.closing(library), contextlib.closing(deck):
        now = time.monotonic()
        session = Session(config, staff.player, now, on_finished, analyst=staff.analyst, judge=staff.judge)
        size = pygame.display.get_window_size()
        table = Table(session, size, now, preferences=preferences, library=library, deck=deck)
        computers = [seat for seat in config.players if not seat.is_user]
        rooms = Rooms(table, staff.rival, preferences, partial(staff.player.prepare, computers, config.game))
        with contextlib.closing(rooms):
            if venue is not None:
                rooms.enter(venue, now)
            _draw(rooms.front)
            if library.left is not None and venue is None:
                table.do(gui.Open("left"), now)
            try:
                run(rooms, preferences)
            finally:
                library.flush(session, time.monotonic())
        known = window.place(is_maximised=table.is_maximised, before=preferences.value.window)
        preferences.change(window=known)


def run(scene: Recoverable, preferences: PreferencesFile | None = None) -> None:
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


def turn(scene: Scene, wake: float | None) -> float | None:
    """One round of the loop: sleep, take commands, move on, draw what has changed.

    Args:
        scene: what fills the window.
        wake: when to stop sleeping if no event comes; None: any time will do.

    Returns:
        The same for the next round.
    """
    for event in events.settled(_wait(wake)):  # one by one: what a key means depends on what the one before has opened
        command = _reader.read(event, scene.front)
        if command is not None:
            _carry_out(scene, command)
    now = time.monotonic()
    scene.update(now)
    following = scene.next_commands()
    for command in following:
        _carry_out(scene, command)
    if scene.front.needs_drawing:
        _draw(scene.front)
    return now if following else scene.next_wake(now)


def _carry_out(scene: Scene, command: object) -> None:
    """Have a command carried out, and all that follows from it."""
    scene.do(command, time.monotonic())
    for following in scene.next_commands():
        _carry_out(scene, following)


def _draw(front: Front) -> None:
    surface = pygame.display.get_surface()
    assert surface is not None  # the window is open as long as the loop runs
    changed = front.draw(surface)
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
