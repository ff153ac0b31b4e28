"""A theme to choose, as a small window in its colours."""

from __future__ import annotations

from collections.abc import Mapping

import pygame
from pygame import Rect

from othello.gui import theme
from othello.gui.choices import draw_segment
from othello.gui.texts import say
from othello.gui.theme import RGB, Style, blit_text
from othello.gui.toolkit.shapes import circle, draw_check, fill_rounded


def draw_theme(surface: pygame.Surface, style: Style, rect: Rect, name: str, chosen: bool, lit: bool) -> None:
    """One theme to choose."""
    px = style.px
    if not (chosen or lit):
        fill_rounded(surface, rect, px(10), theme.RAISED)
    draw_segment(surface, style, rect, chosen=chosen, lit=lit)
    window = Rect(rect.left + px(8), rect.top + px(8), rect.width - px(16), px(64))
    _draw_window(surface, style, window, theme.colors_of(name))
    x = rect.left + px(12)
    if chosen:
        draw_check(surface, theme.ACCENT, (x + px(5), rect.bottom - px(16)), px(11))
        x += px(18)
    word = say(f"themes.{name}", name)
    size = style.largest(word, (13, 12, 11, 10), rect.right - x - px(4), bold=chosen)
    blit_text(surface, style.text(word, size, bold=chosen), anchor="midleft", at=(x, rect.bottom - px(16)))


def _draw_window(surface: pygame.Surface, style: Style, rect: Rect, colors: Mapping[str, RGB]) -> None:
    px = style.px
    fill_rounded(surface, rect, px(5), colors["background"], colors["line"], px(1))
    bar = Rect(rect.left + px(1), rect.top + px(1), rect.width - px(2), px(11))
    fill_rounded(surface, bar, px(4), colors["panel"])
    fill_rounded(surface, Rect(rect.right - px(30), rect.top + px(3), px(24), px(7)), px(2), colors["accent"])
    board = Rect(rect.left + px(8), rect.top + px(16), px(42), px(42))
    fill_rounded(surface, board, px(3), colors["frame"])
    cell = board.width // 4 - px(1)
    for index in range(16):
        row, column = divmod(index, 4)
        shade = colors["square_light" if (row + column) % 2 == 0 else "square_dark"]
        square = Rect(board.left + px(2) + column * cell, board.top + px(2) + row * cell, cell, cell)
        surface.fill(colors["grid"], square)
        surface.fill(shade, square.inflate(-1, -1))
        if index in (2, 5, 6, 9, 10):
            side = "white_centre" if index in (5, 10) else "black_centre"
            disc = circle(cell - px(1), colors[side])
            surface.blit(disc, disc.get_rect(center=square.center))
    left, right = board.right + px(8), rect.right - px(7)
    half = (right - left - px(6)) // 2
    top = rect.top + px(16)
    fill_rounded(surface, Rect(left, top, half, px(11)), px(2), colors["panel"], colors["accent"], px(1))
    fill_rounded(surface, Rect(right - half, top, half, px(11)), px(2), colors["panel"], colors["line"], px(1))
    panel = Rect(left, top + px(15), right - left, px(27))
    fill_rounded(surface, panel, px(2), colors["panel"], colors["line"], px(1))
    for row, (share, name) in enumerate(((0.8, "text"), (0.5, "muted"), (0.65, "muted"))):
        line = Rect(left + px(4), panel.top + px(5 + 7 * row), round((panel.width - px(8)) * share), px(2))
        surface.fill(colors[name], line)
