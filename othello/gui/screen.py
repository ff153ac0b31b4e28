"""The base of the screens that fill the window, and of groups of such screens.

Inputs and commands arrive by `do`. An input goes to the widget under the mouse or with the focus, which returns
commands. A command goes to the first handler with a method for it: the open dialog, then the mode, then the screen. The
commands that follow are queued; the event loop takes them from `next_commands` and carries them out next.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator

from pygame import Rect, Surface, display

from othello import texts
from othello.gui import actions, commands as gui, ui
from othello.gui.actions import Context
from othello.gui.boards.renderer import BoardRenderer, renderer_for
from othello.gui.commands import CommandHandler
from othello.gui.dialogs.dialog import Dialog
from othello.gui.platform import window
from othello.gui.preferences import PreferencesFile, palette_of
from othello.gui.sounds import Sound
from othello.gui.toolbar import Toolbar
from othello.rules.protocol import GameSpec


def earliest(*times: float | None) -> float | None:
    """Return the earliest of some times, or None if all are None."""
    return min((time for time in times if time is not None), default=None)


class Screen(CommandHandler):
    """Base of the screens that fill the window."""

    def __init__(self, spec: GameSpec, preferences: PreferencesFile, size: ui.Point) -> None:
        """Create a screen for a game in a window of `size` real pixels."""
        self.spec, self.preferences = spec, preferences
        self.widgets = ui.WidgetTree(window.copy, window.clipboard)
        self.dialog: Dialog | None = None  # the open dialog
        self.new_sounds: tuple[Sound, ...] = ()  # sounds of the last update
        self.wants_to_quit = self.is_maximised = False
        self._issued: list[object] = []
        self._focus_before = ""  # the focused widget before the dialog was opened
        self._is_stale = False  # the widget tree is out of date
        self.now = 0.0  # time of the last command
        self._changes: object | None = None
        self._fresh_until = 0.0
        self._resize(size)

    # What a screen defines.

    @property
    def renderer(self) -> BoardRenderer:
        """The renderer of the shown game."""
        return renderer_for(self.spec, self.style.palette)

    @property
    def base_context(self) -> Context:
        """The context of keys and buttons without a dialog."""
        raise NotImplementedError

    @property
    def letters(self) -> str:
        """The keys that type moves; they take precedence over other bindings."""
        return ""

    @property
    def name(self) -> str:
        """The title of the screen; empty while a game is played."""
        return ""

    def toolbar(self) -> Toolbar:
        """Return the toolbar."""
        raise NotImplementedError

    def body(self, now: float) -> ui.Widget:
        """Return everything below the toolbar."""
        raise NotImplementedError

    def handlers(self) -> Iterator[CommandHandler]:
        """Yield the handlers of commands, the first one first."""
        if self.dialog is not None:
            yield self.dialog
        yield self

    # The tree.

    @property
    def context(self) -> Context:
        """The context of keys."""
        return self.base_context if self.dialog is None else Context.DIALOG

    @property
    def title(self) -> str:
        """The title of the window: that of the dialog or the screen, and the program's name."""
        name = self.name if self.dialog is None else self.dialog.title
        return f"{name} – {window.TITLE}" if name else window.TITLE

    def show(self, now: float) -> None:
        """Build the widget tree."""
        self._is_stale = False
        ground = ui.Card(ui.Spacer(), fill=self.style.palette.background, radius=0)
        page = ui.Column((self.toolbar(), ui.Stack((self.body(now),), grow=True)), gap=0)
        dialog = () if self.dialog is None else (self.dialog.panel(),)
        self.widgets.show(ui.Stack((ground, page, *dialog)), self.style, self.window)

    def draw(self, surface: Surface) -> list[Rect]:
        """Draw the changes, and return the changed areas."""
        return self.widgets.draw(surface)

    def accessibility_tree(self) -> ui.AccessibilityTree:
        """Return the accessibility tree."""
        return self.widgets.accessibility_tree(self.title)

    @property
    def active_screen(self) -> Screen:
        """The screen that fills the window."""
        return self

    @property
    def writes(self) -> bool:
        """True if the focus is in a text field."""
        self._catch_up(self.now)
        return self.widgets.writes

    # Commands.

    def do(self, command: object, now: float) -> None:
        """Carry out `command` by the first handler that has a method for it."""
        if isinstance(command, ui.Input):
            self._catch_up(now)
        self.now = now
        self._is_stale = self._is_stale or not isinstance(command, ui.MouseMoved)
        for handler in self.handlers():
            answer = handler.take(command, now)
            if answer is not gui.NOT_HANDLED:
                self.issue(answer)
                return

    def _catch_up(self, now: float) -> None:
        """Build the widget tree if it is out of date: an input refers to the result of the previous one."""
        if self._is_stale:
            self.refresh(now)
            self.show(now)

    def refresh(self, now: float) -> None:
        """Update the state that the widget tree is built from."""

    def issue(self, commands: object | None) -> None:
        """Queue a command or a tuple of commands."""
        if commands is not None:
            self._issued += commands if isinstance(commands, tuple) else (commands,)

    def next_commands(self) -> list[object]:
        """Remove the queued commands and return them."""
        issued, self._issued = self._issued, []
        return issued

    @gui.handles(*ui.WIDGET_INPUTS)
    def _aim(self, command: ui.Input, now: float) -> None:
        """Pass an input to its widget."""
        self.issue((*self.widgets.take(command, now),))
        if isinstance(command, ui.MousePressed) and self.dialog is None and not self.widgets.writes:
            self.widgets.leave()  # after a click, keys are for the board again

    @gui.handles(ui.Key)
    def _press_key(self, key: ui.Key, now: float) -> object | None:
        """Pass a key to the focused widget, or look it up in the key bindings."""
        answers = self.widgets.key(key)
        if answers is None:
            return actions.meaning(key, self.context, self.letters)
        return (*answers,)

    @gui.handles(gui.Call)
    def _call(self, command: gui.Call, now: float) -> object | None:
        return command.function(*command.arguments)

    @gui.handles(gui.Quit)
    def _quit(self, command: gui.Quit, now: float) -> None:
        self.wants_to_quit = True

    @gui.handles(gui.PlainCommand.REDRAW)
    def redraw(self, command: gui.PlainCommand | None = None, now: float = 0.0) -> None:
        """Redraw the whole window."""
        self.widgets.forget()

    @gui.handles(gui.WindowMaximised)
    def _maximise(self, command: gui.WindowMaximised, now: float) -> None:
        self.is_maximised = self.is_maximised if display.is_fullscreen() else command.maximised
        self.widgets.forget()

    @gui.handles(gui.PlainCommand.TOGGLE_FULL_SCREEN)
    def _toggle_full_screen(self, command: gui.PlainCommand, now: float) -> None:
        window.toggle_full_screen(is_maximised=self.is_maximised)

    @gui.handles(gui.Resize)
    def _resized(self, command: gui.Resize, now: float) -> None:
        self._resize(command.size)

    @gui.handles(gui.MoveFocus)
    def _move_focus(self, command: gui.MoveFocus, now: float) -> None:
        (self.widgets.next_group if command.by_group else self.widgets.next)(command.steps)

    @gui.handles(gui.ShowError)
    def show_error(self, command: gui.ShowError, now: float) -> None:
        """Show an error, in the open dialog if that can show it."""
        if self.dialog is None or not self.dialog.show_error(command.reason):
            from othello.gui.dialogs.notices import MessageDialog

            self.enter_dialog(MessageDialog(command.title, command.reason))

    @gui.handles(gui.PlainCommand.CLOSE_DIALOG)
    def close_dialog(self, command: gui.PlainCommand | None = None, now: float = 0.0) -> None:
        """Close the open dialog, and show the one below."""
        if self.dialog is not None and self.dialog.below is not None:
            self._show_dialog(self.dialog.below)
        elif self.dialog is not None:
            self.dialog.leave()
            self.dialog = None
            self.widgets.focus, self.widgets.shows_focus = self._focus_before, bool(self._focus_before)

    @gui.handles(gui.PlainCommand.TOGGLE_HELP)
    def _toggle_help(self, command: gui.PlainCommand, now: float) -> None:
        from othello.gui.dialogs.help import HelpDialog

        if isinstance(self.dialog, HelpDialog):
            self.close_dialog()
        else:
            self.enter_dialog(HelpDialog(self.base_context, self.spec, knows_game=self.preferences.value.has_finished))

    @gui.handles(gui.Open)
    def open(self, command: gui.Open, now: float) -> None:
        """Open a dialog by its name."""
        dialog = self.dialog_of(command.dialog)
        if dialog is not None:
            self.enter_dialog(dialog)

    def dialog_of(self, name: str) -> Dialog | None:
        """Create a dialog by its name; return None if this screen has no such dialog."""
        if name != "menu":
            return None
        from othello.gui.dialogs.notices import MenuDialog

        return MenuDialog(self.base_context, self.without_effect())

    def without_effect(self) -> Collection[str]:
        """Return the names of actions that have no effect now."""
        return ()

    @gui.handles(gui.PushDialog)
    def _open_over(self, command: gui.PushDialog, now: float) -> None:
        command.dialog.below = self.dialog
        self.enter_dialog(command.dialog)

    def enter_dialog(self, dialog: Dialog) -> None:
        """Open a dialog."""
        if self.dialog is None:
            self._focus_before = self.widgets.focus if self.widgets.shows_focus else ""
        self._show_dialog(dialog)

    def _show_dialog(self, dialog: Dialog) -> None:
        if self.dialog is not None and dialog.below is not self.dialog:
            self.dialog.leave()
        self.dialog = dialog
        dialog.attach(self.widgets, self.style, self.window)

    def recover(self, title: str, reason: str, now: float) -> None:
        """Show an unexpected error and continue, without the dialog and the state that may have caused it."""
        if self.dialog is not None:
            self.dialog.leave()
        self.dialog, self._issued = None, []
        self.widgets.leave()
        self.widgets.state.clear()
        self.show_error(gui.ShowError(title, reason), now)

    # Time and style.

    def update(self, now: float) -> None:
        """Update the state, and build the widget tree if something has changed."""
        self.widgets.update(now)
        if self.dialog is not None:
            self.issue(self.dialog.update())
            if self.dialog.is_done:
                self.close_dialog()
        self.follow(now)
        changes = self.state_key()
        if self._is_stale or now >= self._fresh_until or changes is None or changes != self._changes:
            self._changes = changes
            self.show(now)
            until = self.next_show(now)
            self._fresh_until = math.inf if until is None else until

    def state_key(self) -> object | None:
        """Return a value that is equal if the widget tree has not changed without a command; None: unknown."""
        return None

    def next_show(self, now: float) -> float | None:
        """Return the time at which the widget tree has to be built even without a change, or None."""
        return self.next_wake(now)

    def follow(self, now: float) -> None:
        """Process the events since the last update."""

    def next_wake(self, now: float) -> float | None:
        """Return the time of the next update that needs no input, or None."""
        return earliest(self.widgets.next_wake(now), None if self.dialog is None else self.dialog.next_wake(now))

    @gui.handles(gui.PlainCommand.APPLY_PREFERENCES)
    def apply(self, command: gui.PlainCommand | None = None, now: float = 0.0) -> None:
        """Apply the preferences to the window."""
        texts.use(self.preferences.value.language)
        texts.set_user(self.preferences.value.player_name)
        self._resize(self.window.size)

    def _resize(self, size: ui.Point) -> None:
        width, height = max(size[0], window.MINIMUM_SIZE[0] // 2), max(size[1], window.MINIMUM_SIZE[1] // 2)
        text = self.preferences.value.text_size / 100
        self.style = ui.Style(window.scale_for((width, height)) * text, palette_of(self.preferences.value))
        self.window = Rect(0, 0, width, height)
        self.widgets.forget()
        if self.dialog is not None:
            self.dialog.resize(self.style, self.window)
