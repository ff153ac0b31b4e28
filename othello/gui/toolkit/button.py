"""Buttons and menu items."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from pygame import Surface

from othello.gui.toolkit.inputs import ControlChanged, Key, Point
from othello.gui.toolkit.shapes import fill_rounded
from othello.gui.toolkit.style import RGB, Size, Style
from othello.gui.toolkit.widget import AccessibleNode, PaintContext, Widget

BUTTON_HEIGHT: Final = 32
_PADDING: Final = 12  # lengths in design pixels
_ICON: Final = 14

_SHARED: Final = {"held": "pressed pressed text", "disabled": "panel edge disabled", "chosen": "chosen accent accent"}
_PRIMARY_LIT: Final = "accent_hover accent_hover on_accent"
_COLORS: Final = {
    "plain": _SHARED | {"usual": "raised button_edge text", "lit": "small small text"},
    "primary": _SHARED | {"usual": "accent accent on_accent", **dict.fromkeys(("lit", "held"), _PRIMARY_LIT)},
    "outline": _SHARED | {"usual": "panel line text", "lit": "raised line text"},
    "small": _SHARED | {"usual": "small line text", "lit": "pressed pressed text"},
    "mode": _SHARED | {"usual": "raised raised muted", "lit": "small raised text", "chosen": "accent accent on_accent"},
    "link": {"usual": "- - accent", "lit": "- - text", "held": "- - text", "disabled": "- - disabled"},
}
"""The palette's colours of background, outline and label, by kind and state of a button; "-" draws nothing."""

Picture = Callable[[int, RGB], Surface]
"""Draws an icon of the given size, in real pixels, and colour."""


class Button(Widget):
    """A push button, or a toggle button if `chosen` is a bool."""

    label: str = ""
    command: object | None = None  # command of a press; None: `ControlChanged` with the button's name
    kind: str = "plain"  # `plain`, `primary`, `outline`, `link`, `small` or `mode`
    enabled: bool = True
    chosen: bool | None = None  # state of a toggle button
    icon: Picture | None = None  # drawn instead of the label
    widest: tuple[str, ...] = ()  # other labels that the button must have room for
    pad: float = _PADDING  # left and right of the label
    hint: str = ""  # keyboard shortcut

    takes_focus = True
    keeps_enter = True

    @property
    def is_enabled(self) -> bool:
        return self.enabled

    @property
    def _letters(self) -> tuple[float, bool]:
        """The font size in design pixels, and whether the font is bold."""
        return {"primary": (14, True), "mode": (13, True), "small": (11, False)}.get(self.kind, (13, False))

    def measure(self, style: Style, width: float) -> Size:
        height = 24 if self.kind == "small" else BUTTON_HEIGHT
        if self.icon is not None:
            return Size(36, height)
        wide = max(style.length(word, *self._letters) for word in (self.label, *self.widest))
        return Size(wide + (0 if self.kind == "link" else 2 * self.pad), height)

    def draw(self, on: PaintContext) -> None:
        rect, px = on.rect, on.style.px
        ground, edge, color = self._colors(on)
        if ground is not None:
            fill_rounded(on.surface, rect, px(6 if self.kind == "small" else 8), ground, edge, px(1))
        if self.icon is not None:
            on.image(self.icon(px(_ICON), color), at=rect.center)
        else:
            (size, is_bold), room = self._letters, rect.width - (0 if self.kind == "link" else px(8))
            sizes = size, size - 1, size - 2
            on.text(rect.center, self.label, sizes, color, anchor="center", bold=is_bold, room=room)

    def _colors(self, on: PaintContext) -> tuple[RGB | None, RGB | None, RGB]:
        """Return the colours of background, outline and label; None draws nothing."""
        state = "held" if on.is_lit and on.is_pressed else "lit" if on.is_lit else "usual"
        state = "disabled" if not self.enabled else "chosen" if self.chosen and self.kind != "link" else state
        ground, edge, label = (getattr(on.style.palette, name, None) for name in _COLORS[self.kind][state].split())
        return ground, edge, label or on.style.palette.text

    def _pressed(self) -> object | None:
        if not self.enabled:
            return None
        return ControlChanged(self.name, True) if self.command is None else self.command

    def accessible(self, on: PaintContext) -> AccessibleNode:
        has_words = any(map(str.isalnum, self.label))
        label = self.label if self.chosen is None or not self.widest else self.widest[0]  # the same in both states
        name, about = (label, self.tip) if has_words else (self.tip or self.label, "")
        press = self._pressed()
        return AccessibleNode(
            role="button", name=name, description=about, key=self.hint, checked=self.chosen, press=press
        )

    def press(self, at: Point, on: PaintContext) -> object | None:
        return self._pressed()

    def key(self, key: Key, on: PaintContext) -> object | None:
        return self._pressed() if key.name in ("Enter", "Space") else None


class MenuItem(Button):
    """A button that fills a row of a menu."""

    right: str = ""  # text at the right end
    shorter: tuple[str, ...] = ()  # shorter labels for narrow rows, longest first

    def accessible(self, on: PaintContext) -> AccessibleNode:
        return replace(super().accessible(on), value=self.right)

    def measure(self, style: Style, width: float) -> Size:
        return Size(width, BUTTON_HEIGHT)

    def draw(self, on: PaintContext) -> None:
        palette, is_lit = on.style.palette, on.is_lit and self.enabled
        fill_rounded(on.surface, on.rect, on.style.px(6), palette.small if is_lit else palette.raised)
        color = palette.disabled if not self.enabled else palette.text if is_lit else None
        write_row(on, (self.label, *self.shorter), self.right, color)


def write_row(on: PaintContext, labels: Sequence[str], right: str, color: RGB | None = None) -> None:
    """Draw the first label that fits into a row, and `right` at its right end in a muted colour."""
    style, rect, pad = on.style, on.rect, on.style.px(_PADDING)
    at, shade = (rect.right - pad, rect.centery), color or style.palette.muted
    room = on.text(at, right, 12, shade, anchor="midright", room=rect.width // 2).left - rect.left - 2 * pad
    label = next((candidate for candidate in labels if style.width(candidate, 13) <= room), labels[-1])
    on.text((rect.left + pad, rect.centery), label, 13, color, room=room)
