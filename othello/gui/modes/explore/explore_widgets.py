"""The panels of the mode Explore: rows of moves, rows of games, and marks on the board."""

from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

import pygame
from pygame import Rect

from othello.gui import labels, ui
from othello.gui.boards.board_layout import BoardLayout, draw_at_most, draw_tag
from othello.gui.boards.renderer import BoardRenderer
from othello.rules.protocol import Color, Square
from othello.store.database import PlayedMove
from othello.texts import joined, number, percent, tr

ROW: Final = 32
PLAYED: Final = "played_"  # prefix of the names of move rows; the row's number follows


class ColumnHeaders(ui.Widget):
    """The column headings of the moves."""

    has_discs: bool
    sides: tuple[str, str]  # whose results the bars show

    def draw(self, on: ui.PaintContext) -> None:
        for column, place in _places(on, has_discs=self.has_discs).items():
            words = column.heading(*self.sides)
            column.draw_text(on._replace(rect=place), words, (11, 10, 9), is_heading=True)


class Note(ui.Widget):
    """The note below the moves, about the columns that are shown."""

    discs: str  # empty: the game does not count discs
    engine: str

    def _words(self, on: ui.PaintContext) -> str:
        names = {column.name for column in _places(on, has_discs=bool(self.discs))}
        return joined(self.discs if "discs" in names else "", self.engine)

    def accessible(self, on: ui.PaintContext) -> ui.AccessibleNode | None:
        words = self._words(on)
        return ui.AccessibleNode(role="label", value=words) if words else None

    def draw(self, on: ui.PaintContext) -> None:
        side, color = on.style.px(8), on.style.palette.muted
        room = on.rect.width - 2 * side
        on.text((on.rect.left + side, on.rect.centery), self._words(on), (11, 10, 9), color, room=room)


class PlayedRow(ui.Button, kw_only=True):
    """A move that was played: number of games, results, and the engine's value. The label is the move."""

    renderer: BoardRenderer
    mover: Color  # side that made it
    played: PlayedMove
    discs: str  # average result for the mover; empty: not counted
    has_discs: bool  # True if the game counts discs
    value: str  # of the engine; empty: not known yet
    is_bound: bool  # True if the value is an upper bound
    color: ui.RGB  # colour of the value
    leads: str  # name of the opening that the move leads to; empty: none

    @property
    def results(self) -> tuple[int, int, int]:
        """The games that Black won, that were drawn, and that White won."""
        return self.played.black, self.played.draws, self.played.white

    def accessible(self, on: ui.PaintContext) -> ui.AccessibleNode:
        cells = ((column, column.cell(self)) for column in _columns(has_discs=self.has_discs))
        spoken = [
            column.spoken(self) if column.spoken else f"{column.heading()} {cell}" for column, cell in cells if cell
        ]
        return ui.AccessibleNode(role="list_item", name=", ".join(spoken), press=self.command)

    def draw(self, on: ui.PaintContext) -> None:
        if on.is_lit or on.has_focus:
            ui.fill_rounded(on.surface, on.rect.inflate(0, -on.style.px(2)), on.style.px(6), on.style.palette.raised)
        for column, place in _places(on, has_discs=self.has_discs).items():
            if column.draw is None:
                column.draw_text(on._replace(rect=place), column.cell(self), (13, 12, 11), is_heading=False)
            else:
                column.draw(on._replace(rect=place), self)


def _draw_move(on: ui.PaintContext, row: PlayedRow) -> None:
    px, (left, y) = on.style.px, on.rect.midleft
    row.renderer.draw_token(on.surface, (left + px(6), y), px(12), row.mover)
    on.text((left + px(20), y), row.label, (14, 13, 12, 11), bold=True, room=px(50))


def _draw_results(on: ui.PaintContext, row: PlayedRow) -> None:
    """Draw a bar with the shares of Black's wins, draws and White's wins, with percentages where they fit."""
    px, palette, (black, draws, white) = on.style.px, on.style.palette, row.results
    bar, total = on.rect.inflate(0, px(16) - on.rect.height), black + draws + white
    ends = [bar.left + bar.width * count // max(1, total) for count in (0, black, black + draws, total)]
    fills = row.renderer.colors[0], palette.muted, row.renderer.colors[1]
    for left, right, fill in zip(ends, ends[1:], fills, strict=False):
        if right > left:
            on.surface.fill(fill, (left, bar.top, right - left, bar.height))
    ui.fill_rounded(on.surface, bar, 0, None, palette.line, 1)
    for count, x, anchor, room, fill in (
        (black, bar.left + px(6), "midleft", ends[1] - ends[0], fills[0]),
        (white, bar.right - px(6), "midright", ends[3] - ends[2], fills[2]),
    ):
        words = _per_cent(count, total)
        if on.style.width(words, 11, bold=True) + px(10) <= room:
            ink = max(palette.text, palette.background, key=partial(ui.contrast, fill))
            on.text((x, bar.centery), words, 11, ink, anchor=anchor, bold=True)


def _draw_value(on: ui.PaintContext, row: PlayedRow) -> None:
    value = on.text(on.rect.midright, row.value, 14, row.color, anchor="midright", bold=True)
    if row.is_bound:
        draw_at_most(on.surface, on.style, value, 14, row.color)


def _draw_opening(on: ui.PaintContext, row: PlayedRow) -> None:
    on.text(on.rect.midleft, row.leads, (11, 10, 9), on.style.palette.muted, room=on.rect.width + on.style.px(8))


def _count(row: PlayedRow) -> str:
    return tr("explore.count", games=number(row.played.games, ",d"), n=row.played.games)


def _shares(row: PlayedRow) -> str:
    rules, total = row.renderer.rules, sum(row.results)
    names = labels.side(rules, Color.BLACK), tr("results.draw"), labels.side(rules, Color.WHITE)
    return ", ".join(f"{name} {_per_cent(count, total)}" for name, count in zip(names, row.results, strict=True))


def _leads(row: PlayedRow) -> str:
    return tr("opening.leads", move=row.label, name=row.leads)


_COLUMNS: Final = (
    ui.TableColumn("move", 52, 52, lambda row: row.label, _draw_move, lambda row: row.label, is_left=True),
    ui.TableColumn("games", 60, 60, lambda row: number(row.played.games, ",d"), spoken=_count),
    ui.TableColumn("results", 120, 120, _shares, _draw_results, _shares, is_left=True, grows=True),
    ui.TableColumn("discs", 36, 36, lambda row: row.discs, rank=2, needs_points=True, is_muted=True),
    ui.TableColumn("engine", 42, 62, lambda row: row.value, _draw_value),  # a percentage needs more room than discs
    ui.TableColumn("leads", 60, 60, lambda row: row.leads, _draw_opening, _leads, rank=1, is_left=True),
)


def _columns(*, has_discs: bool) -> list[ui.TableColumn]:
    return [column for column in _COLUMNS if has_discs or not column.needs_points]


def _places(on: ui.PaintContext, *, has_discs: bool) -> dict[ui.TableColumn, Rect]:
    """Return the places of the columns of a row that fit; a game without discs has wide ones."""
    px, columns = on.style.px, _columns(has_discs=has_discs)
    line = Rect(on.rect.left + px(8), on.rect.top, on.rect.width - px(20), on.rect.height)
    widths = [px(column.narrow if has_discs else column.wide) for column in columns]
    return {columns[index]: place for index, place in ui.column_places(columns, widths, line, px(12)).items()}


def _per_cent(count: int, total: int) -> str:
    return percent(f"{100 * count / max(1, total):.0f}")


class GameCells(NamedTuple):
    """The texts of a game's row."""

    number: int  # id of the game in the store
    year: str
    black: str
    white: str
    winner: Color | None
    score: str
    move: str  # played in the position
    event: str


class CompareGame(ui.Input):
    """Shows how a stored game continues from the shown position, as a variation."""

    number: int


class GameRows(ui.ListView):
    """The list of games. A click or Enter opens a game, a right click or Shift+Enter shows it as a variation."""

    renderer: BoardRenderer | None = None
    pitch = 29
    opens_by_click = True

    def press_right(self, at: ui.Point, on: ui.PaintContext) -> object | None:
        row = self.row_at(at, on)
        return None if row is None else self._compared(row)

    def key(self, key: ui.Key, on: ui.PaintContext) -> object | None:
        if key.name == "Shift+Enter" and self.items:
            return self._compared(max(0, self.pick.row))
        return super().key(key, on)

    def _compared(self, row: int) -> CompareGame | None:
        cells = self.items[row].data
        return None if cells is None else CompareGame(cells.number)

    def draw_item(self, on: ui.PaintContext, item: ui.ListItem, color: ui.RGB | None) -> None:
        assert self.renderer is not None
        if item.data is None:
            super().draw_item(on, item, color)
            return
        px, rect, cells = on.style.px, on.rect, item.data
        quiet, y, has_event = color or on.style.palette.muted, rect.centery, rect.width >= px(470)
        on.text((rect.left + px(10), y), cells.year, (12, 11, 10), quiet, room=px(36))
        event = px(120) if has_event else 0
        if has_event:
            on.text((rect.right - px(8), y), cells.event, (11, 10, 9), quiet, anchor="midright", room=event - px(8))
        right = rect.right - px(8) - event
        on.text((right, y), cells.move, 12, quiet, anchor="midright", room=px(28))
        on.text((right - px(34), y), cells.score, 12, anchor="midright", bold=True, room=px(54))
        left, wide = rect.left + px(50), right - px(98) - rect.left - px(50)
        for side, name, x in ((Color.BLACK, cells.black, left), (Color.WHITE, cells.white, left + wide // 2)):
            self.renderer.draw_token(on.surface, (x + px(6), y), px(10), side)
            on.text((x + px(16), y), name, (12, 11), bold=cells.winner is side, room=wide // 2 - px(22))


@dataclass(frozen=True)
class PlayedMark:
    """A mark on a square: the mover's score and the number of games of a move."""

    square: Square
    score: str
    games: str
    is_most: bool  # True for the most frequent move
    is_origin: bool  # the square of a piece that can move, which a label does not hide

    def draw(self, surface: pygame.Surface, layout: BoardLayout) -> None:
        style, palette, rect = layout.style, layout.style.palette, layout.square_rect(self.square)
        edge, width = (palette.best_value, 2) if self.is_most else (palette.hint, 1)
        if self.is_origin:
            draw_tag(surface, layout, self.square, self.score, edge)
            return
        layout.outline(surface, rect, layout.plate, layout.mark_style.px(width), edge, layout.plate_color)
        room, points = layout.plate - layout.mark_style.px(9), layout.cell / style.scale
        color = palette.best_value if self.is_most else palette.board_text
        for words, share, ink, y in ((self.score, 0.19, color, -0.07), (self.games, 0.145, palette.coordinate, 0.17)):
            readable = ui.readable(ink, layout.plate_color, palette.board_text)
            image = style.fitted(words, round(points * share), room, readable, bold=share == 0.19)
            ui.blit_text(surface, image, anchor="center", at=(rect.centerx, rect.centery + layout.cell * y))
