"""A line of text that is written: caret, selection, clipboard, input methods."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from pygame import Rect

from othello.gui.toolkit.inputs import Key, Point, Use
from othello.gui.toolkit.panel import Canvas, Panel
from othello.gui.toolkit.shapes import fill_rounded
from othello.gui.toolkit.style import Size, Style, blit_text

_HEIGHT: Final = 32
_SIDE: Final = 12
_NUMBER: Final = "0123456789.,-–"


@dataclass(frozen=True, slots=True)
class Caret:
    """Where somebody writes in a text.

    Attributes:
        at: so many letters are before the caret.
        anchor: where the selection began; as `at` where nothing is selected.
        composed: what an input method is about to write.
    """

    at: int
    anchor: int
    composed: str = ""

    @property
    def selected(self) -> tuple[int, int]:
        return min(self.at, self.anchor), max(self.at, self.anchor)


@dataclass(frozen=True)
class Field(Panel):
    """A line of text.

    Attributes:
        value: the text.
        placeholder: what is there while the text is empty.
        is_number: whether only a number can be written, which stands to the right.
        is_wrong: whether the text cannot stay like this.
        most: letters at most.
        begins_selected: whether what somebody types first takes the place of the text.
    """

    value: str = ""
    placeholder: str = ""
    is_number: bool = False
    is_wrong: bool = False
    most: int = 60
    begins_selected: bool = True

    takes_focus = True
    is_dragged = True

    def measure(self, style: Style, width: float) -> Size:
        return Size(min(width, 64 if self.is_number else 240), _HEIGHT)

    def caret(self, kept: object) -> Caret:
        """Where somebody writes: as kept, as far as the text reaches, else at the end."""
        last = len(self.value)
        caret = kept if isinstance(kept, Caret) else Caret(last, 0 if self.begins_selected else last)
        return replace(caret, at=min(caret.at, last), anchor=min(caret.anchor, last))

    def _left(self, on: Canvas, caret: Caret) -> int:
        """Where the text begins, in real pixels: moved to the left where the caret would not be seen."""
        style, side = on.style, on.style.px(_SIDE)
        room = on.rect.width - 2 * side
        whole, before = style.width(self.value + caret.composed, 13), style.width(self._before(caret), 13)
        if whole <= room:
            return on.rect.right - side - whole if self.is_number else on.rect.left + side
        return on.rect.left + side - (max(0, before - room) if on.has_focus else 0)

    def _before(self, caret: Caret) -> str:
        return self.value[: caret.at] + caret.composed

    def draw(self, on: Canvas) -> None:
        style, rect, px, palette = on.style, on.rect, on.style.px, on.style.palette
        edge = palette.warning if self.is_wrong else palette.muted if on.is_lit or on.has_focus else palette.line
        fill_rounded(on.surface, rect, px(8), palette.well, edge, px(1))
        caret = self.caret(on.kept)
        left, clip = self._left(on, caret), on.surface.get_clip()
        on.surface.set_clip(clip.clip(rect.inflate(-px(_SIDE), 0)))
        if on.has_focus:
            begin, end = caret.selected
            if begin != end:
                x, right = (left + style.width(self.value[:edge_at], 13) for edge_at in (begin, end))
                on.surface.fill(palette.chosen, (x, rect.centery - px(10), right - x, px(20)))
        text = self.value[: caret.at] + caret.composed + self.value[caret.at :]
        if text:
            blit_text(on.surface, style.text(text, 13), anchor="midleft", at=(left, rect.centery))
        elif self.placeholder:
            words = style.text(style.fit(self.placeholder, 13, rect.width - px(24)), 13, palette.muted)
            blit_text(on.surface, words, anchor="midright" if self.is_number else "midleft", at=(left, rect.centery))
        if on.has_focus:
            x = left + style.width(self._before(caret), 13)
            on.surface.fill(palette.accent, (x, rect.centery - px(9), px(1), px(18)))
            if caret.composed:
                start = left + style.width(self.value[: caret.at], 13)
                on.surface.fill(palette.accent, (start, rect.centery + px(9), x - start, px(1)))
        on.surface.set_clip(clip)

    def caret_rect(self, on: Canvas) -> Rect:
        """Where an input method shows what it offers."""
        caret = self.caret(on.kept)
        return Rect(self._left(on, caret) + on.style.width(self._before(caret), 13), on.rect.top, 2, on.rect.height)

    def index_at(self, at: Point, on: Canvas) -> int:
        """Before which letter a point of the window is."""
        left = self._left(on, self.caret(on.kept))
        widths = [on.style.width(self.value[:count], 13) for count in range(len(self.value) + 1)]
        return min(range(len(widths)), key=lambda count: abs(left + widths[count] - at[0]))

    def edited(
        self, key: Key, caret: Caret, copy: Callable[[str], object], paste: Callable[[], str]
    ) -> tuple[str, Caret]:
        """Text and caret after a key; the same ones where the key means nothing here.

        Args:
            key: what was pressed.
            caret: where somebody writes.
            copy: puts text on the clipboard.
            paste: what is on the clipboard.
        """
        begin, end = caret.selected
        match key.name.removeprefix("Shift+"):
            case "Ctrl+A":
                return self.value, Caret(len(self.value), 0)
            case "Ctrl+C" | "Ctrl+X" as name:
                if begin != end:
                    copy(self.value[begin:end])
                return self._replaced(caret, "") if name == "Ctrl+X" else (self.value, caret)
            case "Ctrl+V" | "Insert":
                return self._replaced(caret, " ".join(paste().split()))
            case "Backspace" | "Delete" | "Ctrl+Backspace" | "Ctrl+Delete" as name:
                if begin == end:
                    side = -1 if name.endswith("Backspace") else 1
                    caret = Caret(caret.at, self._step(caret.at, side, by_word=name.startswith("Ctrl")))
                return self._replaced(caret, "")
            case "Left" | "Right" | "Ctrl+Left" | "Ctrl+Right" as name:
                side = -1 if name.endswith("Left") else 1
                at = self._step(caret.at, side, by_word=name.startswith("Ctrl"))
                if begin != end and not key.name.startswith("Shift+") and not name.startswith("Ctrl"):
                    at = begin if side < 0 else end
                return self.value, self._moved(caret, at, key)
            case "Home" | "End" as name:
                return self.value, self._moved(caret, 0 if name == "Home" else len(self.value), key)
        return self._replaced(caret, key.text) if key.text.isprintable() and key.text else (self.value, caret)

    def _moved(self, caret: Caret, at: int, key: Key) -> Caret:
        return Caret(at, caret.anchor if key.name.startswith("Shift+") else at)

    def _step(self, at: int, side: int, *, by_word: bool) -> int:
        last = len(self.value)
        at = min(max(0, at + side), last)
        while by_word and 0 < at < last and not (self.value[at - 1].isspace() and not self.value[at].isspace()):
            at += side
        return at

    def _replaced(self, caret: Caret, text: str) -> tuple[str, Caret]:
        """Text in place of the selection, as far as there is room."""
        begin, end = caret.selected
        if self.is_number:
            text = "".join(letter for letter in text if letter in _NUMBER)
        text = text[: max(0, self.most - len(self.value) + end - begin)]
        at = begin + len(text)
        return self.value[:begin] + text + self.value[end:], Caret(at, at)

    def use(self, value: str) -> Use:
        return Use(self.name, value)
