"""Pictures on buttons."""

import pygame

from othello.gui.toolbar import icon

WHITE = (255, 255, 255)


def test_pictures_that_point_the_other_way_are_mirrored() -> None:
    for one, other in (("first", "last"), ("back", "forward")):
        left, right = icon(one, 14, WHITE), icon(other, 14, WHITE)
        assert pygame.image.tobytes(pygame.transform.flip(left, True, False), "RGBA") == pygame.image.tobytes(
            right, "RGBA"
        )


def test_ends_and_steps_differ() -> None:
    assert icon("first", 14, WHITE).get_buffer().raw != icon("back", 14, WHITE).get_buffer().raw
