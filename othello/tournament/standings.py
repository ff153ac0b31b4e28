"""The standings of a tournament or of results files, and the conclusions from them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any, Final, NamedTuple

from othello.config import SprtConfig
from othello.errors import ResultsError
from othello.frozen_dataclass import FrozenDataclass
from othello.records.record import GameRecord
from othello.records.results import SUFFIXES, ResultsReader
from othello.rules.protocol import Color
from othello.rules.registry import rules_of
from othello.tournament.ratings import bradley_terry, groups
from othello.tournament.sequential import Sprt, SprtState
from othello.tournament.statistics import Interval, PairScores, significant_results

_MAX_OPEN: Final = 10_000  # games without their partner, and unfinished series


@dataclass
class PlayerTotal:
    """The totals of a player, or of a colour."""

    name: str
    wins: int = 0
    draws: int = 0
    losses: int = 0
    own: int = 0  # own game points (discs in Othello) at the end of all games
    others: int = 0  # game points of the opponents
    seconds: float = 0.0
    moves: int = 0  # moves that the player chose, as far as the records say
    move_seconds: float = 0.0  # thinking time in the games whose records say so

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """Points: 1 for a win, 0.5 for a draw."""
        return self.wins + self.draws / 2

    @property
    def balance(self) -> int:
        return self.own - self.others

    @property
    def seconds_per_game(self) -> float:
        return self.seconds / self.games if self.games else 0.0

    @property
    def seconds_per_move(self) -> float | None:
        """Mean thinking time per move; None if no record has the number of moves."""
        return self.move_seconds / self.moves if self.moves else None


class Results:
    """The head-to-head scores of all pairs of players, and the score of black, counted in game pairs."""

    def __init__(self) -> None:
        # for two players who met, in the order of the standings, the scores of the first
        self.pairs: dict[tuple[str, str], PairScores] = {}
        self.black = PairScores()  # the scores of black over all players

    def add(self, games: Sequence[GameRecord], order: list[str]) -> None:
        """Count a game pair, or a single game."""
        self.black.add(len(games), sum(game.points(Color.BLACK) for game in games))
        first, second = sorted((games[0].black, games[0].white), key=order.index)
        if first != second:
            points = sum(game.points(Color.BLACK if game.black == first else Color.WHITE) for game in games)
            self.pairs.setdefault((first, second), PairScores()).add(len(games), points)

    def copy(self) -> Results:
        other = Results()
        other.black = PairScores(self.black.counts)
        other.pairs = {pair: PairScores(pair_scores.counts) for pair, pair_scores in self.pairs.items()}
        return other


class _Score(NamedTuple):
    """A series so far: its number of games, and the points of the first player minus those of the second."""

    games: int = 0
    lead: float = 0.0


class SeriesScores:
    """The outcomes of series of two games or more. Only the latest open series can be continued."""

    def __init__(self) -> None:
        # by pair, the number of series that the first player has won (1), drawn (0) and lost (-1)
        self.outcomes: defaultdict[tuple[str, str], Counter[int]] = defaultdict(Counter)
        self._open: dict[tuple[str, int, tuple[str, str]], _Score] = {}
        self._long = self._split = 0  # series with more than two games; drawn series of two games

    @property
    def are_matches(self) -> bool:
        """True if the series are matches rather than game pairs, as far as their results show."""
        return bool(self.outcomes) and (self._long > 0 or not self._split)

    def add(self, record: GameRecord, order: Sequence[str]) -> None:
        """Count a game. The player who comes first in `order` is the first of the pair."""
        first, second = sorted((record.black, record.white), key=order.index)
        key = (record.experiment, record.series, (first, second))
        score = self._open.pop(key, _Score())
        self._count(key[2], score, -1)
        points = record.points(Color.BLACK if record.black == first else Color.WHITE)
        score = self._open[key] = _Score(score.games + 1, score.lead + 2 * points - 1)
        self._count(key[2], score, 1)
        if len(self._open) > _MAX_OPEN:
            del self._open[next(iter(self._open))]

    def score(self, experiment: str, series: int, pair: tuple[str, str]) -> tuple[float, float]:
        """Return the points of two players in a series so far."""
        games, lead = self._open.get((experiment, series, pair), _Score())
        if not games:
            games, other_lead = self._open.get((experiment, series, (pair[1], pair[0])), _Score())
            lead = -other_lead
        return (games + lead) / 2, (games - lead) / 2

    def _count(self, pair: tuple[str, str], score: _Score, number: int) -> None:
        """Add a series to the outcomes (number 1), or remove it (-1)."""
        if score.games >= 2:
            self.outcomes[pair][(score.lead > 0) - (score.lead < 0)] += number
            self._long += number * (score.games > 2)
            self._split += number * (score.games == 2 and abs(score.lead) < 2)


class Standings:
    """Standings, updated game by game. Their memory does not depend on the number of games."""

    def __init__(self, names: Iterable[str] = (), sprt: SprtConfig | None = None) -> None:
        self.players = {name: PlayerTotal(name) for name in names}  # by name, in the order of the config
        # the totals of black and of white over all players
        self.colors = (PlayerTotal(Color.BLACK.label), PlayerTotal(Color.WHITE.label))
        self.sprt = sprt  # the test of the first player against the second, None for no test
        self.options: dict[str, Mapping[str, Any]] = {}  # by player's name, if the records have them
        self.paired = Results()  # all complete game pairs
        self.series = SeriesScores()
        self._counted: set[str] = set()
        self._halves: dict[tuple[str, int], GameRecord] = {}  # games without their partner, by experiment and series
        self._results: Results | None = None  # of all games so far, computed when needed
        self._elo: dict[str, Interval] | None = None

    @property
    def games(self) -> int:
        return self.colors[Color.BLACK].games

    @property
    def counted(self) -> str:
        """The game points of all games, such as "discs"; empty if there are none, or if games differ."""
        return next(iter(self._counted)) if len(self._counted) == 1 else ""

    @property
    def test(self) -> SprtState | None:
        """The state of the sequential test; None if there is no test of two players."""
        if self.sprt is None or len(self.players) != 2:
            return None
        return Sprt(**asdict(self.sprt)).state(next(iter(self.paired.pairs.values()), PairScores()))

    @property
    def is_decided(self) -> bool:
        """True if the sequential test has accepted a hypothesis."""
        return self.test is not None and self.test.accepted is not None

    def add(self, record: GameRecord) -> None:
        self._results = self._elo = None
        self.options.update(record.setup.get("players", {}))
        self._counted.add(rules_of(record.spec).points)
        points = (record.black_points, record.white_points)
        names = (record.black, record.white)
        seconds = (record.black_seconds, record.white_seconds)
        moves = (record.black_moves, record.white_moves)
        for color in Color:
            player = self.players.setdefault(names[color], PlayerTotal(names[color]))
            for total in (player, self.colors[color]):
                total.wins += record.winner is color
                total.draws += record.winner is None
                total.losses += record.winner is color.opponent
                total.own += points[color]
                total.others += points[color.opponent]
                total.seconds += seconds[color]
                total.moves += moves[color] or 0
                total.move_seconds += 0.0 if moves[color] is None else seconds[color]
        self._pair_up(record)
        self.series.add(record, list(self.players))

    def ranking(self) -> list[PlayerTotal]:
        """Return all players, best first: by points, then by balance. Equal players keep their order."""
        return sorted(self.players.values(), key=lambda total: (-total.points, -total.balance))

    def results(self) -> Results:
        """Return the scores of all games. Games without a partner count by themselves."""
        if self._results is None:
            self._results = self.paired.copy()
            for record in self._halves.values():
                self._results.add([record], list(self.players))
            if (test := self.test) is not None and test.accepted is not None:
                for pair_scores in self._results.pairs.values():  # there is one pair
                    pair_scores.corrected = test.score
        return self._results

    def elo(self) -> dict[str, Interval]:
        if self._elo is None:
            self._elo = bradley_terry(list(self.players), self.results().pairs)
        return self._elo

    def stronger(self) -> dict[tuple[str, str], str]:
        """Return the stronger player of each pair whose games show one."""
        shown = significant_results(self.results().pairs)
        return {pair: pair[0] if is_first else pair[1] for pair, is_first in shown.items()}

    def favoured(self) -> Color | None:
        """Return the colour that is shown to be better, or None."""
        is_black = significant_results({Color.BLACK: self.results().black}).get(Color.BLACK)
        return None if is_black is None else Color.BLACK if is_black else Color.WHITE

    def _pair_up(self, record: GameRecord) -> None:
        """Count a game together with its partner, the game of the series with swapped colours."""
        key = (record.experiment, record.series)
        first = self._halves.pop(key, None)
        order = list(self.players)
        if first is not None and (first.black, first.white) == (record.white, record.black):
            self.paired.add([first, record], order)
            return
        if first is not None:
            self.paired.add([first], order)
        self._halves[key] = record
        if len(self._halves) > _MAX_OPEN:  # the partner of the oldest will hardly come
            self.paired.add([self._halves.pop(next(iter(self._halves)))], order)


class ResultsSummary:
    """The standings and other statistics of results files."""

    def __init__(self) -> None:
        self.standings = Standings()
        # by player, the number of games with each difference in game points
        self.differences: defaultdict[str, Counter[int]] = defaultdict(Counter)
        # by player, the number of games by (moves, points)
        self.lengths: defaultdict[str, Counter[tuple[int, float]]] = defaultdict(Counter)
        # by player, the scores with black and with white
        self.by_color = defaultdict[str, tuple[PairScores, PairScores]](lambda: (PairScores(), PairScores()))
        self.forfeits: list[str] = []  # game and reason
        self.adjudicated = 0  # number of games that the engine ended
        self.cut_off_files: list[Path] = []  # files whose last line is incomplete and was skipped
        self.doubles = 0  # number of games skipped as duplicates
        self.experiments: set[str] = set()  # fingerprints
        self.versions: set[str] = set()  # versions of this program in the records
        # games with changed rules, such as "othello goal=fewest"
        self.played: set[str] = set()
        self._seen: defaultdict[str, set[int]] = defaultdict(set)

    def add(self, record: GameRecord) -> bool:
        """Count a game and return True, or return False for a duplicate."""
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
                continue  # length and score of a forfeited game mean nothing
            self.differences[name][-difference if color else difference] += 1
            if moves and not record.reason:
                self.lengths[name][moves, points] += 1
        if record.is_adjudicated:
            self.adjudicated += 1
        elif record.reason:
            self.forfeits.append(f"game {record.game}: {record.reason}")
        return True


def summarise(paths: Sequence[Path], on_game: Callable[[GameRecord], None] | None = None) -> ResultsSummary:
    """Read results files, perhaps of several experiments.

    Args:
        paths: the files.
        on_game: called with every game that is not a duplicate.

    Raises:
        ResultsError: a file cannot be read, or the files have no games.
    """
    summary = ResultsSummary()
    for path in paths:
        if path.suffix.lower() not in SUFFIXES:
            raise ResultsError("results_suffix", path=path, suffixes=", ".join(SUFFIXES), hint=None)
        reader = ResultsReader(path)
        for record in reader:
            if summary.add(record) and on_game is not None:
                on_game(record)
        if reader.is_cut_off:
            summary.cut_off_files.append(path)
    if not summary.standings.games:
        raise ResultsError("no_games", path=", ".join(map(str, paths)))
    return summary


_LEVEL_ELO: Final = 0.5


class ConnectedGroup(FrozenDataclass):
    """A group of players connected by games, and conclusions from the games."""

    names: Sequence[str]  # strongest first
    elo: Mapping[str, Interval]  # ratings of all players
    scores: Mapping[str, Mapping[str, PairScores]]  # the player's scores by player and opponent
    proven_weaker: Mapping[str, set[str]]  # by player, the players shown to be weaker

    @property
    def leader(self) -> str:
        return self.names[0]

    @property
    def possibly_as_strong(self) -> list[str]:
        """The players that may be as strong as the leader, by their games against it."""
        return [name for name in self.names[1:] if name not in self.proven_weaker[self.leader]]

    @property
    def more_games(self) -> int | None:
        """Roughly the number of further games, of all pairs, that would show who is strongest; None: too many."""
        pairs, own, others = sum(map(len, self.scores.values())) // 2, self.scores[self.leader], self.possibly_as_strong
        needed = [own[name].more_games(pairs) for name in others if name in own and own[name].score > 0.5]
        known = [games for games in needed if games is not None]
        return pairs * max(known) if known and len(known) == len(others) else None

    @property
    def is_level(self) -> bool:
        """True if the first two players are about equally strong."""
        return self.elo[self.leader].estimate < self.elo[self.names[1]].estimate + _LEVEL_ELO

    def weaker(self, name: str) -> list[str]:
        """Return the players that are shown to be weaker."""
        return [other for other in self.names if other in self.proven_weaker[name]]

    def undecided(self) -> Iterator[tuple[str, str]]:
        """Yield the pairs whose games show no stronger player."""
        for name, other in combinations(self.names, 2):
            is_decided = other in self.proven_weaker[name] or name in self.proven_weaker[other]
            if other in self.scores[name] and not is_decided:
                yield name, other


class TournamentAnalysis(FrozenDataclass):
    """The conclusions from the games of a tournament."""

    ranking: tuple[PlayerTotal, ...]  # totals of all players, best first
    colors: tuple[PlayerTotal, ...]  # totals of black and white over all players
    elo: Mapping[str, Interval]  # by player; 0 is the mean of each group
    fields: tuple[ConnectedGroup, ...]  # groups of two players or more
    favoured: Color | None  # the colour that is shown to be better, or None

    @property
    def games(self) -> int:
        return self.colors[Color.BLACK].games

    @property
    def scores(self) -> Mapping[str, Mapping[str, PairScores]]:
        """The player's scores by player and opponent, empty before the first game."""
        return self.fields[0].scores if self.fields else {}


def analyse(standings: Standings) -> TournamentAnalysis:
    """Analyse the games so far. With many players this takes a good part of a second."""
    elo, scores, proven_weaker = standings.elo(), dict[str, dict[str, PairScores]](), dict[str, set[str]]()
    stronger, pairs = standings.stronger(), standings.results().pairs
    for (first, second), pair_scores in pairs.items():
        for name, other, scored in ((first, second, pair_scores), (second, first, pair_scores.mirrored)):
            scores.setdefault(name, {})[other] = scored
            proven_weaker.setdefault(name, set()).update({other} if stronger.get((first, second)) == name else ())
    ranking, colors = (tuple(map(replace, totals)) for totals in (standings.ranking(), standings.colors))
    connected = [group for group in groups([total.name for total in ranking if total.games], pairs) if len(group) > 1]
    sorted_groups = [sorted(group, key=lambda name: -elo[name].estimate) for group in connected]
    fields = tuple(ConnectedGroup(names, elo, scores, proven_weaker) for names in sorted_groups)
    return TournamentAnalysis(ranking, colors, elo, fields, standings.favoured())
