"""The boards look as in their pictures. After an intended change, run `python -m tests.golden.boards`."""

import pygame
import pytest

from othello.gui.boards.renderer import BoardRenderer, renderer_type
from othello.rules.registry import GAMES, OWN_GAMES
from tests.golden.boards import FOLDER, MOVING, draw, looks_alike, picture_of


@pytest.mark.parametrize("game", GAMES)
def test_a_board_looks_as_in_its_picture(game: str) -> None:
    picture = pygame.image.load(picture_of(game))
    assert looks_alike(draw(game), picture)
    assert not looks_alike(draw(game, fewer=1), picture)
    assert looks_alike(draw(game, share=1.0), picture)


@pytest.mark.parametrize("game", MOVING)
def test_pieces_move_to_their_squares(game: str) -> None:
    assert looks_alike(draw(game, share=0.3), pygame.image.load(MOVING[game]))
    assert not looks_alike(draw(game, share=0.5), draw(game))


def test_every_game_has_its_picture() -> None:
    assert BoardRenderer not in map(renderer_type, GAMES)
    assert {path.stem for path in FOLDER.iterdir()} == OWN_GAMES.keys() | {path.stem for path in MOVING.values()}
