"""Where everything lies on the page that looks back on a game.

The curve goes first where there is little room; cards that would be too narrow lie one below the other; and what is
still too high is scrolled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pygame import Rect

from othello.gui.layout import Layout
from othello.gui.theme import Style
from othello.texts import say

MOST: Final = 3
"""So many of the worst moves are shown."""

# In design pixels.
_HEADING: Final = 36
_SIDE: Final = (380, 136)  # the least width of a side's card, and its height
_NOTE: Final = 28
_CURVE: Final = (132, 176)  # its least and its usual height
_BOARD: Final = (232, 204)  # the least size of the card of a move
_WORST: Final = (272, 468)  # how high the panel of the worst moves is, at least and at most
_HEAD: Final = 560  # a panel that is narrower has its buttons on two rows
_STATUS: Final = 260  # the least room of a line of words beside the heading


@dataclass(frozen=True)
class Places:
    """Where all of it lies, in real pixels; what there is no room for is None.

    Attributes:
        page: all below the toolbar.
        boards: the cards of the worst moves.
        longest: how far the page can be scrolled.
    """

    page: Rect
    heading: Rect
    title: Rect
    status: Rect
    sides: tuple[Rect, Rect]
    note: Rect
    curve: Rect | None
    worst: Rect
    boards: tuple[Rect, ...]
    longest: int

    def switch(self, style: Style) -> tuple[int, int]:
        """Where the buttons begin that say whose moves are shown: after the heading of the panel, or below it."""
        px, panel = style.px, self.worst
        if panel.width < px(_HEAD):
            return panel.left + px(16), panel.top + px(52)
        return panel.left + px(28) + style.width(say("review.worst"), 16, bold=True), panel.top + px(12)

    def board(self, style: Style, card: Rect) -> Rect:
        """The small board on the card of a move."""
        margin = style.px(16 if card.width > style.px(320) else 12)
        side = min(card.height - 2 * margin, card.width - 3 * margin - style.px(104))
        return Rect(card.left + margin, card.centery - side // 2, side, side)

    def card_at(self, count: int, point: tuple[int, int]) -> int | None:
        """Which of so many cards of moves lies at a point of the window."""
        return next((index for index, card in enumerate(self.boards[:count]) if card.collidepoint(point)), None)


def places(layout: Layout, title: str, note: str, buttons_left: int, scrolled: int = 0) -> Places:
    """Divide the page.

    Args:
        layout: of the window.
        title: what the heading says; likewise `note`, what stands below the cards of both sides.
        note: see `title`.
        buttons_left: where the buttons beside the heading begin.
        scrolled: by how much, in real pixels.
    """
    style, px, page = layout.style, layout.style.px, _page(layout)
    gap = px(16 if page.height >= px(640) else 8)
    y = page.top - scrolled
    heading = Rect(page.left, y, page.width, px(_HEADING))
    words = page.left + px(60) + min(style.width(title, 20, bold=True), page.width * 2 // 5 - px(60))
    status = Rect(words, heading.top, buttons_left - px(12) - words, heading.height)
    y = heading.bottom + gap
    named = Rect(heading.left, heading.top, words - px(24) - heading.left, heading.height)
    if status.width < px(_STATUS):
        named.width = buttons_left - px(12) - named.left
        status = Rect(page.left, heading.bottom, page.width, px(40))
        y = status.bottom
    sides = _sides(style, page, y)
    lines = len(style.wrap(note, 12, page.width, lines=3))
    noted = Rect(page.left, sides[1].bottom, page.width, px(_NOTE + 17 * (lines - 1)))
    room = page.bottom - scrolled - noted.bottom
    worst, boards = _worst(style, Rect(page.left, noted.bottom, page.width, room))
    curve = None
    least, usual = map(px, _CURVE)
    needed = _worst(style, Rect(page.left, 0, page.width, 0))[0].height + gap
    if room - needed >= least:
        panel, _ = _worst(style, Rect(page.left, 0, page.width, room - gap - min(usual, room - needed)))
        curve = Rect(page.left, noted.bottom, page.width, room - gap - panel.height)
        worst, boards = _worst(style, Rect(page.left, curve.bottom + gap, page.width, panel.height))
    longest = max(0, worst.bottom + scrolled - page.bottom)
    return Places(page, heading, named, status, sides, noted, curve, worst, boards, longest)


def _page(layout: Layout) -> Rect:
    """All below the toolbar, without margins."""
    px, window = layout.style.px, layout.window
    margin = px(16 if window.height >= px(720) else 8)
    top = layout.toolbar.bar.bottom + margin
    return Rect(px(24), top, window.width - px(48), window.height - top - margin)


def _sides(style: Style, page: Rect, y: int) -> tuple[Rect, Rect]:
    px, height = style.px, style.px(_SIDE[1])
    half = (page.width - px(16)) // 2
    if half < px(_SIDE[0]):
        return Rect(page.left, y, page.width, height), Rect(page.left, y + height + px(8), page.width, height)
    return Rect(page.left, y, half, height), Rect(page.right - half, y, half, height)


def _worst(style: Style, room: Rect) -> tuple[Rect, tuple[Rect, ...]]:
    """The panel of the worst moves and their cards: side by side, or one below the other where they have more room."""
    px = style.px
    width, gap = room.width - px(32), px(24 if room.width >= px(1000) else 12)
    beside = (width - (MOST - 1) * gap) // MOST
    head = px(56 if room.width >= px(_HEAD) else 96)
    stacked = MOST * px(_BOARD[1]) + (MOST - 1) * gap + head + px(16)
    left, top = room.left + px(16), room.top + head
    if beside < px(_BOARD[0]) or room.height >= max(stacked, room.width):
        height = max(stacked, room.height) - head - px(16)
        each = (height - (MOST - 1) * gap) // MOST
        cards = tuple(Rect(left, top + n * (each + gap), width, each) for n in range(MOST))
        return Rect(room.left, room.top, room.width, height + head + px(16)), cards
    height = min(max(px(_WORST[0]), room.height), px(_WORST[1]))
    cards = tuple(Rect(left + n * (beside + gap), top, beside, height - head - px(16)) for n in range(MOST))
    return Rect(room.left, room.top, room.width, height), cards
