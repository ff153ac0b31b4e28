"""Raw pygame events to commands. Nothing else reads raw events."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Protocol

import pygame

from othello.gui import commands as gui
from othello.gui.commands import Command
from othello.play import commands as play
from othello.rules.protocol import Color

_KEYS: Final[dict[int, Command]] = {
    pygame.K_LEFT: gui.MoveCursor(-1, 0),
    pygame.K_RIGHT: gui.MoveCursor(1, 0),
    pygame.K_UP: gui.MoveCursor(0, -1),
    pygame.K_DOWN: gui.MoveCursor(0, 1),
    pygame.K_RETURN: gui.Confirm(),
    pygame.K_KP_ENTER: gui.Confirm(),
    pygame.K_ESCAPE: gui.Dismiss(),
    pygame.K_SPACE: play.TogglePause(),
    pygame.K_BACKSPACE: play.Undo(),
    pygame.K_HOME: play.GoTo(0),
    pygame.K_END: play.GoTo(1 << 30),
    pygame.K_PAGEUP: play.Browse(-1),
    pygame.K_PAGEDOWN: play.Browse(1),
    pygame.K_KP_PLUS: play.ChangePace(-1),
    pygame.K_KP_MINUS: play.ChangePace(1),
    pygame.K_F1: gui.ToggleHelp(),
    pygame.K_F2: play.HandOver(Color.BLACK),
    pygame.K_F3: play.HandOver(Color.WHITE),
    pygame.K_F4: play.SwapSides(),
}
_WITH_CONTROL: Final[dict[int, Command]] = {
    pygame.K_n: play.NewGame(),
    pygame.K_z: play.Undo(),
    pygame.K_y: play.Redo(),
    pygame.K_q: gui.Quit(),
    pygame.K_LEFT: play.Browse(-1),
    pygame.K_RIGHT: play.Browse(1),
}
# By what the key writes, not by where it lies: these must work on every keyboard. Letters a-h are for moves.
_SYMBOLS: Final[dict[str, Command]] = {
    ".": play.Step(),
    "+": play.ChangePace(-1),
    "=": play.ChangePace(-1),
    "-": play.ChangePace(1),
    "?": gui.ToggleHelp(),
    "n": gui.ToggleCaptures(),
    "v": gui.ToggleValues(),
    "m": gui.ToggleMotion(),
    "r": gui.OpenReport(),
    "s": gui.Stop(),
}
KEYS_HELP: Final = (
    ("Arrows, Enter", "choose a square and play there"),
    ("Tab", "choose the next legal square; with Shift the one before"),
    ("d 3", "type a move: a letter, then a digit"),
    ("Ctrl+N", "new game"),
    ("Ctrl+Z or Backspace", "undo"),
    ("Ctrl+Y", "redo"),
    ("Space", "pause and go on"),
    (". (full stop)", "step: one move of the computer"),
    ("+  −", "computer moves faster, slower"),
    ("N", "numbers: discs that each move captures"),
    ("V", "values of the computer's search"),
    ("M", "motion: animated flips"),
    ("F2  F3", "hand black, white over: person or computer"),
    ("F4", "swap sides"),
    ("Home  End", "first position, latest position"),
    ("Page Up  Page Down", "one move back, one move on"),
    ("Esc", "close what lies over the board"),
    ("F1 or ?", "this list"),
    ("Ctrl+Q", "quit"),
)


TOURNAMENT_KEYS_HELP: Final = (
    ("Space", "pause and go on: whether new games begin"),
    ("S", "stop: end the tournament here"),
    ("R", "report: open a page about the games so far"),
    ("F1 or ?", "this list"),
    ("Up  Down", "scroll the standings where not all players fit"),
    ("Esc", "close this list"),
    ("Ctrl+Q", "stop and quit"),
)


class Widgets(Protocol):
    """The part of the window that pygame_gui draws and that hears of events first."""

    def process(self, event: pygame.Event) -> bool:
        """Whether a widget has used the event up."""
        ...

    def command_of(self, event: pygame.Event) -> Command | None:
        """What a pressed button stands for."""
        ...


def read(events: Iterable[pygame.Event], widgets: Widgets) -> list[Command]:
    """The commands that the events amount to, in order; of many resizes only the last."""
    commands: list[Command] = []
    size: gui.Point | None = None
    for event in events:
        if event.type == pygame.VIDEORESIZE:
            size = (event.w, event.h)
        elif not widgets.process(event):
            command = widgets.command_of(event) or _command_of(event)
            if command is not None:
                commands.append(command)
    return commands if size is None else [gui.Resize(size), *commands]


def _command_of(event: pygame.Event) -> Command | None:
    if event.type == pygame.KEYDOWN:
        return _command_of_key(event)
    if event.type == pygame.MOUSEMOTION:
        return gui.PointAt(event.pos)
    if event.type == pygame.MOUSEBUTTONDOWN and event.button == pygame.BUTTON_LEFT:
        return gui.PressAt(event.pos)
    if event.type == pygame.MOUSEWHEEL:
        return gui.Scroll(-event.y)
    if event.type == pygame.WINDOWLEAVE:
        return gui.PointAt(None)
    if event.type in (pygame.WINDOWEXPOSED, pygame.WINDOWSHOWN, pygame.WINDOWRESTORED):
        return gui.Redraw()
    return gui.Quit() if event.type == pygame.QUIT else None


def _command_of_key(event: pygame.Event) -> Command | None:
    modifiers = event.dict.get("mod", 0)
    if modifiers & (pygame.KMOD_CTRL | pygame.KMOD_META):
        if event.key == pygame.K_z and modifiers & pygame.KMOD_SHIFT:
            return play.Redo()
        return _WITH_CONTROL.get(event.key)
    if modifiers & pygame.KMOD_ALT:
        return None  # the window system's
    if event.key == pygame.K_TAB:
        return gui.NextLegal(-1 if modifiers & pygame.KMOD_SHIFT else 1)
    if event.key in _KEYS:
        return _KEYS[event.key]
    written = event.dict.get("unicode", "").lower()
    if len(written) == 1 and written in "abcdefgh":
        return gui.TypeColumn("abcdefgh".index(written))
    if len(written) == 1 and written in "12345678":
        return gui.TypeRow(int(written) - 1)
    return _SYMBOLS.get(written)
