"""A virtual screen with readable pixels: Xvfb, whose frame buffer is a file."""

import json
import mmap
import os
import struct
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
import pygame
from numpy.typing import NDArray

from othello.config import Config
from othello.gui.boards.board_layout import BoardLayout
from othello.gui.platform.window import DESIGN_SIZE
from othello.gui.screens.game_screen import GameScreen
from othello.play.session import Session
from othello.play.worker import Worker
from othello.players.player_registry import configure

_HEADER = struct.Struct(">25I")  # of the X window dump format, in which Xvfb stores its frame buffer
_START_SECONDS = 10.0
_TITLE_BAR = 64


class Screen:
    """An Xvfb for a window of the given size in its upper left corner; use as a context manager.

    Files that programs write to the user's folders are removed at the end.

    Args:
        width: of the window, in pixels.
        height: of the window.
        is_managed: run a window manager on a screen of that size, which places the windows.

    Attributes:
        display: the value of DISPLAY.
    """

    def __init__(self, width: int, height: int, *, is_managed: bool = False) -> None:
        self.size = (width, height)
        self.display = ""
        self._is_managed = is_managed
        self._manager: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self._folder = tempfile.TemporaryDirectory()
        width, height = self.size
        reading, writing = os.pipe()
        screen = f"{width}x{height + (0 if self._is_managed else _TITLE_BAR)}x24"
        # By default the server begins anew when its last window has closed, and the next one may find it busy.
        command = ["Xvfb", "-displayfd", str(writing), "-noreset", "-screen", "0", screen]
        self._server = subprocess.Popen(
            [*command, "-fbdir", self._folder.name, "-nolisten", "tcp"],
            pass_fds=[writing],
            stderr=subprocess.DEVNULL,
        )
        os.close(writing)
        with os.fdopen(reading) as answer:
            self.display = f":{answer.readline().strip()}"
        if self._is_managed:
            self._manager = subprocess.Popen(
                ["openbox"], env=self.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
        else:
            place = {"size": [width, height], "position": [0, 0]}
            (Path(self._folder.name) / "settings.json").write_text(json.dumps({"window": place}))
        self._pixels = self._map(Path(self._folder.name) / "Xvfb_screen0")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pixels.close()
        if self._manager is not None:
            self._manager.terminate()
            self._manager.wait()
        self._server.terminate()
        self._server.wait()
        self._folder.cleanup()

    def _map(self, path: Path) -> mmap.mmap:
        end = time.monotonic() + _START_SECONDS
        while not path.exists() or path.stat().st_size < _HEADER.size:
            if time.monotonic() > end:
                raise TimeoutError("Xvfb has made no frame buffer")
            time.sleep(0.01)
        with path.open("rb") as file:
            pixels = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        header = _HEADER.unpack_from(pixels)
        size, self._pitch, colors = header[0], header[12], header[19]
        self._offset = size + 12 * colors
        return pixels

    def pixel(self, x: int, y: int) -> tuple[int, int, int]:
        """Return red, green and blue of a pixel."""
        at = self._offset + y * self._pitch + 4 * x
        blue, green, red = self._pixels[at : at + 3]
        return red, green, blue

    def picture(self) -> NDArray[np.uint8]:
        """Return the screen as an array of shape (height, width, 3): red, green and blue."""
        width, height = self.size
        raw = np.frombuffer(self._pixels[self._offset :], np.uint8)[: height * self._pitch]
        return np.ascontiguousarray(raw.reshape(height, -1)[:, : 4 * width].reshape(height, width, 4)[:, :, 2::-1])

    def environment(self) -> dict[str, str]:
        """Return the environment of a process that draws on this screen."""
        kept = dict.fromkeys(("OTHELLO_CONFIG_DIR", "OTHELLO_DATA_DIR", "XDG_STATE_HOME"), self._folder.name)
        environment = {**os.environ, "DISPLAY": self.display, "LC_ALL": "C.UTF-8", **kept}
        environment.pop("WAYLAND_DISPLAY", None)
        environment.pop("SDL_VIDEODRIVER", None)
        return environment


def first_table(size: tuple[int, int] = DESIGN_SIZE) -> GameScreen:
    """Return the game screen as the program first shows it, to look up positions in it."""
    pygame.font.init()
    worker, config = Worker(), Config((configure("user"), configure("user")))
    try:
        return GameScreen(Session(config, worker, 0.0), size, 0.0)
    finally:
        worker.close(5.0)


def board_place(table: GameScreen) -> BoardLayout:
    """Return the layout of the board on a game screen."""
    place = table.board_place
    assert place is not None
    return place
