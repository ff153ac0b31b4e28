"""The theme in use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final, TypeVar, cast

from othello.gui.toolkit.style import RGB, Palette, Style, blit_text
from othello.resources import asset
from othello.strict_json import read as read_json

__all__ = ["RGB", "Style", "blit_text"]


T = TypeVar("T", bound=Callable[..., Any])

# The colours of the theme in use. Read them when something is drawn: `use` changes them.
BACKGROUND: RGB
PANEL: RGB
RAISED: RGB
LINE: RGB
WELL: RGB
CHOSEN: RGB
STEP: RGB
HIGH_STEP: RGB
DISABLED: RGB
TEXT: RGB
MUTED: RGB
ACCENT: RGB
ACCENT_HOVER: RGB
ON_ACCENT: RGB
WARNING: RGB
SQUARE_LIGHT: RGB
SQUARE_DARK: RGB
GRID: RGB
FRAME: RGB
PLATE: RGB
CROSS: RGB
NOUGHT: RGB
COORDINATE: RGB
HINT: RGB
BLACK_EDGE: RGB
BLACK_CENTRE: RGB
WHITE_EDGE: RGB
WHITE_CENTRE: RGB
BEST_VALUE: RGB
MISTAKE: RGB
MOST_VISITED: RGB
LAST_MOVE: RGB
EDGE: RGB
BUTTON_EDGE: RGB
TOKEN_EDGE: RGB
SMALL: RGB
ACTIVE: RGB
BAND: RGB
SHOWN: RGB
HINT_TEXT: RGB
BOARD_TEXT: RGB
LAST_TEXT: RGB
RIGHT: RGB
PRESSED: RGB

USUAL: Final = "dark"
_name = ""
_drawn: list[Callable[[], None]] = []


def use(name: str) -> None:
    """Take the colours of a theme in `assets/themes/`; those that it does not name are the usual theme's."""
    global _name  # noqa: PLW0603  (one window, one theme)
    if name == _name:
        return
    for file in (USUAL, name):
        globals().update({color.upper(): rgb for color, rgb in colors_of(file).items()})
    _name = name
    forget()


def forget() -> None:
    """Draw everything anew that was drawn once: colours or words have changed."""
    for clear in _drawn:
        clear()


def name() -> str:
    """Which theme is in use."""
    return _name


def palette(name: str = "") -> Palette:
    """The colours of a theme as a value; without a name, of the theme in use."""
    return _palette(name or _name)


@lru_cache
def _palette(name: str) -> Palette:
    return Palette.read(asset(f"themes/{USUAL}.json"), asset(f"themes/{name}.json"))


def color(name: str) -> RGB:
    """A colour of the theme in use by its name in the theme's file."""
    found: RGB = globals()[name.upper()]
    return found


@lru_cache
def colors_of(name: str) -> Mapping[str, RGB]:
    """The colours of any theme by their names.

    Raises:
        OthelloError: the theme's file cannot be read.
        ValueError: the file holds something else.
    """
    colors = read_json(asset(f"themes/{name}.json"))
    try:
        return {color: _rgb(code) for color, code in colors.items()}
    except (AttributeError, TypeError) as error:
        raise ValueError(f"{name}: not the colours of a theme") from error


def drawn_once(most: int) -> Callable[[T], T]:
    """For functions that draw: what they return is kept for equal arguments as long as theme and language stay."""

    def decorate(function: T) -> T:
        kept = lru_cache(maxsize=most)(function)
        _drawn.append(kept.cache_clear)
        return cast(T, kept)

    return decorate


def _rgb(code: str) -> RGB:
    return int(code[:2], 16), int(code[2:4], 16), int(code[4:], 16)


use(USUAL)


def style(scale: float) -> Style:
    """Lengths and text at one scale, in the colours of the theme in use."""
    return Style(scale, palette())
