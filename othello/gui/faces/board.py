"""A board on the screen: where it lies, what it shows, and the marks on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from functools import cached_property
from typing import Any, Final

import pygame
from pygame import Rect

from othello.frozen import Frozen
from othello.gui import ui, wording
from othello.rules.protocol import Color, Move
from othello.search.report import MoveStats, SearchReport, Unit

_LEAST_CELL: Final = 40  # smaller squares have room for a value alone, in design pixels


def draw_legal(
    surface: pygame.Surface, place: BoardPlace, rect: Rect, count: int | None, *, is_hovered: bool, is_choice: bool
) -> None:
    """A legal square, and how much a move there captures; an outline where nobody can click."""
    if not is_choice:
        wide = odd(place.cell * (0.17 if count is None else 0.5))
        outline(surface, place, rect, wide, place.style.px(1), place.style.palette.hint)
    else:
        wide = odd(place.cell * (0.3 if is_hovered else 0.17)) if count is None else round(place.cell * 0.59)
        mark = ui.circle(wide, place.style.palette.hint, 0.36 if is_hovered or count is None else 0.14)
        surface.blit(mark, mark.get_rect(center=rect.center))
    if count is not None:
        size = min(max(13, place.cell * 0.22 / place.style.scale), place.cell * 0.4 / place.style.scale)
        number = place.style.text(str(count), size, place.style.palette.hint_text, bold=True)
        ui.blit_text(surface, number, anchor="center", at=rect.center)


def draw_corner(surface: pygame.Surface, place: BoardPlace, rect: Rect, count: int) -> None:
    """How much a move captures in a corner, where a search's value lies on the square and there is room."""
    px = place.style.px
    if place.has_corners:
        label = place.style.text(f"+{count}", 12, place.style.palette.hint_text, bold=True)
        ui.blit_text(surface, label, anchor="topright", at=(rect.right - px(4), rect.top))


def draw_report(surface: pygame.Surface, place: BoardPlace, state: BoardState) -> None:
    """What a search says of every root move: its value, and what it loses against the best.

    The best value is ringed cyan and marked with a triangle, the others are ringed by what they lose, as the sign
    beside the loss says. With details, the most visited is ringed red and marked with a square; one move that is both
    gets the two rings, one in the other.
    """
    report = state.report
    assert report is not None
    best, most = report.best_value, report.most_visited if state.has_details else None
    for stats in report.moves:
        if stats.move < place.squares:  # a pass has none
            _draw_move(surface, place, state, _as_shown(state, stats), is_best=stats == best, is_most=stats == most)


def _as_shown(state: BoardState, stats: MoveStats) -> MoveStats:
    """A move with the bound in place of the mean, where bounds are wanted."""
    terms = stats.terms if state.shows_bounds and not stats.is_proven else None
    return stats if terms is None else replace(stats, value=terms.bound)


def _short_text(report: SearchReport, stats: MoveStats) -> str:
    """A value for where there is little room."""
    text = value_text(report, stats)
    if report.unit is not Unit.REWARD or stats.value is None:
        return text
    return text.replace(wording.value(stats.value, report.unit), f"{100 * stats.value:.0f}")


def value_text(report: SearchReport, stats: MoveStats) -> str:
    """A value as it stands on a square: "<" before one that is only a bound, "=" before one that is proved."""
    if stats.value is None:
        return "–"
    sign = "<" if not stats.exact else "=" if report.unit is Unit.DISCS or stats.is_proven else ""
    return sign + wording.value(stats.value, report.unit)


def outline(
    surface: pygame.Surface,
    place: BoardPlace,
    rect: Rect,
    size: int,
    width: int,
    color: ui.RGB,
    fill: ui.RGB | None = None,
) -> None:
    """A ring on a square, or a box where a ring would be a piece."""
    image = ui.ring(size, width, color, fill, 0.94) if place.is_round else ui.box(size, width, color, fill)
    surface.blit(image, image.get_rect(center=rect.center))


def _draw_rings(
    surface: pygame.Surface, place: BoardPlace, rect: Rect, size: int, is_best: bool, is_most: bool
) -> None:
    """The marks of the best value and of the most visited move, one ring in the other where both are the same."""
    style, palette = place.mark_style, place.style.palette
    x, width = rect.left + style.px(6), style.px(2 if is_best and is_most else 3)
    if is_best:
        outline(surface, place, rect, size, width, palette.best_value)
        draw_triangle(surface, style, (x, rect.top + style.px(7)), palette.best_value)
    if is_most:
        outline(surface, place, rect, size - 2 * width * is_best, width, palette.most_visited)
        draw_square(surface, style, (x, rect.bottom - style.px(6)), palette.most_visited)


def _draw_move(
    surface: pygame.Surface, place: BoardPlace, state: BoardState, stats: MoveStats, *, is_best: bool, is_most: bool
) -> None:
    """A move's value, what it loses, and with details how often it was visited, as far as there is room."""
    palette, rect, size = place.style.palette, place.square_rect(stats.move), place.plate
    loss, sign = state.losses.get(stats.move, ("", ""))
    told = palette.hint if not loss else wording.sign_color(palette, sign) if sign else palette.right
    told = ui.readable(told, place.plate_color, palette.board_text)
    is_ringed = is_best or is_most
    width = place.mark_style.px(1 if not loss or is_ringed else 2)
    outline(surface, place, rect, size, width, palette.hint if is_ringed else told, place.plate_color)
    _draw_rings(surface, place, rect, size, is_best, is_most)
    color = palette.best_value if is_best else palette.most_visited if is_most else palette.board_text
    color = ui.readable(color, place.plate_color, palette.board_text)
    lines, points = _lines(place, state, stats, color, told, is_best=is_best)
    top = rect.centery - place.cell * 0.14 * (len(lines) - 1)
    for index, image in enumerate(lines):
        at = ui.blit_text(surface, image, anchor="center", at=(rect.centerx, top + index * place.cell * 0.26))
        if index == 0 and not stats.exact:
            draw_at_most(surface, place.style, at, points, color)


def draw_at_most(surface: pygame.Surface, style: ui.Style, at: Rect, points: float, color: ui.RGB) -> None:
    """The line below "<" at the beginning of some words: the font has no sign for "at most"."""
    width = style.width("<", points, bold=True)
    surface.fill(color, (at.left + 1, at.centery + width // 2 + 1, width - 2, max(1, width // 6)))


def _lines(
    place: BoardPlace, state: BoardState, stats: MoveStats, color: ui.RGB, told: ui.RGB, *, is_best: bool
) -> tuple[list[pygame.Surface], float]:
    """What is written on a move's square, in `color` and what is lost in `told`; and the size of the first line."""
    report, (loss, sign) = state.report, state.losses.get(stats.move, ("", ""))
    assert report is not None
    style, room = place.style, place.plate - place.mark_style.px(9)
    has_lines = place.cell >= style.px(_LEAST_CELL)
    text = value_text(report, stats) if has_lines else _short_text(report, stats) + sign
    most = min(max(14, int(place.cell / style.scale * 0.17)), int(place.cell / style.scale * 0.55))
    has_loss, has_visits = loss and not is_best, state.has_details and report.most_visited is not None
    is_narrow = has_lines and has_loss and has_visits and place.is_round
    outer = round(room * 0.7) if is_narrow else room  # a ring is narrower above and below its middle
    points = style.largest(text, range(max(most, 4), 3, -1), outer, bold=True)
    lines = [style.text(text, points, color if has_lines or is_best else told, bold=True)]
    small = 10 if place.cell < style.px(60) else most - 3
    if has_lines and has_loss:
        words = f"{loss} {sign}".strip()
        lines.append(style.text(words, style.largest(words, range(small, 3, -1), room, bold=True), told, bold=True))
    if has_lines and has_visits:  # else nothing was counted
        words = wording.count(stats.visits)
        points_below = style.largest(words, range(small - 1, 3, -1), outer)
        lines.append(style.text(words, points_below, place.style.palette.coordinate))
    return lines, points


def draw_triangle(surface: pygame.Surface, style: ui.Style, at: tuple[float, float], color: ui.RGB) -> None:
    """The mark of the best value."""
    half = style.px(4)
    x, y = at
    pygame.draw.polygon(surface, color, ((x - half, y + half), (x + half, y + half), (x, y - half)))


def draw_square(surface: pygame.Surface, style: ui.Style, at: tuple[float, float], color: ui.RGB) -> None:
    """The mark of the most visited move."""
    side = style.px(7)
    surface.fill(color, (at[0] - side // 2, at[1] - side // 2, side, side))


def odd(length: float) -> int:
    """A length that has a middle pixel."""
    return int(length) // 2 * 2 + 1


def draw_choice(surface: pygame.Surface, place: BoardPlace, move: Move, color: ui.RGB, *, is_right: bool) -> None:
    """A move that somebody chose, in a ring: a triangle says right, a cross says wrong."""
    rect = place.square_rect(move)
    outline(surface, place, rect, place.plate, max(2, place.cell // 14), color, place.plate_color)
    size = max(5, round(place.cell * 0.28))
    if is_right:
        half = size / 2
        x, y = rect.center
        ui.fill_polygon(surface, color, ((x - half, y + half * 0.8), (x + half, y + half * 0.8), (x, y - half * 0.9)))
    else:
        sign = ui.cross(odd(size), max(1.5, size * 0.2), color)
        surface.blit(sign, sign.get_rect(center=rect.center))


def draw_tag(surface: pygame.Surface, place: BoardPlace, square: Move, words: str, color: ui.RGB) -> None:
    """A few words on a plate at the top of a square, or above a small one."""
    style, rect = place.style, place.square_rect(square)
    image = style.text(words, 12 if place.cell >= style.px(_LEAST_CELL) else 10, color, bold=True)
    plate = image.get_rect().inflate(style.px(8), style.px(2))
    plate.midbottom = (rect.centerx, rect.top + plate.height * (place.cell >= style.px(_LEAST_CELL)))
    plate.clamp_ip(place.board)
    ui.fill_rounded(surface, plate, style.px(4), style.palette.raised, color, style.px(1))
    ui.blit_text(surface, image, anchor="center", at=plate.center)


FLIP_SECONDS: Final = 0.25
_PIECE_SHARE: Final = 0.79  # of a square's side
_MARKED_CELL: Final = 56  # squares on which marks have their usual size, in design pixels


class BoardPlace(Frozen):
    """Where a board lies, in real pixels."""

    style: ui.Style
    board: Rect  # with its frame
    grid: Rect  # the squares
    margin: int  # of frame and coordinates, at least
    cell: int
    columns: int
    is_round: bool = True  # the marks on squares; else they are square

    @cached_property
    def mark_style(self) -> ui.Style:
        """For rings and signs on squares. They stay in proportion to the squares, whatever the size of text is."""
        return replace(self.style, scale=min(self.style.scale, self.cell / _MARKED_CELL))

    @property
    def plate(self) -> int:
        """The diameter of a search's value on a square: as a piece, or what small squares have room for."""
        return self.piece if self.cell >= self.style.px(70) else self.cell - self.mark_style.px(3)

    @property
    def has_corners(self) -> bool:
        """Whether the corners of a square have room beside a search's value."""
        return self.plate == self.piece

    @property
    def plate_color(self) -> ui.RGB:
        """What lies below words on a square."""
        return self.style.palette.frame if self.is_round else self.style.palette.plate

    @property
    def squares(self) -> int:
        """How many there are."""
        return self.grid.width // self.cell * (self.grid.height // self.cell)

    @property
    def piece(self) -> int:
        """The diameter of a piece."""
        return round(self.cell * _PIECE_SHARE)

    def square_rect(self, square: Move) -> Rect:
        row, column = divmod(square, self.columns)
        return Rect(self.grid.left + column * self.cell, self.grid.top + row * self.cell, self.cell, self.cell)

    def square_at(self, point: tuple[int, int]) -> Move | None:
        """The square at a point of the window."""
        if not self.grid.collidepoint(point):
            return None
        column, row = (point[0] - self.grid.left) // self.cell, (point[1] - self.grid.top) // self.cell
        return row * self.columns + column


class Flip(Frozen):
    """Pieces that move: that change their owner, or fall to where they lie."""

    squares: tuple[Move, ...]  # which
    source: Move  # the square of the move, from which the change spreads
    color: Color  # whose they are when it is over
    began: float  # when it began
    seconds: float = FLIP_SECONDS  # how long it takes

    @property
    def turns(self) -> bool:
        """Whether other pieces move than the one that is played."""
        return self.squares != (self.source,)

    def is_over(self, now: float) -> bool:
        return now - self.began >= self.seconds


class Typed(Frozen):
    """The part of a move that has been typed."""

    text: str  # what was typed
    advice: str  # what to type next, in words
    lit: tuple[tuple[Move, ...], ...] = ()  # groups of squares that are lit meanwhile, such as a column
    move: Move | None = None  # what it names by now, None where it names no move yet
    is_complete: bool = False  # whether it is played without Enter


class BoardState(Frozen):
    """What a board shows."""

    position: Any  # of the face's game
    # The legal moves and how many pieces each captures, empty where nobody is to choose.
    captures: Mapping[Move, int] = field(default_factory=dict)
    is_choice: bool = True  # whether a person chooses among them
    shows_counts: bool = False  # whether these numbers are drawn
    others: Mapping[Move, int] | None = None  # what the other side would capture; None: that is not drawn
    shows_legal: bool = True  # whether the legal moves are, beside the one under the mouse
    shows_coordinates: bool = True  # whether the names of columns and rows are
    report: SearchReport | None = None  # the search of this position whose values are drawn, None where none are
    # The search that chose the last move: where no values of this position are drawn, those of its other moves are.
    # by move, what it loses, and the sign of the mistake that it is, if it is one
    losses: Mapping[Move, tuple[str, str]] = field(default_factory=dict)
    has_details: bool = False  # whether the report's visits are drawn, too
    shows_bounds: bool = False  # whether the bounds that simulations choose by are drawn in place of means
    hint: Move | None = None  # the move that somebody is advised to make
    last_move: Move | None = None  # the square that is marked
    cursor: Move | None = None  # the keyboard's square
    typed: Typed | None = None  # a move that is half typed
    hover: Move | None = None  # the square under the mouse
    flip: Flip | None = None  # what is changing at this moment
    # Whether nothing more is played, whatever the position: somebody lost by a fault, or broke off.
    is_over: bool = False

    @property
    def pointed(self) -> Move | None:
        """The legal move under the mouse, or else under the cursor."""
        move = self.hover if self.hover in self.captures else self.cursor
        return move if move in self.captures else None
