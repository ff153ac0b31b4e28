"""The toolbar with logo, buttons and mode switch, and the buttons of all actions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache, partial
from typing import Any, ClassVar, Final

from pygame import SRCALPHA, Surface

from othello import texts
from othello.gui import actions, labels, ui
from othello.gui.actions import BROWSE, Context
from othello.gui.boards.renderer import BoardRenderer
from othello.gui.mode_registry import MODES, Place, modes_at
from othello.texts import tr

# Buttons that do not look like the others.
_KINDS: Final = {
    **dict.fromkeys(("begin", "report", "try_again"), "primary"),
    **dict.fromkeys(("exercise_next", "train_new", "edit_play", "explore_play"), "primary"),
    **dict.fromkeys(("hand_black", "hand_white"), "small"),
}

# Buttons that show if a state is on or off, like the buttons of the modes.
_SWITCHES: Final = (
    *("mistakes", "tournament", "captures", "values", "hint", "pause", "hold", "hold_analysis"),
    *("worst_own", "worst_both", "all_values", "own_games"),
)


def button(name: str, context: Context, **how: Any) -> ui.Button:
    """Return the button of an action in the current language; for `how` see `button_in`."""
    return button_in(texts.language(), name, context, **how)


@lru_cache(maxsize=1024)
def button_in(
    language: str,
    name: str,
    context: Context,
    enabled: bool = True,
    chosen: bool = False,
    other: bool = False,
    **more: Any,
) -> ui.Button:
    """Return the button of an action.

    Args:
        language: the language of its label.
        name: the name of the button in the table of actions.
        context: the context; a button whose action is not available there is disabled.
        enabled: the button can be pressed.
        chosen: the state that the button shows is on.
        other: the button shows its second label.
        **more: fields of the widget, such as its width.
    """
    action, words = actions.buttons(context)[name], actions.words(name, context)
    usual_kind = "mode" if name in modes_at(Place.SWITCH) else "plain"
    return ui.Button(
        words[other] if words else "",
        command=action.command,
        kind=_KINDS.get(name, usual_kind),
        enabled=enabled and context in action.context,
        chosen=chosen if name in _SWITCHES or name in MODES else None,
        icon=picture_of(name) if name in BROWSE else None,
        widest=words,
        name=name,
        tip=actions.tooltip(action),
        hint=actions.key_text(action.keys[0]) if action.keys else "",
        **more,
    )


@cache
def picture_of(name: str) -> ui.Picture:
    """Return the function that draws the picture of a button, always the same for a name."""
    return partial(icon, name)


@cache
def icon(name: str, size: int, color: ui.RGB) -> Surface:
    """Return the picture of a button: a triangle, with a bar for the first and the last position.

    The surface is `size` pixels wide and high. It is shared: do not draw on it.
    """
    image, has_bar = Surface((size, size), SRCALPHA), name in ("first", "last")
    middle, half = (0.6 if has_bar else 0.5), 0.3
    shapes = [[(middle + half, 0.12), (middle + half, 0.88), (middle - half, 0.5)]]
    shapes += [[(0.1, 0.12), (0.22, 0.12), (0.22, 0.86), (0.1, 0.86)]] if has_bar else []
    for points in shapes:
        turned = ((1 - x if name in ("forward", "last") else x, y) for x, y in points)
        ui.fill_polygon(image, color, [(size * x, size * y) for x, y in turned])
    return image


HEIGHT: Final = 56
_MODE_WIDTH: Final = 80  # if there is room
_MIN_ROOM: Final = 60  # minimum width of the text about the game


def _title_buttons() -> tuple[str, ...]:
    return "leave", "new", "open", "save", *modes_at(Place.TOOLBAR), "tournament", "standings", "settings"


def menu_buttons() -> tuple[str, ...]:
    """Return everything that the menu contains, because the toolbar may have no room for it."""
    modes = (*modes_at(Place.SWITCH), *modes_at(Place.MENU))
    return (
        *_title_buttons(),
        *("play_again", "resign", "draw", "hand_to", "copy", "paste", "analyse_game", "learn", *modes, "results"),
        *("programs", "full_screen", "help", "about"),
    )


class Toolbar(ui.Widget):
    """The toolbar."""

    renderer: BoardRenderer
    buttons: tuple[ui.Button, ...]  # from the left
    modes: tuple[ui.Button, ...]  # the mode switch at the right; empty if there is only one mode
    menu: ui.Button  # opens the menu
    help: ui.Button  # shows the help
    occasion: Sequence[str] = ()  # texts about special conditions of the game, the longest first

    is_group = True

    def accessible(self, on: ui.PaintContext) -> ui.AccessibleNode:
        return ui.AccessibleNode("toolbar", name=tr("actions.menu.button"))

    def measure(self, style: ui.Style, width: float) -> ui.Size:
        return ui.Size(width, HEIGHT)

    def layout_children(self, style: ui.Style, box: ui.Box, state: Mapping[str, Any]) -> ui.Parts:
        for attempt in _tries(len(self.buttons)):
            row = self._row(style, *attempt)
            if row.min_width(style) <= box.width:
                break
        yield row, box

    def _row(
        self, style: ui.Style, has_title: bool, gap: float, mode_width: float, shown: int, has_modes: bool
    ) -> ui.Widget:
        """Return a layout of `_tries`."""
        modes = [replace(mode, width=max(mode_width, mode.size(style, 0).width)) for mode in self.modes if has_modes]
        switch = ui.Card(ui.FocusGroup(modes, 0), (0, 0), style.palette.raised, radius=8)
        occasion = ui.Label(tuple(self.occasion), 13, style.palette.muted, align="center", min_content=_MIN_ROOM)
        beside = (ui.Card(occasion, (16, 0)),) if self.occasion else ()
        title = labels.title(self.renderer.rules) if has_title else ""
        children = [
            Logo(self.renderer, title, width=168 if has_title else 60, height=HEIGHT),
            ui.Row((self.menu, *self.buttons[:shown]), gap),
            ui.FirstThatFits((*beside, ui.Spacer()), grow=True),
            self.help,
            *((ui.Spacer(width=16), switch) if modes else ()),
            ui.Spacer(width=24),
        ]
        return ui.Row(children, 0)

    def draw(self, on: ui.PaintContext) -> None:
        on.surface.fill(on.style.palette.panel, on.rect)
        on.surface.fill(on.style.palette.line, (on.rect.left, on.rect.bottom - 1, on.rect.width, 1))


def toolbar(
    renderer: BoardRenderer,
    context: Context,
    *,
    mode: str = "",
    disabled: Sequence[str] = (),
    occasion: Sequence[str] = (),
) -> Toolbar:
    """Return the toolbar of a context.

    Args:
        renderer: the renderer of the game.
        context: the context.
        mode: the name of the current mode.
        disabled: the names of buttons that are disabled.
        occasion: the special conditions of the game, in ever shorter texts.
    """
    offered = actions.offered(context)
    chosen = {mode, "tournament" if context in Context.ANY_STANDINGS else mode}

    def row(names: Sequence[str]) -> tuple[ui.Button, ...]:
        shown = (name for name in names if name in offered)
        return tuple(button(name, context, enabled=name not in disabled, chosen=name in chosen) for name in shown)

    modes, menu, help_ = row(modes_at(Place.SWITCH)), button("menu", context), button("help", context)
    return Toolbar(renderer, row(_title_buttons()), modes if len(modes) > 1 else (), menu, help_, occasion)


class Logo(ui.Widget):
    """The game's logo, and its title if there is room."""

    renderer: BoardRenderer
    title: str

    sizes: ClassVar[tuple[int, ...]] = (16, 15, 14, 13, 12, 11, 10)  # font sizes of the title, the largest first
    room: ClassVar[int] = 100  # width of the title, in design pixels

    def accessible(self, on: ui.PaintContext) -> ui.AccessibleNode:
        return ui.AccessibleNode("label", value=labels.title(self.renderer.rules))

    def draw(self, on: ui.PaintContext) -> None:
        px = on.style.px
        on.image(self.renderer.logo(px(20)), at=(on.rect.left + px(18), on.rect.centery), anchor="midleft")
        if self.title:
            at = (on.rect.left + px(60), on.rect.centery)
            on.text(at, self.title, self.sizes, bold=True, room=px(self.room))


def _tries(buttons: int) -> Iterator[tuple[bool, float, float, int, bool]]:
    """Yield ever smaller layouts: title, gap, minimum width of the modes, number of buttons, modes."""
    yield True, 8, _MODE_WIDTH, buttons, True
    yield True, 8, 0, buttons, True
    for has_modes in (True, False):
        for shown in range(buttons, -1, -1):
            yield False, 4, 0, shown, has_modes
