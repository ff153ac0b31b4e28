"""Where everything lies in the window of a tournament."""

from __future__ import annotations

from dataclasses import dataclass

from pygame import Rect

from othello.gui.faces.board import BoardPlace
from othello.gui.faces.face import Face
from othello.gui.following import BOARDS
from othello.gui.layout import MINIMUM_SIZE, scale_for
from othello.gui.theme import Style


@dataclass(frozen=True)
class LiveBoard:
    """A small board and the room for words about its game."""

    place: BoardPlace
    words: Rect


@dataclass(frozen=True)
class TournamentLayout:
    """Rectangles in real pixels; `buttons` by the name of what they do."""

    style: Style
    window: Rect
    toolbar: Rect
    standings: Rect
    table: Rect  # its header and rows
    colors: Rect  # what black and white scored
    times: Rect
    live: Rect
    boards: tuple[LiveBoard, ...]
    play: Rect  # the button that begins the person's next game
    status: Rect
    buttons: dict[str, Rect]

    @property
    def table_rows(self) -> Rect:
        """The table without its header."""
        header = self.style.px(26)
        return Rect(self.table.left, self.table.top + header, self.table.width, self.table.height - header)

    @property
    def time_rows(self) -> Rect:
        """Where the bars lie."""
        top = self.times.top + self.style.px(38)
        return Rect(self.times.left, top, self.times.width, self.times.bottom - self.style.px(8) - top)

    def last_first_row(self, count: int) -> int:
        """How far a table of so many rows can be scrolled."""
        rows = (self.rows(self.table_rows, count, 44), self.rows(self.time_rows, count, 48))
        return max(0, count - min(shown for _, shown in rows))

    def rows(self, rect: Rect, count: int, most: int) -> tuple[int, int]:
        """How high each of `count` rows is, and how many are shown.

        Args:
            rect: their room. Where not all have room, one row is left for saying so.
            count: how many there are.
            most: so high a row is at most, in design pixels.
        """
        pitch = min(self.style.px(most), max(self.style.px(21), rect.height // max(1, count)))
        fit = max(2, rect.height // pitch)
        return pitch, count if count <= fit else fit - 1


def arrange(size: tuple[int, int], face: Face) -> TournamentLayout:
    """The layout for a window of `size` real pixels with games of that face."""
    width, height = max(size[0], MINIMUM_SIZE[0]), max(size[1], MINIMUM_SIZE[1])
    style = Style(scale_for((width, height)))
    px = style.px
    margin = px(24)
    is_low = height < px(720)
    top, bottom = (px(64), height - px(40)) if is_low else (px(72), height - px(48))
    gap = px(12)
    live_width = px(250) if width < px(1100) else (width - 2 * margin) * 36 // 100
    live = Rect(width - margin - live_width, top, live_width, bottom - top)
    left_width = live.left - margin - px(24 if width >= px(1100) else 12)
    standings_height = (bottom - top - gap) * 61 // 100
    standings = Rect(margin, top, left_width, standings_height)
    times = Rect(margin, standings.bottom + gap, left_width, bottom - standings.bottom - gap)
    inner = standings.inflate(-2 * px(20), 0)
    button_top = standings.bottom - px(50)
    toolbar = Rect(0, 0, width, px(52))
    boards = _boards(style, live, face)
    return TournamentLayout(
        style=style,
        window=Rect(0, 0, *size),
        toolbar=toolbar,
        standings=standings,
        table=Rect(inner.left, standings.top + px(60), inner.width, button_top - px(30) - standings.top - px(60)),
        colors=Rect(inner.left, button_top - px(30), inner.width, px(24)),
        times=times,
        live=live,
        boards=boards,
        play=_below(style, boards[0]),
        status=Rect(margin, bottom + px(4), width - 2 * margin, height - bottom - px(8)),
        buttons={
            "hold": Rect(inner.left, button_top, px(96), px(36)),
            "stop": Rect(inner.left + px(104), button_top, px(96), px(36)),
            "report": Rect(inner.right - px(160), button_top, px(160), px(36)),
            "help": Rect(toolbar.right - margin - px(58), toolbar.centery - px(14), px(58), px(28)),
        },
    )


def _below(style: Style, board: LiveBoard) -> Rect:
    """Room for a button below the words about a game."""
    words, height = board.words, style.px(36)
    if words.top == board.place.board.top:
        return Rect(words.left, words.top + style.px(100), min(words.width, style.px(120)), height)
    return Rect(words.left, words.bottom + style.px(8), words.width, height)


def _boards(style: Style, panel: Rect, face: Face) -> tuple[LiveBoard, ...]:
    """One below the other, with words to the right where there is room, else below."""
    px = style.px
    inner = Rect(panel.left + px(20), panel.top + px(48), panel.width - px(40), panel.height - px(60))
    height = inner.height // BOARDS
    beside = inner.width >= px(360)
    size = min(height - px(16), inner.width - px(140)) if beside else min(height - px(72), inner.width)
    boards = []
    for index in range(BOARDS):
        board = Rect(inner.left, inner.top + index * height, size, size)
        if beside:
            words = Rect(board.right + px(16), board.top, inner.right - board.right - px(16), board.height)
        else:
            words = Rect(inner.left, board.bottom + px(4), inner.width, px(58))
        boards.append(LiveBoard(face.place(style, board, 2), words))
    return tuple(boards)
