"""Make the pictures of README.md and docs/: `python -m tools.make_pictures [ARCHIVE]` writes them, in some minutes.

Takes pictures of the real window with real games, on a virtual screen. ARCHIVE is a folder of tournament games, such as
WTHOR's; without one, the picture of Explore is not replaced.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Final

import pygame

from othello.config import Config, PlayerConfig, TournamentConfig
from othello.game import AnyGame
from othello.gui import commands as gui, ui
from othello.gui.app import loop
from othello.gui.app.screen_manager import ScreenManager
from othello.gui.modes.mode_host import Storage
from othello.gui.modes.steps.steps_mode import StepsMode
from othello.gui.platform.window import DESIGN_SIZE
from othello.gui.preferences import PreferencesFile
from othello.gui.screens.game_screen import GameScreen
from othello.gui.screens.tournament.tournament_handle import TournamentHandle
from othello.play import session_commands as cmd
from othello.play.session import Session
from othello.play.worker import Worker
from othello.players.compilation import compiler
from othello.players.levels import opponent
from othello.players.player import Player
from othello.players.player_registry import configure
from othello.records.transcript import parse_transcript
from othello.rules.registry import game_spec, rules_of
from othello.search.report import SearchReport, Unit
from othello.search.steps import ExitReason, MoveSelection, NodeExit, Step
from othello.search.stop import StopFlag
from othello.store.database import Store
from othello.study.library import Library
from othello.study.store_writer import StoreWriter
from othello.texts import tr

MOVES: Final = (
    "d3c5e6f3e3d2c3f4c6c4f5b4e2d6g5b6b3c2g4e7c1a3b5a4f7f6e8g6d7f1e1d1"
    "g1h5c7h3h4g7h6f8b1h7a7c8g3f2d8a6b7a8b8b2a5h8g8a1a2h2g2h1"
)
GAME: Final = parse_transcript(MOVES, rules_of(game_spec()))
TIGER: Final = parse_transcript("f5d6c3d3c4f4c5", rules_of(game_spec()))
MIDDLE: Final = 30  # plies in the pictures of a running game
LEVEL: Final = 5
PATIENCE: Final = 300.0
SIDE_PANEL: Final = pygame.Rect(696, 64, 568, 632)
DOCS: Final = Path(__file__).parents[1] / "docs"


class Window:
    """The window after some moves of the game; use as a context manager."""

    def __init__(self, plies: int = GAME.ply, archive: Path | None = None) -> None:
        self._stack = ExitStack()
        now = time.monotonic()
        spec = game_spec()
        analysing = partial(Worker, analyses=True)
        player = Worker(lambda replayed, spec: Replayed(replayed, rules_of(spec)))
        workers = player, analysing(), analysing(), Worker()
        for worker in workers:
            self._stack.callback(worker.close, PATIENCE)
        staff = loop.Workers(*workers, compiler)
        players: tuple[PlayerConfig, PlayerConfig] = configure("user"), opponent(LEVEL, tr(f"levels.{LEVEL}"))
        folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory()))
        library = Library(self._stack.enter_context(closing(StoreWriter(folder / "games.sqlite"))))
        config = Config(players, move_delay_seconds=0.0)
        self.session = Session(config, staff.player, now, analyst=staff.analyst, game_analyst=staff.game_analyst)
        preferences = PreferencesFile()
        preferences.change(motion="none", sound=False)
        store = partial(Store, folder / "games.sqlite")
        if archive is not None:
            with store() as opened:
                opened.add([archive], "Tournaments")
        self.table = GameScreen(self.session, DESIGN_SIZE, now, Storage(preferences, library, store=store))
        self._stack.callback(self.table.close)
        self.rooms = ScreenManager(
            self.table, staff.opponent, preferences, partial(staff.player.prepare, players[1:], spec)
        )
        self._stack.callback(self.rooms.close)
        while self.session.game.ply < plies:
            self.until(lambda: self.session.awaits_user or self.session.announces_pass or self.session.referee.is_over)
            move = GAME.moves[self.session.game.ply]
            self.do(cmd.Acknowledge() if self.session.announces_pass else cmd.PlayMove(move))

    def __enter__(self) -> Window:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def do(self, *commands: gui.Command) -> None:
        for command in commands:
            self.rooms.do(command, time.monotonic())
            self.wait(0.05)

    def until(self, is_maximised: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not is_maximised():
            if time.monotonic() > end:
                raise TimeoutError("what is to be in the picture does not come")
            loop.turn(self.rooms, time.monotonic() + 0.02)

    def wait(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        self.until(lambda: time.monotonic() >= end)

    def keep(self, name: str, part: pygame.Rect | None = None) -> None:
        """Save a reduced picture of the screen, or of a part of it."""
        surface = pygame.display.get_surface()
        assert surface is not None
        pygame.image.save(surface.subsurface(part or surface.get_rect()), DOCS / f"{name}.png")


class Replayed(Player):
    """A player that replays the moves of the game."""

    def think(self, game: AnyGame, stop: StopFlag, seconds: float | None = None) -> Iterator[SearchReport]:
        move = GAME.moves[game.ply]
        yield SearchReport("replayed", move, None, (), Unit.NONE, 0, 0, 0, (move,), 0.0, final=True)


def _nodes(report: SearchReport | None) -> int:
    return 0 if report is None else report.nodes


def in_the_middle() -> None:
    """Take the picture of a running game with its analysis."""
    with Window(MIDDLE) as window:
        window.wait(3.0)
        window.keep("window-play")
        window.do(cmd.AnalyseGame())
        judge = window.session.game_analysis
        assert judge is not None
        window.until(lambda: not judge.is_running)
        window.do(gui.SwitchMode("analyse"))
        window.until(lambda: _nodes(window.session.shown_analysis) > 400_000)
        window.keep("window-analyse")


def step_by_step() -> None:
    """Take the pictures of steps: the panel of each search, and the window in a simulation of UCT."""
    for kind, plies, name in (
        ("mcts_uct", 20, "uct"),
        ("mcts_ucb1", 20, "ucb1"),
        ("mcts_grouping", 0, "grouping"),
        ("heuristic", 20, "alphabeta"),
        ("q_learning", 20, "learning"),
    ):
        with Window(plies) as window:
            window.do(gui.SwitchMode("analyse"), gui.SwitchMode("steps"))
            mode = window.table.mode
            assert isinstance(mode, StepsMode)
            search = next(search for search in mode.searches if search.config.kind == kind)
            for command in (ui.ControlChanged("search", search), cmd.GoTo(6 if kind == "heuristic" else 143)):
                window.do(command)
                window.until(partial(is_recorded, mode))
            if kind == "heuristic":
                cutoffs = [at for at, step in enumerate(mode.steps.part.steps) if is_cutoff(step)]
                mode.steps.at = cutoffs[len(cutoffs) // 2]
            elif kind == "q_learning":
                mode.steps.move(-2)
            else:
                window.wait(0.5)
                if kind == "mcts_uct":
                    window.keep("window-steps")
                mode.steps.go_to_kind(MoveSelection)
            window.wait(0.5)
            window.keep(f"steps-{name}", SIDE_PANEL)


def is_recorded(mode: StepsMode) -> bool:
    return mode.steps.step is not None and not mode.steps.is_busy


def is_cutoff(step: Step) -> bool:
    return isinstance(step, NodeExit) and step.reason is ExitReason.CUT_OFF and len(step.path) == 2


def afterwards() -> None:
    """Take the picture of a finished game: the loss of each move, and the worst mistakes."""
    with Window() as window:
        window.do(cmd.AnalyseGame())
        judge = window.session.game_analysis
        assert judge is not None
        window.until(lambda: not judge.is_running)
        window.do(gui.PlainCommand.DISMISS, gui.SwitchMode("review"))
        window.wait(1.0)
        window.keep("window-review")
        window.do(gui.PlainCommand.TRY_AGAIN)
        window.wait(1.0)
        window.keep("window-train")


def in_an_archive(folder: Path) -> None:
    """Take the picture of an opening in an archive of tournament games."""
    with Window(0, folder) as window:
        window.do(gui.SwitchMode("explore"), cmd.PlayVariation(TIGER.moves))
        window.until(lambda: window.table.explorer.answer is not None and not window.table.explorer.is_busy)
        window.until(lambda: _nodes(window.session.shown_analysis) > 400_000)
        window.keep("window-explore")


def _games(window: Window) -> int:
    """Return the number of finished games of the tournament."""
    screen = window.rooms.tournament_screen
    return 0 if screen is None else screen.state.standings.games


def in_the_hall() -> None:
    """Take the picture of a tournament of searches."""
    with Window(0) as window:
        kinds = ("engine", "mcts_uct", "mcts_ucb1", "mcts_grouping", "heuristic", "random")
        players = tuple(configure(kind, **({"depth": 4} if kind == "engine" else {})) for kind in kinds)
        tournament = TournamentConfig(format="round_robin", opening_plies=8)
        config = Config(players, game_type="tournament", seed=1, game_repetitions=10, tournament=tournament)
        window.rooms.enter(TournamentHandle(config), time.monotonic())
        window.until(lambda: _games(window) > 40)
        window.keep("window-tournament")


if __name__ == "__main__":
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode(DESIGN_SIZE)
    for make in (in_the_middle, step_by_step, afterwards, in_the_hall):
        make()
    if len(sys.argv) > 1:
        in_an_archive(Path(sys.argv[1]))
