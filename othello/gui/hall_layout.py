"""Where everything lies in the window of a tournament."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from pygame import Rect

from othello.gui import bars, theme
from othello.gui.actions import Where
from othello.gui.bars import Toolbar
from othello.gui.faces.board import BoardPlace
from othello.gui.faces.face import Face
from othello.gui.layout import MINIMUM_SIZE, scale_for
from othello.gui.theme import Style

BOARDS: Final = 2
"""So many games under way are seen."""

_MARGIN: Final = 24
_GAP: Final = 12
_TWO_COLUMNS: Final = (820, 500)  # so much room, in design pixels, beside each other everything needs
_ROW, _BAR = 44, 48  # of the table and of the bars, where there is room
_HEADER: Final = 60  # of the standings, above the table
_FOOT: Final = 110  # and below it


@dataclass(frozen=True)
class LiveBoard:
    """A small board and the room for words about its game."""

    place: BoardPlace
    words: Rect


@dataclass(frozen=True, kw_only=True)
class TournamentLayout:
    """Rectangles in real pixels; `buttons` by the name of what they do.

    Attributes:
        viewport: what is seen of the page between toolbar and status line.
        longest: how far the page can be scrolled; 0 where all of it is seen.
        play: the button that begins the person's next game.
        has_all_rows: whether the table has room for every player.
    """

    style: Style
    window: Rect
    toolbar: Toolbar
    viewport: Rect
    longest: int
    standings: Rect
    table: Rect  # its header and rows
    colors: Rect  # what black and white scored
    times: Rect
    live: Rect
    boards: tuple[LiveBoard, ...]
    play: Rect
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
        rows = (self.rows(self.table_rows, count, _ROW), self.rows(self.time_rows, count, _BAR))
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

    def seen(self, places: dict[str, Rect]) -> dict[str, Rect]:
        """The buttons of the page that are not scrolled out of sight, and all others."""
        own = self.toolbar.buttons
        return {name: rect for name, rect in places.items() if name in own or self.viewport.contains(rect)}


def arrange_hall(
    size: tuple[int, int],
    face: Face,
    where: Where = Where.HALL,
    text: float = 1.0,
    players: int = 2,
    scroll: int = 0,
) -> TournamentLayout:
    """The layout for a window with games of that face.

    Where there is too little room beside each other, everything lies in one column that is scrolled.

    Args:
        size: of the window, in real pixels.
        face: of the games.
        where: the place.
        text: how large text is to be, 1 being the usual size.
        players: how many there are.
        scroll: how far the page is scrolled, in real pixels.
    """
    width, height = max(size[0], MINIMUM_SIZE[0]), max(size[1], MINIMUM_SIZE[1])
    style = theme.style(scale_for((width, height)) * text)
    px = style.px
    toolbar = bars.toolbar(style, width, where)
    top = toolbar.bar.bottom + px(8 if height < px(720) else 16)
    status = Rect(px(_MARGIN), height - px(44), width - 2 * px(_MARGIN), px(40))
    viewport = Rect(0, top, width, status.top - top)
    room = Rect(px(_MARGIN), top, width - 2 * px(_MARGIN), viewport.height)
    if width >= px(_TWO_COLUMNS[0]) and height >= px(_TWO_COLUMNS[1]):
        standings, times, live = _beside(style, room)
    else:
        standings, times, live = _stacked(style, room, players)
    lowest = max(rect.bottom for rect in (standings, times, live))
    longest = max(0, lowest - viewport.bottom)
    for rect in (standings, times, live):
        rect.top -= min(max(0, scroll), longest)
    boards = _boards(style, live, face)
    inner = standings.inflate(-2 * px(20), 0)
    buttons = _buttons(style, inner, where)
    foot = min(rect.top for rect in buttons.values())
    return TournamentLayout(
        style=style,
        window=Rect(0, 0, *size),
        toolbar=toolbar,
        viewport=viewport,
        longest=longest,
        standings=standings,
        table=Rect(inner.left, standings.top + px(_HEADER), inner.width, foot - px(90) - standings.top),
        colors=Rect(inner.left, foot - px(30), inner.width, px(24)),
        times=times,
        live=live,
        boards=boards,
        play=_below(style, boards[0], where),
        status=status,
        buttons=toolbar.buttons | buttons,
    )


def _beside(style: Style, room: Rect) -> tuple[Rect, Rect, Rect]:
    """Standings above times, live games to their right."""
    px = style.px
    is_wide = room.width >= px(1050)
    live_width = room.width * 36 // 100 if is_wide else px(250)
    live = Rect(room.right - live_width, room.top, live_width, room.height)
    left_width = live.left - room.left - px(24 if is_wide else 12)
    standings = Rect(room.left, room.top, left_width, (room.height - px(_GAP)) * 61 // 100)
    top = standings.bottom + px(_GAP)
    return standings, Rect(room.left, top, left_width, room.bottom - top), live


def _stacked(style: Style, room: Rect, players: int) -> tuple[Rect, Rect, Rect]:
    """Standings, live games and times, each as high as it needs."""
    px, gap = style.px, style.px(_GAP)
    standings = Rect(room.left, room.top, room.width, px(_HEADER + _FOOT + 26 + 34 * players))
    board = min(room.width - px(40), px(300))
    live = Rect(room.left, standings.bottom + gap, room.width, px(60) + BOARDS * (board + px(80)))
    times = Rect(room.left, live.bottom + gap, room.width, px(50 + 34 * players))
    return standings, times, live


def _buttons(style: Style, inner: Rect, where: Where) -> dict[str, Rect]:
    """Those of the standings, at their foot: beside each other, or in rows where they are too wide."""
    px, height, gap = style.px, style.px(36), style.px(8)
    sizes = {name: max(px(96), bars.width_of(style, name, where)) for name in ("hold", "stop", "report")}
    sizes["report"] = max(sizes["report"], min(px(160), inner.width // 3))
    top = inner.bottom - px(14) - height
    if sum(sizes.values()) + 2 * gap <= inner.width:
        return {
            "hold": Rect(inner.left, top, sizes["hold"], height),
            "stop": Rect(inner.left + sizes["hold"] + gap, top, sizes["stop"], height),
            "report": Rect(inner.right - sizes["report"], top, sizes["report"], height),
        }
    half = (inner.width - gap) // 2
    return {
        "hold": Rect(inner.left, top - height - gap, half, height),
        "stop": Rect(inner.right - half, top - height - gap, half, height),
        "report": Rect(inner.left, top, inner.width, height),
    }


def _below(style: Style, board: LiveBoard, where: Where) -> Rect:
    """Room for a button below the words about a game."""
    words, height = board.words, style.px(36)
    if words.top == board.place.board.top:
        width = max(style.px(120), bars.width_of(style, "begin", where))
        return Rect(words.left, words.top + style.px(100), min(words.width, width), height)
    return Rect(words.left, words.bottom + style.px(8), words.width, height)


def _boards(style: Style, panel: Rect, face: Face) -> tuple[LiveBoard, ...]:
    """One below the other, with words to the right where there is room, else below."""
    px = style.px
    inner = Rect(panel.left + px(20), panel.top + px(48), panel.width - px(40), panel.height - px(60))
    height = inner.height // BOARDS
    beside = inner.width >= px(360)
    size = min(height - px(16), inner.width - px(140)) if beside else min(height - px(72), inner.width)
    boards = []
    for board in _rows(inner, size, height):
        if beside:
            words = Rect(board.right + px(16), board.top, inner.right - board.right - px(16), board.height)
        else:
            words = Rect(inner.left, board.bottom + px(4), inner.width, px(58))
        boards.append(LiveBoard(face.place(style, board, 2), words))
    return tuple(boards)


def _rows(inner: Rect, size: int, height: int) -> Iterable[Rect]:
    return (Rect(inner.left, inner.top + index * height, size, size) for index in range(BOARDS))
