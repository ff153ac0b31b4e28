"""Palette, type scale and text, at the size of real pixels."""

from __future__ import annotations

import importlib.util
from functools import lru_cache
from pathlib import Path
from typing import Final, TypeAlias

import pygame

RGB: TypeAlias = tuple[int, int, int]


def _rgb(code: str) -> RGB:
    return int(code[:2], 16), int(code[2:4], 16), int(code[4:], 16)


BACKGROUND: Final = _rgb("12161c")
PANEL: Final = _rgb("1a2029")
RAISED: Final = _rgb("222a35")
LINE: Final = _rgb("2d3744")
WELL: Final = _rgb("12161c")
CHOSEN: Final = _rgb("24405a")
DISABLED: Final = _rgb("566272")
TEXT: Final = _rgb("e8edf3")
MUTED: Final = _rgb("8b98a8")
ACCENT: Final = _rgb("4cc2ff")
ACCENT_HOVER: Final = _rgb("74d0ff")
ON_ACCENT: Final = _rgb("0b1118")
WARNING: Final = _rgb("ff6b5e")

SQUARE_LIGHT: Final = _rgb("1f6f50")
SQUARE_DARK: Final = _rgb("1b6448")
GRID: Final = _rgb("124a35")
FRAME: Final = _rgb("0e3b2a")
PLATE: Final = _rgb("36475a")
CROSS: Final = _rgb("f6f2e8")
NOUGHT: Final = _rgb("b69cff")
COORDINATE: Final = _rgb("7fb29b")
HINT: Final = _rgb("dcefe5")

BLACK_EDGE: Final = _rgb("07090b")
BLACK_CENTRE: Final = _rgb("2b333c")
WHITE_EDGE: Final = _rgb("c9c3b7")
WHITE_CENTRE: Final = _rgb("fdfbf6")

BEST_VALUE: Final = _rgb("49d7e8")
MOST_VISITED: Final = _rgb("ff6b5e")
LAST_MOVE: Final = _rgb("f2c14e")

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

    def text(self, text: str, size: float, color: RGB = TEXT, bold: bool = False) -> pygame.Surface:
        """One line of text. The surface is shared: do not draw on it."""
        return _render(text, self.px(size), color, bold)

    def width(self, text: str, size: float, bold: bool = False) -> int:
        """How wide a line of text is."""
        return _font(self.px(size), bold).size(text)[0]

    def fit(self, text: str, size: float, width: int, bold: bool = False) -> str:
        """The text, shortened with an ellipsis where it is wider than `width` pixels."""
        if self.width(text, size, bold) <= width:
            return text
        while text and self.width(text + _ELLIPSIS, size, bold) > width:
            text = text[:-1]
        return text.rstrip() + _ELLIPSIS

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
