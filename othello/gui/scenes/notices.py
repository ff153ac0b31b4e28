"""The buttons of a dialog's footer."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from othello.gui.controls import Button
from othello.gui.sheet import Page

_GAP: Final = 8


def answers(
    page: Page,
    buttons: Sequence[tuple[str, str]],
    beside: Sequence[tuple[str, str]] = (),
    disabled: Collection[str] = (),
) -> float:
    """Write the buttons of a footer, each as wide as its words.

    Args:
        page: the footer.
        buttons: names and words of those at its right end; the last one is the main one.
        beside: of those at its left end; where there is no room for them, `spill` writes them.
        disabled: the names of those that cannot be pressed now.

    Returns:
        Where the room between both begins, in design pixels.
    """
    beside = beside if _has_room(page, buttons, beside) else ()
    sizes = {name: _width(page, label, name == buttons[-1][0]) for name, label in (*beside, *buttons)}
    x = 0.0
    for name, label in beside:
        page.add(Button(name, page.rect(x, 0, sizes[name], 40), label, "outline", name not in disabled))
        x += sizes[name] + _GAP
    left = x
    x = max(0.0, page.width - sum(sizes[name] + _GAP for name, _ in buttons) + _GAP)
    for name, label in buttons:
        look = "primary" if name == buttons[-1][0] else "outline"
        page.add(Button(name, page.rect(x, 0, sizes[name], 40), label, look, name not in disabled))
        x += sizes[name] + _GAP
    return left


def spill(
    page: Page,
    buttons: Sequence[tuple[str, str]],
    beside: Sequence[tuple[str, str]],
    disabled: Collection[str] = (),
) -> None:
    """Write those at the end of a page that the footer has no room for: two rows of it would take that of the page."""
    if not _has_room(page, buttons, beside):
        for index, (name, label) in enumerate(beside):
            place = page.rect(0, page.height + (_GAP if index else 3 * _GAP), page.width, 40)
            page.add(Button(name, place, label, "outline", name not in disabled))


def _has_room(page: Page, buttons: Sequence[tuple[str, str]], beside: Sequence[tuple[str, str]]) -> bool:
    widths = [_width(page, label, name == buttons[-1][0]) for name, label in (*beside, *buttons)]
    return sum(widths) + _GAP * (len(widths) - 1) <= page.width


def _width(page: Page, label: str, is_main: bool) -> float:
    words = page.style.width(label, 14 if is_main else 13, bold=is_main) / page.style.scale
    return max(136.0 if is_main else 96.0, words + 32)
