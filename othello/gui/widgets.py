"""The buttons: pygame_gui draws them, each stands for one command.

It takes long to load, so they are only sketched in the window's first picture.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import pygame

from othello import texts
from othello.gui import actions, theme
from othello.gui.actions import PICTURED, Where
from othello.gui.commands import Command
from othello.gui.layout import ButtonLayout
from othello.gui.theme import Style, blit_text
from othello.gui.toolkit.shapes import fill_rounded
from othello.resources import asset
from othello.strict_json import read as read_json

if TYPE_CHECKING:
    from pygame_gui import UIManager
    from pygame_gui.elements import UIButton

_LOOKS: Final = {
    "again": "#primary",
    "play_offered": "#primary",
    "begin": "#primary",
    "report": "#primary",
    "try_again": "#primary",
    "exercise_next": "#primary",
    "train_new": "#primary",
    "edit_play": "#primary",
    "play": "#mode",
    "analyse": "#mode",
    "review": "#mode",
    "train": "#mode",
    "worst_1": "#small",
    "worst_2": "#small",
    "worst_3": "#small",
    "hand_black": "#small",
    "hand_white": "#small",
}
"""The object ids in the theme of buttons that do not look like the others."""


@dataclass(frozen=True, slots=True)
class ButtonState:
    """How a button looks now."""

    enabled: bool = True
    selected: bool = False
    other: bool = False  # whether its other word is on it


class Widgets:
    """All buttons of the window.

    Args:
        layout: of the window that they are for.
        where: the place. Buttons whose action means nothing there are disabled.

    Attributes:
        are_covered: something lies over them, so that they hear of no event.
    """

    def __init__(self, layout: ButtonLayout, where: Where) -> None:
        self._where = where
        self._actions = actions.buttons(where)
        self._shown: dict[str, ButtonState] = {}
        self._states: Mapping[str, ButtonState] = {}
        self._manager: UIManager | None = None
        self._buttons: dict[str, UIButton] = {}
        self._colors: dict[str, str] = {}
        self._look = _look(layout)
        self._icon_size = 0
        self._sketched: tuple[Style, Mapping[str, pygame.Rect]] | None = None
        self.are_covered = False

    def sketch(
        self, layout: ButtonLayout, places: Mapping[str, pygame.Rect], states: Mapping[str, ButtonState]
    ) -> None:
        """Draw buttons plainly, and like pygame_gui's, as long as these are not built."""
        self._sketched, self._states = (layout.style, places), states

    def _build(self, layout: ButtonLayout) -> UIManager:
        from pygame_gui import UIManager

        blocks = _scaled_theme(layout.style)
        self._look = _look(layout)
        self._colors = blocks["defaults"]["colours"]
        self._icon_size = layout.style.px(_ICON_SIZE)
        self._buttons.clear()
        self._shown.clear()
        return UIManager(layout.window.size, blocks, enable_live_theme_updates=False)

    def arrange(self, layout: ButtonLayout, places: Mapping[str, pygame.Rect]) -> None:
        """Move every button to its place."""
        if self._manager is None or self._look != _look(layout):
            self._manager = self._build(layout)
        elif tuple(self._manager.window_resolution) != layout.window.size:
            self._manager.set_window_resolution(layout.window.size)
        rects = {name: rect for name, rect in places.items() if name in self._actions}
        # A button of another size is made anew: resized, it would look as before until some events later.
        for name, button in list(self._buttons.items()):
            if name not in rects or button.rect.size != rects[name].size:
                self._buttons.pop(name).kill()
                self._shown.pop(name, None)
        for name, rect in rects.items():
            if name not in self._buttons:
                self._buttons[name] = self._make(name, rect)
            elif self._buttons[name].rect.topleft != rect.topleft:
                self._buttons[name].set_relative_position(rect.topleft)

    def _make(self, name: str, rect: pygame.Rect) -> UIButton:
        from pygame_gui.elements import UIButton

        tip = actions.tooltip(self._actions[name])
        button = UIButton(rect, self._word(name), self._manager, tool_tip_text=tip, object_id=_LOOKS.get(name))
        if name in PICTURED:
            normal, hovered, disabled = (
                [icon(name, self._icon_size, self._colors[f"{state}_text"])]
                for state in ("normal", "hovered", "disabled")
            )
            button.normal_images, button.hovered_images, button.disabled_images = normal, hovered, disabled
            button.selected_images = hovered  # what a button that is held down shows
            button.rebuild()
        return button

    def _word(self, name: str, *, other: bool = False) -> str:
        words = actions.words(name, self._where)
        return words[other] if words else ""

    def show(self, states: Mapping[str, ButtonState]) -> None:
        """Make the buttons look as told; those that are not named look as at first."""
        self._states = states
        for name, button in self._buttons.items():
            state = self._state(name)
            if self._shown.get(name, ButtonState()) == state:
                continue
            self._shown[name] = state
            button.set_text(self._word(name, other=state.other))
            shape = button.drawable_shape
            while shape is not None and shape.states_to_redraw_queue:
                shape.update(0.0)  # else looks that are not the present one keep the old word for a while
            if state.selected and not button.is_selected:
                button.select()
            elif button.is_selected and not state.selected:
                button.unselect()
            if state.enabled:
                button.enable()
            else:
                button.disable()  # last: to be selected or not would make it look enabled

    def process(self, event: pygame.Event) -> bool:
        return self._manager is not None and not self.are_covered and bool(self._manager.process_events(event))

    def command_of(self, event: pygame.Event) -> Command | None:
        from pygame_gui import UI_BUTTON_PRESSED

        if event.type != UI_BUTTON_PRESSED:
            return None
        name = next((name for name, button in self._buttons.items() if button is event.ui_element), None)
        return None if name is None else self._actions[name].command

    def command(self, name: str) -> Command | None:
        """What a button stands for, None while it is disabled."""
        return self._actions[name].command if self.is_enabled(name) else None

    def is_enabled(self, name: str) -> bool:
        """Whether a button can be pressed, seen or not."""
        return self._state(name).enabled

    def _state(self, name: str) -> ButtonState:
        state = self._states.get(name, ButtonState())
        return state if self._where in self._actions[name].where else replace(state, enabled=False)

    def update(self, seconds: float) -> None:
        """Let hovered buttons and tooltips know that time has passed."""
        if self._manager is not None:
            self._manager.update(seconds)

    @property
    def appearance(self) -> tuple[object, ...]:
        """Equal as long as nothing looks different."""
        return tuple(
            (name, self._shown.get(name), button.hovered, button.held, button.is_enabled, button.tool_tip is not None)
            for name, button in self._buttons.items()
        )

    @property
    def is_hovered(self) -> bool:
        return any(button.hovered for button in self._buttons.values())

    def draw(self, surface: pygame.Surface) -> None:
        if self._manager is not None:
            self._manager.draw_ui(surface)
        elif self._sketched is not None:
            self._draw_sketch(surface, *self._sketched)

    def _draw_sketch(self, surface: pygame.Surface, style: Style, places: Mapping[str, pygame.Rect]) -> None:
        blocks, px = _theme(), style.px
        for name, rect in places.items():
            state, own = self._state(name), blocks.get(_LOOKS.get(name, ""), {})
            parts = ("colours", "font", "misc")
            colors, font, misc = (
                blocks["defaults" if part == "colours" else "button"][part] | own.get(part, {}) for part in parts
            )
            look = "disabled" if not state.enabled else "selected" if state.selected else "normal"
            text, ground, border = (theme.color(colors[f"{look}_{part}"]) for part in ("text", "bg", "border"))
            fill_rounded(surface, rect, px(float(misc["shape_corner_radius"])), ground, border, px(1))
            if name in PICTURED:
                image = icon(name, px(_ICON_SIZE), "#{:02x}{:02x}{:02x}".format(*text))
            else:
                word = self._word(name, other=state.other)
                image = style.text(word, float(font["size"]), text, bold="bold" in font)
            blit_text(surface, image, anchor="center", at=rect.center)


_ICON_SIZE: Final = 14
_LENGTHS: Final = ("shape_corner_radius", "border_width", "rect_width", "padding")


def _look(layout: ButtonLayout) -> tuple[object, ...]:
    """All that buttons have to be made anew for, when it is another."""
    return layout.style.scale, theme.name(), texts.language()


def _theme() -> dict[str, Any]:
    blocks: dict[str, Any] = read_json(asset("buttons.json"))
    return blocks


def _scaled_theme(style: Style) -> dict[str, Any]:
    """How buttons look in the theme in use, with every length and font size in real pixels."""
    blocks = _theme()
    for block in blocks.values():
        for part, color in block.get("colours", {}).items():
            block["colours"][part] = "#{:02x}{:02x}{:02x}".format(*theme.color(color))
        if "font" in block:
            block["font"]["size"] = str(style.px(float(block["font"]["size"])))
        misc = block.get("misc", {})
        for key in misc.keys() & set(_LENGTHS):
            misc[key] = ",".join(str(style.px(float(part))) for part in misc[key].split(","))
    return blocks


_OVERSAMPLING: Final = 4  # each picture is drawn so many times larger, then made smaller: smooth edges


@theme.drawn_once(32)
def icon(button: str, size: int, color: str) -> pygame.Surface:
    """The picture of a button, `size` pixels wide and high: a triangle that points the way, at a bar where it ends.

    The surface is shared: do not draw on it.
    """
    side = size * _OVERSAMPLING
    image = pygame.Surface((side, side), pygame.SRCALPHA)
    image.fill((*pygame.Color(color)[:3], 0))  # so that smooth edges have no dark seam
    has_bar = button in ("first", "last")
    middle, half = (0.6 if has_bar else 0.5), 0.3
    triangle = [(middle + half, 0.12), (middle + half, 0.88), (middle - half, 0.5)]
    pygame.draw.polygon(image, color, [(side * x, side * y) for x, y in triangle])
    if has_bar:
        image.fill(color, (side * 0.1, side * 0.12, side * 0.14, side * 0.76))
    if button in ("forward", "last"):
        image = pygame.transform.flip(image, flip_x=True, flip_y=False)
    return pygame.transform.smoothscale(image, (size, size))
