"""What is said once an exercise is over: the answer, why, and how the game goes on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import pygame
from pygame import Rect

from othello.gui import theme
from othello.gui.faces.face import Face
from othello.gui.theme import RGB, Style, blit_text
from othello.gui.toolkit.shapes import circle, draw_check, fill_rounded
from othello.rules.protocol import Color
from othello.texts import say

_NARROW: Final = 320
LEAST: Final = 184
"""How high the panel is at least, in design pixels, with the line and buttons below it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said once the exercise is over, or of what was asked meanwhile.

    Attributes:
        title: whether it was found.
        details: what else there is to say.
        is_found: whether it was.
        line: how the game goes on, a move after the other, with whose it is.
        step: so many of them are on the board.
    """

    title: str
    details: str
    is_found: bool
    line: tuple[tuple[Color, str], ...] = ()
    step: int = 0


def places(style: Style, rect: Rect, answer: Answer) -> list[Rect]:
    """Where the moves of the line lie, as many as there is room for."""
    px, found = style.px, list[Rect]()
    x = rect.left + px(16)
    for _, move in answer.line if rect.height >= px(LEAST) else ():
        width = style.width(move, 13, bold=True) + px(36)
        if x + width > rect.right - px(12):
            break
        found.append(Rect(x, rect.top + px(102), width, px(28)))
        x += width + px(6)
    return found


def draw(surface: pygame.Surface, style: Style, face: Face, rect: Rect, answer: Answer) -> None:
    """Draw the panel; its buttons come on top."""
    px = style.px
    color = theme.RIGHT if answer.is_found else theme.ACCENT
    fill_rounded(surface, rect, px(10), theme.PANEL, color, px(1))
    has_sign = rect.width >= px(_NARROW)
    if has_sign:
        _draw_sign(surface, style, (rect.left + px(36), rect.top + px(36)), color, is_found=answer.is_found)
    left = rect.left + px(64 if has_sign else 16)
    room = rect.right - px(16) - left
    size = style.largest(answer.title, (16, 15, 14, 13), room, bold=True)
    blit_text(
        surface,
        style.text(style.fit(answer.title, size, room, bold=True), size, bold=True),
        at=(left, rect.top + px(15)),
    )
    for index, line in enumerate(style.wrap(answer.details, 13, room, lines=2)):
        blit_text(surface, style.text(line, 13), at=(left, rect.top + px(39 + 18 * index)))
    moves = places(style, rect, answer)
    if not moves:
        return
    title = style.text(say("training.goes_on"), 13, theme.MUTED, bold=True)
    blit_text(surface, title, at=(rect.left + px(16), rect.top + px(79)))
    advice = style.text(say("training.point"), 11, theme.MUTED)
    if advice.get_width() <= rect.width - px(176):
        blit_text(surface, advice, anchor="topright", at=(rect.right - px(16), rect.top + px(81)))
    for index, (place, (mover, move)) in enumerate(zip(moves, answer.line, strict=False)):
        edge = color if index < answer.step else theme.WELL
        fill_rounded(surface, place, px(6), theme.WELL, edge, px(2 if index < answer.step else 1))
        face.draw_token(surface, (place.left + px(14), place.centery), px(10), mover)
        text = style.text(move, 13, bold=index < answer.step)
        blit_text(surface, text, anchor="midleft", at=(place.left + px(25), place.centery))


def _draw_sign(surface: pygame.Surface, style: Style, centre: tuple[int, int], color: RGB, *, is_found: bool) -> None:
    disc = circle(style.px(30), color)
    surface.blit(disc, disc.get_rect(center=centre))
    if is_found:
        draw_check(surface, theme.PANEL, centre, style.px(17))
    else:
        blit_text(surface, style.text("i", 18, theme.PANEL, bold=True), anchor="center", at=centre)
