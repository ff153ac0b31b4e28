"""A panel: a value that says how large it is, where its parts lie, how it looks and what a person can do with it.

A screen declares its tree of panels anew whenever something has changed. Two equal panels in the same place look the
same, so only what differs from the tree that was drawn last is drawn again. What a person does to a panel while the
screen stays the same (focus, scrolling, an open list, a caret) is kept by the stage under the panel's name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import pygame
from pygame import Rect

from othello.gui.toolkit.inputs import Key, Point
from othello.gui.toolkit.style import Box, Size, Style

_ANY: Final = 10_000.0


@dataclass(frozen=True, slots=True)
class Canvas:
    """What a panel draws on.

    Attributes:
        surface: of the window.
        style: lengths, text and colours.
        rect: the panel's place, in real pixels.
        mouse: where the mouse is, if the mouse is on the panel.
        has_focus: whether the panel has the keyboard's focus.
        is_held: whether the panel was pressed and not let go.
        kept: what the stage keeps under the panel's name.
        inner: the place of the first panel inside, None where there is none.
    """

    surface: pygame.Surface
    style: Style
    rect: Rect
    mouse: Point | None = None
    has_focus: bool = False
    is_held: bool = False
    kept: Any = None
    inner: Rect | None = None

    @property
    def is_lit(self) -> bool:
        return self.mouse is not None


@dataclass(frozen=True, kw_only=True)
class Panel:
    """A part of a screen.

    Attributes:
        name: what the stage keeps focus and use under; empty for what takes no input.
        width: fixed, in pixels of the design; None: as the contents need.
        height: likewise.
        grow: the share of room that is left over in a row or a column.
        least: how narrow words may become before something else is shown in their place.
        tip: the words of the tooltip.
    """

    name: str = ""
    width: float | None = None
    height: float | None = None
    grow: float = 0.0
    least: float = 0.0
    tip: str = ""

    takes_focus: ClassVar[bool] = False
    """Whether the keyboard can go to the panel."""

    keeps_enter: ClassVar[bool] = False
    """Whether Enter is for the panel, and not for the main button of a dialog."""

    takes_arrows: ClassVar[bool] = False
    """Whether arrow keys mean something in the panel, which therefore is a stop of F6 by itself."""

    is_dragged: ClassVar[bool] = False
    """Whether the panel hears of the mouse as long as the button is held."""

    follows_mouse: ClassVar[bool] = False
    """Whether the panel looks different wherever on it the mouse is."""

    is_modal: ClassVar[bool] = False
    """Whether nothing that lies below hears of anything."""

    overhang: ClassVar[float] = 0.0
    """How far the panel draws beyond its place, in pixels of the design."""

    is_group: ClassVar[bool] = False
    """Whether F6 stops once at all that is inside, and arrows go from part to part."""

    @property
    def is_enabled(self) -> bool:
        return True

    @property
    def is_chosen(self) -> bool:
        """Whether F6 stops here first in its group."""
        return False

    def measure(self, style: Style, width: float) -> Size:
        """How large the contents are where there is so much room across, in pixels of the design."""
        return Size(0, 0)

    def narrowest(self, style: Style) -> float:
        """How much room across the panel needs at least; what takes any room that there is needs `least`."""
        wide = self.size(style, _ANY).width if self.width is None else self.width
        return self.least if wide >= _ANY else max(self.least, wide)

    def size(self, style: Style, width: float) -> Size:
        """How large the panel is: as fixed, else as the contents need."""
        if self.width is not None and self.height is not None:
            return Size(self.width, self.height)
        key = id(self), width
        if key not in style.sizes:
            wide, high = self.measure(style, width if self.width is None else self.width)
            wide, high = wide if self.width is None else self.width, high if self.height is None else self.height
            style.sizes[key] = self, Size(wide, high)
        return style.sizes[key][1]

    def parts(self, style: Style, box: Box, kept: Mapping[str, Any]) -> Iterator[tuple[Panel, Box]]:
        """The panels inside, with their places in a place of this one."""
        yield from ()

    def clips(self) -> bool:
        """Whether what is inside is cut off at the edges."""
        return False

    def look(self) -> object:
        """Equal as long as the panel itself, without its parts, looks the same."""
        return self

    def draw(self, on: Canvas) -> None:
        """Draw what lies below the parts. What lies outside the panel's own place is cut off."""

    def draw_over(self, on: Canvas) -> None:
        """Draw what lies over the parts."""

    def press(self, at: Point, on: Canvas) -> object | None:
        """What follows from a press, or from a drag, at a point of the window: a command; None: nothing."""
        return None

    def drag(self, at: Point, on: Canvas) -> object | None:
        """What follows where the mouse is moved with its button held; only panels that are dragged are asked."""
        return self.press(at, on)

    def press_right(self, at: Point, on: Canvas) -> object | None:
        """What follows from a press of the right button."""
        return None

    def scroll(self, rows: int, on: Canvas) -> object | None:
        """What follows where the wheel is turned over the panel; None: the wheel is for what the panel lies in."""
        return None

    def key(self, key: Key, on: Canvas) -> object | None:
        """What follows from a key while the panel has the focus; None: the key is for somebody else."""
        return None


@dataclass(frozen=True, slots=True)
class Placed:
    """A panel with its place in the window.

    Attributes:
        panel: what lies there.
        rect: where, in real pixels.
        clip: what of the window may be drawn on.
        extent: all that the panel draws on, without its parts.
        parts: what lies inside.
    """

    panel: Panel
    rect: Rect
    clip: Rect
    extent: Rect
    parts: tuple[Placed, ...]

    def walk(self) -> Iterator[Placed]:
        """This panel and all inside, in the order in which they are drawn."""
        yield self
        for part in self.parts:
            yield from part.walk()

    def path_to(self, at: Point) -> list[Placed]:
        """What lies at a point, from the outermost panel to the innermost one; empty where nothing does."""
        if not (self.rect.collidepoint(at) and self.clip.collidepoint(at)):
            return []
        for part in reversed(self.parts):
            found = part.path_to(at)
            if found:
                return [self, *found]
        return [self]


def place(panel: Panel, style: Style, box: Box, clip: Rect, kept: Mapping[str, Any]) -> Placed:
    """Give a panel and all its parts a place.

    Args:
        panel: the tree.
        style: turns pixels of the design into real ones.
        box: the panel's place.
        clip: what of the window may be drawn on.
        kept: what the stage keeps by the names of panels, such as how far they are scrolled.
    """
    rect = style.rect(box)
    inner = clip.clip(rect) if panel.clips() else clip
    parts = tuple(place(part, style, there, inner, kept) for part, there in panel.parts(style, box, kept))
    beyond = 2 * round(panel.overhang * style.scale)
    return Placed(panel, rect, clip, rect.inflate(beyond, beyond).clip(clip), parts)
