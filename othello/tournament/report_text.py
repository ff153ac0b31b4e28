"""English tables and sentences about results, for the report and the terminal."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, TypeAlias, TypeVar

from othello.config import Comparison, Figures
from othello.errors import printable
from othello.frozen_dataclass import FrozenDataclass
from othello.rules.protocol import Color
from othello.tournament.sequential import SprtState
from othello.tournament.standings import ConnectedGroup, PlayerTotal, Standings, analyse
from othello.tournament.statistics import Interval, PairScores

Row = TypeVar("Row")
_Columns: TypeAlias = "dict[str, str | Callable[[PlayerTotal], str]]"

_KNOWN_ELO: Final = 1000  # an interval beyond this in both directions counts as unknown
_MAX_ELO: Final = 3000  # higher bounds are not printed
_UNKNOWN: Final = "unknown"
_NAME: Final = "{0.name}"
_TIMES: Final[_Columns] = {
    "seconds a game": "{0.seconds_per_game:.3f}",
    "seconds a move": lambda total: "" if total.seconds_per_move is None else f"{total.seconds_per_move:.4f}",
}
# The figures of `tournament.compare` for tables of totals.
_SUMS: Final = ("points", "discs_won", "discs_lost", "balance")
_KINDS: Final = {"logistic": "Elo", "normalised": "normalised Elo"}
_PAIRS: Final = "Head to head"
_MAX_PAIRS: Final = 3  # more undecided pairs are not named


class TextTable(FrozenDataclass):
    """A table of text: a title, column titles and rows. The first column is aligned left, all others right."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]  # the cells, as many a row as there are columns

    def text(self, width: int = 0) -> str:
        """Format the table. Columns beyond `width` characters follow below, after a copy of the first; 0: no limit."""
        cells = [self.header, *self.rows]
        widths = [max(len(row[column]) for row in cells) for column in range(len(self.header))]
        parts: list[list[int]] = [[]]
        for column in range(1, len(widths)):
            if width and parts[-1] and sum(widths[other] + 2 for other in (0, *parts[-1], column)) - 2 > width:
                parts.append([])
            parts[-1].append(column)
        lines = [
            "  ".join((row[0].ljust(widths[0]), *(row[column].rjust(widths[column]) for column in part))).rstrip()
            for part in parts
            for row in cells
        ]
        return "\n".join([self.title, *lines])


def tables(standings: Standings, compare: Comparison | None = None) -> list[TextTable]:
    """Return all tables of a tournament."""
    series = [series_table(standings)] if standings.series.are_matches else []
    return [
        labelled(ranking_table(standings, compare), standings),
        labelled(time_table(standings, compare), standings),
        color_table(standings, compare),
        *(labelled(table, standings) for table in (pairs_table(standings), *series)),
        *([options_table(standings)] if standings.options else []),
    ]


def labelled(table: TextTable, standings: Standings) -> TextTable:
    """Return a table whose players are shown with the options in which they differ."""
    names = {name: _label(name, standings.options) for name in standings.players}
    names |= {" - ".join(pair): " - ".join(map(names.__getitem__, pair)) for pair in standings.results().pairs}
    return replace(table, rows=tuple((names.get(row[0], row[0]), *row[1:]) for row in table.rows))


def _label(name: str, options: Mapping[str, Mapping[str, Any]]) -> str:
    own = options.get(name, {})
    parts = [
        _shown(value) if key == "player_type" else f"{key} {_shown(value)}"
        for key, value in own.items()
        if key not in name
        and not (key == "player_type" and name.startswith(str(value)))
        and any(other.get(key, value) != value for other in options.values())
    ]
    return f"{name} ({', '.join(parts)})" if parts else name


def options_table(standings: Standings) -> TextTable:
    """Return the options of all players that are in the records."""
    options = {name: standings.options[name] for name in standings.players if name in standings.options}
    keys = dict.fromkeys(key for own in options.values() for key in own)
    rows = [(key, *(_shown(own[key]) if key in own else "" for own in options.values())) for key in keys]
    return TextTable("Options of the players", ("option", *options), tuple(rows))


def _shown(value: object) -> str:
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else printable(f"{value}", 40)


def _table(title: str, rows: Iterable[Row], columns: Mapping[str, str | Callable[[Row], str]]) -> TextTable:
    """Return a table from its columns, each with its title and a format of the row, or a function from row to cell."""
    cells = [column.format if isinstance(column, str) else column for column in columns.values()]
    return TextTable(title, tuple(columns), tuple(tuple(cell(row) for cell in cells) for row in rows))


def _sums(standings: Standings) -> dict[str, str]:
    """Return the columns of ranking and colours."""
    counted = standings.counted
    own = {f"{counted} won": "{0.own}", f"{counted} lost": "{0.others}", "balance": "{0.balance:+d}"} if counted else {}
    results = {"won": "{0.wins}", "drawn": "{0.draws}", "lost": "{0.losses}"}
    return {"games": "{0.games}", "points": "{0.points:.1f}", **results, **own}


def ranking_table(standings: Standings, compare: Comparison | None = None) -> TextTable:
    """Return the ranking by points, with discs or game points and Elo."""
    elo = standings.elo()
    columns: _Columns = {"player": _NAME, **_sums(standings), "Elo (95 %)": lambda total: elo_text(elo[total.name])}
    return _compared(_table("Ranking", standings.ranking(), columns), compare, *_SUMS)


def time_table(standings: Standings, compare: Comparison | None = None) -> TextTable:
    columns: _Columns = {"player": _NAME, **_TIMES}
    return _compared(_table("Thinking time", standings.ranking(), columns), compare, "seconds")


def color_table(standings: Standings, compare: Comparison | None = None) -> TextTable:
    black, favoured = standings.results().black, standings.favoured()
    scores = {Color.BLACK.label: black, Color.WHITE.label: black.mirrored}
    columns: _Columns = {
        "colour": _NAME,
        **_sums(standings),
        "score (95 %)": lambda total: score_text(scores[total.name]),
        "verdict": lambda _: "undecided" if favoured is None else f"{favoured.label} is favoured",
        **_TIMES,
    }
    return _compared(_table("Colours", standings.colors, columns), compare, *_SUMS, "seconds")


def pairs_table(standings: Standings) -> TextTable:
    """Return the head-to-head scores of all pairs, with their significance."""
    stronger, results = standings.stronger(), standings.results().pairs
    columns: dict[str, Callable[[tuple[str, str]], str]] = {
        "pair": " - ".join,
        "games": lambda pair: str(results[pair].games),
        "points": lambda pair: f"{results[pair].points:.1f}",
        "pentanomial (0-½-1-1½-2)": lambda pair: "-".join(map(str, results[pair].pentanomial)),
        "score (95 %)": lambda pair: score_text(results[pair]),
        "Elo (95 %)": lambda pair: elo_text(results[pair].elo),
        "LOS": lambda pair: f"{100 * results[pair].likelihood_of_superiority:z.1f} %",
        "verdict": lambda pair: f"{stronger[pair]} is stronger" if pair in stronger else "undecided",
    }
    return _table(_PAIRS, results, columns)


def balance_text(scores: PairScores) -> str:
    lost, games = scores.games - scores.points, _counted(scores.games, "game")
    return f"{scores.points:g} : {lost:g} in {games}, {'corrected to ' * bool(scores.corrected)}{score_text(scores)}"


def series_table(standings: Standings) -> TextTable:
    """Return the series, such as best of three, won by each player of a pair."""
    rows = [
        (" - ".join(pair), str(outcomes.total()), *(str(outcomes[outcome]) for outcome in (1, 0, -1)))
        for pair, outcomes in standings.series.outcomes.items()
    ]
    return TextTable("Series", ("pair", "series", "won", "drawn", "lost"), tuple(rows))


def score_text(scores: PairScores) -> str:
    interval = scores.interval
    return f"{100 * interval.estimate:.1f} % ({100 * interval.low:.1f} to {100 * interval.high:.1f})"


def elo_text(interval: Interval) -> str:
    if interval.low < -_KNOWN_ELO and interval.high > _KNOWN_ELO:
        return _UNKNOWN
    estimate = "" if abs(interval.estimate) > _MAX_ELO else f"{interval.estimate:+z.0f} "
    if max(-interval.low, interval.high) > _MAX_ELO:
        bound = f"at most {interval.high:+z.0f}" if interval.low < -_MAX_ELO else f"at least {interval.low:+z.0f}"
        return f"{estimate}({bound})" if estimate else bound
    return f"{estimate}({interval.low:+z.0f} to {interval.high:+z.0f})"


def _compared(table: TextTable, compare: Comparison | None, *kinds: str) -> TextTable:
    """Add a column for each kind of figure that the other experiment has."""
    if compare is None:
        return table
    for kind in kinds:
        figures = [getattr(compare.players.get(row[0], Figures()), kind) for row in table.rows]
        if any(figure is not None for figure in figures):
            form, title = "+.12g" if kind == "balance" else ".12g", f"{kind.replace('_', ' ')} ({compare.label})"
            cells = ["" if figure is None else format(figure, form) for figure in figures]
            rows = tuple((*row, cell) for row, cell in zip(table.rows, cells, strict=True))
            table = replace(table, header=(*table.header, title), rows=rows)
    return table


def conclusions(standings: Standings) -> list[str]:
    """Return sentences on strength, colours and number of games, the most important first."""
    stats = analyse(standings)
    sentences = []
    if len(stats.fields) > 1:
        listed = "; ".join(", ".join(field.names) for field in stats.fields)
        sentences.append(f"These groups never met, so they cannot be compared: {listed}.")
    for field in stats.fields:
        sentences += _of_two(field) if len(field.names) == 2 else _of_many(field)
    favour = "These games do not show that a colour is favoured"
    if stats.favoured is not None:
        favour = f"{stats.favoured.label.capitalize()} is favoured"
    sentences.append(f"{favour}: black scored {balance_text(standings.results().black)}.")
    games, players = _counted(stats.games, "game"), _counted(sum(total.games > 0 for total in stats.ranking), "player")
    sentences.append(f"Based on {games} of {players}; 95 % intervals are in brackets.")
    pairs = len(standings.results().pairs)
    if standings.test is not None:
        sentences.append(sprt_sentence(standings.test, *standings.players))
    if any(scores.corrected for scores in standings.results().pairs.values()):
        sentences.append(
            "The sequential test stopped early, which exaggerates the score: "
            "all scores and Elo figures are corrected for that."
        )
    if pairs > 1:
        sentences.append(
            f"Verdicts, unlike intervals, are corrected for the number of pairs, {pairs}: "
            "among equal players, at most 1 of 20 tournaments would name a stronger one."
        )
    return sentences


def _of_two(field: ConnectedGroup) -> Iterator[str]:
    first, second = field.names
    scores = field.scores[first][second]
    scored = f"scored {balance_text(scores)}, Elo {elo_text(scores.elo)}."
    if field.possibly_as_strong:
        yield f"These games do not show who is stronger of {first} and {second}: {first} {scored}"
    else:
        yield f"{first} is stronger than {second}: it {scored}"


def _of_many(field: ConnectedGroup) -> Iterator[str]:
    leader, possibly_as_strong = field.leader, field.possibly_as_strong
    strength = elo_text(field.elo[leader])
    by = "" if strength == _UNKNOWN else f": Elo {strength}, where 0 is the mean"
    if not possibly_as_strong:
        yield f"{leader} is the strongest, ahead of each of the others{by}."
    elif field.is_level:
        yield f"No player is ahead: {leader} and {field.names[1]} are level{by}."
    else:
        others = "any other" if len(possibly_as_strong) == len(field.names) - 1 > 2 else ", ".join(possibly_as_strong)
        yield f"{leader} is ahead, but not shown to be stronger than {others} by their own games{by}."
    for name in field.names:
        weaker = [f"{other} with {balance_text(field.scores[name][other])}" for other in field.weaker(name)]
        if weaker:
            yield f"{name} is stronger than {'; '.join(weaker)}."
    undecided = [" and ".join(pair) for pair in field.undecided()]
    if len(undecided) > _MAX_PAIRS:
        yield f'{len(undecided)} pairs are undecided; the table "{_PAIRS}" has them all.'
    elif undecided:
        yield f"These games do not show who is stronger of {', '.join(undecided)}."


def sprt_sentence(state: SprtState, first: str, second: str) -> str:
    """Return the state or the result of the sequential test of the first player against the second."""
    if state.accepted is None:
        return f"Sequential test: {sprt_text(state)}."
    more, than = state.elo
    strength = ", ".join(f"{_KINDS[kind]} {elo_text(interval)}" for kind, interval in state.strength.items())
    return (
        f"Sequential test: H{state.accepted} is accepted after {state.games} games: {more:g} "
        f"{_KINDS[state.test.elo_model]} more explain these games better than {than:g}, for {first} against {second}; "
        f"corrected strength: {strength}; {sprt_text(state)}."
    )


def sprt_text(state: SprtState) -> str:
    """Return the log-likelihood ratio of a sequential test and its bounds."""
    (low, high), test = state.test.bounds, state.test
    return (
        f"log-likelihood ratio {state.ratio:.2f} between {low:.2f} (H0: {test.elo0:g} {_KINDS[test.elo_model]}) "
        f"and {high:.2f} (H1: {test.elo1:g}); {_counted(sum(state.counts), 'pair')} of games brought "
        f"0, 1/2, 1, 3/2, 2 points: {', '.join(map(str, state.counts))}"
    )


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'s' * (number != 1)}"
