"""The stage: where a tree of panels is seen and used. Focus, hover, scrolling, open lists and carets are kept here.

A screen hands its tree to `show`; what a person does goes to `take`, and commands come back; `draw` draws what differs
from the picture before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

import pygame
from pygame import Rect

from othello.gui.toolkit.field import Caret, Field
from othello.gui.toolkit.inputs import Compose, Key, Point, PointAt, PressAt, PressRight, Release, Scroll
from othello.gui.toolkit.layout import Page
from othello.gui.toolkit.panel import Canvas, Panel, Placed, place
from othello.gui.toolkit.shapes import fill_rounded
from othello.gui.toolkit.style import Box, Style, blit_text
from othello.gui.toolkit.switches import STEPS, Select

Commands = list[object]

_NOWHERE: Final = pygame.Surface((1, 1))
_TIP_SECONDS: Final = 0.6
_TIP_WIDTH: Final = 220
_ROW: Final = 40  # so far a page moves with a notch of the wheel, in pixels of the design
_ARROWS: Final = {"Left": (-1, 0), "Right": (1, 0), "Up": (0, -1), "Down": (0, 1)}


class Stage:
    """A tree of panels as a person sees and uses it.

    Args:
        copy: puts text on the clipboard.
        paste: what is on the clipboard.

    Attributes:
        focus: the name of the panel that the keyboard is for; empty: none.
        shows_focus: whether an outline says so.
        mouse: where the mouse is, None outside.
        opened: the name of the list that is open; empty: none.
        kept: what is kept by the names of panels: how far they are scrolled, where somebody writes.
    """

    def __init__(self, copy: Callable[[str], object] = str, paste: Callable[[], str] = str) -> None:
        self.focus = self.opened = ""
        self.shows_focus = False
        self.mouse: Point | None = None
        self.kept: dict[str, Any] = {}
        self._copy, self._paste = copy, paste
        self._held = ""
        self._row: int | None = None
        self._tip = ""
        self._moved_at: float | None = None
        self._shown: tuple[Panel, Style, Rect] | None = None
        self._tree: Placed | None = None
        self._top: Placed | None = None
        self._drawn: list[tuple[object, ...]] = []

    # The tree.

    def show(self, panel: Panel, style: Style, window: Rect) -> None:
        """Take the tree that the screen is now; nothing happens where the tree is the same."""
        wanted = (panel, style, window)
        if self._shown is None or self._shown != wanted:
            self._shown = wanted
            self._lay_out()

    def _lay_out(self) -> None:
        if self._shown is None:
            return
        panel, style, window = self._shown
        style.forget_sizes()
        box = Box(*(length / style.scale for length in window))
        before = self._top
        self._tree = place(panel, style, box, window, self.kept)
        self._top = self._tree
        for each in self._tree.walk():
            self._top = each if each.panel.is_modal else self._top
        if before is not None and self._top.panel.is_modal != before.panel.is_modal:
            self.opened = self._held = ""
        if self.find(self.opened) is None:
            self.opened = ""

    def find(self, name: str) -> Placed | None:
        """A panel with its place, by its name; None where there is none that can be used."""
        return next((each for each in self._walk() if each.panel.name == name), None) if name else None

    def place_of(self, name: str) -> Rect:
        """Where a panel lies, in real pixels.

        Raises:
            KeyError: there is no panel of that name.
        """
        found = self.find(name)
        if found is None:
            raise KeyError(name)
        return found.rect

    def panels(self, *, are_covered: bool = False) -> Iterator[Placed]:
        """Everything that can be used now, with its place; `are_covered`: also what lies below a veil."""
        return self._walk() if self._tree is None or not are_covered else self._tree.walk()

    def reveal(self, name: str) -> None:
        """Scroll as far as it takes to see a panel."""
        placed = self.find(name)
        if placed is not None:
            self._reveal(placed)

    def panel_at(self, at: Point) -> str:
        """The name of the innermost panel at a point that has one; empty where there is none."""
        path = [] if self._top is None else self._top.path_to(at)
        return next((each.panel.name for each in reversed(path) if each.panel.name), "")

    def _walk(self) -> Iterator[Placed]:
        return iter(()) if self._top is None else self._top.walk()

    def _canvas(self, placed: Placed, surface: pygame.Surface = _NOWHERE, lit: Iterable[Placed] = ()) -> Canvas:
        """What a panel draws on, or hears of an input with.

        Args:
            placed: the panel.
            surface: of the window.
            lit: the panels that the mouse is on.
        """
        assert self._shown is not None
        panel = placed.panel
        is_on = any(each is placed for each in lit)
        mouse = None if not is_on else self.mouse if panel.follows_mouse else placed.rect.center
        return Canvas(
            surface=surface,
            style=self._shown[1],
            rect=placed.rect,
            mouse=mouse,
            has_focus=bool(panel.name) and panel.name == self.focus,
            is_held=bool(panel.name) and panel.name == self._held,
            kept=self.kept.get(panel.name) if panel.name else None,
            inner=placed.parts[0].rect if placed.parts else None,
        )

    def _lit(self) -> list[Placed]:
        """The panels under the mouse that look different for that."""
        if self.mouse is None or self._top is None or self.opened:
            return []
        path = [each for each in self._top.path_to(self.mouse) if each.panel.takes_focus or each.panel.follows_mouse]
        return [each for each in path if not self._held or each.panel.name == self._held]

    # What a person does.

    def take(self, done: object, now: float) -> Commands:
        """Carry out what a person does with mouse and keyboard, and say what follows beyond the stage.

        Args:
            done: one of `toolkit.inputs`; keys go to `key`.
            now: the current time.
        """
        match done:
            case PointAt(at):
                return self._point(at, now)
            case PressAt(at, clicks):
                self._tip, self._moved_at = "", None
                return self._press(at, clicks)
            case PressRight(at):
                return self._bubble(at, lambda panel, canvas: panel.press_right(at, canvas))
            case Release():
                self._held = ""
            case Scroll(rows):
                return self._scroll(rows)
            case Compose(text):
                self._compose(text)
        return []

    def _point(self, at: Point | None, now: float) -> Commands:
        self.mouse = at
        self._tip, self._moved_at = "", now
        if at is not None and self.opened:
            self._row = self._row_at(at)
        held = self.find(self._held)
        if held is None or at is None or not held.panel.is_dragged:
            return []
        if isinstance(held.panel, Field):
            caret = held.panel.caret(self.kept.get(self._held))
            self._keep(self._held, Caret(held.panel.index_at(at, self._canvas(held)), caret.anchor))
            return []
        return _one(held.panel.drag(at, self._canvas(held)))

    def _press(self, at: Point, clicks: int) -> Commands:
        self.shows_focus = False
        if self.opened:
            return self._pick(self._row_at(at))
        path = [] if self._top is None else self._top.path_to(at)
        for placed in reversed(path):
            panel, canvas = placed.panel, self._canvas(placed)
            if panel.takes_focus and panel.is_enabled:
                self.focus = self._held = panel.name
            if isinstance(panel, Select):
                self.opened, self._row = panel.name, panel.index
                return []
            if isinstance(panel, Field):
                index = panel.index_at(at, canvas)
                self._keep(panel.name, Caret(len(panel.value), 0) if clicks > 1 else Caret(index, index))
                return []
            found = panel.press(at, canvas)
            if found is not None or panel.takes_focus:
                self._held = panel.name if panel.is_dragged else self._held
                return _one(found)
        return []

    def _bubble(self, at: Point, ask: Callable[[Panel, Canvas], object | None]) -> Commands:
        """Ask what lies at a point, from the innermost panel outwards, until one has an answer."""
        for placed in reversed([] if self._top is None else self._top.path_to(at)):
            found = ask(placed.panel, self._canvas(placed))
            if found is not None:
                return [found]
        return []

    def _scroll(self, rows: int) -> Commands:
        at = self.mouse
        if at is None and self._top is not None:
            at = self._top.rect.center
        if at is None or self.opened:
            return []
        for placed in reversed([] if self._top is None else self._top.path_to(at)):
            found = placed.panel.scroll(rows, self._canvas(placed))
            if found is not None:
                return [found]
            if isinstance(placed.panel, Page) and self._move_page(placed, rows * _ROW):
                return []
        return []

    def scroll_page(self, pages: int) -> bool:
        """Move the page that has the focus, or the only one, by what is seen of it; whether there was any."""
        found = [each for each in self._walk() if isinstance(each.panel, Page)]
        return bool(found) and self._move_page(found[-1], pages * found[-1].rect.height / self._scale)

    def scroll_rows(self, rows: int) -> bool:
        """Move the same page by so many notches of the wheel; whether there was any left to see on that side."""
        found = [each for each in self._walk() if isinstance(each.panel, Page)]
        return bool(found) and self._move_page(found[-1], rows * _ROW)

    def to_top(self) -> None:
        """Show all pages from their upper ends."""
        for each in self._walk():
            if isinstance(each.panel, Page):
                self.kept.pop(each.panel.name, None)
        self._lay_out()

    @property
    def style(self) -> Style:
        """Lengths, text and colours of what is shown.

        Raises:
            AssertionError: nothing was shown yet.
        """
        assert self._shown is not None
        return self._shown[1]

    @property
    def _scale(self) -> float:
        return 1.0 if self._shown is None else self._shown[1].scale

    def _move_page(self, page: Placed, length: float) -> bool:
        """Move a page by pixels of the design; whether there was any left to see on that side."""
        longest = (page.parts[0].rect.height - page.rect.height) / self._scale
        before = min(max(0.0, self.kept.get(page.panel.name, 0.0)), max(0.0, longest))
        after = min(max(0.0, before + length), max(0.0, longest))
        if after == before:
            return False
        self._keep(page.panel.name, after)
        return True

    def _keep(self, name: str, value: Any) -> None:
        self.kept[name] = value
        if not isinstance(value, Caret):
            self._lay_out()

    def _compose(self, text: str) -> None:
        placed = self.find(self.focus)
        if placed is not None and isinstance(placed.panel, Field):
            caret = placed.panel.caret(self.kept.get(self.focus))
            self._keep(self.focus, Caret(caret.at, caret.anchor, text))

    @property
    def writes(self) -> bool:
        """Whether the keyboard is for a field, in which every letter is text."""
        placed = self.find(self.focus)
        return placed is not None and isinstance(placed.panel, Field)

    # Lists that open.

    def _row_at(self, at: Point) -> int | None:
        placed = self.find(self.opened)
        if placed is None or not isinstance(placed.panel, Select) or self._shown is None:
            return None
        rows = placed.panel.rows(self._canvas(placed), self._shown[2])
        return (at[1] - rows.top) * len(placed.panel.options) // rows.height if rows.collidepoint(at) else None

    def _pick(self, row: int | None) -> Commands:
        placed, self.opened = self.find(self.opened), ""
        if placed is None or row is None or not isinstance(placed.panel, Select):
            return []
        return [placed.panel.chosen(row)]

    def _key_in_list(self, key: Key) -> Commands:
        placed = self.find(self.opened)
        assert placed is not None
        assert isinstance(placed.panel, Select)
        last, row = len(placed.panel.options) - 1, self._row if self._row is not None else placed.panel.index
        if key.name in ("Enter", "Space"):
            return self._pick(row)
        if key.name in ("Esc", "Tab", "Shift+Tab"):
            self.opened = ""
        elif key.name in STEPS:
            self._row = min(max(0, row + STEPS[key.name]), last)
        elif key.name in ("Home", "End"):
            self._row = 0 if key.name == "Home" else last
        elif key.text.strip():
            self._row = placed.panel.row_of(key.text, row)
        return []

    # The keyboard.

    def key(self, key: Key) -> Commands | None:
        """What follows from a key for the panel that has the focus; None: the key is for somebody else."""
        if self.opened:
            return self._key_in_list(key)
        placed = self.find(self.focus)
        if placed is None:
            return None
        panel, canvas = placed.panel, self._canvas(placed)
        if isinstance(panel, Field):
            return self._write(panel, key)
        if isinstance(panel, Select) and key.name in ("Enter", "Space"):
            self.opened, self._row = panel.name, panel.index
            return []
        found = panel.key(key, canvas) if panel.is_enabled else None
        if found is not None:
            self.shows_focus = True
            return [found]
        if key.name in _ARROWS and self._step_in_group(placed, *_ARROWS[key.name]):
            return []
        return None

    def _write(self, field: Field, key: Key) -> Commands | None:
        caret = field.caret(self.kept.get(field.name))
        text, after = field.edited(key, caret, self._copy, self._paste)
        if text == field.value and after == caret:
            return None if key.name in ("Enter", "Esc", "Tab", "Shift+Tab") or not key.text else []
        self._keep(field.name, after)
        return [field.use(text)] if text != field.value else []

    def go_to(self, name: str, *, shows: bool = True) -> None:
        """Give a panel the focus, and scroll it into sight."""
        if name != self.focus:
            self.kept = {each: kept for each, kept in self.kept.items() if not isinstance(kept, Caret)}
        self.focus, self.shows_focus = name, shows
        placed = self.find(name)
        if placed is not None:
            self._reveal(placed)

    def _reveal(self, placed: Placed) -> None:
        for page in self._walk():
            if isinstance(page.panel, Page) and any(each is placed for each in page.walk()):
                gap = round(16 * self._scale)
                beyond = min(0, placed.rect.top - gap - page.rect.top)
                beyond = beyond or max(0, placed.rect.bottom + gap - page.rect.bottom)
                if beyond:
                    self._move_page(page, beyond / self._scale)

    def _stops(self) -> list[Placed]:
        """Everything that the keyboard can go to, in order."""
        return [each for each in self._walk() if each.panel.takes_focus and each.panel.is_enabled]

    def next(self, steps: int) -> None:
        """Move the focus to the next panel, or the one before."""
        names = [each.panel.name for each in self._stops()]
        if names:
            index = names.index(self.focus) if self.focus in names else -1 if steps > 0 else 0
            self.go_to(names[(index + steps) % len(names)])

    def _groups(self) -> list[list[str]]:
        """The names in each group; what lies in no group is one of its own."""
        groups: list[list[str]] = []
        self._gather(self._top, groups, None)
        return [group for group in groups if group]

    def _gather(self, placed: Placed | None, groups: list[list[str]], group: list[str] | None) -> None:
        if placed is None:
            return
        if placed.panel.is_group and group is None:
            group = []
            groups.append(group)
        if placed.panel.takes_focus and placed.panel.is_enabled:
            if group is None or placed.panel.takes_arrows:
                groups.append([placed.panel.name])
            else:
                group.append(placed.panel.name)
        for part in placed.parts:
            self._gather(part, groups, group)

    def next_group(self, steps: int) -> None:
        """Move the focus to the next group, or the one before; from the last one out of all groups."""
        groups = self._groups()
        outside = -1 if steps > 0 else len(groups)
        following = next((index for index, group in enumerate(groups) if self.focus in group), outside) + steps
        if 0 <= following < len(groups):
            chosen = self._chosen_in(groups[following])
            self.go_to(chosen)
        else:
            self.leave()

    def _chosen_in(self, group: list[str]) -> str:
        found = (self.find(name) for name in group)
        chosen = (each.panel.name for each in found if each is not None and each.panel.is_chosen)
        return next(chosen, group[0])

    def leave(self) -> None:
        """Take the focus from everything."""
        self.focus, self.shows_focus = "", False

    def _step_in_group(self, placed: Placed, columns: int, rows: int) -> bool:
        """Move the focus to the nearest panel of the same group on that side; whether there is such a group."""
        group = next((group for group in self._groups() if self.focus in group and len(group) > 1), None)
        if group is None:
            return False
        x, y = placed.rect.center
        best: tuple[float, str] | None = None
        for name in group:
            other = self.find(name)
            assert other is not None
            dx, dy = other.rect.centerx - x, other.rect.centery - y
            ahead, aside = (dx * columns, abs(dy)) if columns else (dy * rows, abs(dx))
            if ahead > 0 and aside <= 2 * ahead + placed.rect.height and (best is None or ahead + 3 * aside < best[0]):
                best = (ahead + 3 * aside, name)
        if best is None and columns:  # on to the next row
            index = group.index(self.focus) + columns
            best = (0.0, group[index % len(group)])
        if best is not None:
            self.go_to(best[1])
        return True

    # Time.

    def update(self, now: float) -> None:
        """Notice that the mouse has rested for a while."""
        if self._moved_at is not None and now - self._moved_at >= _TIP_SECONDS and not self.opened and not self._held:
            self._moved_at = None
            path = [] if self._top is None or self.mouse is None else self._top.path_to(self.mouse)
            self._tip = next((each.panel.tip for each in reversed(path) if each.panel.tip), "")

    def next_wake(self, now: float) -> float | None:
        """When to update again without an input, None: any time will do."""
        if self._moved_at is None or self.mouse is None or self._top is None:
            return None
        has_tip = any(each.panel.tip for each in self._top.path_to(self.mouse))
        return max(now, self._moved_at + _TIP_SECONDS) if has_tip else None

    # Drawing.

    def forget(self) -> None:
        """Draw everything the next time: the window was covered, or its colours have changed."""
        self._drawn = []

    def _looks(self) -> list[tuple[object, ...]]:
        """All that is to be seen, from below: each with its rectangle first, equal as long as it looks the same."""
        assert self._tree is not None
        found: list[tuple[object, ...]] = []
        lit = self._lit()
        for each in self._tree.walk():
            on = self._canvas(each, lit=lit)
            writes = on.has_focus and isinstance(each.panel, Field)
            found.append((self._extent(each), each.panel.look(), on.mouse, writes, on.is_held, on.kept, on.inner))
        focused = self.find(self.focus)
        if focused is not None and self.shows_focus:
            found.append((self._ring(focused), "focus"))
        opened = self.find(self.opened)
        if opened is not None and isinstance(opened.panel, Select) and self._shown is not None:
            rows = opened.panel.rows(self._canvas(opened), self._shown[2])
            found.append((rows.inflate(4, 4), opened.panel, self._row))
        if self._tip:
            found.append((self._tip_rect(), self._tip))
        return found

    @property
    def needs_drawing(self) -> bool:
        """Whether anything looks different from what was drawn last."""
        return self._tree is not None and self._looks() != self._drawn

    def draw(self, surface: pygame.Surface) -> Rect:
        """Draw what differs from what was drawn last, and say where that is."""
        if self._tree is None:
            return Rect(0, 0, 0, 0)
        looks = self._looks()
        dirty = _difference(self._drawn, looks, surface.get_rect()).clip(surface.get_rect())
        self._drawn = looks
        if dirty.width and dirty.height:
            self._draw(surface, self._tree, dirty, self._lit())
            surface.set_clip(dirty)
            self._draw_over(surface)
            surface.set_clip(None)
        return dirty

    def _draw(self, surface: pygame.Surface, placed: Placed, dirty: Rect, lit: list[Placed]) -> None:
        clip = placed.clip.clip(dirty)
        canvas = self._canvas(placed, surface, lit)
        seen = clip.clip(self._extent(placed))
        if seen.width and seen.height:
            surface.set_clip(clip)
            placed.panel.draw(canvas)
        for part in placed.parts:
            self._draw(surface, part, dirty, lit)
        if seen.width and seen.height:
            surface.set_clip(clip)
            placed.panel.draw_over(canvas)

    def _draw_over(self, surface: pygame.Surface) -> None:
        """Draw what lies over all panels: focus, open list, tooltip."""
        assert self._shown is not None
        _, style, window = self._shown
        focused = self.find(self.focus)
        if focused is not None and self.shows_focus:
            fill_rounded(surface, self._ring(focused), style.px(10), None, style.palette.accent, style.px(2))
        opened = self.find(self.opened)
        if opened is not None and isinstance(opened.panel, Select):
            canvas = self._canvas(opened, surface)
            opened.panel.draw_list(canvas, opened.panel.rows(canvas, window), self._row)
        if self._tip:
            rect = self._tip_rect()
            fill_rounded(surface, rect, style.px(6), style.palette.line, style.palette.muted, 1)
            for index, row in enumerate(self._tip_rows()):
                at = (rect.left + style.px(8), rect.top + style.px(5 + 18 * index))
                blit_text(surface, style.text(row, 12), at=at)

    def _extent(self, placed: Placed) -> Rect:
        """All that a panel draws on."""
        beyond = round(placed.panel.overhang * self._scale)
        return placed.rect.inflate(2 * beyond, 2 * beyond).clip(placed.clip)

    def _ring(self, placed: Placed) -> Rect:
        gap = round(4 * self._scale)
        return placed.rect.inflate(2 * gap, 2 * gap)

    def _tip_rows(self) -> list[str]:
        assert self._shown is not None
        style = self._shown[1]
        return style.wrap(self._tip, 12, style.px(_TIP_WIDTH), 6)

    def _tip_rect(self) -> Rect:
        """Below the mouse, within the window."""
        assert self._shown is not None
        _, style, window = self._shown
        rows = self._tip_rows()
        width = max(style.width(row, 12) for row in rows) + 2 * style.px(8)
        x, y = self.mouse or window.center
        rect = Rect(x, y + style.px(20), width, style.px(10 + 18 * len(rows)))
        if rect.bottom > window.bottom:
            rect.bottom = y - style.px(6)
        return rect.clamp(window)


def _one(command: object | None) -> Commands:
    return [] if command is None else [command]


def _difference(before: list[tuple[object, ...]], after: list[tuple[object, ...]], window: Rect) -> Rect:
    """The smallest rectangle around all that two pictures do not share."""
    if not before:
        return window
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    if len(before) == len(after):
        pairs = zip(before[start : len(before) - end], after[start : len(after) - end], strict=True)
        changed = [each for pair in pairs if pair[0] != pair[1] for each in pair]
    else:
        changed = [*before[start : len(before) - end], *after[start : len(after) - end]]
    rects = [each[0] for each in changed if isinstance(each[0], Rect)]
    return rects[0].unionall(rects[1:]) if rects else Rect(0, 0, 0, 0)
