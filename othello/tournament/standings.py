"""Sums over games, during a tournament or from results files, and what can be concluded from them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from othello.config import SprtConfig
from othello.errors import ResultsError
from othello.frozen import Frozen
from othello.records.record import GameRecord
from othello.records.results import SUFFIXES, ResultsReader
from othello.rules.protocol import Color
from othello.rules.registry import rules_of
from othello.tournament.ratings import bradley_terry, groups
from othello.tournament.sequential import Sprt, SprtState
from othello.tournament.statistics import Interval, Units, superior

_MOST_OPEN: Final = 10_000  # games that wait for their partner, and series that go on


@dataclass(slots=True)
class PlayerTotal:
    """Sums over one player's games."""

    name: str
    wins: int = 0
    draws: int = 0
    losses: int = 0
    own: int = 0  # what the game counts, discs in Othello, at the end of all games
    others: int = 0  # the opponents' at the end of the same games
    seconds: float = 0.0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """1 a win, 0.5 a draw."""
        return self.wins + self.draws / 2

    @property
    def balance(self) -> int:
        return self.own - self.others

    @property
    def seconds_per_game(self) -> float:
        return self.seconds / self.games if self.games else 0.0


class Results:
    """The scores of players against each other, and of black, in units of colour-swapped pairs of games."""

    def __init__(self) -> None:
        # for every two players who met, in the order of the standings, the scores of the first
        self.pairs: dict[tuple[str, str], Units] = {}
        self.black = Units()  # the scores of black, over all players

    def add(self, games: Sequence[GameRecord], order: list[str]) -> None:
        """Count one unit: two games with swapped colours, or one game."""
        self.black.add(len(games), sum(game.points(Color.BLACK) for game in games))
        first, second = sorted((games[0].black, games[0].white), key=order.index)
        if first != second:
            points = sum(game.points(Color.BLACK if game.black == first else Color.WHITE) for game in games)
            self.pairs.setdefault((first, second), Units()).add(len(games), points)

    def copy(self) -> Results:
        other = Results()
        other.black = Units(self.black.counts)
        other.pairs = {pair: Units(units.counts) for pair, units in self.pairs.items()}
        return other


class _Score(NamedTuple):
    """A series so far: how many games, and the points of the first player minus the second's."""

    games: int = 0
    lead: float = 0.0


class SeriesScores:
    """Outcomes of series of two games or more. Of many open series only the latest are expected to go on."""

    def __init__(self) -> None:
        # by pair of players, how many series the first has won (1), drawn (0) and lost (-1)
        self.outcomes: defaultdict[tuple[str, str], Counter[int]] = defaultdict(Counter)
        self._open: dict[tuple[str, int, tuple[str, str]], _Score] = {}
        self._long = self._split = 0  # series of more than two games; series of two games without a winner

    @property
    def are_matches(self) -> bool:
        """Whether the series look like matches rather than pairs of games with swapped colours."""
        return bool(self.outcomes) and (self._long > 0 or not self._split)

    def add(self, record: GameRecord, order: Sequence[str]) -> None:
        """Count a game. `order` says who is the first of the two players."""
        first, second = sorted((record.black, record.white), key=order.index)
        key = (record.experiment, record.series, (first, second))
        score = self._open.pop(key, _Score())
        self._count(key[2], score, -1)
        points = record.points(Color.BLACK if record.black == first else Color.WHITE)
        score = self._open[key] = _Score(score.games + 1, score.lead + 2 * points - 1)
        self._count(key[2], score, 1)
        if len(self._open) > _MOST_OPEN:
            del self._open[next(iter(self._open))]

    def score(self, experiment: str, series: int, pair: tuple[str, str]) -> tuple[float, float]:
        """What two players have scored in a series so far."""
        games, lead = self._open.get((experiment, series, pair), _Score())
        if not games:
            games, other_lead = self._open.get((experiment, series, (pair[1], pair[0])), _Score())
            lead = -other_lead
        return (games + lead) / 2, (games - lead) / 2

    def _count(self, pair: tuple[str, str], score: _Score, number: int) -> None:
        """Add a series to the outcomes, or take it out again."""
        if score.games >= 2:
            self.outcomes[pair][(score.lead > 0) - (score.lead < 0)] += number
            self._long += number * (score.games > 2)
            self._split += number * (score.games == 2 and abs(score.lead) < 2)


class Standings:
    """Running sums over the games of an experiment. Their size does not depend on the number of games."""

    def __init__(self, names: Iterable[str] = (), sprt: SprtConfig | None = None) -> None:
        self.players = {name: PlayerTotal(name) for name in names}  # totals by name, in the order of the config
        # the same sums for black and for white, over all players
        self.colors = (PlayerTotal(Color.BLACK.label), PlayerTotal(Color.WHITE.label))
        self.sprt = sprt  # the test of the first player against the second; None: there is none
        self.options: dict[str, Mapping[str, Any]] = {}  # of players by name, as far as the records tell them
        self.paired = Results()  # all colour-swapped pairs that are complete
        self.series = SeriesScores()
        self._counted: set[str] = set()
        self._halves: dict[tuple[str, int], GameRecord] = {}  # games that wait for their colour-swapped partner
        self._results: Results | None = None  # of all games so far, worked out when needed
        self._elo: dict[str, Interval] | None = None

    @property
    def games(self) -> int:
        return self.colors[Color.BLACK].games

    @property
    def counted(self) -> str:
        """What all games counted, such as "discs"; empty if they counted nothing, or different things."""
        return next(iter(self._counted)) if len(self._counted) == 1 else ""

    @property
    def test(self) -> SprtState | None:
        """The state of the sequential test, None without a test of two players."""
        if self.sprt is None or len(self.players) != 2:
            return None
        return Sprt(**asdict(self.sprt)).state(next(iter(self.paired.pairs.values()), Units()))

    def add(self, record: GameRecord) -> None:
        self._results = self._elo = None
        self.options.update(record.setup.get("players", {}))
        self._counted.add(rules_of(record.spec).points)
        points = (record.black_points, record.white_points)
        names = (record.black, record.white)
        seconds = (record.black_seconds, record.white_seconds)
        for color in Color:
            player = self.players.setdefault(names[color], PlayerTotal(names[color]))
            for total in (player, self.colors[color]):
                total.wins += record.winner is color
                total.draws += record.winner is None
                total.losses += record.winner is color.opponent
                total.own += points[color]
                total.others += points[color.opponent]
                total.seconds += seconds[color]
        self._pair_up(record)
        self.series.add(record, list(self.players))

    def ranking(self) -> list[PlayerTotal]:
        """All players, best first: by points, then by balance; equals keep their order."""
        return sorted(self.players.values(), key=lambda total: (-total.points, -total.balance))

    def results(self) -> Results:
        """All games; those that have no partner, or none yet, are units of one."""
        if self._results is None:
            self._results = self.paired.copy()
            for record in self._halves.values():
                self._results.add([record], list(self.players))
            if (test := self.test) is not None and test.accepted is not None:
                for units in self._results.pairs.values():  # of the only pair
                    units.corrected = test.score
        return self._results

    def elo(self) -> dict[str, Interval]:
        if self._elo is None:
            self._elo = bradley_terry(list(self.players), self.results().pairs)
        return self._elo

    def stronger(self) -> dict[tuple[str, str], str]:
        """The stronger player of each pair whose games show one."""
        shown = superior(self.results().pairs)
        return {pair: pair[0] if is_first else pair[1] for pair, is_first in shown.items()}

    def favoured(self) -> Color | None:
        """The colour that is shown to be better, None where neither is."""
        is_black = superior({Color.BLACK: self.results().black}).get(Color.BLACK)
        return None if is_black is None else Color.BLACK if is_black else Color.WHITE

    def _pair_up(self, record: GameRecord) -> None:
        """Count a game together with its partner in the series, in which the colours are swapped."""
        key = (record.experiment, record.series)
        first = self._halves.pop(key, None)
        order = list(self.players)
        if first is not None and (first.black, first.white) == (record.white, record.black):
            self.paired.add([first, record], order)
            return
        if first is not None:
            self.paired.add([first], order)
        self._halves[key] = record
        if len(self._halves) > _MOST_OPEN:  # the oldest will hardly find its partner now
            self.paired.add([self._halves.pop(next(iter(self._halves)))], order)


class ResultsSummary:
    """Sums over the games of results files."""

    def __init__(self) -> None:
        self.standings = Standings()
        # by player, how often a game ended with each difference in points
        self.differences: defaultdict[str, Counter[int]] = defaultdict(Counter)
        # by player, how often a game had this length and result: [(moves, points)]
        self.lengths: defaultdict[str, Counter[tuple[int, float]]] = defaultdict(Counter)
        # by player, its results with black and with white
        self.by_color: defaultdict[str, tuple[Units, Units]] = defaultdict(lambda: (Units(), Units()))
        self.forfeits: list[str] = []  # games that ended before their end: number, and why
        self.adjudicated = 0  # games that the engine ended
        self.torn: list[Path] = []  # files whose last line is cut off and left out
        self.doubles = 0  # games that were left out because they are there twice
        self.experiments: set[str] = set()  # fingerprints of the experiments that the games are of
        self.versions: set[str] = set()  # of the program that played them
        # games with their unusual options, such as "othello goal=fewest"
        self.played: set[str] = set()
        self._seen: defaultdict[str, set[int]] = defaultdict(set)

    def add(self, record: GameRecord) -> bool:
        """Count a game, unless it was counted before; says whether it was."""
        if record.experiment:
            if record.game in self._seen[record.experiment]:
                self.doubles += 1
                return False
            self._seen[record.experiment].add(record.game)
        self.experiments.add(record.experiment)
        if "sprt" in record.setup:
            self.standings.sprt = SprtConfig(**record.setup["sprt"])
        if len(self.experiments) > 1:
            self.standings.sprt = None
        self.versions.add(record.version)
        self.played.add(f"{record.game_name} {record.rules}".strip())
        self.standings.add(record)
        difference = record.black_points - record.white_points
        moves = len(re.findall(rules_of(record.spec).move_pattern, record.transcript))
        for color, name in zip(Color, (record.black, record.white), strict=True):
            points = record.points(color)
            self.by_color[name][color].add(1, points)
            if record.reason and not record.is_adjudicated:
                continue  # its length and its score say nothing
            self.differences[name][-difference if color else difference] += 1
            if moves and not record.reason:
                self.lengths[name][moves, points] += 1
        if record.is_adjudicated:
            self.adjudicated += 1
        elif record.reason:
            self.forfeits.append(f"game {record.game}: {record.reason}")
        return True


def summarise(paths: Sequence[Path], on_game: Callable[[GameRecord], None] | None = None) -> ResultsSummary:
    """Read results files, perhaps of several experiments; `on_game` gets every game that counts.

    ResultsError: a file cannot be read, or there is no game in any of them.
    """
    summary = ResultsSummary()
    for path in paths:
        if path.suffix.lower() not in SUFFIXES:
            raise ResultsError("results_suffix", path=path, suffixes=", ".join(SUFFIXES), hint=None)
        reader = ResultsReader(path)
        for record in reader:
            if summary.add(record) and on_game is not None:
                on_game(record)
        if reader.torn:
            summary.torn.append(path)
    if not summary.standings.games:
        raise ResultsError("no_games", path=", ".join(map(str, paths)))
    return summary


_LEVEL_ELO: Final = 0.5


class Rivals(Frozen):
    """Players that met, directly or through others, and what their games show."""

    names: Sequence[str]  # the strongest first
    elo: Mapping[str, Interval]  # of all players
    scores: Mapping[str, Mapping[str, Units]]  # by player and opponent, what the player scored
    beaten: Mapping[str, set[str]]  # by player, whom it is shown to be stronger than

    @property
    def leader(self) -> str:
        return self.names[0]

    @property
    def doubted(self) -> list[str]:
        """Players that may be as strong as the leader, by their own games against it."""
        return [name for name in self.names[1:] if name not in self.beaten[self.leader]]

    @property
    def more_games(self) -> int | None:
        """About how many more games of all pairs would remove the doubts, None where nobody plays so many."""
        pairs, own = sum(map(len, self.scores.values())) // 2, self.scores[self.leader]
        needed = [own[name].more_games(pairs) for name in self.doubted if name in own and own[name].score > 0.5]
        known = [games for games in needed if games is not None]
        return pairs * max(known) if known and len(known) == len(self.doubted) else None

    @property
    def is_level(self) -> bool:
        """Whether there is no leader."""
        return self.elo[self.leader].estimate < self.elo[self.names[1]].estimate + _LEVEL_ELO

    def weaker(self, name: str) -> list[str]:
        """The players that this player is shown to be stronger than."""
        return [other for other in self.names if other in self.beaten[name]]

    def undecided(self) -> Iterator[tuple[str, str]]:
        """Pairs whose games show no stronger player."""
        for place, name in enumerate(self.names):
            for other in self.names[place + 1 :]:
                if other in self.scores[name] and other not in self.beaten[name] and name not in self.beaten[other]:
                    yield name, other


class Findings(Frozen):
    """What a tournament shows."""

    ranking: tuple[PlayerTotal, ...]  # totals of all players, best first
    colors: tuple[PlayerTotal, ...]  # totals of black and white over all players
    elo: Mapping[str, Interval]  # strength of every player, 0 the mean of all who met
    fields: tuple[Rivals, ...]  # groups of two or more players who met
    favoured: Color | None  # the colour that is shown to be better, None where neither is

    @property
    def games(self) -> int:
        return self.colors[Color.BLACK].games

    @property
    def scores(self) -> Mapping[str, Mapping[str, Units]]:
        """By player and opponent, what the player scored; empty before the first game."""
        return self.fields[0].scores if self.fields else {}


def findings(standings: Standings) -> Findings:
    """Work out what the games so far show. With many players this takes a good part of a second."""
    elo, scores, beaten = standings.elo(), dict[str, dict[str, Units]](), dict[str, set[str]]()
    stronger, pairs = standings.stronger(), standings.results().pairs
    for (first, second), units in pairs.items():
        for name, other, scored in ((first, second, units), (second, first, units.mirrored)):
            scores.setdefault(name, {})[other] = scored
            beaten.setdefault(name, set()).update({other} if stronger.get((first, second)) == name else ())
    ranking = standings.ranking()
    return Findings(
        tuple(replace(total) for total in ranking),
        tuple(replace(total) for total in standings.colors),
        elo,
        tuple(
            Rivals(sorted(group, key=lambda name: -elo[name].estimate), elo, scores, beaten)
            for group in groups([total.name for total in ranking if total.games], pairs)
            if len(group) > 1
        ),
        standings.favoured(),
    )
