"""A tree of panels as a screen reader is told of it: what says nothing is left out, and its parts move up."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from pygame import Rect

from othello.gui.toolkit.layout import Container
from othello.gui.toolkit.panel import Canvas, Panel, Placed, Spoken
from othello.gui.toolkit.words import Label

ROOT: Final = ""
"""What the window is listed under."""

_NAMED_BEFORE: Final = frozenset(
    ("text_input", "number_input", "check_box", "combo_box", "radio_group", "slider", "progress_indicator")
)
"""Controls that are called as the label before them in the same container, unless they have a name of their own."""


class Voice(NamedTuple):
    """Something that a screen reader is told of.

    Attributes:
        spoken: what is said.
        rect: the place in the window.
        parts: what is inside, by what each is listed under.
        panel: the panel, or the one that it is part of.
    """

    spoken: Spoken
    rect: Rect
    parts: tuple[str, ...]
    panel: Panel


class Telling(NamedTuple):
    """All that a screen reader is told.

    Attributes:
        voices: everything, by a text that stays the same as long as the window is built alike.
        focus: where the keyboard is.
    """

    voices: Mapping[str, Voice]
    focus: str = ROOT


def tell(top: Placed, title: str, focus: str, canvas_of: Callable[[Placed], Canvas]) -> Telling:
    """Put a tree of panels in words.

    Args:
        top: all that can be used now.
        title: of the window.
        focus: the name of the panel that has the keyboard; empty: none.
        canvas_of: what a panel would be drawn on.
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
        self._words = ""  # the latest label

    def panel(self, placed: Placed, above: str) -> tuple[str, ...]:
        """List a panel and all inside, and say what of that lies directly inside what is above."""
        before, spoken = self._words, placed.panel.spoken(self._canvas_of(placed))
        if isinstance(placed.panel, Container):
            self._words = placed.panel.called or before
        found = self._inside(placed, above) if spoken is None else self._told(placed, spoken, above)
        self._words = spoken.value if isinstance(placed.panel, Label) and spoken is not None else before
        return found

    def _inside(self, placed: Placed, above: str) -> tuple[str, ...]:
        return tuple(key for part in placed.parts for key in self.panel(part, above))

    def _told(self, placed: Placed, spoken: Spoken, above: str) -> tuple[str, ...]:
        if spoken.role in _NAMED_BEFORE and not spoken.name:
            spoken = replace(spoken, name=self._words)
        key = self._free(placed.panel.name or f"{above}/{type(placed.panel).__name__}")
        if placed.panel.name and placed.panel.name == self._focus:
            self.here = key
        self._add(key, spoken, placed.rect, placed.panel)
        inside = self._inside(placed, key)
        self.voices[key] = self.voices[key]._replace(parts=self.voices[key].parts + inside)
        return (key,)

    def _add(self, key: str, spoken: Spoken, rect: Rect, panel: Panel) -> None:
        """List something with its own parts."""
        keys = tuple(f"{key}#{index}" for index in range(len(spoken.parts)))
        alone = replace(spoken, parts=(), is_enabled=spoken.is_enabled and panel.is_enabled)
        self.voices[key] = Voice(alone, spoken.rect or rect, keys, panel)
        for inner, part in zip(keys, spoken.parts, strict=True):
            self._add(inner, part, rect, panel)
        if spoken.is_active and (panel.name == self._focus or (not self._focus and not panel.takes_focus)):
            self.here = key

    def _free(self, key: str) -> str:
        """A key that nothing is listed under."""
        number, found = 1, key
        while found in self.voices:
            number, found = number + 1, f"{key}{number + 1}"
        return found
