"""The accessibility tree: the widgets that screen readers announce. The children of other widgets move up."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from pygame import Rect

from othello.gui.toolkit.layout import Container
from othello.gui.toolkit.panel import Canvas, Panel, Placed, Spoken
from othello.gui.toolkit.words import Label

ROOT: Final = ""  # the key of the window

# Controls without a name take the label before them in the same container as their name.
_NAMED_BY_LABEL: Final = frozenset(
    ("text_input", "number_input", "check_box", "combo_box", "radio_group", "slider", "progress_indicator")
)


class Voice(NamedTuple):
    """An item of the accessibility tree."""

    spoken: Spoken
    rect: Rect  # in real pixels
    parts: tuple[str, ...]  # keys of the children
    panel: Panel  # the widget that the item is, or is part of


class Telling(NamedTuple):
    """The accessibility tree of the window."""

    voices: Mapping[str, Voice]  # by keys that do not change while the widget tree has the same structure
    focus: str = ROOT  # key of the focused item


def tell(top: Placed, title: str, focus: str, canvas_of: Callable[[Placed], Canvas]) -> Telling:
    """Build the accessibility tree of a widget tree.

    Args:
        top: the widgets that can be used, such as those of the open dialog.
        title: the title of the window.
        focus: the name of the focused widget; empty: none.
        canvas_of: returns the context of a widget.
    """
    teller = _Teller(focus, canvas_of)
    parts = teller.panel(top, ROOT)
    window = Voice(Spoken(role="window", name=title), top.rect, parts, top.panel)
    return Telling({ROOT: window, **teller.voices}, teller.here)


class _Teller:
    def __init__(self, focus: str, canvas_of: Callable[[Placed], Canvas]) -> None:
        self.voices: dict[str, Voice] = {}
        self.here = ROOT
        self._focus, self._canvas_of = focus, canvas_of
        self._words = ""  # text of the label before

    def panel(self, placed: Placed, above: str) -> tuple[str, ...]:
        """Add a widget and its descendants, and return the keys of the items directly below the item `above`."""
        before, spoken = self._words, placed.panel.spoken(self._canvas_of(placed))
        if isinstance(placed.panel, Container):
            self._words = placed.panel.called or before
        found = self._inside(placed, above) if spoken is None else self._told(placed, spoken, above)
        self._words = spoken.value if isinstance(placed.panel, Label) and spoken is not None else before
        return found

    def _inside(self, placed: Placed, above: str) -> tuple[str, ...]:
        return tuple(key for part in placed.parts for key in self.panel(part, above))

    def _told(self, placed: Placed, spoken: Spoken, above: str) -> tuple[str, ...]:
        if spoken.role in _NAMED_BY_LABEL and not spoken.name:
            spoken = replace(spoken, name=self._words)
        key = self._free(placed.panel.name or f"{above}/{type(placed.panel).__name__}")
        if placed.panel.name and placed.panel.name == self._focus:
            self.here = key
        self._add(key, spoken, placed.rect, placed.panel)
        inside = self._inside(placed, key)
        self.voices[key] = self.voices[key]._replace(parts=self.voices[key].parts + inside)
        return (key,)

    def _add(self, key: str, spoken: Spoken, rect: Rect, panel: Panel) -> None:
        """Add an item and its parts."""
        keys = tuple(f"{key}#{index}" for index in range(len(spoken.parts)))
        alone = replace(spoken, parts=(), is_enabled=spoken.is_enabled and panel.is_enabled)
        self.voices[key] = Voice(alone, spoken.rect or rect, keys, panel)
        for inner, part in zip(keys, spoken.parts, strict=True):
            self._add(inner, part, rect, panel)
        if spoken.is_active and (panel.name == self._focus or (not self._focus and not panel.takes_focus)):
            self.here = key

    def _free(self, key: str) -> str:
        """Return `key`, with a number if it is in use."""
        number, found = 1, key
        while found in self.voices:
            number, found = number + 1, f"{key}{number + 1}"
        return found
