"""What a search thinks, in figures."""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from othello.gui import theme, wording
from othello.gui.faces import marks
from othello.gui.shapes import fill_rounded
from othello.gui.texts import say
from othello.gui.theme import Style, blit_text
from othello.rules.protocol import Position, Rules
from othello.search.report import SearchReport, Unit


def is_forced(report: SearchReport) -> bool:
    """Whether a move was played unsearched, as there was no other."""
    return report.nodes == report.simulations == 0 and len(report.moves) == 1


@dataclass(frozen=True, slots=True)
class SearchState:
    """What the panel shows.

    Attributes:
        title: which search it is.
        figures: names and figures, the simulations first; empty where there is nothing to tell.
        line: the best line, or why there is none.
    """

    title: str
    figures: tuple[tuple[str, str], ...]
    line: str


def search_state(rules: Rules[Position], searched: tuple[int, SearchReport] | None) -> SearchState:
    """What the panel shows of a search, which comes with the ply at which it was made."""
    if searched is None:
        return SearchState(say("search.title"), (), say("search.none"))
    ply, report = searched
    remarks = (say("search.exact") if report.unit is Unit.DISCS else "", say("search.full") if report.is_full else "")
    title = " · ".join(filter(None, (say("search.of_move", move=ply + 1), *remarks)))
    if is_forced(report):
        return SearchState(title, (), say("search.only_move", move=wording.move(rules, report.moves[0].move)))
    speed = report.simulations_per_second or report.nodes / max(report.seconds, 1e-9)
    figures = (
        (say("search.simulations"), wording.count(report.simulations) if report.simulations else "–"),
        (say("search.speed"), say("search.a_second", count=wording.count(speed))),
        (say("search.depth"), str(report.depth)),
        (say("search.nodes"), wording.count(report.nodes)),
        (
            say("search.points" if report.unit is Unit.SCORE else "search.value"),
            "–" if report.value is None else wording.value(report.value, report.unit),
        ),
    )
    return SearchState(title, figures, "  ".join(wording.move(rules, move) for move in report.pv))


def draw_panel(surface: pygame.Surface, style: Style, rect: pygame.Rect, state: SearchState) -> None:
    """The search in figures, its best line, and what the rings mean."""
    fill_rounded(surface, rect, style.px(10), theme.PANEL)
    left, right = rect.left + style.px(16), rect.right - style.px(16)
    top = rect.top + style.px(10)
    _draw_legend(surface, style, right, top + style.px(8))
    blit_text(surface, style.text(state.title, 12, theme.MUTED, bold=True), at=(left, top))
    if not state.figures:
        blit_text(surface, style.text(state.line, 12, theme.MUTED), at=(left, top + style.px(24)))
        return
    column = (right - left) // len(state.figures)
    for index, (name, figure) in enumerate(state.figures):
        x = left + index * column
        if not index and column < style.width(name + " ", 11):
            name = say("search.sims")
        blit_text(surface, style.text(name, 11, theme.MUTED), at=(x, top + style.px(21)))
        blit_text(surface, style.text(figure, 14, bold=True), at=(x, top + style.px(35)))
    label = blit_text(surface, style.text(say("search.best_line"), 11, theme.MUTED), at=(left, top + style.px(59)))
    line = style.fit(state.line, 12, right - label.right - style.px(10))
    blit_text(surface, style.text(line, 12, theme.BEST_VALUE), at=(label.right + style.px(10), top + style.px(58)))


def _draw_legend(surface: pygame.Surface, style: Style, right: int, y: int) -> None:
    for text, color, mark in (
        (say("search.most_visited"), theme.MOST_VISITED, marks.draw_square),
        (say("search.best"), theme.BEST_VALUE, marks.draw_triangle),
    ):
        label = blit_text(surface, style.text(text, 11, theme.MUTED), anchor="midright", at=(right, y))
        mark(surface, style, (label.left - style.px(9), y), color)
        right = label.left - style.px(26)
