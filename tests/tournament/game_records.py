"""Records of games that were never played, and games of short tournaments."""

import random
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from othello.config import Config, ExistingOutput
from othello.players.player_registry import configure
from othello.records.record import GameRecord
from othello.records.results import ResultsWriter
from othello.tournament.executor import Executor, SerialExecutor
from othello.tournament.experiment import Experiment
from othello.tournament.schedule import schedule
from othello.tournament.scheduler import RunControl, Scheduler, play
from othello.tournament.standings import Standings

TRANSCRIPT = "f5d6c3d3c4"
PLAYERS = tuple(configure("random", name=name) for name in "ABC")


def records(games: int = 40, a_wins: float = 0.9, names: tuple[str, str] = ("A", "B")) -> list[GameRecord]:
    """Return colour-swapped game pairs of which the first player wins a share."""
    luck = random.Random(1)
    found = []
    for number in range(1, games + 1):
        first_is_black = number % 2 == 1
        first_wins = luck.random() < a_wins
        found.append(
            GameRecord(
                game=number,
                series=(number + 1) // 2,
                black=names[0] if first_is_black else names[1],
                white=names[1] if first_is_black else names[0],
                transcript=TRANSCRIPT,
                black_points=40 if first_wins == first_is_black else 24,
                white_points=24 if first_wins == first_is_black else 40,
                result="black" if first_wins == first_is_black else "white",
                black_seconds=1.0,
                white_seconds=2.0,
                experiment="7-abc",
            )
        )
    return found


def round_robin(names: Iterable[tuple[str, str]], games: int, a_wins: float) -> list[GameRecord]:
    """Return game pairs of several pairs of players."""
    return [
        replace(record, game=record.game + 1000 * place, series=record.series + 1000 * place)
        for place, pair in enumerate(names)
        for record in records(games, a_wins, pair)
    ]


def write(file: Path, games: list[GameRecord]) -> Path:
    with ResultsWriter(file) as writer:
        for record in games:
            writer.append(record)
    return file


def standings_of(games: list[GameRecord]) -> Standings:
    standings = Standings()
    for record in games:
        standings.add(record)
    return standings


def play_all(executor: Executor, config: Config, control: RunControl | None = None) -> list[GameRecord]:
    """Play a tournament with the seed 1, without times."""
    with closing(executor):
        return timeless(play(Scheduler(schedule(config, 1), executor.max_lookahead), executor, control))


def run(config: Config) -> Experiment:
    """Play an experiment to its end."""
    experiment = Experiment(config)
    with closing(SerialExecutor()) as executor, closing(experiment.play(executor)) as games:
        list(games)
    return experiment


def resuming(config: Config) -> Config:
    return replace(config, existing_output=ExistingOutput.RESUME)


def count_resumed(config: Config) -> int:
    """Return the number of games that an experiment finds in its file."""
    with closing(Experiment(resuming(config))) as experiment:
        return experiment.resumed


def timeless(games: Iterable[GameRecord]) -> list[GameRecord]:
    return [replace(record, black_seconds=0, white_seconds=0) for record in games]
