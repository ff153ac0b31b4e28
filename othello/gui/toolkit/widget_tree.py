"""The host of a widget tree: lays out and draws the tree, dispatches input, and stores focus, hover and widget state.

A screen passes its tree to `show` and input events to `take` and `key`, which return commands. `draw` draws only what
has changed.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

from pygame import Rect, Surface

from othello.gui.toolkit import inputs
from othello.gui.toolkit.accessibility_tree import AccessibilityTree, build
from othello.gui.toolkit.focus import neighbour, next_focusable, next_group
from othello.gui.toolkit.inputs import Key, Point
from othello.gui.toolkit.shapes import fill_rounded
from othello.gui.toolkit.style import Box, Style
from othello.gui.toolkit.text import Tooltip, bubble
from othello.gui.toolkit.widget import InputContext, LaidOutWidget, Overlay, PaintContext, SetState, Widget, lay_out

Commands: TypeAlias = list[object]
_Preview: TypeAlias = tuple[Rect, object]
"""A rectangle, and a key that changes when the picture in the rectangle changes."""

_NOWHERE: Final = Surface((1, 1))
_NOTHING: Final = LaidOutWidget(Widget(), Rect(), Rect(), Rect(), ())
_MAX_RECTS: Final = 8  # more changed rectangles are merged into one
_WHEEL_STEP: Final = 40  # scroll distance of one notch of the mouse wheel, in design pixels
ARROWS: Final = {"Left": (-1, 0), "Right": (1, 0), "Up": (0, -1), "Down": (0, 1)}


class WidgetTree:
    """The host of a widget tree.

    Args:
        copy: writes text to the clipboard.
        paste: returns the text of the clipboard.

    Attributes:
        focus: the name of the focused widget; empty: none.
        shows_focus: True if the focused widget is outlined.
        mouse: the position of the mouse; None: outside the window.
        open_overlay: the name of the widget whose overlay is open; empty: none.
        state: scroll positions of pages by name, in design pixels.
    """

    def __init__(self, copy: Callable[[str], object] = str, paste: Callable[[], str] = str) -> None:
        self.focus = self.open_overlay = ""
        self.shows_focus = False
        self.mouse: Point | None = None
        self.state: dict[str, Any] = {}
        self._input = InputContext(Rect(), copy=copy, paste=paste)
        self._held = ""  # name of the widget on which the mouse button was pressed
        self._used: tuple[str, object] = "", None  # name and state of the widget that was last used
        self._tip = Tooltip()
        self._shown: tuple[Widget, Style, Rect] | None = None
        self._tree = self._top = _NOTHING
        self._drawn: list[_Preview] = []
        self._now = 0.0

    # Widget tree

    def show(self, widget: Widget, style: Style, window: Rect) -> None:
        """Replace the widget tree. Lays out only if something has changed."""
        wanted = (widget, style, window)
        if self._shown is None or self._shown != wanted:
            self._shown, self._input = wanted, self._input._replace(window=window)
            self._lay_out()

    def _lay_out(self) -> None:
        if self._shown is None:
            return
        widget, style, window = self._shown
        style.sizes.clear()
        box = Box(*(length / style.scale for length in window))
        self._tree = lay_out(widget, style, box, window, self.state)
        self._top = self._tree
        for placed in self._tree.walk():
            self._top = placed if placed.widget.is_modal else self._top
        if self.find(self.open_overlay) is None:
            self.open_overlay = ""
        if self._tip.words != self._tip_words():  # another widget is under the mouse, such as a dialog
            self._tip.words = ""

    def find(self, name: str) -> LaidOutWidget | None:
        """Return the widget of a name, if it exists and is not covered by a dialog."""
        return next((placed for placed in self._top.walk() if placed.widget.name == name), None) if name else None

    def place_of(self, name: str) -> Rect:
        """Return the place of a widget in real pixels.

        Raises:
            KeyError: there is no widget of that name.
        """
        placed = self.find(name)
        if placed is None:
            raise KeyError(name)
        return placed.rect

    def walk(self, *, are_covered: bool = False) -> Iterator[LaidOutWidget]:
        """Return the widgets of the top layer, or with `are_covered` also those below a dialog."""
        return (self._tree if are_covered else self._top).walk()

    def reveal(self, name: str) -> None:
        """Scroll pages until a widget is visible."""
        placed = self.find(name)
        if placed is None:
            return
        for page in self._pages:
            if any(inner is placed for inner in page.walk()):
                gap = round(16 * self.style.scale)
                beyond = min(0, placed.rect.top - gap - page.rect.top)
                beyond = beyond or max(0, placed.rect.bottom + gap - page.rect.bottom)
                if beyond:
                    self._move_page(page, beyond / self.style.scale)

    def widget_at(self, at: Point) -> str:
        """Return the name of the innermost widget at a point that has a name, or an empty string."""
        return next((placed.widget.name for placed in self._inmost(at) if placed.widget.name), "")

    @property
    def pointed(self) -> str:
        """The name of the widget under the mouse, or an empty string."""
        return "" if self.mouse is None else self.widget_at(self.mouse)

    def _inmost(self, at: Point) -> Iterator[LaidOutWidget]:
        """Return the widgets at a point, innermost first."""
        return reversed(self._top.path_to(at))

    @property
    def _pages(self) -> list[LaidOutWidget]:
        return [placed for placed in self._top.walk() if placed.widget.scrolls]

    def _context(
        self, placed: LaidOutWidget, surface: Surface = _NOWHERE, lit: Iterable[LaidOutWidget] = ()
    ) -> PaintContext:
        """Return the context of a widget; `lit` are the widgets that show that the mouse is on them."""
        assert self._shown is not None
        widget, mouse, name = placed.widget, None, placed.widget.name
        for other in lit:
            if other is placed:
                mouse = self.mouse if widget.follows_mouse else placed.rect.center
        named = (self.focus, self._held, self.open_overlay)
        has_focus, is_pressed, is_open = (bool(name) and name == other for other in named)
        state = self._used[1] if name and name == self._used[0] else None
        inner, style = placed.parts[0].rect if placed.parts else None, self._shown[1]
        flags = has_focus, is_pressed, is_open
        return PaintContext(surface, style, placed.rect, mouse, *flags, state, inner, self._input, self._now)

    def _lit(self) -> list[LaidOutWidget]:
        """Return the widgets that show that the mouse is on them."""
        if self.mouse is None or self.open_overlay:
            return []
        path = self._top.path_to(self.mouse)
        sensitive = [placed for placed in path if placed.widget.takes_focus or placed.widget.follows_mouse]
        return [placed for placed in sensitive if not self._held or placed.widget.name == self._held]

    # Input

    def take(self, done: object, now: float) -> Commands:
        """Handle an input event other than a key, and return commands for the screen.

        Args:
            done: an event of `toolkit.inputs`.
            now: the time in seconds.
        """
        match done:
            case inputs.MouseMoved(at):
                return self._point(at, now)
            case inputs.MousePressed(at, clicks):
                self._tip.hide()
                return self._press(at, clicks)
            case inputs.RightMousePressed(at):
                return self._press_right(at)
            case inputs.MouseReleased():
                pressed, self._held = self._held, ""
                return self._send(pressed, lambda widget, context: widget.release(context))
            case inputs.Scroll(rows):
                return self._scroll(rows)
            case inputs.Compose(text):
                return self._send(self.focus, lambda widget, context: widget.compose(text, context))
            case inputs.AccessibilityAction():
                return self._reach(done)
        return []

    def _point(self, at: Point | None, now: float) -> Commands:
        self.mouse = at
        self._tip.hide(now)
        if at is None:
            return []
        if self.open_overlay:
            return self._send(self.open_overlay, lambda widget, context: widget.point(at, context))
        return self._send(self._held, lambda widget, on: widget.drag(at, on) if widget.is_dragged else None)

    def _press(self, at: Point, clicks: int) -> Commands:
        self.shows_focus, self._input = False, self._input._replace(clicks=clicks)
        if self.open_overlay:
            return self._send(self.open_overlay, lambda widget, context: widget.press(at, context))
        for placed in self._inmost(at):
            widget, context = placed.widget, self._context(placed)
            if widget.takes_focus and widget.is_enabled:
                self.focus = self._held = widget.name
            answer = widget.press(at, context)
            if answer is not None or widget.takes_focus:
                self._held = widget.name if widget.is_dragged else self._held
                return self._follow(widget, answer)
        return []

    def _send(self, name: str, handle: Callable[[Widget, PaintContext], object | None]) -> Commands:
        """Pass an input to a widget, if it exists, and return the commands of its answer."""
        placed = self.find(name)
        return [] if placed is None else self._follow(placed.widget, handle(placed.widget, self._context(placed)))

    def _follow(self, widget: Widget, answer: object | None) -> Commands:
        """Store the state in a widget's answer, and return its command."""
        if isinstance(answer, SetState):
            self._used, self.open_overlay = (widget.name, answer.value), widget.name if answer.opens else ""
            answer = answer.command
        return [] if answer is None else [answer]

    def _press_right(self, at: Point) -> Commands:
        """Pass a right click to the widgets at a point, innermost first, until one handles it."""
        for placed in () if self.open_overlay else self._inmost(at):
            answer = placed.widget.press_right(at, self._context(placed))
            if answer is not None:
                return [answer]
        return []

    def _scroll(self, rows: int) -> Commands:
        if self.open_overlay:
            return []
        at = self._top.rect.center if self.mouse is None else self.mouse
        for placed in self._inmost(at):
            answer = placed.widget.scroll(rows, self._context(placed))
            if answer is not None:
                return [answer]
            if placed.widget.scrolls and self._move_page(placed, rows * _WHEEL_STEP):
                return []
        if self._top.widget.is_modal:  # a dialog scrolls wherever the mouse is
            self.scroll_rows(rows)
        return []

    # Screen readers

    def accessibility_tree(self, title: str = "") -> AccessibilityTree:
        """Return the accessibility tree; `title` is the title of the window."""
        return build(self._top, title, self.focus, self._context)

    def _reach(self, done: inputs.AccessibilityAction) -> Commands:
        """Carry out an action of a screen reader, unless the widget is gone or disabled."""
        voice = self.accessibility_tree().voices.get(done.key)
        if voice is None or not voice.node.is_enabled:
            return []
        widget, node, name = voice.widget, voice.node, voice.widget.name
        if widget.takes_focus and widget.is_enabled:
            self.go_to(name)
        match done.act:
            case "press":
                return self._follow(widget, node.press)
            case "focus":
                return self._follow(widget, node.focus)
            case "put" if not isinstance(done.value, tuple):
                return self._follow(widget, widget.put(done.value))
            case "select" if isinstance(done.value, tuple):
                anchor, at = done.value
                return self._send(name, lambda widget, context: widget.select(anchor, at, context))
            case _:
                step = Key("Right" if done.act == "more" else "Left")
                return self._send(name, lambda widget, context: widget.key(step, context))

    def scroll_page(self, pages: int) -> bool:
        """Scroll the innermost page by its visible height. Return whether the page moved."""
        return any(self._move_page(page, pages * page.rect.height / self.style.scale) for page in self._pages[-1:])

    def scroll_rows(self, rows: int) -> bool:
        """Scroll the innermost page by notches of the mouse wheel. Return whether the page moved."""
        return any(self._move_page(page, rows * _WHEEL_STEP) for page in self._pages[-1:])

    def to_top(self) -> None:
        """Scroll all pages to the top."""
        for page in self._pages:
            self.state.pop(page.widget.name, None)
        self._lay_out()

    @property
    def style(self) -> Style:
        """The style of the widget tree. Requires a previous call of `show`."""
        assert self._shown is not None
        return self._shown[1]

    def _move_page(self, page: LaidOutWidget, length: float) -> bool:
        """Scroll a page by design pixels. Return whether the page moved."""
        longest = (page.parts[0].rect.height - page.rect.height) / self.style.scale
        before = min(max(0.0, self.state.get(page.widget.name, 0.0)), longest)
        after = min(max(0.0, before + length), longest)
        if after == before:
            return False
        self.state[page.widget.name] = after
        self._lay_out()
        return True

    @property
    def writes(self) -> bool:
        """True if a text field has the focus."""
        placed = self.find(self.focus)
        return placed is not None and placed.widget.writes

    @property
    def caret(self) -> Rect | None:
        """The place of the caret in real pixels; None: no text field has the focus."""
        placed = self.find(self.focus)
        return None if placed is None else placed.widget.caret_rect(self._context(placed))

    # Keyboard

    def key(self, key: Key) -> Commands | None:
        """Pass a key to the focused widget and return commands. None: the key is for the screen."""
        if self.open_overlay:
            return self._send(self.open_overlay, lambda widget, context: widget.key(key, context))
        placed = self.find(self.focus)
        if placed is None:
            return None
        widget = placed.widget
        answer = widget.key(key, self._context(placed)) if widget.is_enabled else None
        if answer is not None:
            self.shows_focus = self.shows_focus or not isinstance(answer, SetState)
            return self._follow(widget, answer)
        is_arrow = key.name in ARROWS and not widget.writes
        name = neighbour(self._top, self.focus, *ARROWS[key.name]) if is_arrow else ""
        if name:
            self.go_to(name)
        return [] if name else None

    def go_to(self, name: str, *, shows: bool = True) -> None:
        """Focus a widget and scroll until it is visible; `shows` draws the outline."""
        if name != self.focus:
            self._used = "", None
        self.focus, self.shows_focus = name, shows
        self.reveal(name)

    def next(self, steps: int) -> None:
        """Move the focus by `steps` in the order of Tab."""
        name = next_focusable(self._top, self.focus, steps)
        if name:
            self.go_to(name)

    def next_group(self, steps: int) -> None:
        """Move the focus by `steps` groups. Remove it after the last group and before the first one."""
        name = next_group(self._top, self.focus, steps)
        if name:
            self.go_to(name)
        else:
            self.leave()

    def leave(self) -> None:
        """Remove the focus from all widgets."""
        self.focus, self.shows_focus = "", False

    # Time

    def update(self, now: float) -> None:
        """Set the time in seconds, and show the tooltip when it is due."""
        self._now = now
        if not self.open_overlay and not self._held:
            self._tip.update(self._tip_words(), now)

    def next_wake(self, now: float) -> float | None:
        """Return the time of the next update that needs no input, or None."""
        return None if self.open_overlay or self._held else self._tip.next_wake(self._tip_words(), now)

    def _tip_words(self) -> str:
        """Return the tooltip of the widgets under the mouse."""
        at = self.mouse
        tips = () if at is None else (placed.widget.tip_at(at, self._context(placed)) for placed in self._inmost(at))
        return next(filter(None, tips), "")

    # Drawing

    def forget(self) -> None:
        """Redraw everything at the next `draw`."""
        self._drawn = []

    def _overlays(self) -> Iterator[Overlay]:
        """Yield the pictures over all widgets: focus outline, open overlay, bubble, tooltip."""
        assert self._shown is not None
        _, style, window = self._shown
        focused, opened = self.find(self.focus), self.find(self.open_overlay)
        if focused is not None and self.shows_focus and focused.rect.colliderect(focused.clip):
            gap = round(4 * style.scale)
            ring = focused.rect.inflate(2 * gap, 2 * gap)
            draw = partial(_draw_ring, style, ring)
            clip = focused.clip.inflate(2 * gap, 2 * gap)  # also shows the outline of a widget at the edge of a page
            yield Overlay(ring.clip(clip).clip(window), ring, draw)
        over = None if opened is None else opened.widget.overlay(self._context(opened))
        if over is not None:
            yield over
        is_seen = focused is not None and not self.open_overlay and focused.rect.colliderect(focused.clip)
        remark = focused.widget.remark(self._context(focused)) if focused is not None and is_seen else ""
        if focused is not None and remark:
            yield bubble(remark, style, window, focused.rect)
        if self._tip.words not in ("", remark):
            yield self._tip.overlay(style, window, self.mouse or window.center)

    def draw(self, surface: Surface) -> list[Rect]:
        """Draw the changes since the last call, and return the changed rectangles."""
        if self._shown is None:
            return []
        lit, overlays = self._lit(), [*self._overlays()]
        contexts = [self._context(placed, surface, lit) for placed in self._tree.walk()]
        before, previews = self._drawn, map(_preview, self._tree.walk(), contexts)
        self._drawn = [*previews, *(overlay[:2] for overlay in overlays)]
        dirty = _difference(before, self._drawn, surface.get_rect())
        for rect in dirty:
            paint(self._tree, rect, iter(contexts))
            for overlay in overlays:
                surface.set_clip(rect.clip(overlay.rect))
                overlay.draw(surface)
        surface.set_clip(None)
        return dirty


def _draw_ring(style: Style, rect: Rect, surface: Surface) -> None:
    fill_rounded(surface, rect, style.px(10), None, style.palette.accent, style.px(2))


def _preview(placed: LaidOutWidget, on: PaintContext) -> _Preview:
    return placed.extent, (placed.widget.render_key(on), on.mouse, on.has_focus, on.is_pressed, on.state, on.inner)


def _difference(before: Sequence[_Preview], after: Sequence[_Preview], window: Rect) -> list[Rect]:
    """Return disjoint rectangles that cover all differences between two pictures."""
    if not before:
        return [window]
    start, shorter = 0, min(len(before), len(after))
    while start < shorter and before[start] == after[start]:
        start += 1
    end = 0
    while end < shorter - start and before[-1 - end] == after[-1 - end]:
        end += 1
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    changed = [*old, *new]
    if len(old) == len(new):
        changed = [part for pair in zip(old, new, strict=True) if pair[0] != pair[1] for part in pair]
    result: list[Rect] = []
    for rect, _ in changed:
        rect = rect.clip(window)
        while (index := rect.collidelist(result)) >= 0:
            rect = rect.union(result.pop(index))
        result += [rect] if rect else []
    return result if len(result) <= _MAX_RECTS else [result[0].unionall(result[1:])]


def paint(placed: LaidOutWidget, dirty: Rect, contexts: Iterator[PaintContext]) -> None:
    """Draw a widget and its children where they overlap `dirty`. `contexts` has the order of `LaidOutWidget.walk`."""
    on, clip = next(contexts), placed.extent.clip(dirty)
    if clip:
        on.surface.set_clip(clip)
        placed.widget.draw(on)
    for part in placed.parts:
        paint(part, dirty, contexts)
    if clip:
        on.surface.set_clip(clip)
        placed.widget.draw_over(on)
