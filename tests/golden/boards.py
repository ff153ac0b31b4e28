"""How the board of every game looks, kept as small pictures.

After a board was changed on purpose, `python -m tests.golden.boards` draws them anew; look at them then.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pygame

from othello.gui.faces.board import BoardState
from othello.gui.faces.registry import face_of
from othello.gui.theme import Style
from othello.records.transcript import parse_transcript
from othello.rules.registry import game_spec, rules_of

SIZE: Final = 360
GAMES: Final = {
    "othello": ("d3c5e6f3e3d2c3f4c6c4f5b4e2d6g5b6b3c2", "e7"),
    "tictactoe": ("b2 a1 c1", "a3"),
    "ultimate_tictactoe": ("5,5 4,4 1,1 2,2 5,4 4,1 1,2", "2,5"),
}
FOLDER: Final = Path(__file__).parent / "boards"


def draw(game: str, fewer: int = 0) -> pygame.Surface:
    """A board in the middle of a game: pieces, legal moves, the last move, and the keyboard's square.

    Args:
        game: which.
        fewer: so many of the last moves are left out.
    """
    moves, cursor = GAMES[game]
    face = face_of(game_spec(game))
    line = parse_transcript(moves, rules_of(game_spec(game)))
    line = line.at(line.ply - fewer)
    rules, position = line.rules, line.position
    state = BoardState(
        position,
        captures={move: len(rules.captured(position, move)) for move in line.legal_moves()},
        shows_counts=True,
        last_move=line.moves[-1],
        cursor=rules.parse_move(rules.start(), cursor),
    )
    pygame.font.init()
    surface = pygame.Surface((SIZE, SIZE))
    style = Style(SIZE / 656)
    face.draw(surface, face.place(style, surface.get_rect(), style.px(24)), state, 0.0)
    return surface


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in GAMES:
        pygame.image.save(draw(name), FOLDER / f"{name}.png")
