"""What the list of moves holds, and where: the game in rows, under the row that it leaves whatever else was tried."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from string import ascii_uppercase
from typing import Any, Final

import pygame

from othello.game import AnyGame, GameTree, Node
from othello.gui import wording
from othello.gui.toolkit.style import Style
from othello.rules.protocol import Color
from othello.search.report import Line

_INDENT: Final = 26  # of a variation, in design pixels
_CELL: Final = 66  # the width of one of its moves
LABEL: Final = 24


@dataclass(frozen=True, slots=True)
class MoveEntry:
    """One move of the list, named by the line that it ends.

    Attributes:
        sign: of a mistake, empty where it is none.
        has_note: whether somebody noted something about the position behind it.
    """

    line: Line
    mover: Color
    text: str
    is_pass: bool
    sign: str = ""
    has_note: bool = False

    @property
    def ply(self) -> int:
        return len(self.line)


@dataclass(frozen=True, slots=True)
class Listing:
    """A line with those that leave it.

    Attributes:
        entries: its moves.
        branches: other moves that were tried, each with the index of the entry that it was tried instead of.
    """

    entries: tuple[MoveEntry, ...] = ()
    branches: tuple[tuple[int, Listing], ...] = ()


def shape(node: Node[Any]) -> object:
    """What of a tree is listed, as a value that is quick to make: equal ones give equal lists."""
    return bool(getattr(node.known, "note", "")), tuple((move, shape(child)) for move, child in node.children.items())


def listing(tree: GameTree[Any], signs: Mapping[Line, str]) -> Listing:
    """Everything in a tree: the line of the game first, with what was taken back; mistakes with their signs."""
    return _listing(tree.root, tree.line.at(0), tree.line.moves, signs)


def _listing(node: Node[Any], game: AnyGame, main: Line, signs: Mapping[Line, str]) -> Listing:
    """The line that begins with a position; `main` says which moves it follows, as far as that goes."""
    entries: list[MoveEntry] = []
    branches: list[tuple[int, Listing]] = []
    while node.children:
        chosen = main[len(entries)] if len(entries) < len(main) else next(iter(node.children))
        for move in node.children:
            if move != chosen:
                branches.append((len(entries), _listing(Node(None, {move: node.children[move]}), game, (), signs)))
        following, node = game.play(chosen), node.children[chosen]
        text, is_pass = wording.move(game, chosen), game.rules.is_pass(chosen)
        sign, note = signs.get(following.moves, ""), bool(getattr(node.known, "note", ""))
        entries.append(MoveEntry(following.moves, game.to_move, text, is_pass, sign, note))
        game = following
    return Listing(tuple(entries), tuple(branches))


@dataclass(frozen=True)
class MoveRow:
    """Moves side by side.

    Attributes:
        left: where the first begins, from the panel's left edge; each is `width` wide.
        label: the variation's letter at its first row.
        stem: the row and the x of the move that it was tried instead of, None for the game itself.
    """

    entries: tuple[MoveEntry, ...]
    left: int
    width: int
    depth: int = 0
    label: str = ""
    stem: tuple[int, int] | None = None


@dataclass(frozen=True)
class MoveTable:
    """Where the moves lie inside the panel.

    Attributes:
        usual_plies: so many are to be seen at once where there is room.
        spare: what the panel has given away of its height for a while; columns and rows are as they are with it.
    """

    style: Style
    panel: pygame.Rect
    usual_plies: int
    listing: Listing = field(default_factory=Listing)
    spare: int = 0

    @property
    def columns(self) -> int:
        """As few as show a whole game, and an even number: each side has columns of its own until somebody passes."""
        room = self._room + self.spare
        fitting = (self.panel.width - self.style.px(20)) // self.style.px(84) // 2 * 2
        enough = next((count for count in (4, 6) if -(-self.usual_plies // count) * self._least <= room), 8)
        return max(2, min(enough, fitting))

    @property
    def visible(self) -> int:
        """How many rows are seen at once."""
        return max(1, self._room // self.pitch)

    @property
    def pitch(self) -> int:
        """From one row to the next: the rows stretch a little to fill the panel."""
        room = self._room + self.spare
        wanted = max(-(-self.usual_plies // self.columns), room // self._most)
        return min(room // max(1, min(wanted, room // self._least)), self._most)

    @property
    def _room(self) -> int:
        return self.panel.height - self.style.px(40)

    @property
    def _least(self) -> int:
        return self.style.px(29)

    @property
    def _most(self) -> int:
        return self.style.px(36)

    @cached_property
    def rows(self) -> tuple[MoveRow, ...]:
        """All rows, from the first move on."""
        rows: list[MoveRow] = []
        width = (self.panel.width - self.style.px(20)) // self.columns
        letters = iter(ascii_uppercase * 40)
        self._lay_out(self.listing, rows, letters, (self.style.px(10), width, self.columns), None)
        return tuple(rows)

    def _lay_out(
        self,
        line: Listing,
        rows: list[MoveRow],
        letters: Iterator[str],
        place: tuple[int, int, int],
        stem: tuple[int, int] | None,
        depth: int = 0,
    ) -> None:
        """Add a line's rows, after each the variations that leave it there."""
        px = self.style.px
        left, width, columns = place
        label = next(letters) if depth else ""
        for start in range(0, len(line.entries), columns):
            number = len(rows)
            rows.append(MoveRow(line.entries[start : start + columns], left, width, depth, label, stem))
            label, stem = "", None
            inner = min(px(10) + px(_INDENT) * (depth + 1), self.panel.width // 3) + px(LABEL)
            room = self.panel.width - px(14) - inner
            count = max(1, room // px(_CELL))
            for index, branch in line.branches:
                if start <= index < start + columns:
                    x = left + (index - start) * width + px(11)
                    self._lay_out(branch, rows, letters, (inner, px(_CELL), count), (number, x), depth + 1)

    @property
    def last_first_row(self) -> int:
        """How far the list can be scrolled."""
        return max(0, len(self.rows) - self.visible)

    def row_of(self, line: Line) -> int:
        """The row of the move that ends a line; the first where there is none."""
        found = (index for index, row in enumerate(self.rows) if any(entry.line == line for entry in row.entries))
        return next(found, 0)

    def cell(self, number: int, index: int, first_row: int) -> pygame.Rect:
        """Where a move of a row is drawn."""
        row, px = self.rows[number], self.style.px
        top = self.panel.top + px(34) + (number - first_row) * self.pitch
        return pygame.Rect(self.panel.left + row.left + index * row.width, top, row.width - px(4), self.pitch - px(4))

    def shown_rows(self, first_row: int) -> range:
        """The rows that are seen."""
        return range(first_row, min(len(self.rows), first_row + self.visible))

    def line_at(self, point: tuple[int, int], first_row: int) -> Line | None:
        """The line whose last move lies at a point of the window."""
        for number in self.shown_rows(first_row):
            for index, entry in enumerate(self.rows[number].entries):
                if self.cell(number, index, first_row).collidepoint(point):
                    return entry.line
        return None
