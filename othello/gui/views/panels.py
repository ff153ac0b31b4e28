"""What lies over the board: announcements, the result, the list of keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import pygame

from othello.gui import bars, theme
from othello.gui.actions import Where
from othello.gui.faces.face import Face
from othello.gui.layout import Layout
from othello.gui.theme import RGB, Style, blit_text
from othello.gui.toolkit.shapes import circle, fill_rounded
from othello.rules.protocol import Color

_RESULT, _SMALL_RESULT = 254, 120  # how high the result is, in design pixels
_TITLE: Final = 40  # what its title needs above buttons
_LEAST_GROUND: Final = 300  # how wide a board is that has room for words
_OFFER_BUTTONS: Final = ("play_offered", "drop_offer")
_RESULT_BUTTONS: Final = ("again", "look_back", "board")


@dataclass(frozen=True, slots=True)
class Banner:
    """An announcement across the board: what happened, and what to do next."""

    title: str
    text: str
    advice: str
    border: RGB | None = None
    color: Color | None = None  # whose piece stands beside the title


@dataclass(frozen=True, slots=True)
class Result:
    """The end of a game."""

    title: str
    winner: Color | None
    black: int
    white: int
    names: tuple[str, str]
    details: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Offer:
    """A question about what is shown, with two answers."""

    title: str
    text: str


def ground(layout: Layout) -> pygame.Rect:
    """What a question or an announcement lies over: the board, or where that is narrow all below the toolbar."""
    if layout.board.width >= layout.style.px(_LEAST_GROUND):
        return layout.board
    bar = layout.toolbar.bar
    return pygame.Rect(bar.left, bar.bottom, bar.width, layout.window.bottom - bar.bottom)


def offer_rect(layout: Layout) -> pygame.Rect:
    """Where a question lies."""
    px, room = layout.style.px, ground(layout)
    width = min(px(420), room.width)
    rows = _button_rows(layout.style, width, _OFFER_BUTTONS)
    rect = pygame.Rect(0, 0, width, px(114 + 46 * rows))
    rect.center = room.center
    return rect


def offer_buttons(layout: Layout) -> dict[str, pygame.Rect]:
    """Where the answers lie."""
    return _buttons(layout, offer_rect(layout), *_OFFER_BUTTONS)


def draw_offer(surface: pygame.Surface, layout: Layout, offer: Offer) -> None:
    """Draw the question; its buttons come on top."""
    style, px, rect = layout.style, layout.style.px, offer_rect(layout)
    fill_rounded(surface, rect, px(12), theme.PANEL, theme.LAST_MOVE, px(2))
    title = style.text(style.fit(offer.title, 16, rect.width - px(32), bold=True), 16, bold=True)
    blit_text(surface, title, anchor="midtop", at=(rect.centerx, rect.top + px(16)))
    for index, row in enumerate(style.wrap(offer.text, 13, rect.width - px(40), lines=2)):
        at = (rect.centerx, rect.top + px(46) + index * px(20))
        blit_text(surface, style.text(row, 13, theme.MUTED), anchor="midtop", at=at)


def draw_banner(surface: pygame.Surface, layout: Layout, face: Face, banner: Banner) -> None:
    """Draw an announcement over the middle of the board."""
    style, px, room = layout.style, layout.style.px, ground(layout)
    width = room.width - px(48)
    rows = [(row, theme.MUTED) for row in style.wrap(banner.text, 14, width - px(48), lines=4)]
    rows += [(row, theme.TEXT) for row in style.wrap(banner.advice, 14, width - px(48), lines=2)]
    rect = pygame.Rect(0, 0, width, px(66) + len(rows) * px(21))
    rect.center = room.center
    fill_rounded(surface, rect, px(12), theme.RAISED, banner.border or theme.LAST_MOVE, px(2))
    title = style.text(style.fit(banner.title, 20, width - px(80), bold=True), 20, bold=True)
    at = title.get_rect(midtop=(rect.centerx, rect.top + px(16)))
    if banner.color is not None:
        at.left += px(16)
        face.draw_piece(surface, (at.left - px(22), at.centery), px(24), banner.color)
    surface.blit(title, at)
    for index, (row, color) in enumerate(rows):
        y = rect.top + px(50) + index * px(21)
        blit_text(surface, style.text(row, 14, color), anchor="midtop", at=(rect.centerx, y))


def result_rect(layout: Layout) -> pygame.Rect:
    """Where the result lies: beside the board, whose last position stays in sight."""
    px = layout.style.px
    room = layout.side if layout.side.height >= px(_RESULT) and not layout.longest else layout.viewport
    width = min(px(380), room.width)
    rows = _button_rows(layout.style, width, _RESULT_BUTTONS)
    height = px(_RESULT + 46 * (rows - 1))
    if height > room.height:
        height = px(_SMALL_RESULT + 46 * (rows - 1))
    rect = pygame.Rect(0, 0, width, min(height, room.height))
    rect.midtop = room.midtop
    return rect


def _button_rows(style: Style, width: int, names: Sequence[str]) -> int:
    """On how many rows buttons have room for their words."""
    widest = max(bars.width_of(style, name, Where.GAME) for name in names)
    return 1 if len(names) * (widest + style.px(8)) <= width - style.px(32) else len(names)


def result_buttons(layout: Layout) -> dict[str, pygame.Rect]:
    """Where the buttons of the result lie."""
    return _buttons(layout, result_rect(layout), *_RESULT_BUTTONS)


def _buttons(layout: Layout, rect: pygame.Rect, *names: str) -> dict[str, pygame.Rect]:
    """At the lower edge of a panel, side by side or below each other, and less high where it has little room."""
    px, gap = layout.style.px, layout.style.px(8)
    rows = _button_rows(layout.style, rect.width, names)
    columns = len(names) // rows
    width = (rect.width - px(40) - (columns - 1) * gap) // columns
    pitch = min(px(46), (rect.height - px(_TITLE)) // rows)
    left, top = rect.left + px(20), rect.bottom - px(12 if pitch == px(46) else 4) - rows * pitch
    return {
        name: pygame.Rect(
            left + index % columns * (width + gap), top + index // columns * pitch, width, pitch * 38 // 46
        )
        for index, name in enumerate(names)
    }


def draw_result(surface: pygame.Surface, layout: Layout, face: Face, result: Result) -> None:
    """Draw the end of a game; its buttons come on top. Where there is little room, they are all below the title."""
    style, px, rect = layout.style, layout.style.px, result_rect(layout)
    fill_rounded(surface, rect, px(12), theme.PANEL, theme.ACCENT, px(2))
    title = style.text(style.fit(result.title, 20, rect.width - px(32), bold=True), 20, bold=True)
    below = min(button.top for button in result_buttons(layout).values())
    blit_text(surface, title, anchor="midtop", at=(rect.centerx, min(rect.top + px(18), below - px(28))))
    if rect.height < px(_RESULT):
        return
    y = rect.top + px(78)
    score = style.text(f"{result.black} : {result.white}" if face.rules.points else "–", 32, bold=True)
    blit_text(surface, score, anchor="center", at=(rect.centerx, y))
    half = rect.width // 2 - px(16)
    for color, name, side in zip(Color, result.names, (-1, 1), strict=True):
        x, size = rect.centerx + side * half // 2, px(34)
        if color is result.winner:
            halo = circle(size + px(10), theme.ACCENT)
            surface.blit(halo, halo.get_rect(center=(x, y)))
        face.draw_piece(surface, (x, y), size, color)
        label = style.text(style.fit(name, 13, half - px(8), bold=True), 13, bold=True)
        blit_text(surface, label, anchor="midtop", at=(rect.centerx + side * half // 2, rect.top + px(106)))
    for index, row in enumerate(result.details):
        text = style.text(style.fit(row, 13, rect.width - px(32)), 13, theme.MUTED)
        blit_text(surface, text, anchor="midtop", at=(rect.centerx, rect.top + px(134) + index * px(22)))
