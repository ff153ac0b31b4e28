"""A tournament's window without a screen, driven by real pygame events."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pygame

from othello.config import Config, PlayerConfig, TournamentConfig
from othello.gui import loop
from othello.gui.layout import DESIGN_SIZE
from othello.gui.report import ReportDesk
from othello.gui.scenes.tournament import TournamentScene
from othello.tournament.watched import WatchedTournament

DEADLINE = 60.0
PLAYERS = tuple(PlayerConfig("random", name=name) for name in "AB")


def config_for(folder: Path, repetitions: int) -> Config:
    tournament = TournamentConfig("paired", processes=1)
    output = folder / "games.jsonl"
    return Config(
        PLAYERS, "tournament", game_repetitions=repetitions, seed=1, output_file=output, tournament=tournament
    )


class Hall:
    """Somebody who watches a tournament."""

    def __init__(self, config: Config, size: tuple[int, int] = DESIGN_SIZE) -> None:
        pygame.display.init()
        pygame.font.init()
        pygame.display.set_mode(size, pygame.RESIZABLE)
        pygame.event.clear()
        assert config.output_file is not None
        self.desk = ReportDesk(config.output_file)
        now = time.monotonic()
        self.scene = TournamentScene(WatchedTournament(config), self.desk, size, now)
        self.wake: float | None = now
        self.turn()

    def turn(self) -> None:
        """One round of the window's loop, which does not sleep long."""
        soon = time.monotonic() + 0.01
        self.wake = loop.turn(self.scene, soon if self.wake is None else min(soon, self.wake))

    def until(self, condition: Callable[[], bool]) -> None:
        """Go on until something is so."""
        end = time.monotonic() + DEADLINE
        while not condition():
            assert time.monotonic() < end, f"not so after {DEADLINE} s"
            self.turn()

    def until_end(self) -> None:
        self.until(lambda: self.scene.following.end is not None)
        self.turn()

    def key(self, key: int, text: str = "", mod: int = 0) -> None:
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key, unicode=text, mod=mod))
        pygame.event.post(pygame.event.Event(pygame.KEYUP, key=key, mod=mod))
        self.turn()

    def press(self, button: str) -> None:
        at = self.scene.layout.buttons[button].center
        pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, pos=at, rel=(0, 0), buttons=(0, 0, 0)))
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=at, button=1))
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=at, button=1))
        self.turn()
        self.turn()  # what a pressed button means comes back as an event

    def resize(self, size: tuple[int, int]) -> None:
        pygame.display.set_mode(size, pygame.RESIZABLE)
        pygame.event.post(pygame.event.Event(pygame.VIDEORESIZE, w=size[0], h=size[1], size=size))
        self.turn()

    @property
    def games(self) -> int:
        return self.scene.following.standings.games

    @property
    def status(self) -> str:
        return self.scene.picture.status

    def close(self) -> None:
        self.scene.close()
        pygame.display.quit()
