"""A tournament's window without a screen, driven by real pygame events."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pygame

from othello.config import Config, TournamentConfig
from othello.gui.platform.window import DESIGN_SIZE
from othello.gui.preferences import PreferencesFile
from othello.gui.screen import Screen
from othello.gui.screens.game_screen import GameScreen
from othello.gui.screens.tournament.standings_text import Browse, ReportWriter, Write
from othello.gui.screens.tournament.standings_widgets import LiveBoard, LiveBoardState, StandingsTable
from othello.gui.screens.tournament.tournament_handle import TournamentHandle
from othello.gui.screens.tournament.tournament_screen import TournamentScreen
from othello.gui.widgets.board_widget import Status
from othello.play.session import Session
from othello.play.worker import Worker
from othello.players.player_registry import configure
from tests.gui.reports import browses, write_page
from tests.gui.window_driver import COMPILE_TIMEOUT, EventDriver, Kind, W
from tests.play.fake_players import make_player

PLAYERS = tuple(configure("random", name=name) for name in "AB")


def config_for(folder: Path, repetitions: int) -> Config:
    tournament = TournamentConfig("paired", processes=1)
    output = folder / "games.jsonl"
    return Config(
        PLAYERS, "tournament", game_repetitions=repetitions, seed=1, output_file=output, tournament=tournament
    )


class TournamentDriver(EventDriver):
    """Drives the tournament screen."""

    scene: TournamentScreen

    def __init__(
        self, config: Config, size: tuple[int, int] = DESIGN_SIZE, write: Write = write_page, browse: Browse = browses
    ) -> None:
        pygame.display.init()
        pygame.font.init()
        pygame.display.set_mode(size, pygame.RESIZABLE)
        pygame.event.clear()
        assert config.output_file is not None
        handle, now = TournamentHandle(config), time.monotonic()
        handle.report_writer = self.report_writer = ReportWriter(config.output_file, write, browse)
        self.unfinished = handle.unfinished
        self.worker = Worker(make_player, grace_seconds=0.05)
        self.scene = TournamentScreen(handle, self.worker, size, now, PreferencesFile())
        self.wake = now
        self.turn()

    def until_end(self) -> None:
        self.until(lambda: self.scene.state.end is not None)
        self.turn()

    def stop(self) -> None:
        """Stop the tournament, and confirm it."""
        self.press("stop")
        self.keys("Enter")

    def until_invited(self) -> None:
        """Wait for the invitation to the user's next game."""
        self.until(lambda: self.scene.state.invitation is not None)
        self.turn()

    def begin_game(self) -> Session:
        """Wait for the invitation to the user's next game, and accept it."""
        self.until_invited()
        self.press("begin")
        assert self.scene.session is not None
        return self.scene.session

    def play_game(self) -> Session:
        """Play one of the user's games to its end with the keyboard, and wait for the result."""
        session = self.begin_game()
        while not session.referee.is_over:
            self.until(lambda: session.awaits_user or session.announces_pass or session.referee.is_over)
            if session.announces_pass:
                self.keys("Enter")
            elif session.awaits_user:
                text = session.game.text_of(session.game.legal_moves()[0])
                self.type(text)
        self.until(lambda: self.game_screen.widgets.find("again") is not None)
        return session

    @property
    def game_screen(self) -> GameScreen:
        """The screen of the user's game."""
        assert self.scene.game_screen is not None
        return self.scene.game_screen

    @property
    def active_screen(self) -> Screen:
        return self.scene.active_screen

    @property
    def games(self) -> int:
        return self.scene.state.standings.games

    @property
    def status(self) -> str:
        return self.panel(Status).words

    @property
    def is_bad(self) -> bool:
        """True if the line at the bottom reports an error."""
        return self.panel(Status).is_bad

    @property
    def standings(self) -> StandingsTable:
        return self.panel(StandingsTable)

    @property
    def live(self) -> list[LiveBoardState]:
        """The games on the boards."""
        return [board.live for board in self.panels(LiveBoard)]

    def panel(self, kind: Kind[W]) -> W:
        """Return the only widget of a type on the tournament screen."""
        (found,) = self.panels(kind)
        return found

    def panels(self, kind: Kind[W]) -> list[W]:
        """Return the widgets of a type on the tournament screen, also below a dialog."""
        return [each.widget for each in self.scene.widgets.walk(are_covered=True) if isinstance(each.widget, kind)]

    def close(self) -> None:
        self.report_writer.close()
        self.unfinished.close()
        self.scene.tournament.close()
        closed = self.worker.close(COMPILE_TIMEOUT)
        pygame.display.quit()
        assert closed


OpenTournament: TypeAlias = Callable[..., TournamentDriver]
