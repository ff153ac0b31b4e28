"""What a search thinks, on the squares and in figures."""

from __future__ import annotations

from typing import Any

import pygame

from othello.gui import theme, wording
from othello.gui.layout import BoardLayout
from othello.gui.shapes import fill_rounded, ring
from othello.gui.texts import say
from othello.gui.theme import Style, blit_text
from othello.rules.othello import OthelloPosition
from othello.rules.protocol import Rules
from othello.search.report import MoveStats, SearchReport, Unit


def is_forced(report: SearchReport) -> bool:
    """Whether a move was played unsearched, as there was no other."""
    return report.nodes == report.simulations == 0 and len(report.moves) == 1


def draw_on_board(
    surface: pygame.Surface, layout: BoardLayout, report: SearchReport, position: OthelloPosition
) -> None:
    """Value and visits of every root move; on a square that has its disc by now, the rings and the value only.

    The best value is ringed cyan and marked with a triangle, the most visited red and marked with a square;
    one move that is both gets the two rings, one in the other.
    """
    best, most = report.best_value, report.most_visited
    occupied = position.black | position.white
    for stats in report.moves:
        if not 0 <= stats.move < 64:
            continue  # a pass has no square
        if occupied >> stats.move & 1:
            _draw_played(surface, layout, report, stats, stats == best, stats == most)
        else:
            _draw_move(surface, layout, report, stats, stats == best, stats == most)


def _value_text(report: SearchReport, stats: MoveStats) -> str:
    if stats.value is None:
        return "–"
    return ("" if stats.exact else "<") + wording.value(stats.value, report.unit)


def _draw_played(
    surface: pygame.Surface, layout: BoardLayout, report: SearchReport, stats: MoveStats, is_best: bool, is_most: bool
) -> None:
    style = layout.style
    rect = layout.square_rect(stats.move)
    _draw_rings(surface, layout, rect, layout.disc, is_best, is_most)
    text = style.text(_value_text(report, stats), 10, theme.TEXT, bold=True)
    plate = text.get_rect(midbottom=(rect.centerx, rect.bottom - 1)).inflate(style.px(8), 0)
    fill_rounded(surface, plate, style.px(6), theme.FRAME)
    surface.blit(text, text.get_rect(center=plate.center))


def _draw_rings(
    surface: pygame.Surface, layout: BoardLayout, rect: pygame.Rect, size: int, is_best: bool, is_most: bool
) -> None:
    """The marks of the best value and of the most visited move, one ring in the other where both are the same."""
    style = layout.style
    width = style.px(2 if is_best and is_most else 3)
    if is_best:
        outer = ring(size, width, theme.BEST_VALUE)
        surface.blit(outer, outer.get_rect(center=rect.center))
        draw_triangle(surface, style, (rect.left + style.px(6), rect.top + style.px(7)), theme.BEST_VALUE)
    if is_most:
        inner = ring(size - 2 * width * is_best, width, theme.MOST_VISITED)
        surface.blit(inner, inner.get_rect(center=rect.center))
        draw_square(surface, style, (rect.left + style.px(6), rect.bottom - style.px(6)), theme.MOST_VISITED)


def _draw_move(
    surface: pygame.Surface, layout: BoardLayout, report: SearchReport, stats: MoveStats, is_best: bool, is_most: bool
) -> None:
    style = layout.style
    rect = layout.square_rect(stats.move)
    size = layout.plate
    plate = ring(size, style.px(1), theme.HINT, theme.FRAME, 0.94)
    surface.blit(plate, plate.get_rect(center=rect.center))
    _draw_rings(surface, layout, rect, size, is_best, is_most)
    color = theme.BEST_VALUE if is_best else theme.MOST_VISITED if is_most else theme.TEXT
    text = _value_text(report, stats)
    room = size - style.px(9)
    points = next((points for points in (14, 13, 12, 11, 10) if style.width(text, points, bold=True) <= room), 9)
    lift = layout.cell * 0.09
    value = style.text(text, points, color, bold=True)
    at = blit_text(surface, value, anchor="center", at=(rect.centerx, rect.centery - lift))
    if not stats.exact:  # "at most": the font has no such sign, so it gets its line here
        width = style.width("<", points, bold=True)
        surface.fill(color, (at.left + 1, at.centery + width // 2 + 1, width - 2, max(1, width // 6)))
    visits = style.text(wording.count(stats.visits), 10 if layout.cell < style.px(60) else 11, theme.COORDINATE)
    blit_text(surface, visits, anchor="center", at=(rect.centerx, rect.centery + lift * 2.1))


def draw_triangle(surface: pygame.Surface, style: Style, at: tuple[float, float], color: theme.RGB) -> None:
    """The mark of the best value."""
    half = style.px(4)
    x, y = at
    pygame.draw.polygon(surface, color, ((x - half, y + half), (x + half, y + half), (x, y - half)))


def draw_square(surface: pygame.Surface, style: Style, at: tuple[float, float], color: theme.RGB) -> None:
    """The mark of the most visited move."""
    side = style.px(7)
    surface.fill(color, (at[0] - side // 2, at[1] - side // 2, side, side))


def draw_panel(
    surface: pygame.Surface, style: Style, rect: pygame.Rect, title: str, report: SearchReport | None, rules: Rules[Any]
) -> None:
    """The search in figures, its best line, and what the rings mean."""
    fill_rounded(surface, rect, style.px(10), theme.PANEL)
    left, right = rect.left + style.px(16), rect.right - style.px(16)
    top = rect.top + style.px(10)
    _draw_legend(surface, style, right, top + style.px(8))
    blit_text(surface, style.text(title, 12, theme.MUTED, bold=True), at=(left, top))
    if report is None:
        blit_text(surface, style.text(say("search.none"), 12, theme.MUTED), at=(left, top + style.px(24)))
        return
    if is_forced(report):
        only = say("search.only_move", move=wording.move(rules, report.moves[0].move))
        blit_text(surface, style.text(only, 12, theme.MUTED), at=(left, top + style.px(24)))
        return
    points = report.unit is Unit.SCORE
    speed = report.simulations_per_second or report.nodes / max(report.seconds, 1e-9)
    figures = (
        (say("search.simulations"), wording.count(report.simulations) if report.simulations else "–"),
        (say("search.speed"), say("search.a_second", count=wording.count(speed))),
        (say("search.depth"), str(report.depth)),
        (say("search.nodes"), wording.count(report.nodes)),
        (
            say("search.points" if points else "search.value"),
            "–" if report.value is None else wording.value(report.value, report.unit),
        ),
    )
    column = (right - left) // len(figures)
    if column < style.width(figures[0][0] + " ", 11):
        figures = ((say("search.sims"), figures[0][1]), *figures[1:])
    for index, (name, figure) in enumerate(figures):
        x = left + index * column
        blit_text(surface, style.text(name, 11, theme.MUTED), at=(x, top + style.px(21)))
        blit_text(surface, style.text(figure, 14, bold=True), at=(x, top + style.px(35)))
    label = blit_text(surface, style.text(say("search.best_line"), 11, theme.MUTED), at=(left, top + style.px(59)))
    line = style.fit("  ".join(wording.move(rules, move) for move in report.pv), 12, right - label.right - style.px(10))
    blit_text(surface, style.text(line, 12, theme.BEST_VALUE), at=(label.right + style.px(10), top + style.px(58)))


def _draw_legend(surface: pygame.Surface, style: Style, right: int, y: int) -> None:
    for text, color, mark in (
        (say("search.most_visited"), theme.MOST_VISITED, draw_square),
        (say("search.best"), theme.BEST_VALUE, draw_triangle),
    ):
        label = blit_text(surface, style.text(text, 11, theme.MUTED), anchor="midright", at=(right, y))
        mark(surface, style, (label.left - style.px(9), y), color)
        right = label.left - style.px(26)
