"""Where everything lies in the window of a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

from pygame import Rect

from othello.gui import bars, theme
from othello.gui.actions import Where
from othello.gui.bars import Toolbar
from othello.gui.faces.board import BoardPlace
from othello.gui.faces.face import Face
from othello.gui.theme import Style
from othello.rules.protocol import Color

DESIGN_SIZE: Final = (1280, 800)
MINIMUM_SIZE: Final = (880, 520)
_SCALE_STEP: Final = 0.125  # text and buttons change size in steps, so that dragging an edge stays smooth


_LEAST_SIDE: Final = 200  # what a list of moves and a search's figures need, in design pixels
_LEAST_STATUS: Final = 170  # what a line of words needs beside buttons
_LEAST_BOARD: Final = 0.45  # of the window's width and of what is left of its height
_CARD: Final = (150, 96)  # what a card needs, and how high it is
_GAP: Final = 16
_LARGEST_MARGIN: Final = 1.2  # of the board, with larger text: the squares need the room


class ButtonLayout(Protocol):
    """What the buttons need to know of a window."""

    @property
    def style(self) -> Style: ...

    @property
    def window(self) -> Rect: ...

    @property
    def toolbar(self) -> Toolbar: ...


@dataclass(frozen=True, kw_only=True)
class Layout:
    """Rectangles of a window with one board.

    Attributes:
        viewport: what is seen of the column.
        longest: how far the column can be scrolled; 0 where all of it is seen.
        column: all beside the board, for whatever mode the window is in; from `cards` on, what is in it while playing.
            Where it is higher than the viewport, it is moved up as far as it is scrolled.
        side: what is left for move list and search panel.
        turn: the place of the button that depends on whose turn it is.
        fixed: the buttons that are there in every mode, by the name of what they do.
        is_cramped: whether those below the board elsewhere begin the column, and are scrolled with it.
        controls: those in the column while playing.
    """

    style: Style
    window: Rect
    toolbar: Toolbar
    place: BoardPlace
    status: Rect
    viewport: Rect
    longest: int
    column: Rect
    cards: tuple[Rect, Rect]  # black's, white's
    score_bar: Rect
    side: Rect
    turn: Rect
    fixed: dict[str, Rect]
    is_cramped: bool
    controls: dict[str, Rect]

    @property
    def buttons(self) -> dict[str, Rect]:
        """All buttons of a window in which somebody plays."""
        return self.fixed | self.controls

    def seen(self, places: Mapping[str, Rect]) -> dict[str, Rect]:
        """The buttons that are not scrolled out of sight."""
        if not self.longest:
            return dict(places)
        across = self.viewport.left, self.viewport.right
        is_beside = {name: across[0] <= rect.left and rect.right <= across[1] for name, rect in places.items()}
        own = {*(self.toolbar.buttons if self.is_cramped else self.fixed), "again", "board"}
        return {
            name: rect
            for name, rect in places.items()
            if name in own or not is_beside[name] or self.viewport.contains(rect)
        }

    @property
    def board(self) -> Rect:
        """The board with its frame."""
        return self.place.board

    def side_panels(self, with_search: bool) -> tuple[Rect, Rect | None]:
        """The rectangles of the move list and, where it is shown, of the search panel below it."""
        if not with_search:
            return self.side, None
        gap, height = self.style.px(12), self.style.px(96)
        moves = Rect(self.side.left, self.side.top, self.side.width, self.side.height - height - gap)
        return moves, Rect(self.side.left, moves.bottom + gap, self.side.width, height)


def scale_for(size: tuple[int, int]) -> float:
    """Real pixels per design pixel: grows with the window, and never below one, where text would be too small."""
    fit = min(size[0] / DESIGN_SIZE[0], size[1] / DESIGN_SIZE[1])
    return max(1.0, int(fit / _SCALE_STEP) * _SCALE_STEP)


def arrange(
    size: tuple[int, int],
    face: Face,
    where: Where = Where.GAME,
    text: float = 1.0,
    least: float = 0.0,
    scroll: int = 0,
    has_switches: bool = True,
) -> Layout:
    """The layout for a window of `size` real pixels with a game of that face, in that place.

    Args:
        size: of the window.
        face: of the game.
        where: the place.
        text: how large text is to be, 1 being the usual size.
        least: how high the column is at least, in design pixels, whatever of it is seen at a time; 0: as high as it
            has to be while playing.
        scroll: how far it is scrolled, in real pixels.
        has_switches: whether the buttons below the board are there.
    """
    width, height = max(size[0], MINIMUM_SIZE[0]), max(size[1], MINIMUM_SIZE[1])
    style = theme.style(scale_for((width, height)) * text)
    px = style.px
    toolbar = bars.toolbar(style, width, where)
    room = Rect(0, toolbar.bar.bottom, width, height - toolbar.bar.bottom)
    is_cramped = _is_cramped(style, room, where)
    board, viewport = _halves(style, room, is_cramped=is_cramped)
    buttons, status = _below_board(style, board, room, where, is_cramped=is_cramped)
    extra = 0
    if not has_switches:
        buttons = {}
    elif is_cramped:  # the buttons that are below the board elsewhere begin the column
        buttons, below = bars.controls(style, viewport, 0, where, bars.below_board_names(where))
        extra = px(8) - below
    needed = extra + (px(least) if least else _needed(style, viewport.width, where))
    longest = max(0, needed - viewport.height)
    top = viewport.top - min(max(0, scroll), longest)
    if is_cramped and has_switches:
        buttons = {name: rect.move(0, top - below) for name, rect in buttons.items()}
    column = Rect(viewport.left, top + extra, viewport.width, max(needed, viewport.height) - extra)
    return Layout(
        style=style,
        window=Rect(0, 0, *size),
        toolbar=toolbar,
        place=face.place(style, board, theme.style(style.scale / max(1.0, text / _LARGEST_MARGIN)).px(24)),
        status=status,
        viewport=viewport,
        longest=longest,
        column=column,
        **_while_playing(style, column, where, is_low=height < px(720)),
        fixed=toolbar.buttons | buttons,
        is_cramped=is_cramped,
    )


def _is_cramped(style: Style, room: Rect, where: Where) -> bool:
    """Whether there is no room for words and buttons on one line below the board."""
    board, _ = _halves(style, room, is_cramped=False)
    buttons, left = bars.below_board(style, board, 0, where)
    return bool(buttons) and left - board.left < style.px(_LEAST_STATUS)


def _halves(style: Style, room: Rect, *, is_cramped: bool) -> tuple[Rect, Rect]:
    """The board, and what is seen of the column: beside it, below it where the window is high."""
    px = style.px
    width, height = room.width, room.bottom
    is_low, is_tall = height < px(720), height > width
    top = room.top + px(8 if is_low else 16)
    below = px(48 if is_low else 72)  # for a line of words and buttons
    bottom = height - below
    margin = min(px(24), width // 40)
    inner = width - 2 * margin
    if is_tall:
        most = bottom - top - px(24) - px(380)
        side = min(inner, max(most, round(_LEAST_BOARD * min(inner, bottom - top))))
        board = Rect((width - side) // 2, top, side, side)
        column_top = board.bottom + (px(8) if is_cramped else below)
        end = height - (below if is_cramped else px(20))
        return board, Rect(margin, column_top, inner, end - column_top)
    gap = margin
    wanted = max(min(inner - gap - (bottom - top), px(600)), px(360))
    side = min(bottom - top, max(inner - gap - wanted, round(_LEAST_BOARD * inner)))
    rest = min(inner - gap - side, max(px(600), wanted))
    left = margin + max(0, inner - gap - rest - side) // 2
    board = Rect(left, top, side, side)
    end = bottom if is_cramped else height - px(8 if is_low else 20)
    return board, Rect(board.right + gap, top, rest, end - top)


def _below_board(
    style: Style, board: Rect, room: Rect, where: Where, *, is_cramped: bool
) -> tuple[dict[str, Rect], Rect]:
    """The buttons below the board, and where the line of words is."""
    px = style.px
    if is_cramped:
        margin = min(px(24), room.width // 40)
        return {}, Rect(margin, room.bottom - px(44), room.width - 2 * margin, px(40))
    is_low = room.bottom < px(720)
    middle = board.bottom + px(8 if is_low else 20) + px(bars.BUTTON_HEIGHT) // 2
    buttons, left = bars.below_board(style, board, middle, where)
    return buttons, Rect(board.left, middle - px(20), left - board.left - px(_GAP), px(40))


def _is_stacked(style: Style, width: int) -> bool:
    """Whether the two cards lie one below the other."""
    return width < 2 * style.px(_CARD[0]) + style.px(_GAP)


def _needed(style: Style, width: int, where: Where) -> int:
    """How high a column is at least while playing, in real pixels."""
    px = style.px
    _, controls_top = bars.controls(style, Rect(0, 0, width, 0), 0, where)
    is_stacked = _is_stacked(style, width)
    cards = px(_CARD[1]) * (2 if is_stacked else 1) + px(8) * is_stacked
    return cards + px(8 + 2 * _GAP + 12) + px(_LEAST_SIDE) - controls_top


def _while_playing(style: Style, column: Rect, where: Where, *, is_low: bool) -> dict[str, Any]:
    """What is in the column while playing, by the names of the layout."""
    px = style.px
    width, height = (column.width - px(_GAP)) // 2, px(_CARD[1])
    black = Rect(column.left, column.top, width, height)
    white = Rect(column.right - width, column.top, width, height)
    if _is_stacked(style, column.width):
        black.width = white.width = column.width
        white.topleft = column.left, black.bottom + px(8)
    score_bar = Rect(column.left, white.bottom + px(_GAP), column.width, px(8))
    controls, controls_top = bars.controls(style, column, column.bottom, where)
    for color, card in ((Color.BLACK, black), (Color.WHITE, white)):
        wide = max(px(76), bars.width_of(style, f"hand_{color.label}", where, bars.SMALL_TEXT) - px(8))
        controls[f"hand_{color.label}"] = Rect(card.left + px(12), card.bottom - px(34), wide, px(24))
    top = score_bar.bottom + px(_GAP)
    bottom = controls_top - px(20 if column.bottom - controls_top <= px(32) and not is_low else 12)
    return {
        "cards": (black, white),
        "score_bar": score_bar,
        "side": Rect(column.left, top, column.width, bottom - top),
        "turn": controls.pop("turn"),
        "controls": controls,
    }
