"""The base class of board renderers. A game's own renderer overrides what is different."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from math import inf
from string import ascii_lowercase, digits
from typing import ClassVar, Final

import pygame
from pygame import Rect, Surface

from othello.frozen_dataclass import FrozenDataclass
from othello.gui import labels, ui
from othello.gui.boards.board_layout import (
    BoardLayout,
    BoardState,
    TypedMove,
    draw_choice,
    draw_report,
    odd,
    value_text,
)
from othello.rules.protocol import Color, GameSpec, Move, Position, Rules, Square
from othello.rules.registry import package_of_game, rules_of
from othello.search.report import MoveStats, SearchReport
from othello.texts import tr


@cache
def renderer_type(game: str) -> type[BoardRenderer]:
    """Return the renderer class of a game: `RENDERER` of its module here or in its package, or `BoardRenderer`."""
    package = package_of_game(game)
    name = f"{__package__}.{game}" if package is None else f"{package}.renderer"
    module = import_module(name) if find_spec(name) else None
    result: type[BoardRenderer] = getattr(module, "RENDERER", BoardRenderer)
    return result


@cache
def renderer_for(spec: GameSpec, palette: ui.Palette) -> BoardRenderer:
    """Return the renderer of a game in the colours of a theme."""
    return renderer_type(spec.game)(rules_of(spec), palette)


_DOT_EDGE: Final = (7, 9, 11)  # outline of the last move's dot and of winning lines, visible on all pieces
_PREVIEW_SHARE: Final = 0.42  # size of the new owner's piece, relative to the piece below


class RuleExample(FrozenDataclass):
    """A small board that explains a rule, above the text `how_to_play.GAME.NAME`."""

    name: str
    moves: str = ""  # a transcript from `board`
    board: str = ""  # a board text; empty: the initial position
    pointed: str = ""  # the move under the mouse
    shows_legal: bool = False  # mark all legal moves


class BoardRenderer:
    """Draws a game's board and pieces, and translates mouse and keys into moves.

    Attributes:
        squares: the number of squares.
        letters: the characters with which moves are typed; these keys have no other use in the game.
    """

    # Colours, as names in a theme.
    frame: ClassVar[str] = "panel"
    grid: ClassVar[str] = "background"
    shades: ClassVar[tuple[str, str]] = ("raised", "raised")  # of light and dark squares
    coordinate: ClassVar[str] = "muted"
    sides: ClassVar[tuple[str, str]] = ("black_edge", "white_centre")

    is_round: ClassVar[bool] = True  # marks on squares are rings; False for games whose pieces are rings
    has_captures: ClassVar[bool] = False  # moves capture pieces, which are counted
    strike_share: ClassVar[float] = 0.08  # width of the line through a winning row, relative to a square
    example: ClassVar[str | None] = None  # moves to a typical position for the game's picture; None: some moves
    example_side: ClassVar[int] = 0  # number of central rows and columns to show of it; 0: all
    lessons: ClassVar[tuple[RuleExample, ...]] = ()  # three to five, which explain the rules

    def __init__(self, rules: Rules[Position], palette: ui.Palette) -> None:
        self.rules, self.palette = rules, palette
        self.squares = rules.columns * rules.rows
        self.letters = ascii_lowercase[: rules.columns] + (digits if rules.rows > 9 else digits[1 : rules.rows + 1])

    # Pieces

    @property
    def colors(self) -> tuple[ui.RGB, ui.RGB]:
        """The colours of the two sides, for places without room for a piece."""
        black, white = self.sides
        return getattr(self.palette, black), getattr(self.palette, white)

    def draw_piece(self, surface: Surface, centre: tuple[float, float], size: int, color: Color) -> None:
        """Draw a piece, on the board or beside the name of a side."""
        piece = ui.ring(size, max(1, size // 20), self.palette.muted, self.colors[color])
        surface.blit(piece, piece.get_rect(center=centre))

    def draw_token(self, surface: Surface, centre: tuple[float, float], size: int, color: Color) -> None:
        """Draw the symbol of a side in a line of text."""
        edge = self.palette.muted if color is Color.BLACK else self.palette.token_edge
        token = ui.ring(size, size / 12, edge, self.colors[color])
        surface.blit(token, token.get_rect(center=centre))

    def logo(self, size: int) -> Surface:
        """Return the logo of the game, `size` pixels high."""
        image = Surface((size * 8 // 5, size), pygame.SRCALPHA)
        for color, x in zip(Color, (size // 2, image.get_width() - size // 2), strict=True):
            self.draw_piece(image, (x, size // 2), size, color)
        return image

    # Board

    def layout_in(self, style: ui.Style, board: Rect, margin: int) -> BoardLayout:
        """Lay out the board as large as possible inside the square `board`, with a margin for the coordinates."""
        cell = (board.width - 2 * margin) // max(self.rules.columns, self.rules.rows)
        grid = Rect().move_to(size=(cell * self.rules.columns, cell * self.rules.rows), center=board.center)
        return BoardLayout(style, board, grid, margin, cell, self.rules.columns, self.is_round)

    def draw(self, surface: Surface, layout: BoardLayout, state: BoardState, now: float) -> None:
        """Draw the board with everything on it. `now` is the time in seconds, for animations."""
        empty = _empty_board(self, layout.board.width, layout.margin, layout.style.scale, state.shows_coordinates)
        surface.blit(empty, layout.board)
        if state.typed is not None:
            for group in state.typed.lit:
                first, *others = (layout.square_rect(square) for square in group)
                tint(surface, first.unionall(others), self.palette.hint, 22)
        self.draw_pieces(surface, layout, state, now)
        for square, color in enumerate(state.pieces):
            if color is not None:
                self.draw_piece(surface, layout.square_rect(square).center, layout.piece, color)
        for line in self.rules.won_lines(state.position):
            start, end = (layout.square_rect(square).center for square in (line[0], line[-1]))
            width = max(3, int(layout.cell * self.strike_share))
            pygame.draw.line(surface, _DOT_EDGE, start, end, width + 2)
            pygame.draw.line(surface, self.palette.last_move, start, end, width)
        self._draw_legal(surface, layout, state)
        self.draw_preview(surface, layout, state)
        for square in () if state.last_move is None else self.rules.squares_of(state.last_move):
            size = odd(max(7, layout.cell * 0.2))
            dot = ui.ring(size, max(1.0, size / 8), _DOT_EDGE, self.palette.last_move)
            surface.blit(dot, dot.get_rect(center=layout.square_rect(square).center))
        if state.report is not None:
            values = self.values(state.report, state.picked)
            origins = [square for square, moves in values.items() if not self.is_last(moves[0].move, state.picked)]
            draw_report(surface, layout, state, values, origins)
        elif state.hint is not None:
            draw_choice(surface, layout, self.rules.squares_of(state.hint), self.palette.best_value, is_right=True)
        if state.cursor is not None:
            _draw_cursor(surface, layout, layout.square_rect(state.cursor))

    # The squares of a move are chosen one after the other. Before a piece is picked, its square stands for all of its
    # moves; then each target stands for one of them.

    def next_square(self, move: Move, picked: tuple[Square, ...]) -> Square | None:
        """Return the square of a move after the picked ones; None for a pass and for moves of other pieces."""
        squares = self.rules.squares_of(move)
        return squares[len(picked)] if len(squares) > len(picked) and squares[: len(picked)] == picked else None

    def is_last(self, move: Move, picked: tuple[Square, ...]) -> bool:
        """Return whether one square more than the picked ones completes a move."""
        return len(self.rules.squares_of(move)) == len(picked) + 1

    def moves_on(self, position: Position, squares: tuple[Square, ...]) -> list[Move]:
        """Return the legal moves whose squares begin with these."""
        moves = self.rules.legal_moves(position) if squares else ()
        return [move for move in moves if self.rules.squares_of(move)[: len(squares)] == squares]

    def by_square(self, moves: Iterable[Move], picked: tuple[Square, ...]) -> dict[Square, list[Move]]:
        """Return the moves that a click on each square can lead to, in their order."""
        result: defaultdict[Square, list[Move]] = defaultdict(list)
        for move in moves:
            square = self.next_square(move, picked)
            if square is not None:
                result[square].append(move)
        return dict(result)

    def values(self, report: SearchReport | None, picked: tuple[Square, ...]) -> dict[Square, list[MoveStats]]:
        """Return the moves of a search that each square stands for, the best first. The value of the best is shown."""
        known = {} if report is None else {stats.move: stats for stats in report.moves}
        moves = sorted(known, key=lambda move: _rank(known[move]), reverse=True)
        return {square: [known[move] for move in here] for square, here in self.by_square(moves, picked).items()}

    def pointed_move(self, state: BoardState) -> Move | None:
        """Return the legal move under the mouse, or else under the cursor; None if another square completes it."""
        moves = self.by_square(state.captures, state.picked)
        here = next((moves[square] for square in (state.hover, state.cursor) if square in moves), [])
        return here[0] if here and self.is_last(here[0], state.picked) else None

    def moving(self, move: Move, captured: tuple[Square, ...]) -> tuple[Square, ...]:
        """Return the squares to animate after a move: those of a moved piece, or those that change their owner."""
        squares = self.rules.squares_of(move)
        return squares if len(squares) > 1 else captured

    def rest_name(self, rest: str) -> str:
        """Return the label of one of the rules' `extra_state_options`."""
        return rest

    def draw_pieces(self, surface: Surface, layout: BoardLayout, state: BoardState, now: float) -> None:
        """Draw the pieces on the squares, and a moved piece on its way."""
        owners, flip = self.rules.owners(state.position), state.flip
        start, *_, end = (-1, -1) if flip is None or len(flip.squares) < 2 else flip.squares
        if flip is not None and owners[start] is not None:  # the move was taken back
            start, end = end, start
        for square, color in enumerate(owners):
            if color is not None:
                at = pygame.Vector2(layout.square_rect(square).center)
                if flip is not None and square == end:
                    at = pygame.Vector2(layout.square_rect(start).center).lerp(at, flip.share(now))
                self.draw_piece(surface, (round(at.x), round(at.y)), layout.piece, color)

    def empty_board(self, size: int, margin: int, scale: float, names: bool) -> Surface:
        """Return the empty board, with coordinates if `names`."""
        board = Surface((size, size), pygame.SRCALPHA)
        layout = self.layout_in(ui.Style(scale, self.palette), board.get_rect(), margin)
        ui.fill_rounded(board, layout.board, layout.style.px(12), getattr(self.palette, self.frame))
        ui.fill_rounded(board, layout.grid.inflate(4, 4), layout.style.px(4), getattr(self.palette, self.grid))
        for square in range(self.squares):
            shade = getattr(self.palette, self.shades[sum(divmod(square, self.rules.columns)) % 2])
            ui.fill_rounded(board, layout.square_rect(square).inflate(-2, -2), layout.style.px(3), shade)
        if names and layout.grid.left >= layout.style.px(12):  # otherwise, there is no room
            self.draw_coordinates(board, layout, layout.board, getattr(self.palette, self.coordinate))
        return board

    def draw_coordinates(self, board: Surface, layout: BoardLayout, frame: Rect, color: ui.RGB) -> None:
        """Draw the names of columns and rows between the squares and the edge of the frame."""
        size = min(12, 0.75 * min(layout.grid.left - frame.left, layout.cell) / layout.style.scale)
        for column, name in enumerate(self.rules.column_names):
            text = layout.style.text(name, size, color, bold=True)
            x = layout.square_rect(column).centerx
            ui.blit_text(board, text, anchor="center", at=(x, (frame.top + layout.grid.top) / 2 - layout.style.px(2)))
        for row, name in enumerate(self.rules.row_names):
            text = layout.style.text(name, size, color, bold=True)
            y = layout.square_rect(row * self.rules.columns).centery
            ui.blit_text(board, text, anchor="center", at=((frame.left + layout.grid.left) / 2, y))

    def _draw_legal(self, surface: Surface, layout: BoardLayout, state: BoardState) -> None:
        """Mark legal moves and their captures; in a corner of squares with a search value."""
        searched, owners = self.values(state.report, state.picked).keys(), self.rules.owners(state.position)
        hint, (black, white) = (self.palette.hint, self.palette.hint_text), self.colors
        inks = {None: hint, Color.BLACK: (white, white), Color.WHITE: (black, black)}  # of marks, by the piece below
        for picked in state.picked:
            layout.outline(surface, layout.square_rect(picked), layout.piece, layout.style.px(3), self.palette.accent)
        for square, captured in self._counts(state.captures, state.picked).items():
            if not state.shows_legal and square != state.hover:
                continue
            rect, is_hovered = layout.square_rect(square), square == state.hover
            count = captured if state.shows_counts and state.others is None and captured else None
            if square not in searched:
                _draw_mark(surface, layout, state, square, count, inks[owners[square]])
            elif count is not None and layout.has_corners:  # beside the search value
                label = layout.style.text(f"+{count}", 12, layout.style.palette.hint_text, bold=True)
                ui.blit_text(surface, label, anchor="topright", at=(rect.right - layout.style.px(4), rect.top))
            if is_hovered:
                layout.outline(surface, rect, layout.piece, layout.style.px(1.5), self.palette.hint)
        if state.others is not None:
            self._draw_options(surface, layout, state, searched)

    def _counts(self, captures: Mapping[Move, int], picked: tuple[Square, ...]) -> dict[Square, int]:
        """Return the captures of the move to each square; if several moves lead to it, the most captures."""
        moves = self.by_square(captures, picked)
        return {square: max(map(captures.__getitem__, here)) for square, here in moves.items()}

    def _draw_options(
        self, surface: Surface, layout: BoardLayout, state: BoardState, searched: Collection[Square]
    ) -> None:
        """Draw how many pieces each side would capture on a square: black's number above, white's below."""
        assert state.others is not None
        mover = state.position.to_move
        for color, counts in ((mover, state.captures), (mover.opponent, state.others)):
            for square, count in self._counts(counts, state.picked).items():
                has_value, rect = square in searched, layout.square_rect(square)
                is_marked, has_room = state.shows_legal or square == state.hover, layout.has_corners or not has_value
                if not (count and is_marked and has_room):
                    continue
                size = odd(layout.cell * (0.26 if has_value else 0.44))
                near, far = size / 2 + layout.cell * 0.03, layout.cell - size / 2 - layout.cell * 0.03
                x, y = (far if has_value or color else near), (far if color else near)
                at = (rect.left + round(x), rect.top + round(y))
                self.draw_token(surface, at, size, color)
                points = 0.6 * size / layout.style.scale
                number = layout.style.text(str(count), points, self.colors[color.opponent], bold=True)
                ui.blit_text(surface, number, anchor="center", at=at)

    def draw_preview(self, surface: Surface, layout: BoardLayout, state: BoardState) -> None:
        """Draw the new owner on every piece that the move under the mouse or the cursor would flip."""
        move = self.pointed_move(state)
        for square in () if move is None else self.rules.captured(state.position, move):
            at = layout.square_rect(square).center
            self.draw_piece(surface, at, round(layout.piece * _PREVIEW_SHARE), state.position.to_move)

    def task(self, position: Position, last: Move | None, *, is_own: bool) -> tuple[str, str]:
        """Return the task of the side to move and the reason for it; empty if the board needs no explanation.

        Args:
            position: the current position.
            last: the move before; None at the start.
            is_own: True if the user is to move.
        """
        return tr(f"tasks.{self.rules.name}", "", side=labels.side(self.rules, position.to_move)), ""

    def square_name(self, square: int) -> str:
        """Return the name of a square."""
        row, column = divmod(square, self.rules.columns)
        return f"{self.rules.column_names[column]}{self.rules.row_names[row]}"

    def square_description(self, state: BoardState, square: Square, color: Color | None) -> str:
        """Describe a square for screen readers: name, owner of its piece, marks. `color` None: no piece."""
        parts = [self.square_name(square), tr("spoken.empty") if color is None else labels.side(self.rules, color)]
        parts += [tr("spoken.picked")] if square in state.picked else []
        moves = self.by_square(state.captures, state.picked).get(square, [])
        if moves and (state.shows_legal or square in (state.hover, state.cursor)):
            count = max(map(state.captures.__getitem__, moves)) if self.has_captures else 0
            parts += [tr("spoken.legal" if self.is_last(moves[0], state.picked) else "spoken.movable")]
            parts += [tr("spoken.captures", n=count)] if count else []
        stats = next(iter(self.values(state.report, state.picked).get(square, ())), None)
        if state.report is not None and stats is not None and stats.value is not None:
            parts += self._value_words(state, state.report, stats)
        for text, move in ((tr("spoken.hint"), state.hint), (tr("spoken.last"), state.last_move)):
            parts += [text] if move is not None and square in self.rules.squares_of(move) else []
        return ", ".join(parts)

    def _value_words(self, state: BoardState, report: SearchReport, stats: MoveStats) -> Iterator[str]:
        yield tr("spoken.value", value=value_text(report, stats))
        if stats == report.best_value:
            yield tr("legend.best")
        else:
            loss, sign = state.losses.get(stats.move, ("", ""))
            yield from filter(None, (loss, labels.mistake(sign)))

    def why_not(self, position: Position, square: Square) -> str:
        """Return why no move begins on a square."""
        name = self.square_name(square)
        if any(len(self.rules.squares_of(move)) > 1 for move in self.rules.legal_moves(position)):
            return tr("status.cannot_move", square=name)
        is_taken = self.rules.owners(position)[square] is not None
        return tr("status.taken" if is_taken else "status.illegal", move=name)

    # Mouse and keys

    def square_at(self, layout: BoardLayout, point: tuple[int, int], position: Position) -> Square | None:
        """Return the square that a point of the window means, as a choice of a move."""
        square = layout.square_at(point)
        return None if square is None else self.rules.pointed_square(position, square)

    def typed(self, before: str, letter: str, position: Position) -> TypedMove | None:
        """Add a character to a typed square: a letter for the column, then digits for the row.

        Returns:
            None if the character cannot follow `before`.
        """
        columns, rows = self.rules.column_names, self.rules.row_names
        if letter in columns:
            column = tuple(range(columns.index(letter), self.squares, len(columns)))
            return TypedMove(letter, tr("status.typed", typed=letter, rows=len(rows)), (column,))
        text = before + letter
        if not before or text[1:] not in rows:
            return None
        square = Square(rows.index(text[1:]) * len(columns) + columns.index(before[0]))
        is_complete = sum(row.startswith(text[1:]) for row in rows) == 1
        return TypedMove(text, tr("status.typed_move", typed=text), ((square,),), square, is_complete=is_complete)

    def moved(
        self, cursor: Square | None, position: Position, columns: int, rows: int, picked: tuple[Square, ...] = ()
    ) -> Square:
        """Move the cursor, wrapping around at the edges. A hidden cursor appears on a legal square."""
        width, height = self.rules.columns, self.rules.rows
        if cursor is None:
            legal = self._legal_squares(position, picked)
            return next(iter(legal), Square((height - 1) // 2 * width + (width - 1) // 2))
        row, column = divmod(cursor, width)
        square = Square((row + rows) % height * width + (column + columns) % width)
        return self.rules.pointed_square(position, square)

    def next_legal(
        self, cursor: Square | None, position: Position, steps: int, picked: tuple[Square, ...] = ()
    ) -> Square | None:
        """Return the next (`steps` 1) or previous (-1) legal square in reading order, wrapping around at the ends."""
        legal = self._legal_squares(position, picked)
        if not legal:
            return cursor
        if cursor is None:
            return legal[0 if steps > 0 else -1]
        index = bisect_right(legal, cursor) if steps > 0 else bisect_left(legal, cursor) - 1
        return legal[index % len(legal)]

    def _legal_squares(self, position: Position, picked: tuple[Square, ...]) -> list[Square]:
        return sorted(self.by_square(self.rules.legal_moves(position), picked))


def _rank(stats: MoveStats) -> tuple[float, int]:
    return -inf if stats.value is None else stats.value, stats.visits


@lru_cache(maxsize=6)  # several megabytes each
def _empty_board(renderer: BoardRenderer, size: int, margin: int, scale: float, names: bool) -> Surface:
    """Return `BoardRenderer.empty_board` from a cache."""
    return renderer.empty_board(size, margin, scale, names)


def _draw_mark(
    surface: Surface, layout: BoardLayout, state: BoardState, square: Square, count: int | None, inks: Sequence[ui.RGB]
) -> None:
    """Mark a legal square, with the number of captured pieces if `count` is given. It is only outlined if no choice."""
    rect, is_hovered = layout.square_rect(square), square == state.hover
    if not state.is_choice:
        wide = odd(layout.cell * (0.17 if count is None else 0.5))
        layout.outline(surface, rect, wide, layout.style.px(1), inks[0])
    else:
        wide = odd(layout.cell * (0.3 if is_hovered else 0.17)) if count is None else round(layout.cell * 0.59)
        mark = ui.circle(wide, inks[0], 0.36 if count is None else 0.14)
        surface.blit(mark, mark.get_rect(center=rect.center))
    if count is not None:
        size = min(max(13, layout.cell * 0.22 / layout.style.scale), layout.cell * 0.4 / layout.style.scale)
        number = layout.style.text(str(count), size, inks[1], bold=True)
        ui.blit_text(surface, number, anchor="center", at=rect.center)


def _draw_cursor(surface: Surface, layout: BoardLayout, rect: Rect) -> None:
    """Draw the corners of a square, a shape that no piece and no mark has."""
    width, arm = layout.style.px(3), layout.cell // 4
    rect = rect.inflate(-2, -2)
    for x, dx in ((rect.left, 1), (rect.right, -1)):
        for y, dy in ((rect.top, 1), (rect.bottom, -1)):
            surface.fill(layout.style.palette.accent, (min(x, x + dx * arm), min(y, y + dy * width), arm, width))
            surface.fill(layout.style.palette.accent, (min(x, x + dx * width), min(y, y + dy * arm), width, arm))


def tint(surface: Surface, rect: Rect, color: ui.RGB, alpha: int) -> None:
    """Draw a translucent rectangle; an `alpha` of 255 is opaque."""
    veil = Surface(rect.size, pygame.SRCALPHA)
    veil.fill((*color, alpha))
    surface.blit(veil, rect)
