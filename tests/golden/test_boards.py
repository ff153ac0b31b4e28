"""A change of a board's look shows here. Was it meant? Then `python -m tests.golden.boards` draws the pictures anew."""

import pygame
import pytest

from othello.gui.boards.renderer import BoardRenderer, renderer_type
from othello.rules.registry import GAMES, OWN_GAMES
from tests.golden.boards import FOLDER, draw, looks_alike, picture_of


@pytest.mark.parametrize("game", GAMES)
def test_a_board_looks_as_it_did(game: str) -> None:
    kept = pygame.image.load(picture_of(game))
    assert looks_alike(draw(game), kept)
    assert not looks_alike(draw(game, fewer=1), kept)


def test_every_game_has_its_picture() -> None:
    assert BoardRenderer not in map(renderer_type, GAMES)
    assert {path.stem for path in FOLDER.iterdir()} == OWN_GAMES.keys()
