"""Screen readers: they are told of the window by AccessKit, and what they ask for comes back as commands.

AccessKit speaks AT-SPI on Linux, UI Automation on Windows, and has the way of macOS. It calls from threads of its own;
whatever it says becomes an event of the window's loop. While no screen reader is there, nothing is put in words.
"""

import contextlib
import logging
import re
import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar, Final

import pygame

from othello.gui.toolkit.inputs import Reach
from othello.gui.toolkit.panel import Spoken
from othello.gui.toolkit.telling import ROOT, Telling, Voice
from othello.texts import language, say

_log = logging.getLogger(__name__)

_ACTS: Final = {
    "CLICK": "press",
    "FOCUS": "focus",
    "SET_VALUE": "put",
    "SET_TEXT_SELECTION": "select",
    "INCREMENT": "more",
    "DECREMENT": "less",
}
_PUT_INTO: Final = ("text_input", "number_input", "slider")
_RUN: Final = "\n"  # what the text of a field is listed under, after the field
_WORDS: Final = re.compile(r"\s+|\S+\s*")
_GAP: Final = 1.0  # in seconds: what changes again within so short a time is read once, as it is then


class ScreenReader:
    """What stands between the window and screen readers.

    Attributes:
        is_there: whether any screen reader listens.
        is_new: whether it has heard nothing yet.
    """

    EVENT: ClassVar[int] = pygame.USEREVENT
    """Of the loop: a screen reader has come, or asks for what is in `command`."""

    def __init__(self) -> None:
        self.is_there = self.is_new = False
        self._adapter: Any = None
        self._keys: list[str] = []  # what has which number
        self._numbers: dict[str, int] = {}
        self._told: dict[str, tuple[Spoken, pygame.Rect, tuple[str, ...]]] = {}
        self._read: dict[str, tuple[str, str]] = {}  # the words that were read last of what is read as it changes
        self._focus = ROOT
        self._quiet_until, self._is_behind = 0.0, False

    def open(self) -> None:
        """Listen for screen readers at the window that is open, and still hidden."""
        if pygame.display.get_driver() in ("dummy", "offscreen"):
            return
        try:
            self._adapter = self._made()
        except (ImportError, AttributeError, KeyError, OSError, RuntimeError) as error:  # not there, or not for here
            _log.info("no screen readers: %r", error)

    def _made(self) -> Any:
        import accesskit

        if sys.platform == "linux":
            return accesskit.unix.Adapter(self._come, self._ask, self._go)
        window = pygame.display.get_wm_info()["window"]
        if sys.platform == "win32":
            return accesskit.windows.SubclassingAdapter(window, self._come, self._ask)
        accesskit.macos.add_focus_forwarder_to_window_class("SDLWindow")
        return accesskit.macos.SubclassingAdapter.for_window(window, self._come, self._ask)

    # What AccessKit calls, from other threads.

    def _come(self) -> None:
        """A screen reader is there; it is told of the window by the loop."""
        self.is_there = self.is_new = True
        _post(None)

    def _go(self) -> None:
        self.is_there = False

    def _ask(self, request: Any) -> None:
        """A screen reader asks for something; what nobody can do here is left."""
        act = _ACTS.get(str(request.action).rpartition(".")[2])
        if act is not None:
            value: Any = request.data[1] if request.data else ""
            if act == "select":
                value = value.anchor.character_index, value.focus.character_index
            _post(Reach(self._keys[request.target], act, value))

    # What the loop calls.

    def hear(self, event: int) -> None:
        """Hear that something happened to the window."""
        if self._adapter is not None and event in (pygame.WINDOWFOCUSGAINED, pygame.WINDOWFOCUSLOST):
            has_focus = event == pygame.WINDOWFOCUSGAINED
            if sys.platform == "linux":
                self._adapter.update_window_focus_state(has_focus)
            elif sys.platform == "darwin":
                _raise(self._adapter.update_view_focus_state(has_focus))

    def next_wake(self) -> float | None:
        """When to show the window again without an input, None: any time will do."""
        return self._quiet_until if self._is_behind and self.is_there else None

    def is_wanted(self, now: float, *, has_changed: bool) -> bool:
        """Whether a screen reader is to be told of the window now."""
        return self.is_there and (has_changed or self.is_new or (self._is_behind and now >= self._quiet_until))

    def show(self, telling: Telling, now: float) -> None:
        """Tell what has changed in the window. Of words that change again and again only the latest are read."""
        if self.is_new:
            self.is_new, self._told, self._read = False, {}, {}
        voices = dict(telling.voices)
        known = ((key, voice.spoken) for key, voice in voices.items() if key in self._told)
        again = [key for key, spoken in known if spoken.live == "polite" and spoken != self._as_said(key, spoken)]
        self._is_behind = bool(again) and now < self._quiet_until
        if self._is_behind:
            voices |= {key: voices[key]._replace(spoken=self._as_said(key, voices[key].spoken)) for key in again}
        elif again:
            self._quiet_until = now + _GAP
        voices = {key: self._once(key, voice) for key, voice in voices.items()}
        told = {key: voice[:3] for key, voice in voices.items()}
        changed = {key: voices[key] for key in told if self._told.get(key) != told[key]}
        if changed or telling.focus != self._focus:
            is_first, self._told, self._focus = not self._told, told, telling.focus
            update = self._update(changed, is_first=is_first)
            _raise(self._adapter.update_if_active(lambda: update))

    def _once(self, key: str, voice: Voice) -> Voice:
        """Return something as it is not read again: a result that a dialog has covered is there again, and is known."""
        words = voice.spoken.name, voice.spoken.value
        is_known = self._read.get(key) == words and (key not in self._told or not self._told[key][0].live)
        if voice.spoken.live:
            self._read[key] = words
        return voice._replace(spoken=replace(voice.spoken, live="")) if voice.spoken.live and is_known else voice

    def _as_said(self, key: str, spoken: Spoken) -> Spoken:
        """Something with the words that were told of it last."""
        before = self._told[key][0]
        return replace(spoken, name=before.name, value=before.value)

    def _update(self, changed: Mapping[str, Voice], *, is_first: bool) -> Any:
        import accesskit

        update = accesskit.TreeUpdate(self._number(self._focus))
        if is_first:
            update.tree = accesskit.Tree(self._number(ROOT))
            update.tree.toolkit_name = "Othello"
        for key, voice in changed.items():
            node = self._node(voice)
            update.nodes.append((self._number(key), node))
            if voice.spoken.selection is not None:
                update.nodes.append(self._write(key, voice.spoken.value, voice.spoken.selection, node))
        return update

    def _write(self, key: str, text: str, selected: tuple[int, int], field: Any) -> tuple[int, Any]:
        """Put text into a field, so that it is read by letters and words; the text is a node of its own."""
        from accesskit import Node, Role, TextPosition, TextSelection

        number, node = self._number(key + _RUN), Node(Role.TEXT_RUN)
        node.set_value(text)
        node.set_character_lengths([len(letter.encode()) for letter in text])
        node.set_word_lengths([len(word) for word in _WORDS.findall(text)])
        field.push_child(number)
        field.set_text_selection(TextSelection(*(TextPosition(number, at) for at in selected)))
        return number, node

    def _number(self, key: str) -> int:
        """What AccessKit knows something by."""
        if key not in self._numbers:
            self._numbers[key] = len(self._keys)
            self._keys.append(key)
        return self._numbers[key]

    def _node(self, voice: Voice) -> Any:
        from accesskit import Action, Live, Node, Rect, Role, Toggled

        spoken, rect = voice.spoken, voice.rect
        node = Node(getattr(Role, spoken.role.upper()))
        node.set_bounds(Rect(rect.left, rect.top, rect.right, rect.bottom))
        node.set_children([self._number(part) for part in voice.parts])
        words = (
            (spoken.name, node.set_label),
            (spoken.value, node.set_value),
            (_about(spoken), node.set_description),
            (spoken.key, node.set_keyboard_shortcut),
        )
        for text, put in words:
            if text:
                put(text)
        if spoken.role == "window":
            node.set_language(language())
        if not spoken.is_enabled:
            node.set_disabled()
        if spoken.checked is not None:
            node.set_toggled(Toggled.TRUE if spoken.checked else Toggled.FALSE)
        if spoken.selected is not None:
            node.set_selected(spoken.selected)
        if spoken.is_open is not None:
            node.set_expanded(spoken.is_open)
        if spoken.live:
            node.set_live(getattr(Live, spoken.live.upper()))
        if spoken.role == "dialog":
            node.set_modal()
        if spoken.value_range is not None:
            now, least, most = spoken.value_range
            node.set_numeric_value(now)
            node.set_min_numeric_value(least)
            node.set_max_numeric_value(most)
        if spoken.role == "slider":
            node.set_numeric_value_step(1)
        can = (
            (Action.CLICK, spoken.press is not None),
            (Action.FOCUS, spoken.focus is not None or (voice.panel.takes_focus and spoken.role != "label")),
            (Action.SET_VALUE, spoken.role in _PUT_INTO),
            (Action.SET_TEXT_SELECTION, spoken.selection is not None),
            (Action.INCREMENT, spoken.role == "slider"),
            (Action.DECREMENT, spoken.role == "slider"),
        )
        for action, is_so in can:
            if is_so and spoken.is_enabled:
                node.add_action(action)
        return node


def _about(spoken: Spoken) -> str:
    """Return a description, which on Linux also says that something is disabled.

    AccessKit 0.7 reports disabled buttons as enabled there: https://github.com/AccessKit/accesskit/pull/787
    """
    is_told = spoken.is_enabled or sys.platform != "linux"
    return spoken.description if is_told else " ".join(filter(None, (say("spoken.disabled"), spoken.description)))


screen_reader: Final = ScreenReader()


def _post(command: Reach | None) -> None:
    """Wake the loop, with a command for it."""
    with contextlib.suppress(pygame.error):  # the window is closed
        pygame.event.post(pygame.event.Event(ScreenReader.EVENT, command=command))


def _raise(events: Any) -> None:
    """Windows and macOS have what follows from an update passed on once the update is over."""
    if events is not None:
        events.raise_events()
