"""Colours of a theme, lengths and text in real pixels."""

import colorsys
import math
import re
from collections.abc import Sequence
from dataclasses import field
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

import pygame
from pygame import Rect, Surface

from othello.frozen_dataclass import FrozenDataclass
from othello.resources import asset

RGB: TypeAlias = tuple[int, int, int]

_SHADES: Final = 40
_READABLE: Final = 4.8  # minimum contrast; WCAG requires 4.5, the rest is for translucent backgrounds
_ELLIPSIS: Final = "…"
_UNDRAWABLE: Final = re.compile("[\0\ud800-\udfff]")  # possible in file names, but not in fonts
_KANA_AND_HAN: Final = "\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef"  # with their punctuation
_JAPANESE: Final = re.compile(f"([{_KANA_AND_HAN}√∞]+)")  # also signs that only this font has
_NOT_LAST: Final = re.escape("「『（【〔〈《([“‘„")  # no line ends with these
_NOT_FIRST: Final = re.escape(  # no line begins with these
    "、。，．」』）】〕〉》？！：；・ー〜々ゝゞヽヾぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶ…‥!?,.:;)]}%”’"
)
_BREAK: Final = re.compile(
    rf"([ \t\n]+)|(?<=[{_KANA_AND_HAN}])(?<![{_NOT_LAST}])(?![{_NOT_FIRST} \t\n])"
    rf"|(?<![{_NOT_LAST} \t\n])(?=[{_KANA_AND_HAN}])(?![{_NOT_FIRST}])"
)
"""Matches where a line may be broken: at spaces, which are dropped, and next to Japanese characters."""


class Palette(FrozenDataclass):
    """The colours of a theme, by use."""

    accent: RGB
    accent_hover: RGB
    active: RGB
    background: RGB
    band: RGB
    best_value: RGB
    black_centre: RGB
    black_edge: RGB
    board_text: RGB
    button_edge: RGB
    chosen: RGB
    control: RGB
    coordinate: RGB
    cross: RGB
    disabled: RGB
    edge: RGB
    frame: RGB
    grid: RGB
    high_step: RGB
    hint: RGB
    hint_text: RGB
    last_move: RGB
    last_text: RGB
    line: RGB
    mistake: RGB
    most_visited: RGB
    muted: RGB
    nought: RGB
    on_accent: RGB
    panel: RGB
    plate: RGB
    pressed: RGB
    raised: RGB
    right: RGB
    shown: RGB
    small: RGB
    square_dark: RGB
    square_light: RGB
    step: RGB
    text: RGB
    token_edge: RGB
    warning: RGB
    well: RGB
    white_centre: RGB
    white_edge: RGB


class Size(NamedTuple):
    """A size in design pixels."""

    width: float
    height: float


class Box(NamedTuple):
    """A rectangle of the window in design pixels."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height


def contrast(one: RGB, other: RGB) -> float:
    """Return the contrast ratio of two colours, from 1 to 21, as WCAG 2 defines it."""
    bright, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def _luminance(color: RGB) -> float:
    parts = [part / 255 for part in color]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@lru_cache
def readable(color: RGB, ground: RGB, ink: RGB) -> RGB:
    """Return `color` with its lightness moved towards that of `ink` until it is readable on `ground`."""
    hue, lightness, saturation = colorsys.rgb_to_hls(*(part / 255 for part in color))
    _, target, _ = colorsys.rgb_to_hls(*(part / 255 for part in ink))
    for step in range(_SHADES):
        parts = colorsys.hls_to_rgb(hue, lightness + (target - lightness) * step / _SHADES, saturation)
        red, green, blue = (round(255 * part) for part in parts)
        if contrast((red, green, blue), ground) >= _READABLE:
            return red, green, blue
    return ink


@lru_cache(maxsize=64)
def _font(pixels: int, bold: bool, *, is_japanese: bool = False) -> pygame.font.Font:
    pygame.font.init()  # no effect after the first call
    weight = "Bold" if bold else "Regular"
    name = f"NotoSansJP-{weight}.otf" if is_japanese else f"NotoSans-{weight}.ttf"
    return pygame.font.Font(asset(f"fonts/{name}"), pixels)


def _runs(text: str, pixels: int, bold: bool) -> list[tuple[str, pygame.font.Font]]:
    """Split a text into runs of one font. The Japanese font is loaded only if it is needed."""
    parts = _JAPANESE.split(_UNDRAWABLE.sub("�", text))
    if len(parts) == 1:
        return [(parts[0], _font(pixels, bold))]
    return [(part, _font(pixels, bold, is_japanese=index % 2 == 1)) for index, part in enumerate(parts) if part]


@lru_cache(maxsize=512)  # about 20 kB each
def _render(text: str, pixels: int, color: RGB, bold: bool) -> Surface:
    # SDL refuses to render a text without width, such as a lone variation selector.
    images = [(font.render(part, True, color), font) for part, font in _runs(text, pixels, bold) if font.size(part)[0]]
    usual, x = _font(pixels, bold), 0
    line = Surface((sum(image.get_width() for image, _ in images), usual.get_height()), pygame.SRCALPHA)
    for image, font in images:
        line.blit(image, (x, usual.get_ascent() - font.get_ascent()))
        x += image.get_width()
    return line


@lru_cache(maxsize=4096)
def _width(text: str, pixels: int, bold: bool) -> int:
    return sum(font.size(part)[0] for part, font in _runs(text, pixels, bold))


class Style(FrozenDataclass):
    """A theme and a scale, with methods to measure and render text."""

    scale: float  # real pixels per design pixel; the design is for 1280 x 800
    palette: Palette
    # Cached sizes of widgets, by id and available width. Each entry holds its widget, so ids are not reused.
    sizes: dict[tuple[int, float], tuple[object, Size]] = field(default_factory=dict, compare=False, repr=False)

    def px(self, length: float) -> int:
        """Convert a length to real pixels, at least one."""
        return max(1, round(length * self.scale))

    def rect(self, box: Box) -> Rect:
        """Convert a box to real pixels. Boxes that touch become rectangles that touch."""
        (x, y, width, height), scale, floor = box, self.scale, math.floor
        left, top = floor(x * scale + 0.5), floor(y * scale + 0.5)
        right, bottom = floor((x + width) * scale + 0.5), floor((y + height) * scale + 0.5)
        return Rect(left, top, right - left, bottom - top)

    def text(self, text: str, size: float, color: RGB | None = None, bold: bool = False) -> Surface:
        """Render one line of text. The surface is shared: do not draw on it."""
        return _render(text, self.px(size), self.palette.text if color is None else color, bold)

    def width(self, text: str, size: float, bold: bool = False) -> int:
        """Return the width of a line of text in real pixels."""
        return _width(text, self.px(size), bold)

    def length(self, text: str, size: float, bold: bool = False) -> float:
        """Return the width of a line of text in design pixels."""
        return self.width(text, size, bold) / self.scale

    def fit(self, text: str, size: float, width: int, bold: bool = False) -> str:
        """Return the text, cut with an ellipsis if it is wider than `width` real pixels."""
        if self.width(text, size, bold) <= width:
            return text
        while text and self.width(text + _ELLIPSIS, size, bold) > width:
            text = text[:-1]
        return text.rstrip() + _ELLIPSIS

    def largest(self, text: str, sizes: Sequence[float], width: int, bold: bool = False) -> float:
        """Return the first of `sizes`, largest first, at which a text fits into `width` real pixels, else the last."""
        return next((size for size in sizes if self.width(text, size, bold) <= width), sizes[-1])

    def fitted(self, text: str, points: int, width: int, color: RGB | None = None, bold: bool = False) -> Surface:
        """Render a text in the largest whole size from `points` to 4 at which it fits into `width` real pixels."""
        return self.text(text, self.largest(text, range(max(4, points), 3, -1), width, bold), color, bold)

    def wrap(self, text: str, size: float, width: int, lines: int, bold: bool = False) -> list[str]:
        """Break a text into at most `lines` lines of `width` real pixels. An ellipsis ends text that is cut."""
        rows: list[str] = []
        pieces = _BREAK.split(text.strip(" \t\n"))  # words, with a space or None between every two
        gaps = ("", *(" " if gap else "" for gap in pieces[1::2]))
        words = [gap + word for gap, word in zip(gaps, pieces[::2], strict=True) if word]
        while words and len(rows) < lines - 1:
            row = words.pop(0).lstrip(" ")
            while words and self.width(row + words[0], size, bold) <= width:
                row += words.pop(0)
            rows.append(self.fit(row, size, width, bold))
        if words:
            rows.append(self.fit("".join(words).lstrip(" "), size, width, bold))
        return rows


def blit_text(surface: Surface, image: Surface, *, anchor: str = "topleft", at: tuple[float, float]) -> Rect:
    """Draw an image with a point of its rectangle (`topleft`, `center`, ...) at `at`, and return the rectangle."""
    rect = image.get_rect(**{anchor: (round(at[0]), round(at[1]))})
    surface.blit(image, rect)
    return rect
