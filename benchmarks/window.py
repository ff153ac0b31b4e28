"""Measure the window: frame times, stop latency, start times, idle load and memory.

Needs Linux with Xvfb and xdotool. Usage: python -m benchmarks.window [--json]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from statistics import median

import psutil

from benchmarks.screen import Screen, board_place, first_table
from othello.gui.platform.window import DESIGN_SIZE
from othello.gui.preferences import palette_named

STARTS = 5
COLD_STARTS = 2
IDLE_SECONDS = 20.0
LOADING_SECONDS = 5.0
PATIENCE = 120.0
FIRST_MOVES = (19, 26, 37, 44)
ANSWERS_TO_D3 = (18, 20, 34)


@dataclass(frozen=True, slots=True)
class Figure:
    """A row of the table."""

    name: str
    value: float
    unit: str
    goal: float | None = None  # maximum

    @property
    def text(self) -> str:
        goal = (
            "" if self.goal is None else f"{'ok' if self.value <= self.goal else 'MISSED':>7} (at most {self.goal:g})"
        )
        return f"{self.name:<58}{self.value:>10.4g} {self.unit:<4}{goal}"


def _environment(screen: Screen, cache: Path) -> dict[str, str]:
    """Return an environment with its own cache folder, also for Python's bytecode."""
    environment = {**screen.environment(), "OTHELLO_CACHE_DIR": str(cache)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return environment


class Program:
    """The real program on a virtual screen; use as a context manager."""

    def __init__(self, screen: Screen, cache: Path, black: str, white: str) -> None:
        self._screen = screen
        self._place = board_place(first_table())
        self._folder = tempfile.TemporaryDirectory()
        config = Path(self._folder.name) / "config.json"
        players = [{"player_type": black, "player_color": "black"}, {"player_type": white, "player_color": "white"}]
        config.write_text(json.dumps({"players": players, "move_delay_seconds": 0}))
        self.began = time.perf_counter()
        self.process = psutil.Popen(
            [sys.executable, "-m", "othello", "--config", str(config)],
            env=_environment(screen, cache),
        )

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        while self.is_visible():  # the X server removes the window later, and the next program would seem to be visible
            time.sleep(0.01)
        self._folder.cleanup()

    def until(self, condition: Callable[[], bool]) -> float:
        """Return the seconds from the start of the process until `is_seen` returns True."""
        while not condition():
            if time.perf_counter() - self.began > PATIENCE or self.process.poll() is not None:
                raise TimeoutError("the window does not show what it should")
            time.sleep(0.002)
        return time.perf_counter() - self.began

    def is_visible(self) -> bool:
        board = self._place.board
        return self._screen.pixel(board.centerx, board.top + 4) == palette_named().frame

    def has_disc(self, square: int) -> bool:
        """Return whether a disc is on a square that is empty at first."""
        red, green, blue = self._screen.pixel(*self._place.square_rect(square).move(-12, -8).center)
        return not green > max(red, blue) + 20

    def has_move(self) -> bool:
        return any(self.has_disc(square) for square in FIRST_MOVES)

    def has_answer(self) -> bool:
        """Return whether White has answered Black's d3."""
        return any(self.has_disc(square) for square in ANSWERS_TO_D3)

    def megabytes(self) -> float:
        return float(self.process.memory_info().rss) / 2**20

    def seconds(self) -> float:
        """Return the processor time of all threads, from the scheduler, whose resolution is finer than the clock's."""
        threads = Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(thread.read_text(encoding="ascii").split()[0]) for thread in threads) / 1e9

    def type(self, *keys: str) -> None:
        subprocess.run(["xdotool", "key", *keys], env=self._screen.environment(), check=True)


def start_figures(screen: Screen, warm: Path) -> list[Figure]:
    """Measure from the start of the process to the window and to the computer's first move."""
    with Program(screen, warm, "mcts_uct", "mcts_grouping") as program:
        program.until(program.has_move)  # fills the cache
        time.sleep(LOADING_SECONDS)
    # Otherwise the kernels of other players are compiled in the background during the measurement.
    done = "from othello.kernel.jit import remember_all_is_compiled as done; done()"
    subprocess.run([sys.executable, "-c", done], env=_environment(screen, warm), check=True)
    windows, answers = [], []
    for _ in range(STARTS):
        with Program(screen, warm, "mcts_uct", "user") as program:
            windows.append(program.until(program.is_visible))
            answers.append(program.until(program.has_move))
    figures = [
        Figure("warm start: process start to window", median(windows), "s", 0.3),
        Figure("warm start: process start to the computer's move", median(answers), "s", 2.0),
    ]
    windows, moves, answers = [], [], []
    for _ in range(COLD_STARTS):
        with tempfile.TemporaryDirectory() as cold, Program(screen, Path(cold), "user", "mcts_uct") as program:
            windows.append(program.until(program.is_visible))
            typed = time.perf_counter()
            program.type("d", "3")
            program.until(lambda: program.has_disc(19))
            moves.append(time.perf_counter() - typed)
            answers.append(program.until(program.has_answer))
    return [
        *figures,
        Figure("first start ever: process start to window", max(windows), "s", 2.0),
        Figure("first start ever: a person's move, typed to drawn", max(moves), "s"),
        Figure("first start ever: process start to the computer's answer", max(answers), "s"),
    ]


def idle_figures(screen: Screen, warm: Path) -> list[Figure]:
    """Measure load and memory while the user thinks."""
    figures = []
    for computer in ("mcts_uct", "engine"):
        with Program(screen, warm, "user", computer) as program:
            program.until(program.is_visible)
            program.type("d", "3")
            program.until(program.has_answer)  # then it is the user's turn
            time.sleep(2.0)
            before = program.seconds()
            time.sleep(IDLE_SECONDS)
            share = 100 * (program.seconds() - before) / IDLE_SECONDS
            figures.append(Figure(f"idle window beside {computer}: share of a core", share, "%", 0.3))
            figures.append(Figure(f"idle window beside {computer}: memory after a search", program.megabytes(), "MiB"))
        with Program(screen, warm, "user", computer) as program:
            program.until(program.is_visible)
            time.sleep(LOADING_SECONDS)  # until the player is loaded, too
            title = f"idle window beside {computer}: memory before a search"
            figures.append(Figure(title, program.megabytes(), "MiB", 150))
    return figures


def cost_figures(screen: Screen, warm: Path) -> list[Figure]:
    """Measure the shares of time and memory."""
    command = [sys.executable, "-m", "benchmarks.window_costs"]
    for _ in range(2):  # the first run fills the cache
        answer = subprocess.run(command, env=_environment(screen, warm), check=True, capture_output=True, text=True)
    measured = json.loads(answer.stdout.splitlines()[-1])
    figures = []
    for (_, began, before), (name, ended, after) in pairwise([("", 0.0, 0.0), *measured["steps"]]):
        figures.append(Figure(f"start, {name}: processor time", 1000 * (ended - began), "ms"))
        figures.append(Figure(f"start, {name}: memory", after - before, "MiB"))
    figures.append(Figure("idle turn, once a second: processor time", 1000 * measured["turn"], "ms"))
    figures.append(Figure("idle turn, once a second: calls", measured["calls"], ""))
    return figures


def inside_figures(screen: Screen) -> list[Figure]:
    """Measure frame times and stop latency with the probe."""
    command = [sys.executable, "-m", "benchmarks.window_probe"]
    answer = subprocess.run(command, env=screen.environment(), check=True, capture_output=True, text=True)
    measured = json.loads(answer.stdout)
    figures = []
    for name, times in measured["frames"].items():
        ordered = sorted(times)
        title = f"frames while {name} searches 1,000,000 simulations"
        figures.append(Figure(f"{title}: 99 %", 1000 * ordered[int(0.99 * len(ordered))], "ms", 17))
        figures.append(Figure(f"{title}: worst", 1000 * ordered[-1], "ms", 33))
    for name, times in measured["stops"].items():
        figures.append(Figure(f"stopping {name}: worst of {len(times)}", 1000 * max(times), "ms", 50))
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    arguments = parser.parse_args()
    with Screen(*DESIGN_SIZE) as screen, tempfile.TemporaryDirectory() as warm:
        cache = Path(warm)
        figures = [*start_figures(screen, cache), *idle_figures(screen, cache), *cost_figures(screen, cache)]
        figures += inside_figures(screen)
    if arguments.json:
        print(json.dumps([asdict(figure) for figure in figures], indent=2))
    else:
        print("\n".join(figure.text for figure in figures))


if __name__ == "__main__":
    main()
