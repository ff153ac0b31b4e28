"""The operating system's window: opening it, its size, place and icon, and the clipboard."""

import contextlib
import ctypes
import os
import re
import sys
import warnings
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

import pygame

from othello.errors import DisplayError, GameFileError
from othello.gui.platform.screen_reader import screen_reader
from othello.resources import asset

DESIGN_SIZE: Final = (1280, 800)  # the size for lengths of the design, and the first size on a small screen
MINIMUM_SIZE: Final = (880, 520)  # unless the screen is smaller

_SCALE_STEP: Final = 0.125  # the scale changes in steps, to keep dragging an edge smooth
_MAX_SCALE: Final = 4.0
_NAME: Final = "othello"
TITLE: Final = "Othello"
_MAX_PASTED: Final = 1 << 24  # characters; more would block the window
_SHARE: Final = 0.8  # of a large screen that a new window takes
_FRAME: Final = 72  # about the height of a title bar and a panel of the desktop
_ANIMATED: Final = 1.0  # seconds for which a window manager may animate a restored window

_SERVERS: Final = {"x11": "DISPLAY", "wayland": "WAYLAND_DISPLAY"}
# The libraries that SDL loads for X11, with the packages of Debian and Ubuntu.
_X11_LIBRARIES: Final = {
    "libX11.so.6": "libx11-6",
    "libXext.so.6": "libxext6",
    "libXcursor.so.1": "libxcursor1",
    "libXi.so.6": "libxi6",
    "libXfixes.so.3": "libxfixes3",
    "libXrandr.so.2": "libxrandr2",
}
_CLASS: Final = ("SDL_VIDEO_X11_WMCLASS", "SDL_VIDEO_WAYLAND_WMCLASS", "SDL_APP_NAME")


def scale_for(size: tuple[int, int]) -> float:
    """Return the real pixels per design pixel: the desktop's scale if the window is large enough.

    Only on a screen without room for the smallest window is the scale below one. A larger window shows more, not larger
    text: people choose the size of text in the settings.
    """
    fit = min(size[0] / DESIGN_SIZE[0], size[1] / DESIGN_SIZE[1])
    minimum = min(1.0, size[0] / MINIMUM_SIZE[0], size[1] / MINIMUM_SIZE[1])
    return max(minimum, min(desktop_scale(), int(fit / _SCALE_STEP) * _SCALE_STEP))


@cache
def desktop_scale() -> float:
    """Return the scale factor of the desktop, which SDL does not report; 1 by default.

    It is the resource `Xft.dpi` of X11 divided by 96, or an environment variable of GTK or Qt.
    """
    said = [os.environ.get("GDK_SCALE", ""), os.environ.get("QT_SCALE_FACTOR", "")]
    if pygame.display.get_init() and pygame.display.get_driver() == "x11":
        with contextlib.suppress(OSError, ValueError):
            said.append(str(_dots_per_inch() / 96))
    scales = [float(text) for text in said if re.fullmatch(r"\d+(\.\d+)?", text)]
    return min(max([1.0, *scales]), _MAX_SCALE)


def _dots_per_inch() -> float:
    """Return the resolution in the resources of X11; OSError or ValueError if there is none."""
    x11 = ctypes.CDLL("libX11.so.6")
    x11.XOpenDisplay.restype, x11.XResourceManagerString.restype = ctypes.c_void_p, ctypes.c_char_p
    display = ctypes.c_void_p(x11.XOpenDisplay(None))
    if not display:
        raise OSError("no display")
    resources = x11.XResourceManagerString(display) or b""
    x11.XCloseDisplay(display)
    match = re.search(rb"^Xft\.dpi:\s*([\d.]+)", resources, re.MULTILINE)
    return float(match[1]) if match else 96.0


def open_window(remembered: Mapping[str, Any] | None = None) -> None:
    """Open the window unless it is open. It is hidden until `appear`, because it is empty.

    Args:
        remembered: the position and size from the last run, as in the settings file.

    Raises:
        DisplayError: there is no display, or it does not answer.
    """
    if pygame.display.get_surface() is not None:
        return
    os.environ |= dict.fromkeys(_CLASS, _NAME)  # pygame has set it to the name of the script
    os.environ.setdefault("SDL_MOUSE_FOCUS_CLICKTHROUGH", "1")  # else a click that focuses the window is lost
    # Initialise only what is needed: a missing sound card must not matter.
    try:
        with _display_server():
            pygame.display.init()
        pygame.font.init()
        pygame.display.set_icon(pygame.image.load(asset("desktop/icons/256x256/othello.png")))
        pygame.display.set_caption(TITLE)
        size, position = _size_and_position(remembered or {})
        pygame.display.set_mode(size, pygame.RESIZABLE | pygame.HIDDEN)
    except pygame.error as error:
        if os.environ.get("DISPLAY") and (missing := _missing_libraries()):
            raise DisplayError("no_x11", libraries=", ".join(missing), packages=" ".join(missing.values())) from error
        raise DisplayError("no_display", text=" ".join(str(error).split())) from error
    window = _window()
    window.minimum_size = _minimum_size(pygame.display.get_desktop_sizes()[0])
    window.position = position
    if (remembered or {}).get("maximised") is True:
        window.maximize()
    screen_reader.open()
    pygame.event.set_blocked((pygame.JOYDEVICEADDED, pygame.AUDIODEVICEADDED))


def _missing_libraries() -> dict[str, str]:
    """Return the libraries of X11 that cannot be loaded, with Debian's packages."""
    missing = {}
    for name, package in _X11_LIBRARIES.items():
        try:
            ctypes.CDLL(name)
        except OSError:
            missing[name] = package
    return missing


def appear() -> None:
    """Show the window for the first time."""
    window = _window()
    wanted = window.position
    window.show()
    window.position = wanted  # again, because the size of its frame is unknown before


class WindowGeometry:
    """The position of the window before it was minimised.

    Window managers animate a restored window. SDL gets a position on the way, which may be off the screen, but not the
    last one, and would return to that position after full screen.
    """

    def __init__(self) -> None:
        self._before: tuple[int, int] | None = None
        self._came_back = 0.0

    def handle_event(self, event: int, now: float) -> None:
        """Take an event of the window."""
        if event == pygame.WINDOWMINIMIZED:
            self._before = _window().position
        elif event == pygame.WINDOWSHOWN:
            self._came_back = now
        elif event == pygame.WINDOWMOVED and now > self._came_back + _ANIMATED:
            self._before = None  # the user has moved the window

    def mend(self) -> None:
        """Restore the right position."""
        if self._before is not None:
            _window().position, self._before = self._before, None


whereabouts: Final = WindowGeometry()


def call(title: str) -> None:
    """Set the title of the window if it has changed."""
    if pygame.display.get_caption()[0] != title:
        pygame.display.set_caption(title)


def window_state(*, is_maximised: bool, before: Mapping[str, Any]) -> dict[str, Any]:
    """Return size and position for the next run; `before` if the window is maximised or full screen."""
    if is_maximised or pygame.display.is_fullscreen():
        return {**before, "maximised": is_maximised}
    whereabouts.mend()
    window, screen = _window(), pygame.display.get_desktop_sizes()[0]
    places = {"size": window.size, "position": window.position, "screen": screen}
    return {**{name: list(pair) for name, pair in places.items()}, "maximised": False}


def toggle_full_screen(*, is_maximised: bool) -> None:
    """Switch full screen on or off."""
    window = _window()
    if pygame.display.is_fullscreen():
        window.set_windowed()
        if is_maximised:
            window.maximize()
    else:
        whereabouts.mend()
        window.set_fullscreen(desktop=True)


def _window() -> pygame.Window:
    with warnings.catch_warnings():  # pygame has deprecated the only way to set a minimum size
        warnings.simplefilter("ignore", DeprecationWarning)
        return pygame.Window.from_display_module()


@contextlib.contextmanager
def _display_server() -> Iterator[None]:
    """Restrict SDL to the existing display server; otherwise it falls back to an invisible one."""
    if sys.platform != "linux" or os.environ.get("SDL_VIDEODRIVER"):
        yield
        return
    servers = [name for name, sign in _SERVERS.items() if os.environ.get(sign)]
    if not servers:
        raise pygame.error(f"neither {' nor '.join(_SERVERS.values())} is set")
    os.environ["SDL_VIDEODRIVER"] = ",".join(servers)
    try:
        yield
    finally:
        del os.environ["SDL_VIDEODRIVER"]


def _size_and_position(remembered: Mapping[str, Any]) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the remembered size and position if the screen is the same, or centre the window."""
    screens = pygame.display.get_desktop_sizes()
    screen = screens[0]
    size, position = _pair(remembered.get("size")), _pair(remembered.get("position"))
    if size is None or _pair(remembered.get("screen")) not in (None, screen):
        width, height = (max(wanted, round(_SHARE * there)) for wanted, there in zip(DESIGN_SIZE, screen, strict=True))
        size = width, height
    minimum = _minimum_size(screen)
    size = max(min(size[0], screen[0]), minimum[0]), max(min(size[1], screen[1] - _FRAME), minimum[1])
    far_right, bottom = sum(width for width, _ in screens) - 100, screen[1] - 100
    if position is None or not (0 <= position[0] < far_right and 0 <= position[1] < bottom):
        position = max(0, (screen[0] - size[0]) // 2), max(0, (screen[1] - size[1]) * 2 // 3)
    return size, position


def _minimum_size(screen: tuple[int, int]) -> tuple[int, int]:
    """Return the minimum size of the window, which is smaller on a small screen."""
    return min(MINIMUM_SIZE[0], screen[0]), min(MINIMUM_SIZE[1], screen[1] - _FRAME)


def _pair(value: Any) -> tuple[int, int] | None:
    """Return a list of two integers as a tuple; None for anything else."""
    if isinstance(value, list) and len(value) == 2 and all(isinstance(part, int) for part in value):
        return value[0], value[1]
    return None


def copy(text: str) -> None:
    """Copy text to the clipboard if there is one."""
    with contextlib.suppress(pygame.error):
        pygame.scrap.put_text(text)


def pasted() -> str:
    """Return the text on the clipboard; GameFileError if there is none or too much.

    SDL gives no text if the text is too large for the window system.
    """
    text = clipboard()
    if not text.strip() or len(text) > _MAX_PASTED:
        raise GameFileError("no_paste")
    return text


def clipboard() -> str:
    """Return the text of the clipboard; empty if it has no text."""
    try:
        return pygame.scrap.get_text()
    except (pygame.error, UnicodeDecodeError):
        return ""
