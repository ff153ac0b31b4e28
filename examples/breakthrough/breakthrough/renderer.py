"""Breakthrough in the window: pawns on a chequered board."""

from typing import Final

from pygame import Surface

from othello.gui import ui
from othello.gui.boards.renderer import BoardRenderer, RuleExample
from othello.rules.protocol import Color

_RACE: Final = "OO--OOOO OO-OO-OO ---X---- ----O--- --O--X-- ---X---- XXX-XXXX XXXX-XXX X"
_LAST: Final = "-O-O--O- ------X- ---O---- -------- --X--O-- ------X- -X------ --XX---- X"


class BreakthroughRenderer(BoardRenderer):
    """Draws pawns."""

    frame, grid, coordinate = "frame", "grid", "coordinate"
    shades = ("square_light", "square_dark")
    example = "b2b3 c7c6 e2e3 e7e6 d2d3 f7f6 g2g3 c6c5"
    lessons = (
        RuleExample("start"),
        RuleExample("step", board=_RACE, pointed="d3e4", shows_legal=True),
        RuleExample("capture", board=_RACE, pointed="f4e5", shows_legal=True),
        RuleExample("win", board=_LAST, moves="g7f8"),
    )

    def draw_piece(self, surface: Surface, centre: tuple[float, float], size: int, color: Color) -> None:
        """Draw a pawn: a head on a body."""
        x, y = centre
        for fill, edge in ((self.colors[color.opponent], size / 24), (self.colors[color], 0)):
            low, high, wide, slim = y + size * 0.4 + edge, y - size * 0.1, size * 0.3 + edge, size * 0.1 + edge
            ui.fill_polygon(surface, fill, ((x - wide, low), (x - slim, high), (x + slim, high), (x + wide, low)))
            head = ui.circle(round(size * 0.44 + 2 * edge), fill)
            surface.blit(head, head.get_rect(center=(x, y - size * 0.2)))

    draw_token = draw_piece


RENDERER: Final = BreakthroughRenderer
