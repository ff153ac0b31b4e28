"""What games show and what they do not: as tables, and in sentences that answer what a reader looks for first."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from othello.config import Comparison, Figures
from othello.tournament.ratings import groups
from othello.tournament.standings import PlayerTotal, Standings
from othello.tournament.statistics import Interval, Units

_SUMS: Final = ("games", "points", "won", "drawn", "lost", "discs won", "discs lost", "balance")

_KNOWN_ELO: Final = 1000
"""Where not even this much is excluded, in either direction, nothing is known."""
_MOST_PAIRS: Final = 10  # undecided ones that are named one by one
_LEVEL_ELO: Final = 0.5


@dataclass(frozen=True, slots=True)
class Table:
    """A title and rows of cells; the first column is text, the others are numbers or short verdicts.

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


def tables(standings: Standings, compare: Comparison | None = None) -> list[Table]:
    """All tables of a tournament, the report's three first."""
    return [
        ranking_table(standings, compare),
        time_table(standings, compare),
        color_table(standings, compare),
        pairs_table(standings),
        *([series_table(standings)] if standings.series.are_matches else []),
    ]


def ranking_table(standings: Standings, compare: Comparison | None = None) -> Table:
    """Who is ahead: points, discs won and lost, and strength."""
    elo = standings.elo()
    rows = [(*_sums(total), elo_text(elo[total.name])) for total in standings.ranking()]
    table = Table("Ranking", ("player", *_SUMS, "Elo (95 %)"), tuple(rows))
    return _compared(_compared(table, compare, "points"), compare, "balance")


def time_table(standings: Standings, compare: Comparison | None = None) -> Table:
    """Mean seconds that a player used in a game."""
    rows = tuple((total.name, f"{total.seconds_per_game:.3f}") for total in standings.ranking())
    return _compared(Table("Thinking time", ("player", "seconds a game"), rows), compare, "seconds")


def color_table(standings: Standings, compare: Comparison | None = None) -> Table:
    """How black and white did, whoever played them."""
    black = standings.results().black
    favoured = standings.favoured()
    verdict = "undecided" if favoured is None else f"{favoured.label} is favoured"
    rows = [
        (*_sums(total), score_text(units), verdict)
        for total, units in zip(standings.colors, (black, black.mirrored), strict=True)
    ]
    table = Table("Colours", ("colour", *_SUMS, "score (95 %)", "verdict"), tuple(rows))
    return _compared(_compared(table, compare, "points"), compare, "balance")


def pairs_table(standings: Standings) -> Table:
    """What every two players scored against each other, and what that shows."""
    stronger = standings.stronger()
    rows = [
        (
            " - ".join(pair),
            str(units.games),
            f"{units.points:.1f}",
            score_text(units),
            elo_text(units.elo),
            f"{100 * units.likelihood_of_superiority:z.1f} %",
            f"{stronger[pair]} is stronger" if pair in stronger else "undecided",
        )
        for pair, units in standings.results().pairs.items()
    ]
    header = ("pair", "games", "points", "score (95 %)", "Elo (95 %)", "superior", "verdict")
    return Table("Each against each", header, tuple(rows))


def balance_text(units: Units) -> str:
    """A score in points and games, and then in per cent."""
    games = f"{units.games} game{'s' * (units.games != 1)}"
    return f"{units.points:g} : {units.games - units.points:g} in {games}, {score_text(units)}"


def series_table(standings: Standings) -> Table:
    """How many series of games, such as best of three, every two players won against each other."""
    rows = [
        (" - ".join(pair), str(outcomes.total()), *(str(outcomes[outcome]) for outcome in (1, 0, -1)))
        for pair, outcomes in standings.series.outcomes.items()
    ]
    return Table("Series", ("pair", "series", "won", "drawn", "lost"), tuple(rows))


def score_text(units: Units) -> str:
    """A score with its interval, in per cent."""
    interval = units.interval
    return f"{100 * interval.estimate:.1f} % ({100 * interval.low:.1f} to {100 * interval.high:.1f})"


def elo_text(interval: Interval) -> str:
    """A difference in strength with its interval."""
    if interval.low < -_KNOWN_ELO and interval.high > _KNOWN_ELO:
        return "unknown"
    if math.isinf(interval.estimate):
        return f"below {interval.high:+z.0f}" if interval.estimate < 0 else f"above {interval.low:+z.0f}"
    return f"{interval.estimate:+z.0f} ({interval.low:+z.0f} to {interval.high:+z.0f})"


def _sums(total: PlayerTotal) -> tuple[str, ...]:
    counts = (total.wins, total.draws, total.losses, total.discs_won, total.discs_lost)
    return (total.name, str(total.games), f"{total.points:.1f}", *map(str, counts), f"{total.balance:+d}")


_FIGURES: Final[dict[str, Callable[[Figures], str]]] = {
    "points": lambda figures: "" if figures.points is None else f"{figures.points:g}",
    "balance": lambda figures: "" if figures.balance is None else f"{figures.balance:+g}",
    "seconds": lambda figures: "" if figures.seconds is None else f"{figures.seconds:g}",
}


def _compared(table: Table, compare: Comparison | None, figure: str) -> Table:
    """The table with another experiment's figures in a column more, where it has any."""
    if compare is None:
        return table
    column = [_FIGURES[figure](compare.players.get(row[0], Figures())) for row in table.rows]
    if not any(column):
        return table
    rows = tuple((*row, cell) for row, cell in zip(table.rows, column, strict=True))
    return Table(table.title, (*table.header, f"{figure} ({compare.label})"), rows)


def conclusions(standings: Standings) -> list[str]:
    """Who is stronger, the colours, and what all that rests on; the most important first."""
    pairs = standings.results().pairs
    played = [total.name for total in standings.ranking() if total.games]
    apart = [group for group in groups(played, pairs) if len(group) > 1]
    sentences = []
    if len(apart) > 1:
        listed = "; ".join(", ".join(group) for group in apart)
        sentences.append(f"These groups never met, so nothing is known between them: {listed}.")
    for group in apart:
        sentences += _of_two(group, standings) if len(group) == 2 else _of_many(group, standings)
    sentences.append(_colors(standings))
    games, players = _counted(standings.games, "game"), _counted(len(played), "player")
    sentences.append(f"This rests on {games} of {players}; in brackets stand 95 % intervals.")
    if len(pairs) > 1:
        sentences.append(
            f"Each interval stands for itself. Who is stronger is said with {len(pairs)} pairs in mind: "
            "among equal players a single such claim would be made in at most 1 of 20 tournaments."
        )
    return sentences


def _of_two(names: Sequence[str], standings: Standings) -> Iterator[str]:
    pairs = standings.results().pairs
    first, second = pair = (names[0], names[1]) if (names[0], names[1]) in pairs else (names[1], names[0])
    units = pairs[pair]
    if units.score < 0.5:
        first, second, units = second, first, units.mirrored
    if pair in standings.stronger():
        yield f"{first} is stronger than {second}: it scored {balance_text(units)}, Elo {elo_text(units.elo)}."
    else:
        yield (
            f"These games do not show who is stronger of {first} and {second}: "
            f"{first} scored {balance_text(units)}, Elo {elo_text(units.elo)}."
        )


def _of_many(names: Sequence[str], standings: Standings) -> Iterator[str]:
    elo = standings.elo()
    order = sorted(names, key=lambda name: -elo[name].estimate)
    stronger = standings.stronger()
    scores: dict[str, dict[str, Units]] = {name: {} for name in order}
    beaten: dict[str, set[str]] = {name: set() for name in order}
    for (first, second), units in standings.results().pairs.items():
        if first in scores:
            scores[first][second], scores[second][first] = units, units.mirrored
            winner = stronger.get((first, second))
            if winner is not None:
                beaten[winner].add(second if winner == first else first)
    leader, *others = order
    not_shown = [other for other in others if other not in beaten[leader]]
    ahead = f"Elo {elo_text(elo[leader])}, where 0 is the mean"
    if not not_shown:
        yield f"{leader} is the strongest, ahead of each of the others: {ahead}."
    elif elo[leader].estimate < elo[others[0]].estimate + _LEVEL_ELO:
        yield f"Nobody is ahead: {leader} and {others[0]} are level, {ahead}."
    else:
        doubted = "any other" if len(not_shown) == len(others) > 2 else ", ".join(not_shown)
        yield f"{leader} is ahead, but not shown to be stronger than {doubted} by their own games: {ahead}."
    for name in order:
        weaker = [f"{other} with {balance_text(scores[name][other])}" for other in order if other in beaten[name]]
        if weaker:
            yield f"{name} is stronger than {'; '.join(weaker)}."
    yield from _undecided(order, scores, beaten)


def _undecided(
    order: Sequence[str], scores: Mapping[str, Mapping[str, Units]], beaten: Mapping[str, set[str]]
) -> Iterator[str]:
    pairs = [
        f"{name} and {other}"
        for place, name in enumerate(order)
        for other in order[place + 1 :]
        if other in scores[name] and other not in beaten[name] and name not in beaten[other]
    ]
    if len(pairs) > _MOST_PAIRS:
        yield f"{len(pairs)} pairs are undecided."
    elif pairs:
        yield f"These games do not show who is stronger of {', '.join(pairs)}."


def _colors(standings: Standings) -> str:
    favoured = standings.favoured()
    said = "These games do not show that a colour is favoured"
    if favoured is not None:
        said = f"{favoured.label.capitalize()} is favoured"
    return f"{said}: black scored {balance_text(standings.results().black)}."


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'s' * (number != 1)}"
