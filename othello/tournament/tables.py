"""The report's three tables, as rows of text for a terminal or a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from othello.tournament.standings import PlayerTotal, Standings

_SUMS: Final = ("games", "points", "won", "drawn", "lost", "discs won", "discs lost", "balance")


@dataclass(frozen=True, slots=True)
class Table:
    """A title and rows of cells; the first column is text, the others are numbers.

    Attributes:
        title: what the table is about.
        header: the names of the columns.
        rows: the cells, as many a row as there are columns.
    """

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def text(self) -> str:
        """The table in fixed-width letters."""
        cells = [self.header, *self.rows]
        widths = [max(len(row[column]) for row in cells) for column in range(len(self.header))]
        lines = [
            "  ".join(
                cell.ljust(width) if column == 0 else cell.rjust(width)
                for column, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in cells
        ]
        return "\n".join([self.title, *lines])


def ranking_table(standings: Standings) -> Table:
    """Who is ahead: points, and discs won and lost."""
    return Table("Ranking", ("player", *_SUMS), tuple(_ranking_row(total) for total in standings.ranking()))


def time_table(standings: Standings) -> Table:
    """Mean seconds that a player used in a game."""
    rows = tuple((total.name, f"{total.seconds_per_game:.3f}") for total in standings.ranking())
    return Table("Time", ("player", "seconds a game"), rows)


def color_table(standings: Standings) -> Table:
    """How black and white did, whoever played them."""
    return Table("Colours", ("colour", *_SUMS), tuple(_ranking_row(total) for total in standings.by_color))


def _ranking_row(total: PlayerTotal) -> tuple[str, ...]:
    counts = (total.wins, total.draws, total.losses, total.discs_won, total.discs_lost)
    return (total.name, str(total.games), f"{total.points:.1f}", *map(str, counts), f"{total.balance:+d}")
