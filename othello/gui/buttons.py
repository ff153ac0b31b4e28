"""The buttons of the table of actions, as panels."""

from __future__ import annotations

from functools import cache, partial
from typing import Any, Final

import pygame

from othello.gui import actions
from othello.gui.actions import PICTURED, Where
from othello.gui.toolkit.button import Button, Picture
from othello.gui.toolkit.style import RGB

_KINDS: Final = {
    **dict.fromkeys(("again", "play_offered", "begin", "report", "try_again"), "primary"),
    **dict.fromkeys(("exercise_next", "train_new", "edit_play"), "primary"),
    **dict.fromkeys(("play", "analyse", "review", "train"), "mode"),
    **dict.fromkeys(("worst_1", "worst_2", "worst_3", "hand_black", "hand_white"), "small"),
}
"""Buttons that do not look like the others."""

_OVERSAMPLING: Final = 4  # each picture is drawn so many times larger, then made smaller: smooth edges


def button(
    name: str, where: Where, *, enabled: bool = True, chosen: bool = False, other: bool = False, **more: Any
) -> Button:
    """The button of an action.

    Args:
        name: of the button in the table of actions.
        where: the place; a button whose action means nothing there is disabled.
        enabled: whether the button can be pressed now.
        chosen: whether the button stands for what is so now.
        other: whether the button shows its other word.
        **more: fields of the panel, such as its width.
    """
    action, words = actions.buttons(where)[name], actions.words(name, where)
    return Button(
        words[other] if words else "",
        command=action.command,
        kind=_KINDS.get(name, "plain"),
        enabled=enabled and where in action.where,
        chosen=chosen,
        icon=_icon(name) if name in PICTURED else None,
        widest=words,
        name=name,
        tip=actions.tooltip(action),
        **more,
    )


@cache
def _icon(name: str) -> Picture:
    """What draws the picture of a button: always the same function for a name."""
    return partial(icon, name)


@cache
def icon(name: str, size: int, color: RGB) -> pygame.Surface:
    """The picture of a button, `size` pixels wide and high: a triangle that points the way, at a bar where it ends.

    The surface is shared: do not draw on it.
    """
    side = size * _OVERSAMPLING
    image = pygame.Surface((side, side), pygame.SRCALPHA)
    image.fill((*color, 0))  # so that smooth edges have no dark seam
    has_bar = name in ("first", "last")
    middle, half = (0.6 if has_bar else 0.5), 0.3
    triangle = [(middle + half, 0.12), (middle + half, 0.88), (middle - half, 0.5)]
    pygame.draw.polygon(image, color, [(side * x, side * y) for x, y in triangle])
    if has_bar:
        image.fill(color, (side * 0.1, side * 0.12, side * 0.14, side * 0.76))
    if name in ("forward", "last"):
        image = pygame.transform.flip(image, flip_x=True, flip_y=False)
    return pygame.transform.smoothscale(image, (size, size))
