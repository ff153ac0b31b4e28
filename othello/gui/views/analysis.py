"""What an analysis shows beside the board: the game as a curve, and the moves of the shown position as bars."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import pygame
from pygame import Rect

from othello.gui import theme, wording
from othello.gui.faces import marks
from othello.gui.faces.face import Face
from othello.gui.shapes import fill_rounded
from othello.gui.texts import say
from othello.gui.theme import Style, blit_text
from othello.gui.views.frame import CardState
from othello.rules.protocol import Color, Position, Rules
from othello.search.report import MoveStats, SearchReport, Unit

_EVEN_SCORE: Final = 100.0  # a positional score that is drawn half way up
_EVEN_DISCS: Final = 16.0  # and a difference in discs
_ROW: Final = 24


@dataclass(frozen=True, slots=True)
class Point:
    """A position of the game on the curve.

    Attributes:
        ply: after so many moves.
        value: what it is worth for the side that began, -1 lost .. 1 won.
        is_exact: whether that is proved.
    """

    ply: int
    value: float
    is_exact: bool


@dataclass(frozen=True, slots=True)
class CurveState:
    """The game as a curve of so many plies, of which one is shown."""

    points: tuple[Point, ...]
    plies: int
    shown_ply: int


@dataclass(frozen=True, slots=True)
class Bar:
    """A move and how much of the search went into it, 0 .. 1 of the one that got most."""

    move: str
    share: float
    visits: str
    value: str
    is_best: bool
    is_most: bool


@dataclass(frozen=True, slots=True)
class BarsState:
    """The moves of a position, most visited first, and how many visits all have."""

    bars: tuple[Bar, ...]
    visits: int = 0


def value_for(color: Color, report: SearchReport) -> float | None:
    """What a search thinks of its position, for the side that began: -1 lost .. 1 won; None where it does not say."""
    if report.value is None or report.unit is Unit.NONE:
        return None
    value = report.value
    if report.unit is Unit.REWARD:
        value = 2 * value - 1
    else:
        even = _EVEN_SCORE if report.unit is Unit.SCORE else _EVEN_DISCS
        value = value / (abs(value) + even)
    return -value if color else value


def bars_state(rules: Rules[Position], report: SearchReport | None) -> BarsState:
    """The bars of a search."""
    if report is None:
        return BarsState(())
    best, most = report.best_value, report.most_visited
    visits = max((stats.visits for stats in report.moves), default=0)

    def weight(stats: MoveStats) -> tuple[int, float]:
        return stats.visits, stats.value or 0.0

    return BarsState(
        tuple(
            Bar(
                wording.move(rules, stats.move),
                stats.visits / visits if visits else 0.0,
                wording.count(stats.visits) if visits else "",
                marks.value_text(report, stats),
                stats == best,
                stats == most,
            )
            for stats in sorted(report.moves, key=weight, reverse=True)
        ),
        sum(stats.visits for stats in report.moves),
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
    name = style.fit(card.name, 14, points.left - rect.left - px(54), bold=True)
    blit_text(surface, style.text(name, 14, bold=True), anchor="midleft", at=(rect.left + px(44), rect.centery))


def curve_area(style: Style, panel: Rect) -> Rect:
    """Where the curve lies in its panel."""
    px = style.px
    return Rect(panel.left + px(52), panel.top + px(38), panel.width - px(72), panel.height - px(58))


def ply_at(style: Style, panel: Rect, state: CurveState, point: tuple[int, int]) -> int | None:
    """The ply at a point of the window, None beside the curve."""
    area = curve_area(style, panel)
    if not area.inflate(style.px(12), style.px(24)).collidepoint(point):
        return None
    return min(max(0, round((point[0] - area.left) * state.plies / area.width)), state.plies)


def draw_curve(surface: pygame.Surface, style: Style, face: Face, panel: Rect, state: CurveState) -> None:
    """Draw how the game went: above the middle for the side that began."""
    px, area = style.px, curve_area(style, panel)
    fill_rounded(surface, panel, px(10), theme.PANEL, theme.EDGE)
    title = style.text(say("analysis.curve"), 12, theme.MUTED, bold=True)
    blit_text(surface, title, at=(panel.left + px(16), panel.top + px(10)))
    hint = style.text(say("analysis.visit"), 11, theme.MUTED)
    blit_text(surface, hint, anchor="topright", at=(panel.right - px(16), panel.top + px(10)))

    def at(ply: int, value: float) -> tuple[int, int]:
        return area.left + area.width * ply // max(1, state.plies), round(area.centery - value * area.height / 2)

    exact = [point.ply for point in state.points if point.is_exact]
    if exact:
        left = at(exact[0], 0)[0]
        surface.fill(theme.RAISED, (left, area.top, area.right - left, area.height))
    for y in (area.top, area.centery, area.bottom):
        surface.fill(theme.LINE, (area.left, y, area.width, 1))
    for color, y in ((Color.BLACK, area.top), (Color.WHITE, area.bottom)):
        face.draw_token(surface, (panel.left + px(28), y), px(11), color)
    for ply in range(10, state.plies + 1, 10):
        number = style.text(str(ply), 11, theme.MUTED)
        blit_text(surface, number, anchor="midtop", at=(at(ply, 0)[0], area.bottom + px(3)))
    curve = [at(point.ply, point.value) for point in state.points]
    if len(curve) > 1:
        pygame.draw.lines(surface, theme.ACCENT, False, curve, px(2))
    for x, y in curve if len(curve) == 1 else ():
        pygame.draw.circle(surface, theme.ACCENT, (x, y), px(3))
    x = at(state.shown_ply, 0)[0]
    surface.fill(theme.LAST_MOVE, (x - px(1), area.top, px(2), area.height))


def draw_bars(surface: pygame.Surface, style: Style, rect: Rect, state: BarsState) -> None:
    """Draw as many moves as have room, and say how many more there are."""
    px = style.px
    rows = max(0, rect.height // px(_ROW))
    shown = len(state.bars) if len(state.bars) <= rows else max(0, rows - 1)
    for index, bar in enumerate(state.bars[:shown]):
        y = rect.top + index * px(_ROW) + px(_ROW) // 2
        color = theme.MOST_VISITED if bar.is_most else theme.BEST_VALUE if bar.is_best else theme.MUTED
        if bar.is_most:
            marks.draw_square(surface, style, (rect.left + px(6), y), theme.MOST_VISITED)
        if bar.is_best:
            at = (rect.left + px(18 if bar.is_most else 6), y)
            marks.draw_triangle(surface, style, at, theme.BEST_VALUE)
        move = style.text(bar.move, 13, color if color != theme.MUTED else theme.TEXT, bold=True)
        blit_text(surface, move, anchor="midleft", at=(rect.left + px(30), y))
        track = Rect(rect.left + px(76), y - px(5), rect.width - px(76) - px(124), px(10))
        fill_rounded(surface, track, px(3), theme.RAISED)
        length = round(track.width * bar.share)
        if length >= px(6):
            fill_rounded(surface, Rect(track.left, track.top, length, track.height), px(3), color)
        visits = style.text(bar.visits, 12)
        blit_text(surface, visits, anchor="midright", at=(rect.right - px(64), y))
        blit_text(surface, style.text(bar.value, 12, theme.MUTED), anchor="midright", at=(rect.right - px(4), y))
    if shown < len(state.bars) and rows:
        more = style.text(say("analysis.more", n=len(state.bars) - shown), 12, theme.MUTED)
        y = rect.top + shown * px(_ROW) + px(_ROW) // 2
        blit_text(surface, more, anchor="midleft", at=(rect.left + px(30), y))
