"""A tournament: standings, time used, games under way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import pygame

from othello.gui import theme
from othello.gui.faces.board import BoardState
from othello.gui.faces.face import Face
from othello.gui.hall_layout import LiveBoard, TournamentLayout
from othello.gui.theme import RGB, Style, blit_text
from othello.gui.toolkit.shapes import draw_scroll_bar, fill_rounded
from othello.rules.protocol import Color
from othello.texts import say

# Name, width of the column in design pixels where there is little room and where there is much; the players have what
# is left. All columns but the first two end at the right.
_COLUMNS: Final[tuple[tuple[str, int, int], ...]] = (
    ("place", 22, 36),
    ("player", 0, 0),
    ("points", 54, 68),
    ("wins", 38, 52),
    ("draws", 34, 44),
    ("losses", 38, 48),
    ("balance", 54, 76),
    ("elo", 88, 96),
    ("seconds", 58, 84),
)
_DISPENSABLE: Final = ("balance", "seconds", "draws", "losses", "wins", "place", "elo")
"""The columns that are left out first where there is little room."""


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
    board: BoardState
    note: str  # how far it is
    score: str


@dataclass(frozen=True, slots=True)
class TournamentState:
    """What the panels show.

    Attributes:
        rows: of the table, best first.
        has_balance: whether they say how much more a player had than its opponents.
        first_row: how far the table and the bars are scrolled.
        progress: how far the tournament is.
        share: the same, 0 .. 1.
        colors: what black and white scored.
        title: what the boards show.
        live: one game a board.
        waiting: said where there is no game yet.
    """

    rows: tuple[Row, ...]
    has_balance: bool
    first_row: int
    progress: str
    share: float
    colors: str
    title: str
    live: tuple[LiveState | None, ...]
    waiting: str


def draw(surface: pygame.Surface, layout: TournamentLayout, face: Face, state: TournamentState) -> None:
    """Draw the panels; buttons come on top."""
    surface.set_clip(layout.viewport)
    _draw_standings(surface, layout, state)
    _draw_times(surface, layout, state)
    _draw_games(surface, layout, face, state)
    surface.set_clip(None)
    px, seen = layout.style.px, layout.viewport
    view = pygame.Rect(seen.left, seen.top, seen.width - px(8), seen.height)
    draw_scroll_bar(surface, theme.LINE, view, seen.top - layout.standings.top, layout.longest, px(6))


def _draw_games(surface: pygame.Surface, layout: TournamentLayout, face: Face, state: TournamentState) -> None:
    style, px = layout.style, layout.style.px
    fill_rounded(surface, layout.live, px(10), theme.PANEL)
    title = style.text(state.title, 16, bold=True)
    blit_text(surface, title, at=(layout.live.left + px(20), layout.live.top + px(14)))
    for place, live in zip(layout.boards, state.live, strict=True):
        if live is not None:
            _draw_live(surface, style, face, place, live)
    if not any(state.live):
        waiting = style.text(state.waiting, 13, theme.MUTED)
        blit_text(surface, waiting, at=(layout.live.left + px(20), layout.live.top + px(52)))


def _draw_standings(surface: pygame.Surface, layout: TournamentLayout, state: TournamentState) -> None:
    style, px, panel = layout.style, layout.style.px, layout.standings
    fill_rounded(surface, panel, px(10), theme.PANEL)
    title = blit_text(
        surface, style.text(say("hall.standings"), 16, bold=True), at=(panel.left + px(20), panel.top + px(12))
    )
    room = layout.table.right - title.right - px(16)
    progress = style.text(style.fit(state.progress, 12, room), 12, theme.MUTED)
    blit_text(surface, progress, anchor="midright", at=(layout.table.right, title.centery))
    bar = pygame.Rect(layout.table.left, panel.top + px(44), layout.table.width, px(6))
    fill_rounded(surface, bar, px(3), theme.LINE)
    done = round(bar.width * state.share)
    if done >= bar.height:
        fill_rounded(surface, pygame.Rect(bar.left, bar.top, done, bar.height), px(3), theme.ACCENT)
    _draw_table(surface, layout, state)
    colors = style.text(style.fit(state.colors, 13, layout.colors.width), 13, theme.MUTED)
    blit_text(surface, colors, anchor="midleft", at=layout.colors.midleft)


def _draw_table(surface: pygame.Surface, layout: TournamentLayout, state: TournamentState) -> None:
    style, rect, rows = layout.style, layout.table, state.rows
    px = style.px
    known = tuple(column for column in _COLUMNS if column[0] != "balance" or state.has_balance)
    columns = _columns(style, rect.width, known, rows)
    header = tuple(say(f"columns.{name}") for name, _, _ in known)
    _draw_cells(surface, style, rect.left, rect.top + px(12), columns, header, is_header=True)
    top = layout.table_rows.top
    pitch, shown = layout.rows(layout.table_rows, len(rows), 44)
    for index, row in enumerate(rows[state.first_row : state.first_row + shown]):
        line = pygame.Rect(rect.left - px(10), top + index * pitch, rect.width + 2 * px(10), pitch)
        if index % 2 == 0:
            fill_rounded(surface, line, px(8), theme.RAISED)
        _draw_cells(surface, style, rect.left, line.centery, columns, row.cells)
    if shown < len(rows):
        some = say("hall.some", first=state.first_row + 1, last=state.first_row + shown, n=len(rows))
        more = style.text(style.fit(some, 12, rect.width), 12, theme.MUTED)
        blit_text(surface, more, anchor="midleft", at=(rect.left, top + shown * pitch + pitch // 2))


def _columns(style: Style, room: int, known: tuple[tuple[str, int, int], ...], rows: tuple[Row, ...]) -> dict[int, int]:
    """Which of the columns there is room for, and how wide they are; the players have what is left."""
    is_wide = room >= style.px(640)
    widths: dict[int, int] = {}
    for index, (name, narrow, wide) in enumerate(known):
        words = style.width(say(f"columns.{name}"), 12, bold=True)
        cells = [style.width(row.cells[index], 14, bold=index in (1, 2)) for row in rows]
        widths[index] = max(style.px(wide if is_wide else narrow), max((words, *cells)) + style.px(8))
    names = [name for name, _, _ in known]
    for index in (names.index(name) for name in _DISPENSABLE if name in names):
        if sum(widths.values()) > room:
            del widths[index]
    widths[1] = max(widths[1], room - sum(width for index, width in widths.items() if index != 1))
    return widths


def _draw_cells(
    surface: pygame.Surface,
    style: Style,
    left: int,
    y: int,
    columns: dict[int, int],
    cells: tuple[str, ...],
    *,
    is_header: bool = False,
) -> None:
    for column, width in columns.items():
        cell = cells[column]
        is_bold = is_header or column in (1, 2)
        size = 12 if is_header else 14
        color: RGB = theme.MUTED if is_header or column == 0 else theme.TEXT
        image = style.text(style.fit(cell, size, width - style.px(6), bold=is_bold), size, color, bold=is_bold)
        if column < 2:
            blit_text(surface, image, anchor="midleft", at=(left, y))
        else:
            blit_text(surface, image, anchor="midright", at=(left + width, y))
        left += width


def _draw_times(surface: pygame.Surface, layout: TournamentLayout, state: TournamentState) -> None:
    """Bars of what players use a game; the longest has another colour and reaches furthest."""
    style, px, panel, rows = layout.style, layout.style.px, layout.times, state.rows
    fill_rounded(surface, panel, px(10), theme.PANEL)
    title = style.text(say("hall.times"), 14, bold=True)
    blit_text(surface, title, at=(panel.left + px(20), panel.top + px(12)))
    pitch, shown = layout.rows(layout.time_rows, len(rows), 48)
    left, room = panel.left + px(174), panel.width - px(174) - px(90)
    longest = max((row.seconds for row in rows), default=0.0)
    for index, row in enumerate(rows[state.first_row : state.first_row + shown]):
        y = layout.time_rows.top + index * pitch + pitch // 2
        name = style.text(style.fit(row.name, 13, px(140)), 13, theme.MUTED)
        blit_text(surface, name, anchor="midleft", at=(panel.left + px(20), y))
        length = round(room * row.seconds / longest) if longest > 0 else 0
        if length:
            height = min(px(22), pitch - px(6))
            bar = pygame.Rect(left, y - height // 2, max(px(4), length), height)
            color = theme.LAST_MOVE if row.seconds == longest else theme.ACCENT
            fill_rounded(surface, bar, px(5), color)
        seconds = style.text(row.cells[-1], 13, theme.TEXT if row.seconds else theme.MUTED)
        blit_text(surface, seconds, anchor="midleft", at=(left + length + px(10 if length else 0), y))


def _draw_live(surface: pygame.Surface, style: Style, face: Face, place: LiveBoard, live: LiveState) -> None:
    px, words = style.px, place.words
    face.draw(surface, place.place, live.board, 0.0)
    note = style.text(style.fit(live.note, 12, words.width), 12, theme.MUTED)
    score = style.text(live.score, 16, bold=True)
    is_beside = words.height >= px(90)
    room = words.width if is_beside else words.width - score.get_width() - px(8)
    for index, (color, name) in enumerate(((Color.BLACK, live.black), (Color.WHITE, live.white))):
        y = words.top + px(10) + index * px(20)
        face.draw_token(surface, (words.left + px(7), y), px(14), color)
        label = style.text(style.fit(name, 13, room - px(20), bold=True), 13, bold=True)
        blit_text(surface, label, anchor="midleft", at=(words.left + px(20), y))
    if is_beside:
        blit_text(surface, note, at=(words.left, words.top + px(46)))
        blit_text(surface, score, at=(words.left, words.top + px(64)))
    else:
        blit_text(surface, note, at=(words.left, words.top + px(40)))
        blit_text(surface, score, anchor="midright", at=(words.right, words.top + px(20)))
