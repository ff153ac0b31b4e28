"""What can stand beside the board instead of cards and moves: the modes of the window."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

import pygame
from pygame import Rect

from othello.gui.commands import Command
from othello.gui.faces.board import BoardState
from othello.gui.faces.face import Face
from othello.gui.layout import Layout
from othello.gui.widgets import ButtonState
from othello.play.session import Session

PLAY: Final = "play"


class Mode:
    """A column of its own beside the board, which may also change what the board shows and what a click means.

    Args:
        session: what is looked at; the same one as long as the window is open.
        now: the current time.

    Attributes:
        name: of its button in the mode switch.
    """

    name: ClassVar[str]
    shows_game: ClassVar[bool] = True
    """Whether what there is to tell of the game lies over the board."""

    def __init__(self, session: Session, now: float) -> None:
        self.session = session

    def buttons(self, layout: Layout) -> Mapping[str, Rect]:
        """Its buttons by the name of what they do; all lie in `layout.column`."""
        return {}

    def button_states(self) -> Mapping[str, ButtonState]:
        """The looks of its buttons that do not always look the same."""
        return {}

    def do(self, command: Command, layout: Layout, now: float) -> bool:
        """Carry a command out; False leaves it to the scene, which does with it what it does while playing."""
        return False

    def update(self, layout: Layout, mouse: tuple[int, int] | None, now: float) -> None:
        """Move on with time."""

    def next_wake(self, now: float) -> float | None:
        """When to update again without a command, None: any time will do."""
        return None

    def look(self) -> object:
        """What it shows, as a value: equal ones look the same."""
        return None

    def board(self, state: BoardState) -> BoardState:
        """What the board shows in this mode."""
        return state

    def status(self) -> str | None:
        """The line below the board, None for the one while playing."""
        return None

    def draw(self, surface: pygame.Surface, layout: Layout, face: Face) -> None:
        """Draw the column, and over the board what only this mode shows there."""

    def leave(self, now: float) -> None:
        """Another mode takes its place."""
