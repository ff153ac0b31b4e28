"""Which games are played: a lazy sequence of series, the same from the same config and seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from othello.config import Config
from othello.play.seeding import game_seeds
from othello.records.record import GameRecord
from othello.tournament.job import Job

_BEST_OF: Final = 3


@dataclass(frozen=True, slots=True)
class Series:
    """Games that belong together, in order.

    Attributes:
        jobs: all games that may be needed.
        wins_needed: as soon as a player has so many wins the rest is left out; 0 = all games are played.
    """

    jobs: tuple[Job, ...]
    wins_needed: int = 0

    def is_decided(self, records: Sequence[GameRecord]) -> bool:
        """Whether the games played so far make further ones needless."""
        wins = Counter((record.black, record.white)[record.winner] for record in records if record.winner is not None)
        return bool(self.wins_needed) and max(wins.values(), default=0) >= self.wins_needed


def schedule(config: Config, seed: int) -> Iterator[Series]:
    """All games of a match or a tournament with all its repetitions.

    Args:
        config: players, format, repetitions.
        seed: the experiment's; the config's own where it has one.
    """
    number = 0
    for repetition_seed in game_seeds(seed, config.game_repetitions):
        if config.game_type == "match":
            number += 1
            yield Series((Job(number, number, (config.players[0], config.players[1]), repetition_seed),))
            continue
        pairs = list(combinations(config.players, 2))
        seeds = iter(game_seeds(repetition_seed, len(pairs) * _BEST_OF))
        for first, second in pairs:
            jobs = []
            for index in range(_BEST_OF):
                number += 1
                seed_of_game = next(seeds)
                # Colours alternate; the deciding game's are drawn.
                swapped = index % 2 == 1 if index < _BEST_OF - 1 else seed_of_game % 2 == 1
                players = (second, first) if swapped else (first, second)
                jobs.append(Job(number, (number - 1) // _BEST_OF + 1, players, seed_of_game))
            yield Series(tuple(jobs), wins_needed=_BEST_OF // 2 + 1)


def most_games(config: Config) -> int:
    """How many games the schedule has at most."""
    if config.game_type == "match":
        return config.game_repetitions
    players = len(config.players)
    return config.game_repetitions * _BEST_OF * players * (players - 1) // 2
