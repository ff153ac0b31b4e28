"""Raw pygame events to commands. Nothing else reads raw events."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final, Protocol

import pygame

from othello.gui import actions
from othello.gui import commands as gui
from othello.gui.actions import Where
from othello.gui.commands import Command

_NAMED: Final = {
    pygame.K_LEFT: "Left",
    pygame.K_RIGHT: "Right",
    pygame.K_UP: "Up",
    pygame.K_DOWN: "Down",
    pygame.K_RETURN: "Enter",
    pygame.K_KP_ENTER: "Enter",
    pygame.K_KP_PLUS: "+",
    pygame.K_KP_MINUS: "-",
    pygame.K_TAB: "Tab",
    pygame.K_ESCAPE: "Esc",
    pygame.K_SPACE: "Space",
    pygame.K_BACKSPACE: "Backspace",
    pygame.K_DELETE: "Delete",
    pygame.K_HOME: "Home",
    pygame.K_END: "End",
    pygame.K_PAGEUP: "Page Up",
    pygame.K_PAGEDOWN: "Page Down",
    **{pygame.K_F1 + index: f"F{index + 1}" for index in range(12)},
}
_MODIFIERS: Final = (
    (pygame.KMOD_CTRL | pygame.KMOD_META, "Ctrl+"),
    (pygame.KMOD_ALT, "Alt+"),
    (pygame.KMOD_SHIFT, "Shift+"),
)


class Widgets(Protocol):
    """The part of the window that pygame_gui draws and that hears of events first."""

    def process(self, event: pygame.Event) -> bool:
        """Whether a widget has used the event up."""
        ...

    def command_of(self, event: pygame.Event) -> Command | None:
        """What a pressed button stands for."""
        ...


class Listener(Protocol):
    """What events are read for.

    Attributes:
        widgets: what hears of them first.
        where: the place, for the same key may mean different things.
        letters: the keys that moves are typed with, whatever else they mean.
    """

    letters: str

    @property
    def where(self) -> Where: ...

    @property
    def widgets(self) -> Widgets: ...


def read(events: Iterable[pygame.Event], listener: Listener) -> list[Command]:
    """The commands that the events amount to, in order."""
    commands: list[Command] = []
    for event in events:
        if event.type == pygame.VIDEORESIZE:
            commands.append(gui.Resize((event.w, event.h)))
        elif not listener.widgets.process(event):
            command = listener.widgets.command_of(event) or _command_of(event, listener)
            if command is not None:
                commands.append(command)
    return commands


def settled(events: Iterable[pygame.Event]) -> list[pygame.Event]:
    """The events in the order in which they count: of many resizes only the last, and that first."""
    events = list(events)
    sizes = [event for event in events if event.type == pygame.VIDEORESIZE]
    return [*sizes[-1:], *(event for event in events if event.type != pygame.VIDEORESIZE)]


def _command_of(event: pygame.Event, listener: Listener) -> Command | None:
    if event.type == pygame.KEYDOWN:
        return _command_of_key(event, listener)
    if event.type == pygame.MOUSEMOTION:
        return gui.PointAt(event.pos)
    if event.type == pygame.MOUSEBUTTONDOWN and event.button == pygame.BUTTON_LEFT:
        return gui.PressAt(event.pos)
    if event.type == pygame.MOUSEBUTTONDOWN and event.button == pygame.BUTTON_RIGHT:
        return gui.PressRight(event.pos)
    if event.type == pygame.DROPFILE:
        return gui.OpenFile(Path(event.file))
    if event.type == pygame.MOUSEBUTTONUP and event.button == pygame.BUTTON_LEFT:
        return gui.Release()
    if event.type == pygame.MOUSEWHEEL:
        return gui.Scroll(-event.y)
    if event.type == pygame.WINDOWLEAVE:
        return gui.PointAt(None)
    if event.type in (pygame.WINDOWMAXIMIZED, pygame.WINDOWRESTORED):
        return gui.Maximised(event.type == pygame.WINDOWMAXIMIZED)
    if event.type in (pygame.WINDOWEXPOSED, pygame.WINDOWSHOWN):
        return gui.Redraw()
    return gui.Quit() if event.type == pygame.QUIT else None


def _command_of_key(event: pygame.Event, listener: Listener) -> Command | None:
    where = listener.where
    held = event.dict.get("mod", 0)
    modifiers = "".join(name for mask, name in _MODIFIERS if held & mask)
    if where is Where.DIALOG:
        return _key_in_dialog(event, modifiers)
    if event.key in _NAMED:
        key = _NAMED[event.key]
        return actions.command_of(modifiers + key, where) or actions.command_of(
            modifiers.replace("Shift+", "") + key, where
        )
    if "Ctrl+" in modifiers or "Alt+" in modifiers:
        return actions.command_of(modifiers + pygame.key.name(event.key).upper(), where)
    # By what the key writes, not by where it lies: these must work on every keyboard.
    written = event.dict.get("unicode", "").lower()
    if written and written in listener.letters:
        return gui.Type(written)
    return actions.command_of("Full stop" if written == "." else written.upper(), where)


def _key_in_dialog(event: pygame.Event, modifiers: str) -> Command:
    """What a key means while a dialog is open: most are for its controls."""
    is_named = event.key in _NAMED
    name = _NAMED[event.key] if is_named else pygame.key.name(event.key).upper()
    text = "" if is_named or "Ctrl+" in modifiers or "Alt+" in modifiers else event.dict.get("unicode", "")
    if event.key == pygame.K_SPACE and not modifiers:
        text = " "
    return actions.command_of(modifiers + name, Where.DIALOG) or gui.Key(modifiers + name, text)
