"""Pictures on buttons."""

import pygame

from othello.gui.toolbar import icon

WHITE = (255, 255, 255)


def test_icons_of_opposite_directions_are_mirrored_and_steps_differ_from_ends() -> None:
    for one, other in (("first", "last"), ("back", "forward")):
        left, right = icon(one, 14, WHITE), icon(other, 14, WHITE)
        mirrored = pygame.transform.flip(left, True, False)
        assert pygame.image.tobytes(mirrored, "RGBA") == pygame.image.tobytes(right, "RGBA")
    assert icon("first", 14, WHITE).get_buffer().raw != icon("back", 14, WHITE).get_buffer().raw
