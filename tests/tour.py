"""A tour of all screens of the real window, by keys, on a virtual display with a window manager.

Languages, themes, sizes of text and of the screen, games and screens of the window are combined so that every two
values of two of them meet. A screen that does not appear is an error, as is a warning in the log. All screens are saved
as pictures.

Needs Linux with Xvfb, openbox and xdotool. Usage: python -m tests.tour --out FOLDER
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain, combinations, product
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import numpy as np
import platformdirs
import pygame
from numpy.typing import NDArray

from benchmarks.screen import Screen
from othello.gui import commands as gui
from othello.gui.actions import ACTIONS, Context
from othello.gui.dialogs.dialog_registry import DIALOGS
from othello.gui.mode_registry import MODES
from othello.gui.platform.window import TITLE
from othello.gui.preferences import theme_names
from othello.rules.registry import GAMES
from othello.texts import languages

SIZES: Final = ((900, 600), (1280, 800), (2560, 1600))
TEXT_SIZES: Final = (80, 100, 150, 200)
STANDINGS: Final = "tournament"
OPENINGS: Final = {"othello": "f5d6c3d3c4f4f6f3", "tictactoe": "b2a1c1", "ultimate_tictactoe": ""}

_TIMEOUT_SECONDS: Final = 30.0
_STILL_SECONDS: Final = 0.15
_RESTLESS_SECONDS: Final = 1.0
_MIN_CHANGE: Final = 0.005  # of all pixels
_TITLE_BAR: Final = 24
_WINDOW: Final = ("search", "--onlyvisible", "--class", "^othello$")
_KEYS: Final = {",": "comma", "?": "question", "Esc": "Escape"}
_RANDOM: Final = {"player_type": "random"}


class TourError(Exception):
    """A screen that does not appear or fit, or a warning of the program."""


class Stop(NamedTuple):
    """The settings of one start of the program."""

    theme: str
    text_size: int
    game: str
    size: tuple[int, int]
    language: str

    def __str__(self) -> str:
        return f"{self.size[0]}x{self.size[1]}-{self.language}-{self.theme}-{self.text_size}-{self.game}"


def stops() -> list[Stop]:
    """Return few starts in which every two values of two settings meet."""
    return [Stop(*row) for row in pairwise((theme_names(), TEXT_SIZES, (*GAMES, STANDINGS), SIZES, languages()))]


def pairwise(values: Sequence[Sequence[Any]]) -> list[tuple[Any, ...]]:
    """Return rows with one value of each column. Every two values of two columns are together in a row."""
    every = list(product(*values))
    wanted = set().union(*map(_pairs, every))
    rows = []
    while wanted:
        rows.append(max(every, key=lambda row: len(_pairs(row) & wanted)))
        wanted -= _pairs(rows[-1])
    return rows


def _pairs(row: Sequence[Any]) -> set[tuple[int, Any, int, Any]]:
    return {(one, row[one], other, row[other]) for one, other in combinations(range(len(row)), 2)}


def screens() -> dict[str, str]:
    """Return the modes, the dialogs and the list of keys by name, each with a key that opens it from the board."""
    found: dict[str, str] = {}
    for action in ACTIONS:
        if action.keys and Context.GAME in action.context:
            match action.command:
                case gui.Open(name) | gui.SwitchMode(name):
                    found.setdefault(name, action.keys[0])
                case gui.PlainCommand.TOGGLE_HELP:
                    found["help"] = action.keys[0]
    missing = (MODES.keys() | DIALOGS.keys()) - found.keys()
    if missing:
        raise TourError(f"no key leads to {', '.join(sorted(missing))}")
    return found


def itineraries(plan: Sequence[Stop]) -> list[list[str]]:
    """Return the screens to visit at each stop. Each screen meets every value of every setting."""
    missing = dict.fromkeys(screens(), set().union(*map(_settings, plan)))
    visits = []
    for stop in plan:
        visits.append([screen for screen, settings in missing.items() if settings & _settings(stop)])
        missing = {screen: settings - _settings(stop) for screen, settings in missing.items()}
    return visits


def _settings(stop: Stop) -> set[tuple[str, Any]]:
    return {*stop._asdict().items()}


class Visitor:
    """Drives the real window; a context manager."""

    def __init__(self, screen: Screen, stop: Stop, folder: Path) -> None:
        self._screen, self._stop, self._folder = screen, stop, folder
        self._log = folder / "othello" / "log" / "othello.log"

    def __enter__(self) -> Self:
        stop, folder = self._stop, self._folder
        settings = {"theme": stop.theme, "text_size": stop.text_size, "language": stop.language, "motion": "none"}
        (folder / "settings.json").write_text(json.dumps(settings))
        config = folder / "config.json"
        config.write_text(json.dumps(_config(stop.game, folder / "games.jsonl")))
        folders = dict.fromkeys(("OTHELLO_CONFIG_DIR", "OTHELLO_DATA_DIR", "XDG_STATE_HOME", "HOME"), str(folder))
        cache = os.environ.get("OTHELLO_CACHE_DIR") or str(platformdirs.user_cache_path("othello"))
        more = {"OTHELLO_CACHE_DIR": cache, "SDL_AUDIODRIVER": "dummy"}
        self._environment = {**self._screen.environment(), **folders, **more}
        with (folder / "errors").open("w") as errors:
            command = [sys.executable, "-m", "othello", "--config", str(config)]
            self._program = subprocess.Popen(command, env=self._environment, stderr=errors, stdout=subprocess.DEVNULL)
        return self

    def __exit__(self, *_: object) -> None:
        self._program.kill()
        self._program.wait()

    def _xdotool(self, *arguments: str) -> str:
        command = ["xdotool", *arguments]
        ran = subprocess.run(command, env=self._environment, capture_output=True, text=True, check=False)
        return ran.stdout.strip()

    def press(self, key: str) -> None:
        """Press a key, named as in the list of keys."""
        *modifiers, last = key.split("+")
        name = _KEYS.get(last, last if len(last) > 1 else last.lower())
        self._xdotool("key", "+".join([*map(str.lower, modifiers), name]))

    def until(self, condition: Callable[[], object], fault: str) -> None:
        end = time.monotonic() + _TIMEOUT_SECONDS
        while not condition():
            if self._program.poll() is not None:
                raise TourError("\n".join(["the program has ended", *self._warnings()]))
            if time.monotonic() > end:
                raise TourError(fault)
            time.sleep(0.02)

    def title(self) -> str:
        """Return the title of the window; empty if there is no window."""
        return self._xdotool(*_WINDOW, "getwindowname")

    def arrive(self) -> None:
        """Wait for the window, check that it fits on the screen with its title bar, and type the first moves."""
        self.until(lambda: self.title() not in ("", TITLE), "neither a board nor standings appear")
        geometry = self._xdotool(*_WINDOW, "getwindowgeometry", "--shell")
        size = dict(line.split("=") for line in geometry.splitlines())
        width, height = int(size["WIDTH"]), int(size["HEIGHT"])
        if width > self._screen.size[0] or height > self._screen.size[1] - _TITLE_BAR:
            raise TourError(f"{width} x {height} is too large for the screen")
        self._xdotool(*_WINDOW, "windowfocus")
        if self._stop.game == STANDINGS:
            standings = self.title()
            self.save("standings")
            self.press("Ctrl+1")
            self.until(lambda: self.title() != standings, "the board does not appear")
        self._xdotool("type", "--delay", "30", OPENINGS.get(self._stop.game, ""))

    def visit(self, name: str, key: str) -> str:
        """Visit a screen, go back, and return the title that the window had there."""
        before, empty = self.settled(), self.title()
        self.press(key)
        if name != "play":
            self.until(lambda: self.title() != empty, f"{name} does not appear")
            self.until(
                lambda: np.any(before != self._screen.picture(), axis=2).mean() > _MIN_CHANGE, f"{name} shows nothing"
            )
        title = self.title()
        self.save(name)
        self.press("Esc")  # closes a dialog
        self.press("Ctrl+1")  # leaves a mode
        self.until(lambda: self.title() == empty, f"no way back from {name}")
        return title

    def settled(self) -> NDArray[np.uint8]:
        """Return the picture once it stays the same, or after a time limit."""
        end = time.monotonic() + _RESTLESS_SECONDS
        picture = self._screen.picture()
        while time.monotonic() < end:
            time.sleep(_STILL_SECONDS)
            before, picture = picture, self._screen.picture()
            if np.array_equal(before, picture):
                break
        return picture

    def save(self, name: str) -> None:
        """Save a picture of the screen."""
        picture = self.settled()
        surface = pygame.image.frombuffer(picture.tobytes(), self._screen.size, "RGB")
        pygame.image.save(surface, self._folder.parent / f"{name}-{self._stop}.png")

    def leave(self) -> None:
        """Close the window, and check that there were no warnings."""
        self.press("Ctrl+Q")
        try:
            status = self._program.wait(_TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            raise TourError("the window does not close") from None
        if status or self._warnings():
            raise TourError("\n".join([f"exit status {status}", *self._warnings()]))

    def _warnings(self) -> list[str]:
        """Return the warnings and errors of the program."""
        log = self._log.read_text() if self._log.exists() else ""
        lines = [line for line in log.splitlines() if " INFO " not in line and " DEBUG " not in line]
        return lines + (self._folder / "errors").read_text().splitlines()


def _config(game: str, results: Path) -> dict[str, Any]:
    if game != STANDINGS:
        return {"game": game, "players": [{"player_type": "user"}] * 2, "seed": 1}
    saved = {"tournament": {"processes": 1}, "output_file": str(results)}  # else the window asks before it closes
    return {"game_type": "tournament", "game_repetitions": 20, "players": [_RANDOM] * 2, **saved}


def tour(screen: Screen, stop: Stop, visits: Sequence[str], out: Path) -> None:
    """Make one stop.

    Raises:
        TourError: a screen does not appear, or the program gives a warning.
    """
    keys, place = screens(), "board"
    with tempfile.TemporaryDirectory(dir=out) as folder, Visitor(screen, stop, Path(folder)) as visitor:
        try:
            visitor.arrive()
            visitor.save(place)
            titles = set()
            for place in visits:
                titles.add(visitor.visit(place, keys[place]))
            if len(titles) < len(visits):
                raise TourError(f"different screens with one name: {sorted(titles)}")
            place = "end"
            visitor.leave()
        except TourError as error:
            visitor.save("failed")
            raise TourError(f"{stop}, {place}: {error}") from error


def _tour_of_size(size: tuple[int, int], plan: Sequence[tuple[Stop, list[str]]], out: Path) -> list[str]:
    """Make all stops on screens of a size, and return the errors."""
    faults = []
    with Screen(*size, is_managed=True) as screen:
        for stop, visits in plan:
            if stop.size != size:
                continue
            began = time.monotonic()
            try:
                tour(screen, stop, visits, out)
            except TourError as error:
                faults.append(str(error))
            print(f"{time.monotonic() - began:5.1f} s  {stop}: {', '.join(visits)}", flush=True)
    return faults


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder for the pictures")
    out: Path = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    plan = stops()
    visits = list(zip(plan, itineraries(plan), strict=True))
    with ThreadPoolExecutor(2) as pool:
        faults = [*chain.from_iterable(pool.map(partial(_tour_of_size, plan=visits, out=out), SIZES))]
    print(*faults, f"{sum(len(there) for _, there in visits)} visits, {len(faults)} faults", sep="\n")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
