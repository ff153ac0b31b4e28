"""A panel: a value that says how large it is, where its parts lie, how it looks and what a person can do with it.

A screen declares its tree of panels anew whenever something has changed. Two equal panels in the same place look the
same, so only what differs from the tree that was drawn last is drawn again. What a person does to a panel while the
screen stays the same (focus, scrolling, an open list, a caret) is kept by the stage under the panel's name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

import pygame
from pygame import Rect

from othello.frozen import Frozen
from othello.gui.toolkit.inputs import Key, Point
from othello.gui.toolkit.spoken import Spoken
from othello.gui.toolkit.style import RGB, Box, Size, Style, blit_text

Look: TypeAlias = tuple[Rect, object]
"""The rectangle of something, and a value that is equal as long as it looks the same."""

_MOST_RECTS: Final = 8  # that are drawn apart; where more places have changed, all that lies between is drawn, too


class Overlay(NamedTuple):
    """Something that lies over all panels.

    Attributes:
        rect: all of the window that the overlay is drawn on.
        look: equal as long as the overlay looks the same.
        draw: draws the overlay.
    """

    rect: Rect
    look: object
    draw: Callable[[pygame.Surface], None]


def look(placed: Placed, on: Canvas) -> Look:
    """How a panel looks, on the canvas that it would be drawn on."""
    return placed.extent, (placed.panel.look(on), on.mouse, on.has_focus, on.is_held, on.kept, on.inner)


def difference(before: Sequence[Look], after: Sequence[Look], window: Rect) -> list[Rect]:
    """A few rectangles, apart from each other, around all that two pictures do not share."""
    if not before:
        return [window]
    start, most = 0, min(len(before), len(after))
    while start < most and before[start] == after[start]:
        start += 1
    end = 0
    while end < most - start and before[-1 - end] == after[-1 - end]:
        end += 1
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    changed = [*old, *new]
    if len(old) == len(new):
        changed = [each for pair in zip(old, new, strict=True) if pair[0] != pair[1] for each in pair]
    found: list[Rect] = []
    for rect, _ in changed:
        rect = rect.clip(window)
        while (index := rect.collidelist(found)) >= 0:
            rect = rect.union(found.pop(index))
        found += [rect] if rect else []
    return found if len(found) <= _MOST_RECTS else [found[0].unionall(found[1:])]


def paint(placed: Placed, dirty: Rect, canvases: Iterator[Canvas]) -> None:
    """Draw a panel and all inside, as far as they lie in a rectangle; `canvases` come in the order of the tree."""
    on, clip = next(canvases), placed.extent.clip(dirty)
    if clip:
        on.surface.set_clip(clip)
        placed.panel.draw(on)
    for part in placed.parts:
        paint(part, dirty, canvases)
    if clip:
        on.surface.set_clip(clip)
        placed.panel.draw_over(on)


def focusable_widgets(top: Placed) -> list[Placed]:
    """Every panel that the keyboard can go to, in order."""
    return [each for each in top.walk() if is_focusable(each)]


def is_focusable(placed: Placed) -> bool:
    return placed.panel.takes_focus and placed.panel.is_enabled


def groups(top: Placed) -> list[list[Placed]]:
    """What F6 stops at, in order: the stops of each group, in the order in which one reads.

    A stop outside all groups is a group of its own, and so is a stop that takes arrows itself. What a page scrolls is
    read together: however far the page is scrolled, the order stays.
    """
    found: list[list[tuple[tuple[int, ...], Placed]]] = []
    _gather(top, found, None, ())
    return [[each for _, each in sorted(group, key=itemgetter(0))] for group in found if group]


def _gather(
    placed: Placed,
    found: list[list[tuple[tuple[int, ...], Placed]]],
    group: list[tuple[tuple[int, ...], Placed]] | None,
    page: tuple[int, ...],
) -> None:
    if placed.panel.scrolls and any(part.rect.height > placed.rect.height for part in placed.parts):
        page = placed.rect.top, placed.rect.left
    if placed.panel.is_group and group is None:
        group = []
        found.append(group)
    if is_focusable(placed):
        stop = (*page, placed.rect.top, placed.rect.left), placed
        if group is None or placed.panel.takes_arrows:
            found.append([stop])
        else:
            group.append(stop)
    for part in placed.parts:
        _gather(part, found, group, page)


def next_stop(top: Placed, focus: str, steps: int) -> str:
    """The name of the stop that Tab leads to; empty where there is none."""
    names = [each.panel.name for each in focusable_widgets(top)]
    if focus not in names:
        return names[0 if steps > 0 else -1] if names else ""
    return names[(names.index(focus) + steps) % len(names)]


def next_group(top: Placed, focus: str, steps: int) -> str:
    """The name of the stop that F6 leads to: what is chosen in a group, else its first; empty: out of all groups."""
    found = groups(top)
    outside = -1 if steps > 0 else len(found)
    now = next((index for index, group in enumerate(found) if _has(group, focus)), outside)
    if not 0 <= now + steps < len(found):
        return ""
    group = found[now + steps]
    return next((each for each in group if each.panel.is_chosen), group[0]).panel.name


def beside(top: Placed, focus: str, columns: int, rows: int) -> str:
    """The name of the stop on one side in the group of the focus: the next as one reads, or the nearest in a column.

    Args:
        top: the tree.
        focus: the name of the panel that has the focus.
        columns: 1 for the right side, -1 for the left one, else 0.
        rows: 1 for below, -1 for above, else 0.

    Returns:
        The focus itself where nothing lies on that side; empty where the focus is in no group of several.
    """
    group = next((group for group in groups(top) if _has(group, focus) and len(group) > 1), None)
    if group is None:
        return ""
    names = [each.panel.name for each in group]
    if columns:
        return names[min(max(0, names.index(focus) + columns), len(names) - 1)]
    start = group[names.index(focus)].rect
    best = (float("inf"), focus)
    for name, other in zip(names, group, strict=True):
        ahead, aside = (other.rect.centery - start.centery) * rows, abs(other.rect.centerx - start.centerx)
        if ahead > 0 and aside <= 2 * ahead + start.height:
            best = min(best, (ahead + 3 * aside, name))
    return best[1]


def _has(group: list[Placed], name: str) -> bool:
    return any(each.panel.name == name for each in group)


_ANY: Final = 10_000.0


class Keep(NamedTuple):
    """An answer to an input: something to remember of the panel for as long as the panel has the focus.

    Attributes:
        value: what the stage keeps; the panel finds it on its canvas.
        command: what follows beyond the stage; None: nothing.
        opens: whether something of the panel lies over all others from now on, and every press and key is for it.
    """

    value: object
    command: object | None = None
    opens: bool = False


class Hand(NamedTuple):
    """What an input comes with."""

    window: Rect  # all of the window
    clicks: int = 1  # 2 for the second press of a double click
    copy: Callable[[str], object] = str  # puts text on the clipboard
    paste: Callable[[], str] = str  # what is on the clipboard


_NO_HAND: Final = Hand(Rect(0, 0, 0, 0))


class Canvas(NamedTuple):
    """What a panel draws on, or hears of an input with."""

    surface: pygame.Surface  # of the window
    style: Style  # lengths, text and colours
    rect: Rect  # the panel's place, in real pixels
    mouse: Point | None = None  # where the mouse is, if the mouse is on the panel
    has_focus: bool = False  # whether the panel has the keyboard's focus
    is_held: bool = False  # whether the panel was pressed and not let go
    is_open: bool = False  # whether something of the panel lies over all others
    kept: Any = None  # what the stage keeps under the panel's name
    inner: Rect | None = None  # the place of the first panel inside, None where there is none
    hand: Hand = _NO_HAND
    now: float = 0.0  # the time, for what looks different as time passes

    @property
    def is_lit(self) -> bool:
        return self.mouse is not None

    def text(
        self,
        at: tuple[float, float],
        words: str,
        size: float | Sequence[float],
        color: RGB | None = None,
        *,
        anchor: str = "midleft",
        bold: bool = False,
        room: int | None = None,
    ) -> Rect:
        """Write one line.

        Args:
            at: where the anchor lies.
            words: what is written.
            size: of the letters; of several, ever smaller ones, the first at which the words fit.
            color: None: the palette's text.
            anchor: a point of the words: `topleft`, `center`, `midright`, ...
            bold: whether the letters are bold.
            room: real pixels; longer words are shortened. None: as much as the words need.

        Returns:
            The place of the words.
        """
        style = self.style
        if not isinstance(size, int | float):
            size = size[0] if room is None else style.largest(words, size, room, bold)
        words = words if room is None else style.fit(words, size, room, bold)
        return self.image(style.text(words, size, color, bold), at=at, anchor=anchor)

    def image(self, image: pygame.Surface, *, at: tuple[float, float], anchor: str = "center") -> Rect:
        """Put an image with an anchor of its rectangle somewhere, and say what place the image has there."""
        return blit_text(self.surface, image, anchor=anchor, at=at)


class Panel(Frozen, kw_only=True):
    """A part of a screen."""

    name: str = ""  # what the stage keeps focus and use under; empty for what takes no input
    width: float | None = None  # fixed, in pixels of the design; None: as the contents need
    height: float | None = None
    grow: float = 0.0  # the share of room that is left over in a row or a column
    min_content: float = 0.0  # narrowest useful width of its words, in pixels of the design
    tip: str = ""  # the words of the tooltip

    takes_focus: ClassVar[bool] = False
    """Whether the keyboard can go to the panel."""

    keeps_enter: ClassVar[bool] = False
    """Whether Enter is for the panel, and not for the main button of a dialog."""

    takes_arrows: ClassVar[bool] = False
    """Whether arrow keys mean something in the panel, which therefore is a stop of F6 by itself."""

    is_dragged: ClassVar[bool] = False
    """Whether the panel hears of the mouse as long as the button is held."""

    writes: ClassVar[bool] = False
    """Whether every letter is text for the panel while it has the focus."""

    scrolls: ClassVar[bool] = False
    """Whether what is inside is cut off at the edges, and moved up and down."""

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

    @property
    def is_solid(self) -> bool:
        """Whether the mouse on the panel is for nothing that lies below."""
        return True

    def measure(self, style: Style, width: float) -> Size:
        """How large the contents are where there is so much room across, in pixels of the design."""
        return Size(0, 0)

    def narrowest(self, style: Style) -> float:
        """How much room across the panel needs at least; what fills any room needs `min_content`."""
        wide = self.size(style, _ANY).width if self.width is None else self.width
        return self.min_content if wide >= _ANY else max(self.min_content, wide)

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

    def look(self, on: Canvas) -> object:
        """Equal as long as the panel itself, without its parts, looks the same."""
        return self

    def draw(self, on: Canvas) -> None:
        """Draw what lies below the parts. What lies outside the panel's own place is cut off."""

    def draw_over(self, on: Canvas) -> None:
        """Draw what lies over the parts."""

    def spoken(self, on: Canvas) -> Spoken | None:
        """What a screen reader is told; None: nothing but of what is inside."""
        return None

    def put(self, value: str | float) -> object | None:
        """What follows where a screen reader puts a value into the panel; None: nothing."""
        return None

    def select(self, anchor: int, at: int, on: Canvas) -> object | None:
        """What follows where a screen reader selects letters of a text and puts the caret `at` one; None: nothing."""
        return None

    def tip_at(self, at: Point, on: Canvas) -> str:
        """The words of the tooltip where the mouse is at a point of the window."""
        return self.tip

    def press(self, at: Point, on: Canvas) -> object | None:
        """What follows from a press, or from a drag, at a point of the window: a command; None: nothing."""
        return None

    def drag(self, at: Point, on: Canvas) -> object | None:
        """What follows where the mouse is moved with its button held; only panels that are dragged are asked."""
        return self.press(at, on)

    def release(self, on: Canvas) -> object | None:
        """What follows where the button is let go that was pressed on the panel."""
        return None

    def press_right(self, at: Point, on: Canvas) -> object | None:
        """What follows from a press of the right button."""
        return None

    def scroll(self, rows: int, on: Canvas) -> object | None:
        """What follows where the wheel is turned over the panel; None: the wheel is for what the panel lies in."""
        return None

    def key(self, key: Key, on: Canvas) -> object | None:
        """What follows from a key while the panel has the focus; None: the key is for somebody else."""
        return None

    def point(self, at: Point, on: Canvas) -> object | None:
        """What follows where the mouse is moved while something of the panel lies over all others."""
        return None

    def compose(self, text: str, on: Canvas) -> object | None:
        """What follows where an input method shows what it is about to write in the panel."""
        return None

    def remark(self, on: Canvas) -> str:
        """What is said below the panel while it has the focus; empty: nothing."""
        return ""

    def caret_rect(self, on: Canvas) -> Rect | None:
        """Where an input method shows what it offers, None where nobody can write."""
        return None

    def overlay(self, on: Canvas) -> Overlay | None:
        """What lies over all other panels, once the panel has opened it."""
        return None


class Placed(NamedTuple):
    """A panel with its place in the window."""

    panel: Panel  # what lies there
    rect: Rect  # where, in real pixels
    clip: Rect  # what of the window may be drawn on
    extent: Rect  # all that the panel draws on, without its parts
    parts: tuple[Placed, ...]  # what lies inside

    def walk(self) -> Iterator[Placed]:
        """This panel and all inside, in the order in which they are drawn."""
        left = [self]
        while left:
            each = left.pop()
            yield each
            left += each.parts[::-1]

    def path_to(self, at: Point) -> list[Placed]:
        """What lies at a point, from the outermost panel to the innermost one; empty where nothing does."""
        if not (self.rect.collidepoint(at) and self.clip.collidepoint(at)):
            return []
        for part in reversed(self.parts):
            found = part.path_to(at)
            if found:
                return [self, *found]
        return [self] if self.panel.is_solid else []


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
    inner = clip.clip(rect) if panel.scrolls else clip
    parts = tuple(place(part, style, there, inner, kept) for part, there in panel.parts(style, box, kept))
    beyond = 2 * round(panel.overhang * style.scale)
    return Placed(panel, rect, clip, rect.inflate(beyond, beyond).clip(clip), parts)
