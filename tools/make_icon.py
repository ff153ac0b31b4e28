"""Draw the program's icon: `python -m tools.make_icon` writes assets/desktop/icons/SIZE/othello.png."""

import pygame

from othello.gui.boards.renderer import renderer_for
from othello.gui.preferences import palette_named
from othello.gui.toolkit.shapes import fill_rounded
from othello.resources import asset
from othello.rules.protocol import Color
from othello.rules.registry import game_spec

SIZES = (48, 256)


def draw(size: int) -> pygame.Surface:
    """Draw a board square with a disc of each colour, with this width in pixels."""
    icon = pygame.Surface((size, size), pygame.SRCALPHA)
    fill_rounded(icon, icon.get_rect(), size // 6, palette_named("dark").square_light)
    face = renderer_for(game_spec(), palette_named())
    for color, (x, y) in zip(Color, ((0.37, 0.38), (0.62, 0.62)), strict=True):
        face.draw_piece(icon, (size * x, size * y), size * 11 // 20, color)
    return icon


if __name__ == "__main__":
    for size in SIZES:
        path = asset(f"desktop/icons/{size}x{size}/othello.png")
        path.parent.mkdir(parents=True, exist_ok=True)
        pygame.image.save(draw(size), path)
