"""Tic-tac-toe: crosses and noughts on dark squares."""

from typing import Final

from pygame import Surface

from othello.gui import ui
from othello.gui.boards.renderer import BoardRenderer, RuleExample
from othello.rules.protocol import Color, Move, Position
from othello.texts import tr

_STROKE_SHARE = 0.17  # width of strokes relative to a mark


class TicTacToeRenderer(BoardRenderer):
    """Draws X for black and O for white."""

    is_round = False
    sides = ("cross", "nought")
    example = "b2 a1 c1 b3 a3"
    lessons = (
        RuleExample("turns", moves="b2 a1", shows_legal=True),
        RuleExample("row", moves="a1 a2 b1 b2 c1"),
        RuleExample("column", moves="b1 a1 b2 c3 b3"),
        RuleExample("diagonal", moves="b2 b1 a1 c1 c3"),
        RuleExample("draw", moves="a1 c3 b2 b3 c2 c1 b1 a2 a3"),
    )

    def draw_piece(self, surface: Surface, centre: tuple[float, float], size: int, color: Color) -> None:
        mark = size * 3 // 4
        width = max(2.0, mark * _STROKE_SHARE)
        image = ui.ring(mark, width, self.palette.nought) if color else ui.cross(mark, width, self.palette.cross)
        surface.blit(image, image.get_rect(center=centre))

    def task(self, position: Position, last: Move | None, *, is_own: bool) -> tuple[str, str]:
        task, _ = super().task(position, last, is_own=is_own)
        return task, tr("turn.row", n=self.rules.spec.number("win_length"))

    def draw_token(self, surface: Surface, centre: tuple[float, float], size: int, color: Color) -> None:
        self.draw_piece(surface, centre, size * 5 // 4, color)


RENDERER: Final = TicTacToeRenderer
