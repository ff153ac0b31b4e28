"""A widget tree without a window, and a user of it."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import pygame
from pygame import Rect

from othello.gui import ui
from othello.gui.preferences import palette_named

PALETTE = palette_named()
SCALES = (0.8, 1.0, 2.0)
W = TypeVar("W", bound=ui.Widget)


class Brick(ui.Widget):
    """A widget of a fixed size."""

    wide: float = 10
    high: float = 10

    def measure(self, style: ui.Style, width: float) -> ui.Size:
        return ui.Size(self.wide, self.high)


class WidgetDriver:
    """Shows a widget tree, and stores the values of its controls.

    Args:
        tree: builds the widgets from the values, which are stored by the names of the controls.
        scale: real pixels per pixel of the design.
    """

    def __init__(
        self, tree: Callable[[Mapping[str, Any]], ui.Widget], size: tuple[int, int] = (400, 300), scale: float = 1.0
    ) -> None:
        pygame.font.init()
        self.clipboard, self.values, self.uses = "", dict[str, Any](), list[object]()
        self.style, self.window = ui.Style(scale, PALETTE), Rect(0, 0, *size)
        self.surface = pygame.Surface(size)
        self.now = 0.0
        self.widgets = ui.WidgetTree(self._copy, lambda: self.clipboard)
        self._tree = tree
        self.show()

    def _copy(self, text: str) -> None:
        self.clipboard = text

    @property
    def panel(self) -> ui.Widget:
        ground = ui.Card(ui.Spacer(), fill=PALETTE.background, radius=0)
        return ui.Stack((ground, self._tree(self.values)))

    def show(self) -> None:
        self.widgets.show(self.panel, self.style, self.window)

    def do(self, *inputs: ui.Input) -> list[object]:
        """Pass inputs to the tree, and return the commands that follow."""
        found: list[object] = []
        for each in inputs:
            answers = self.widgets.key(each) if isinstance(each, ui.Key) else self.widgets.take(each, self.now)
            for answer in answers or ():
                found.append(answer)
                if isinstance(answer, ui.ControlChanged):
                    self.values[answer.name] = answer.value
            self.show()
        self.uses += found
        return found

    def placed(self, name: str) -> ui.LaidOutWidget:
        found = self.widgets.find(name)
        assert found is not None, name
        return found

    def widget(self, name: str, kind: type[W]) -> W:
        found = self.placed(name).widget
        assert isinstance(found, kind)
        return found

    def context(self, name: str) -> ui.PaintContext:
        return self.widgets._context(self.placed(name))

    def at(self, name: str, across: float = 0.5, down: float = 0.5) -> ui.Point:
        """Return a point of a widget, by shares of its width and height."""
        rect = self.widgets.place_of(name)
        return rect.left + int(rect.width * across), rect.top + int(rect.height * down)

    def click(self, name: str, across: float = 0.5, down: float = 0.5, clicks: int = 1) -> list[object]:
        at = self.at(name, across, down)
        return self.do(ui.MouseMoved(at), ui.MousePressed(at, clicks), ui.MouseReleased())

    def keys(self, *names: str) -> list[object]:
        return self.do(*(ui.Key(name) for name in names))

    def type(self, text: str) -> list[object]:
        return self.do(*(ui.Key(letter.upper(), letter) for letter in text))

    def pixels(self) -> bytes:
        """Return the pixels of the window after drawing only the changes."""
        self.widgets.draw(self.surface)
        return self.surface.get_buffer().raw

    def fresh_pixels(self) -> bytes:
        """Return the window as it is when all of it is drawn anew."""
        surface = pygame.Surface(self.window.size)
        drawn = self.widgets._drawn
        self.widgets.forget()
        self.widgets.draw(surface)
        self.widgets._drawn = drawn
        return surface.get_buffer().raw
