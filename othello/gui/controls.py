"""What dialogs are made of: buttons, choices, checks, sliders, fields. Each shows a value and says the next one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import pygame
from pygame import Rect

from othello.gui import theme
from othello.gui.shapes import circle, draw_check, draw_chevron, fill_rounded, ring
from othello.gui.theme import RGB, Style, blit_text

_STEPS: Final = {"Left": -1, "Up": -1, "Right": 1, "Down": 1}
_LONGEST_TEXT: Final = 60


@dataclass(frozen=True)
class Control:
    """One thing in a dialog that can be clicked, or chosen with Tab and changed with keys.

    Attributes:
        name: what it sets.
        rect: where it lies, in real pixels.
    """

    name: str
    rect: Rect

    keeps_enter: ClassVar[bool] = False
    """Whether Enter is for it and not for the dialog."""
    takes_text: ClassVar[bool] = False

    @property
    def is_enabled(self) -> bool:
        return True

    def draw(self, surface: pygame.Surface, style: Style, rect: Rect, mouse: tuple[int, int] | None) -> None:
        """Draw it in a rectangle of its size; `mouse` is where the mouse is, if it is on it."""

    def press(self, at: tuple[int, int]) -> Any:
        """The value after a click or while the mouse is held there; None: as it was."""
        return None

    def key(self, name: str, text: str) -> Any:
        """The value after a key; None: as it was."""
        return None


@dataclass(frozen=True)
class Button(Control):
    """Something that happens.

    Attributes:
        look: `plain`, `outline`, `primary` or `link`.
    """

    label: str = ""
    look: str = "plain"
    enabled: bool = True

    keeps_enter = True

    @property
    def is_enabled(self) -> bool:
        return self.enabled

    def draw(self, surface: pygame.Surface, style: Style, rect: Rect, mouse: tuple[int, int] | None) -> None:
        lit = mouse is not None and self.enabled
        color = theme.TEXT if self.enabled else theme.DISABLED
        radius = style.px(8)
        match self.look:
            case "link":
                color = theme.TEXT if lit else theme.ACCENT
                blit_text(surface, style.text(self.label, 13, color), anchor="midright", at=rect.midright)
                return
            case "primary" if self.enabled:
                color = theme.ON_ACCENT
                fill_rounded(surface, rect, radius, theme.ACCENT_HOVER if lit else theme.ACCENT)
            case "outline":
                fill_rounded(surface, rect, radius, theme.RAISED if lit else theme.PANEL, theme.LINE, style.px(1))
            case _:
                fill_rounded(surface, rect, radius, theme.SMALL if lit else theme.RAISED)
        is_primary = self.look == "primary"
        text = style.fit(self.label, 14 if is_primary else 13, rect.width - style.px(8), bold=is_primary)
        image = style.text(text, 14 if is_primary else 13, color, bold=is_primary)
        blit_text(surface, image, anchor="center", at=rect.center)

    def press(self, at: tuple[int, int]) -> Any:
        return True if self.enabled else None

    def key(self, name: str, text: str) -> Any:
        return True if self.enabled and name in ("Enter", "Space") else None


Painter = Callable[[pygame.Surface, Style, Rect, Any, bool, bool], None]
"""Draws one option of a choice: surface, style, rectangle, value, whether it is chosen, whether the mouse is on it."""


@dataclass(frozen=True)
class Choice(Control):
    """One of a few, side by side.

    Attributes:
        options: values and their words.
        value: the chosen one.
        gap: between two of them; 0 for one bar in segments.
        painter: draws an option, where it is no segment.
        rows: on which they lie.
    """

    options: tuple[tuple[Any, str], ...] = ()
    value: Any = None
    gap: int = 0
    painter: Painter | None = None
    rows: int = 1

    def _cells(self, rect: Rect) -> list[Rect]:
        columns, height = -(-len(self.options) // self.rows), rect.height // self.rows
        room = rect.width - self.gap * (columns - 1)
        cells = []
        for index in range(len(self.options)):
            row, column = divmod(index, columns)
            left, right = (rect.left + room * edge // columns + self.gap * column for edge in (column, column + 1))
            cells.append(Rect(left, rect.top + row * height, right - left, height))
        return cells

    def draw(self, surface: pygame.Surface, style: Style, rect: Rect, mouse: tuple[int, int] | None) -> None:
        if not self.gap:
            fill_rounded(surface, rect, style.px(8), theme.RAISED)
        cells = self._cells(rect)
        chosen = [value == self.value for value, _ in self.options]
        for index, (cell, (value, word)) in enumerate(zip(cells, self.options, strict=True)):
            lit = mouse is not None and cell.collidepoint(mouse)
            if self.painter is not None:
                self.painter(surface, style, cell, value, chosen[index], lit)
                continue
            if index and not any(chosen[index - 1 : index + 1]):
                surface.fill(theme.LINE, (cell.left, cell.top + cell.height // 4, 1, cell.height // 2))
            draw_segment(surface, style, cell, chosen=chosen[index], lit=lit)
            color = theme.ACCENT if chosen[index] else theme.TEXT
            word = style.fit(word, 13, cell.width - style.px(8), bold=chosen[index])
            blit_text(surface, style.text(word, 13, color, bold=chosen[index]), anchor="center", at=cell.center)

    def press(self, at: tuple[int, int]) -> Any:
        return next(
            (
                value
                for cell, (value, _) in zip(self._cells(self.rect), self.options, strict=True)
                if cell.collidepoint(at)
            ),
            None,
        )

    def key(self, name: str, text: str) -> Any:
        if name not in _STEPS:
            return None
        values = [value for value, _ in self.options]
        index = values.index(self.value) if self.value in values else 0
        return values[min(max(0, index + _STEPS[name]), len(values) - 1)]


def draw_segment(surface: pygame.Surface, style: Style, cell: Rect, *, chosen: bool, lit: bool) -> None:
    """The ground of one option of several."""
    if chosen:
        fill_rounded(surface, cell, style.px(8), theme.CHOSEN, theme.ACCENT, style.px(2))
    elif lit:
        fill_rounded(surface, cell, style.px(8), theme.SMALL)


@dataclass(frozen=True)
class Check(Control):
    """Yes or no.

    Attributes:
        hint: the key that does the same.
    """

    label: str = ""
    value: bool = False
    hint: str = ""

    def draw(self, surface: pygame.Surface, style: Style, rect: Rect, mouse: tuple[int, int] | None) -> None:
        px = style.px
        box = Rect(rect.left, rect.centery - px(9), px(18), px(18))
        if self.value:
            fill_rounded(surface, box, px(4), theme.ACCENT)
            draw_check(surface, theme.ON_ACCENT, box.center, px(11))
        else:
            fill_rounded(surface, box, px(4), theme.WELL, theme.MUTED if mouse else theme.LINE, px(1))
        right = rect.right
        if self.hint:
            width = style.width(self.hint, 11, bold=True) + px(16)
            key = Rect(right - width, rect.centery - px(10), width, px(20))
            fill_rounded(surface, key, px(5), theme.RAISED, theme.LINE, px(1))
            blit_text(surface, style.text(self.hint, 11, bold=True), anchor="center", at=key.center)
            right = key.left
        label = style.fit(self.label, 13, right - box.right - px(14))
        blit_text(surface, style.text(label, 13), anchor="midleft", at=(box.right + px(10), rect.centery))

    def press(self, at: tuple[int, int]) -> Any:
        return not self.value

    def key(self, name: str, text: str) -> Any:
        return not self.value if name == "Space" else None


@dataclass(frozen=True)
class Slider(Control):
    """One of many values in a row.

    Attributes:
        values: from left to right.
        marks: words below some of them.
    """

    values: Sequence[Any] = ()
    value: Any = None
    marks: tuple[tuple[Any, str], ...] = ()

    is_slider: ClassVar[bool] = True

    def _index(self, value: Any) -> int:
        return min(range(len(self.values)), key=lambda index: abs(self.values[index] - value))

    def draw(self, surface: pygame.Surface, style: Style, rect: Rect, mouse: tuple[int, int] | None) -> None:
        px, last = style.px, max(1, len(self.values) - 1)
        line = rect.inflate(-px(16), px(4) - rect.height)
        x = line.left + line.width * self._index(self.value) // last
        fill_rounded(surface, line, px(2), theme.LINE)
        fill_rounded(surface, Rect(line.left, line.top, max(px(4), x - line.left), line.height), px(2), theme.ACCENT)
        knob = ring(px(18), px(1), theme.LINE, theme.TEXT)
        surface.blit(knob, knob.get_rect(center=(x, line.centery)))
        for value, word in self.marks:
            at = (line.left + line.width * self._index(value) // last, rect.bottom + px(2))
            blit_text(surface, style.text(word, 11, theme.MUTED), anchor="midtop", at=at)

    def press(self, at: tuple[int, int]) -> Any:
        knob = min(self.rect.height, self.rect.width // 4)
        share = (at[0] - self.rect.left - knob / 2) / max(1, self.rect.width - knob)
        return self.values[round(min(max(0.0, share), 1.0) * (len(self.values) - 1))]

    def key(self, name: str, text: str) -> Any:
        ends = {"Home": 0, "End": len(self.values) - 1}
        if name not in _STEPS and name not in ends:
            return None
        index = (
            ends[name]
            if name in ends
            else self._index(self.value) + _STEPS[name] * (1 if name in ("Left", "Right") else -1)
        )
        return self.values[min(max(0, index), len(self.values) - 1)]


@dataclass(frozen=True)
class Field(Control):
    """A line of text.

    Attributes:
        placeholder: what is there while nothing is.
        is_number: whether only digits can be written, and stand to the right.
        is_wrong: whether it cannot stay like this.
    """

    value: str = ""
    placeholder: str = ""
    is_number: bool = False
    is_wrong: bool = False

    takes_text = True

    def draw(self, surface: pygame.Surface, style: Style, rect: Rect, mouse: tuple[int, int] | None) -> None:
        px = style.px
        edge = theme.WARNING if self.is_wrong else theme.MUTED if mouse else theme.LINE
        fill_rounded(surface, rect, px(8), theme.WELL, edge, px(1))
        text, color = (self.value, theme.TEXT) if self.value else (self.placeholder, theme.MUTED)
        image = style.text(style.fit(text, 13, rect.width - px(24)), 13, color)
        anchor, x = ("midright", rect.right - px(12)) if self.is_number else ("midleft", rect.left + px(12))
        blit_text(surface, image, anchor=anchor, at=(x, rect.centery))

    def draw_caret(self, surface: pygame.Surface, style: Style, rect: Rect) -> None:
        """Where the next letter goes; drawn while the keyboard is for it."""
        px = style.px
        width = min(style.width(self.value, 13), rect.width - px(24))
        x = rect.right - px(11) if self.is_number else rect.left + px(13) + width
        surface.fill(theme.ACCENT, (x, rect.centery - px(8), px(1), px(16)))

    def key(self, name: str, text: str) -> Any:
        if name == "Backspace":
            return self.value[:-1]
        if name == "Ctrl+Backspace":
            return ""
        if not text.isprintable() or not text or (self.is_number and text not in "0123456789."):
            return None
        return (self.value + text)[:_LONGEST_TEXT]


@dataclass(frozen=True)
class Select(Control):
    """One of many, in a list that opens.

    Attributes:
        label: a word before the value.
    """

    options: tuple[tuple[Any, str], ...] = ()
    value: Any = None
    label: str = ""

    keeps_enter = True

    @property
    def index(self) -> int:
        return next((index for index, (value, _) in enumerate(self.options) if value == self.value), 0)

    def draw(self, surface: pygame.Surface, style: Style, rect: Rect, mouse: tuple[int, int] | None) -> None:
        px = style.px
        fill_rounded(surface, rect, px(8), theme.WELL, theme.MUTED if mouse else theme.LINE, px(1))
        x = rect.left + px(12)
        if self.label:
            label = blit_text(surface, style.text(self.label, 12, theme.MUTED), anchor="midleft", at=(x, rect.centery))
            x = label.right + px(8)
        word = style.fit(self.options[self.index][1], 13, rect.right - px(32) - x)
        blit_text(surface, style.text(word, 13), anchor="midleft", at=(x, rect.centery))
        draw_chevron(surface, theme.MUTED, (rect.right - px(16), rect.centery), px(9), down=True)

    def key(self, name: str, text: str) -> Any:
        return (
            self.options[min(max(0, self.index + _STEPS[name]), len(self.options) - 1)][0] if name in _STEPS else None
        )

    def draw_list(self, surface: pygame.Surface, style: Style, rect: Rect, mouse: tuple[int, int] | None) -> None:
        """The open list."""
        fill_rounded(surface, rect.inflate(2, 2), style.px(8), theme.RAISED, theme.ACCENT, style.px(1))
        row = rect.height // len(self.options)
        for index, (_, word) in enumerate(self.options):
            cell = Rect(rect.left, rect.top + index * row, rect.width, row)
            if index == self.index or (mouse is not None and cell.collidepoint(mouse)):
                color: RGB = theme.CHOSEN if index == self.index else theme.SMALL
                fill_rounded(surface, cell.inflate(-4, -2), style.px(6), color)
            text = style.fit(word, 13, cell.width - style.px(24), bold=index == self.index)
            image = style.text(text, 13, bold=index == self.index)
            blit_text(surface, image, anchor="midleft", at=(cell.left + style.px(12), cell.centery))


def draw_badge(surface: pygame.Surface, style: Style, centre: tuple[float, float]) -> None:
    """A check in a disc: this one is chosen."""
    disc = circle(style.px(20), theme.ACCENT)
    surface.blit(disc, disc.get_rect(center=centre))
    draw_check(surface, theme.ON_ACCENT, centre, style.px(11))
