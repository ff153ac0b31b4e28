"""Othello: discs on green squares, which are flipped."""

import math
from functools import lru_cache
from typing import Final

import numpy as np
from pygame import Surface, transform

from othello.gui import ui
from othello.gui.boards.board_layout import FLIP_SECONDS, BoardLayout, BoardState, FlipAnimation
from othello.gui.boards.renderer import BoardRenderer, RuleExample
from othello.rules.protocol import Color

_STAR: Final = "X--X--X- -O-O-O-- --OOO--- XOO-OOX- --OOO--- -O-O-O-- X--X--X- -------- X"
_PASS: Final = "-------- -----O-O -----OO- ---OOO-- ---OOOOX -OOOOOOX ---OOOOX ---O---- X"  # after a pass of white
_END: Final = "XXXOOOXX XXOOOOOX XXXOOOOX XXOOOXXX XOOOOOXX XXOXXXOX XXXOOOXX OXXXXXXX X"
_TURN_SECONDS: Final = 0.19  # per disc; discs further from the move start later
_TURN_FRAMES: Final = 10
_RIM_SHARE: Final = 0.06  # width of the rim and thickness of a disc, relative to the diameter
_EDGE_SHARE: Final = 0.08


class OthelloRenderer(BoardRenderer):
    """Draws discs with soft light and shadow."""

    frame, grid, coordinate = "frame", "grid", "coordinate"
    has_captures = True
    example, example_side = "", 4
    shades = ("square_light", "square_dark")
    lessons = (
        RuleExample("start", shows_legal=True),
        RuleExample("capture", board=_STAR, pointed="d4"),
        RuleExample("turned", board=_STAR, moves="d4"),
        RuleExample("pass", board=_PASS, shows_legal=True),
        RuleExample("end", board=_END),
    )

    def draw_piece(self, surface: Surface, centre: tuple[float, float], size: int, color: Color) -> None:
        _draw_disc(surface, centre, _disc(size, self._shades(color)), _shadow(size))

    def draw_pieces(self, surface: Surface, layout: BoardLayout, state: BoardState, now: float) -> None:
        size, flip = layout.piece, state.flip
        for square, color in enumerate(self.rules.owners(state.position)):
            if color is None:
                continue
            image, ground = _disc(size, self._shades(color)), _shadow(size)
            if flip is not None and square in flip.squares:
                phase = self._phase(flip, square, now)
                frame = round((1 - abs(2 * phase - 1)) * _TURN_FRAMES)
                image = _turning(_disc(size, self._shades(color if phase > 0.5 else color.opponent)), frame)
                ground = _turning(ground, frame)
            _draw_disc(surface, layout.square_rect(square).center, image, ground)

    def _shades(self, color: Color) -> tuple[ui.RGB, ui.RGB, ui.RGB | None]:
        """Return the colours of a disc's middle, edge and rim. Flat discs have a rim in the other side's colour."""
        palette = self.palette
        black, white = (palette.black_centre, palette.black_edge), (palette.white_centre, palette.white_edge)
        (centre, edge), (other, _) = (white, black) if color is Color.WHITE else (black, white)
        return centre, edge, other if centre == edge else None

    def _phase(self, flip: FlipAnimation, square: int, now: float) -> float:
        """Return how far a disc is flipped, from 0 to 1."""
        (row, column), (from_row, from_column) = (divmod(at, self.rules.columns) for at in (square, flip.path[-1]))
        distance = max(abs(row - from_row), abs(column - from_column))
        delay = (FLIP_SECONDS - _TURN_SECONDS) * (distance - 1) / (self.rules.columns - 2)
        elapsed = (now - flip.began) * FLIP_SECONDS / flip.seconds
        return min(1.0, max(0.0, (elapsed - delay) / _TURN_SECONDS))


def _draw_disc(surface: Surface, centre: tuple[float, float], image: Surface, ground: Surface) -> None:
    """Draw a disc, and its shadow `ground` a little lower."""
    drop = max(1, round(image.get_height() * 0.045))
    surface.blit(ground, ground.get_rect(center=(centre[0], centre[1] + drop)))
    surface.blit(image, image.get_rect(center=centre))


@lru_cache(maxsize=64)
def _disc(diameter: int, colors: tuple[ui.RGB, ui.RGB, ui.RGB | None]) -> Surface:
    """Return a disc lit from the upper left. The colours are those of its middle, edge and rim."""
    centre, edge, rim = colors
    if rim is not None:
        return ui.ring(diameter, max(1.5, diameter * _RIM_SHARE), rim, centre, 1.0)
    light = ui.distance_from(diameter, diameter * 0.43, diameter * 0.41) / (diameter * 0.60)
    mix = np.clip((light - 0.22) / 0.78, 0.0, 1.0)
    mix = (mix * mix * (3 - 2 * mix))[..., None]
    distance = ui.distance_from(diameter, diameter / 2, diameter / 2)
    return ui.surface_of((1 - mix) * np.array(centre) + mix * np.array(edge), ui.inside(distance, diameter / 2 - 0.5))


@lru_cache(maxsize=16)
def _shadow(diameter: int) -> Surface:
    """Return the shadow of a disc: a soft circle that is a quarter larger."""
    size = round(diameter * 1.25)
    blur = max(1.0, diameter * 0.09)
    distance = ui.distance_from(size, size / 2, size / 2)
    edge = np.clip((diameter / 2 + blur - distance) / (2 * blur), 0.0, 1.0)
    return ui.surface_of((0, 0, 0), edge * edge * (3 - 2 * edge) * 0.42)


@lru_cache(maxsize=160)
def _turning(image: Surface, frame: int) -> Surface:
    """Return a disc or its shadow while it is flipped: flat in frame 0, seen from the side in frame `_TURN_FRAMES`."""
    width, height = image.get_size()
    share = max(_EDGE_SHARE, math.cos(frame / _TURN_FRAMES * math.pi / 2))
    return transform.smoothscale(image, (round(width * share), height))


RENDERER: Final = OthelloRenderer
