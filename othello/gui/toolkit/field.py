"""A text field of one line, with caret, selection, clipboard, undo and input methods."""

import re
from dataclasses import replace
from typing import Final

from pygame import Rect

from othello.frozen_dataclass import FrozenDataclass
from othello.gui.toolkit.inputs import ControlChanged, Key, Point
from othello.gui.toolkit.shapes import circle, fill_rounded
from othello.gui.toolkit.style import Size, Style
from othello.gui.toolkit.widget import AccessibleNode, InputContext, PaintContext, SetState, Widget
from othello.texts import tr

_HEIGHT: Final = 32
_SIDE: Final = 12
_NUMBER_CHARACTERS: Final = "0123456789.,-–− "
_NUMBER: Final = re.compile(r"[-–−]?[0-9.,][0-9.,\s]*")  # finds a number in pasted text
_MAX_UNDO: Final = 100


class Caret(FrozenDataclass):
    """The editing state of a text field."""

    at: int  # caret, as the number of characters before it
    anchor: int  # other end of the selection; equal to `at` if nothing is selected
    composed: str = ""  # unfinished text of an input method
    shift: int = 0  # horizontal scroll position in real pixels
    remark: str = ""  # why some of the input was dropped
    done: tuple[tuple[str, int], ...] = ()  # texts and carets for undo
    undone: tuple[tuple[str, int], ...] = ()  # texts and carets for redo
    run: str = ""  # kind of the last edit; equal ones in a row are undone together

    @property
    def selected(self) -> tuple[int, int]:
        """Start and end of the selection."""
        return min(self.at, self.anchor), max(self.at, self.anchor)


class TextField(Widget):
    """A text field of one line."""

    value: str = ""
    placeholder: str = ""  # shown while the text is empty
    is_number: bool = False  # accepts only a number, which is aligned to the right
    is_wrong: bool = False  # the text is invalid; `tip` says why
    max_length: int = 60  # in characters
    begins_selected: bool = True  # the text is selected when the field gets the focus

    takes_focus = True
    is_dragged = True
    writes = True
    overhang = 6.0  # room for the mark of an invalid text

    def measure(self, style: Style, width: float) -> Size:
        return Size(min(width, 64 if self.is_number else 240), _HEIGHT)

    def caret(self, state: object) -> Caret:
        """Return the editing state, limited to the length of the text; initially, the caret is at the end."""
        last = len(self.value)
        caret = state if isinstance(state, Caret) else Caret(last, 0 if self.begins_selected else last)
        return replace(caret, at=min(caret.at, last), anchor=min(caret.anchor, last))

    def _scrolled(self, caret: Caret, on: PaintContext) -> Caret:
        """Return `caret` with the scroll position changed just enough to show the caret."""
        style, room = on.style, on.rect.width - 2 * on.style.px(_SIDE)
        total, before = style.width(self.value + caret.composed, 13), style.width(self._before(caret), 13)
        shift = min(max(caret.shift, before - room), before, total - room)
        return replace(caret, shift=max(0, shift))

    def _left(self, on: PaintContext, caret: Caret) -> int:
        """Return the left end of the text in real pixels."""
        style, side = on.style, on.style.px(_SIDE)
        total = style.width(self.value + caret.composed, 13)
        if self.is_number and total <= on.rect.width - 2 * side:
            return on.rect.right - side - total
        return on.rect.left + side - (caret.shift if on.has_focus else 0)

    def _before(self, caret: Caret) -> str:
        return self.value[: caret.at] + caret.composed

    def draw(self, on: PaintContext) -> None:
        style, rect, px, palette = on.style, on.rect, on.style.px, on.style.palette
        edge = palette.warning if self.is_wrong else palette.text if on.is_lit or on.has_focus else palette.control
        fill_rounded(on.surface, rect, px(8), palette.well, edge, px(1))
        caret = self._scrolled(self.caret(on.state), on)
        left, clip = self._left(on, caret), on.surface.get_clip()
        on.surface.set_clip(clip.clip(rect.inflate(-px(_SIDE), 0)))
        if on.has_focus:
            begin, end = caret.selected
            if begin != end:
                x, right = (left + style.width(self.value[:edge_at], 13) for edge_at in (begin, end))
                on.surface.fill(palette.chosen, (x, rect.centery - px(10), right - x, px(20)))
        text = self.value[: caret.at] + caret.composed + self.value[caret.at :]
        if text:
            on.text((left, rect.centery), text, 13)
        elif self.placeholder:
            anchor, room = "midright" if self.is_number else "midleft", rect.width - px(24)
            on.text((left, rect.centery), self.placeholder, 13, palette.muted, anchor=anchor, room=room)
        if on.has_focus:
            x = left + style.width(self._before(caret), 13)
            on.surface.fill(palette.accent, (x, rect.centery - px(9), px(1), px(18)))
            if caret.composed:
                start = left + style.width(self.value[: caret.at], 13)
                on.surface.fill(palette.accent, (start, rect.centery + px(9), x - start, px(1)))
        on.surface.set_clip(clip)
        if self.is_wrong:
            at = rect.right - px(3), rect.top + px(3)
            on.image(circle(px(15), palette.warning), at=at)
            on.text(at, "!", 11, palette.background, anchor="center", bold=True)

    def accessible(self, on: PaintContext) -> AccessibleNode:
        role = "number_input" if self.is_number else "text_input"
        caret, name = self.caret(on.state), self.accessible_name
        about = self.remark(on) or self.tip or (self.placeholder if self.placeholder != name else "")
        return AccessibleNode(role, name, value=self.value, description=about, selection=(caret.anchor, caret.at))

    def put(self, value: str | float) -> ControlChanged | None:
        text, _ = self._replaced(Caret(len(self.value), 0), str(value))
        return None if text == self.value else ControlChanged(self.name, text)

    def select(self, anchor: int, at: int, on: PaintContext) -> SetState:
        return self._keep(on, replace(self.caret(on.state), anchor=anchor, at=at))

    def remark(self, on: PaintContext) -> str:
        return self.caret(on.state).remark or (self.tip if self.is_wrong else "")

    def caret_rect(self, on: PaintContext) -> Rect:
        caret = self._scrolled(self.caret(on.state), on)
        return Rect(self._left(on, caret) + on.style.width(self._before(caret), 13), on.rect.top, 2, on.rect.height)

    def press(self, at: Point, on: PaintContext) -> SetState:
        return self._keep(on, self._pressed(at, on))

    def drag(self, at: Point, on: PaintContext) -> SetState:
        return self._keep(on, replace(self.caret(on.state), at=self._index_at(at, on)))

    def key(self, key: Key, on: PaintContext) -> SetState | None:
        caret = replace(self.caret(on.state), remark="")
        text, after = self._edited(key, caret, on.input)
        is_for_field = key.text and key.name not in ("Enter", "Esc", "Tab", "Shift+Tab")
        if text == self.value and after == caret and not is_for_field:
            return None
        run = "letters" if key.text else key.name
        continues = run == caret.run and run in ("letters", "Backspace", "Delete")
        if text != self.value and after.done == caret.done and not continues:
            done = (*caret.done, (self.value, caret.at))[-_MAX_UNDO:]
            after = replace(after, done=done, undone=())
        return self._keep(on, replace(after, run="" if key.text.isspace() else run), text)

    def compose(self, text: str, on: PaintContext) -> SetState:
        caret = self.caret(on.state)
        value, after = self._replaced(caret, "") if text else (self.value, caret)
        return self._keep(on, replace(after, composed="".join(filter(str.isprintable, text))), value)

    def _keep(self, on: PaintContext, caret: Caret, text: str | None = None) -> SetState:
        """Store the editing state, and change the field's text if `text` is given."""
        field = self if text is None else replace(self, value=text)
        command = None if field.value == self.value else ControlChanged(self.name, field.value)
        return SetState(field._scrolled(caret, on), command)

    def _index_at(self, at: Point, on: PaintContext) -> int:
        """Return the number of characters before a position of the mouse."""
        left = self._left(on, self._scrolled(self.caret(on.state), on))
        widths = [on.style.width(self.value[:count], 13) for count in range(len(self.value) + 1)]
        return min(range(len(widths)), key=lambda count: abs(left + widths[count] - at[0]))

    def _pressed(self, at: Point, on: PaintContext) -> Caret:
        """Return the state after a click: one click moves the caret, two select a word, three select all."""
        begin = end = self._index_at(at, on)
        clicks = on.input.clicks
        while clicks > 1 and begin > 0 and (clicks > 2 or not self.value[begin - 1].isspace()):
            begin -= 1
        while clicks > 1 and end < len(self.value) and (clicks > 2 or not self.value[end].isspace()):
            end += 1
        before = self.caret(on.state) if on.has_focus else Caret(0, 0)
        return replace(before, at=end, anchor=begin, composed="", remark="", run="")

    def _edited(self, key: Key, caret: Caret, input: InputContext) -> tuple[str, Caret]:
        """Return text and state after a key; both are unchanged if the field does not use the key."""
        begin, end = caret.selected
        is_shifted, name = "Shift+" in key.name, key.name.replace("Shift+", "")
        match name:
            case "Ctrl+A":
                return self.value, replace(caret, at=len(self.value), anchor=0)
            case "Ctrl+C" | "Ctrl+X":
                if begin != end:
                    input.copy(self.value[begin:end])
                return self._replaced(caret, "") if name == "Ctrl+X" else (self.value, caret)
            case "Ctrl+Z" | "Ctrl+Y":
                return self._after_undo(caret, again=is_shifted or name == "Ctrl+Y")
            case "Ctrl+V":
                return self._replaced(caret, " ".join(input.paste().split()))
            case "Backspace" | "Delete" | "Ctrl+Backspace" | "Ctrl+Delete":
                if begin == end:
                    anchor = self._step(caret.at, to_left=name.endswith("Backspace"), by_word=name.startswith("Ctrl"))
                    caret = replace(caret, anchor=anchor)
                return self._replaced(caret, "")
            case "Home" | "End" | "Left" | "Right" | "Ctrl+Left" | "Ctrl+Right":
                at = self._moved(name, caret, is_shifted)
                return self.value, replace(caret, at=at, anchor=caret.anchor if is_shifted else at)
        return self._replaced(caret, key.text) if key.text else (self.value, caret)

    def _moved(self, name: str, caret: Caret, is_shifted: bool) -> int:
        """Return the caret after a key that moves the caret."""
        if name in ("Home", "End"):
            return 0 if name == "Home" else len(self.value)
        to_left, by_word = name.endswith("Left"), name.startswith("Ctrl")
        begin, end = caret.selected
        if begin != end and not is_shifted and not by_word:
            return begin if to_left else end
        return self._step(caret.at, to_left=to_left, by_word=by_word)

    def _step(self, at: int, *, to_left: bool, by_word: bool) -> int:
        end, side = (0, -1) if to_left else (len(self.value), 1)
        stops = range(at + side, end, side)
        starts = (n for n in stops if self.value[n - 1].isspace() and not self.value[n].isspace())
        return next(starts if by_word else iter(stops), end)

    def _replaced(self, caret: Caret, text: str) -> tuple[str, Caret]:
        """Replace the selection with `text`, as far as `max_length` allows."""
        begin, end = caret.selected
        accepted, room = self._accepted(text), max(0, self.max_length - len(self.value) + end - begin)
        remark = tr("field.full", n=self.max_length) if len(accepted) > room else ""
        if self.is_number and accepted != text.strip():
            remark = tr("field.number")
        if text and not accepted[:room]:
            return self.value, replace(caret, remark=remark)
        at = begin + len(accepted[:room])
        after = replace(caret, at=at, anchor=at, composed="", remark=remark)
        return self.value[:begin] + accepted[:room] + self.value[end:], after

    def _accepted(self, text: str) -> str:
        """Return the part of a text that the field accepts."""
        if not self.is_number:
            return "".join(filter(str.isprintable, text))
        if len(text) == 1:
            return text if text in _NUMBER_CHARACTERS else ""
        match = _NUMBER.search(text)
        return " ".join(match[0].split()) if match else ""

    def _after_undo(self, caret: Caret, *, again: bool) -> tuple[str, Caret]:
        """Undo the last edit, or with `again` redo the last undone one. Return text and state."""
        back, forth = (caret.undone, caret.done) if again else (caret.done, caret.undone)
        if not back:
            return self.value, caret
        (text, at), forth = back[-1], (*forth, (self.value, caret.at))
        done, undone = (forth, back[:-1]) if again else (back[:-1], forth)
        return text, replace(caret, at=at, anchor=at, done=done, undone=undone)
