"""Rows of buttons: each as wide as its words, on further rows where one is too narrow for all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from pygame import Rect

from othello.gui import actions
from othello.gui.actions import Where
from othello.gui.theme import Style

BUTTON_HEIGHT: Final = 32
TEXT_SIZE: Final = 13
SMALL_TEXT: Final = 11
PRIMARY_TEXT: Final = 14
PRIMARY: Final = frozenset({"again", "begin", "report", "play_offered", "edit_play"})
"""The buttons that stand out, with larger words."""
_PADDING: Final = 12
_SPARE_PADDING: Final = 4  # that buttons do without to stay on one row
_ICON_WIDTH: Final = 36
_TITLE: Final = ("leave", "new", "open", "save", "edit", "tournament", "hall", "settings")
_MODES: Final = ("play", "analyse", "review", "train")
_MODE_WIDTH: Final = 80  # where there is room
_SIDE: Final = ("first", "back", "forward", "last", "pause", "turn", "undo", "redo", "swap")
_BELOW_BOARD: Final = ("captures", "tree", "values")
IN_MENU: Final = (*_TITLE, *_MODES, "help")
"""What the menu has: all that the toolbar may have no room for."""
TURN: Final = ("hint", "move_now", "step")
"""What shares one place: which of them is there depends on whose turn it is."""


@dataclass(frozen=True)
class Toolbar:
    """The bar at the top.

    Attributes:
        bar: all of it.
        title: whether there is room for the game's name.
        modes: what surrounds the mode switch, empty where there is no other mode.
        room: what is free between the buttons to the left and those to the right.
    """

    bar: Rect
    title: bool
    modes: Rect
    room: Rect
    buttons: dict[str, Rect]


def width_of(style: Style, button: str, where: Where, size: float = TEXT_SIZE) -> int:
    """How wide a button is."""
    names = [name for name in TURN if name in actions.buttons(where)] if button == "turn" else [button]
    words = [word for name in names for word in actions.words(name, where)]
    if not words:
        return style.px(_ICON_WIDTH)
    is_bold, size = button in _MODES or button in PRIMARY, PRIMARY_TEXT if button in PRIMARY else size
    return max(style.width(word, size, bold=is_bold) for word in words) + 2 * style.px(_PADDING)


def toolbar(style: Style, width: int, where: Where) -> Toolbar:
    """The bar at the top of a window of that width. What does not fit is in a menu, the modes last of all."""
    px, height, top = style.px, style.px(BUTTON_HEIGHT), style.px(12)
    left = _measured(style, _TITLE, where)
    modes = _measured(style, _MODES, where)
    modes = modes if len(modes) > 1 else []
    menu, end = width_of(style, "menu", where), width - px(24)
    for has_title, gap, narrowest, shown, has_modes in _tries(len(left)):
        start = px(168 if has_title else 60)
        sizes = [(name, max(px(narrowest), size)) for name, size in modes] if has_modes else []
        kept = [("menu", menu), *left[:shown]] if shown < len(left) or len(sizes) < len(modes) else left
        right = sum(size for _, size in sizes) + (px(16) if sizes else 0) + width_of(style, "help", where)
        if start + sum(size + px(gap) for _, size in kept) + right <= end:
            break
    buttons = _row(kept, start, top, height, px(gap))
    last = buttons[kept[-1][0]].right if kept else start
    x = end - sum(size for _, size in sizes)
    buttons |= _row(sizes, x, top, height, 0)
    box = Rect(x, top, end - x, height)
    x -= width_of(style, "help", where) + (px(16) if sizes else 0)
    buttons["help"] = Rect(x, top, width_of(style, "help", where), height)
    room = Rect(last + px(16), top, max(0, x - last - px(32)), height)
    return Toolbar(Rect(0, 0, width, px(56)), has_title, box, room, buttons)


def _tries(buttons: int) -> Iterator[tuple[bool, int, int, int, bool]]:
    """Ever less to put into the bar: the name, gaps, the modes' least width, how many buttons, whether the modes."""
    yield True, 8, _MODE_WIDTH, buttons, True
    yield True, 8, 0, buttons, True
    yield False, 4, 0, buttons, True
    for shown in range(buttons - 1, -1, -1):
        yield False, 4, 0, shown, True
    for shown in range(buttons - 1, -1, -1):
        yield False, 4, 0, shown, False


def controls(
    style: Style, side: Rect, bottom: int, where: Where, names: Iterable[str] = _SIDE
) -> tuple[dict[str, Rect], int]:
    """The buttons at the end of a column on as few rows as they take, from edge to edge, and where they begin."""
    height, gap = style.px(BUTTON_HEIGHT), style.px(8)
    sizes = [(name, width_of(style, name, where)) for name in names]
    if len(_split(sizes, side.width, gap)) > 1:
        less = 2 * style.px(_SPARE_PADDING)
        tight = [(name, size - (0 if name in actions.PICTURED else less)) for name, size in sizes]
        sizes = tight if len(_split(tight, side.width, gap)) == 1 else sizes
    rows = _split(sizes, side.width, gap)
    top = bottom - len(rows) * height - (len(rows) - 1) * gap
    buttons: dict[str, Rect] = {}
    for index, row in enumerate(rows):
        words = [name for name, _ in row if name not in actions.PICTURED]
        spare = side.width - sum(size for _, size in row) - gap * (len(row) - 1)
        wider = [(name, size + (spare // len(words) if name in words else 0)) for name, size in row]
        placed = _row(wider, side.left, top + index * (height + gap), height, gap)
        placed[row[-1][0]].width += side.right - placed[row[-1][0]].right
        buttons |= placed
    return buttons, top


def below_board_names(where: Where) -> list[str]:
    """The buttons that belong below the board."""
    return [name for name in _BELOW_BOARD if name in actions.offered(where)]


def below_board(style: Style, board: Rect, middle: int, where: Where) -> tuple[dict[str, Rect], int]:
    """The buttons below the board, at its right edge, and where they begin."""
    sizes = _measured(style, _BELOW_BOARD, where)
    gap, height = style.px(8), style.px(BUTTON_HEIGHT)
    left = board.right - sum(size for _, size in sizes) - gap * (len(sizes) - 1)
    return _row(sizes, left, middle - height // 2, height, gap), left


def _measured(style: Style, names: Iterable[str], where: Where) -> list[tuple[str, int]]:
    offered = actions.offered(where)
    return [(name, width_of(style, name, where)) for name in names if name in offered]


def _split(sizes: Sequence[tuple[str, int]], width: int, gap: int) -> list[list[tuple[str, int]]]:
    """As few rows as it takes, of about the same length."""
    total = sum(size for _, size in sizes) + gap * (len(sizes) - 1)
    for count in range(1, len(sizes) + 1):
        longest = width if count == 1 else min(width, total // count + width // 6)
        rows: list[list[tuple[str, int]]] = [[]]
        for name, size in sizes:
            if rows[-1] and sum(each + gap for _, each in rows[-1]) + size > longest:
                rows.append([])
            rows[-1].append((name, size))
        if len(rows) <= count:
            return rows
    return [[size] for size in sizes]


def _row(sizes: Iterable[tuple[str, int]], x: int, y: int, height: int, gap: int) -> dict[str, Rect]:
    buttons: dict[str, Rect] = {}
    for name, width in sizes:
        buttons[name] = Rect(x, y, width, height)
        x += width + gap
    return buttons
