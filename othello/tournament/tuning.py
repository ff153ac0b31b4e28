"""Search for the best values of a player's options: an experiment whose games depend on earlier results.

The method is simultaneous perturbation stochastic approximation (SPSA), which maximises a function by noisy
comparisons. An iteration compares two points on opposite sides of the current point, in a random direction along all
coordinates at once, and moves towards the better one. However many coordinates there are, this takes one comparison.

Sources: J. C. Spall, "Multivariate Stochastic Approximation Using a Simultaneous Perturbation Gradient Approximation",
IEEE Transactions on Automatic Control 37, 1992; the gains: J. C. Spall, "Implementation of the Simultaneous
Perturbation Algorithm for Stochastic Optimization", IEEE Transactions on Aerospace and Electronic Systems 34, 1998.
"""

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from othello.config import Config, PlayerConfig, TournamentConfig, TuneConfig, TunedOption
from othello.config_file import entry_of
from othello.errors import ConfigError, Reason, ResultsError
from othello.files import write_text
from othello.frozen_dataclass import FrozenDataclass
from othello.play.seeding import SEED_LIMIT
from othello.records.record import GameRecord
from othello.rules.protocol import Color
from othello.schema import Option, first_fault, nearest, options_of
from othello.strict_json import join
from othello.tournament.experiment import Experiment, digest, fingerprint
from othello.tournament.report_text import TextTable
from othello.tournament.schedule import Series, schedule

Point: TypeAlias = NDArray[np.float64]  # every coordinate from 0 to 1
Direction: TypeAlias = NDArray[np.int64]  # 1 or -1 for every coordinate

_ALPHA: Final = 0.602  # decay of the moves
_GAMMA: Final = 0.101  # decay of the distance between the compared points
_STABILITY: Final = 0.1  # share of the iterations during which moves hardly get shorter
_ROWS: Final = 10  # printed rows of the path
_DIGITS: Final = ".4g"
TUNED_FILES: Final = ("found.json", "path.csv", "path.svg")


class Spsa:
    """The state of a search."""

    def __init__(self, start: Sequence[float], iterations: int, step: float, move: float) -> None:
        """Start a search.

        Args:
            start: the first point.
            iterations: the number of iterations.
            step: distance of the compared points from the current one in every coordinate, in the first iteration.
            move: distance that the first iteration moves if one point wins all games.
        """
        self.point: Point = np.array(start, np.float64)
        self.iteration = 0  # completed iterations
        self._stability = _STABILITY * iterations
        self._c = step
        self._a = 2 * step * move * (self._stability + 1) ** _ALPHA

    def sides(self, direction: Direction) -> tuple[Point, Point]:
        """Return the two points to compare."""
        change = self._perturbation * direction
        return np.clip(self.point + change, 0, 1), np.clip(self.point - change, 0, 1)

    def learn(self, direction: Direction, difference: float) -> None:
        """End an iteration. `difference` is the advantage of the first point, from -1 to 1."""
        gain = self._a / (self._stability + self.iteration + 1) ** _ALPHA
        slope = difference / (2 * self._perturbation * direction)
        self.point = np.clip(self.point + gain * slope, 0, 1)
        self.iteration += 1

    @property
    def _perturbation(self) -> float:
        return self._c / float((self.iteration + 1) ** _GAMMA)


class Axis(FrozenDataclass):
    """A tuned option, whose range is mapped to a scale from 0 to 1."""

    key: str
    start: float
    low: float
    high: float
    is_whole: bool
    is_logarithmic: bool

    def share(self, value: float) -> float:
        """Return the place of a value on the scale, from 0 (`low`) to 1 (`high`)."""
        low, high, value = (math.log(end) if self.is_logarithmic else end for end in (self.low, self.high, value))
        return (value - low) / (high - low)

    def value(self, share: float) -> float:
        """Return the value at a place of the scale."""
        value = self.low + (self.high - self.low) * share
        if self.is_logarithmic:
            value = math.exp(math.log(self.low) + math.log(self.high / self.low) * share)
        return min(self.high, max(self.low, value))  # rounding errors may leave the range

    def played(self, share: float, threshold: float) -> float | int:
        """Return the value to play with. A whole-numbered option is rounded at random, by a threshold from 0 to 1."""
        value = self.value(share)
        return math.floor(value + threshold) if self.is_whole else value

    def best(self, share: float) -> float | int:
        """Return the value to report, rounded to four digits."""
        value = self.value(share)
        return round(value) if self.is_whole else float(format(value, _DIGITS))


class TuningStep(FrozenDataclass):
    """The values after an iteration."""

    iteration: int
    games: int  # played so far
    values: tuple[float, ...]  # values of all tuned options
    score: float | None  # of the first side in the iteration; None at the start


class Tuning(Experiment):
    """The search for the best values of the first player's options by SPSA.

    In each iteration two players meet: one has the current values changed in a random direction, the other in the
    opposite direction. Then the values move towards the winner. All games follow from the seed and earlier results, so
    the results file is enough to resume.
    """

    def __init__(self, config: Config) -> None:
        """Lock the results file, and follow the path of its games. Also raises the errors of `Experiment`.

        Raises:
            ConfigError: the config has nothing to tune, or options that cannot be tuned.
        """
        form, player = config.tune, config.players[0]
        if form is None or config.game_type != "tournament":
            raise ConfigError("tune_missing")
        self.axes = _axes(player, form)
        self.path = [TuningStep(0, 0, tuple(axis.start for axis in self.axes), None)]
        self._player, self._form = player, form
        self._spsa = Spsa([axis.share(axis.start) for axis in self.axes], form.iterations, form.perturbation, form.gain)
        self._points = 0.0  # of the first side in this iteration
        first, second = (replace(player, name=f"{player.name} {sign}", number=None) for sign in "+-")
        tournament = replace(config.tournament, format="paired", sprt=None, compare=None)
        repetitions = form.iterations * form.pairs
        super().__init__(replace(config, players=(first, second), game_repetitions=repetitions, tournament=tournament))

    @property
    def result(self) -> PlayerConfig:
        """The player with the current values."""
        return self._with(self._player, list(map(Axis.best, self.axes, self._spsa.point.tolist())))

    @property
    def table(self) -> TextTable:
        rows = tuple(
            (axis.key, *(f"{number:{_DIGITS}}" for number in (axis.low, axis.high, axis.start, value)))
            for axis, value in zip(self.axes, self.path[-1].values, strict=True)
        )
        return TextTable("Values", ("option", "minimum", "maximum", "start", "now"), rows)

    def _batches(self) -> Iterator[list[Series]]:
        before = -1
        while before < self._spsa.iteration < self._form.iterations:  # a stop leaves the iteration unchanged
            before = self._spsa.iteration
            yield self._series()

    def _fingerprint(self) -> str:
        return digest([fingerprint(self.config), asdict(self._form)])

    def _schedule(self) -> Iterator[Series]:
        """Yield all games. Those of an iteration are known after the games of the iteration before are counted."""
        for _ in range(self._form.iterations):
            yield from self._series()

    def _series(self) -> list[Series]:
        """Return the games of the current iteration."""
        direction, thresholds, seed = self._draw()
        points = self._spsa.sides(direction)
        sides = [list(map(Axis.played, self.axes, point.tolist(), thresholds)) for point in points]
        players = tuple(map(self._with, self.config.players, sides))
        config = replace(self.config, players=players, game_repetitions=self._form.pairs)
        begun = self._spsa.iteration * self._form.pairs
        return [
            Series(tuple(replace(job, number=2 * begun + job.number, series=begun + job.series) for job in series.jobs))
            for series in schedule(config, seed, self._name(self.seed), begun)
        ]

    def _with(self, player: PlayerConfig, values: Sequence[float | int]) -> PlayerConfig:
        """Return a player with other values of the tuned options."""
        options: dict[str, Any] = {axis.key: value for axis, value in zip(self.axes, values, strict=True)}
        return replace(player, **options)

    def _draw(self) -> tuple[Direction, Sequence[float], int]:
        """Return the random numbers of the iteration: direction, thresholds for rounding, seed of the games."""
        random = np.random.default_rng([self.seed, self._spsa.iteration])
        size = len(self.axes)
        return random.choice((-1, 1), size), random.random(size).tolist(), int(random.integers(SEED_LIMIT))

    def _count_existing(self, line: int, record: GameRecord) -> None:
        if record.game != (due := len(self._played) + 1):  # its players depend on the games before
            parts = {"path": self.config.output_file, "line": line, "number": record.game}
            raise ResultsError("wrong_game", **parts, fault=f"stands where game {due} is due")
        super()._count_existing(line, record)

    def _add(self, record: GameRecord) -> None:
        """Count a game, and move the values after the last game of an iteration."""
        super()._add(record)
        self._played[record.game] = record.winner_name
        self._points += record.points(Color.BLACK if record.black == self.config.players[0].name else Color.WHITE)
        games = 2 * self._form.pairs
        if len(self._played) % games == 0:
            score, self._points = self._points / games, 0.0
            self._spsa.learn(self._draw()[0], 2 * score - 1)
            values = tuple(map(Axis.value, self.axes, self._spsa.point.tolist()))
            self.path.append(TuningStep(self._spsa.iteration, len(self._played), values, score))


def _axes(player: PlayerConfig, form: TuneConfig) -> tuple[Axis, ...]:
    """Return the options to tune. Raises a ConfigError if there are none, or if one cannot be tuned."""
    options = {} if player.is_user else options_of(type(player))
    known = {key: option for key, option in options.items() if option.kind in (int, float) and not option.choices}
    if not form.options:
        raise ConfigError("tune_missing")
    return tuple(_axis(key, known.get(key), tuned, player, list(known)) for key, tuned in form.options.items())


def _axis(key: str, known: Option | None, tuned: TunedOption, player: PlayerConfig, keys: Sequence[str]) -> Axis:
    place = join("tune.options", key)
    if known is None:
        hint = nearest(key, keys) or Reason("allowed", {"words": ", ".join(keys) or Reason("none")})
        raise ConfigError("tune_option", place=place, player=player.player_type, hint=hint)
    assert known.maximum is not None
    low = (known.minimum or 0.0) if tuned.minimum is None else tuned.minimum
    high = known.maximum if tuned.maximum is None else tuned.maximum
    ends = {"low": format(low, _DIGITS), "high": format(high, _DIGITS)}
    if low >= high or any(first_fault(end, known.schema) for end in (low, high)):
        raise ConfigError("tune_range", place=place, **ends)
    if tuned.scale == "logarithmic" and low <= 0:
        raise ConfigError("tune_scale", place=place)
    axis = Axis(key, low, low, high, known.kind is int, tuned.scale == "logarithmic")
    start = getattr(player, key)
    start = axis.value(0.5) if start is None else start
    if not low <= start <= high:
        raise ConfigError("tune_start", place=place, value=format(start, _DIGITS), **ends)
    return replace(axis, start=start)


def write_tuning(tuning: Tuning, config: Config, folder: Path) -> list[Path]:
    """Write the found config, the path and, with matplotlib, a plot of the path, and return the files.

    Args:
        tuning: the search.
        config: the config of the search.
        folder: the folder of the files.

    Raises:
        OutputError: a file cannot be written.
    """
    found, path, plot = (folder / name for name in TUNED_FILES)
    write_text(found, json.dumps(_found_config(tuning, config), indent=2, default=str) + "\n")
    keys = [axis.key for axis in tuning.axes]
    lines = [["iteration", "games", "score", *keys]]
    for step in tuning.path:
        score = "" if step.score is None else f"{step.score:{_DIGITS}}"
        lines.append([f"{step.iteration}", f"{step.games}", score, *(f"{value:.6g}" for value in step.values)])
    write_text(path, "".join(f"{','.join(line)}\n" for line in lines))
    try:
        from othello.tournament.plots import draw_path  # needs matplotlib
    except ModuleNotFoundError:
        return [found, path]
    courses = np.transpose([step.values for step in tuning.path]).tolist()
    axes = zip(tuning.axes, courses, strict=True)
    values = {axis.key: (course, "log" if axis.is_logarithmic else "linear") for axis, course in axes}
    draw_path([step.games for step in tuning.path], values, plot)
    return [found, path, plot]


def _found_config(tuning: Tuning, config: Config) -> dict[str, Any]:
    """Return the config's tournament with the found player in place of the first one."""
    usual, settings = asdict(TournamentConfig()), asdict(replace(config.tournament, compare=None, opening_book=()))
    return {
        "game_type": config.game_type,
        "game": config.game.game,
        "rules": dict(config.game.options),
        "game_repetitions": config.game_repetitions,
        "seed": config.seed,
        "show_visualisation": config.show_visualisation,
        "players": [entry_of(player) for player in (tuning.result, *config.players[1:])],
        **({"openings": config.openings} if config.openings else {}),
        "tournament": {key: value for key, value in settings.items() if value != usual[key]},
    }


def path_table(tuning: Tuning) -> TextTable:
    """Return some rows of the path, including the last one."""
    last = len(tuning.path) - 1
    shown = [tuning.path[round(place)] for place in np.linspace(0, last, min(last, _ROWS) + 1)]
    rows = tuple(
        (str(step.iteration), str(step.games), *(f"{value:{_DIGITS}}" for value in step.values)) for step in shown
    )
    return TextTable("Path", ("iteration", "games", *(axis.key for axis in tuning.axes)), rows)
