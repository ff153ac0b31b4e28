"""Dialog with the user's results against the levels: rating after each game, and score against each level."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from pygame import Rect

from othello.gui import ui
from othello.gui.dialogs.dialog import Dialog
from othello.records.game_file import GameListEntry
from othello.study.rating_history import FIRST_STEP, LAST_STEP, RatingHistory, Score, rating_histories
from othello.texts import percent, tr

_PLOT_MARGIN: Final = 60  # Elo between the values and the edges of the plot


class ResultsDialog(Dialog):
    """Shows the user's results for each kind of game.

    Args:
        games: all games of the user.
        has_details: explain how the rating is computed.
    """

    buttons = ("done",)
    keeps_size = True

    def __init__(self, games: Iterable[GameListEntry], *, has_details: bool) -> None:
        self.title = tr("rating_history.title")
        self._histories, self._has_details = rating_histories(games), has_details

    def content(self) -> ui.Widget:
        if not self._histories:
            return ui.Paragraph(tr("rating_history.none"))
        parts: list[ui.Widget] = []
        for game, history in self._histories.items():
            count = len(history.games)
            rating = tr("rating_history.rating", n=count, rating=f"{history.games[-1].rating:.0f}", count=count)
            title = ui.Label(f"{tr(f'games.{game}.title', game)}  ·  {rating}", 15, bold=True)
            scores = [ScoreRow(score, name=f"score:{game}:{score.level}") for score in history.scores]
            parts.append(ui.Column((title, Plot(history, name=f"plot:{game}"), ui.Column(scores, gap=0)), gap=10))
        words = tr("rating_history.counted")
        if self._has_details:
            words += " " + tr("rating_history.formula", first=f"{FIRST_STEP:.0f}", last=f"{LAST_STEP:.0f}")
        return ui.Column((*parts, ui.Paragraph(words, 12, self.style.palette.muted, pitch=1.6)), gap=16)


class Plot(ui.Widget):
    """Plot of the rating after each game: a dot for a win, a ring for a draw, a cross for a loss.

    Horizontal lines show the Elo of the levels.
    """

    history: RatingHistory

    def measure(self, style: ui.Style, width: float) -> ui.Size:
        return ui.Size(width, 190)

    def draw(self, on: ui.PaintContext) -> None:
        style, rect, px, palette = on.style, on.rect, on.style.px, on.style.palette
        games, scores = self.history.games, self.history.scores
        ui.fill_rounded(on.surface, rect, px(8), palette.well, palette.edge, px(1))
        right = max(style.width(tr(f"levels.{score.level}"), 11) for score in scores) + px(24)
        inner = Rect(rect.left + px(56), rect.top + px(14), rect.width - px(56) - right, rect.height - px(44))
        values = [*(game.rating for game in games), *(score.elo for score in scores)]
        lowest, highest = min(values) - _PLOT_MARGIN, max(values) + _PLOT_MARGIN

        def height(rating: float) -> int:
            return round(inner.bottom - (rating - lowest) / (highest - lowest) * inner.height)

        _draw_levels(on, inner, scores, [height(score.elo) for score in scores])
        pitch = inner.width / max(1, len(games) - 1)
        points = [(round(inner.left + pitch * index), height(game.rating)) for index, game in enumerate(games)]
        for first, second in pairwise(points):
            ui.draw_line(on.surface, palette.accent, first, second, max(1.5, px(2)))
        for point, game in zip(points, games, strict=True):
            _draw_result(on, point, game.score)
        ends = ((games[0], inner.left, "midleft"), (games[-1], inner.right, "midright"))
        for game, x, anchor in ends[: len(games)]:
            on.text((x, rect.bottom - px(14)), game.date[:10], 11, palette.muted, anchor=anchor)


def _draw_levels(on: ui.PaintContext, inner: Rect, scores: Sequence[Score], heights: Sequence[int]) -> None:
    """Draw a line for each level, with its Elo and name. Texts that would overlap others are left out."""
    style, palette, used_heights = on.style, on.style.palette, list[int]()
    for score, y in zip(scores, heights, strict=True):
        on.surface.fill(palette.line, (inner.left, y, inner.width, 1))
        if all(abs(y - other) >= style.px(13) for other in used_heights):
            used_heights.append(y)
            on.text((inner.left - style.px(10), y), str(score.elo), 11, palette.muted, anchor="midright")
            on.text((inner.right + style.px(10), y), tr(f"levels.{score.level}"), 11, palette.muted)


def _draw_result(on: ui.PaintContext, at: tuple[int, int], score: float) -> None:
    size, palette = on.style.px(9), on.style.palette
    lost = ui.cross(size, max(1.5, size * 0.25), palette.warning)
    images = {1.0: ui.circle(size, palette.right), 0.5: ui.ring(size, on.style.px(2), palette.last_text, palette.well)}
    on.image(images.get(score, lost), at=at)


class ScoreRow(ui.Widget):
    """The score against one level: name, results, a bar and per cent."""

    score: Score

    def measure(self, style: ui.Style, width: float) -> ui.Size:
        return ui.Size(width, 28)

    def accessible(self, on: ui.PaintContext) -> ui.AccessibleNode:
        return ui.AccessibleNode("label", value=", ".join(self._texts))

    @property
    def _texts(self) -> tuple[str, str]:
        """The level and the results."""
        score = self.score
        name = tr("rating_history.level", level=score.level, name=tr(f"levels.{score.level}"), elo=score.elo)
        return name, tr("rating_history.results", won=score.won, drawn=score.drawn, lost=score.lost)

    def draw(self, on: ui.PaintContext) -> None:
        style, rect, px, score = on.style, on.rect, on.style.px, self.score
        share = (score.won + score.drawn / 2) / (score.won + score.drawn + score.lost)
        end = on.text((rect.right, rect.centery), percent(f"{100 * share:.0f}"), 13, anchor="midright", bold=True).left
        right = min(end, rect.right - px(44)) - px(10)
        bar = Rect().move_to(size=(min(px(140), rect.width // 5), px(8)), midright=(right, rect.centery))
        ui.fill_share(on.surface, bar, share, style.palette.right, style.palette.line)
        name, results = self._texts
        left = on.text((bar.left - px(16), rect.centery), results, 12, style.palette.muted, anchor="midright").left
        on.text((rect.left, rect.centery), name, 13, room=left - px(12) - rect.left)
