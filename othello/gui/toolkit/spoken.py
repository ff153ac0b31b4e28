"""What a screen reader is told of a panel, in place of how the panel looks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pygame import Rect

from othello.frozen import Frozen


class Spoken(Frozen, kw_only=True):
    """A panel, or a part of one, in words."""

    role: str  # what it is, as AccessKit calls that: `button`, `grid`, ...
    name: str = ""  # what it is called; of a control without a name, the words before it
    value: str = ""  # what stands in it
    description: str = ""  # what it is for
    key: str = ""  # the key that does the same
    is_enabled: bool = True  # whether it can be used
    checked: bool | None = None  # whether it is switched on, None where it is no switch
    selected: bool | None = None  # whether it is the chosen one of several, None where it is not one of several
    is_open: bool | None = None  # whether its list is open, None where it has none
    is_active: bool = False  # whether the keyboard is at this part of its panel
    live: str = ""  # read as soon as it changes: `polite`, or `assertive` where it cannot wait; empty: not read
    selection: tuple[int, int] | None = None  # of a text: where the selection begins, and the caret, in letters
    value_range: tuple[float, float, float] | None = None  # a number, and the least and the greatest that it can be
    rect: Rect | None = None  # its place, None: the panel's own
    press: object | None = None  # what follows where it is pressed
    focus: object | None = None  # what follows where the keyboard is sent to it, beyond the focus of its panel
    parts: tuple[Spoken, ...] = ()  # what is inside, beside the panels inside


def table(name: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> Spoken:
    """A table in words: each row as a whole, and cell by cell with the name of the column."""
    told = [[(column, cell) for column, cell in zip(header, row, strict=False) if cell] for row in rows]
    lines = (
        Spoken(
            role="row",
            name=", ".join(" ".join(filter(None, pair)) for pair in row),
            parts=tuple(Spoken(role="cell", name=cell, description=column) for column, cell in row),
        )
        for row in told
    )
    head = Spoken(role="row", parts=tuple(Spoken(role="column_header", name=column) for column in header if column))
    return Spoken(role="table", name=name, parts=(head, *lines))
