"""The games of a config and their results file. A stopped experiment can be resumed."""

import hashlib
import json
import re
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import asdict, replace
from itertools import chain, filterfalse
from operator import attrgetter
from pathlib import Path
from typing import Final

import othello
from othello.config import Config
from othello.errors import BoardTextError, OutputError, ResultsError, TranscriptError, errors_as
from othello.play.referee import GameJob
from othello.play.seeding import draw_seed
from othello.records.openings import book_game
from othello.records.record import GameRecord
from othello.records.results import ResultsReader, ResultsWriter
from othello.rules.registry import rules_of, unusual_options
from othello.schema import shown
from othello.tournament.executor import Executor
from othello.tournament.report_text import TextTable, ranking_table
from othello.tournament.schedule import Series, max_games, schedule
from othello.tournament.scheduler import RunControl, Scheduler, play
from othello.tournament.standings import Standings

_LATEST: Final = 2
# Settings of a tournament without effect on its games. The openings themselves are in `opening_book`. The fingerprint
# also ignores `game_repetitions`, because further repetitions follow after the others.
_IGNORED: Final = ("processes", "compare", "openings", "openings_start", "log")


class Experiment:
    """The games of a config, with its results file and standings."""

    def __init__(self, config: Config) -> None:
        """Lock the results file, and find the missing games. `close` or the end of `play` unlocks the file.

        Raises:
            OutputError: the results file cannot be written.
            FileError: the results file cannot be read.
            ResultsError: the results file is damaged, or belongs to another experiment.
        """
        self.config = config
        # the standings of all games so far, including those in the results file
        self.standings = Standings((player.name for player in config.players), config.tournament.sprt)
        self.latest: deque[GameRecord] = deque(maxlen=_LATEST)  # the last records of the results file
        self._scheduler: Scheduler | None = None
        self._played: dict[int, str | None] = {}
        self._settings = self._fingerprint()
        self._expected: _ExpectedGames | None = None
        # the seed of the config, of the results file, or a random one
        self.seed = draw_seed() if config.seed is None else config.seed
        self._writer = None
        if (log := config.tournament.log) is not None:
            with errors_as(OutputError, "unwritable", OSError, path=log):
                log.open("a").close()
        if config.output_file is not None:
            self._writer = ResultsWriter(config.output_file, config.existing_output, self._count_existing)
        # the file ended in the middle of a line, which is dropped
        self.is_cut_off = self._writer is not None and self._writer.is_cut_off
        self.resumed = len(self._played)  # number of games that the results file held

    @property
    def max_games(self) -> int:
        """The maximum number of games. It falls when games turn out unnecessary."""
        return max_games(self.config) - (0 if self._scheduler is None else self._scheduler.left_out)

    @property
    def table(self) -> TextTable:
        """The table to show during the games."""
        return ranking_table(self.standings)

    def play(self, executor: Executor, control: RunControl | None = None) -> Generator[GameRecord]:
        """Play the missing games, and yield every record after it is written and counted.

        Raises:
            OutputError: the results file cannot be written.
            TournamentError: see `Executor.collect`.
            PlayerError: see `Executor.collect`.
        """
        test = self.config.tournament.sprt
        setup = {} if test is None else {"sprt": asdict(test)}
        with closing(self):
            for series in self._batches():
                self._scheduler = Scheduler(series, executor.max_lookahead, self._played)
                for record in () if self.standings.is_decided else play(self._scheduler, executor, control):
                    if self._writer is not None:
                        self._writer.append(replace(record, setup={**record.setup, **setup}))
                    self._add(record)
                    is_decided = self.standings.is_decided
                    yield record
                    if is_decided:
                        return

    def _batches(self) -> Iterator[Iterable[Series]]:
        """Yield series whose games do not depend on each other, after the games of the batch before have ended."""
        yield self._schedule()

    def _add(self, record: GameRecord) -> None:
        """Count a game, played or read from the results file."""
        self.standings.add(record)

    def close(self) -> None:
        """Close the results file. May be called more than once."""
        if self._writer is not None:
            self._writer.close()

    def _schedule(self) -> Iterator[Series]:
        """Yield all games, those of a user first: other games in parallel would slow the user's opponent."""
        name = self._name(self.seed)
        if not any(player.is_user for player in self.config.players):
            return schedule(self.config, self.seed, name)
        with_user, without = (schedule(self.config, self.seed, name) for _ in range(2))
        has_user = attrgetter("has_user")
        return chain(filter(has_user, with_user), filterfalse(has_user, without))

    def _fingerprint(self) -> str:
        """Return a hash of all settings that the games depend on, except the seed."""
        return fingerprint(self.config)

    def _name(self, seed: int) -> str:
        """Return the name of the experiment in its records."""
        return f"{seed}-{self._settings}"

    def _count_existing(self, line: int, record: GameRecord) -> None:
        """Count a game of the results file, which has to belong to this experiment."""
        parts = {"path": self.config.output_file, "line": line, "number": record.game}
        if self._expected is None:
            begun = re.fullmatch(rf"(\d{{1,19}})-{self._settings}", record.experiment, re.ASCII)
            if self.config.seed is None and begun is not None:
                self.seed = int(begun[1])
            self._expected = _ExpectedGames(self._schedule(), max_games(self.config))
        if record.experiment != self._name(self.seed):
            raise ResultsError("other_experiment", **parts)
        if record.version != othello.__version__:
            raise ResultsError("other_version", **parts, theirs=record.version, ours=othello.__version__)
        fault = "is a duplicate" if record.game in self._played else self._expected.mismatch(record)
        if fault:
            raise ResultsError("wrong_game", **parts, fault=fault)
        self.latest.append(record)
        self._played[record.game] = record.winner_name
        self._add(record)


def count_games(path: Path) -> int:
    """Return the number of games in a results file without reading them. A line that is cut off is none."""
    with path.open("rb") as file:
        lines = sum(line.endswith((b"\n", b"}")) for line in file)
    return max(0, lines - (path.suffix.lower() == ".csv"))


def is_complete(config: Config, path: Path) -> bool:
    """Return whether a results file has all games that the tournament of a config needs.

    Raises:
        FileError: the file cannot be read.
        ResultsError: the file is damaged.
    """
    form = config.tournament
    if (has_all := count_games(path) >= max_games(config)) or not form.may_end_early:
        return has_all
    played = dict[int, str | None]()
    standings = Standings((player.name for player in config.players), form.sprt)
    for record in ResultsReader(path):
        played[record.game] = record.winner_name
        standings.add(record)
    return standings.is_decided or Scheduler(schedule(config, 0), 1, played).take() is None


def fingerprint(config: Config) -> str:
    """Return a hash of all settings that games depend on, except the seed."""
    tournament = {key: value for key, value in asdict(config.tournament).items() if key not in _IGNORED}
    settings = {
        "players": [asdict(player) for player in config.players],
        "game": [config.game.game, config.game.options],
        "game_type": config.game_type,
        "tournament": tournament,
    }
    return digest(settings)


def digest(settings: object) -> str:
    """Return a hash of settings that are written as JSON."""
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:12]


class _ExpectedGames:
    """Compares records with the games of a schedule, which is generated only as far as needed."""

    def __init__(self, schedule: Iterable[Series], max_games: int) -> None:
        self._max_games = max_games
        self._coming = (job for series in schedule for job in series.jobs)
        self._jobs: dict[int, GameJob] = {}

    def mismatch(self, record: GameRecord) -> str:
        """Return why a record cannot be of its game, or an empty string."""
        if not 1 <= record.game <= self._max_games:
            return f"is not one of the {self._max_games} games"
        while record.game not in self._jobs:
            job = next(self._coming)
            self._jobs[job.number] = job
        job = self._jobs[record.game]
        due = {
            "series": job.series,
            "black": job.players[0].name,
            "white": job.players[1].name,
            "seed": job.seed,
            "opening_plies": job.opening_plies,
            "game_name": job.game.game,
            "rules": unusual_options(job.game),
        }
        for name, value in due.items():
            found = getattr(record, name)
            if found != value:
                return f"has {shown(found)} as {name}, due is {shown(value)}"
        return _mismatch_of_moves(record, job)


def _mismatch_of_moves(record: GameRecord, job: GameJob) -> str:
    rules = rules_of(job.game)
    try:
        game = record.replayed()
    except (BoardTextError, TranscriptError) as error:
        return f"cannot be replayed: {error}"
    opening = book_game(job.opening, rules).positions
    if game.positions[: len(opening)] != opening:
        return f"does not begin with its opening, {job.opening}"
    if record.is_adjudicated and rules.moves_left(game.position) > job.adjudicate:
        return f"is adjudicated after {game.ply} moves, which is too early"
    score = rules.score(game.position)
    if not record.is_adjudicated and score != (record.black_points, record.white_points):
        counted = rules.points or "points"
        return f"ends with {score[0]} to {score[1]} {counted}, not {record.black_points} to {record.white_points}"
    if record.reason:
        return ""  # a forfeited game may end at any time
    if game.outcome is None:
        return f"is not over after {game.ply} moves"
    winner = "draw" if game.outcome.winner is None else game.outcome.winner.label
    return "" if record.result == winner else f"has {record.result} as result, due is {winner}"
