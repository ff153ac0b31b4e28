"""Support for screen readers by AccessKit: it gets the accessibility tree, and returns actions as commands.

AccessKit uses AT-SPI on Linux, UI Automation on Windows, and the accessibility API of macOS. It calls from its own
threads; its requests become events of the event loop. The tree is built only while a screen reader is active.
"""

import contextlib
import logging
import re
import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar, Final

import pygame

from othello.gui.toolkit.accessibility_tree import ROOT, AccessibilityTree, AccessibleItem
from othello.gui.toolkit.inputs import AccessibilityAction
from othello.gui.toolkit.widget import AccessibleNode
from othello.texts import language, tr

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
_RUN: Final = "\n"  # suffix of the key of a field's text
_WORDS: Final = re.compile(r"\s+|\S+\s*")
_GAP: Final = 1.0  # seconds within which repeated changes of a text are read only once


class ScreenReader:
    """Connects the window with screen readers."""

    # The event of a new screen reader, or of a request with its `command`.
    EVENT: ClassVar[int] = pygame.USEREVENT

    def __init__(self) -> None:
        self.is_there = False  # a screen reader is active
        self.is_new = False  # it has not received the tree yet
        self._adapter: Any = None
        self._keys: list[str] = []  # keys of nodes by their numbers
        self._numbers: dict[str, int] = {}
        self._sent: dict[str, tuple[AccessibleNode, pygame.Rect, tuple[str, ...]]] = {}
        self._read: dict[str, tuple[str, str]] = {}  # name and value that were read last of live nodes
        self._focus = ROOT
        self._quiet_until, self._is_behind = 0.0, False

    def open(self) -> None:
        """Connect the open, still hidden window."""
        if pygame.display.get_driver() in ("dummy", "offscreen"):
            return
        try:
            self._adapter = self._made()
        except (ImportError, AttributeError, KeyError, OSError, RuntimeError) as error:  # not available here
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

    # Called by AccessKit from other threads.

    def _come(self) -> None:
        """Note that a screen reader is active; the event loop sends it the tree."""
        self.is_there = self.is_new = True
        _post(None)

    def _go(self) -> None:
        self.is_there = False

    def _ask(self, request: Any) -> None:
        """Post a request of a screen reader as an event; ignore unknown actions."""
        act = _ACTS.get(str(request.action).rpartition(".")[2])
        if act is not None:
            value: Any = request.data[1] if request.data else ""
            if act == "select":
                value = value.anchor.character_index, value.focus.character_index
            _post(AccessibilityAction(self._keys[request.target], act, value))

    # Called by the event loop.

    def handle_event(self, event: int) -> None:
        """Take an event of the window."""
        if self._adapter is not None and event in (pygame.WINDOWFOCUSGAINED, pygame.WINDOWFOCUSLOST):
            has_focus = event == pygame.WINDOWFOCUSGAINED
            if sys.platform == "linux":
                self._adapter.update_window_focus_state(has_focus)
            elif sys.platform == "darwin":
                _raise(self._adapter.update_view_focus_state(has_focus))

    def next_wake(self) -> float | None:
        """Return the time at which the tree has to be sent without an input, or None."""
        return self._quiet_until if self._is_behind and self.is_there else None

    def is_wanted(self, now: float, *, has_changed: bool) -> bool:
        """Return whether the tree has to be sent now."""
        return self.is_there and (has_changed or self.is_new or (self._is_behind and now >= self._quiet_until))

    def show(self, tree: AccessibilityTree, now: float) -> None:
        """Send the changes of the tree. Of texts that change repeatedly only the latest are read."""
        if self.is_new:
            self.is_new, self._sent, self._read = False, {}, {}
        voices = {key: self._once(key, voice) for key, voice in self._without_repeats(tree, now).items()}
        nodes = {key: voice[:3] for key, voice in voices.items()}
        changed = {key: voices[key] for key in nodes if self._sent.get(key) != nodes[key]}
        if changed or tree.focus != self._focus:
            is_first, self._sent, self._focus = not self._sent, nodes, tree.focus
            update = self._update(changed, is_first=is_first)
            _raise(self._adapter.update_if_active(lambda: update))

    def _without_repeats(self, tree: AccessibilityTree, now: float) -> dict[str, AccessibleItem]:
        """Return the nodes; texts that have changed again too soon have their former words."""
        voices = dict(tree.voices)
        polite = {key: item.node for key, item in voices.items() if key in self._sent and item.node.live == "polite"}
        again = [key for key, node in polite.items() if node != self._as_said(key, node)]
        self._is_behind = bool(again) and now < self._quiet_until
        if self._is_behind:
            voices |= {key: voices[key]._replace(node=self._as_said(key, voices[key].node)) for key in again}
        elif again:
            self._quiet_until = now + _GAP
        return voices

    def _once(self, key: str, voice: AccessibleItem) -> AccessibleItem:
        """Return a node that is not read again if its words are known, such as a result after a dialog was closed."""
        words = voice.node.name, voice.node.value
        is_known = self._read.get(key) == words and (key not in self._sent or not self._sent[key][0].live)
        if voice.node.live:
            self._read[key] = words
        return voice._replace(node=replace(voice.node, live="")) if voice.node.live and is_known else voice

    def _as_said(self, key: str, accessible: AccessibleNode) -> AccessibleNode:
        """Return a node with the words that were sent last."""
        before = self._sent[key][0]
        return replace(accessible, name=before.name, value=before.value)

    def _update(self, changed: Mapping[str, AccessibleItem], *, is_first: bool) -> Any:
        import accesskit

        update = accesskit.TreeUpdate(self._number(self._focus))
        if is_first:
            update.tree = accesskit.Tree(self._number(ROOT))
            update.tree.toolkit_name = "Othello"
        for key, voice in changed.items():
            node = self._node(voice)
            update.nodes.append((self._number(key), node))
            if voice.node.selection is not None:
                update.nodes.append(self._write(key, voice.node.value, voice.node.selection, node))
        return update

    def _write(self, key: str, text: str, selected: tuple[int, int], field: Any) -> tuple[int, Any]:
        """Return the node of a field's text, which is read by letters and words."""
        from accesskit import Node, Role, TextPosition, TextSelection

        number, node = self._number(key + _RUN), Node(Role.TEXT_RUN)
        node.set_value(text)
        node.set_character_lengths([len(letter.encode()) for letter in text])
        node.set_word_lengths([len(word) for word in _WORDS.findall(text)])
        field.push_child(number)
        field.set_text_selection(TextSelection(*(TextPosition(number, at) for at in selected)))
        return number, node

    def _number(self, key: str) -> int:
        """Return AccessKit's number of a node."""
        if key not in self._numbers:
            self._numbers[key] = len(self._keys)
            self._keys.append(key)
        return self._numbers[key]

    def _node(self, voice: AccessibleItem) -> Any:
        from accesskit import Action, Node, Rect, Role

        accessible, rect = voice.node, voice.rect
        node = Node(getattr(Role, accessible.role.upper()))
        node.set_bounds(Rect(rect.left, rect.top, rect.right, rect.bottom))
        node.set_children([self._number(part) for part in voice.parts])
        words = (
            (accessible.name, node.set_label),
            (accessible.value, node.set_value),
            (_about(accessible), node.set_description),
            (accessible.key, node.set_keyboard_shortcut),
            (language() if accessible.role == "window" else "", node.set_language),
        )
        for text, put in words:
            if text:
                put(text)
        _set_state(node, accessible)
        can = (
            (Action.CLICK, accessible.press is not None),
            (Action.FOCUS, accessible.focus is not None or (voice.widget.takes_focus and accessible.role != "label")),
            (Action.SET_VALUE, accessible.role in _PUT_INTO),
            (Action.SET_TEXT_SELECTION, accessible.selection is not None),
            (Action.INCREMENT, accessible.role == "slider"),
            (Action.DECREMENT, accessible.role == "slider"),
        )
        for action, is_possible in can:
            if is_possible and accessible.is_enabled:
                node.add_action(action)
        return node


def _set_state(node: Any, accessible: AccessibleNode) -> None:
    from accesskit import Live, Toggled

    states = (
        ({None: None, True: Toggled.TRUE, False: Toggled.FALSE}[accessible.checked], node.set_toggled),
        (accessible.selected, node.set_selected),
        (accessible.is_open, node.set_expanded),
        (getattr(Live, accessible.live.upper()) if accessible.live else None, node.set_live),
        (1 if accessible.role == "slider" else None, node.set_numeric_value_step),
    )
    for state, put in states:
        if state is not None:
            put(state)
    if not accessible.is_enabled:
        node.set_disabled()
    if accessible.role == "dialog":
        node.set_modal()
    puts = (node.set_numeric_value, node.set_min_numeric_value, node.set_max_numeric_value)
    for value, put in zip(accessible.value_range or (), puts, strict=False):
        put(value)


def _about(accessible: AccessibleNode) -> str:
    """Return a description, which on Linux also says that something is disabled.

    AccessKit 0.7 reports disabled buttons as enabled there: https://github.com/AccessKit/accesskit/pull/787
    """
    if accessible.is_enabled or sys.platform != "linux":
        return accessible.description
    return " ".join(filter(None, (tr("spoken.disabled"), accessible.description)))


screen_reader: Final = ScreenReader()


def _post(command: AccessibilityAction | None) -> None:
    """Post a command to the event loop."""
    with contextlib.suppress(pygame.error):  # the window is closed
        pygame.event.post(pygame.event.Event(ScreenReader.EVENT, command=command))


def _raise(events: Any) -> None:
    """Raise the events of an update on Windows and macOS."""
    if events is not None:
        events.raise_events()
