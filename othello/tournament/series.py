"""Series of games between two players, such as best of three, counted as they go on."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final, NamedTuple

from othello.records.record import GameRecord
from othello.rules.protocol import Color

_MOST_OPEN: Final = 10_000


class _Score(NamedTuple):
    """A series so far: how many games, and in them points of the first player minus the second's."""

    games: int = 0
    lead: float = 0.0


class SeriesScores:
    """Outcomes of series of two games or more. Of many open series only the latest are expected to go on."""

    def __init__(self) -> None:
        # by pair of players, how many series the first has won (1), drawn (0) and lost (-1)
        self.outcomes: defaultdict[tuple[str, str], Counter[int]] = defaultdict(Counter)
        self._open: dict[tuple[str, int, tuple[str, str]], _Score] = {}
        self._long = self._split = 0  # series of more than two games; of two games that nobody has won

    @property
    def are_matches(self) -> bool:
        """Whether the series look like matches, and not like pairs of games with swapped colours."""
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

    def _count(self, pair: tuple[str, str], score: _Score, number: int) -> None:
        """Add a series to the outcomes, or take it out again."""
        if score.games >= 2:
            self.outcomes[pair][(score.lead > 0) - (score.lead < 0)] += number
            self._long += number * (score.games > 2)
            self._split += number * (score.games == 2 and abs(score.lead) < 2)
