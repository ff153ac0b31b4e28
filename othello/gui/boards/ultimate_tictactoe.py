"""Ultimate tic-tac-toe: nine small boards. A frame marks the boards with legal moves."""

from collections.abc import Iterator
from typing import Final

from pygame import Rect, Surface

from othello.gui import labels, ui
from othello.gui.boards.board_layout import BoardLayout, BoardState, TypedMove
from othello.gui.boards.renderer import RuleExample, tint
from othello.gui.boards.tictactoe import TicTacToeRenderer
from othello.rules.protocol import Color, Move, Position, Rules, Square
from othello.texts import tr

_WON: Final = (
    "3,3 7,9 1,9 2,7 5,1 6,1 9,3 9,7 8,3 5,8 4,6 2,8 6,4 9,1 8,2 6,6"
    " 9,9 9,8 8,4 6,3 8,9 6,8 7,6 2,9 6,9 8,8 4,5 3,5 8,6 4,8"
)
_MIN_TAG_CELL: Final = 24  # squares of this size, in design pixels, have room for labels
_SIDE = 9
_GAP_SHARE = 0.25  # gap between small boards, relative to a square
_VEIL_ALPHA = 175


class NineBoardsLayout(BoardLayout):
    """The layout of squares with a gap after every third one."""

    def square_rect(self, square: int) -> Rect:
        row, column = divmod(square, _SIDE)
        gap = round(self.cell * _GAP_SHARE)
        left, top = (self.cell * index + gap * (index // 3) for index in (column, row))
        return Rect(self.grid.left + left, self.grid.top + top, self.cell, self.cell)

    def square_at(self, point: tuple[int, int]) -> Square | None:
        squares = map(Square, range(_SIDE**2))
        return next((square for square in squares if self.square_rect(square).collidepoint(point)), None)

    def board_rect(self, board: int) -> Rect:
        """Return the place of a small board."""
        first, *others = map(self.square_rect, _squares(board))
        return first.unionall(others)


class UltimateRenderer(TicTacToeRenderer):
    """Draws a large mark over a small board that is won, and dims one that is drawn."""

    grid = "panel"
    strike_share = 0.16
    example = "4,5 2,6 5,9 5,8 6,6 7,9 1,8 2,5 6,5 9,6 7,8 3,5 8,5 5,5 6,4 9,1 7,2 3,6 9,8 9,5 7,5 2,4"

    lessons = (
        RuleExample("begin"),
        RuleExample("sent", moves="4,6"),
        RuleExample("won", moves="4,6 2,8 6,6 8,8 5,6"),
        RuleExample("free", moves="4,5 2,5 6,5 8,5 5,5"),
        RuleExample("end", moves=_WON),
    )

    def __init__(self, rules: Rules[Position], palette: ui.Palette) -> None:
        super().__init__(rules, palette)
        self.letters = "123456789"

    def layout_in(self, style: ui.Style, board: Rect, margin: int) -> NineBoardsLayout:
        cell = int((board.width - 2 * margin) / (_SIDE + 2 * _GAP_SHARE))
        side = _SIDE * cell + 2 * round(cell * _GAP_SHARE)
        grid = Rect().move_to(size=(side, side), center=board.center)
        return NineBoardsLayout(style, board, grid, margin, cell, _SIDE, self.is_round)

    def rest_name(self, rest: str) -> str:
        return tr("tasks.ultimate.any" if rest == "any" else f"tasks.ultimate.boards.{int(rest) - 1}")

    def draw_pieces(self, surface: Surface, layout: BoardLayout, state: BoardState, now: float) -> None:
        super().draw_pieces(surface, layout, state, now)
        assert isinstance(layout, NineBoardsLayout)
        rules, position = self.rules, state.position
        marks, owners = rules.owners(position), rules.block_owners(position)
        legal = set[Move]() if state.is_over else set(rules.legal_moves(position))
        for board, owner in enumerate(owners):
            rect = layout.board_rect(board)
            is_full = None not in {marks[square] for square in _squares(board)}
            if owner is not None or is_full:
                tint(surface, rect, self.palette.panel, _VEIL_ALPHA)
            if owner is not None:
                self.draw_piece(surface, rect.center, rect.width, owner)
            elif legal & {*_squares(board)}:
                edge = ui.box(rect.width + 8, layout.mark_style.px(3), self.palette.accent)
                surface.blit(edge, edge.get_rect(center=rect.center))
                lift = 8 if board // 3 else -4  # away from marks on squares and from the column numbers
                above = (rect.centerx, rect.top - round(lift * layout.mark_style.scale))
                is_choice = state.is_choice and state.captures
                has_values = state.report is not None  # values are drawn at the place of the label
                if is_choice and not has_values and layout.cell >= layout.style.px(_MIN_TAG_CELL):
                    _draw_tag(surface, layout, above, "here", self.palette.accent, self.palette.background)
            elif is_full:
                _draw_tag(surface, layout, rect.center, "draw", self.palette.background, self.palette.text)

    def task(self, position: Position, last: Move | None, *, is_own: bool) -> tuple[str, str]:
        boards = {_board(move) for move in self.rules.legal_moves(position)}
        task = tr(f"tasks.ultimate.boards.{min(boards)}" if len(boards) == 1 else "tasks.ultimate.any")
        if last is None:
            return task, tr("tasks.ultimate.begins")
        sent = last // _SIDE % 3 * 3 + last % 3
        if sent not in boards:
            board = tr(f"tasks.ultimate.boards.{sent}")
            return task, tr("tasks.ultimate.finished", board=board)
        mover, sides = position.to_move.opponent, [labels.side(self.rules, color) for color in Color]
        square = tr(f"tasks.ultimate.squares.{sent}")
        return task, tr(
            "tasks.ultimate.sends_you" if is_own else "tasks.ultimate.sends",
            square=square,
            side=sides[mover],
            move=f"{last // _SIDE + 1}, {last % _SIDE + 1}",
            other=sides[mover.opponent],
        )

    def square_name(self, square: int) -> str:
        row, column = divmod(square, _SIDE)
        return f"{row + 1}, {column + 1}"

    def why_not(self, position: Position, square: Square) -> str:
        boards, board = {_board(legal) for legal in self.rules.legal_moves(position)}, _board(square)
        if self.rules.owners(position)[square] is not None or not boards or board in boards:
            return super().why_not(position, square)
        if len(boards) == 1:
            name = tr(f"tasks.ultimate.boards.{min(boards)}")
            return tr("status.other_board", move=self.square_name(square), board=name)
        return tr("status.finished_board", move=self.square_name(square))

    def typed(self, before: str, letter: str, position: Position) -> TypedMove | None:
        """Add a digit to a typed move: its row, then its column, then Enter."""
        if len(before) != 1:
            row = tuple(range((int(letter) - 1) * _SIDE, int(letter) * _SIDE))
            return TypedMove(letter, tr("status.typed_row", typed=letter), (row,))
        row = tuple(range((int(before) - 1) * _SIDE, int(before) * _SIDE))
        column = tuple(range(int(letter) - 1, _SIDE**2, _SIDE))
        square = (int(before) - 1) * _SIDE + int(letter) - 1
        text = f"{before}, {letter}"
        return TypedMove(text, tr("status.typed_square", typed=text), (row, column, (square,)), Square(square))


def _board(square: int) -> int:
    """Return the small board of a square."""
    return square // _SIDE // 3 * 3 + square % _SIDE // 3


def _squares(board: int) -> Iterator[int]:
    """Return the squares of a small board."""
    first = board // 3 * 3 * _SIDE + board % 3 * 3
    return (first + row * _SIDE + column for row in range(3) for column in range(3))


def _draw_tag(
    surface: Surface, layout: BoardLayout, at: tuple[int, int], word: str, fill: ui.RGB, color: ui.RGB
) -> None:
    """Draw a label on or above a small board."""
    style = layout.mark_style
    text = style.text(tr(f"games.ultimate_tictactoe.{word}"), 12, color, bold=True)
    rect = text.get_rect(center=at).inflate(style.px(16), style.px(2))
    ui.fill_rounded(surface, rect, style.px(6), fill)
    surface.blit(text, text.get_rect(center=rect.center))


RENDERER: Final = UltimateRenderer
