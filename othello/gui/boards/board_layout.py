"""The state and layout of a board on screen, and the marks that are drawn on it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Final

import pygame
from pygame import Rect, Surface

from othello.frozen_dataclass import FrozenDataclass
from othello.gui import labels, ui
from othello.rules.protocol import Color, Move, Square
from othello.search.report import MoveStats, SearchReport, Unit

_MIN_LINES_CELL: Final = 40  # squares of this size, in design pixels, have room for more than a value


def draw_report(
    surface: Surface,
    layout: BoardLayout,
    state: BoardState,
    values: Mapping[Square, Sequence[MoveStats]],
    origins: Collection[Square] = (),
) -> None:
    """Draw the values of the moves of a search, and their losses against the best move.

    `values` has the moves of each square, the best first, which is drawn. On `origins` there are pieces that can move;
    a label does not hide them.

    The best value has a cyan ring and a triangle; the rings of other moves have the colour of their mistake. With
    details, the most visited move has a red ring and a square. A move that is both has two concentric rings.
    """
    report = state.report
    assert report is not None
    best, visited = report.best_value, report.most_visited if state.has_details else None
    for square, moves in values.items():
        is_best, is_most = best in moves, visited in moves
        if square in origins:
            _draw_label(surface, layout, state, square, _as_shown(state, moves[0]), is_best=is_best)
            continue
        _draw_move(surface, layout, state, square, _as_shown(state, moves[0]), is_best=is_best, is_most=is_most)


def _draw_label(
    surface: Surface, layout: BoardLayout, state: BoardState, square: Square, stats: MoveStats, *, is_best: bool
) -> None:
    """Draw the value of a piece's best move, and a ring if no other piece has a better one."""
    assert state.report is not None
    palette, (_, sign) = layout.style.palette, state.losses.get(stats.move, ("", ""))
    color = palette.best_value if is_best else labels.sign_color(palette, sign) if sign else palette.hint
    if is_best:
        layout.outline(surface, layout.square_rect(square), layout.plate, layout.mark_style.px(3), color)
    draw_tag(surface, layout, square, f"{_short_text(state.report, stats)} {sign}".strip(), color)


def _as_shown(state: BoardState, stats: MoveStats) -> MoveStats:
    """Return the statistics with the bound instead of the mean, if bounds are shown."""
    terms = stats.terms if state.shows_bounds and not stats.is_proven else None
    return stats if terms is None else replace(stats, value=terms.bound)


def _short_text(report: SearchReport, stats: MoveStats) -> str:
    """Return a shorter text of a value, for small squares."""
    text = value_text(report, stats)
    if report.unit is not Unit.REWARD or stats.value is None:
        return text
    return text.replace(labels.value(stats.value, report.unit), f"{100 * stats.value:.0f}")


def value_text(report: SearchReport, stats: MoveStats) -> str:
    """Return the text of a value on a square, with "<" before an upper bound and "=" before a proven value."""
    if stats.value is None:
        return "–"
    sign = "<" if not stats.exact else "=" if report.unit is Unit.DISCS or stats.is_proven else ""
    return sign + labels.value(stats.value, report.unit)


def _draw_rings(surface: Surface, layout: BoardLayout, rect: Rect, size: int, is_best: bool, is_most: bool) -> None:
    """Draw the marks of the best value and of the most visited move."""
    style, palette = layout.mark_style, layout.style.palette
    x, width = rect.left + style.px(6), style.px(2 if is_best and is_most else 3)
    if is_best:
        layout.outline(surface, rect, size, width, palette.best_value)
        draw_triangle(surface, style, (x, rect.top + style.px(7)), palette.best_value)
    if is_most:
        layout.outline(surface, rect, size - 2 * width * is_best, width, palette.most_visited)
        draw_square(surface, style, (x, rect.bottom - style.px(6)), palette.most_visited)


def _draw_move(
    surface: Surface,
    layout: BoardLayout,
    state: BoardState,
    square: Square,
    stats: MoveStats,
    *,
    is_best: bool,
    is_most: bool,
) -> None:
    """Draw a move's value, its loss, and with details its visits, as far as there is room."""
    palette, rect, size = layout.style.palette, layout.square_rect(square), layout.plate
    loss, sign = state.losses.get(stats.move, ("", ""))
    loss_color = palette.hint if not loss else labels.sign_color(palette, sign) if sign else palette.right
    loss_color = ui.readable(loss_color, layout.plate_color, palette.board_text)
    is_ringed = is_best or is_most
    width = layout.mark_style.px(1 if not loss or is_ringed else 2)
    layout.outline(surface, rect, size, width, palette.hint if is_ringed else loss_color, layout.plate_color)
    _draw_rings(surface, layout, rect, size, is_best, is_most)
    color = palette.best_value if is_best else palette.most_visited if is_most else palette.board_text
    color = ui.readable(color, layout.plate_color, palette.board_text)
    lines, points = _lines(layout, state, stats, color, loss_color, is_best=is_best)
    top = rect.centery - layout.cell * 0.14 * (len(lines) - 1)
    for index, image in enumerate(lines):
        at = ui.blit_text(surface, image, anchor="center", at=(rect.centerx, top + index * layout.cell * 0.26))
        if index == 0 and not stats.exact:
            draw_at_most(surface, layout.style, at, points, color)


def draw_at_most(surface: Surface, style: ui.Style, at: Rect, points: float, color: ui.RGB) -> None:
    """Draw the line that turns the "<" at the start of a text into "at most", which the font does not have."""
    width = style.width("<", points, bold=True)
    surface.fill(color, (at.left + 1, at.centery + width // 2 + 1, width - 2, max(1, width // 6)))


def _lines(
    layout: BoardLayout, state: BoardState, stats: MoveStats, color: ui.RGB, loss_color: ui.RGB, *, is_best: bool
) -> tuple[list[Surface], float]:
    """Return the lines of text on a move's square, and the font size of the first line."""
    report, (loss, sign) = state.report, state.losses.get(stats.move, ("", ""))
    assert report is not None
    style, room = layout.style, layout.plate - layout.mark_style.px(9)
    has_lines = layout.cell >= style.px(_MIN_LINES_CELL)
    text = value_text(report, stats) if has_lines else _short_text(report, stats) + sign
    max_points = min(max(14, int(layout.cell / style.scale * 0.17)), int(layout.cell / style.scale * 0.55))
    has_loss, has_visits = loss and not is_best, state.has_details and report.most_visited is not None
    is_narrow = has_lines and has_loss and has_visits and layout.is_round
    outer = round(room * 0.7) if is_narrow else room  # a ring is narrower above and below its middle
    points = style.largest(text, range(max_points, 3, -1), outer, bold=True)
    lines = [style.text(text, points, color if has_lines or is_best else loss_color, bold=True)]
    small = 10 if layout.cell < style.px(60) else max_points - 3
    if not has_lines:
        return lines, points
    if has_loss:
        lines.append(style.fitted(f"{loss} {sign}".strip(), small, room, loss_color, bold=True))
    if has_visits:  # otherwise, the search counts no visits
        lines.append(style.fitted(labels.count(stats.visits), small - 1, outer, style.palette.coordinate))
    return lines, points


def draw_triangle(surface: Surface, style: ui.Style, at: tuple[float, float], color: ui.RGB) -> None:
    """Draw the mark of the best value."""
    half = style.px(4)
    x, y = at
    pygame.draw.polygon(surface, color, ((x - half, y + half), (x + half, y + half), (x, y - half)))


def draw_square(surface: Surface, style: ui.Style, at: tuple[float, float], color: ui.RGB) -> None:
    """Draw the mark of the most visited move."""
    side = style.px(7)
    surface.fill(color, (at[0] - side // 2, at[1] - side // 2, side, side))


def odd(length: float) -> int:
    """Round a length to an odd number of pixels, which has a middle pixel."""
    return int(length) // 2 * 2 + 1


def draw_path(surface: Surface, layout: BoardLayout, squares: Sequence[Square], color: ui.RGB) -> None:
    """Draw a line from the square that a piece leaves to the one that it enters; nothing for a placed piece."""
    for start, end in pairwise(layout.square_rect(square).center for square in squares):
        ui.draw_line(surface, color, start, end, max(2, layout.cell // 14))


def draw_choice(
    surface: Surface, layout: BoardLayout, squares: Sequence[Square], color: ui.RGB, *, is_right: bool
) -> None:
    """Mark the squares of a chosen move with a ring, and a triangle if it is right or a cross if it is wrong."""
    draw_path(surface, layout, squares, color)
    rect = layout.square_rect(squares[-1])
    layout.outline(surface, rect, layout.plate, max(2, layout.cell // 14), color, layout.plate_color)
    size = max(5, round(layout.cell * 0.28))
    if is_right:
        half = size / 2
        x, y = rect.center
        ui.fill_polygon(surface, color, ((x - half, y + half * 0.8), (x + half, y + half * 0.8), (x, y - half * 0.9)))
    else:
        sign = ui.cross(odd(size), max(1.5, size * 0.2), color)
        surface.blit(sign, sign.get_rect(center=rect.center))


def draw_tag(surface: Surface, layout: BoardLayout, square: int, words: str, color: ui.RGB) -> None:
    """Draw a label at the top of a square, or above it if the square is small."""
    style, rect = layout.style, layout.square_rect(square)
    image = style.text(words, 12 if layout.cell >= style.px(_MIN_LINES_CELL) else 10, color, bold=True)
    plate = image.get_rect().inflate(style.px(8), style.px(2))
    plate.midbottom = (rect.centerx, rect.top + plate.height * (layout.cell >= style.px(_MIN_LINES_CELL)))
    plate.clamp_ip(layout.board)
    ui.fill_rounded(surface, plate, style.px(4), style.palette.raised, color, style.px(1))
    ui.blit_text(surface, image, anchor="center", at=plate.center)


FLIP_SECONDS: Final = 0.25
_PIECE_SHARE: Final = 0.79  # of a square's side
_MARKED_CELL: Final = 56  # size of squares, in design pixels, from which marks have their normal size


class BoardLayout(FrozenDataclass):
    """The layout of a board, in real pixels."""

    style: ui.Style
    board: Rect  # with the frame
    grid: Rect  # the squares
    margin: int  # minimum width of the frame with its coordinates
    cell: int
    columns: int
    is_round: bool  # marks on squares are rings, not boxes

    @cached_property
    def mark_style(self) -> ui.Style:
        """The style of marks on squares, which are in proportion to the squares for all text sizes."""
        return replace(self.style, scale=min(self.style.scale, self.cell / _MARKED_CELL))

    @property
    def plate(self) -> int:
        """The diameter of a search value on a square."""
        return self.piece if self.cell >= self.style.px(70) else self.cell - self.mark_style.px(3)

    @property
    def has_corners(self) -> bool:
        """True if the corners of a square have room beside a search value."""
        return self.plate == self.piece

    @property
    def plate_color(self) -> ui.RGB:
        """The colour behind text on a square."""
        return self.style.palette.frame if self.is_round else self.style.palette.plate

    @property
    def piece(self) -> int:
        """The diameter of a piece."""
        return round(self.cell * _PIECE_SHARE)

    def square_rect(self, square: int) -> Rect:
        row, column = divmod(square, self.columns)
        return Rect(self.grid.left + column * self.cell, self.grid.top + row * self.cell, self.cell, self.cell)

    def square_at(self, point: tuple[int, int]) -> Square | None:
        """Return the square at a point of the window."""
        if not self.grid.collidepoint(point):
            return None
        column, row = (point[0] - self.grid.left) // self.cell, (point[1] - self.grid.top) // self.cell
        return Square(row * self.columns + column)

    def outline(
        self, surface: Surface, rect: Rect, size: int, width: int, color: ui.RGB, fill: ui.RGB | None = None
    ) -> None:
        """Draw a ring on a square, or a box for games whose pieces are rings."""
        image = ui.ring(size, width, color, fill, 0.94) if self.is_round else ui.box(size, width, color, fill)
        surface.blit(image, image.get_rect(center=rect.center))


class FlipAnimation(FrozenDataclass):
    """An animation of pieces that change their owner or fall onto their square."""

    squares: tuple[Square, ...]  # squares of the pieces
    path: tuple[Square, ...]  # squares of the move; the animation spreads from the last one
    color: Color  # owner of the pieces at the end
    began: float  # start time in seconds
    seconds: float = FLIP_SECONDS

    @property
    def turns(self) -> bool:
        """True if pieces move other than the played one."""
        return not set(self.squares) <= set(self.path)

    def share(self, now: float) -> float:
        """Return how much of the time is over, from 0 to 1."""
        return min(1.0, (now - self.began) / self.seconds)

    def is_over(self, now: float) -> bool:
        return now - self.began >= self.seconds


class TypedMove(FrozenDataclass):
    """A partly typed square of a move."""

    text: str  # the typed characters
    advice: str  # a sentence that says what to type next
    lit: tuple[tuple[int, ...], ...] = ()  # groups of squares to highlight, such as a column
    square: Square | None = None  # the square that the text names; None: no square yet
    is_complete: bool = False  # the square is chosen without Enter


class BoardState(FrozenDataclass):
    """The content of a board on screen."""

    position: Any  # of the renderer's game
    captures: Mapping[Move, int] = field(default_factory=dict)  # legal moves and the number of pieces each captures
    is_choice: bool = True  # the user can choose one of the legal moves
    shows_counts: bool = False  # draw the numbers of captured pieces
    others: Mapping[Move, int] | None = None  # captures of the other side; None: do not draw them
    shows_legal: bool = True  # mark all legal moves, not only the one under the mouse
    shows_coordinates: bool = True
    report: SearchReport | None = None  # search of this position whose values are drawn
    losses: Mapping[Move, tuple[str, str]] = field(default_factory=dict)  # loss of each move, sign of its mistake or ""
    has_details: bool = False  # draw the visits of the report, too
    shows_bounds: bool = False  # draw the bounds that choose simulations instead of the means
    hint: Move | None = None
    last_move: Move | None = None  # marked with dots
    picked: tuple[Square, ...] = ()  # squares of a move that were chosen already, such as that of the piece
    cursor: Square | None = None  # square selected with the keyboard
    typed: TypedMove | None = None
    hover: Square | None = None  # square under the mouse
    flip: FlipAnimation | None = None  # current animation
    is_over: bool = False  # the game has ended, even if the position has legal moves
    pieces: tuple[Color | None, ...] = ()  # on an empty board, because they need not be a position of the game
