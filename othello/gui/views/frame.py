"""What surrounds the board: toolbar, the two players, the score, the status line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import pygame

from othello.gui import theme, wording
from othello.gui.bars import Toolbar
from othello.gui.faces.face import Face
from othello.gui.theme import RGB, Style, blit_text
from othello.gui.toolkit.shapes import circle, fill_rounded
from othello.rules.protocol import Color
from othello.texts import say

_LEAST_ROOM: Final = 60  # for what is special about a game
_ON_MARK: Final = (11, 17, 24)  # the mark of a last move is bright in every theme


def draw_toolbar(surface: pygame.Surface, style: Style, toolbar: Toolbar, face: Face) -> None:
    """The bar at the top; its buttons come on top."""
    draw_logo(surface, style, face, toolbar.bar, with_title=toolbar.title)
    if toolbar.modes.width:
        fill_rounded(surface, toolbar.modes, style.px(8), theme.RAISED)


def draw_occasion(surface: pygame.Surface, style: Style, toolbar: Toolbar, words: Sequence[str]) -> None:
    """What is special about a game: the first of ever fewer words that fit between the buttons of the toolbar."""
    room = toolbar.room
    text = next((text for text in words if style.width(text, 13) <= room.width), words[-1])
    if room.width >= style.px(_LEAST_ROOM):
        image = style.text(style.fit(text, 13, room.width), 13, theme.MUTED)
        blit_text(surface, image, anchor="center", at=room.center)


def draw_logo(surface: pygame.Surface, style: Style, face: Face, bar: pygame.Rect, *, with_title: bool = True) -> None:
    """The bar at the top with the logo and, where there is room, the game's name."""
    px = style.px
    surface.fill(theme.PANEL, bar)
    surface.fill(theme.LINE, (0, bar.bottom - 1, bar.width, 1))
    logo = face.logo(px(20))
    middle = min(bar.centery, px(28))
    surface.blit(logo, logo.get_rect(midleft=(px(18), middle)))
    if with_title:
        name, room = wording.title(face.rules), px(106)
        size = 16 if style.width(name, 16, bold=True) <= room - px(6) else 14
        title = style.text(style.fit(name, size, room, bold=True), size, bold=True)
        blit_text(surface, title, anchor="midleft", at=(px(60), middle))


def draw_status(surface: pygame.Surface, style: Style, rect: pygame.Rect, text: str, color: RGB) -> None:
    """One or two lines in a rectangle."""
    rows = style.wrap(text, 13, rect.width, lines=2)
    pitch = style.px(19)
    top = rect.centery - pitch * len(rows) // 2
    for index, row in enumerate(rows):
        blit_text(surface, style.text(row, 13, color), at=(rect.left, top + index * pitch))


@dataclass(frozen=True, slots=True)
class CardState:
    """What one player's card shows.

    Attributes:
        points: what it has, empty where nothing is counted.
        unit: what is counted, where the game has a word for it.
        details: what it is, in ever fewer words; the first that fits is shown.
        thinking: seconds since its search began, None while it does not search.
        time: used, or left where the player has a clock.
        has_clock: whether it has one.
        is_low: whether hardly any time is left.
        is_out: whether none is.
        note: a word beside the time, such as "passed".
    """

    color: Color
    name: str
    details: tuple[str, ...]
    points: str
    time: str
    is_active: bool
    unit: str = ""
    thinking: float | None = None
    has_clock: bool = False
    is_low: bool = False
    is_out: bool = False
    note: str = ""


def draw_card(surface: pygame.Surface, style: Style, face: Face, rect: pygame.Rect, state: CardState) -> None:
    """Draw one player's card; its button comes on top."""
    px = style.px
    if state.is_active:
        fill_rounded(surface, rect, px(10), theme.ACTIVE, theme.ACCENT, px(2))
    else:
        fill_rounded(surface, rect, px(10), theme.PANEL, theme.EDGE, px(1))
    size = px(34)
    centre = (rect.left + px(30), rect.top + px(33))
    face.draw_piece(surface, centre, size, state.color)

    is_narrow = rect.width < px(230)  # then the name has a line of its own
    left, right = rect.left + px(56), rect.right - px(14)
    number = style.text(state.points, 20 if is_narrow else 32, bold=True)
    count = blit_text(surface, number, anchor="midright", at=(right, rect.top + px(44 if is_narrow else 31)))
    if state.unit and not is_narrow:
        unit = style.text(state.unit, 11, theme.MUTED)
        count = blit_text(surface, unit, anchor="midright", at=(count.left - px(6), count.centery))
    room = count.left - left - px(6)
    name_room = right - left - px(30 if state.thinking is not None else 0) if is_narrow else room
    name = style.fit(state.name, 16, name_room, bold=True)
    blit_text(surface, style.text(name, 16, bold=True), at=(left, rect.top + px(11)))
    details = next((text for text in state.details if style.width(text, 12) <= room), state.details[-1])
    note = is_narrow and state.note
    word_color = theme.ACCENT if state.is_active else theme.LAST_MOVE
    line = style.text(style.fit(note or details, 12, room), 12, word_color if note else theme.MUTED, bold=bool(note))
    blit_text(surface, line, at=(left, rect.top + px(35)))

    bottom = rect.bottom - px(20)
    kind = "low" if state.is_low else "left" if state.has_clock else "used"
    color = theme.WARNING if state.is_low else theme.MUTED
    words = say("cards.out") if state.is_out else say(f"cards.{kind}", time=state.time)
    size = 12 if is_narrow else 13
    if (
        is_narrow and not state.is_out and style.width(words, size, bold=state.is_low) > rect.width - px(112)
    ):  # beside the button
        words = state.time
    image = style.text(words, size, color, bold=state.is_low)
    time = blit_text(surface, image, anchor="midright", at=(right, bottom))
    if state.note and not is_narrow:
        beside = style.text(state.note, 13, word_color, bold=True)
        blit_text(surface, beside, anchor="midright", at=(time.left - px(10), bottom))
    elif state.thinking is not None:
        dots = (right, rect.top + px(23)) if is_narrow else (time.left - px(12), bottom)
        _draw_thinking(surface, style, dots, state.thinking)


def _draw_thinking(surface: pygame.Surface, style: Style, right: tuple[int, int], seconds: float) -> None:
    """Three dots, of which one after the other lights up."""
    lit = int(seconds * 5) % 3
    for index in range(3):
        dot = circle(style.px(6), theme.ACCENT if index == lit else theme.MUTED, 1.0 if index == lit else 0.5)
        surface.blit(dot, dot.get_rect(midright=(right[0] - style.px(9) * (2 - index), right[1])))


def draw_score_bar(surface: pygame.Surface, face: Face, bar: pygame.Rect, black: int, white: int) -> None:
    """Each side's share of the points, black from the left; nobody's while there are none."""
    if not black + white:
        fill_rounded(surface, bar, bar.height // 2, theme.LINE)
        return
    fill_rounded(surface, bar, bar.height // 2, face.colors[Color.WHITE], theme.TOKEN_EDGE)
    width = bar.width * black // (black + white)
    if width >= bar.height:
        left = pygame.Rect(bar.left, bar.top, width, bar.height)
        fill_rounded(surface, left, bar.height // 2, face.colors[Color.BLACK], theme.LINE, 1)


def draw_past(surface: pygame.Surface, style: Style, board: pygame.Rect, words: str) -> None:
    """A frame around a board that does not show the game's latest position, and a tab that says which it is."""
    px = style.px
    fill_rounded(surface, board, px(12), None, theme.LAST_MOVE, px(3))
    room = board.width - px(40)
    size = style.largest(words, (12, 11, 10, 9, 8, 7, 6), room, bold=True)
    text = style.text(style.fit(words, size, room, bold=True), size, _ON_MARK, bold=True)
    tab = text.get_rect().inflate(px(20), px(4))
    tab.midbottom = (board.centerx, board.bottom)
    fill_rounded(surface, tab, px(6), theme.LAST_MOVE)
    blit_text(surface, text, anchor="center", at=tab.center)
