"""What stands beside a board that is edited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import pygame
from pygame import Rect

from othello.gui import theme
from othello.gui.choices import draw_segment
from othello.gui.faces.face import Face
from othello.gui.layout import Layout
from othello.gui.theme import Style, blit_text
from othello.gui.toolkit.shapes import circle, cross, draw_check, fill_rounded
from othello.rules.protocol import Color
from othello.texts import say

NARROW: Final = 300
"""In a column of fewer design pixels everything lies below each other."""
HEIGHTS: Final = (500.0, 1010.0)
"""What a column has to have, and what a narrow one has to."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a position can be played, and why not."""

    title: str
    text: str
    is_valid: bool


@dataclass(frozen=True)
class Places:
    """Where everything lies, in real pixels; `changes` has a rectangle for each row of buttons that change it all."""

    title: Rect
    place: Rect
    pieces: tuple[Rect, ...]
    changes: tuple[Rect, ...]
    side: Rect
    sides: tuple[Rect, ...]
    verdict: Rect
    text: Rect
    buttons: dict[str, Rect]


def places(layout: Layout) -> Places:
    """Divide the column from above; what is left over lies between the text and the last buttons."""
    px, column = layout.style.px, layout.column
    if column.width < px(NARROW):
        return _narrow_places(layout)
    left, width, gap = column.left, column.width, px(8)
    title = Rect(left, column.top, width, px(28))
    place = Rect(left, title.bottom + gap, width, px(128))
    inner = place.inflate(-px(24), 0)
    third = (inner.width - 2 * gap) // 3
    pieces = tuple(Rect(inner.left + index * (third + gap), place.top + px(30), third, px(48)) for index in range(3))
    changes = (Rect(inner.left, pieces[0].bottom + px(10), inner.width, px(32)),)
    turn = Rect(left, place.bottom + gap, width, px(72))
    half = min(px(130), max(px(74), inner.width // 4))
    sides = tuple(Rect(inner.left + index * half, turn.top + px(30), half, px(34)) for index in range(2))
    verdict = Rect(left, turn.bottom + gap, width, px(64))
    text = Rect(left, verdict.bottom + gap, width, px(112))
    row = Rect(left, column.bottom - px(40), width, px(40))
    small, wide = min(px(96), width // 5), min(px(150), width * 2 // 5)
    buttons = {
        "copy_board": Rect(text.left + px(12), text.bottom - px(40), px(124), px(32)),
        "paste": Rect(text.left + px(144), text.bottom - px(40), px(84), px(32)),
        "edit_cancel": Rect(left, row.top, small, row.height),
        "undo": Rect(title.right - px(134), title.top, px(64), title.height),
        "redo": Rect(title.right - px(64), title.top, px(64), title.height),
        "edit_play": Rect(row.right - wide, row.top, wide, row.height),
        "edit_analyse": Rect(row.right - wide - gap - small, row.top, small, row.height),
    }
    return Places(title, place, pieces, changes, turn, sides, verdict, text, buttons)


def _narrow_places(layout: Layout) -> Places:
    """The same with everything below each other."""
    px, column = layout.style.px, layout.column
    left, width, gap = column.left, column.width, px(8)
    half = (width - gap) // 2
    title = Rect(left, column.top, width, px(32))
    place = Rect(left, title.bottom + gap, width, px(30 + 3 * 48 + 3 * 40 + 12))
    inner = place.inflate(-px(16), 0)
    pieces = tuple(Rect(inner.left, place.top + px(30 + 48 * index), inner.width, px(44)) for index in range(3))
    changes = tuple(Rect(inner.left, pieces[-1].bottom + px(8 + 40 * index), inner.width, px(32)) for index in range(3))
    turn = Rect(left, place.bottom + gap, width, px(30 + 2 * 40 + 60))
    sides = tuple(Rect(inner.left, turn.top + px(30 + 40 * index), inner.width, px(36)) for index in range(2))
    verdict = Rect(left, turn.bottom + gap, width, px(104))
    text = Rect(left, verdict.bottom + gap, width, px(80))
    rows = [Rect(left, column.bottom - px(44 * (5 - index)), width, px(36)) for index in range(5)]
    names = ("copy_board", "paste", "edit_play", "edit_analyse", "edit_cancel")
    buttons = dict(zip(names, rows, strict=True)) | {
        "undo": Rect(left, title.top, half, title.height),
        "redo": Rect(title.right - half, title.top, half, title.height),
    }
    return Places(title, place, pieces, changes, turn, sides, verdict, text, buttons)


def draw(
    surface: pygame.Surface,
    style: Style,
    face: Face,
    where: Places,
    names: Sequence[str],
    chosen: int,
    to_move: Color,
    marks: Sequence[Color | None],
) -> None:
    """Draw the pieces to choose from, and whose turn it is.

    Args:
        surface: the window.
        style: its scale.
        face: of the game.
        where: the places.
        names: of the sides.
        chosen: which of the pieces: black, white, none.
        to_move: whose turn it is.
        marks: what is on the squares, for their numbers.
    """
    px = style.px
    if style.width(say("editor.title"), 18, bold=True) < where.buttons["undo"].left - where.title.left:
        blit_text(surface, style.text(say("editor.title"), 18, bold=True), anchor="midleft", at=where.title.midleft)
    is_narrow = where.pieces[0].width < px(110) and len(where.changes) == 1
    for rect, title, hint in (
        (where.place, say("editor.place"), say("editor.how")),
        (where.side, say("editor.side"), ""),
    ):
        fill_rounded(surface, rect, px(10), theme.PANEL)
        at = (rect.left + px(12), rect.top + px(16))
        words = blit_text(surface, style.text(title, 12, theme.MUTED, bold=True), anchor="midleft", at=at)
        if style.width(hint, 11) <= rect.right - px(24) - words.right:
            blit_text(surface, style.text(hint, 11, theme.MUTED), anchor="midright", at=(rect.right - px(12), at[1]))
    for index, rect in enumerate(where.pieces):
        fill_rounded(surface, rect, px(8), theme.RAISED)
        draw_segment(surface, style, rect, chosen=index == chosen, lit=False)
        size = px(24 if is_narrow else 32)
        centre = (rect.left + px(6 if is_narrow else 10) + size // 2, rect.centery)
        if index < len(names):
            face.draw_piece(surface, centre, size, Color(index))
        else:
            square = Rect(0, 0, size - px(4), size - px(4))
            square.center = centre
            fill_rounded(surface, square, px(3), theme.LINE)
        left, right = centre[0] + size // 2 + px(6 if is_narrow else 8), rect.right - px(4)
        if not is_narrow:
            number = style.text(str(index + 1), 11, bold=True)
            key = blit_text(surface, number, anchor="midright", at=(rect.right - px(12), rect.centery))
            right = key.left - px(8)
        name = [*names, say("editor.empty")][index]
        image = style.text(name, 12 if is_narrow else 13, bold=index == chosen and not is_narrow)
        if image.get_width() <= right - left:  # else its piece says it
            blit_text(surface, image, anchor="midleft", at=(left, rect.centery))
    for color, rect in zip(Color, where.sides, strict=True):
        fill_rounded(surface, rect, px(8), theme.RAISED)
        draw_segment(surface, style, rect, chosen=color is to_move, lit=False)
        face.draw_token(surface, (rect.left + px(18), rect.centery), px(14), color)
        image = style.text(names[color], 13, bold=color is to_move)
        if image.get_width() <= rect.width - px(34):
            blit_text(surface, image, anchor="midleft", at=(rect.left + px(32), rect.centery))
    side, last = where.side, where.sides[-1]
    room = Rect(last.right, side.top, side.right - last.right, side.height)
    if len(where.changes) > 1:
        room = Rect(side.left, last.bottom, side.width, side.bottom - last.bottom)
    _draw_counts(surface, style, room, [*names, say("editor.empty")], marks)


def _draw_counts(
    surface: pygame.Surface, style: Style, rect: Rect, names: Sequence[str], marks: Sequence[Color | None]
) -> None:
    """How many squares belong to whom."""
    for index, (name, mark) in enumerate(zip(reversed(names), (None, Color.WHITE, Color.BLACK), strict=True)):
        pitch = min(style.px(84), (rect.width - style.px(8)) // 3)
        x = rect.right - style.px(4) - pitch // 2 - index * pitch
        number = style.text(str(marks.count(mark)), 18, bold=True)
        blit_text(surface, number, anchor="midbottom", at=(x, rect.centery + style.px(8)))
        image = style.text(style.fit(name, 11, pitch), 11, theme.MUTED)
        blit_text(surface, image, anchor="midtop", at=(x, rect.centery + style.px(10)))


def draw_verdict(surface: pygame.Surface, style: Style, rect: Rect, verdict: Verdict) -> None:
    """Whether it can be played: never by colour alone."""
    px = style.px
    color = theme.BEST_VALUE if verdict.is_valid else theme.WARNING
    fill_rounded(surface, rect, px(10), theme.PANEL, color, px(1))
    centre = (rect.left + px(34), rect.centery)
    disc = circle(px(30), color)
    surface.blit(disc, disc.get_rect(center=centre))
    if verdict.is_valid:
        draw_check(surface, theme.PANEL, centre, px(16))
    else:
        sign = cross(px(14), px(3), theme.PANEL)
        surface.blit(sign, sign.get_rect(center=centre))
    left, room = rect.left + px(62), rect.width - px(74)
    y = rect.top + px(16)
    for line in style.wrap(verdict.title, 14, room, 2 if rect.height > px(80) else 1, bold=True):
        blit_text(surface, style.text(line, 14, bold=True), anchor="midleft", at=(left, y))
        y += px(20)
    for index, line in enumerate(style.wrap(verdict.text, 12, room, 3 if rect.height > px(80) else 2)):
        blit_text(surface, style.text(line, 12), anchor="midleft", at=(left, y + index * px(16)))


def draw_text(surface: pygame.Surface, style: Style, rect: Rect, text: str, columns: int) -> None:
    """The position as text: a word for each row of the board, in columns where there is room for them."""
    px = style.px
    fill_rounded(surface, rect, px(10), theme.PANEL)
    at = (rect.left + px(12), rect.top + px(14))
    title = style.text(say("editor.text"), 12, theme.MUTED, bold=True)
    blit_text(surface, title, anchor="midleft", at=at)
    well = Rect(rect.left + px(12), rect.top + px(26), rect.width - px(24), px(42))
    fill_rounded(surface, well, px(6), theme.WELL, theme.LINE, px(1))
    squares, _, turn = text.partition(" ")
    words = [squares[start : start + columns] for start in range(0, len(squares), columns)]
    half = -(-len(words) // 2)
    lines = " ".join(words[:half]), " ".join((*words[half:], turn))
    left, room = well.left + px(8), well.width - px(16)
    pitch = min(px(10), room // max(map(len, lines)))
    if pitch < px(7):
        for row, line in enumerate(style.wrap("  ".join((*words, turn)), 12, room, 2)):
            blit_text(surface, style.text(line, 12), anchor="midleft", at=(left, well.top + px(11 + 19 * row)))
        return
    for row, line in enumerate(lines):
        for index, letter in enumerate(line):
            color = theme.ACCENT if row and index >= len(line) - len(turn) else theme.TEXT
            at = (left + index * pitch + pitch // 2, well.top + px(11 + 19 * row))
            blit_text(surface, style.text(letter, 12, color), anchor="center", at=at)
