"""Labelled controls side by side, as dialogs have them: two in a row, one where there is little room."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pygame import Rect

from othello.gui import theme, wording
from othello.gui.choices import Choice
from othello.gui.controls import Control
from othello.gui.sheet import Page
from othello.rules.protocol import GameSpec
from othello.rules.registry import GAMES
from othello.schema import Option, Value

NARROW: Final = 700
"""A page of fewer design pixels has one control in a row."""
GAP: Final = 16
_PITCH: Final = 72
_NUMBERS: Final = (*range(1, 9), 10, 15)
"""What rows of buttons offer of a number."""
_MOST_IN_HALF: Final = 3  # options in words that half a row has room for


@dataclass(frozen=True)
class Cell:
    """A control and what is written above it.

    Attributes:
        make: the control in a rectangle.
        is_wide: whether it needs a whole row.
    """

    label: str
    make: Callable[[Rect], Control]
    is_wide: bool = False


def choice(name: str, label: str, options: tuple[tuple[Any, str], ...], value: Any, *, is_wide: bool = False) -> Cell:
    """One of a few, side by side."""
    return Cell(label, lambda rect: Choice(name, rect, options, value), is_wide)


def flow(page: Page, y: float, cells: Iterable[Cell]) -> float:
    """Write cells from above; how far they reach down."""
    is_narrow = page.width < NARROW
    half = page.width if is_narrow else (page.width - GAP) / 2
    x = 0.0
    for cell in cells:
        if cell.is_wide and x:
            x, y = 0.0, y + _PITCH
        page.text(cell.label, x, y, size=12, color=theme.MUTED, bold=True)
        page.add(cell.make(page.rect(x, y + 12, page.width if cell.is_wide else half, 40)))
        if cell.is_wide or is_narrow or x:
            x, y = 0.0, y + _PITCH
        else:
            x = half + GAP
    return y + _PITCH if x else y


def rule_cells(spec: GameSpec) -> list[Cell]:
    """What can be chosen of a game's rules; each control is called `rules.OPTION`."""
    chosen = dict(spec.options)
    cells = []
    for option in GAMES[spec.game].options:
        words = tuple((value, wording.rule_choice(spec.game, option.name, value)) for value in _values(option, chosen))
        label = wording.rule_name(spec.game, option.name)
        is_wide = option.kind is not int and len(words) > _MOST_IN_HALF
        cells.append(choice(f"rules.{option.name}", label, words, chosen[option.name], is_wide=is_wide))
    return cells


def _values(option: Option, chosen: Mapping[str, Value]) -> list[Any]:
    """What a rule may be, as far as a row of buttons offers it."""
    if option.choices:
        return list(option.choices)
    assert option.minimum is not None
    size = chosen.get("size")
    last = min(5, size) if option.name != "size" and isinstance(size, int) else option.maximum or 0
    values = [value for value in _NUMBERS if option.minimum <= value <= last]
    return values if chosen[option.name] in values else [*values, chosen[option.name]]
