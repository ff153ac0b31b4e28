"""A change of a board's look shows here. Was it meant? Then `python -m tests.golden.boards` draws the pictures anew."""

import numpy as np
import pygame
import pytest

from othello.gui.boards.renderer import BoardRenderer, renderer_type
from othello.rules.registry import GAMES
from tests.golden.boards import FOLDER, draw

MEAN = 1.0  # of 255: letters and edges are smoothed differently by other versions of the libraries
FAR = 40  # a pixel that is so far off looks different
MAX_DISTANCE = 0.004  # of all pixels


def looks_alike(one: pygame.Surface, other: pygame.Surface) -> bool:
    first, second = (pygame.surfarray.array3d(each).astype(int) for each in (one, other))
    difference = np.abs(first - second)
    return bool(difference.mean() < MEAN and (difference.max(axis=2) > FAR).mean() < MAX_DISTANCE)


@pytest.mark.parametrize("game", GAMES)
def test_a_board_looks_as_it_did(game: str) -> None:
    kept = pygame.image.load(FOLDER / f"{game}.png")
    assert looks_alike(draw(game), kept)
    assert not looks_alike(draw(game, fewer=1), kept)


def test_every_game_has_its_picture() -> None:
    assert BoardRenderer not in map(renderer_type, GAMES)
    assert {path.stem for path in FOLDER.iterdir()} == GAMES.keys()
