"""The panels of the mode Explore: rows of moves, rows of games, and marks on the board."""

from dataclasses import dataclass
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


class Columns(NamedTuple):
    """The columns of the move table in real pixels; None: no room for the column."""

    games: int  # right edge, as of `discs` and `engine`
    bar: tuple[int, int]  # left and right edge
    discs: int | None
    engine: int
    leads: int | None  # left edge


def columns(style: ui.Style, rect: Rect, *, has_discs: bool) -> Columns:
    """Return the columns of a row; a narrow one lacks the names of openings, then the discs."""
    px = style.px
    left = rect.left + px(144)
    for leads, discs in ((72, has_discs), (0, has_discs), (0, False)):
        engine = rect.right - px(12) - px(leads)
        right = engine - px(52 if has_discs else 72) - px(48) * discs  # a percentage needs more room than discs
        if right - left >= px(90) * (2 if leads else 1):
            break
    return Columns(
        left - px(16), (left, right), right + px(48) if discs else None, engine, engine + px(12) if leads else None
    )


class ColumnHeaders(ui.Widget):
    """The column headings of the moves."""

    has_discs: bool
    sides: str  # which sides the bars stand for

    def draw(self, on: ui.PaintContext) -> None:
        at, color, y = columns(on.style, on.rect, has_discs=self.has_discs), on.style.palette.muted, on.rect.centery
        left, right = at.bar
        on.text((on.rect.left + on.style.px(8), y), tr("explore.move"), (11, 10, 9), color, room=on.style.px(62))
        on.text((at.games, y), tr("explore.games"), (11, 10, 9), color, anchor="midright", room=on.style.px(64))
        on.text((left, y), self.sides, (11, 10, 9), color, room=right - left)
        if at.discs is not None:
            on.text((at.discs, y), tr("explore.discs"), (11, 10, 9), color, anchor="midright", room=on.style.px(48))
        on.text((at.engine, y), tr("explore.engine"), (11, 10, 9), color, anchor="midright", room=on.style.px(50))


class Note(ui.Widget):
    """The note below the moves, about the columns that are shown."""

    discs: str  # empty: the game does not count discs
    engine: str

    def _words(self, style: ui.Style, rect: Rect) -> str:
        has_discs = columns(style, rect, has_discs=bool(self.discs)).discs is not None
        return joined(self.discs if has_discs else "", self.engine)

    def accessible(self, on: ui.PaintContext) -> ui.AccessibleNode | None:
        words = self._words(on.style, on.rect)
        return ui.AccessibleNode(role="label", value=words) if words else None

    def draw(self, on: ui.PaintContext) -> None:
        side, words = on.style.px(8), self._words(on.style, on.rect)
        color, room = on.style.palette.muted, on.rect.width - 2 * side
        on.text((on.rect.left + side, on.rect.centery), words, (11, 10, 9), color, room=room)


class PlayedRow(ui.Button, kw_only=True):
    """A move that was played: number of games, results, and the engine's value. The label is the move."""

    renderer: BoardRenderer
    mover: Color  # side that made it
    played: PlayedMove
    discs: str  # average result for the mover; empty: not counted
    has_discs: bool  # True if the column is shown
    value: str  # of the engine; empty: not known yet
    is_bound: bool  # True if the value is an upper bound
    color: ui.RGB  # of the value
    leads: str  # name of the opening that the move leads to; empty: none

    @property
    def _results(self) -> tuple[int, int, int]:
        """The games that Black won, that were drawn, and that White won."""
        return self.played.black, self.played.draws, self.played.white

    def accessible(self, on: ui.PaintContext) -> ui.AccessibleNode:
        rules, games, total = self.renderer.rules, self.played.games, sum(self._results)
        names = labels.side(rules, Color.BLACK), tr("results.draw"), labels.side(rules, Color.WHITE)
        details = [
            tr("explore.count", games=number(games, ",d"), n=games),
            *(f"{name} {_per_cent(count, total)}" for name, count in zip(names, self._results, strict=True)),
            *([f"{tr('explore.discs')} {self.discs}"] if self.discs else ()),
            *([f"{tr('explore.engine')} {self.value}"] if self.value else ()),
            *([tr("opening.leads", move=self.label, name=self.leads)] if self.leads else ()),
        ]
        return ui.AccessibleNode(role="list_item", name=", ".join((self.label, *details)), press=self.command)

    def draw(self, on: ui.PaintContext) -> None:
        style, px, palette, y = on.style, on.style.px, on.style.palette, on.rect.centery
        if on.is_lit or on.has_focus:
            ui.fill_rounded(on.surface, on.rect.inflate(0, -px(2)), px(6), palette.small)
        at = columns(style, on.rect, has_discs=self.has_discs)
        self.renderer.draw_token(on.surface, (on.rect.left + px(14), y), px(12), self.mover)
        on.text((on.rect.left + px(28), y), self.label, (14, 13, 12, 11), bold=True, room=px(50))
        on.text((at.games, y), number(self.played.games, ",d"), (13, 12, 11), anchor="midright", room=px(64))
        self._draw_bar(on, Rect(at.bar[0], y - px(8), at.bar[1] - at.bar[0], px(16)))
        if at.discs is not None:
            on.text((at.discs, y), self.discs, (13, 12, 11), palette.muted, anchor="midright", room=px(50))
        value = on.text((at.engine, y), self.value, (14, 13, 12, 11), self.color, anchor="midright", bold=True)
        if self.is_bound:
            draw_at_most(on.surface, style, value, 14, self.color)
        if at.leads is not None:
            color, room = palette.muted, on.rect.right - px(4) - at.leads
            on.text((at.leads, y), self.leads, (11, 10, 9), color, room=room)

    def _draw_bar(self, on: ui.PaintContext, bar: Rect) -> None:
        """Draw the shares of Black's wins, draws and White's wins, with percentages where they fit."""
        px, palette, (black, draws, white) = on.style.px, on.style.palette, self._results
        total = black + draws + white
        ends = [bar.left + bar.width * count // max(1, total) for count in (0, black, black + draws, total)]
        fills = self.renderer.colors[0], palette.muted, self.renderer.colors[1]
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
                inks = palette.text, palette.background
                ink = inks[ui.contrast(inks[0], fill) < ui.contrast(inks[1], fill)]
                on.text((x, bar.centery), words, 11, ink, anchor=anchor, bold=True)


def _per_cent(count: int, total: int) -> str:
    return percent(f"{100 * count / max(1, total):.0f}")


class PlayedRows(ui.Column):
    """The rows of all moves, one focus group."""

    is_group = True


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

    def press(self, at: ui.Point, on: ui.PaintContext) -> object | None:
        row = self.row_at(at, on)
        return None if row is None else self.picked(row, on, opens=True)

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
    is_origin: bool = False  # the square of a piece that can move, which a label does not hide

    def draw(self, surface: pygame.Surface, layout: BoardLayout) -> None:
        style, palette, rect = layout.style, layout.style.palette, layout.square_rect(self.square)
        edge, width = (palette.best_value, 2) if self.is_most else (palette.hint, 1)
        if self.is_origin:
            draw_tag(surface, layout, self.square, self.score, edge)
            return
        layout.outline(surface, rect, layout.plate, layout.mark_style.px(width), edge, layout.plate_color)
        room, points = layout.plate - layout.mark_style.px(9), layout.cell / style.scale
        ink = palette.best_value if self.is_most else palette.board_text
        color = ui.readable(ink, layout.plate_color, palette.board_text)
        for words, share, ink, y in ((self.score, 0.19, color, -0.07), (self.games, 0.145, palette.coordinate, 0.17)):
            size = style.largest(words, range(max(4, round(points * share)), 3, -1), room, bold=share == 0.19)
            image = style.text(words, size, ink, bold=share == 0.19)
            ui.blit_text(surface, image, anchor="center", at=(rect.centerx, rect.centery + layout.cell * y))
