"""What a search thinks, in figures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import pygame

from othello.config import PlayerConfig
from othello.game import AnyGame
from othello.gui import theme, wording
from othello.gui.faces import marks
from othello.gui.theme import Style, blit_text
from othello.gui.toolkit.shapes import fill_rounded
from othello.rules.protocol import Move
from othello.search.report import SearchReport, Unit
from othello.texts import say


def is_forced(report: SearchReport) -> bool:
    """Whether a move was played unsearched, as there was no other."""
    return report.nodes == report.simulations == 0 and len(report.moves) == 1


@dataclass(frozen=True, slots=True)
class SearchState:
    """What the panel shows.

    Attributes:
        title: which search it is.
        figures: names and figures, the simulations first where there are any; empty where there is nothing to tell.
        line: the best line, or why there is none.
        legend: what of the marks' legend is needed.
    """

    title: str
    figures: tuple[tuple[str, str], ...]
    line: str
    legend: tuple[str, ...] = ()


def search_state(game: AnyGame, searched: tuple[int, SearchReport] | None) -> SearchState:
    """What the panel shows of a search of a game's position, which comes with the ply at which it was made."""
    if searched is None:
        return SearchState(say("search.title"), (), say("search.none"))
    ply, report = searched
    game = game.at(ply)
    remarks = (say("search.exact") if report.is_certain else "", say("search.full") if report.is_full else "")
    title = " · ".join(filter(None, (say("search.of_move", move=ply + 1), *remarks)))
    if is_forced(report):
        return SearchState(title, (), say("search.only_move", move=wording.move(game, report.moves[0].move)))
    speed = report.simulations_per_second or report.nodes / max(report.seconds, 1e-9)
    simulations = ((say("search.simulations"), wording.count(report.simulations)),) if report.simulations else ()
    figures = (
        *simulations,
        (say("search.speed"), say("search.a_second", count=wording.count(speed))),
        (say("search.depth"), str(report.depth)),
        (say("search.nodes"), wording.count(report.nodes)),
        (
            say("search.points" if report.unit is Unit.SCORE else "search.value"),
            wording.worth(report),
        ),
    )
    return SearchState(title, figures, "  ".join(text for _, text in wording.line(game, report.pv)), legend_of(report))


def draw_panel(surface: pygame.Surface, style: Style, rect: pygame.Rect, state: SearchState) -> None:
    """The search in figures, its best line, and what the rings mean."""
    fill_rounded(surface, rect, style.px(10), theme.PANEL)
    left, right = rect.left + style.px(16), rect.right - style.px(16)
    top = rect.top + style.px(10)
    draw_legend(surface, style, right, top + style.px(8), state.legend)
    blit_text(surface, style.text(state.title, 12, theme.MUTED, bold=True), at=(left, top))
    if not state.figures:
        blit_text(surface, style.text(state.line, 12, theme.MUTED), at=(left, top + style.px(24)))
        return
    draw_figures(surface, style, pygame.Rect(left, top + style.px(21), right - left, style.px(32)), state.figures)
    label = blit_text(surface, style.text(say("search.best_line"), 11, theme.MUTED), at=(left, top + style.px(59)))
    line = style.fit(state.line, 12, right - label.right - style.px(10))
    blit_text(surface, style.text(line, 12, theme.BEST_VALUE), at=(label.right + style.px(10), top + style.px(58)))


def draw_figures(surface: pygame.Surface, style: Style, rect: pygame.Rect, figures: Sequence[tuple[str, str]]) -> None:
    """Names with figures below them, side by side."""
    column = rect.width // max(1, len(figures))
    for index, (name, figure) in enumerate(figures):
        x = rect.left + index * column
        if name == say("search.simulations") and column < style.width(name + " ", 11):
            name = say("search.sims")
        blit_text(surface, style.text(style.fit(name, 11, column), 11, theme.MUTED), at=(x, rect.top))
        image = style.text(style.fit(figure, 14, column, bold=True), 14, bold=True)
        blit_text(surface, image, at=(x, rect.top + style.px(14)))


_SIGMAS_95: Final = 1.96

LEGEND: Final = ("most_visited", "best")
"""What the marks on squares mean, from the right; each is a text `legend.NAME`."""


def legend_of(report: SearchReport | None) -> tuple[str, ...]:
    """What of the legend a search needs."""
    if report is None:
        return LEGEND
    bounds = "bound" if any(not stats.exact for stats in report.moves) else ""
    is_proved = report.unit is Unit.DISCS or any(stats.is_proven for stats in report.moves)
    counts = "most_visited" if report.most_visited is not None else ""
    return tuple(filter(None, (bounds, "proved" if is_proved else "", counts, "best")))


def draw_legend(
    surface: pygame.Surface, style: Style, right: int, y: int, names: Sequence[str], *, pitch: int = 0
) -> None:
    """What the marks on squares mean, in a line that ends at `right`, or below each other where a pitch is set."""
    for index, name in enumerate(reversed(names) if pitch else names):
        text = style.text(say(f"legend.{name}"), 11, theme.MUTED)
        widest = max(style.width(say(f"legend.{each}"), 11) for each in names) if pitch else text.get_width()
        label = blit_text(surface, text, anchor="midleft", at=(right - widest, y + index * pitch))
        at = (label.left - style.px(9), label.centery)
        if name == "best":
            marks.draw_triangle(surface, style, at, theme.BEST_VALUE)
        elif name == "most_visited":
            marks.draw_square(surface, style, at, theme.MOST_VISITED)
        else:
            image = style.text("=" if name == "proved" else "<", 12, theme.TEXT, bold=True)
            sign = blit_text(surface, image, anchor="center", at=at)
            if name == "bound":
                surface.fill(theme.TEXT, (sign.left + 1, sign.centery + style.px(5), sign.width - 2, style.px(1)))
        if not pitch:
            right = label.left - style.px(26)


def about(report: SearchReport, player: PlayerConfig | None, move: Move) -> tuple[Move, tuple[str, ...]] | None:
    """What more there is to tell of a move's value; None where there is nothing.

    The interval holds the expected result in 95 of 100 cases (Wilson's score interval, J. Am. Stat. Assoc. 22, 1927).
    """
    stats = next((stats for stats in report.moves if stats.move == move), None)
    if stats is None or stats.value is None:
        return None
    is_proved = report.unit is Unit.DISCS or stats.is_proven
    if is_proved or report.unit is not Unit.REWARD or not report.simulations or not stats.visits:
        value = wording.value(stats.value, report.unit)
        if not stats.exact:
            return move, (say("values.bound", value=value),)
        if report.unit is Unit.SCORE and not is_proved:
            return move, (say("values.score", value=value),)
        return move, (say("values.proved" if is_proved else "values.expected", value=value),)
    n, mean, z = stats.visits, stats.value, _SIGMAS_95
    middle, half = mean + z * z / (2 * n), z * math.sqrt(mean * (1 - mean) / n + (z / (2 * n)) ** 2)
    low, high = ((middle + sign * half) / (1 + z * z / n) for sign in (-1, 1))
    words = [say("values.interval", low=f"{100 * low:.1f}", high=f"{100 * high:.1f}")]
    exploration = getattr(player, "mcts_exploration", None)
    if exploration is not None:
        visits = sum(each.visits for each in report.moves)
        bonus = exploration * math.sqrt(math.log(visits) / n)
        words.append(say("values.bonus", value=f"{100 * mean:.1f}", bonus=f"{100 * bonus:.1f}"))
    return move, tuple(words)


def draw_about(
    surface: pygame.Surface, style: Style, square: pygame.Rect, board: pygame.Rect, words: Sequence[str]
) -> None:
    """That beside its square, on the board."""
    px = style.px
    images = [style.text(word, 12) for word in words]
    width, height = max(image.get_width() for image in images) + px(20), px(10) + px(18) * len(images)
    box = pygame.Rect(0, 0, width, height)
    box.midbottom = (square.centerx, square.top - px(2))
    if box.top < board.top:
        box.top = square.bottom + px(2)
    box.clamp_ip(board)
    fill_rounded(surface, box, px(6), theme.RAISED, theme.LINE, px(1))
    for index, image in enumerate(images):
        blit_text(surface, image, at=(box.left + px(10), box.top + px(5) + index * px(18)))
