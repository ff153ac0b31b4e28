"""How well one side played, on a card: what its moves lost, how many were right, how many were mistakes."""

from __future__ import annotations

from dataclasses import dataclass

import pygame
from pygame import Rect

from othello.gui import theme
from othello.gui.faces.face import Face
from othello.gui.theme import Style, blit_text
from othello.gui.toolkit.shapes import arc, fill_rounded, ring
from othello.gui.views.moves import sign_color
from othello.rules.protocol import Color
from othello.texts import say


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of mistake: its sign, how many there were, what they are called, and from what loss."""

    sign: str
    count: int
    name: str
    limits: str


@dataclass(frozen=True, slots=True)
class Side:
    """How well one side played.

    Attributes:
        color: whose card it is.
        name: who that is.
        details: what else is said of the player, in ever fewer words.
        loss: what a move lost on average, empty where nothing is known.
        accuracy: 0 .. 1.
        kinds: the mistakes, the worst first.
    """

    color: Color
    name: str
    details: tuple[str, ...]
    loss: str = ""
    accuracy: float = 0.0
    kinds: tuple[Kind, ...] = ()


def draw_sign(surface: pygame.Surface, style: Style, at: tuple[int, int], sign: str, size: int = 22) -> None:
    """The sign of a mistake in its ring."""
    color = sign_color(sign)
    image = ring(style.px(size), style.px(2), color)
    surface.blit(image, image.get_rect(center=at))
    blit_text(surface, style.text(sign, size * 0.5, color, bold=True), anchor="center", at=at)


def draw(surface: pygame.Surface, style: Style, face: Face, card: Rect, side: Side, lost: tuple[str, str]) -> None:
    """Draw the card; `lost` says in two lines what the number counts."""
    px = style.px
    fill_rounded(surface, card, px(10), theme.PANEL, theme.EDGE, px(1))
    is_narrow = card.width < px(540)
    counts = px(146 if is_narrow else 224)
    dial = Rect(0, 0, px(80 if is_narrow else 96), px(80 if is_narrow else 96))
    dial.midright = (card.right - px(12 if is_narrow else 20) - counts - px(8 if is_narrow else 32), card.centery)
    words = dial.left - px(12) - card.left - px(64)
    face.draw_piece(surface, (card.left + px(36), card.top + px(35)), px(32), side.color)
    name = style.text(style.fit(side.name, 16, words, bold=True), 16, bold=True)
    blit_text(surface, name, at=(card.left + px(64), card.top + px(15)))
    fitting = next((each for each in side.details if style.width(each, 12) <= words), side.details[-1])
    details = style.text(style.fit(fitting, 12, words), 12, theme.MUTED)
    blit_text(surface, details, at=(card.left + px(64), card.top + px(38)))
    if not side.loss:
        blit_text(surface, style.text("–", 32, theme.MUTED, bold=True), at=(card.left + px(20), card.top + px(72)))
        return
    loss = style.text(side.loss, 24 if is_narrow else 32, bold=True)
    number = blit_text(surface, loss, anchor="midleft", at=(card.left + px(20), card.top + px(95)))
    for index, line in enumerate(lost):
        room = dial.left - px(8) - number.right - px(8)
        size = style.largest(line, (12, 11, 10, 9), room)
        text = style.text(style.fit(line, size, room), size, theme.TEXT if index == 0 else theme.MUTED)
        blit_text(surface, text, at=(number.right + px(9), card.top + px(79) + index * px(17)))
    _draw_dial(surface, style, dial, side.accuracy)
    for index, kind in enumerate(side.kinds):
        y = card.top + px(32) + index * px(36)
        _draw_kind(
            surface,
            style,
            Rect(card.right - px(12 if is_narrow else 20) - counts, y - px(16), counts, px(32)),
            kind,
            is_narrow,
        )


def _draw_dial(surface: pygame.Surface, style: Style, dial: Rect, share: float) -> None:
    surface.blit(arc(dial.width, style.px(8), share, theme.RIGHT, theme.LINE), dial)
    number = style.text(f"{100 * share:.0f}%", 18, bold=True)
    blit_text(surface, number, anchor="center", at=(dial.centerx, dial.centery - style.px(4)))
    room = dial.width - style.px(22)
    size = style.largest(say("review.accuracy"), (11, 10, 9, 8), room)
    word = style.text(say("review.accuracy"), size, theme.MUTED)
    blit_text(surface, word, anchor="center", at=(dial.centerx, dial.centery + style.px(16)))


def _draw_kind(surface: pygame.Surface, style: Style, rect: Rect, kind: Kind, is_narrow: bool) -> None:
    px = style.px
    draw_sign(surface, style, (rect.left + px(11), rect.centery), kind.sign)
    number = style.text(str(kind.count), 18, theme.TEXT if kind.count else theme.MUTED, bold=True)
    blit_text(surface, number, anchor="midright", at=(rect.left + px(50), rect.centery))
    size = style.largest(kind.name, (13, 12, 11, 10), rect.width - px(58))
    name = style.text(style.fit(kind.name, size, rect.width - px(58)), size)
    end = blit_text(surface, name, anchor="midleft", at=(rect.left + px(58), rect.centery)).right
    if not is_narrow and style.width(kind.limits, 12) <= rect.right - end - px(6):
        blit_text(surface, style.text(kind.limits, 12, theme.MUTED), anchor="midright", at=(rect.right, rect.centery))
