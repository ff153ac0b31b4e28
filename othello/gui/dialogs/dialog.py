"""A dialog over the window: a title, a page that scrolls, and a footer of buttons."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

import pygame
from pygame import Rect

from othello.errors import OthelloError, Reason
from othello.gui import actions, ui
from othello.gui import commands as gui
from othello.gui.actions import Where
from othello.gui.commands import PASS, Answer, Command, Screen, handles
from othello.texts import say

CLOSE: Final = "close"
NARROW: Final = 700
"""A page of fewer design pixels has one control in a row."""
_CLOSING: Final = (CLOSE, "cancel", "close_keys", "done", "not_now", "understood")
"""The buttons of which nothing follows but that the dialog is closed."""
_WIDTH: Final = 864
_MARGIN: Final = 32
_EDGE: Final = 8  # between the window's edge and a dialog
_SMALL: Final = (700, 640)  # narrower windows and lower ones, in pixels of the design, have narrower margins
_GAP: Final = 8
_BUTTON: Final = 40


class Dialog(Screen, ABC):
    """What every dialog does. A dialog itself says what is in it, and what follows when a control is used.

    Attributes:
        title: written at the top.
        buttons: the names of those at the right end of the footer; Enter means the last one.
        focus: the name of the control that has the keyboard at first; empty: the first control of the page.
        shows_focus: whether the outline of that control is there at once, and not from the first Tab on.
        is_done: whether the dialog is to be closed.
        below: the dialog that is seen again when this one is closed, None where the window is.
        keeps_size: whether the dialog is as high as the window whatever is in it.
    """

    title: str
    buttons: Sequence[str] = ("cancel",)
    focus = ""
    shows_focus = False
    is_done = False
    below: Dialog | None = None
    keeps_size = False
    stage: ui.Stage
    style: ui.Style
    window: Rect

    @abstractmethod
    def content(self) -> ui.Panel:
        """What is between title and footer."""

    def footer_buttons(self) -> Sequence[tuple[str, str]]:
        """Names and words of the buttons at the left end of the footer; the page has them where there is no room."""
        return ()

    @property
    def is_valid(self) -> bool:
        """Whether the main button, and the one that saves, can be pressed now."""
        return True

    def is_button_enabled(self, name: str) -> bool:
        """Whether a button of the footer can be pressed now."""
        return self.is_valid or name not in (self.buttons[-1], "save")

    def on_control_changed(self, name: str, value: Any) -> Command | None:
        """A control was used: take its value, and say what follows beyond the dialog, which is closed as a rule."""
        return gui.PlainCommand.CLOSE_DIALOG

    def button_label(self, name: str) -> str:
        """What is written on one of the buttons at the right end."""
        return say(f"buttons.{name}")

    def subtitle(self) -> str:
        """A few words beside the title."""
        return ""

    def footer_note(self) -> str:
        """What stands in the footer where there is room."""
        return ""

    def update(self) -> Command | None:
        """Move on with time, and say what follows beyond the dialog."""
        return None

    def next_wake(self, now: float) -> float | None:
        """When to update again without a command, None: any time will do."""
        return None

    def leave(self) -> None:
        """The dialog is closed: end what it has begun."""

    def refuse(self, reason: str) -> bool:
        """Say why what followed from the dialog cannot be done; False where it has no place for that."""
        return False

    def key(self, key: ui.Key) -> Command | None:
        """What follows from a key that no control wants."""
        return None

    # The tree.

    @property
    def room(self) -> float:
        """How wide the page is, in pixels of the design."""
        return min(_WIDTH, self.window.width / self.style.scale - 2 * _EDGE) - 2 * self._margins[0]

    @property
    def depth(self) -> float:
        """How much of the page is seen at once, in pixels of the design."""
        return self._most - (32 + _BUTTON + 1 + 2 * _GAP + 4 * self._margins[1])

    @property
    def _most(self) -> float:
        """How high the dialog may be."""
        return self.window.height / self.style.scale - 2 * _EDGE

    @property
    def _margins(self) -> tuple[float, float]:
        """At the left and the right; above and below title, page and footer."""
        size = self.window.width / self.style.scale, self.window.height / self.style.scale
        return _MARGIN if size[0] >= _SMALL[0] else _MARGIN / 2, 24 if size[1] >= _SMALL[1] else 8

    def resize(self, style: ui.Style, window: Rect) -> None:
        """Fit into a window."""
        self.style, self.window = style, window

    def attach(self, stage: ui.Stage, style: ui.Style, window: Rect) -> None:
        """Be used on the stage of a room."""
        self.stage = stage
        self.resize(style, window)
        stage.kept.pop("page", None)  # how far another dialog was scrolled
        page = ui.place(self.content(), style, ui.Box(0, 0, self.room, self.depth), window, {})
        self._first = self.focus or next((each.panel.name for each in ui.focusable_widgets(page)), self.buttons[-1])
        stage.go_to(self._first, shows=self.shows_focus)

    def panel(self) -> ui.Panel:
        """The dialog, and the veil over all that lies below."""
        palette, room, (foot, spilled) = self.style.palette, self.room, self._foot()
        margin, pad = self._margins
        close = ui.Button(name=CLOSE, icon=_cross, tip=say("buttons.close_keys"), width=32, height=32)
        wide = min(self.style.length(self.title, 20, bold=True), room - 32 - 2 * _GAP)
        note = ui.Label((self.subtitle(), ""), 12, palette.muted, align="right", grow=1)
        head = ui.Row((ui.Label(self.title, 20, bold=True, width=wide), note, close))
        page = ui.Column(
            (ui.Space(height=_GAP), ui.Column((self.content(), *spilled), grow=1), ui.Space(height=pad)), gap=0
        )
        line = ui.Card(ui.Space(height=1), (0, 0), palette.line, radius=0)
        pages = ui.Card(ui.Page(ui.Card(page, (margin - _GAP, 0)), name="page"), (_GAP, 0), grow=1)
        above = (ui.Space(height=pad), ui.Card(head, (margin, 0)), ui.Space(height=_GAP))
        below = (line, ui.Space(height=pad), ui.Card(foot, (margin, 0)), ui.Space(height=pad))
        high = self._most if self.keeps_size else None
        body = ui.Column((*above, pages, *below), gap=0, width=room + 2 * margin, height=high)
        card = ui.Card(body, (0, 0), palette.panel, palette.line, radius=16, name="dialog")
        return ui.Veil(ui.Placing(ui.Card(card, (_EDGE, _EDGE))), self.title)

    def _foot(self) -> tuple[ui.Panel, Sequence[ui.Panel]]:
        """The footer, and what of it lies at the end of the page: a second row would take the page's room."""
        main = self.buttons[-1]

        def made(name: str, label: str) -> ui.Button:
            is_main = name == main
            wide = max(136.0 if is_main else 96.0, self.style.length(label, 14 if is_main else 13, is_main) + 32)
            kind = "primary" if is_main else "outline"
            return ui.Button(
                label, kind=kind, enabled=self.is_button_enabled(name), name=name, width=wide, height=_BUTTON
            )

        left = [made(*each) for each in self.footer_buttons()]
        right = [made(each, self.button_label(each)) for each in self.buttons]
        between = ui.Label((self.footer_note(), ""), 12, self.style.palette.muted, align="right", grow=1)
        if sum((each.width or 0) + _GAP for each in (*left, *right)) <= self.room:
            return ui.Row((*left, between, *right)), ()
        return ui.Row((between, *right)), (ui.Space(height=2 * _GAP), *(replace(each, width=None) for each in left))

    @property
    def rect(self) -> Rect:
        """Where the dialog lies in the window."""
        return self.stage.place_of("dialog")

    # Input.

    def _followed(self, answer: object) -> object | None:
        if not isinstance(answer, ui.Use):
            return answer
        if answer.name in _CLOSING:
            return gui.PlainCommand.CLOSE_DIALOG
        return self.on_control_changed(answer.name, answer.value)

    def _keyed(self, key: ui.Key) -> Sequence[object]:
        stage = self.stage
        focused = stage.find(stage.focus) if stage.shows_focus else None
        keeps_enter = stage.opened or (focused is not None and focused.panel.keeps_enter)
        found = None if key.name == "Enter" and not keeps_enter else stage.key(key)
        if found is not None:
            return found
        match key.name:
            case "Esc":
                return [gui.PlainCommand.CLOSE_DIALOG]
            case "Tab" if stage.focus == self._first and not stage.shows_focus:
                stage.shows_focus = True
            case "Tab" | "Shift+Tab":
                stage.next(-1 if key.name == "Shift+Tab" else 1)
            case "Page Up" | "Page Down":
                stage.scroll_page(-1 if key.name == "Page Up" else 1)
            case "Enter":
                main = stage.find(self.buttons[-1])
                return [ui.Use(main.panel.name, True)] if main is not None and main.panel.is_enabled else []
            case _:
                return [self.key(key)]
        return []

    @handles(ui.Use)
    def _used(self, use: ui.Use, now: float) -> Answer:
        return self._followed(use)

    @handles(ui.Key)
    def _pressed(self, key: ui.Key, now: float) -> Answer:
        """A key is for the control that has the focus, else for the dialog; the board below hears of none."""
        if actions.meaning(key, Where.DIALOG) is not None:
            return PASS
        following = [self._followed(each) for each in self._keyed(key)]
        return next((each for each in following if each is not None), None)


def _cross(size: int, color: ui.RGB) -> pygame.Surface:
    return ui.cross(size * 11 // 14, max(1, size // 7), color)


def failure(action: Callable[[], object]) -> Reason | None:
    """Carry an action out. Returns why the action failed, or None."""
    try:
        action()
    except OthelloError as error:
        return error.reason
    return None
