"""The base class of widgets: immutable values that measure, lay out and draw themselves and handle input.

A screen builds a new widget tree after every change. Equal widgets at the same place look the same, so only the
differences from the last drawn tree are drawn. State between trees (focus, scroll position, open list, caret) is stored
in the `WidgetTree` under the widget's name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY
from typing import Any, ClassVar, Final, NamedTuple

from pygame import Rect, Surface

from othello.frozen_dataclass import FrozenDataclass
from othello.gui.toolkit.inputs import Key, Point
from othello.gui.toolkit.style import RGB, Box, Size, Style, blit_text

_ANY: Final = 10_000.0  # a width, in design pixels, that is never the limit


class Overlay(NamedTuple):
    """A picture over all widgets, such as an open list or a tooltip."""

    rect: Rect  # in real pixels of the window
    look: object  # changes when the picture changes
    draw: Callable[[Surface], None]


class AccessibleNode(FrozenDataclass):
    """A widget, or a part of one, as screen readers announce it."""

    role: str  # AccessKit's name: `button`, `grid`, ...
    name: str = ""  # empty for a control: the label before it
    _: KW_ONLY
    value: str = ""  # content, such as the text of a field
    description: str = ""
    key: str = ""  # keyboard shortcut
    is_enabled: bool = True
    checked: bool | None = None  # None: cannot be switched on and off
    selected: bool | None = None  # None: not one of several options
    is_open: bool | None = None  # None: has no list to open
    is_active: bool = False  # the part of its widget that the keyboard acts on
    live: str = ""  # announces changes: `polite`, or `assertive` to interrupt; empty: does not
    selection: tuple[int, int] | None = None  # of a text: anchor and caret, in characters
    value_range: tuple[float, float, float] | None = None  # value, minimum, maximum
    rect: Rect | None = None  # in real pixels; None: the widget's own
    press: object | None = None  # command of a press, or `SetState`
    focus: object | None = None  # the same for the focus, in addition to focusing the widget
    parts: tuple[AccessibleNode, ...] = ()  # parts that are not widgets


def accessible_list_item(name: str, *, is_selected: bool, press: object, rect: Rect | None = None) -> AccessibleNode:
    """Return an accessible item of a list, of which the selected one is the one that the keyboard acts on."""
    return AccessibleNode("list_item", name=name, selected=is_selected, is_active=is_selected, press=press, rect=rect)


def accessible_table(name: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> AccessibleNode:
    """Return an accessible table: each row with its full text, each cell described by its column's name."""
    named = [[(column, cell) for column, cell in zip(header, row, strict=False) if cell] for row in rows]
    lines = (
        AccessibleNode(
            "row",
            name=", ".join(" ".join(filter(None, pair)) for pair in row),
            parts=tuple(AccessibleNode("cell", name=cell, description=column) for column, cell in row),
        )
        for row in named
    )
    headings = (AccessibleNode("column_header", column) for column in header if column)
    return AccessibleNode("table", name, parts=(AccessibleNode("row", parts=tuple(headings)), *lines))


class SetState(NamedTuple):
    """A reply to an input: state that the `WidgetTree` stores for the widget while it has the focus."""

    value: object  # the state, which the widget reads from `PaintContext.state`
    command: object | None = None
    opens: bool = False  # show the widget's overlay, which then receives all presses and keys


class InputContext(NamedTuple):
    """The context of an input: window, click count and clipboard."""

    window: Rect
    clicks: int = 1  # 2 for the second press of a double click
    copy: Callable[[str], object] = str
    paste: Callable[[], str] = str


_NO_INPUT: Final = InputContext(Rect())


class PaintContext(NamedTuple):
    """The context in which a widget draws itself and handles input."""

    surface: Surface  # surface of the window
    style: Style
    rect: Rect  # the widget's place, in real pixels
    mouse: Point | None = None  # None: the mouse is not on the widget
    has_focus: bool = False
    is_pressed: bool = False  # the mouse button was pressed on the widget and not yet released
    is_open: bool = False  # the widget's overlay is shown
    state: Any = None  # the widget's state, set by `SetState`
    inner: Rect | None = None  # place of the first child; None: no children
    input: InputContext = _NO_INPUT
    now: float = 0.0  # time in seconds, for animations

    @property
    def is_lit(self) -> bool:
        return self.mouse is not None

    def text(
        self,
        at: tuple[float, float],
        words: str | Sequence[str],
        size: float | Sequence[float],
        color: RGB | None = None,
        *,
        anchor: str = "midleft",
        bold: bool = False,
        room: int | None = None,
    ) -> Rect:
        """Draw one line of text and return its rectangle.

        Args:
            at: position of the anchor, in real pixels.
            words: the text; of several texts, longest first, the first that fits at the largest size, else the last.
            size: font size in design pixels; of several sizes in descending order, the first that fits.
            color: None: the palette's text colour.
            anchor: the point of the text that lies at `at`: `topleft`, `center`, `midright`, ...
            bold: use the bold font.
            room: maximum width in real pixels, at which longer text is cut; None: no limit.
        """
        style, sizes = self.style, (size,) if isinstance(size, int | float) else size
        texts = (words,) if isinstance(words, str) else words
        if room is None:
            return self.image(style.text(texts[0], sizes[0], color, bold), at=at, anchor=anchor)
        text = next((text for text in texts if style.width(text, sizes[0], bold) <= room), texts[-1])
        points = style.largest(text, sizes, room, bold)
        return self.image(style.text(style.fit(text, points, room, bold), points, color, bold), at=at, anchor=anchor)

    def image(self, image: Surface, *, at: tuple[float, float], anchor: str = "center") -> Rect:
        """Draw an image with the named point of its rectangle at `at`, and return the rectangle."""
        return blit_text(self.surface, image, anchor=anchor, at=at)


class Widget(FrozenDataclass, kw_only=True):
    """The base class of widgets.

    Methods that handle input return a command for the screen, a `SetState` for the `WidgetTree`, or None if they do
    not handle the input.
    """

    name: str = ""  # key of the widget's focus and state; empty for a widget without input
    width: float | None = None  # in design pixels; None: as `measure` says
    height: float | None = None
    grow: float = 0.0  # share of the spare room in a row or column; True is 1
    min_content: float = 0.0  # narrowest useful width in design pixels, if text can be shortened
    tip: str = ""  # text of the tooltip
    accessible_name: str = ""  # of a control, or of the controls in a container; empty: the label before them

    takes_focus: ClassVar[bool] = False
    keeps_enter: ClassVar[bool] = False  # handles Enter, which otherwise presses the main button of a dialog
    takes_arrows: ClassVar[bool] = False  # handles arrow keys, and is a group of its own for F6
    is_dragged: ClassVar[bool] = False  # receives mouse movements while the button is held
    writes: ClassVar[bool] = False  # takes every letter as text while it has the focus
    scrolls: ClassVar[bool] = False  # clips its child, which can be scrolled
    follows_mouse: ClassVar[bool] = False  # looks different at every position of the mouse
    is_modal: ClassVar[bool] = False  # keeps all input from widgets below
    overhang: ClassVar[float] = 0.0  # how far the widget draws beyond its place, in design pixels
    is_group: ClassVar[bool] = False  # is one stop of F6; arrow keys move the focus inside

    @property
    def is_enabled(self) -> bool:
        return True

    @property
    def is_chosen(self) -> bool:
        """True if F6 moves the focus here first in its group."""
        return False

    @property
    def is_solid(self) -> bool:
        """True if the widget keeps the mouse from widgets below."""
        return True

    def measure(self, style: Style, width: float) -> Size:
        """Return the size of the content in a given width, in design pixels."""
        return Size(0, 0)

    def min_width(self, style: Style) -> float:
        """Return the smallest useful width: `min_content` for widgets that fill any width."""
        natural_width = self.size(style, _ANY).width if self.width is None else self.width
        return self.min_content if natural_width >= _ANY else max(self.min_content, natural_width)

    def size(self, style: Style, width: float) -> Size:
        """Return the fixed size, or the size of the content."""
        if self.width is not None and self.height is not None:
            return Size(self.width, self.height)
        key = id(self), width
        if key not in style.sizes:
            content = self.measure(style, width if self.width is None else self.width)
            width = content.width if self.width is None else self.width
            height = content.height if self.height is None else self.height
            style.sizes[key] = self, Size(width, height)
        return style.sizes[key][1]

    def layout_children(self, style: Style, box: Box, state: Mapping[str, Any]) -> Iterator[tuple[Widget, Box]]:
        """Yield the children and their places inside `box`. `state` is the state of widgets by name."""
        yield from ()

    def render_key(self, on: PaintContext) -> object:
        """Return a key that changes when the widget must be redrawn, children excluded."""
        return self

    def draw(self, on: PaintContext) -> None:
        """Draw the layer below the children, clipped to the widget's place and `overhang`."""

    def draw_over(self, on: PaintContext) -> None:
        """Draw the layer over the children."""

    def accessible(self, on: PaintContext) -> AccessibleNode | None:
        """Return what screen readers announce; None: only the children."""
        return None

    def put(self, value: str | float) -> object | None:
        """Handle a new value from a screen reader."""
        return None

    def select(self, anchor: int, at: int, on: PaintContext) -> object | None:
        """Handle a text selection from a screen reader, from character `anchor` to the caret at `at`."""
        return None

    def tip_at(self, at: Point, on: PaintContext) -> str:
        """Return the tooltip for a position of the mouse."""
        return self.tip

    def press(self, at: Point, on: PaintContext) -> object | None:
        """Handle a press of the left mouse button."""
        return None

    def drag(self, at: Point, on: PaintContext) -> object | None:
        """Handle a mouse movement with the button held; called if `is_dragged`."""
        return self.press(at, on)

    def release(self, on: PaintContext) -> object | None:
        """Handle the release of the mouse button that was pressed on the widget."""
        return None

    def press_right(self, at: Point, on: PaintContext) -> object | None:
        """Handle a press of the right mouse button."""
        return None

    def scroll(self, rows: int, on: PaintContext) -> object | None:
        """Handle the mouse wheel. None passes the event on to the parent."""
        return None

    def key(self, key: Key, on: PaintContext) -> object | None:
        """Handle a key while the widget has the focus. None passes the key on to the screen."""
        return None

    def point(self, at: Point, on: PaintContext) -> object | None:
        """Handle a mouse movement while the overlay is open."""
        return None

    def compose(self, text: str, on: PaintContext) -> object | None:
        """Handle unfinished text of an input method."""
        return None

    def remark(self, on: PaintContext) -> str:
        """Return the text of a bubble below the focused widget; empty: no bubble."""
        return ""

    def caret_rect(self, on: PaintContext) -> Rect | None:
        """Return the caret's place, at which an input method opens its list; None: no text can be entered."""
        return None

    def overlay(self, on: PaintContext) -> Overlay | None:
        """Return the overlay to show after a `SetState` with `opens`."""
        return None


class LaidOutWidget(NamedTuple):
    """A widget with its place in the window."""

    widget: Widget
    rect: Rect  # in real pixels
    clip: Rect  # the visible part of the window at this place
    extent: Rect  # the area that the widget draws on, children excluded
    parts: tuple[LaidOutWidget, ...]  # the children

    def walk(self) -> Iterator[LaidOutWidget]:
        """Yield this widget and its descendants in drawing order."""
        stack = [self]
        while stack:
            placed = stack.pop()
            yield placed
            stack += placed.parts[::-1]

    def path_to(self, at: Point) -> list[LaidOutWidget]:
        """Return the widgets at a point, outermost first."""
        if not (self.rect.collidepoint(at) and self.clip.collidepoint(at)):
            return []
        for part in reversed(self.parts):
            path = part.path_to(at)
            if path:
                return [self, *path]
        return [self] if self.widget.is_solid else []


def lay_out(widget: Widget, style: Style, box: Box, clip: Rect, state: Mapping[str, Any]) -> LaidOutWidget:
    """Lay out a widget tree.

    Args:
        widget: the root of the tree.
        style: converts design pixels to real pixels.
        box: the root's place.
        clip: the visible part of the window.
        state: state of widgets by name, such as scroll positions.
    """
    rect = style.rect(box)
    inner = clip.clip(rect) if widget.scrolls else clip
    children = widget.layout_children(style, box, state)
    parts = tuple(lay_out(child, style, place, inner, state) for child, place in children)
    beyond = 2 * round(widget.overhang * style.scale)
    return LaidOutWidget(widget, rect, clip, rect.inflate(beyond, beyond).clip(clip), parts)
