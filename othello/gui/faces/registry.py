"""How games look: the file with a game's name in this folder names the class that draws the game, `FACE`."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec

from othello.gui.faces.face import Face
from othello.gui.toolkit.style import Palette
from othello.rules.protocol import GameSpec
from othello.rules.registry import rules_of


@cache
def face_type(game: str) -> type[Face]:
    """The class that draws a game; one without a file of its own looks as every game on squares does."""
    name = f"{__package__}.{game}"
    found: type[Face] = getattr(import_module(name), "FACE", Face) if find_spec(name) else Face
    return found


@cache
def face_of(spec: GameSpec, palette: Palette) -> Face:
    """How a game looks by its rules, in the colours of a theme."""
    return face_type(spec.game)(rules_of(spec), palette)
