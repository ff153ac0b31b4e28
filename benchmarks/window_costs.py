"""Measure time and memory of the window by the steps of its start, and of an idle event loop.

Prints JSON; started by `window.py`.
"""

import gc
import json
import os
import sys
import time
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Final

IMPORTS: Final = (
    ("numpy", ("numpy",)),
    ("pygame", ("pygame",)),
    (
        "the program's own modules",
        ("othello.cli.arguments", "othello.gui.app.app", "othello.gui.app.loop", "accesskit"),
    ),
)
PLAYERS: Final = ("mcts_uct", "engine")
TURNS: Final = 10

_steps: list[tuple[str, float, float]] = []


def step(name: str) -> None:
    """Record the processor time in seconds and the memory in MiB of the process at the end of a step."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    _steps.append((name, time.process_time(), pages * os.sysconf("SC_PAGESIZE") / 2**20))


def main() -> None:
    step("Python itself")
    for name, modules in IMPORTS:
        for module in modules:
            import_module(module)
        step(name)

    from othello.config import Config
    from othello.gui.app import app, loop
    from othello.gui.platform.window import DESIGN_SIZE, open_window
    from othello.gui.screens.game_screen import GameScreen
    from othello.play.session import Session
    from othello.play.worker import Worker
    from othello.players.compilation import configure_malloc, trim_memory
    from othello.players.player_registry import configure, create_player
    from othello.rules.registry import game_spec

    sys.setswitchinterval(app.SWITCH_SECONDS)
    configure_malloc()
    open_window()
    step("opening the window")
    now, person = time.monotonic(), configure("user")
    scene = GameScreen(Session(Config((person, person)), Worker(), now), DESIGN_SIZE, now)
    step("fonts and the words' sizes")
    wake = loop.turn(scene, now)
    step("first picture: surfaces")
    import_module("numba")
    step("numba and LLVM")
    for name in PLAYERS:
        create_player(configure(name), game_spec()).prepare()
        step(f"{name}: kernels and tables")
    trim_memory()
    step("given back once players are loaded")

    gc.freeze()
    used = []
    for _ in range(TURNS):  # one a second, as while the user's clock runs
        began = time.thread_time()
        wake = loop.turn(scene, wake)
        used.append(time.thread_time() - began)
    calls = 0

    def count(_: FrameType, event: str, __: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    loop.turn(scene, wake)
    sys.setprofile(None)
    print(json.dumps({"steps": _steps, "turn": sorted(used)[TURNS // 2], "calls": calls}))
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    gc.set_threshold(100_000)  # as in the program
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    main()
