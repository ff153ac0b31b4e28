"""A tournament: standings, time used, games under way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import pygame

from othello.gui import theme
from othello.gui.shapes import disc, fill_rounded
from othello.gui.theme import RGB, Style, blit_text
from othello.gui.tournament_layout import LiveBoard, TournamentLayout
from othello.gui.views import board
from othello.rules.othello import OthelloPosition
from othello.rules.protocol import Color, Move

# Header, width of the column in design pixels where there is little room and where there is much; the players have what
# is left. All columns but the first two end at the right.
_COLUMNS: Final = (
    ("#", 22, 36),
    ("Player", 0, 0),
    ("Points", 54, 68),
    ("W", 38, 52),
    ("D", 34, 44),
    ("L", 38, 48),
    ("Discs", 54, 76),
    ("Elo ± 95 %", 88, 96),
    ("s/game", 58, 84),
)


@dataclass(frozen=True, slots=True)
class Row:
    """A player in the standings: the cells in the order of the columns, and what it used."""

    cells: tuple[str, ...]
    seconds: float

    @property
    def name(self) -> str:
        return self.cells[1]


@dataclass(frozen=True, slots=True)
class LiveState:
    """A game under way."""

    black: str
    white: str
    ply: int
    position: OthelloPosition
    discs: tuple[int, int]
    last_move: Move | None


@dataclass(frozen=True, slots=True)
class TournamentState:
    """What the panels show."""

    rows: tuple[Row, ...]
    progress: str
    share: float
    colors: str
    live: tuple[LiveState | None, ...]


def draw(surface: pygame.Surface, layout: TournamentLayout, state: TournamentState) -> None:
    """Draw the panels; buttons come on top."""
    _draw_standings(surface, layout, state)
    _draw_times(surface, layout.style, layout.times, state.rows)
    style, px = layout.style, layout.style.px
    fill_rounded(surface, layout.live, px(10), theme.PANEL)
    title = style.text("Live games", 16, bold=True)
    blit_text(surface, title, at=(layout.live.left + px(20), layout.live.top + px(14)))
    for place, live in zip(layout.boards, state.live, strict=True):
        if live is not None:
            _draw_live(surface, style, place, live)
    if not any(state.live):
        waiting = style.text("No game has begun yet.", 13, theme.MUTED)
        blit_text(surface, waiting, at=(layout.live.left + px(20), layout.live.top + px(52)))


def _draw_standings(surface: pygame.Surface, layout: TournamentLayout, state: TournamentState) -> None:
    style, px, panel = layout.style, layout.style.px, layout.standings
    fill_rounded(surface, panel, px(10), theme.PANEL)
    title = blit_text(surface, style.text("Standings", 16, bold=True), at=(panel.left + px(20), panel.top + px(12)))
    room = layout.table.right - title.right - px(16)
    progress = style.text(style.fit(state.progress, 12, room), 12, theme.MUTED)
    blit_text(surface, progress, anchor="midright", at=(layout.table.right, title.centery))
    bar = pygame.Rect(layout.table.left, panel.top + px(44), layout.table.width, px(6))
    fill_rounded(surface, bar, px(3), theme.LINE)
    done = round(bar.width * state.share)
    if done >= bar.height:
        fill_rounded(surface, pygame.Rect(bar.left, bar.top, done, bar.height), px(3), theme.ACCENT)
    _draw_table(surface, style, layout.table, state.rows)
    colors = style.text(style.fit(state.colors, 13, layout.colors.width), 13, theme.MUTED)
    blit_text(surface, colors, anchor="midleft", at=layout.colors.midleft)


def _draw_table(surface: pygame.Surface, style: Style, rect: pygame.Rect, rows: tuple[Row, ...]) -> None:
    px = style.px
    widths = [px(wide if rect.width >= px(640) else narrow) if wide else 0 for _, narrow, wide in _COLUMNS]
    widths[1] = rect.width - sum(widths)
    header = tuple(name for name, _, _ in _COLUMNS)
    _draw_cells(surface, style, rect.left, rect.top + px(12), widths, header, is_header=True)
    top = rect.top + px(26)
    pitch, shown = _pitch(style, rect.bottom - top, rows, px(44))
    for index, row in enumerate(rows[:shown]):
        line = pygame.Rect(rect.left - px(10), top + index * pitch, rect.width + 2 * px(10), pitch)
        if index % 2 == 0:
            fill_rounded(surface, line, px(8), theme.RAISED)
        _draw_cells(surface, style, rect.left, line.centery, widths, row.cells)
    if shown < len(rows):
        more = style.text(f"and {len(rows) - shown} more", 12, theme.MUTED)
        blit_text(surface, more, anchor="midleft", at=(rect.left, top + shown * pitch + pitch // 2))


def _pitch(style: Style, height: int, rows: tuple[Row, ...], most: int) -> tuple[int, int]:
    """How high a row is, and how many are shown; where some are not, the last one is left for saying so."""
    least = style.px(21)
    pitch = min(most, max(least, height // max(1, len(rows))))
    fit = max(1, height // pitch)
    return pitch, len(rows) if len(rows) <= fit else fit - 1


def _draw_cells(
    surface: pygame.Surface,
    style: Style,
    left: int,
    y: int,
    widths: list[int],
    cells: tuple[str, ...],
    *,
    is_header: bool = False,
) -> None:
    for column, (cell, width) in enumerate(zip(cells, widths, strict=True)):
        is_bold = is_header or column in (1, 2)
        size = 12 if is_header else 14
        color: RGB = theme.MUTED if is_header or column == 0 else theme.TEXT
        image = style.text(style.fit(cell, size, width - style.px(6), bold=is_bold), size, color, bold=is_bold)
        if column < 2:
            blit_text(surface, image, anchor="midleft", at=(left, y))
        else:
            blit_text(surface, image, anchor="midright", at=(left + width, y))
        left += width


def _draw_times(surface: pygame.Surface, style: Style, panel: pygame.Rect, rows: tuple[Row, ...]) -> None:
    """Bars of what players use a game; the longest has another colour and reaches furthest."""
    px = style.px
    fill_rounded(surface, panel, px(10), theme.PANEL)
    title = style.text("Seconds a game", 14, bold=True)
    blit_text(surface, title, at=(panel.left + px(20), panel.top + px(12)))
    top = panel.top + px(38)
    pitch, shown = _pitch(style, panel.bottom - px(8) - top, rows, px(48))
    left, room = panel.left + px(150), panel.width - px(150) - px(90)
    longest = max((row.seconds for row in rows), default=0.0)
    for index, row in enumerate(rows[:shown]):
        y = top + index * pitch + pitch // 2
        name = style.text(style.fit(row.name, 13, px(120)), 13, theme.MUTED)
        blit_text(surface, name, anchor="midleft", at=(panel.left + px(20), y))
        height = min(px(22), pitch - px(6))
        length = max(px(2), round(room * row.seconds / longest)) if longest > 0 else px(2)
        is_longest = longest > 0 and row.seconds == longest
        bar = pygame.Rect(left, y - height // 2, length, height)
        fill_rounded(surface, bar, px(5), theme.LAST_MOVE if is_longest else theme.ACCENT)
        blit_text(surface, style.text(row.cells[-1], 13), anchor="midleft", at=(bar.right + px(10), y))


def _draw_live(surface: pygame.Surface, style: Style, place: LiveBoard, live: LiveState) -> None:
    px, words = style.px, place.words
    position = board.BoardState(live.position, captures={}, shows_counts=False, last_move=live.last_move)
    board.draw(surface, place.place, position, 0.0)
    for index, (color, name) in enumerate(((Color.BLACK, live.black), (Color.WHITE, live.white))):
        y = words.top + px(10) + index * px(20)
        token = disc(px(12), color)
        surface.blit(token, token.get_rect(midleft=(words.left, y)))
        label = style.text(style.fit(name, 13, words.width - px(20), bold=True), 13, bold=True)
        blit_text(surface, label, anchor="midleft", at=(words.left + px(20), y))
    score = style.text(f"{live.discs[0]} – {live.discs[1]}", 16, bold=True)
    moves = style.text(f"move {live.ply}", 12, theme.MUTED)
    if words.height >= px(90):
        blit_text(surface, moves, at=(words.left, words.top + px(46)))
        blit_text(surface, score, at=(words.left, words.top + px(64)))
    else:
        blit_text(surface, score, anchor="topright", at=(words.right, words.top - px(2)))
        blit_text(surface, moves, anchor="topright", at=(words.right, words.top + px(22)))
