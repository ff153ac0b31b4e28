"""Where the keyboard is, beside the board: which button of which group."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from pygame import Rect

LIST: Final = "list"
"""Stands for the list of moves, where a button has its name."""


class Focus:
    """One of several groups of buttons, and one button in it; or the board, which is where it begins.

    Attributes:
        name: the button, None while keys are for the board.
    """

    def __init__(self) -> None:
        self.name: str | None = None
        self._groups: list[list[str]] = []
        self._places: Mapping[str, Rect] = {}

    def follow(self, groups: Iterable[Iterable[str]], places: Mapping[str, Rect]) -> None:
        """Learn what there is.

        Args:
            groups: what can be used now, group by group.
            places: where all of it lies.
        """
        self._places = places
        ordered = (sorted(group, key=lambda name: (places[name].top, places[name].left)) for group in groups)
        self._groups = [group for group in ordered if group]
        if self.name is not None and self._group is None:
            self.name = None

    @property
    def place(self) -> Rect | None:
        """Where the button lies."""
        return None if self.name is None else self._places.get(self.name)

    @property
    def _group(self) -> list[str] | None:
        return next((group for group in self._groups if self.name in group), None)

    def next_group(self, steps: int) -> None:
        """Go to the first button of another group; after the last group to the board."""
        stops: Sequence[list[str] | None] = [None, *self._groups]
        group = stops[(stops.index(self._group) + steps) % len(stops)]
        self.name = None if group is None else group[0]

    def step(self, steps: int) -> None:
        """Go to the next button, whatever group it is in."""
        names = [name for group in self._groups for name in group]
        if names:
            index = names.index(self.name) + steps if self.name in names else (0 if steps > 0 else -1)
            self.name = names[index % len(names)]

    def move(self, columns: int, rows: int) -> None:
        """Go to the button on that side, within the group."""
        group = self._group
        if group is None or self.name is None:
            return
        if columns:
            self.name = group[min(max(0, group.index(self.name) + columns), len(group) - 1)]
            return
        here = self._places[self.name]
        beyond = [name for name in group if (self._places[name].centery - here.centery) * rows > here.height // 2]
        self.name = min(beyond, key=lambda name: self._distance(name, here), default=self.name)

    def _distance(self, name: str, here: Rect) -> tuple[int, int]:
        there = self._places[name]
        return abs(there.centery - here.centery), abs(there.centerx - here.centerx)
