"""A scrolled list of which one row is selected, with the mouse or with arrow, page and end keys."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar, Final, Generic, NamedTuple, Self, TypeVar, overload

from pygame import Rect

from othello.gui.toolkit.controls import write_row
from othello.gui.toolkit.inputs import ControlChanged, Key, Point
from othello.gui.toolkit.shapes import draw_scroll_bar, fill_rounded
from othello.gui.toolkit.style import RGB, Size, Style
from othello.gui.toolkit.widget import AccessibleNode, PaintContext, Widget

S = TypeVar("S")
T = TypeVar("T")

ROW: Final = 32  # height of a row in design pixels
_MIN_ROWS: Final = 5  # minimum height of a list
_ACCESSIBLE_ROWS: Final = 200  # rows above and below the visible ones that screen readers know


class ListItem(NamedTuple):
    """A row of a list."""

    label: str
    right: str = ""  # text at the right end
    shorter: tuple[str, ...] = ()  # shorter labels for narrow lists, longest first
    data: Any = None  # the value that the row represents

    @classmethod
    def of(cls, labels: Iterable[Iterable[str]], right: str, data: Any = None) -> Self:
        """Return a row whose labels, longest first, are lists of words."""
        label, *shorter = ("  ·  ".join(filter(None, words)) for words in labels)
        return cls(label, right, tuple(shorter), data)


class LazySequence(Sequence[T], Generic[S, T]):
    """A sequence that computes each element from its source when the element is first used, then caches it.

    Equal to another one with the same function and equal sources.
    """

    def __init__(self, sources: Sequence[S], make: Callable[[S], T]) -> None:
        self.sources, self._make = sources, make
        self._made: dict[int, T] = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LazySequence) and (self._make, self.sources) == (other._make, other.sources)

    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        return len(self.sources)

    @overload
    def __getitem__(self, row: int) -> T: ...
    @overload
    def __getitem__(self, row: slice) -> Sequence[T]: ...
    def __getitem__(self, row: int | slice) -> T | Sequence[T]:
        if isinstance(row, slice):
            return [self[index] for index in range(*row.indices(len(self)))]
        if row not in self._made:
            self._made[row] = self._make(self.sources[row])
        return self._made[row]


class Selection(NamedTuple):
    """The selected row and the scroll position of a list."""

    row: int = 0
    first: int = 0  # the first visible row
    opens: bool = False  # the user also opens the row, by Enter or clicks (see `opens_by_click`)


class ListView(Widget):
    """The list widget. Its command is `ControlChanged` with a `Selection`."""

    items: Sequence[ListItem] = ()
    pick: Selection = Selection()

    pitch: ClassVar[float] = ROW  # height of a row in design pixels
    opens_by_click: ClassVar[bool] = False  # True: a click or a screen reader's press opens a row

    takes_focus = True
    takes_arrows = True
    keeps_enter = True
    follows_mouse = True

    def measure(self, style: Style, width: float) -> Size:
        return Size(width, _MIN_ROWS * self.pitch)

    @property
    def is_enabled(self) -> bool:
        return bool(self.items)

    def _page(self, on: PaintContext) -> int:
        """Return the number of visible rows."""
        return max(1, on.rect.height // on.style.px(self.pitch))

    def _first(self, on: PaintContext) -> int:
        return max(0, min(self.pick.first, len(self.items) - self._page(on)))

    def row_rect(self, row: int, on: PaintContext) -> Rect:
        """Return the place of a row."""
        pitch = on.style.px(self.pitch)
        return Rect(on.rect.left, on.rect.top + (row - self._first(on)) * pitch, on.rect.width - on.style.px(10), pitch)

    def draw(self, on: PaintContext) -> None:
        px, palette, visible = on.style.px, on.style.palette, self._page(on)
        first = self._first(on)
        for row, item in enumerate(self.items[first : first + visible], first):
            rect = self.row_rect(row, on)
            ground = rect.inflate(0, -px(4))
            is_lit, is_picked = on.mouse is not None and rect.collidepoint(on.mouse), row == self.pick.row
            color = palette.chosen if is_picked else palette.small if is_lit else palette.raised
            fill_rounded(on.surface, ground, px(6), color, palette.accent if is_picked else None, px(1))
            self.draw_item(on._replace(rect=rect), item, palette.text if is_lit or is_picked else None)
        pitch = px(self.pitch)
        draw_scroll_bar(on.surface, palette.line, on.rect, first * pitch, (len(self.items) - visible) * pitch, px(5))

    def draw_item(self, on: PaintContext, item: ListItem, color: RGB | None) -> None:
        """Draw the content of a row. `color` replaces muted colours if the row is selected or under the mouse."""
        write_row(on, (item.label, *item.shorter), item.right, color)

    def accessible(self, on: PaintContext) -> AccessibleNode:
        start = max(0, self._first(on) - _ACCESSIBLE_ROWS)
        rows = (
            AccessibleNode(
                "list_box_option",
                name=" ".join(filter(None, (item.label, item.right))),
                selected=row == self.pick.row,
                is_active=row == self.pick.row,
                rect=self.row_rect(row, on),
                press=self.picked(row, on, opens=self.opens_by_click),
            )
            for row, item in enumerate(self.items[start : self._first(on) + self._page(on) + _ACCESSIBLE_ROWS], start)
        )
        return AccessibleNode("list_box", name=self.accessible_name, is_enabled=self.is_enabled, parts=tuple(rows))

    def picked(self, row: int, on: PaintContext, *, opens: bool = False) -> ControlChanged:
        """Return the command that selects a row, and scrolls only if the row is not visible."""
        row = min(max(0, row), len(self.items) - 1)
        first = min(max(self._first(on), row - self._page(on) + 1), row)
        return ControlChanged(self.name, Selection(row, first, opens))

    def row_at(self, at: Point, on: PaintContext) -> int | None:
        """Return the row at a position of the mouse."""
        row = self._first(on) + (at[1] - on.rect.top) // on.style.px(self.pitch)
        return row if row < len(self.items) else None

    def press(self, at: Point, on: PaintContext) -> object | None:
        row = self.row_at(at, on)
        return None if row is None else self.picked(row, on, opens=self.opens_by_click or on.input.clicks == 2)

    def scroll(self, rows: int, on: PaintContext) -> object | None:
        first = max(0, min(self._first(on) + rows, len(self.items) - self._page(on)))
        return None if first == self._first(on) else ControlChanged(self.name, Selection(self.pick.row, first))

    def key(self, key: Key, on: PaintContext) -> object | None:
        row, page, count = self.pick.row, self._page(on), len(self.items)
        steps = {"Up": -1, "Down": 1, "Page Up": -page, "Page Down": page, "Home": -count, "End": count}
        if key.name in steps:
            return self.picked(row + steps[key.name], on)
        if key.name == "Enter":
            return self.picked(row, on, opens=True)
        return None
