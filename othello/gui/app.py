"""The window's loop: events, update, draw, flip; and how the window is opened and closed."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import time
from collections.abc import Callable, Iterator
from typing import Final

import platformdirs
import pygame

from othello.config import Config
from othello.errors import DisplayError
from othello.gui import events
from othello.gui.layout import DESIGN_SIZE, MINIMUM_SIZE
from othello.gui.scenes.play import PlayScene
from othello.gui.shapes import disc
from othello.play.session import Session
from othello.play.worker import Worker
from othello.records.record import GameRecord
from othello.records.results import ResultsWriter, check_output
from othello.rules.protocol import Color

_IDLE_SECONDS: Final = 5.0
_CLOSE_SECONDS: Final = 0.3
_SWITCH_SECONDS: Final = 0.001  # the interpreter's lock changes hands this often while the engine is compiled
_NO_DISPLAY: Final = "no window can be opened here ({reason}); run with --headless to play without one"
_BLIND_DRIVERS: Final = ("dummy", "offscreen")


def run_window(config: Config) -> None:
    """Play what the config says in a window, until it is closed.

    A computer player that is being compiled, or that hangs, cannot be interrupted. Where one still runs when the
    window is closed, the process ends here and now, with everything written and closed, rather than waiting for it.

    Raises:
        DisplayError: no window can be opened.
        OutputError: the results file cannot be written.
    """
    if config.output_file is not None:
        check_output(config.output_file, config.existing_output)  # before anything appears
    surface = _open_window()
    _log_to_file()
    sys.setswitchinterval(_SWITCH_SECONDS)
    worker = Worker()
    status = 0
    try:
        with _results(config) as on_finished:
            now = time.monotonic()
            session = Session(config, worker, now, on_finished)
            _run(PlayScene(session, surface.get_size(), now), worker)
    except KeyboardInterrupt:
        status = 130
        raise
    finally:
        pygame.display.quit()
        if not worker.close(_CLOSE_SECONDS):
            logging.shutdown()
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)


@contextlib.contextmanager
def _results(config: Config) -> Iterator[Callable[[GameRecord], None] | None]:
    """Where finished games go, None where nobody wants them."""
    if config.output_file is None:
        yield None
    else:
        with ResultsWriter(config.output_file, config.existing_output) as writer:
            yield writer.append


def _run(scene: PlayScene, worker: Worker) -> None:
    """Until the person quits. Between two frames the process sleeps."""
    _draw(scene)
    worker.prepare(seat for seat in scene.session.seats.values() if not seat.is_user)
    wake: float | None = time.monotonic()
    while not scene.wants_to_quit:
        wake = turn(scene, wake)


def turn(scene: PlayScene, wake: float | None) -> float | None:
    """One round of the loop: sleep, take commands, move on, draw what has changed.

    Args:
        scene: what fills the window.
        wake: when to stop sleeping if no event comes; None: any time will do.

    Returns:
        The same for the next round.
    """
    for command in events.read(_wait(wake), scene.widgets):
        scene.do(command, time.monotonic())
    now = time.monotonic()
    scene.update(now)
    if scene.needs_drawing:
        _draw(scene)
    return scene.next_wake(now)


def _draw(scene: PlayScene) -> None:
    surface = pygame.display.get_surface()
    assert surface is not None  # the window is open as long as the loop runs
    scene.draw(surface, time.monotonic())
    pygame.display.flip()


def _wait(until: float | None) -> list[pygame.Event]:
    """The events that have come, after sleeping until there is one or the time has come."""
    seconds = _IDLE_SECONDS if until is None else min(_IDLE_SECONDS, until - time.monotonic())
    if seconds <= 0.001:
        return pygame.event.get()
    first = pygame.event.wait(int(seconds * 1000))
    return [first, *pygame.event.get()]


def _open_window() -> pygame.Surface:
    chosen = os.environ.get("SDL_VIDEODRIVER")
    if sys.platform == "linux" and not (chosen or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        raise DisplayError(_NO_DISPLAY.format(reason="neither DISPLAY nor WAYLAND_DISPLAY is set"))
    # Only what is needed: a machine without a sound card must not matter.
    try:
        pygame.display.init()
        pygame.font.init()
        if chosen is None and pygame.display.get_driver() in _BLIND_DRIVERS:
            raise pygame.error("the display does not answer")
        surface = _set_mode()
    except pygame.error as error:
        pygame.display.quit()
        raise DisplayError(_NO_DISPLAY.format(reason=" ".join(str(error).split()))) from error
    pygame.event.set_blocked((pygame.TEXTINPUT, pygame.TEXTEDITING, pygame.JOYDEVICEADDED, pygame.AUDIODEVICEADDED))
    return surface


def _set_mode() -> pygame.Surface:
    pygame.display.set_caption("Othello")
    pygame.display.set_icon(_icon())
    surface = pygame.display.set_mode(_first_size(), pygame.RESIZABLE)
    pygame.Window.from_display_module().minimum_size = MINIMUM_SIZE
    return surface


def _first_size() -> tuple[int, int]:
    """The design's size, twice or more on a screen of so many pixels, and never larger than the screen."""
    screen = pygame.display.get_desktop_sizes()[0]
    factor = max(1, screen[1] // 1080)
    width, height = (min(wanted * factor, there) for wanted, there in zip(DESIGN_SIZE, screen, strict=True))
    return max(width, MINIMUM_SIZE[0]), max(height, MINIMUM_SIZE[1])


def _icon() -> pygame.Surface:
    icon = pygame.Surface((64, 64), pygame.SRCALPHA)
    icon.blit(disc(42, Color.BLACK), (2, 11))
    icon.blit(disc(42, Color.WHITE), (20, 11))
    return icon


def _log_to_file() -> None:
    """Send what goes wrong to a file in the user's log folder; without one the window works all the same."""
    with contextlib.suppress(OSError):
        folder = platformdirs.user_log_path("othello", appauthor=False, ensure_exists=True)
        handler = logging.FileHandler(folder / "othello.log", encoding="utf-8", delay=True)
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
        logging.getLogger("othello").addHandler(handler)
