"""The panels of a tournament: standings, cross table and live games."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from pygame import Rect

from othello.frozen_dataclass import FrozenDataclass
from othello.gui import commands as gui, ui
from othello.gui.boards.board_layout import BoardState
from othello.gui.boards.renderer import BoardRenderer
from othello.rules.protocol import Color
from othello.texts import tr

_NUMBER: Final = 24  # width of the place before a name
_MARGIN: Final = 24
_GAP: Final = 6  # between two columns
_TWO_COLUMNS: Final = ui.Size(820, 500)  # minimum room for two columns of cards
_LOW_HEIGHT: Final = 720  # window height in real pixels, below which margins are narrower
BUTTON: Final = 36


class Standing(FrozenDataclass):
    """A row of the standings and of the cross table."""

    cells: tuple[str, ...]  # texts in the order of the columns
    against: tuple[str, ...]  # score against each player in the order of the rows; empty: no games
    name: str = ""  # the player's name in the results


class TournamentScreenLayout(ui.Container):
    """Places the standings above the cross table, and live games at the right; in small windows between them."""

    standings: ui.Widget
    cross: ui.Widget
    live: ui.Widget
    status: ui.Widget

    def layout_children(self, style: ui.Style, box: ui.Box, state: Mapping[str, Any]) -> ui.Parts:
        top = box.y + (8 if box.bottom * style.scale < _LOW_HEIGHT else 16)
        status = ui.Box(box.x + _MARGIN, box.bottom - 44, box.width - 2 * _MARGIN, 40)
        room = ui.Box(status.x, top, status.width, status.y - top)
        if box.width >= _TWO_COLUMNS.width and box.bottom >= _TWO_COLUMNS.height:
            is_wide = room.width >= 1050
            right = room.width * 0.36 if is_wide else 250.0
            left, upper = room.width - right - (24 if is_wide else 12), (room.height - 12) * 0.6
            yield self.standings, ui.Box(room.x, top, left, upper)
            yield self.cross, ui.Box(room.x, top + upper + 12, left, room.height - upper - 12)
            yield self.live, ui.Box(room.right - right, top, right, room.height)
        else:
            yield ui.ScrollView(ui.Column((self.standings, self.live, self.cross), 12), name="tournament_page"), room
        yield self.status, status


class StandingRows(ui.Widget):
    """The base of tables with a row for each player, which scroll if there is too little room."""

    rows: tuple[Standing, ...]  # the best player first
    first: int  # index of the first visible row

    header: ClassVar[float] = 0
    highest: ClassVar[float]  # maximum height of a row in design pixels

    def measure(self, style: ui.Style, width: float) -> ui.Size:
        return ui.Size(width, self.header + 34 * len(self.rows))

    def fitting(self, style: ui.Style, rect: Rect) -> tuple[int, int]:
        """Return the height of a row in real pixels, and how many rows are visible.

        A note may take the place of one.
        """
        height, count = rect.height - round(self.header * style.scale), len(self.rows)
        pitch = min(style.px(self.highest), max(style.px(20), height // count))
        fit = max(2, height // pitch)
        return pitch, count if count <= fit else fit - 1

    def last_first(self, style: ui.Style, rect: Rect) -> int:
        """Return the largest useful value of `first`."""
        return len(self.rows) - self.fitting(style, rect)[1]

    def draw(self, on: ui.PaintContext) -> None:
        pitch, shown = self.fitting(on.style, on.rect)
        top = on.rect.top + round(self.header * on.style.scale)
        for index, row in enumerate(self.rows[self.first : self.first + shown]):
            line = Rect(on.rect.left, top + index * pitch, on.rect.width, pitch)
            if index % 2 == 0:
                band = line.inflate(2 * on.style.px(10), 0)
                ui.fill_rounded(on.surface, band, on.style.px(8), on.style.palette.raised)
            self.draw_row(on, line, row)
        if shown < len(self.rows):
            some = tr("tournament.some", first=self.first + 1, last=self.first + shown, n=len(self.rows))
            at = on.rect.left, top + shown * pitch + pitch // 2
            on.text(at, some, 12, on.style.palette.muted, room=on.rect.width)

    def draw_row(self, on: ui.PaintContext, line: Rect, row: Standing) -> None:
        """Draw the row of a player."""
        raise NotImplementedError


class StandingsTable(StandingRows):
    """The table of the standings."""

    columns: tuple[ui.TableColumn, ...]

    header = 26
    highest = 44
    overhang = 10.0

    def accessible(self, on: ui.PaintContext) -> ui.AccessibleNode:
        names = [tr(f"spoken.columns.{column.name}", column.heading()) for column in self.columns]
        return ui.accessible_table(tr("tournament.standings"), names, (row.cells for row in self.rows))

    def draw(self, on: ui.PaintContext) -> None:
        line = Rect(on.rect.topleft, (on.rect.width, on.style.px(24)))
        self._draw_cells(on, line, [column.heading() for column in self.columns], is_heading=True)
        super().draw(on)

    def draw_row(self, on: ui.PaintContext, line: Rect, row: Standing) -> None:
        self._draw_cells(on, line, row.cells)

    def _draw_cells(self, on: ui.PaintContext, line: Rect, cells: Sequence[str], *, is_heading: bool = False) -> None:
        for index, place in self._places(on.style, line).items():
            size = 12 if is_heading else 14
            self.columns[index].draw_text(on._replace(rect=place), cells[index], size, is_heading=is_heading)

    def _places(self, style: ui.Style, line: Rect) -> dict[int, Rect]:
        """Return the places of the columns that fit, wide enough for all their texts."""
        is_wide = line.width >= style.px(640)
        widths: list[int] = []
        for index, column in enumerate(self.columns):
            words = style.width(column.heading(), 12, bold=True)
            cells = [style.width(row.cells[index], 14, bold=column.is_bold) for row in self.rows]
            widths.append(max(style.px(column.wide if is_wide else column.narrow), max(words, *cells) + style.px(2)))
        return ui.column_places(self.columns, widths, line, style.px(_GAP))


class CrossTable(StandingRows):
    """The score of every player against every other. Columns are numbered by place.

    A click on a score lists its games.
    """

    header = 22
    highest = 40
    overhang = 10.0
    follows_mouse = True

    def pair_at(self, at: ui.Point, on: ui.PaintContext) -> tuple[str, str] | None:
        """Return the two players whose score is at a point, or None."""
        pitch, shown = self.fitting(on.style, on.rect)
        names, cell, columns = self._columns(on.style, on.rect.width)
        row = (at[1] - on.rect.top - round(self.header * on.style.scale)) // pitch
        column = (at[0] - on.rect.left - names) // cell
        if not (0 <= row < min(shown, len(self.rows) - self.first) and 0 <= column < len(columns)):
            return None
        player, opponent = self.rows[self.first + row], columns[column]
        return (player.name, self.rows[opponent].name) if player.against[opponent] else None

    def press(self, at: ui.Point, on: ui.PaintContext) -> object | None:
        pair = self.pair_at(at, on)
        return None if pair is None else gui.ListGames(pair)

    def tip_at(self, at: ui.Point, on: ui.PaintContext) -> str:
        return "" if self.pair_at(at, on) is None else tr("tournament.games_tip")

    def _columns(self, style: ui.Style, width: int) -> tuple[int, int, range]:
        """Return the width of the names, the width of a score, and the range of visible columns."""
        names = max(style.width(row.cells[1], 13) for row in self.rows) + style.px(_NUMBER + 24)
        cell = max(style.width(text, 13) for row in self.rows for text in (*row.against, "00")) + style.px(12)
        names = min(names, max(width // 3, width - cell * len(self.rows)))
        shown = max(1, min(len(self.rows), (width - names) // cell))
        first = min(self.first, len(self.rows) - shown)
        cell = min((width - names) // shown, style.px(110))
        return names, cell, range(first, first + shown)

    def accessible(self, on: ui.PaintContext) -> ui.AccessibleNode:
        names = [row.cells[1] for row in self.rows]
        scores = ((row.cells[1], *row.against) for row in self.rows)
        return ui.accessible_table(tr("tournament.cross"), (tr("columns.player"), *names), scores)

    def draw(self, on: ui.PaintContext) -> None:
        names, cell, columns = self._columns(on.style, on.rect.width)
        for index, column in enumerate(columns):
            at = (on.rect.left + names + index * cell + cell // 2, on.rect.top + on.style.px(10))
            on.text(at, self.rows[column].cells[0], 12, on.style.palette.muted, anchor="center", bold=True)
        super().draw(on)

    def draw_row(self, on: ui.PaintContext, line: Rect, row: Standing) -> None:
        px, palette = on.style.px, on.style.palette
        names, cell, columns = self._columns(on.style, on.rect.width)
        on.text(line.midleft, row.cells[0], 13, palette.muted)
        left = line.left + px(_NUMBER)
        on.text((left, line.centery), row.cells[1], 13, room=line.left + names - left - px(8))
        for index, column in enumerate(columns):
            place = Rect(line.left + names + index * cell, line.top, cell, line.height)
            is_own = self.rows[column] is row
            is_lit = on.mouse is not None and place.collidepoint(on.mouse) and row.against[column]
            if is_own or is_lit:
                color = palette.line if is_own else palette.small
                ui.fill_rounded(on.surface, place.inflate(-px(6), -px(6)), px(4), color)
            if not is_own:
                on.text(place.center, row.against[column] or "·", 13, anchor="center")


def live_card(title: str, boards: Sequence[ui.Widget], waiting: str, palette: ui.Palette) -> ui.Widget:
    """Return the card of the live games, with spacers for missing ones; `waiting`: shown while there are none."""
    head = (ui.Spacer(height=14), ui.Label(title, 16, bold=True), ui.Spacer(height=10))
    games: ui.Widget = ui.FocusGroup((ui.Column(boards, 0, grow=True),), align="fill", grow=True)
    if not any(isinstance(board, LiveBoard) for board in boards):
        games = ui.Column((ui.Spacer(height=4), ui.Paragraph(waiting, 13, palette.muted)), 0, grow=True)
    return ui.Card(ui.Column((*head, games, ui.Spacer(height=12)), 0), (20, 0), palette.panel)


class LiveBoardState(FrozenDataclass):
    """The texts and the position of a live game."""

    black: str
    white: str
    board: BoardState
    note: str  # the number of moves, or the result
    score: str


class LiveBoard(ui.Button, kw_only=True):
    """A live game: its board, and texts at the right or below. Can be clicked if it has a command."""

    renderer: BoardRenderer
    live: LiveBoardState
    begin: ui.Button | None = None  # starts the user's game; such a game gets the room of two boards

    overhang = 3.0

    def measure(self, style: ui.Style, width: float) -> ui.Size:
        return ui.Size(width, (min(width, 300) + 80) * (1 if self.begin is None else 2))

    def _board_side(self, style: ui.Style, rect: Rect) -> tuple[int, bool]:
        """Return the side of the board in real pixels, and True if the texts are at the right."""
        height = rect.height if self.begin is None else rect.height // 2
        if rect.width >= style.px(360):
            return min(height - style.px(16), rect.width - style.px(140)), True
        return min(height - style.px(72), rect.width), False

    def layout_children(self, style: ui.Style, box: ui.Box, state: Mapping[str, Any]) -> ui.Parts:
        if self.begin is None:
            return
        length, is_beside = self._board_side(style, style.rect(box))
        side = length / style.scale
        beside = ui.Box(box.x + side + 16, box.y + 112, box.width - side - 16, BUTTON)
        yield self.begin, beside if is_beside else ui.Box(box.x, box.y + side + 80, box.width, BUTTON)

    def accessible(self, on: ui.PaintContext) -> ui.AccessibleNode:
        live = self.live
        text = ", ".join(filter(None, (f"{live.black} – {live.white}", live.note, live.score)))
        return ui.AccessibleNode("button", name=text, is_enabled=self.is_enabled, press=self.command)

    def draw(self, on: ui.PaintContext) -> None:
        style, px, live = on.style, on.style.px, self.live
        side, is_beside = self._board_side(style, on.rect)
        board = Rect(on.rect.topleft, (side, side))
        if on.is_lit and self.is_enabled:
            ui.fill_rounded(on.surface, board.inflate(2 * px(3), 2 * px(3)), px(6), style.palette.accent)
        self.renderer.draw(on.surface, self.renderer.layout_in(style, board, 2), live.board, 0.0)
        left, top = (board.right + px(16), board.top) if is_beside else (board.left, board.bottom + px(4))
        width = on.rect.right - left
        score = style.text(live.score, 16, bold=True)
        room = width if is_beside else width - score.get_width() - px(8)
        for index, (color, name) in enumerate(((Color.BLACK, live.black), (Color.WHITE, live.white))):
            y = top + px(10) + index * px(20)
            self.renderer.draw_token(on.surface, (left + px(7), y), px(14), color)
            on.text((left + px(20), y), name, 13, bold=True, room=room - px(20))
        y = top + px(46 if is_beside else 40)
        parts = live.note.split(" · ")
        for line in (line for part in parts for line in style.wrap(part, 12, width, 2 // len(parts))):
            y = on.text((left, y), line, 12, style.palette.muted, anchor="topleft").bottom
        at, anchor = ((left, y + px(2)), "topleft") if is_beside else ((on.rect.right, top + px(20)), "midright")
        on.image(score, anchor=anchor, at=at)
