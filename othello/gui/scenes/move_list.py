"""The list of moves as somebody scrolls it and points at it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from pygame import Rect

from othello.game import AnyGame
from othello.gui import theme
from othello.gui.theme import Style
from othello.gui.views.move_table import Listing, MoveTable, listing, shape
from othello.gui.views.moves import MoveListState
from othello.play.history import Tree
from othello.play.session import Session
from othello.search.report import Line

_NO_SIGNS: Final[Mapping[Line, str]] = MappingProxyType({})


class MoveList:
    """How far the list is scrolled, and the move that the mouse is on, as the line that it ends."""

    def __init__(self) -> None:
        self.first_row = 0
        self.hovered: Line | None = None
        self._tree: Tree | None = None
        self._signs: Mapping[Line, str] = _NO_SIGNS
        self._seen: tuple[object, ...] = ()
        self._listing = Listing()
        self._table = MoveTable(theme.style(1.0), Rect(0, 0, 0, 0), 0)

    def table(
        self, session: Session, style: Style, panel: Rect, signs: Mapping[Line, str] = _NO_SIGNS, spare: int = 0
    ) -> MoveTable:
        """Where the moves lie in a panel.

        Args:
            session: whose game and variations are listed.
            style: of the window; likewise `panel`, in which the list is.
            panel: where that is.
            signs: of the mistakes, by the line that each ends.
            spare: see `MoveTable`.
        """
        tree, rules = session.history.tree, session.game.rules
        if tree is not self._tree or signs != self._signs:
            # A search that finds something makes another tree of the same moves, many times a second.
            seen = tree.line.positions[0], tree.line.moves, shape(tree.root), signs
            if seen != self._seen:
                self._seen, self._listing = seen, listing(tree, signs)
            self._tree, self._signs = tree, signs
        table = MoveTable(style, panel, rules.columns * rules.rows, self._listing, spare)
        if not table.is_like(self._table):
            self._table = table
        return self._table

    def scroll(self, rows: int, table: MoveTable) -> None:
        """Go so many rows further down, or up where negative, as far as there are any."""
        self.first_row = min(max(0, self.first_row + rows), table.last_first_row)

    def show(self, session: Session, table: MoveTable) -> None:
        """Scroll as far as it takes to see the move that led to the shown position."""
        row = table.row_of(session.view.shown.moves)
        wanted = min(max(self.first_row, row - table.visible + 1), row)
        self.scroll(wanted - self.first_row, table)

    def point_at(self, point: tuple[int, int] | None, table: MoveTable) -> None:
        """Notice where the mouse is."""
        self.scroll(0, table)
        self.hovered = None if point is None else table.line_at(point, self.first_row)

    def game_at(self, point: tuple[int, int], session: Session, table: MoveTable) -> AnyGame | None:
        """The game as it stands after the move at a point of the window."""
        line = table.line_at(point, self.first_row)
        return None if line is None else session.game.at(0).after(line)

    def state(self, session: Session) -> MoveListState:
        """What the list shows."""
        return MoveListState(
            self._table.listing, session.view.shown.moves, self.first_row, self.hovered, self._table.spare
        )
