"""The games that have a face of their own, by name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from othello.gui.faces.crosses import CrossesFace
from othello.gui.faces.face import Face
from othello.gui.faces.othello import OthelloFace
from othello.gui.faces.ultimate import UltimateFace
from othello.rules.protocol import GameSpec
from othello.rules.registry import rules_of

FACES: Final[Mapping[str, type[Face]]] = {
    "othello": OthelloFace,
    "tictactoe": CrossesFace,
    "ultimate_tictactoe": UltimateFace,
}


@cache
def face_of(spec: GameSpec) -> Face:
    """How a game looks; a game without a face of its own has that of every game on squares."""
    return FACES.get(spec.game, Face)(rules_of(spec))
