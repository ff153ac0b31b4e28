"""Palette, type scale and text, at the size of real pixels."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar, cast

import pygame

from othello.resources import asset

RGB: TypeAlias = tuple[int, int, int]


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
        colors = json.loads(asset(f"themes/{file}.json").read_text(encoding="utf-8"))
        globals().update({color.upper(): _rgb(code) for color, code in colors.items()})
    _name = name
    forget()


def forget() -> None:
    """Draw everything anew that was drawn once: colours or words have changed."""
    for clear in _drawn:
        clear()


def name() -> str:
    """Which theme is in use."""
    return _name


def color(name: str) -> RGB:
    """A colour of the theme in use by its name in the theme's file."""
    found: RGB = globals()[name.upper()]
    return found


@lru_cache
def colors_of(name: str) -> Mapping[str, RGB]:
    """The colours of any theme by their names."""
    colors = json.loads(asset(f"themes/{name}.json").read_text(encoding="utf-8"))
    return {color: _rgb(code) for color, code in colors.items()}


_color = color  # where an argument has that name


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

_ELLIPSIS: Final = "…"


@lru_cache(maxsize=1)
def _font_folder() -> Path:
    """Where pygame_gui keeps its fonts, found without importing it."""
    spec = importlib.util.find_spec("pygame_gui")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("pygame_gui is not installed")
    return Path(spec.origin).parent / "data"


@lru_cache(maxsize=64)
def _font(pixels: int, bold: bool) -> pygame.font.Font:
    pygame.font.init()  # does nothing where that was done
    name = "NotoSans-Bold.ttf" if bold else "NotoSans-Regular.ttf"
    return pygame.font.Font(_font_folder() / name, pixels)


@lru_cache(maxsize=1024)
def _render(text: str, pixels: int, color: RGB, bold: bool) -> pygame.Surface:
    return _font(pixels, bold).render(text, True, color)


@lru_cache(maxsize=4096)
def _width(text: str, pixels: int, bold: bool) -> int:
    return _font(pixels, bold).size(text)[0]


class Style:
    """Lengths and text at one scale.

    Args:
        scale: real pixels per pixel of the design, which is drawn for 1280 x 800.
    """

    def __init__(self, scale: float) -> None:
        self.scale = scale

    def px(self, length: float) -> int:
        """A design length in real pixels, at least one."""
        return max(1, round(length * self.scale))

    def text(self, text: str, size: float, color: RGB | None = None, bold: bool = False) -> pygame.Surface:
        """One line of text. The surface is shared: do not draw on it."""
        return _render(text, self.px(size), _color("text") if color is None else color, bold)

    def width(self, text: str, size: float, bold: bool = False) -> int:
        """How wide a line of text is."""
        return _width(text, self.px(size), bold)

    def fit(self, text: str, size: float, width: int, bold: bool = False) -> str:
        """The text, shortened with an ellipsis where it is wider than `width` pixels."""
        if self.width(text, size, bold) <= width:
            return text
        while text and self.width(text + _ELLIPSIS, size, bold) > width:
            text = text[:-1]
        return text.rstrip() + _ELLIPSIS

    def largest(self, text: str, sizes: Sequence[float], width: int, bold: bool = False) -> float:
        """The first of ever smaller sizes at which a text fits, else the last."""
        return next((size for size in sizes if self.width(text, size, bold) <= width), sizes[-1])

    def wrap(self, text: str, size: float, width: int, lines: int, bold: bool = False) -> list[str]:
        """The text in at most `lines` lines of `width` pixels; the last one ends in an ellipsis where it must."""
        rows: list[str] = []
        words = text.split()
        while words and len(rows) < lines - 1:
            row = words.pop(0)
            while words and self.width(f"{row} {words[0]}", size, bold) <= width:
                row += " " + words.pop(0)
            rows.append(self.fit(row, size, width, bold))
        if words:
            rows.append(self.fit(" ".join(words), size, width, bold))
        return rows


def blit_text(
    surface: pygame.Surface, image: pygame.Surface, *, anchor: str = "topleft", at: tuple[float, float]
) -> pygame.Rect:
    """Put an image with the named point of its rectangle (`topleft`, `center`, `midright`, ...) at `at`."""
    rect = image.get_rect(**{anchor: (round(at[0]), round(at[1]))})
    surface.blit(image, rect)
    return rect
