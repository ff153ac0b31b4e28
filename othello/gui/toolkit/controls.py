"""Buttons, menu items and controls that set a value: checkbox, slider, segmented control, drop-down list."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from pygame import Rect, Surface

from othello.gui.toolkit.inputs import ControlChanged, Key, Point
from othello.gui.toolkit.shapes import draw_check, draw_chevron, fill_rounded, fill_share, ring
from othello.gui.toolkit.style import RGB, Size, Style
from othello.gui.toolkit.widget import AccessibleNode, Overlay, PaintContext, SetState, Widget

STEPS: Final = {"Left": -1, "Up": -1, "Right": 1, "Down": 1}
BUTTON_HEIGHT: Final = 32
_CELL: Final = Size(0, BUTTON_HEIGHT)
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

Painter = Callable[[PaintContext, Any, bool], None]
"""Draws an option of a `SegmentedControl`, given a context with its place, its value and whether it is chosen."""


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
        """The font size in design pixels, and True if the font is bold."""
        return {"primary": (14, True), "mode": (13, True), "small": (11, False)}.get(self.kind, (13, False))

    def measure(self, style: Style, width: float) -> Size:
        height = 24 if self.kind == "small" else BUTTON_HEIGHT
        if self.icon is not None:
            return Size(36, height)
        size, is_bold = self._letters
        wide = max(style.length(word, size, is_bold) for word in (self.label, *self.widest))
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
        return AccessibleNode("button", name=name, description=about, key=self.hint, checked=self.chosen, press=press)

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
    on.text((rect.left + pad, rect.centery), labels, 13, color, room=room)


class Checkbox(Widget):
    """A checkbox with its label."""

    label: str = ""
    value: bool = False
    hint: str = ""  # keyboard shortcut, shown at the right end

    takes_focus = True

    def measure(self, style: Style, width: float) -> Size:
        wide = 30 + style.length(self.label, 13) + (style.length(self.hint, 11) + 24 if self.hint else 0)
        return Size(min(wide, width), 28)

    def draw(self, on: PaintContext) -> None:
        style, rect, px, palette = on.style, on.rect, on.style.px, on.style.palette
        box = Rect(rect.left, rect.centery - px(10), px(20), px(20))
        if self.value:
            fill_rounded(on.surface, box, px(5), palette.accent)
            draw_check(on.surface, palette.on_accent, box.center, px(11))
        else:
            fill_rounded(on.surface, box, px(5), palette.well, palette.text if on.is_lit else palette.control, px(1))
        right = rect.right
        if self.hint:
            image = style.text(self.hint, 11, palette.muted)
            key = Rect().move_to(size=(image.get_width() + px(12), px(20)), midright=rect.midright)
            fill_rounded(on.surface, key, px(5), palette.raised, palette.line, px(1))
            on.image(image, anchor="center", at=key.center)
            right = key.left - px(4)
        on.text((box.right + px(10), rect.centery), self.label, 13, room=right - box.right - px(10))

    def accessible(self, on: PaintContext) -> AccessibleNode:
        press, is_checked = self.press((0, 0), on), bool(self.value)
        return AccessibleNode(
            "check_box", self.label, description=self.tip, key=self.hint, checked=is_checked, press=press
        )

    def press(self, at: Point, on: PaintContext) -> object | None:
        return ControlChanged(self.name, not self.value)

    def key(self, key: Key, on: PaintContext) -> object | None:
        return self.press(on.rect.center, on) if key.name == "Space" else None


class Slider(Widget):
    """A slider over a list of values."""

    values: Sequence[Any] = ()  # from left to right
    value: Any = None
    marks: tuple[tuple[Any, str], ...] = ()  # labels below some values
    waits: bool = False  # set the value only when the mouse button is released; until then, show it below the slider

    takes_focus = True
    takes_arrows = True
    is_dragged = True

    def measure(self, style: Style, width: float) -> Size:
        return Size(width, 48 if self.marks else 28)

    def _index(self, value: Any) -> int:
        return min(range(len(self.values)), key=lambda index: abs(self.values[index] - value))

    def draw(self, on: PaintContext) -> None:
        style, px, palette, last = on.style, on.style.px, on.style.palette, len(self.values) - 1
        bar = Rect(on.rect.left, on.rect.top, on.rect.width, px(28))
        line = Rect(bar.left + px(9), bar.centery - px(2), bar.width - px(18), px(4))
        index = self._index(self.value if on.state is None else on.state)
        x = line.left + line.width * index // last
        fill_share(on.surface, line, index / last, palette.accent, palette.control)
        on.image(ring(px(18), px(1), palette.line, palette.text), at=(x, line.centery))
        labels = ((on.state, str(on.state)),) if on.state is not None else self.marks
        for value, word in labels:
            image = style.text(word, 11, palette.muted if labels is self.marks else None)
            place = image.get_rect(midtop=(line.left + line.width * self._index(value) // last, bar.bottom + px(2)))
            on.surface.blit(image, place.clamp(Rect(on.rect.left, place.top, on.rect.width, place.height)))

    def accessible(self, on: PaintContext) -> AccessibleNode:
        mark = next((word for value, word in self.marks if value == self.value), str(self.value))
        share = self.value, self.values[0], self.values[-1]
        return AccessibleNode("slider", name=self.accessible_name, value=mark, description=self.tip, value_range=share)

    def put(self, value: str | float) -> ControlChanged:
        return ControlChanged(self.name, self.values[self._index(float(value))])

    def press(self, at: Point, on: PaintContext) -> object | None:
        share = (at[0] - on.rect.left - on.style.px(9)) / max(1, on.rect.width - on.style.px(18))
        value = self.values[round(min(max(0.0, share), 1.0) * (len(self.values) - 1))]
        if self.waits:
            return SetState(value)
        return None if value == self.value else ControlChanged(self.name, value)

    def release(self, on: PaintContext) -> object | None:
        if on.state is None:
            return None
        return SetState(None, None if on.state == self.value else ControlChanged(self.name, on.state))

    def key(self, key: Key, on: PaintContext) -> object | None:
        index = _moved(key, self._index(self.value), len(self.values) - 1, rises=True)
        return None if index is None else ControlChanged(self.name, self.values[index])


class SegmentedControl(Widget):
    """A segmented control: one of a few options, side by side."""

    options: tuple[tuple[Any, str], ...] = ()  # values and labels
    value: Any = None
    gap: float = 0  # between options, in design pixels; 0: one bar with segments
    painter: Painter | None = None  # draws the options instead of labelled segments
    rows: int = 1  # 0: as few as fit
    cell: Size = _CELL  # minimum size of an option; a width of 0: as wide as the longest label
    tips: tuple[str, ...] = ()  # tooltips of the options

    takes_focus = True
    takes_arrows = True
    follows_mouse = True

    def measure(self, style: Style, width: float) -> Size:
        gap, count = self.gap, len(self.options)
        widest = self.cell.width or max(style.length(word, 13, True) + 16 for _, word in self.options)
        max_columns = max(1, min(count, int((width + gap) / (widest + gap))))
        rows = self.rows or -(-count // max_columns)
        columns = -(-count // rows)
        return Size(min(width, widest * columns + gap * (columns - 1)), (self.cell.height + gap) * rows - gap)

    def _cells(self, on: PaintContext) -> list[Rect]:
        rect, gap = on.rect, round(self.gap * on.style.scale)
        rows = self.rows or max(1, round((rect.height + gap) / ((self.cell.height + self.gap) * on.style.scale)))
        columns, height = -(-len(self.options) // rows), (rect.height + gap) // rows
        room = rect.width - gap * (columns - 1)
        cells = []
        for index in range(len(self.options)):
            row, column = divmod(index, columns)
            left, right = (rect.left + room * edge // columns + gap * column for edge in (column, column + 1))
            cells.append(Rect(left, rect.top + row * height, right - left, height - gap))
        return cells

    def draw(self, on: PaintContext) -> None:
        style, px, palette = on.style, on.style.px, on.style.palette
        if not self.gap:
            fill_rounded(on.surface, on.rect, px(8), palette.raised)
        chosen = [value == self.value for value, _ in self.options]
        for index, (cell, (value, word)) in enumerate(zip(self._cells(on), self.options, strict=True)):
            part = PaintContext(on.surface, style, cell, on.mouse if on.mouse and cell.collidepoint(on.mouse) else None)
            if self.painter is not None:
                self.painter(part, value, chosen[index])
                continue
            if cell.left > on.rect.left and not any(chosen[index - 1 : index + 1]):
                on.surface.fill(palette.line, (cell.left, cell.top + cell.height // 4, 1, cell.height // 2))
            draw_segment(part, chosen=chosen[index])
            color, room = palette.accent if chosen[index] else None, cell.width - px(8)
            on.text(cell.center, word, (13, 12, 11), color, anchor="center", bold=chosen[index], room=room)

    def accessible(self, on: PaintContext) -> AccessibleNode:
        tips = self.tips or ("",) * len(self.options)
        options = (
            AccessibleNode(
                "radio_button",
                name=word,
                description=tip,
                checked=value == self.value,
                is_active=value == self.value,
                rect=cell,
                press=ControlChanged(self.name, value),
            )
            for cell, (value, word), tip in zip(self._cells(on), self.options, tips, strict=True)
        )
        return AccessibleNode("radio_group", name=self.accessible_name, description=self.tip, parts=tuple(options))

    def tip_at(self, at: Point, on: PaintContext) -> str:
        cells = zip(self._cells(on), self.tips, strict=False)
        return next((tip for cell, tip in cells if cell.collidepoint(at)), self.tip)

    def press(self, at: Point, on: PaintContext) -> object | None:
        for cell, (value, _) in zip(self._cells(on), self.options, strict=True):
            if cell.collidepoint(at):
                return ControlChanged(self.name, value)
        return None

    def key(self, key: Key, on: PaintContext) -> object | None:
        return _stepped(self.name, self.options, self.value, key)


def draw_segment(on: PaintContext, *, chosen: bool) -> None:
    """Draw the background of an option."""
    px, palette = on.style.px, on.style.palette
    if chosen:
        fill_rounded(on.surface, on.rect, px(8), palette.chosen, palette.accent, px(2))
    elif on.is_lit:
        fill_rounded(on.surface, on.rect, px(8), palette.small)


class Select(Widget):
    """A drop-down list. Its state is the highlighted row of the open list."""

    options: tuple[tuple[Any, str], ...] = ()  # values and labels
    value: Any = None
    label: str = ""  # shown before the value
    details: tuple[tuple[str, str], ...] = ()  # per option in the open list: description, text at the right end

    takes_focus = True
    takes_arrows = True
    keeps_enter = True

    def min_width(self, style: Style) -> float:
        return self.min_content or self.size(style, 10_000).width

    @property
    def index(self) -> int:
        return next((index for index, (value, _) in enumerate(self.options) if value == self.value), 0)

    @property
    def word(self) -> str:
        """The text that is shown while the list is closed."""
        return self.options[self.index][1]

    def is_picked(self, row: int) -> bool:
        """Return whether a row of the list is chosen."""
        return row == self.index

    def measure(self, style: Style, width: float) -> Size:
        widest = max(style.length(word, 13) for _, word in self.options)
        return Size(min(width, widest + 52 + (style.length(self.label, 12) + 8 if self.label else 0)), BUTTON_HEIGHT)

    def draw(self, on: PaintContext) -> None:
        style, rect, px, palette = on.style, on.rect, on.style.px, on.style.palette
        fill_rounded(on.surface, rect, px(8), palette.well, palette.text if on.is_lit else palette.control, px(1))
        x = rect.left + px(12)
        room = rect.right - px(40) - x - style.width(self.word, 13)
        if self.label and style.width(self.label, 12) <= room:  # otherwise, show only the value
            x = on.text((x, rect.centery), self.label, 12, palette.muted).right + px(8)
        on.text((x, rect.centery), self.word, 13, room=rect.right - px(32) - x)
        draw_chevron(on.surface, palette.muted, (rect.right - px(16), rect.centery), px(9), down=True)

    def accessible(self, on: PaintContext) -> AccessibleNode:
        rows = self.rows(on)
        row_height, lit = rows.height // len(self.options), self.index if on.state is None else on.state
        options = (
            AccessibleNode(
                "menu_list_option",
                name=" · ".join(filter(None, (word, *(self.details[row] if self.details else ())))),
                selected=self.is_picked(row),
                is_active=on.is_open and row == lit,
                rect=Rect(rows.left, rows.top + row * row_height, rows.width, row_height) if on.is_open else None,
                press=self._picked(row),
            )
            for row, (_, word) in enumerate(self.options)
        )
        opens = SetState(None) if on.is_open else SetState(self.index, opens=True)
        return AccessibleNode(
            "combo_box",
            name=self.label or self.accessible_name,
            value=self.word,
            description=self.tip,
            is_open=on.is_open,
            press=opens,
            parts=tuple(options),
        )

    def press(self, at: Point, on: PaintContext) -> SetState:
        return self._picked(self._row_at(at, on)) if on.is_open else SetState(self.index, opens=True)

    def point(self, at: Point, on: PaintContext) -> SetState:
        return SetState(self._row_at(at, on), opens=True)

    def key(self, key: Key, on: PaintContext) -> object | None:
        picks, row = key.name in ("Enter", "Space"), self.index if on.state is None else on.state
        if not on.is_open:
            return SetState(row, opens=True) if picks else self._stepped(key)
        if picks or key.name in ("Esc", "Tab", "Shift+Tab"):
            return self._picked(row if picks else None)
        return SetState(self._row_after(key, row), opens=True)

    def _stepped(self, key: Key) -> object | None:
        """Handle a key while the list is closed."""
        return _stepped(self.name, self.options, self.value, key)

    def _picked(self, row: int | None) -> SetState:
        """Choose a row, or none, and close the list."""
        return SetState(None, None if row is None else ControlChanged(self.name, self.options[row][0]))

    def _row_at(self, at: Point, on: PaintContext) -> int | None:
        rows = self.rows(on)
        return (at[1] - rows.top) * len(self.options) // rows.height if rows.collidepoint(at) else None

    def _row_after(self, key: Key, row: int) -> int:
        """Return the row to highlight after a key: an arrow, Home, End, or the first letter of a label."""
        last = len(self.options) - 1
        moved = _moved(key, row, last)
        if moved is not None:
            return moved
        letter, order = key.text.strip().lower(), [*range(row + 1, last + 1), *range(row + 1)]
        return next((index for index in order if letter and self.options[index][1].lower().startswith(letter)), row)

    def rows(self, on: PaintContext) -> Rect:
        """Return the place of the open list."""
        window = on.input.window
        row = min(on.style.px(BUTTON_HEIGHT), window.height // len(self.options))
        height = len(self.options) * row
        rect = Rect(on.rect.left, on.rect.bottom + 2, max(on.rect.width, sum(self._columns(on.style))), height)
        rect.width = min(rect.width, window.width)
        rect.topleft = max(0, min(rect.left, window.right - rect.width)), max(0, min(rect.top, window.bottom - height))
        return rect

    def _columns(self, style: Style) -> tuple[int, int, int]:
        """Return the widths of the columns of the open list in real pixels: labels, and both parts of `details`."""
        if not self.details:
            return 0, 0, 0
        rows = [(word, *detail) for (_, word), detail in zip(self.options, self.details, strict=True)]
        widths = (max(style.width(row[n], 13 - (n > 0), bold=not n) for row in rows) for n in range(3))
        first, second, third = (width + style.px(24) for width in widths)
        return first + style.px(24), second, third  # with room for a check mark

    def overlay(self, on: PaintContext) -> Overlay:
        rect = self.rows(on)
        return Overlay(rect.inflate(2, 2), (self, on.state), partial(self._draw_list, on._replace(rect=rect)))

    def _draw_list(self, on: PaintContext, surface: Surface) -> None:
        on, style, rect, lit = on._replace(surface=surface), on.style, on.rect, on.state
        px, palette = style.px, style.palette
        fill_rounded(surface, rect.inflate(2, 2), px(8), palette.raised, palette.accent, px(1))
        row, wide = rect.height // len(self.options), self._columns(style)[0]
        for index, (_, word) in enumerate(self.options):
            cell, is_chosen = Rect(rect.left, rect.top + index * row, rect.width, row), self.is_picked(index)
            if is_chosen or index == lit:
                color = palette.chosen if is_chosen else palette.small
                fill_rounded(surface, cell.inflate(-4, -2), px(6), color, palette.accent if index == lit else None)
            left = cell.left + px(12) + self.draw_box(surface, style, cell, is_chosen=is_chosen)
            room, is_bold = cell.right - px(12) - left, is_chosen or bool(self.details)
            on.text((left, cell.centery), word, 13, bold=is_bold, room=room)
            if self.details:
                about, right = self.details[index]
                color = palette.text if is_chosen or index == lit else palette.muted
                end = on.text((cell.right - px(12), cell.centery), right, 12, anchor="midright").left
                on.text((cell.left + wide, cell.centery), about, 12, color, room=end - px(12) - cell.left - wide)

    def draw_box(self, surface: Surface, style: Style, cell: Rect, *, is_chosen: bool) -> int:
        """Draw the check mark of a row, and return the width it takes in real pixels."""
        if self.details and is_chosen:
            draw_check(surface, style.palette.accent, (cell.left + style.px(18), cell.centery), style.px(11))
        return style.px(24) if self.details else 0


class MultiSelect(Select):
    """A drop-down list of options to check, which stays open. The value is the set of the checked options."""

    shown: str = ""  # text while the list is closed

    @property
    def word(self) -> str:
        return self.shown

    def is_picked(self, row: int) -> bool:
        return self.options[row][0] in self.value

    def _stepped(self, key: Key) -> object | None:
        return None

    def _picked(self, row: int | None) -> SetState:
        if row is None:
            return SetState(None)
        return SetState(row, ControlChanged(self.name, frozenset(self.value) ^ {self.options[row][0]}), opens=True)

    def draw_box(self, surface: Surface, style: Style, cell: Rect, *, is_chosen: bool) -> int:
        px, palette = style.px, style.palette
        box = Rect(cell.left + px(12), cell.centery - px(8), px(16), px(16))
        fill_rounded(surface, box, px(4), palette.accent if is_chosen else palette.well, palette.control, px(1))
        if is_chosen:
            draw_check(surface, palette.on_accent, box.center, px(9))
        return px(26)


class ProgressBar(Widget):
    """A progress bar."""

    share: float  # from 0 to 1

    def accessible(self, on: PaintContext) -> AccessibleNode:
        return AccessibleNode("progress_indicator", name=self.tip, value_range=(100 * self.share, 0, 100))

    def measure(self, style: Style, width: float) -> Size:
        return Size(min(width, 360), 8)

    def draw(self, on: PaintContext) -> None:
        fill_share(on.surface, on.rect, self.share, on.style.palette.accent, on.style.palette.line)


def _stepped(name: str, options: tuple[tuple[Any, str], ...], value: Any, key: Key) -> ControlChanged | None:
    """Return the command that chooses the option after an arrow key, Home or End; None for other keys."""
    values = [option for option, _ in options]
    index = _moved(key, values.index(value) if value in values else 0, len(values) - 1)
    return None if index is None else ControlChanged(name, values[index])


def _moved(key: Key, index: int, last: int, *, rises: bool = False) -> int | None:
    """Return the index after an arrow key, Home or End; None for other keys. With `rises`, Up increases the index."""
    if key.name in ("Home", "End"):
        return 0 if key.name == "Home" else last
    if key.name not in STEPS:
        return None
    step = -STEPS[key.name] if rises and key.name in ("Up", "Down") else STEPS[key.name]
    return min(max(0, index + step), last)


def draw_tile(on: PaintContext, *, chosen: bool) -> None:
    """Draw the background of an option that is not part of a bar."""
    if not (chosen or on.is_lit):
        fill_rounded(on.surface, on.rect, on.style.px(10), on.style.palette.raised)
    draw_segment(on, chosen=chosen)
