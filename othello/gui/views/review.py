"""A game looked back on: how well both sides played, how it went, and the moves that lost most."""

from __future__ import annotations

from dataclasses import dataclass

import pygame
from pygame import Rect

from othello.gui import theme
from othello.gui.faces import marks
from othello.gui.faces.board import BoardState
from othello.gui.faces.face import Face
from othello.gui.layout import Layout
from othello.gui.theme import Style, blit_text
from othello.gui.toolkit.shapes import cross, draw_scroll_bar, fill_rounded
from othello.gui.views import curve, scorecard
from othello.gui.views.curve import CurveState
from othello.gui.views.review_layout import Places
from othello.gui.views.scorecard import Side
from othello.rules.protocol import Color, Move, Position
from othello.texts import say


@dataclass(frozen=True, slots=True)
class Worst:
    """A move that lost much.

    Attributes:
        title: which one it is.
        sign: of the mistake.
        position: before it; `last_move` led there.
        was: what was played, and its square; likewise `best`, what would have been best.
        gain: by how much that is better; `unit` follows it.
        how: how well that is known.
    """

    title: str
    sign: str
    position: Position
    last_move: Move | None
    was: tuple[str, Move]
    best: tuple[str, Move]
    gain: str
    unit: str
    how: str


@dataclass(frozen=True, slots=True)
class ReviewState:
    """What is shown.

    Attributes:
        title: how the game ended; `winner` has its piece beside it.
        sides: black and white.
        lost: what follows the mean loss, in two lines.
        note: how accuracy is worked out.
        curve: the game as a curve.
        subject: what it shows.
        how: how well the values are known.
        worst: those.
        empty: what is said where there are none.
        training: how many of them can be tried again.
        progress: how much of the analysis is done, None while there is none under way.
    """

    title: str
    winner: Color | None
    sides: tuple[Side, ...]
    lost: tuple[str, str]
    note: str
    curve: CurveState
    subject: str
    how: str
    worst: tuple[Worst, ...]
    empty: str
    training: str
    progress: float | None = None


def draw(surface: pygame.Surface, layout: Layout, face: Face, at: Places, state: ReviewState) -> None:
    """Draw the whole page; its buttons come on top."""
    style = layout.style
    before = surface.get_clip()
    surface.set_clip(at.page.inflate(style.px(16), style.px(16)))
    _draw_title(surface, style, face, at.title, state)
    for side, card in zip(state.sides, at.sides, strict=True):
        scorecard.draw(surface, style, face, card, side, state.lost)
    rows = style.wrap(state.note, 12, at.note.width, lines=3)
    for index, row in enumerate(rows):
        y = at.note.top + style.px(14 + 17 * index)
        blit_text(surface, style.text(row, 12, theme.MUTED), anchor="midleft", at=(at.note.left, y))
    if at.curve is not None:
        _draw_curve(surface, style, face, at.curve, state)
    _draw_worst(surface, style, face, at, state)
    surface.set_clip(before)
    if at.longest:
        draw_scroll_bar(
            surface, theme.LINE, at.page.inflate(style.px(32), 0), at.page.top - at.heading.top, at.longest, style.px(6)
        )


def _draw_title(surface: pygame.Surface, style: Style, face: Face, rect: Rect, state: ReviewState) -> None:
    x = rect.left
    if state.winner is not None:
        face.draw_piece(surface, (x + style.px(12), rect.centery), style.px(24), state.winner)
        x += style.px(36)
    room = rect.right - x
    size = style.largest(state.title, (20, 18, 16, 14, 12, 11), room, bold=True)
    title = style.text(style.fit(state.title, size, room, bold=True), size, bold=True)
    blit_text(surface, title, anchor="midleft", at=(x, rect.centery))


def _draw_curve(surface: pygame.Surface, style: Style, face: Face, rect: Rect, state: ReviewState) -> None:
    px = style.px
    fill_rounded(surface, rect, px(10), theme.PANEL, theme.EDGE, px(1))
    curve.draw(surface, style, face, rect.inflate(-px(4), -px(4)), state.curve)
    title = style.text(state.subject, 13, theme.MUTED, bold=True)
    end = blit_text(surface, title, at=(rect.left + px(16), rect.top + px(10))).right
    how = style.text(style.fit(state.how, 12, rect.right - end - px(40)), 12, theme.MUTED)
    blit_text(surface, how, anchor="topright", at=(rect.right - px(16), rect.top + px(11)))


def _draw_worst(surface: pygame.Surface, style: Style, face: Face, at: Places, state: ReviewState) -> None:
    px, panel = style.px, at.worst
    fill_rounded(surface, panel, px(10), theme.PANEL, theme.EDGE, px(1))
    title = style.text(say("review.worst"), 16, bold=True)
    blit_text(surface, title, anchor="midleft", at=(panel.left + px(16), panel.top + px(28)))
    if not state.worst:
        rows = style.wrap(state.empty, 14, panel.width - px(64), lines=3)
        for index, row in enumerate(rows):
            y = panel.centery + px(12) + index * px(22)
            blit_text(surface, style.text(row, 14, theme.MUTED), anchor="center", at=(panel.centerx, y))
        if state.progress is not None:
            bar = Rect(0, 0, min(px(360), panel.width - px(64)), px(8))
            bar.center = (panel.centerx, panel.centery - px(16))
            draw_progress(surface, style, bar, state.progress)
    for worst, card in zip(state.worst, at.boards, strict=False):
        _draw_card(surface, style, face, at, card, worst)


def draw_training(surface: pygame.Surface, style: Style, between: tuple[int, Rect], words: str) -> None:
    """What can be tried again, before the button for it.

    Args:
        surface: is drawn on.
        style: of the window.
        between: where the room for it begins, and the button.
        words: what is said.
    """
    left, button = between
    room = button.left - style.px(16) - left - style.px(16)
    if style.width(words, 13) <= room:
        text = style.text(words, 13, theme.MUTED)
        blit_text(surface, text, anchor="midright", at=(button.left - style.px(16), button.centery))


def draw_progress(surface: pygame.Surface, style: Style, bar: Rect, share: float) -> None:
    """How much of something is done."""
    fill_rounded(surface, bar, style.px(4), theme.LINE)
    done = Rect(bar.left, bar.top, max(bar.height, round(bar.width * share)), bar.height)
    fill_rounded(surface, done, style.px(4), theme.ACCENT)


def _draw_card(surface: pygame.Surface, style: Style, face: Face, at: Places, card: Rect, worst: Worst) -> None:
    px = style.px
    fill_rounded(surface, card, px(12), theme.RAISED, theme.BUTTON_EDGE, px(1))
    board = at.board(style, card)
    surface.blit(_drawn_board(face, board.width, style.scale, worst), board)
    left, right = board.right + px(12), card.right - px(12)
    title = style.text(style.fit(worst.title, 13, right - left - px(34)), 13, theme.MUTED)
    end = blit_text(surface, title, anchor="midleft", at=(left, card.top + px(28))).right
    scorecard.draw_sign(surface, style, (end + px(20), card.top + px(28)), worst.sign)
    small = card.height < px(220)
    y = card.top + px(52 if small else 65)
    sign = cross(px(11), px(2.5), theme.WARNING)
    surface.blit(sign, sign.get_rect(midleft=(left, y)))
    _draw_pair(surface, style, (left + px(20), y), right, say("review.was"), worst.was[0])
    y += px(22 if small else 28)
    marks.draw_triangle(surface, style, (left + px(5), y), theme.BEST_VALUE)
    _draw_pair(surface, style, (left + px(20), y), right, say("review.best"), worst.best[0])
    y += px(30 if small else 40)
    gain = style.text(worst.gain, 24 if small else 32, theme.ACCENT, bold=True)
    end = blit_text(surface, gain, anchor="midleft", at=(left, y)).right
    unit = style.text(style.fit(worst.unit, 13, right - end - px(8)), 13, theme.MUTED)
    blit_text(surface, unit, anchor="midleft", at=(end + px(8), y + px(4)))
    for index, row in enumerate(style.wrap(worst.how, 12, right - left, lines=2)):
        line = style.text(row, 12, theme.MUTED)
        blit_text(surface, line, anchor="midleft", at=(left, y + px(22 if small else 31) + index * px(16)))


@theme.drawn_once(8)
def _drawn_board(face: Face, size: int, scale: float, worst: Worst) -> pygame.Surface:
    """The position before a move, with the move and what would have been best."""
    surface = pygame.Surface((size, size), pygame.SRCALPHA)
    style = theme.style(scale)
    place = face.place(style, surface.get_rect(), style.px(6))
    face.draw(surface, place, BoardState(worst.position, last_move=worst.last_move), 0.0)
    marks.draw_choice(surface, place, worst.was[1], theme.MOST_VISITED, is_right=False)
    marks.draw_choice(surface, place, worst.best[1], theme.BEST_VALUE, is_right=True)
    return surface


def _draw_pair(surface: pygame.Surface, style: Style, at: tuple[int, int], right: int, word: str, move: str) -> None:
    """A word, and the move that it is said of."""
    end = blit_text(surface, style.text(word, 15, theme.MUTED), anchor="midleft", at=at).right
    text = style.text(style.fit(move, 15, right - end - style.px(6), bold=True), 15, bold=True)
    blit_text(surface, text, anchor="midleft", at=(end + style.px(6), at[1]))
