"""What results files say, gathered in one pass: whatever tables and plots need, whoever wrote the files."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

from othello.errors import ResultsError
from othello.records.record import GameRecord
from othello.records.results import ResultsReader
from othello.rules.protocol import Color
from othello.tournament.standings import Standings
from othello.tournament.statistics import Units


class Summary:
    """Sums over the games of results files.

    Attributes:
        standings: totals and results.
        differences: by player, how often it ended with so many discs more than its opponent.
        lengths: by player, how often a game of so many moves brought so many points: [(moves, points)].
        by_color: by player, its results with black and with white.
        forfeits: games that ended before their end: number, and why.
        torn: files whose last line is cut off and left out.
        doubles: games that were left out because they are there twice.
        experiments: fingerprints of the experiments that the games are of.
        versions: of the program that played them.
    """

    def __init__(self) -> None:
        self.standings = Standings()
        self.differences: defaultdict[str, Counter[int]] = defaultdict(Counter)
        self.lengths: defaultdict[str, Counter[tuple[int, float]]] = defaultdict(Counter)
        self.by_color: defaultdict[str, tuple[Units, Units]] = defaultdict(lambda: (Units(), Units()))
        self.forfeits: list[str] = []
        self.torn: list[Path] = []
        self.doubles = 0
        self.experiments: set[str] = set()
        self.versions: set[str] = set()
        self._seen: defaultdict[str, set[int]] = defaultdict(set)

    def add(self, record: GameRecord) -> bool:
        """Count a game, unless it was counted before; says whether it was."""
        if record.experiment:
            if record.game in self._seen[record.experiment]:
                self.doubles += 1
                return False
            self._seen[record.experiment].add(record.game)
        self.experiments.add(record.experiment)
        self.versions.add(record.version)
        self.standings.add(record)
        difference = record.black_discs - record.white_discs
        moves = len(record.transcript) // 2
        for color, name in zip(Color, (record.black, record.white), strict=True):
            points = record.points(color)
            self.by_color[name][color].add(1, points)
            if record.reason:
                continue  # its length and its discs say nothing
            self.differences[name][-difference if color else difference] += 1
            if moves:
                self.lengths[name][moves, points] += 1
        if record.reason:
            self.forfeits.append(f"game {record.game}: {record.reason}")
        return True


def summarise(paths: Sequence[Path], on_game: Callable[[GameRecord], None] | None = None) -> Summary:
    """Read results files.

    Args:
        paths: the files; they need not be of one experiment.
        on_game: called with every game that counts.

    Raises:
        ResultsError: a file cannot be read, or there is no game in any of them.
    """
    summary = Summary()
    for path in paths:
        if path.suffix.lower() not in (".csv", ".jsonl"):
            raise ResultsError(f"{path}: results files end in .csv or .jsonl")
        reader = ResultsReader(path)
        for record in reader:
            if summary.add(record) and on_game is not None:
                on_game(record)
        if reader.torn:
            summary.torn.append(path)
    if not summary.standings.games:
        raise ResultsError(f"{', '.join(map(str, paths))}: no games")
    return summary
