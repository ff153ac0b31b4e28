"""How a person's rating went from game to game, between the levels that it was played against."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import pygame
from pygame import Rect

from othello.gui import theme
from othello.gui.controls import Control
from othello.gui.texts import say
from othello.gui.theme import Style, blit_text
from othello.gui.toolkit.shapes import circle, cross, draw_line, fill_rounded, ring
from othello.play.career import Career, Score

_ROOM: Final = 60  # Elo above and below what is shown


@dataclass(frozen=True)
class Plot(Control):
    """The rating after every game; a dot says a win, a ring a draw, a cross a loss. Lines are the levels' Elo.

    Attributes:
        career: what is shown.
    """

    career: Career

    @property
    def is_enabled(self) -> bool:
        return False

    def draw(self, surface: pygame.Surface, style: Style, rect: Rect, mouse: tuple[int, int] | None) -> None:
        px, games = style.px, self.career.games
        fill_rounded(surface, rect, px(8), theme.WELL, theme.EDGE, px(1))
        scores = self.career.scores
        names = [say(f"levels.{score.level}") for score in scores]
        right = max(style.width(name, 11) for name in names) + px(24)
        inner = Rect(rect.left + px(56), rect.top + px(14), rect.width - px(56) - right, rect.height - px(44))
        values = [game.rating for game in games] + [score.elo for score in scores]
        low, high = min(values) - _ROOM, max(values) + _ROOM

        def at(index: int, rating: float) -> tuple[int, int]:
            share = index / max(1, len(games) - 1) if len(games) > 1 else 0.5
            return round(inner.left + share * inner.width), round(
                inner.bottom - (rating - low) / (high - low) * inner.height
            )

        _draw_levels(surface, style, inner, scores, [at(0, score.elo)[1] for score in scores])
        points = [at(index, game.rating) for index, game in enumerate(games)]
        for first, second in pairwise(points):
            draw_line(surface, theme.ACCENT, first, second, max(1.5, px(2)))
        for point, game in zip(points, games, strict=True):
            _draw_result(surface, style, point, game.score)
        for game, x, anchor in ((games[0], inner.left, "midleft"), (games[-1], inner.right, "midright")):
            date = style.text(game.date[:10], 11, theme.MUTED)
            if len(games) > 1 or anchor == "midleft":
                blit_text(surface, date, anchor=anchor, at=(x, rect.bottom - px(14)))


def _draw_levels(
    surface: pygame.Surface, style: Style, inner: Rect, scores: Sequence[Score], heights: Sequence[int]
) -> None:
    """A line for every level, with its Elo and its name; words that would lie on others are left out."""
    taken: list[int] = []
    for score, y in zip(scores, heights, strict=True):
        surface.fill(theme.LINE, (inner.left, y, inner.width, 1))
        if all(abs(y - other) >= style.px(13) for other in taken):
            taken.append(y)
            elo = style.text(str(score.elo), 11, theme.MUTED)
            blit_text(surface, elo, anchor="midright", at=(inner.left - style.px(10), y))
            name = style.text(say(f"levels.{score.level}"), 11, theme.MUTED)
            blit_text(surface, name, anchor="midleft", at=(inner.right + style.px(10), y))


def _draw_result(surface: pygame.Surface, style: Style, at: tuple[int, int], score: float) -> None:
    size = style.px(9)
    if score == 1.0:
        image = circle(size, theme.RIGHT)
    elif score == 0.5:
        image = ring(size, style.px(2), theme.LAST_TEXT, theme.WELL)
    else:
        image = cross(size, max(1.5, size * 0.25), theme.WARNING)
    surface.blit(image, image.get_rect(center=at))


@dataclass(frozen=True)
class ScoreRow(Control):
    """What was scored against one level.

    Attributes:
        score: that.
    """

    score: Score

    @property
    def is_enabled(self) -> bool:
        return False

    def draw(self, surface: pygame.Surface, style: Style, rect: Rect, mouse: tuple[int, int] | None) -> None:
        px, score = style.px, self.score
        games = score.won + score.drawn + score.lost
        share = (score.won + score.drawn / 2) / games
        name = say("career.level", level=score.level, name=say(f"levels.{score.level}"), elo=score.elo)
        words = say("career.results", won=score.won, drawn=score.drawn, lost=score.lost)
        percent = style.text(f"{100 * share:.0f}%", 13, bold=True)
        end = blit_text(surface, percent, anchor="midright", at=(rect.right, rect.centery)).left
        bar = Rect(0, 0, min(px(140), rect.width // 5), px(8))
        bar.midright = (min(end, rect.right - px(44)) - px(10), rect.centery)
        fill_rounded(surface, bar, px(4), theme.LINE)
        if share:
            bar.width = max(bar.height, round(bar.width * share))
            fill_rounded(surface, bar, px(4), theme.RIGHT)
        results = style.text(words, 12, theme.MUTED)
        left = blit_text(surface, results, anchor="midright", at=(bar.left - px(16), rect.centery)).left
        text = style.text(style.fit(name, 13, left - px(12) - rect.left), 13)
        blit_text(surface, text, anchor="midleft", at=(rect.left, rect.centery))
