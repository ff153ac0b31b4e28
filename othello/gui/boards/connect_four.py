"""Connect Four: discs fall behind a blue board with round holes."""

from functools import lru_cache
from string import ascii_lowercase
from typing import Final

import numpy as np
from pygame import SRCALPHA, Rect, Surface

from othello.gui import ui
from othello.gui.boards.board_layout import BoardLayout, BoardState, TypedMove
from othello.gui.boards.renderer import BoardRenderer, RuleExample
from othello.rules.protocol import Color, Move, Position, Rules, Square
from othello.texts import tr

_DISCS: Final = (((228, 86, 78), (176, 42, 46)), ((252, 218, 104), (214, 160, 34)))  # middle and edge of red, of yellow
_FULL: Final = "6 2 2 5 6 7 1 7 3 6 3 3 3 1 1 5 6 1 3 1 5 3 1 5 4 2 2 5 6 5 7 4 4 2 7 7 6 7 2 4 4 4"
_BOARD: Final = (38, 74, 130)
_NAMES: Final = (190, 208, 236)
_HOLE_SHARE: Final = 0.84  # of a square's side
_GHOST_ALPHA: Final = 120  # of the preview of a disc


class ConnectFourRenderer(BoardRenderer):
    """Draws red discs, and yellow discs with a ring, which colour-blind users can distinguish."""

    is_round = False
    lessons = (
        RuleExample("drop", moves="4 4 5 3", pointed="5", shows_legal=True),
        RuleExample("row", moves="3 7 5 5 4 4 6"),
        RuleExample("column", moves="2 4 2 4 2 5 2"),
        RuleExample("diagonal", moves="1 4 3 4 3 4 4 2 3 1 2"),
        RuleExample("draw", moves=_FULL),
    )

    def __init__(self, rules: Rules[Position], palette: ui.Palette) -> None:
        super().__init__(rules, palette)
        self.letters = "".join(rules.column_names) + ascii_lowercase[: rules.columns]

    @property
    def colors(self) -> tuple[ui.RGB, ui.RGB]:
        return _DISCS[0][0], _DISCS[1][0]

    def draw_piece(self, surface: Surface, centre: tuple[float, float], size: int, color: Color) -> None:
        disc = _disc(size, color)
        surface.blit(disc, disc.get_rect(center=centre))

    draw_token = draw_piece

    def empty_board(self, size: int, margin: int, scale: float, names: bool) -> Surface:
        board = Surface((size, size), SRCALPHA)
        layout = self.layout_in(ui.Style(scale, self.palette), board.get_rect(), margin)
        frame = layout.grid.inflate(2 * margin, 2 * margin)
        ui.fill_rounded(board, frame, layout.style.px(12), _BOARD)
        hole = ui.circle(_hole(layout.cell), self.palette.background)
        for square in range(self.squares):
            board.blit(hole, hole.get_rect(center=layout.square_rect(square).center))
        if names:
            self.draw_coordinates(board, layout, frame, _NAMES)
        return board

    def moving(self, move: Move, captured: tuple[Square, ...]) -> tuple[Square, ...]:
        return self.rules.squares_of(move)

    def draw_pieces(self, surface: Surface, layout: BoardLayout, state: BoardState, now: float) -> None:
        owners = self.rules.owners(state.position)
        falling = () if state.flip is None else state.flip.squares
        for square, color in enumerate(owners):
            if color is not None and square not in falling:
                self.draw_piece(surface, layout.square_rect(square).center, _hole(layout.cell), color)
        for square in falling:
            color = owners[square]
            if color is not None and state.flip is not None:
                self._draw_falling(surface, layout, square, color, state.flip.share(now) ** 2)

    def _draw_falling(self, surface: Surface, layout: BoardLayout, square: Square, color: Color, share: float) -> None:
        """Draw a falling disc behind the board, at a `share` of its way from above the board to its square."""
        end = layout.square_rect(square)
        column = Rect(end.left, layout.grid.top, layout.cell, layout.grid.height)
        behind = Surface(column.size, SRCALPHA)
        top = round((end.bottom - column.top) * share) - layout.cell
        self.draw_piece(behind, (layout.cell // 2, top + layout.cell // 2), _hole(layout.cell), color)
        for row in range(self.rules.rows):
            behind.blit(_around_hole(layout.cell), (0, row * layout.cell))
            at = layout.square_rect(row * self.rules.columns + square % self.rules.columns)
            seen = behind.subsurface((0, row * layout.cell, layout.cell, layout.cell))
            surface.blit(seen, at)

    def draw_preview(self, surface: Surface, layout: BoardLayout, state: BoardState) -> None:
        """Draw the disc on the square to which it would fall."""
        move = self.pointed_move(state)
        if move is not None:
            disc = _disc(_hole(layout.cell), state.position.to_move).copy()
            disc.set_alpha(_GHOST_ALPHA)
            surface.blit(disc, disc.get_rect(center=layout.square_rect(move).center))

    def square_at(self, layout: BoardLayout, point: tuple[int, int], position: Position) -> Square | None:
        if not layout.board.collidepoint(point):
            return None
        above_or_below = min(max(point[1], layout.grid.top), layout.grid.bottom - 1)
        return super().square_at(layout, (point[0], above_or_below), position)

    def square_name(self, square: int) -> str:
        row, column = divmod(square, self.rules.columns)
        return tr("spoken.stacked", column=self.rules.column_names[column], row=self.rules.rows - row)

    def typed(self, before: str, letter: str, position: Position) -> TypedMove | None:
        """Return the move of a column, which needs one character."""
        (square,) = self.rules.squares_of(self.rules.parse_move(position, letter))
        return TypedMove(letter, tr("status.typed_move", typed=letter), ((square,),), square, is_complete=True)


def _hole(cell: int) -> int:
    """Return the diameter of a hole and of a disc."""
    return round(cell * _HOLE_SHARE)


@lru_cache(maxsize=64)
def _disc(diameter: int, color: Color) -> Surface:
    """Return a disc with a soft edge."""
    middle, edge = _DISCS[color]
    distance = ui.distance_from(diameter, diameter / 2, diameter / 2)
    mix = np.clip(distance / (diameter / 2), 0.0, 1.0)[..., None] ** 3
    colors = (1 - mix) * np.array(middle) + mix * np.array(edge)
    if color is Color.WHITE:
        on_ring = ui.inside(distance, diameter * 0.31) - ui.inside(distance, diameter * 0.23)
        colors = (1 - on_ring[..., None]) * colors + on_ring[..., None] * np.array(edge) * 0.72
    return ui.surface_of(colors, ui.inside(distance, diameter / 2 - 0.5))


@lru_cache(maxsize=8)
def _around_hole(cell: int) -> Surface:
    """Return a square of the board with a hole."""
    return ui.surface_of(_BOARD, 1 - ui.inside(ui.distance_from(cell, cell / 2, cell / 2), _hole(cell) / 2 - 0.5))


RENDERER: Final = ConnectFourRenderer
