"""The themes: files of colours in `assets/themes/`. A palette is handed on from the room to whatever is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from typing import Final

from othello.gui.toolkit.style import RGB, Palette
from othello.resources import asset
from othello.strict_json import read as read_json

USUAL: Final = "dark"


@cache
def palette(name: str = USUAL) -> Palette:
    """The colours of a theme; those that its file does not name are the usual theme's.

    Raises:
        OthelloError: the theme's file cannot be read.
        ValueError: the file holds something else.
    """
    colors = {**_colors(USUAL), **_colors(name)}
    return Palette(**{field.name: colors[field.name] for field in fields(Palette)})


def _colors(name: str) -> Mapping[str, RGB]:
    codes = read_json(asset(f"themes/{name}.json"))
    try:
        return {color: (int(code[:2], 16), int(code[2:4], 16), int(code[4:], 16)) for color, code in codes.items()}
    except (AttributeError, TypeError) as error:
        raise ValueError(f"{name}: not the colours of a theme") from error
