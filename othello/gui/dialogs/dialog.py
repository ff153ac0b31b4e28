"""Base class of the dialogs: a title, a page that scrolls, and a footer with buttons."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from pygame import Rect, Surface

from othello.errors import OthelloError
from othello.gui import actions, commands as gui, ui
from othello.gui.actions import Context
from othello.gui.commands import CommandHandler
from othello.texts import tr

NARROW: Final = 700
"""Below this width of the content, in design pixels, a row has one control instead of two."""
_CLOSE: Final = "close"
_CLOSING_BUTTONS: Final = (_CLOSE, "cancel", "close_keys", "done", "not_now", "understood")
# All lengths are in design pixels.
_WIDTH: Final = 864
_MARGIN: Final = 32
_EDGE: Final = 8  # between the edges of the window and of the dialog
_SMALL_WINDOW: Final = (700, 640)  # narrower or lower windows have narrower margins
_GAP: Final = 8
_BUTTON_HEIGHT: Final = 40


class Dialog(CommandHandler, ABC):
    """Base class of the dialogs. A subclass defines the content, and what happens when a control changes.

    Attributes:
        title: shown at the top.
        subtitle: a remark to the right of the title. It is left out if there is no room.
        fault: why the last command failed; empty after the next change of a control.
        buttons: names of the buttons at the right end of the footer. The last one is the main button: Enter presses it.
        focus: name of the control that has the focus at first; empty: the first control of the content.
        shows_focus: the outline of that control is visible from the start, not only after the first Tab.
        is_done: the dialog asks to be closed.
        below: the dialog that is shown again when this one closes.
        keeps_size: the dialog is as high as the window, whatever its content.
    """

    title: str
    subtitle = ""
    fault = ""
    buttons: Sequence[str] = ("cancel",)
    focus = ""
    shows_focus = False
    is_done = False
    below: Dialog | None = None
    keeps_size = False
    widgets: ui.WidgetTree
    style: ui.Style
    window: Rect

    @abstractmethod
    def content(self) -> ui.Widget:
        """Return the widget between title and footer."""

    def footer_buttons(self) -> Sequence[tuple[str, str]]:
        """Return names and labels of the buttons at the left end of the footer."""
        return ()

    @property
    def is_valid(self) -> bool:
        """True if the main button, and the button that saves, can be pressed."""
        return True

    def is_button_enabled(self, name: str) -> bool:
        return self.is_valid or name not in (self.buttons[-1], "save")

    def on_control_changed(self, name: str, value: Any) -> gui.Command | None:
        """Handle a changed control or a pressed button, and return the command that follows."""
        return gui.PlainCommand.CLOSE_DIALOG

    def button_label(self, name: str) -> str:
        """Return the label of a button at the right end of the footer."""
        return tr(f"buttons.{name}")

    def footer_note(self) -> str:
        """Return a remark in the footer. It is left out if there is no room."""
        return ""

    def update(self) -> gui.Command | None:
        """Continue background work, and return the command that follows."""
        return None

    def next_wake(self, now: float) -> float | None:
        """Return the time of the next update that needs no input, or None."""
        return None

    def leave(self) -> None:
        """Stop background work. Called when the dialog closes."""

    def show_error(self, reason: str) -> bool:
        """Show why the dialog's last command failed. Returns False if the dialog has no place for it."""
        return False

    def key(self, key: ui.Key) -> gui.Command | None:
        """Handle a key that no control uses, and return the command that follows."""
        return None

    def warning(self, fault: str) -> Sequence[ui.Widget]:
        """Return the paragraph with a fault, or nothing if the fault is empty."""
        return [ui.Paragraph(fault, 12, self.style.palette.warning)] if fault else []

    # Layout

    @property
    def content_width(self) -> float:
        """Width of the content in design pixels."""
        return min(_WIDTH, self.window.width / self.style.scale - 2 * _EDGE) - 2 * self._margins[0]

    @property
    def content_height(self) -> float:
        """Height in design pixels of the content that fits without scrolling."""
        return self._max_height - (32 + _BUTTON_HEIGHT + 1 + 2 * _GAP + 4 * self._margins[1])

    @property
    def _max_height(self) -> float:
        return self.window.height / self.style.scale - 2 * _EDGE

    @property
    def _margins(self) -> tuple[float, float]:
        """Margins at the sides, and above and below title, content and footer."""
        width, height = self.window.width / self.style.scale, self.window.height / self.style.scale
        return _MARGIN if width >= _SMALL_WINDOW[0] else _MARGIN / 2, 24 if height >= _SMALL_WINDOW[1] else 8

    def resize(self, style: ui.Style, window: Rect) -> None:
        self.style, self.window = style, window

    def attach(self, widgets: ui.WidgetTree, style: ui.Style, window: Rect) -> None:
        """Open the dialog in a window, and set the focus."""
        self.widgets = widgets
        self.resize(style, window)
        widgets.state.pop("page", None)  # the scroll position of another dialog
        page = ui.lay_out(self.content(), style, ui.Box(0, 0, self.content_width, self.content_height), window, {})
        names = (placed.widget.name for placed in ui.focusable_widgets(page))
        self._first = self.focus or next(names, self.buttons[-1])
        widgets.go_to(self._first, shows=self.shows_focus)

    def panel(self) -> ui.Widget:
        """Return the dialog on the backdrop that covers the window."""
        palette, width, (side, pad) = self.style.palette, self.content_width, self._margins
        footer, overflow = self._footer()
        close = ui.Button(name=_CLOSE, icon=_cross, tip=tr("buttons.close_keys"), width=32, height=32)
        title_width = min(self.style.length(self.title, 20, bold=True), width - 32 - 2 * _GAP)
        subtitle = ui.Label((self.subtitle, ""), 12, palette.muted, align="right", grow=True)
        head = ui.Row((ui.Label(self.title, 20, bold=True, width=title_width), subtitle, close))
        content = ui.Column((self.content(), *overflow), grow=True)
        page = ui.Column((ui.Spacer(height=_GAP), content, ui.Spacer(height=pad)), gap=0)
        pages = ui.Card(ui.ScrollView(ui.Card(page, (side - _GAP, 0)), name="page"), (_GAP, 0), grow=True)
        line = ui.Card(ui.Spacer(height=1), (0, 0), palette.line, radius=0)
        parts = ui.Spacer(height=pad), ui.Card(head, (side, 0)), ui.Spacer(height=_GAP), pages, line
        height = self._max_height if self.keeps_size else None
        body = ui.Column((*parts, ui.Card(footer, (side, pad))), gap=0, width=width + 2 * side, height=height)
        card = ui.Card(body, (0, 0), palette.panel, palette.line, radius=16, name="dialog")
        return ui.ModalBackdrop(ui.Align(ui.Card(card, (_EDGE, _EDGE))), self.title)

    def _footer(self) -> tuple[ui.Widget, Sequence[ui.Widget]]:
        """Return the footer, and those of its buttons that have no room and come after the content instead."""
        left = [self._button(*footer_button) for footer_button in self.footer_buttons()]
        right = [self._button(button, self.button_label(button)) for button in self.buttons]
        note = ui.Label((self.footer_note(), ""), 12, self.style.palette.muted, align="right", grow=True)
        if sum((button.width or 0) + _GAP for button in (*left, *right)) <= self.content_width:
            return ui.Row((*left, note, *right)), ()
        return ui.Row((note, *right)), (ui.Spacer(height=2 * _GAP), *(replace(button, width=None) for button in left))

    def _button(self, name: str, label: str) -> ui.Button:
        enabled, is_main = self.is_button_enabled(name), name == self.buttons[-1]
        kind, points, min_width = ("primary", 14, 136.0) if is_main else ("outline", 13, 96.0)
        width = max(min_width, self.style.length(label, points, is_main) + 32)
        return ui.Button(label, kind=kind, enabled=enabled, name=name, width=width, height=_BUTTON_HEIGHT)

    @property
    def rect(self) -> Rect:
        """Place of the dialog in the window."""
        return self.widgets.place_of("dialog")

    # Input

    @gui.handles(ui.ControlChanged)
    def _use(self, use: ui.ControlChanged, now: float) -> object | None:
        if use.name in _CLOSING_BUTTONS:
            return gui.PlainCommand.CLOSE_DIALOG
        self.fault = ""
        return self.on_control_changed(use.name, use.value)

    @gui.handles(ui.Key)
    def _press_key(self, key: ui.Key, now: float) -> gui.Answer:
        """Pass a key to the focused control, otherwise to the dialog, but never to the screen below."""
        if actions.meaning(key, Context.DIALOG) is not None:
            return gui.NOT_HANDLED
        answers = self._answers(key)
        done = [self._use(answer, now) if isinstance(answer, ui.ControlChanged) else answer for answer in answers]
        return next((following for following in done if following is not None), None)

    def _answers(self, key: ui.Key) -> Sequence[object]:
        widgets = self.widgets
        focused = widgets.find(widgets.focus) if widgets.shows_focus else None
        keeps_enter = widgets.open_overlay or (focused is not None and focused.widget.keeps_enter)
        answer = None if key.name == "Enter" and not keeps_enter else widgets.key(key)
        if answer is not None:
            return answer
        match key.name:
            case "Esc":
                return [gui.PlainCommand.CLOSE_DIALOG]
            case "Tab" if widgets.focus == self._first and not widgets.shows_focus:
                widgets.shows_focus = True
            case "Tab" | "Shift+Tab":
                widgets.next(-1 if key.name == "Shift+Tab" else 1)
            case "Page Up" | "Page Down":
                widgets.scroll_page(-1 if key.name == "Page Up" else 1)
            case "Enter":
                return self._main_answer()
            case _:
                return [self.key(key)]
        return []

    def _main_answer(self) -> Sequence[object]:
        main = self.widgets.find(self.buttons[-1])
        is_enabled = main is not None and main.widget.is_enabled
        return [ui.ControlChanged(self.buttons[-1], True)] if is_enabled else []


def _cross(size: int, color: ui.RGB) -> Surface:
    return ui.cross(size * 11 // 14, size / 7, color)


def failure(action: Callable[[], object]) -> str:
    """Run an action, and return why it failed, or an empty string."""
    try:
        action()
    except OthelloError as error:
        return error.reason.sentence()
    return ""
