"""The list of moves as somebody scrolls it and points at it."""

from __future__ import annotations

from dataclasses import dataclass

from othello.gui.views.moves import MoveGrid, MoveListState, entries
from othello.play.session import Session


@dataclass(slots=True)
class MoveList:
    """How far the list is scrolled, and the ply that the mouse is on."""

    first_row: int = 0
    hovered_ply: int | None = None

    def scroll(self, rows: int, session: Session, grid: MoveGrid) -> None:
        """Go so many rows further down, or up where negative, as far as there are any."""
        last = grid.last_first_row(session.view.listed.ply)
        self.first_row = min(max(0, self.first_row + rows), last)

    def show(self, session: Session, grid: MoveGrid) -> None:
        """Scroll as far as it takes to see the move that led to the shown position."""
        row = grid.row_of(session.shown_ply)
        wanted = min(max(self.first_row, row - grid.rows + 1), row)
        self.scroll(wanted - self.first_row, session, grid)

    def ply_at(self, point: tuple[int, int] | None, session: Session, grid: MoveGrid) -> int | None:
        """The ply of the move at a point of the window."""
        return None if point is None else grid.ply_at(point, session.view.listed.ply, self.first_row)

    def state(self, session: Session) -> MoveListState:
        """What the list shows."""
        return MoveListState(entries(session.view.listed), session.shown_ply, self.first_row, self.hovered_ply)
