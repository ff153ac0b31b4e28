"""Small pictures of the board of every game. Those of installed games are in their packages.

After an intended change, `python -m tests.golden.boards` draws new pictures. Look at them.
"""

from importlib.resources import files
from pathlib import Path
from typing import Final

import numpy as np
import pygame

from othello.gui.boards.board_layout import BoardState, FlipAnimation
from othello.gui.boards.renderer import renderer_for
from othello.gui.preferences import palette_named
from othello.gui.toolkit.style import Style
from othello.records.transcript import parse_transcript
from othello.rules.registry import GAMES, game_spec, package_of_game, rules_of
from tests.positions import random_game_of

SIZE: Final = 360
_PLIES: Final = 9
MAX_MEAN: Final = 1.0  # of 255: other versions of the libraries smooth letters and edges differently
FAR: Final = 40  # a pixel with this difference looks different
MAX_FAR: Final = 0.004  # share of such pixels
LINES: Final = {
    "othello": ("d3c5e6f3e3d2c3f4c6c4f5b4e2d6g5b6b3c2", "e7"),
    "tictactoe": ("b2 a1 c1", "a3"),
    "ultimate_tictactoe": ("5,5 4,4 1,1 2,2 5,4 4,1 1,2", "2,5"),
}
"""Moves and the keyboard's square. Other games have random moves."""
FOLDER: Final = Path(__file__).parent / "boards"
MOVING: Final = {game: FOLDER / f"{game}_moving.png" for game in ("connect_four", "othello")}
"""Pictures of moving or turning pieces, at 0.3 of the time."""


def draw(game: str, fewer: int = 0, share: float | None = None) -> pygame.Surface:
    """Return a board in the middle of a game: pieces, legal moves, the last move, and the keyboard's square.

    The last `fewer` moves are left out. The pieces of the last move are at a `share` of their animation.
    """
    renderer, rules = renderer_for(game_spec(game), palette_named()), rules_of(game_spec(game))
    line = parse_transcript(LINES[game][0], rules) if game in LINES else random_game_of(rules, 1)
    line = line.at((line.ply if game in LINES else min(line.ply, _PLIES)) - fewer)
    legal = line.legal_moves()
    cursor = rules.squares_of(rules.parse_move(line.position, LINES[game][1]) if game in LINES else legal[0])[0]
    position, before, last_move = line.position, line.at(line.ply - 1), line.moves[-1]
    moving = renderer.moving(last_move, rules.captured(before.position, last_move))
    flip = None if share is None else FlipAnimation(moving, rules.squares_of(last_move), before.to_move, -share, 1.0)
    captures = {move: len(rules.captured(position, move)) for move in legal}
    state = BoardState(position, captures, shows_counts=True, last_move=last_move, cursor=cursor, flip=flip)
    pygame.font.init()
    surface = pygame.Surface((SIZE, SIZE))
    style = Style(SIZE / 656, palette_named())
    renderer.draw(surface, renderer.layout_in(style, surface.get_rect(), style.px(24)), state, 0.0)
    return surface


def picture_of(game: str) -> Path:
    """Return the file of a game's picture."""
    package = package_of_game(game)
    return (FOLDER if package is None else Path(str(files(package)))) / f"{game}.png"


def looks_alike(one: pygame.Surface, other: pygame.Surface) -> bool:
    first, second = (pygame.surfarray.array3d(each).astype(int) for each in (one, other))
    difference = np.abs(first - second)
    return bool(difference.mean() < MAX_MEAN and (difference.max(axis=2) > FAR).mean() < MAX_FAR)


if __name__ == "__main__":
    pictures = {picture_of(name): draw(name) for name in GAMES}
    for path, drawn in (pictures | {path: draw(name, share=0.3) for name, path in MOVING.items()}).items():
        if not path.exists() or not looks_alike(drawn, pygame.image.load(path)):
            pygame.image.save(drawn, path)
            print(path)
