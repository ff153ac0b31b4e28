"""Columns of tables: one declaration has the heading, the width, and the value or the drawing of the cells."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from pygame import Rect

from othello.gui.toolkit.widget import PaintContext
from othello.texts import tr

__all__ = ["TableColumn", "column_places"]


class TableColumn(NamedTuple):
    """A column of a table, aligned to the right unless `is_left`. The heading is the text `columns.NAME`."""

    name: str  # also the heading, if no catalogue has one
    narrow: float  # minimum width in design pixels
    wide: float  # the same in tables with much room
    cell: Callable[[Any], str]  # returns the text of a row's cell
    draw: Callable[[PaintContext, Any], object] | None = None  # draws the cell of a row; None: its text is drawn
    spoken: Callable[[Any], str] | None = None  # a row's cell for screen readers; None: the heading and the text
    rank: int = 0  # tables with too little room omit the columns with the lowest ranks; 0: never omitted
    needs_points: bool = False  # only for games with game points, such as discs
    is_left: bool = False
    is_bold: bool = False
    is_muted: bool = False
    grows: bool = False  # has the spare room of the table

    def heading(self, black: str = "", white: str = "") -> str:
        """Return the title of the column in the language in use; `black`, `white`: the names of the sides."""
        return tr(f"columns.{self.name}", self.name, black=black, white=white)

    def draw_text(self, on: PaintContext, words: str, size: float | Sequence[float], *, is_heading: bool) -> None:
        """Draw a text of the column into `on.rect`."""
        at, anchor = (on.rect.midleft, "midleft") if self.is_left else (on.rect.midright, "midright")
        color = on.style.palette.muted if is_heading or self.is_muted else None
        on.text(at, words, size, color, anchor=anchor, bold=is_heading or self.is_bold, room=on.rect.width)


def column_places(columns: Sequence[TableColumn], widths: Sequence[int], line: Rect, gap: int) -> dict[int, Rect]:
    """Return the places of the columns of a row by their index, without those for which there is no room."""
    shown = dict(enumerate(widths))
    for rank, index in sorted((column.rank, index) for index, column in enumerate(columns)):
        if rank and sum(shown.values()) + gap * (len(shown) - 1) > line.width:
            del shown[index]
    spare, left, places = line.width - sum(shown.values()) - gap * (len(shown) - 1), line.left, {}
    for index, width in shown.items():
        places[index] = Rect(left, line.top, max(0, width + spare * columns[index].grows), line.height)
        left = places[index].right + gap
    return places
