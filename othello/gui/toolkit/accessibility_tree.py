"""The accessibility tree: the widgets that screen readers announce. The children of other widgets move up."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import chain, count
from typing import Final, NamedTuple

from pygame import Rect

from othello.gui.toolkit.layout import Container
from othello.gui.toolkit.text import Label
from othello.gui.toolkit.widget import AccessibleNode, LaidOutWidget, PaintContext, Widget

ROOT: Final = ""  # the key of the window

# Controls without a name take the label before them in the same container as their name.
_NAMED_BY_LABEL: Final = frozenset(
    ("text_input", "number_input", "check_box", "combo_box", "radio_group", "slider", "progress_indicator")
)


class AccessibleItem(NamedTuple):
    """An item of the accessibility tree."""

    spoken: AccessibleNode
    rect: Rect  # in real pixels
    parts: tuple[str, ...]  # keys of the children
    panel: Widget  # the widget that the item is, or is part of


class AccessibilityTree(NamedTuple):
    """The accessibility tree of the window."""

    voices: Mapping[str, AccessibleItem]  # by keys that do not change while the widget tree has the same structure
    focus: str = ROOT  # key of the focused item


def build(
    top: LaidOutWidget, title: str, focus: str, canvas_of: Callable[[LaidOutWidget], PaintContext]
) -> AccessibilityTree:
    """Build the accessibility tree of a widget tree.

    Args:
        top: the widgets that can be used, such as those of the open dialog.
        title: the title of the window.
        focus: the name of the focused widget; empty: none.
        canvas_of: returns the context of a widget.
    """
    teller = _TreeBuilder(focus, canvas_of)
    parts = teller.panel(top, ROOT)
    window = AccessibleItem(AccessibleNode(role="window", name=title), top.rect, parts, top.panel)
    return AccessibilityTree({ROOT: window, **teller.voices}, teller.here)


class _TreeBuilder:
    def __init__(self, focus: str, canvas_of: Callable[[LaidOutWidget], PaintContext]) -> None:
        self.voices: dict[str, AccessibleItem] = {}
        self.here = ROOT
        self._focus, self._canvas_of = focus, canvas_of
        self._words = ""  # text of the label before

    def panel(self, placed: LaidOutWidget, above: str) -> tuple[str, ...]:
        """Add a widget and its descendants, and return the keys of the items directly below the item `above`."""
        before, spoken = self._words, placed.panel.spoken(self._canvas_of(placed))
        if isinstance(placed.panel, Container):
            self._words = placed.panel.called or before
        keys = self._inside(placed, above) if spoken is None else self._told(placed, spoken, above)
        self._words = spoken.value if isinstance(placed.panel, Label) and spoken is not None else before
        return keys

    def _inside(self, placed: LaidOutWidget, above: str) -> tuple[str, ...]:
        return tuple(key for part in placed.parts for key in self.panel(part, above))

    def _told(self, placed: LaidOutWidget, spoken: AccessibleNode, above: str) -> tuple[str, ...]:
        if spoken.role in _NAMED_BY_LABEL and not spoken.name:
            spoken = replace(spoken, name=self._words)
        key = self._free(placed.panel.name or f"{above}/{type(placed.panel).__name__}")
        if placed.panel.name and placed.panel.name == self._focus:
            self.here = key
        self._add(key, spoken, placed.rect, placed.panel)
        inside = self._inside(placed, key)
        self.voices[key] = self.voices[key]._replace(parts=self.voices[key].parts + inside)
        return (key,)

    def _add(self, key: str, spoken: AccessibleNode, rect: Rect, panel: Widget) -> None:
        """Add an item and its parts."""
        keys = tuple(f"{key}#{index}" for index in range(len(spoken.parts)))
        alone = replace(spoken, parts=(), is_enabled=spoken.is_enabled and panel.is_enabled)
        self.voices[key] = AccessibleItem(alone, spoken.rect or rect, keys, panel)
        for inner, part in zip(keys, spoken.parts, strict=True):
            self._add(inner, part, rect, panel)
        if spoken.is_active and (panel.name == self._focus or (not self._focus and not panel.takes_focus)):
            self.here = key

    def _free(self, key: str) -> str:
        """Return `key`, with a number if it is in use."""
        numbered = (f"{key}{number}" for number in count(2))
        return next(free for free in chain((key,), numbered) if free not in self.voices)
