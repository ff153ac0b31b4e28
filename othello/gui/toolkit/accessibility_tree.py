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

    node: AccessibleNode
    rect: Rect  # in real pixels
    parts: tuple[str, ...]  # keys of the children
    widget: Widget  # the widget that the item is, or is part of


class AccessibilityTree(NamedTuple):
    """The accessibility tree of the window."""

    voices: Mapping[str, AccessibleItem]  # by keys that do not change while the widget tree has the same structure
    focus: str = ROOT  # key of the focused item


def build(
    top: LaidOutWidget, title: str, focus: str, context_of: Callable[[LaidOutWidget], PaintContext]
) -> AccessibilityTree:
    """Build the accessibility tree of a widget tree.

    Args:
        top: the widgets that can be used, such as those of the open dialog.
        title: the title of the window.
        focus: the name of the focused widget; empty: none.
        context_of: returns the context of a widget.
    """
    builder = _TreeBuilder(focus, context_of)
    parts = builder.add(top, ROOT)
    window = AccessibleItem(AccessibleNode("window", name=title), top.rect, parts, top.widget)
    return AccessibilityTree({ROOT: window, **builder.voices}, builder.here)


class _TreeBuilder:
    def __init__(self, focus: str, context_of: Callable[[LaidOutWidget], PaintContext]) -> None:
        self.voices: dict[str, AccessibleItem] = {}
        self.here = ROOT
        self._focus, self._context_of = focus, context_of
        self._words = ""  # text of the label before

    def add(self, placed: LaidOutWidget, above: str) -> tuple[str, ...]:
        """Add a widget and its descendants, and return the keys of the items directly below the item `above`."""
        before, node = self._words, placed.widget.accessible(self._context_of(placed))
        if isinstance(placed.widget, Container):
            self._words = placed.widget.accessible_name or before
        keys = self._add_children(placed, above) if node is None else self._add_widget(placed, node, above)
        self._words = node.value if isinstance(placed.widget, Label) and node is not None else before
        return keys

    def _add_children(self, placed: LaidOutWidget, above: str) -> tuple[str, ...]:
        return tuple(key for part in placed.parts for key in self.add(part, above))

    def _add_widget(self, placed: LaidOutWidget, node: AccessibleNode, above: str) -> tuple[str, ...]:
        if node.role in _NAMED_BY_LABEL and not node.name:
            node = replace(node, name=self._words)
        key = self._free(placed.widget.name or f"{above}/{type(placed.widget).__name__}")
        if placed.widget.name and placed.widget.name == self._focus:
            self.here = key
        self._add(key, node, placed.rect, placed.widget)
        inside = self._add_children(placed, key)
        self.voices[key] = self.voices[key]._replace(parts=self.voices[key].parts + inside)
        return (key,)

    def _add(self, key: str, node: AccessibleNode, rect: Rect, widget: Widget) -> None:
        """Add an item and its parts."""
        keys = tuple(f"{key}#{index}" for index in range(len(node.parts)))
        alone = replace(node, parts=(), is_enabled=node.is_enabled and widget.is_enabled)
        self.voices[key] = AccessibleItem(alone, node.rect or rect, keys, widget)
        for inner, part in zip(keys, node.parts, strict=True):
            self._add(inner, part, rect, widget)
        if node.is_active and (widget.name == self._focus or (not self._focus and not widget.takes_focus)):
            self.here = key

    def _free(self, key: str) -> str:
        """Return `key`, with a number if it is in use."""
        numbered = (f"{key}{number}" for number in count(2))
        return next(free for free in chain((key,), numbered) if free not in self.voices)
