"""The widget of the board, the status line, and the layout of the game screen."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Protocol, TypeAlias

import pygame
from pygame import Rect

from othello.gui import commands as gui, ui
from othello.gui.boards.board_layout import BoardLayout, BoardState
from othello.gui.boards.renderer import BoardRenderer
from othello.rules.protocol import Square
from othello.texts import tr

_MIN_STATUS: Final = 170  # minimum width of the status line beside buttons
_MIN_BOARD: Final = 0.45  # minimum share of the board in the window's width and remaining height
_MIN_GROUND: Final = 300  # minimum width of a board with text over it
_MIN_RESULT: Final = 254  # minimum height of a side panel with the result over it

_LOW: Final = 720  # windows below this height, in real pixels, have narrower edges
_EDGE: Final = 16.0  # height of the caption above the board


# The buttons below the side panel, and the names of those that are always visible.
Footer: TypeAlias = tuple[Sequence[ui.Widget], Sequence[str]]


class BoardMark(Protocol):
    """A mark that a mode draws on the board: a value that is equal as long as the mark looks the same."""

    def draw(self, surface: pygame.Surface, layout: BoardLayout) -> None:
        """Draw the mark over the board."""
        ...


class GameScreenLayout(ui.Container):
    """The layout of board, status line, buttons and side panel."""

    board: ui.Widget
    caption: ui.Widget  # text above the board
    status: ui.Widget  # the line below the board
    switches: tuple[ui.Widget, ...]  # buttons below the board, or in the side panel if they have no room
    column: ui.Widget  # the side panel, which scrolls if the window is too low
    over: ui.Widget | None = None  # the notice over the board
    beside: tuple[ui.Widget, ...] = ()  # the notice over the side panel, and a version with fewer words
    footer: Footer = ((), ())  # buttons below the side panel

    is_group = True

    def layout_children(self, style: ui.Style, box: ui.Box, state: Mapping[str, Any]) -> ui.Parts:
        is_low = box.bottom * style.scale < _LOW
        row = ui.Row(self.switches)
        wide = row.size(style, box.width).width if self.switches else 0.0
        board, column = _halves(box, is_low=is_low, is_cramped=False)
        is_cramped = board.width - wide < _MIN_STATUS or board.width < _MIN_GROUND
        if is_cramped:
            board, column = _halves(box, is_low=is_low, is_cramped=True)
            status = ui.Box(column.x, box.bottom - 44, column.width, 40)
        else:
            y = board.bottom + (8 if is_low else 20)
            status = ui.Box(board.x, y - 4, board.width - (wide + 16 if self.switches else 0), 40)
        below = ui.Column((self.column, ui.Flow(self.switches)))
        yield self._page(below if is_cramped else self.column, 12 if is_low else 20), column
        yield self.board, board
        yield self.caption, ui.Box(board.x, board.y - _EDGE, board.width, _EDGE)
        yield self.status, status
        if self.switches and not is_cramped:
            yield row, ui.Box(board.right - wide, status.y + 4, wide, 32)
        if self.beside:
            yield self._notice(style, box, column)
        if self.over is not None:
            yield ui.Align(self.over), board if board.width >= _MIN_GROUND else box

    def _notice(self, style: ui.Style, box: ui.Box, column: ui.Box) -> tuple[ui.Widget, ui.Box]:
        """Return the notice over the side panel or the whole screen, and its place."""
        has_room = column.height >= _MIN_RESULT and self.column.size(style, column.width).height <= column.height
        choices = ((card, layout) for layout in (column, box) for card in self.beside)
        fits = (pair for pair in choices if pair[0].size(style, pair[1].width).height <= pair[1].height)
        shown, layout = next(fits, (self.beside[-1], box))
        return ui.Align(shown, 0.5, 0.0 if has_room else 0.3), layout

    def _page(self, column: ui.Widget, gap: float) -> ui.Widget:
        """Return the side panel with its buttons; if it has to scroll, the main buttons stay visible below it."""
        buttons, main = self.footer
        if not buttons:
            return ui.ScrollView(column, name="column")
        scrolled = [button for button in buttons if button.name not in main]
        fixed = ui.Flow([button for button in buttons if button.name in main])
        whole = ui.Column((replace(column, grow=True), ui.Flow(buttons)), gap)
        rest = ui.Column((column, ui.Flow(scrolled)), gap) if scrolled else column
        split = ui.Column((ui.ScrollView(rest, name="column", grow=True), fixed))
        return ui.FirstThatFits((ui.ScrollView(whole, name="column"), split))


def _halves(room: ui.Box, *, is_low: bool, is_cramped: bool) -> tuple[ui.Box, ui.Box]:
    """Return the places of the board and of the side panel, which is below the board in a high window."""
    top, below = room.y + _EDGE, 48.0 if is_low else 72.0  # for the status line and buttons
    bottom, margin = room.bottom - below, min(24.0, room.width / 40)
    inner = room.width - 2 * margin
    if room.bottom > room.width:
        maximum = bottom - top - 24 - 420
        side = min(inner, max(maximum, _MIN_BOARD * min(inner, bottom - top)))
        board = ui.Box((room.width - side) / 2, top, side, side)
        y = board.bottom + (8 if is_cramped else below)
        return board, ui.Box(margin, y, inner, room.bottom - (below if is_cramped else 20) - y)
    if is_cramped:  # the status line is below the side panel
        bottom = room.bottom - (8 if is_low else 20)
    side = min(bottom - top, max(inner - margin - 360.0, _MIN_BOARD * inner))  # 360: minimum of the side panel
    rest = min(inner - margin - side, 800.0)
    board = ui.Box(margin + max(0.0, inner - margin - rest - side) / 2, top, side, side)
    end = room.bottom - (below if is_cramped else 8 if is_low else 20)
    return board, ui.Box(board.right + margin, top, rest, end - top)


BOARD: Final = "squares"
_MARGIN: Final = 24
_MAX_MARGIN_TEXT: Final = 1.2  # maximum text size that enlarges the margin


class BoardPanel(ui.Widget):
    """The board with the marks of the mode."""

    renderer: BoardRenderer
    state: BoardState
    text: float = 1.0  # text size relative to the usual size
    flip_at: float = 0.0  # the current time during an animation
    marks: tuple[BoardMark, ...] = ()
    history_label: str = ""  # label of a position other than the game's latest

    is_dragged = True

    def layout_in(self, style: ui.Style, rect: Rect) -> BoardLayout:
        """Return the layout of the board in its rectangle."""
        margin = round(_MARGIN * style.scale / max(1.0, self.text / _MAX_MARGIN_TEXT))
        return self.renderer.layout_in(style, rect, margin)

    def draw(self, on: ui.PaintContext) -> None:
        layout = self.layout_in(on.style, on.rect)
        self.renderer.draw(on.surface, layout, self.state, self.flip_at)
        for mark in self.marks:
            mark.draw(on.surface, layout)
        if self.history_label:
            _draw_history_label(on, self.history_label, layout.board.bottom - layout.grid.bottom)

    def accessible(self, on: ui.PaintContext) -> ui.AccessibleNode:
        layout, state, rules = self.layout_in(on.style, on.rect), self.state, self.renderer.rules
        marks = state.pieces or rules.owners(state.position)
        cells = (
            ui.AccessibleNode(
                "cell",
                name=self.renderer.square_description(state, square, marks[square]),
                is_active=square == state.cursor,
                rect=layout.square_rect(square),
                press=gui.PressSquare(square, rules.pointed_square(state.position, square)),
                focus=gui.PutCursor(square),
            )
            for square in map(Square, range(self.renderer.squares))
        )
        return ui.AccessibleNode("grid", name=tr("spoken.board"), description=self.history_label, parts=tuple(cells))

    def press(self, at: ui.Point, on: ui.PaintContext) -> object | None:
        layout = self.layout_in(on.style, on.rect)
        return gui.PressSquare(layout.square_at(at), self.renderer.square_at(layout, at, self.state.position))

    def drag(self, at: ui.Point, on: ui.PaintContext) -> object | None:
        return gui.DragSquare(self.layout_in(on.style, on.rect).square_at(at))

    def press_right(self, at: ui.Point, on: ui.PaintContext) -> object | None:
        return gui.PressSquareRight(self.layout_in(on.style, on.rect).square_at(at))


def _draw_history_label(on: ui.PaintContext, words: str, high: int) -> None:
    """Draw a frame and a label on a board that does not show the game's latest position.

    The label is at most `high` pixels high, the height of the edge below the squares.
    """
    style, board, px, palette = on.style, on.rect, on.style.px, on.style.palette
    ui.fill_rounded(on.surface, board, px(12), None, palette.last_move, px(3))
    room = board.width - px(40)
    sizes = [size for size in (12, 11, 10, 9, 8, 7, 6) if style.text(words, size, bold=True).get_height() <= high]
    size = style.largest(words, sizes or (6,), room, bold=True)
    text = style.text(style.fit(words, size, room, bold=True), size, (26, 20, 4), bold=True)
    tab = text.get_rect().inflate(px(20), min(px(4), max(0, high - text.get_height())))
    tab.midbottom = (board.centerx, board.bottom)
    ui.fill_rounded(on.surface, tab, px(6), palette.last_move)
    on.image(text, at=tab.center)


class Status(ui.Widget):
    """The status line, of one or two lines."""

    words: str
    is_bad: bool = False
    meanwhile: str = ""  # a message that replaces the words for a few seconds
    before: str = ""  # a text that a screen reader says before the words
    live: str = "polite"  # how a screen reader reads changes: "polite", "assertive" or ""
    background_status: str = ""  # behind the words, not read aloud

    def accessible(self, on: ui.PaintContext) -> ui.AccessibleNode | None:
        words = " ".join(filter(None, (self.before, self.words))).strip()
        if not words and not self.meanwhile:
            return None
        # The words are not read again afterwards.
        answer = ui.AccessibleNode("status", name=self.meanwhile, live="assertive")
        return ui.AccessibleNode("status", name=words, live=self.live, parts=(answer,) if self.meanwhile else ())

    def draw(self, on: ui.PaintContext) -> None:
        style, rect, words = on.style, on.rect, self.meanwhile or f"{self.words} {self.background_status}".strip()
        for size in (13, 12, 11, 10):
            if len(style.wrap(words, size, rect.width, 9)) <= 2:
                break
        rows = style.wrap(words, size, rect.width, lines=2)
        pitch = style.px(size * 1.46)
        top = rect.centery - pitch * len(rows) // 2
        color = style.palette.warning if self.is_bad else style.palette.muted
        for index, row in enumerate(rows):
            on.text((rect.left, top + index * pitch), row, size, color, anchor="topleft")
