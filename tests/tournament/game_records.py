"""Records of games that were never played, and games of short tournaments."""

import random
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from othello.config import Config, ExistingOutput
from othello.players.player_registry import configure
from othello.records.record import GameRecord
from othello.tournament.executor import Executor, SerialExecutor
from othello.tournament.experiment import Experiment
from othello.tournament.schedule import schedule
from othello.tournament.scheduler import RunControl, Scheduler, play
from othello.tournament.standings import Standings
from tests.results_files import write_results

TRANSCRIPT = "f5d6c3d3c4"
PLAYERS = tuple(configure("random", name=name) for name in "ABC")
WON = GameRecord(black="A", white="B", black_points=40, white_points=24, result="black")
BLACK_WINS = replace(WON, transcript=TRANSCRIPT, black_seconds=1.0, white_seconds=2.0, experiment="7-abc")
WHITE_WINS = replace(BLACK_WINS, black_points=24, white_points=40, result="white")


def records(games: int = 40, a_wins: float = 0.9, names: tuple[str, str] = ("A", "B")) -> list[GameRecord]:
    """Return colour-swapped game pairs of which the first player wins a share."""
    luck, found = random.Random(1), []
    for number in range(1, games + 1):
        black, white = names if number % 2 == 1 else names[::-1]
        won = BLACK_WINS if (luck.random() < a_wins) == (number % 2 == 1) else WHITE_WINS
        found.append(replace(won, game=number, series=(number + 1) // 2, black=black, white=white))
    return found


def round_robin(names: Iterable[tuple[str, str]], games: int, a_wins: float) -> list[GameRecord]:
    """Return game pairs of several pairs of players."""
    return [
        replace(record, game=record.game + 1000 * place, series=record.series + 1000 * place)
        for place, pair in enumerate(names)
        for record in records(games, a_wins, pair)
    ]


def write(file: Path, games: list[GameRecord]) -> Path:
    write_results(file, *games)
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
