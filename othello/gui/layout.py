"""Where everything lies in the window of a game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from pygame import Rect

from othello.gui import bars
from othello.gui.actions import Where
from othello.gui.bars import Toolbar
from othello.gui.faces.board import BoardPlace
from othello.gui.faces.face import Face
from othello.gui.theme import Style
from othello.rules.protocol import Color

DESIGN_SIZE: Final = (1280, 800)
MINIMUM_SIZE: Final = (880, 520)
_SCALE_STEP: Final = 0.125  # text and buttons change size in steps, so that dragging an edge stays smooth


_TEXT_STEP: Final = 0.05
_LEAST_SIDE: Final = 90  # what a list of moves needs, in design pixels
_LEAST_STATUS: Final = 170  # what a line of words needs
_LEAST_BOARD: Final = 0.5  # of the shorter side of the window


class ButtonLayout(Protocol):
    """What the buttons need to know of a window."""

    @property
    def style(self) -> Style: ...

    @property
    def window(self) -> Rect: ...


@dataclass(frozen=True, kw_only=True)
class Layout:
    """Rectangles of a window with one board.

    Attributes:
        column: all beside the board, for whatever mode the window is in; from `cards` on, what is in it while playing.
        side: what is left for move list and search panel.
        turn: the place of the button that depends on whose turn it is.
        fixed: the buttons that are there in every mode, by the name of what they do.
        controls: those in the column while playing.
    """

    style: Style
    window: Rect
    toolbar: Toolbar
    place: BoardPlace
    status: Rect
    column: Rect
    cards: tuple[Rect, Rect]  # black's, white's
    score_bar: Rect
    side: Rect
    turn: Rect
    fixed: dict[str, Rect]
    controls: dict[str, Rect]

    @property
    def buttons(self) -> dict[str, Rect]:
        """All buttons of a window in which somebody plays."""
        return self.fixed | self.controls

    @property
    def has_room(self) -> bool:
        """Whether everything has the room that it needs, and the board enough of it."""
        shorter = min(self.window.size)
        has_words = self.side.height >= self.style.px(_LEAST_SIDE) and self.status.width >= self.style.px(_LEAST_STATUS)
        return has_words and self.board.width >= shorter * _LEAST_BOARD

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


def arrange(size: tuple[int, int], face: Face, where: Where = Where.GAME, text: float = 1.0) -> Layout:
    """The layout for a window of `size` real pixels with a game of that face, in that place.

    Args:
        size: of the window.
        face: of the game.
        where: the place.
        text: how large text is to be, 1 being the usual size. A window that is too small has smaller text: nothing in
            it is cut off.
    """
    width, height = max(size[0], MINIMUM_SIZE[0]), max(size[1], MINIMUM_SIZE[1])
    usual = scale_for((width, height))
    scale = usual * text
    layout = _arranged(size, (width, height), face, where, scale)
    while scale > usual and not layout.has_room:
        scale = max(usual, scale - _TEXT_STEP)
        layout = _arranged(size, (width, height), face, where, scale)
    return layout


def _arranged(window: tuple[int, int], size: tuple[int, int], face: Face, where: Where, scale: float) -> Layout:
    width, height = size
    style = Style(scale)
    px = style.px
    top_bar = bars.toolbar(style, width, where)
    is_low, is_tall = height < px(720), height > width
    top = top_bar.bar.bottom + px(8 if is_low else 16)
    below = px(48 if is_low else 72)  # the board, for a line of words and buttons
    bottom = height - below
    margin, gap = px(24), px(24)

    if is_tall:
        board_size = min(width - 2 * margin, bottom - top - gap - px(360))
        left, side_width = margin, width - 2 * margin
        board = Rect((width - board_size) // 2, top, board_size, board_size)
        column = Rect(margin, board.bottom + below, side_width, height - board.bottom - below - px(20))
    else:
        side_width = max(min(width - 2 * margin - gap - (bottom - top), px(600)), px(360))
        board_size = min(bottom - top, width - 2 * margin - gap - side_width)
        left = margin + max(0, width - 2 * margin - gap - side_width - board_size) // 2
        board = Rect(left, top, board_size, board_size)
        column = Rect(board.right + gap, top, side_width, height - top - px(8 if is_low else 20))

    card_gap, card_height = px(16), px(96)
    card_width = (column.width - card_gap) // 2
    black = Rect(column.left, column.top, card_width, card_height)
    white = Rect(column.right - card_width, column.top, card_width, card_height)
    score_bar = Rect(column.left, black.bottom + px(16), column.width, px(8))
    middle = board.bottom + px(8 if is_low else 20) + px(bars.BUTTON_HEIGHT) // 2
    buttons, status_right = bars.below_board(style, board, middle, where)
    controls, controls_top = bars.controls(style, column, column.bottom, where)
    for color, card in ((Color.BLACK, black), (Color.WHITE, white)):
        controls[f"hand_{color.label}"] = Rect(card.left + px(12), card.bottom - px(34), px(76), px(24))
    side_top = score_bar.bottom + px(16)
    side_bottom = controls_top - px(20 if column.bottom - controls_top <= px(32) and not is_low else 12)
    return Layout(
        style=style,
        window=Rect(0, 0, *window),
        toolbar=top_bar,
        place=face.place(style, board, px(24)),
        column=column,
        cards=(black, white),
        score_bar=score_bar,
        side=Rect(column.left, side_top, column.width, side_bottom - side_top),
        status=Rect(board.left, middle - px(20), status_right - board.left - px(16), px(40)),
        turn=controls.pop("turn"),
        fixed=top_bar.buttons | buttons,
        controls=controls,
    )
