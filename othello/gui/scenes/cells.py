"""Labelled controls side by side, as dialogs have them: two in a row, one where there is little room."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pygame import Rect

from othello.errors import OthelloError
from othello.gui import theme, wording
from othello.gui.choices import Choice
from othello.gui.controls import Control
from othello.gui.scenes.chosen_rules import with_rule
from othello.gui.sheet import Page
from othello.rules.protocol import GameSpec
from othello.rules.registry import GAMES, game_spec
from othello.schema import Option, Value, follows

NARROW: Final = 700
"""A page of fewer design pixels has one control in a row."""
GAP: Final = 16
_BETWEEN: Final = 32
_NUMBERS: Final = (*range(1, 9), 10, 15)
"""What rows of buttons offer of a number."""


@dataclass(frozen=True)
class Cell:
    """A control and what is written above it.

    Attributes:
        make: the control in a rectangle, with its options on so many rows.
        is_wide: whether it needs a whole line of the page.
        options: what is written side by side in it.
    """

    label: str
    make: Callable[[Rect, int], Control]
    is_wide: bool = False
    options: tuple[str, ...] = ()

    def rows(self, page: Page, room: float) -> int:
        """On how many rows its options have room."""
        widest = max((page.width_of(word, bold=True) + 20 for word in self.options), default=0.0)
        columns = max(1, min(len(self.options), int(room / widest))) if widest else 1
        return -(-len(self.options) // columns) or 1


def choice(name: str, label: str, options: tuple[tuple[Any, str], ...], value: Any) -> Cell:
    """One of a few, side by side."""
    words = tuple(word for _, word in options)
    return Cell(label, lambda rect, rows: Choice(name, rect, options, value, rows=rows), options=words)


def flow(page: Page, y: float, cells: Iterable[Cell]) -> float:
    """Write cells from above; how far they reach down."""
    half = page.width if page.width < NARROW else (page.width - GAP) / 2
    x, lowest = 0.0, y
    for cell in cells:
        is_wide = cell.is_wide or half == page.width or cell.rows(page, half) > 1
        if is_wide and x:
            x, y = 0.0, lowest
        room = page.width if is_wide else half
        rows = cell.rows(page, room)
        page.text(cell.label, x, y, size=12, color=theme.MUTED, bold=True, width=room)
        height = 40.0 * rows
        page.add(cell.make(page.rect(x, y + 12, room, height), rows))
        lowest = max(lowest, y + height + _BETWEEN)
        x = 0.0 if is_wide or x else half + GAP
        y = y if x else lowest
    return lowest


def rule_cells(spec: GameSpec) -> list[Cell]:
    """What can be chosen of a game's rules; each control is called `rules.OPTION`."""
    chosen = dict(spec.options)
    cells = []
    for option in GAMES[spec.game].options:
        words = tuple(
            (value, wording.rule_choice(spec.game, option.name, value)) for value in _values(spec.game, option, chosen)
        )
        label = wording.rule_name(spec.game, option.name)
        cells.append(choice(f"rules.{option.name}", label, words, chosen[option.name]))
    return cells


def _values(game: str, option: Option, chosen: Mapping[str, Value]) -> list[Any]:
    """What a rule may be beside the others, as far as a row of buttons offers it."""
    offered = option.choices or sorted({*_NUMBERS, *[chosen[option.name]]})
    return [value for value in offered if follows(value, option.schema) and _goes(game, option.name, value, chosen)]


def _goes(game: str, option: str, value: Value, chosen: Mapping[str, Value]) -> bool:
    """Whether a value goes with the other rules."""
    try:
        game_spec(game, with_rule(game, chosen, option, value))
    except OthelloError:
        return False
    return True
