"""A choice of one of many in a list that opens, beside a board."""

from __future__ import annotations

from typing import Any, Final

import pygame
from pygame import Rect

from othello.gui import commands as gui
from othello.gui.choices import Select
from othello.gui.commands import Command, Point
from othello.gui.theme import Style
from othello.play import commands as play

_ROW: Final = 30


class Picker:
    """What is chosen, and the list while it is open.

    Attributes:
        value: the chosen one.
        is_open: whether the list is; it hears of keys and clicks then.
    """

    def __init__(self, name: str, label: str, options: tuple[tuple[Any, str], ...], value: Any) -> None:
        self.value = value
        self.is_open = False
        self._name, self._label, self._options = name, label, options
        self._list = Rect(0, 0, 0, 0)
        self._marked = value
        self._mouse: Point | None = None

    def step(self, steps: int) -> None:
        """Choose the next one, after the last the first."""
        values = [value for value, _ in self._options]
        self.value = values[(values.index(self.value) + steps) % len(values)]

    def open(self, rect: Rect, within: Rect, style: Style) -> None:
        """Open the list below the choice, or where it fits in."""
        self.is_open, self._marked = True, self.value
        self._list = Rect(rect.left, rect.bottom + style.px(2), rect.width, style.px(_ROW) * len(self._options))
        self._list.clamp_ip(within)

    def do(self, command: Command) -> bool:
        """Take what the person does with the open list; whether another one is chosen now."""
        values = [value for value, _ in self._options]
        match command:
            case gui.PointAt(at):
                self._mouse = at
            case gui.MoveCursor(_, rows):
                index = values.index(self._marked) + rows
                self._marked = values[min(max(0, index), len(values) - 1)]
            case play.GoTo(ply):
                self._marked = values[-1 if ply else 0]
            case gui.Confirm():
                return self._choose(self._marked)
            case gui.PressAt(at) if self._list.collidepoint(at):
                return self._choose(values[(at[1] - self._list.top) * len(values) // self._list.height])
            case gui.PressAt() | gui.Dismiss():
                self.is_open = False
        return False

    def _choose(self, value: Any) -> bool:
        changed: bool = value != self.value
        self.value, self.is_open = value, False
        return changed

    @property
    def look(self) -> object:
        """Equal as long as it looks the same."""
        return self.value, self.is_open and (self._marked, self._mouse)

    def draw(self, surface: pygame.Surface, style: Style, rect: Rect, mouse: Point | None) -> None:
        """The choice."""
        control = Select(self._name, rect, self._options, self.value, self._label)
        control.draw(surface, style, rect, mouse if mouse is not None and rect.collidepoint(mouse) else None)

    def draw_list(self, surface: pygame.Surface, style: Style) -> None:
        """The list, over everything, where it is open."""
        if self.is_open:
            control = Select(self._name, self._list, self._options, self._marked)
            control.draw_list(surface, style, self._list, self._mouse)
