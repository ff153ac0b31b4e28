"""What dialogs are made of: buttons, checks, sliders, fields. Each shows a value and says the next one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import pygame
from pygame import Rect

from othello.gui import theme
from othello.gui.theme import Style, blit_text
from othello.gui.toolkit.shapes import draw_check, fill_rounded, ring

STEPS: Final = {"Left": -1, "Up": -1, "Right": 1, "Down": 1}
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
        if name not in STEPS and name not in ends:
            return None
        index = (
            ends[name]
            if name in ends
            else self._index(self.value) + STEPS[name] * (1 if name in ("Left", "Right") else -1)
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
