"""What can stand beside the board instead of cards and moves: the modes of the window."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

import pygame
from pygame import Rect

from othello.gui.commands import Command
from othello.gui.faces.board import BoardState
from othello.gui.faces.face import Face
from othello.gui.layout import Layout
from othello.gui.preferences import PreferencesFile
from othello.gui.widgets import ButtonState
from othello.play import commands as play
from othello.play.deck import Deck
from othello.play.history import Ended
from othello.play.judging import Limits
from othello.play.session import Session
from othello.rules.protocol import GameSpec

PLAY: Final = "play"


@dataclass(frozen=True, slots=True)
class Person:
    """What the program keeps for whoever sits at the window: what they have chosen, and what they train."""

    preferences: PreferencesFile
    deck: Deck

    @property
    def limits(self) -> Limits:
        """What the person calls a mistake."""
        wanted = self.preferences.value
        return Limits(wanted.slip, wanted.mistake, wanted.blunder)


class Mode:
    """A column of its own beside the board, which may also change what the board shows and what a click means.

    Args:
        session: what is looked at; the same one as long as the window is open.
        now: the current time.
        person: who looks at it.

    Attributes:
        name: of its button in the mode switch.
    """

    name: ClassVar[str]
    shows_game: ClassVar[bool] = True
    """Whether what there is to tell of the game lies over the board."""
    fills_window: ClassVar[bool] = False
    """Whether it takes the place of the board, too: all below the toolbar is drawn by it."""

    has_switches: ClassVar[bool] = False
    """Whether the buttons below the board, which say what is shown there, mean anything."""

    holds_game: ClassVar[bool] = False
    """Whether a game that runs waits until another mode takes its place."""

    least_height: ClassVar[float] = 500
    """How high its column is at least, in design pixels; where less of it is seen, it is scrolled."""

    def __init__(self, session: Session, now: float, person: Person) -> None:
        self.session, self.person = session, person
        self._holds = (
            self.holds_game
            and session.allows(play.TogglePause)
            and not session.pace.paused
            and not session.referee.is_over
        )
        if self._holds:
            session.do(play.TogglePause(), now)

    @property
    def spec(self) -> GameSpec:
        """Which game the board is of."""
        return self.session.game.rules.spec

    def least(self, width: float) -> float:
        """How high a column of that width is at least, both in design pixels."""
        return 1 if self.fills_window else self.least_height

    def buttons(self, layout: Layout) -> Mapping[str, Rect]:
        """Its buttons by the name of what they do; all lie in `layout.column`."""
        return {}

    def lists(self, layout: Layout) -> Mapping[str, Rect]:
        """What is no button and takes arrows and Enter."""
        return {}

    def in_list(self, name: str, columns: int, rows: int, layout: Layout) -> Command | None:
        """What an arrow key means there, or Enter, where both are 0."""
        return None

    def button_states(self) -> Mapping[str, ButtonState]:
        """The looks of its buttons that do not always look the same."""
        return {}

    def do(self, command: Command, layout: Layout, now: float) -> Command | bool:
        """Carry a command out, and say what follows from it, True where nothing does.

        False leaves it to the scene, which does with it what it does while playing.
        """
        return False

    def update(self, layout: Layout, mouse: tuple[int, int] | None, now: float) -> None:
        """Move on with time."""

    def next_wake(self, now: float) -> float | None:
        """When to update again without a command, None: any time will do."""
        return None

    def hear(self, ended: Ended) -> None:
        """A game has ended on the table."""

    def look(self) -> object:
        """What it shows, as a value: equal ones look the same."""
        return None

    def board(self, state: BoardState) -> BoardState:
        """What the board shows in this mode."""
        return state

    def past(self) -> str:
        """What the board shows instead of the game's latest position, in a few words; empty where no frame says so."""
        return ""

    def status(self) -> str | None:
        """The line below the board, None for the one while playing."""
        return None

    def status_place(self, layout: Layout) -> Rect:
        """Where it is written."""
        return layout.status

    def draw(self, surface: pygame.Surface, layout: Layout, face: Face) -> None:
        """Draw the column; what of it is scrolled over the board is hidden by that."""

    def draw_on_board(self, surface: pygame.Surface, layout: Layout, face: Face) -> None:
        """Draw over the board what only this mode shows there."""

    @property
    def has_open_list(self) -> bool:
        """Whether a list lies open over the buttons, for which all clicks and keys are."""
        return False

    def draw_list(self, surface: pygame.Surface, layout: Layout) -> None:
        """Draw that list over everything."""

    def leave(self, now: float) -> None:
        """Another mode takes its place."""
        if self._holds and self.session.pace.paused:
            self.session.do(play.TogglePause(), now)
