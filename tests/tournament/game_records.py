"""Records of games that were never played."""

import random
from pathlib import Path

from othello.records.record import GameRecord
from othello.records.results import ResultsWriter
from othello.tournament.standings import Standings

TRANSCRIPT = "f5d6c3d3c4"


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
