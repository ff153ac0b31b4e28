"""What an analysis shows beside the board: how the game went, its moves, and the search of the shown position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import pygame
from pygame import Rect

from othello.gui import bars, theme
from othello.gui.actions import Where
from othello.gui.faces.face import Face
from othello.gui.layout import Layout
from othello.gui.theme import Style, blit_text
from othello.gui.toolkit.shapes import fill_rounded
from othello.gui.views import curve, values
from othello.gui.views.frame import CardState
from othello.rules.protocol import Color
from othello.texts import say

_CURVE: Final = 160
_LEAST_MOVES: Final = 108
_MOST_MOVES: Final = 170
_HEAD: Final = 92  # of the search: who searches, and the figures
_WIDE: Final = 420
_LEAST_WORDS: Final = 60  # of how far an analysis is
_LINE: Final = 26
_LEAST_TREE: Final = 104
_BUTTONS: Final = ("first", "back", "forward", "last", "here", "delete_line", "undo", "redo")


@dataclass(frozen=True, slots=True)
class LineMove:
    """A move of the best line."""

    mover: Color
    text: str


@dataclass(frozen=True, slots=True)
class SearchPanel:
    """The search of the shown position.

    Attributes:
        figures: names and figures; empty where there is nothing to tell.
        note: what is told in their place.
        line: the best line.
        played: so many moves of it are played out on the board.
        legend: see `values.draw_legend`.
    """

    figures: tuple[tuple[str, str], ...] = ()
    note: str = ""
    line: tuple[LineMove, ...] = ()
    played: int = 0
    legend: tuple[str, ...] = values.LEGEND


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the analysis of the game is: words, and 0 .. 1; None where none runs."""

    words: str
    share: float | None = None


@dataclass(frozen=True)
class Places:
    """Where all of that lies, in real pixels; what there is no room for is None."""

    column: Rect
    cards: tuple[Rect, Rect]
    curve: Rect | None
    scale: Rect
    has_title: bool
    progress: Rect
    moves: Rect
    search: Rect
    engine: Rect
    seconds: Rect
    legend: tuple[int, int]
    figures: Rect
    line: Rect | None
    tree: Rect | None
    buttons: Mapping[str, Rect]


def places(layout: Layout, *, is_running: bool = False, has_scale: bool = True) -> Places:
    """Divide the column. The tree goes first where there is little room, then the best line, then the curve.

    Args:
        layout: of the window.
        is_running: whether the game is being analysed.
        has_scale: whether the curve can be drawn in discs or in chances.
    """
    style, column = layout.style, layout.column
    px, gap, half = style.px, style.px(8), (layout.column.width - style.px(8)) // 2
    top = column.top
    cards = (Rect(column.left, top, half, px(40)), Rect(column.right - half, top, half, px(40)))
    top += px(40) + gap
    name = "stop_analysis" if is_running else "analyse_game"
    width, wanted = bars.width_of(style, name, Where.GAME), px(128) if has_scale else 0
    is_above = wanted + width + gap + 2 * px(12) <= column.width  # the curve, beside its scale; else below all
    names = _BUTTONS if is_above else (*_BUTTONS, name)
    buttons, bottom = bars.controls(style, column, column.bottom, Where.GAME, names)
    bottom -= px(12)
    room = bottom - top
    has = {"curve": True, "line": True, "tree": True}

    hold = bars.width_of(style, "hold_analysis", Where.GAME)
    has_legend = column.width - 2 * px(16) > px(_WIDE)  # beside the choices; else it has a line of its own
    lines = px(_HEAD) + (0 if has_legend else px(18))

    def needed() -> int:
        search = lines + px(_LINE) * has["line"] + px(_LEAST_TREE) * has["tree"]
        return (px(_CURVE) + gap) * has["curve"] + px(_LEAST_MOVES) + gap + search

    for part in ("tree", "line", "curve"):
        if needed() > room:
            has[part] = False
    spare = max(0, room - needed())
    head = None
    if has["curve"]:
        head = Rect(column.left, top, column.width, px(_CURVE))
        top = head.bottom + gap
    most = px(_MOST_MOVES - _LEAST_MOVES) if has["tree"] else spare
    height = min(px(_LEAST_MOVES) + min(spare, most), max(px(60), room // 2 + spare))
    listed = Rect(column.left, top, column.width, height)
    search = Rect(column.left, listed.bottom + gap, column.width, bottom - listed.bottom - gap)
    inner = search.inflate(-2 * px(16), 0)
    choices = inner.width - hold - px(110) * has_legend - 2 * gap
    engine = Rect(inner.left, search.top + px(8), choices * 55 // 100, px(32))
    seconds = Rect(engine.right + gap, engine.top, choices - engine.width, px(32))
    buttons["hold_analysis"] = Rect(seconds.right + gap, engine.top, hold, px(32))
    y = search.top + lines
    line = Rect(inner.left, y, inner.width, px(_LINE)) if has["line"] else None
    tree_top = y + px(_LINE) + px(6)
    progress = Rect(0, 0, 0, 0)
    scale = Rect(0, 0, 0, 0)
    has_title = False
    if head is not None:
        button = Rect(head.right - px(12) - width * is_above, head.top + px(8), width, px(26))
        buttons |= {name: button} if is_above else {}
        left = head.left + px(16) + style.width(say("analysis.curve"), 12, bold=True) + px(12)
        has_title = left + wanted + gap <= button.left
        left = left if has_title else head.left + px(12)
        scale = Rect(left, button.top, wanted, px(26))
        progress = Rect(scale.right + gap, button.top, button.left - scale.right - 2 * gap, px(26))
    return Places(
        column=column,
        cards=cards,
        curve=head,
        scale=scale,
        has_title=has_title,
        progress=progress,
        moves=listed,
        search=search,
        engine=engine,
        seconds=seconds,
        legend=(inner.right, engine.centery if has_legend else engine.bottom + px(11)),
        figures=Rect(inner.left, y - px(42), inner.width, px(34)),
        line=line,
        tree=Rect(inner.left, tree_top, inner.width, search.bottom - px(4) - tree_top) if has["tree"] else None,
        buttons=buttons,
    )


def draw_player(surface: pygame.Surface, style: Style, face: Face, rect: Rect, card: CardState) -> None:
    """A player in one line."""
    px = style.px
    if card.is_active:
        fill_rounded(surface, rect, px(8), theme.ACTIVE, theme.ACCENT, px(2))
    else:
        fill_rounded(surface, rect, px(8), theme.PANEL, theme.EDGE)
    face.draw_piece(surface, (rect.left + px(22), rect.centery), px(24), card.color)
    points = blit_text(
        surface,
        style.text(card.points, 16, bold=True),
        anchor="midright",
        at=(rect.right - px(14), rect.centery),
    )
    room = points.left - rect.left - px(50)
    size = style.largest(card.name, (14, 13, 12, 11, 10, 9, 8), room, bold=True)
    name = style.text(style.fit(card.name, size, room, bold=True), size, bold=True)
    at = blit_text(surface, name, anchor="midleft", at=(rect.left + px(44), rect.centery))
    note = card.note or (say("cards.to_move") if card.is_active else "")
    if note and at.right + px(10) + style.width(note, 12, bold=True) < points.left:
        image = style.text(note, 12, theme.ACCENT if card.is_active else theme.LAST_TEXT, bold=True)
        blit_text(surface, image, anchor="midleft", at=(at.right + px(10), rect.centery))


def draw_curve(
    surface: pygame.Surface, style: Style, face: Face, at: Places, state: curve.CurveState, progress: Progress
) -> None:
    """The game as a curve, with how far its analysis is."""
    if at.curve is None:
        return
    px, panel = style.px, at.curve
    fill_rounded(surface, panel, px(10), theme.PANEL, theme.EDGE)
    curve.draw(surface, style, face, panel, state)
    if at.has_title:
        title = style.text(say("analysis.curve"), 12, theme.MUTED, bold=True)
        blit_text(surface, title, anchor="midleft", at=(panel.left + px(16), at.progress.centery))
    right = at.progress.right
    if progress.share is not None and at.progress.width > 0:
        width = min(px(72), at.progress.width // 3)
        track = Rect(right - width, at.progress.centery - px(3), width, px(6))
        fill_rounded(surface, track, px(3), theme.LINE)
        if progress.share > 0:
            done = Rect(track.left, track.top, max(px(6), round(track.width * progress.share)), track.height)
            fill_rounded(surface, done, px(3), theme.ACCENT)
        right = track.left - px(8)
    room = right - at.progress.left
    if room >= px(_LEAST_WORDS):
        words = style.text(style.fit(progress.words, 12, room), 12, theme.MUTED)
        blit_text(surface, words, anchor="midright", at=(right, at.progress.centery))


def line_places(style: Style, rect: Rect, state: SearchPanel) -> list[Rect]:
    """Where the moves of the best line lie that have room."""
    px, found = style.px, []
    x = rect.left + style.width(say("search.best_line"), 11) + px(10)
    for move in state.line:
        width = px(18) + style.width(move.text, 13, bold=True) + px(8)
        if x + width > rect.right:
            break
        found.append(Rect(x, rect.top, width, rect.height))
        x += width
    return found


def draw_search(surface: pygame.Surface, style: Style, face: Face, at: Places, state: SearchPanel) -> None:
    """Who searches, and what was found: figures and the best line. Tree and choices come on top."""
    px = style.px
    fill_rounded(surface, at.search, px(10), theme.PANEL, theme.EDGE)
    right, y = at.legend
    pitch = px(16) if y == at.engine.centery else 0
    values.draw_legend(surface, style, right, y - (pitch * (len(state.legend) - 1)) // 2, state.legend, pitch=pitch)
    if state.figures:
        values.draw_figures(surface, style, at.figures, state.figures)
    else:
        note = style.text(style.fit(state.note, 12, at.figures.width), 12, theme.MUTED)
        blit_text(surface, note, at=at.figures.topleft)
    if at.line is None or not state.line:
        return
    label = style.text(say("search.best_line"), 11, theme.MUTED)
    blit_text(surface, label, anchor="midleft", at=at.line.midleft)
    for index, (place, move) in enumerate(zip(line_places(style, at.line, state), state.line, strict=False)):
        is_played = index < state.played
        if is_played:
            fill_rounded(surface, place.inflate(-px(2), -px(4)), px(5), theme.SHOWN)
        face.draw_token(surface, (place.left + px(9), place.centery), px(11), move.mover)
        color = theme.LAST_TEXT if is_played else theme.TEXT
        text = style.text(move.text, 13, color, bold=True)
        blit_text(surface, text, anchor="midleft", at=(place.left + px(18), place.centery))
    if at.tree is not None:
        surface.fill(theme.LINE, (at.line.left, at.line.bottom + px(1), at.line.width, 1))
