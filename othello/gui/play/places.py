"""Where board, words and column lie in the window of a game: beside or below each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from othello.gui.toolkit.layout import Column, Container, Flow, Page, Placing, Row
from othello.gui.toolkit.panel import Panel
from othello.gui.toolkit.style import Box, Size, Style

_LEAST_STATUS: Final = 170  # what a line of words needs beside buttons
_LEAST_BOARD: Final = 0.45  # of the window's width and of what is left of its height
_LEAST_GROUND: Final = 300  # how wide a board is that has room for words over it
_LEAST_RESULT: Final = 254  # how high a column is that has room for the result

_LOW: Final = 720  # windows below this height, in real pixels, have narrower edges


@dataclass(frozen=True)
class TablePlaces(Container):
    """Board, line of words, buttons and column.

    Attributes:
        board: the board.
        status: the line of words below the board.
        switches: buttons below the board; they begin the column where there is no room for them.
        column: what is beside the board; scrolled where the window is too low.
        over: what lies over the board, None where nothing does.
        beside: what lies over the column, None where nothing does.
    """

    board: Panel
    status: Panel
    switches: tuple[Panel, ...]
    column: Panel
    over: Panel | None = None
    beside: Panel | None = None

    is_group = True

    def parts(self, style: Style, box: Box, kept: Mapping[str, Any]) -> Iterator[tuple[Panel, Box]]:
        is_low = box.bottom * style.scale < _LOW
        row = Row(self.switches)
        wide = row.size(style, box.width).width if self.switches else 0.0
        board, column = _halves(box, is_low=is_low, is_cramped=False)
        is_cramped = bool(self.switches) and board.width - wide < _LEAST_STATUS
        if is_cramped:
            board, column = _halves(box, is_low=is_low, is_cramped=True)
            margin = min(24.0, box.width / 40)
            status = Box(box.x + margin, box.bottom - 44, box.width - 2 * margin, 40)
        else:
            y = board.bottom + (8 if is_low else 20)
            status = Box(board.x, y - 4, board.width - (wide + 16 if self.switches else 0), 40)
        yield self._page(is_cramped=is_cramped), column
        yield self.board, board
        yield self.status, status
        if self.switches and not is_cramped:
            yield row, Box(board.right - wide, status.y + 4, wide, 32)
        if self.beside is not None:
            has_room = column.height >= _LEAST_RESULT and self.column.size(style, column.width).height <= column.height
            yield Placing(self.beside, 0.5, 0.0 if has_room else 0.3), column
        if self.over is not None:
            yield Placing(self.over), board if board.width >= _LEAST_GROUND else box

    def _page(self, *, is_cramped: bool) -> Panel:
        child = Column((Flow(self.switches), _Growing(self.column, grow=1))) if is_cramped else self.column
        return Page(child, name="column")


@dataclass(frozen=True)
class _Growing(Container):
    """A panel that takes the room that is left over."""

    child: Panel

    def measure(self, style: Style, width: float) -> Size:
        return self.child.size(style, width)

    def parts(self, style: Style, box: Box, kept: Mapping[str, Any]) -> Iterator[tuple[Panel, Box]]:
        yield self.child, box


def _halves(room: Box, *, is_low: bool, is_cramped: bool) -> tuple[Box, Box]:
    """The board, and what is seen of the column: beside it, below it where the window is high."""
    edge = 8.0 if is_low else 16.0
    top, below = room.y + edge, 48.0 if is_low else 72.0  # for a line of words and buttons
    bottom, margin = room.bottom - below, min(24.0, room.width / 40)
    inner = room.width - 2 * margin
    if room.bottom > room.width:
        most = bottom - top - 24 - 380
        side = min(inner, max(most, _LEAST_BOARD * min(inner, bottom - top)))
        board = Box((room.width - side) / 2, top, side, side)
        y = board.bottom + (8 if is_cramped else below)
        return board, Box(margin, y, inner, room.bottom - (below if is_cramped else 20) - y)
    wanted = max(min(inner - margin - (bottom - top), 600.0), 360.0)
    side = min(bottom - top, max(inner - margin - wanted, _LEAST_BOARD * inner))
    rest = min(inner - margin - side, max(600.0, wanted))
    board = Box(margin + max(0.0, inner - margin - rest - side) / 2, top, side, side)
    end = bottom if is_cramped else room.bottom - (8 if is_low else 20)
    return board, Box(board.right + margin, top, rest, end - top)
