"""What fills the window: a table for games, or the hall of a tournament. Here is what both have in common.

What a person does comes in by `do`. An input goes to the stage, which finds the panel that the input is aimed at and
answers with commands. A command goes to the first screen that has a method for commands of its type: the dialog that
is open, then the screens of the room, the room itself last. What follows from a command is issued, and carried out
next by whoever drives the room.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from typing import Self

import pygame
from pygame import Rect

from othello import texts
from othello.gui import actions, ui, window
from othello.gui import commands as gui
from othello.gui.actions import Where
from othello.gui.commands import PASS, Screen, handles
from othello.gui.dialogs.dialog import Dialog
from othello.gui.faces.face import Face, face_of
from othello.gui.preferences import PreferencesFile, palette_of
from othello.gui.sounds import Sound
from othello.gui.toolbar import Toolbar
from othello.gui.window import MINIMUM_SIZE, clipboard, copy, scale_for
from othello.rules.protocol import GameSpec


def earliest(*times: float | None) -> float | None:
    """Return the earliest of some times, or None if all are None."""
    return min((time for time in times if time is not None), default=None)


class Room(Screen):
    """Something that fills the window.

    Args:
        spec: which game is shown.
        preferences: how the person wants the window.
        size: of the window, in real pixels.

    Attributes:
        stage: where the tree of panels is seen and used.
        style: lengths, text and colours.
        window: all of the window, in real pixels.
        dialog: what lies over everything, None where nothing does.
        heard: what has just happened that can be heard.
        wants_to_quit: whether the window is to be closed.
        is_maximised: whether the window fills the screen.
        now: when the latest command came.
    """

    def __init__(self, spec: GameSpec, preferences: PreferencesFile, size: ui.Point) -> None:
        self.spec, self.preferences = spec, preferences
        self.stage = ui.Stage(copy, clipboard)
        self.dialog: Dialog | None = None
        self.heard: tuple[Sound, ...] = ()
        self.wants_to_quit = self.is_maximised = False
        self._issued: list[object] = []
        self._focus_before = ""
        self._is_stale, self.now = False, 0.0
        self._changes: object | None = None
        self._fresh_until = 0.0
        self._resize(size)

    # What a room says of itself.

    @property
    def face(self) -> Face:
        """How the game looks that is shown."""
        return face_of(self.spec, self.style.palette)

    @property
    def place(self) -> Where:
        """The place, for keys and buttons."""
        raise NotImplementedError

    @property
    def letters(self) -> str:
        """The keys that moves are typed with, whatever else they mean."""
        return ""

    @property
    def name(self) -> str:
        """What fills the window; empty for a game that is played."""
        return ""

    def toolbar(self) -> Toolbar:
        """The bar at the top."""
        raise NotImplementedError

    def body(self, now: float) -> ui.Panel:
        """Everything below the toolbar."""
        raise NotImplementedError

    def over(self, now: float) -> Iterator[ui.Panel]:
        """What lies over toolbar and body, from below."""
        yield from ()

    def screens(self) -> Iterator[Screen]:
        """Who is asked to carry a command out, one after the other."""
        if self.dialog is not None:
            yield self.dialog
        yield self

    # The tree.

    @property
    def where(self) -> Where:
        """What keys are for now."""
        return self.place if self.dialog is None else Where.DIALOG

    @property
    def title(self) -> str:
        """What the window is called: what lies over everything else in it, and the program."""
        name = self.name if self.dialog is None else self.dialog.title
        return f"{name} – {window.TITLE}" if name else window.TITLE

    def show(self, now: float) -> None:
        """Declare the tree anew."""
        self._is_stale = False
        ground = ui.Card(ui.Space(), fill=self.style.palette.background, radius=0)
        page = ui.Column((self.toolbar(), ui.Stack((self.body(now),), grow=1)), gap=0)
        dialog = () if self.dialog is None else (self.dialog.panel(),)
        self.stage.show(ui.Stack((ground, page, *self.over(now), *dialog)), self.style, self.window)

    def draw(self, surface: pygame.Surface) -> list[Rect]:
        """Draw what has changed, and say where that is."""
        return self.stage.draw(surface)

    def told(self) -> ui.Telling:
        """What a screen reader is told."""
        return self.stage.told(self.title)

    @property
    def front(self) -> Self:
        return self

    @property
    def writes(self) -> bool:
        """Whether the keyboard is for a field, in which every letter is text."""
        self._catch_up(self.now)
        return self.stage.writes

    @property
    def caret(self) -> Rect | None:
        """Where somebody writes, None where nobody does."""
        return self.stage.caret

    # Commands.

    def do(self, command: object, now: float) -> None:
        """Have a command carried out by the first screen that has a method for it."""
        if isinstance(command, ui.Input):
            self._catch_up(now)
        self.now = now
        self._is_stale = self._is_stale or not isinstance(command, ui.PointAt)
        for screen in self.screens():
            answer = screen.take(command, now)
            if answer is not PASS:
                self.issue(answer)
                return
        self.unclaimed(command, now)

    def _catch_up(self, now: float) -> None:
        """Declare the tree anew where it is out of date: an input is for what the one before has led to."""
        if self._is_stale:
            self.refresh(now)
            self.show(now)

    def refresh(self, now: float) -> None:
        """Bring up to date what the tree is declared from, after commands."""

    def unclaimed(self, command: object, now: float) -> None:
        """A command that no screen has a method for."""

    def issue(self, command: object | None) -> None:
        """Let a command be carried out next, by whom it is for, here or beyond this room."""
        if command is not None:
            self._issued.append(command)

    def next_commands(self) -> list[object]:
        """What is to be carried out next; whoever drives the room sees to it."""
        issued, self._issued = self._issued, []
        return issued

    @handles(ui.PointAt, ui.PressAt, ui.PressRight, ui.Release, ui.Scroll, ui.Compose, ui.Reach)
    def _aim(self, command: ui.Input, now: float) -> None:
        """Let the stage find the panel that an input is aimed at."""
        for following in self.stage.take(command, now):
            self.issue(following)
        if isinstance(command, ui.PressAt) and self.dialog is None and not self.stage.writes:
            self.stage.leave()  # who clicks goes on with the keys of the board

    @handles(ui.Key)
    def _press_key(self, key: ui.Key, now: float) -> object | None:
        """A key is for the panel that has the focus, else for what the place has it for."""
        answers = self.stage.key(key)
        if answers is None:
            return actions.meaning(key, self.where, self.letters)
        for following in answers:
            self.issue(following)
        return None

    @handles(gui.Call)
    def _call(self, command: gui.Call, now: float) -> object | None:
        return command.function(*command.arguments)

    @handles(gui.Quit)
    def _quit(self, command: gui.Quit, now: float) -> None:
        self.wants_to_quit = True

    @handles(gui.PlainCommand.REDRAW)
    def redraw(self, command: gui.PlainCommand | None = None, now: float = 0.0) -> None:
        """Draw everything anew."""
        self.stage.forget()

    @handles(gui.Maximised)
    def _maximise(self, command: gui.Maximised, now: float) -> None:
        self.is_maximised = self.is_maximised if window.is_full_screen() else command.is_so
        self.stage.forget()

    @handles(gui.PlainCommand.TOGGLE_FULL_SCREEN)
    def _toggle_full_screen(self, command: gui.PlainCommand, now: float) -> None:
        window.toggle_full_screen(is_maximised=self.is_maximised)

    @handles(gui.Resize)
    def _resized(self, command: gui.Resize, now: float) -> None:
        self._resize(command.size)

    @handles(gui.MoveFocus)
    def _move_focus(self, command: gui.MoveFocus, now: float) -> None:
        (self.stage.next_group if command.by_group else self.stage.next)(command.steps)

    @handles(gui.Refuse)
    def refuse(self, command: gui.Refuse, now: float) -> None:
        """Say why not, in the dialog that is open or in one of its own."""
        if self.dialog is None or not self.dialog.refuse(command.reason):
            from othello.gui.dialogs.notices import Notice

            self.enter_dialog(Notice(command.title, command.reason))

    @handles(gui.PlainCommand.CLOSE_DIALOG)
    def close_dialog(self, command: gui.PlainCommand | None = None, now: float = 0.0) -> None:
        """Close the dialog that is open; the one below is seen again."""
        if self.dialog is not None and self.dialog.below is not None:
            self._show_dialog(self.dialog.below)
        elif self.dialog is not None:
            self.dialog.leave()
            self.dialog = None
            self.stage.focus, self.stage.shows_focus = self._focus_before, bool(self._focus_before)

    @handles(gui.PlainCommand.TOGGLE_HELP)
    def _toggle_help(self, command: gui.PlainCommand, now: float) -> None:
        from othello.gui.dialogs.help import HelpDialog

        if isinstance(self.dialog, HelpDialog):
            self.close_dialog()
        else:
            self.enter_dialog(HelpDialog(self.place, self.spec, knows_game=self.preferences.value.has_finished))

    @handles(gui.Open)
    def open(self, command: gui.Open, now: float) -> None:
        """Open a dialog by its name."""
        dialog = self.dialog_of(command.dialog)
        if dialog is not None:
            self.enter_dialog(dialog)

    def dialog_of(self, name: str) -> Dialog | None:
        """A dialog by its name, None where there is none of that name here."""
        if name != "menu":
            return None
        from othello.gui.dialogs.notices import MenuDialog

        return MenuDialog(self.place, self.without_effect())

    def without_effect(self) -> Collection[str]:
        """The names of actions that change nothing now."""
        return ()

    @handles(gui.OpenOver)
    def _open_over(self, command: gui.OpenOver, now: float) -> None:
        command.dialog.below = self.dialog
        self.enter_dialog(command.dialog)

    def enter_dialog(self, dialog: Dialog) -> None:
        """Put a dialog over everything."""
        if self.dialog is None:
            self._focus_before = self.stage.focus if self.stage.shows_focus else ""
        self._show_dialog(dialog)

    def _show_dialog(self, dialog: Dialog) -> None:
        if self.dialog is not None and dialog.below is not self.dialog:
            self.dialog.leave()
        self.dialog = dialog
        dialog.attach(self.stage, self.style, self.window)

    def recover(self, title: str, reason: str, now: float) -> None:
        """Go on after an error that nobody expected, without what may have caused it."""
        if self.dialog is not None:
            self.dialog.leave()
        self.dialog, self._issued = None, []
        self.stage.leave()
        self.stage.kept.clear()
        self.refuse(gui.Refuse(title, reason), now)

    # Time and looks.

    def update(self, now: float) -> None:
        """Move on with time, and declare the tree anew."""
        self.stage.update(now)
        if self.dialog is not None:
            self.issue(self.dialog.update())
            if self.dialog.is_done:
                self.close_dialog()
        self.follow(now)
        changes = self.changes()
        if self._is_stale or now >= self._fresh_until or changes is None or changes != self._changes:
            self.show(now)
            until = self.next_show(now)
            self._changes, self._fresh_until = changes, math.inf if until is None else until

    def changes(self) -> object | None:
        """What differs where the tree does, beside commands and `next_show`; None: that is not known."""
        return None

    def next_show(self, now: float) -> float | None:
        """When to declare the tree anew though nothing has changed, None: any time will do."""
        return self.next_wake(now)

    def follow(self, now: float) -> None:
        """Notice what has happened since the last update."""

    def next_wake(self, now: float) -> float | None:
        """When to update again without a command, None: any time will do."""
        return earliest(self.stage.next_wake(now), None if self.dialog is None else self.dialog.next_wake(now))

    @handles(gui.PlainCommand.APPLY_PREFERENCES)
    def apply(self, command: gui.PlainCommand | None = None, now: float = 0.0) -> None:
        """Make the window look as the person wants it."""
        texts.use(self.preferences.value.language)
        texts.set_person(self.preferences.value.player_name)
        self._resize(self.window.size)
        self.stage.forget()

    def _resize(self, size: ui.Point) -> None:
        width, height = max(size[0], MINIMUM_SIZE[0] // 2), max(size[1], MINIMUM_SIZE[1] // 2)
        text = self.preferences.value.text_size / 100
        self.style = ui.Style(scale_for((width, height)) * text, palette_of(self.preferences.value))
        self.window = Rect(0, 0, width, height)
        self.stage.forget()
        if self.dialog is not None:
            self.dialog.resize(self.style, self.window)


class ScreenGroup(Screen):
    """Screens of which one fills the window, while the others continue behind it.

    Commands come here first; those that no method here handles go to the active screen.
    """

    @property
    def active(self) -> Room | ScreenGroup:
        """The screen, or the group with the screen, that fills the window."""
        raise NotImplementedError

    @property
    def members(self) -> Sequence[Room | ScreenGroup]:
        """All screens and groups that exist."""
        raise NotImplementedError

    @property
    def front(self) -> Room:
        """The screen that fills the window."""
        return self.active.front

    def do(self, command: object, now: float) -> None:
        """Carry out `command`, here or in the active screen."""
        if self.take(command, now) is PASS:
            self.active.do(command, now)

    @handles(gui.Resize, gui.Maximised, gui.PlainCommand.APPLY_PREFERENCES)
    def _do_everywhere(self, command: object, now: float) -> None:
        for each in self.members:
            each.do(command, now)

    def next_commands(self) -> list[object]:
        """Return the commands to be carried out next."""
        return [command for each in self.members for command in each.next_commands()]

    def update(self, now: float) -> None:
        """Update the active screen, and what continues behind it."""
        raise NotImplementedError

    def next_wake(self, now: float) -> float | None:
        """Return the time of the next update that needs no input, or None."""
        raise NotImplementedError
