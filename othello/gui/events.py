"""Raw pygame events to commands. Nothing else reads raw events."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final, Protocol

import pygame

from othello.gui import commands as gui
from othello.gui.toolkit import inputs

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
    pygame.K_INSERT: "Insert",
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
_DOUBLE_CLICK: Final = 400  # milliseconds


class Listener(Protocol):
    """What events are read for."""

    @property
    def writes(self) -> bool:
        """Whether the keyboard is for a field, in which every letter is text."""
        ...


class Reader:
    """Reads events one after the other, and remembers what makes a double click."""

    def __init__(self) -> None:
        self._pressed_at, self._place = -_DOUBLE_CLICK, (0, 0)

    def read(self, event: pygame.Event, listener: Listener) -> object | None:
        """The command that an event amounts to, None where it amounts to none."""
        match event.type:
            case pygame.VIDEORESIZE:
                return gui.Resize((event.w, event.h))
            case pygame.KEYDOWN:
                return _key(event, writes=listener.writes)
            case pygame.TEXTINPUT if listener.writes:
                return inputs.Key("", event.text)
            case pygame.TEXTEDITING if listener.writes:
                return inputs.Compose(event.text)
            case pygame.MOUSEMOTION:
                return inputs.PointAt(event.pos)
            case pygame.MOUSEBUTTONDOWN if event.button == pygame.BUTTON_LEFT:
                return inputs.PressAt(event.pos, self._clicks(event.pos))
            case pygame.MOUSEBUTTONDOWN if event.button == pygame.BUTTON_RIGHT:
                return inputs.PressRight(event.pos)
            case pygame.MOUSEBUTTONUP if event.button == pygame.BUTTON_LEFT:
                return inputs.Release()
            case pygame.MOUSEWHEEL:
                return inputs.Scroll(-event.y)
            case pygame.WINDOWLEAVE:
                return inputs.PointAt(None)
            case pygame.DROPFILE:
                return gui.OpenFile(Path(event.file))
            case pygame.WINDOWMAXIMIZED | pygame.WINDOWRESTORED:
                return gui.Maximised(event.type == pygame.WINDOWMAXIMIZED)
            case pygame.WINDOWEXPOSED | pygame.WINDOWSHOWN:
                return gui.Redraw()
            case pygame.QUIT:
                return gui.Quit()
        return None

    def _clicks(self, place: tuple[int, int]) -> int:
        """2 where a press follows another at the same place at once."""
        now = pygame.time.get_ticks()
        is_second = now - self._pressed_at < _DOUBLE_CLICK and place == self._place
        self._pressed_at, self._place = (-_DOUBLE_CLICK if is_second else now), place
        return 2 if is_second else 1


def settled(events: Iterable[pygame.Event]) -> list[pygame.Event]:
    """The events in the order in which they count: of many resizes only the last, and that first."""
    events = list(events)
    sizes = [event for event in events if event.type == pygame.VIDEORESIZE]
    return [*sizes[-1:], *(event for event in events if event.type != pygame.VIDEORESIZE)]


def _key(event: pygame.Event, *, writes: bool) -> inputs.Key | None:
    """A key by what it is called and what it writes, wherever on the keyboard it lies.

    In a field what is written comes as an event of its own, also from AltGr, dead keys and input methods.
    """
    held, written = event.dict.get("mod", 0), event.dict.get("unicode", "")
    modifiers = "".join(name for mask, name in _MODIFIERS if held & mask)
    if event.key in _NAMED:
        name = _NAMED[event.key]
        return inputs.Key(modifiers + name, " " if name == "Space" and not modifiers and not writes else "")
    if "Ctrl+" in modifiers or "Alt+" in modifiers:
        return inputs.Key(modifiers + pygame.key.name(event.key).upper())
    if writes or not written:
        return None
    return inputs.Key("Full stop" if written == "." else written.upper(), written)
